"""Publish runs as the package's pretrained models, measured on the test split.

    python -m puzzle_agents.learning.release runs/kwirk-ladder --page docs/pretrained.md \
        --more Kwirk-v0/test/10-19 --beside greedy --beside astar

Each model is copied to the folder of pretrained models under its run's name, with its test results
in its card. The page gets a section for each: the tiers of its training, tiers that it has never
seen (--more), random play, and the searches of --beside. A pretrained model's name instead of a
folder measures that model again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import torch
import typer

from puzzle_agents.demonstrations import check_teacher
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.card_file import FOLDER, pretrained_file, read_card
from puzzle_agents.learning.config import read_config
from puzzle_agents.learning.curve import CURVE
from puzzle_agents.learning.generalisation import table_of
from puzzle_agents.learning.levels import check_stage
from puzzle_agents.learning.model_file import Model, load_model, save_model
from puzzle_agents.learning.scores import scores_of
from puzzle_agents.learning.training import CONFIG, MODEL
from puzzle_agents.page import Part, update
from puzzle_envs.common.files import write_whole

SAMPLES = 10
HEADING = """# Pretrained models

Written by `python -m puzzle_agents.learning.release`. The levels are those of the test split, which
is never used in training; "trained on" says whether training had levels of the tier (older cards do
not say). Shares are of levels solved by the likeliest actions ("greedily"), by one sampled episode
and by at least one of ten, each in another symmetric view of the board where the puzzle has some,
with 95 % intervals (Wilson); moves relative to the optimum are means over the solved levels.
Training minutes are those of one core, shared with other work.
"""


def release(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs, or names.")],
    page: Annotated[Path, typer.Option(help="Output page of the tables.")],
    more: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ENV/SET",
            help="A set, or new levels (ENV/200 new 6x6), to measure as well. Repeatable.",
        ),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="A search to compare with. Repeatable."),
    ] = None,
    hottest: Annotated[
        float | None,
        typer.Option(min=1, help="Temperature of the last episode, chosen on validation levels."),
    ] = None,
    folder: Annotated[Path, typer.Option(help="Output folder of the models.")] = FOLDER,
) -> None:
    """Copy the runs' models with their test results, and write the tables."""
    torch.set_num_threads(1)
    finished = [_finished(run) for run in runs]
    others = [_others(one.env, more or ()) for one in finished]
    for one in finished:
        for agent in beside or ():
            check_teacher(agent, one.env)
    for one, sets in zip(finished, others, strict=True):
        model = _kept(one, hottest, folder)
        images = page.parent / "images"
        if one.curve is not None:
            images.mkdir(parents=True, exist_ok=True)
            write_whole(images / _picture(one.name), one.curve.read_bytes())
        parts = _section(one.name, model, [*one.sets, *sets], beside or ())
        update(page, HEADING, {one.name: parts})


class _Finished(NamedTuple):
    """A run, or a pretrained model."""

    name: str
    file: Path
    env: str
    sets: list[str]
    """The test sets of its training's tiers."""
    curve: Path | None
    """The picture of a run's learning curve."""


def _finished(run: Path) -> _Finished:
    if (run / CONFIG).is_file():
        config = read_config(run / CONFIG)
        sets = [name.replace("validation/", "test/", 1) for name in config.validation]
        return _Finished(run.name, run / MODEL, config.env, sets, run / CURVE)
    file = pretrained_file(str(run))
    card = read_card(file)
    return _Finished(run.name, file, card.env, list(card.training["test"]["levels"]), None)


def _others(env: str, more: Sequence[str]) -> list[str]:
    """The further sets of an environment; a LevelError if one does not exist."""
    named = [name.partition("/") for name in more]
    sets = [name for own, _, name in named if own == env]
    for name in sets:
        check_stage(puzzle_of(env), name)
    return sets


def _kept(one: _Finished, hottest: float | None, folder: Path) -> Model:
    """The model as it is published, with its test results in its card.

    A run's weights get the precision of bfloat16, in which training multiplies them: half the size.
    """
    model, path = load_model(one.file), folder / f"{one.name}.model"
    if one.curve is not None:
        with torch.no_grad():
            for weight in model.policy.parameters():
                weight.copy_(weight.bfloat16())
    weights, card = model.policy.state_dict(), model.card
    if hottest is not None:
        card = replace(card, training={**card.training, "hottest": hottest})
    save_model(path, card, weights)
    score = scores_of([str(path)], one.sets, samples=SAMPLES, seed=0)[0]
    test = {
        "levels": one.sets,
        "count": score.levels,
        "samples": SAMPLES,
        "solved": score.found.rate(SAMPLES),
        "interval": list(score.found.interval(SAMPLES)),
    }
    save_model(path, replace(card, training={**card.training, "test": test}), weights)
    return load_model(path)


def _section(name: str, model: Model, sets: Sequence[str], agents: Sequence[str]) -> list[Part]:
    training = model.card.training
    return [
        f"`{training['command']}`, seed {training['seed']}, {training['steps']:,} actions, "
        f"{training['seconds'] / 60:.0f} minutes.",
        table_of([(model.card.algorithm, model)], sets, agents, samples=SAMPLES),
        f"![Learning curve of {name}](images/{_picture(name)})",
    ]


def _picture(name: str) -> str:
    return f"curve-{name}.png"


if __name__ == "__main__":
    typer.run(release)

"""Publish runs as the package's pretrained models, measured on the test split.

    python -m puzzle_agents.learning.release runs/kwirk-ladder --page docs/pretrained.md \
        --more Kwirk-v0/test/10-19 --beside greedy --beside astar

Each model is copied to the folder of pretrained models under its run's name, with its test results
in its card. The page has a table for each: the tiers of its training, tiers that it has never seen
(--more), random play, and the searches of --beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import torch
import typer

from puzzle_agents.demonstrations import check_teacher
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.card_file import FOLDER
from puzzle_agents.learning.config import Config, read_config
from puzzle_agents.learning.generalisation import table_of
from puzzle_agents.learning.model_file import Model, load_model, save_model
from puzzle_agents.learning.scores import scores_of
from puzzle_agents.learning.training import CONFIG, MODEL
from puzzle_envs.common.files import write_whole

SAMPLES = 10
HEADING = """# Pretrained models

Written by `python -m puzzle_agents.learning.release`. The levels are those of the test split, which
is never used in training; "trained on" says whether training had levels of the tier. Shares are of
levels solved by the likeliest actions ("greedily"), by one sampled episode and by at least one of
ten; training minutes are those of one core, shared with other work.
"""


def release(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    page: Annotated[Path, typer.Option(help="Output page of the tables.")],
    more: Annotated[
        list[str] | None,
        typer.Option(metavar="ENV/SET", help="A set to measure as well. Repeatable."),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="A search to compare with. Repeatable."),
    ] = None,
    folder: Annotated[Path, typer.Option(help="Output folder of the models.")] = FOLDER,
) -> None:
    """Copy the runs' models with their test results, and write the tables."""
    torch.set_num_threads(1)
    configs = [read_config(run / CONFIG) for run in runs]
    others = [_others(config, more or ()) for config in configs]
    for config in configs:
        for agent in beside or ():
            check_teacher(agent, config.env)
    sections = [HEADING]
    for run, config, sets in zip(runs, configs, others, strict=True):
        own = [name.replace("validation/", "test/", 1) for name in config.validation]
        model = _kept(run, own, folder)
        sections.append(_section(run.name, model, [*own, *sets], beside or ()))
        sections.append(_curve(run, page.parent / "images"))
    write_whole(page, "\n".join(sections).encode())


def _others(config: Config, more: Sequence[str]) -> list[str]:
    """The further sets of a run's environment; a LevelError if one does not exist."""
    named = [name.partition("/") for name in more]
    sets = [name for env, _, name in named if env == config.env]
    puzzle_of(config.env).format.find_all(sets)
    return sets


def _kept(run: Path, sets: list[str], folder: Path) -> Model:
    """The model as it is published, with its test results in its card.

    Its weights have the precision of bfloat16, in which training multiplies them: half the size.
    """
    model, path = load_model(run / MODEL), folder / f"{run.name}.model"
    with torch.no_grad():
        for weight in model.policy.parameters():
            weight.copy_(weight.bfloat16())
    weights = model.policy.state_dict()
    save_model(path, model.card, weights)
    score = scores_of([str(path)], sets, samples=SAMPLES, seed=0)[0]
    test = {
        "levels": sets,
        "count": score.levels,
        "samples": SAMPLES,
        "solved": score.found.rate(SAMPLES),
        "interval": list(score.found.interval(SAMPLES)),
    }
    save_model(path, replace(model.card, training={**model.card.training, "test": test}), weights)
    return load_model(path)


def _section(name: str, model: Model, sets: Sequence[str], agents: Sequence[str]) -> str:
    training = model.card.training
    table = table_of([(model.card.algorithm, model)], sets, agents, samples=SAMPLES)
    return (
        f"## {name}\n\n`{training['command']}`, seed {training['seed']}, "
        f"{training['steps']:,} actions, {training['seconds'] / 60:.0f} minutes.\n\n"
        f"{table.markdown().replace('## ', '### ', 1)}"
    )


def _curve(run: Path, folder: Path) -> str:
    """Copy the run's learning curve next to the page."""
    name = f"curve-{run.name}.png"
    folder.mkdir(exist_ok=True)
    write_whole(folder / name, (run / "curve.png").read_bytes())
    return f"![Learning curve of {run.name}](images/{name})\n"


if __name__ == "__main__":
    typer.run(release)

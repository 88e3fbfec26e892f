"""Publish runs as the package's pretrained models, measured on the test split.

    python -m puzzle_agents.learning.release runs/kwirk runs/hua-rong-dao --page pretrained.md

Each model is copied to the folder of pretrained models under its run's name, with its test results
in its card. The page has a table for each, with random legal actions and the comparable runs of
--beside for comparison.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import torch
import typer

from puzzle_agents.learning.card_file import FOLDER
from puzzle_agents.learning.config import Config, read_config
from puzzle_agents.learning.model_file import load_model, save_model
from puzzle_agents.learning.scores import HEADS, Score, as_markdown, scores_of
from puzzle_agents.learning.training import CONFIG, MODEL
from puzzle_envs.common.files import write_whole

SAMPLES = 10
HEADING = """# Pretrained models

Written by `python -m puzzle_agents.learning.release`. The levels are those of the test split, which
is never used in training. Shares are of levels solved by one episode and by at least one of ten,
with 95 % intervals (Wilson); moves relative to the optimum are means over the solved levels; times
are per level, all levels in parallel. Training minutes are those of one core, shared with other
work.
"""


def release(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    page: Annotated[Path, typer.Option(help="Output page of the tables.")],
    beside: Annotated[
        list[Path] | None, typer.Option(help="A run to compare with. Repeatable.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Output folder of the models.")] = FOLDER,
) -> None:
    """Copy the runs' models with their test results, and write the tables."""
    torch.set_num_threads(1)
    sections = [HEADING]
    for run in runs:
        config = read_config(run / CONFIG)
        others = [one for one in beside or () if _same_task(read_config(one / CONFIG), config)]
        sets = [name.replace("validation/", "test/", 1) for name in config.validation]
        scores = scores_of([str(one) for one in (run, *others)], sets, samples=SAMPLES, seed=0)
        _keep(run, sets, scores[0], folder)
        sections.append(_section(run, sets, scores))
        sections.append(_curve(run, page.parent / "images"))
        for name in sets if len(sets) > 1 else []:
            alone = scores_of([str(run)], [name], samples=SAMPLES, seed=0)
            sections.append(_table(f"{name} alone", alone))
    write_whole(page, "\n".join(sections).encode())


def _same_task(one: Config, other: Config) -> bool:
    return (one.env, one.validation) == (other.env, other.validation)


def _keep(run: Path, sets: list[str], score: Score, folder: Path) -> None:
    """The model, with its test results in its card."""
    model = load_model(run / MODEL)
    test = {
        "levels": sets,
        "count": score.levels,
        "samples": SAMPLES,
        "solved": score.found.rate(SAMPLES),
        "interval": list(score.found.interval(SAMPLES)),
    }
    card = replace(model.card, training={**model.card.training, "test": test})
    save_model(folder / f"{run.name}.model", card, model.policy.state_dict())


def _section(run: Path, sets: list[str], scores: list[Score]) -> str:
    training = load_model(run / MODEL).card.training
    intro = (
        f"## {run.name}\n\n`{training['command']}`, seed {training['seed']}, "
        f"{training['steps']:,} actions, {training['seconds'] / 60:.0f} minutes.\n"
    )
    return "\n".join([intro, _table(", ".join(sets), scores)])


def _curve(run: Path, folder: Path) -> str:
    """Copy the run's learning curve next to the page."""
    name = f"curve-{run.name}.png"
    folder.mkdir(exist_ok=True)
    write_whole(folder / name, (run / "curve.png").read_bytes())
    return f"![Learning curve of {run.name}](images/{name})\n"


def _table(title: str, scores: list[Score]) -> str:
    heads = [head.format(samples=SAMPLES) for head in HEADS]
    return as_markdown(f"{scores[0].levels} levels of {title}", heads, scores)


if __name__ == "__main__":
    typer.run(release)

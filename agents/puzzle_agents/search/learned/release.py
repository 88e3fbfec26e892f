"""Publish runs as the package's models of learned search, measured on the test split.

    python -m puzzle_agents.search.learned.release runs/a-0 runs/a-1 runs/a-2 \
        --page docs/learned_models.md

The runs differ in their seeds only. The first one's model is copied to the folder of models under
the name of its puzzle, with its test results in its card. The page's section on the puzzle has its
curve and, compared with other agents, a table for each test set whose tier has training sets, and
for those of `--more`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from puzzle_agents.agent import Result
from puzzle_agents.learning.card import ModelError
from puzzle_agents.learning.card_file import MODEL
from puzzle_agents.page import update
from puzzle_agents.search.learned.measuring import HEADING, Row, found_on, others, table_of
from puzzle_agents.search.learned.model import Card, load_model, name_of, save_model
from puzzle_agents.statistics import wilson
from puzzle_envs.common.files import write_whole
from puzzle_envs.level import Level

__all__ = ["release"]

KIN = ("levin", "rooted", "guided-greedy", "guided-beam")
"""Other agents with the same model."""


def release(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    page: Annotated[Path, typer.Option(help="Output page of the tables.")],
    more: Annotated[list[str] | None, typer.Option(help="Sets for further tables.")] = None,
) -> None:
    """Copy the first run's model with its test results, and write the tables."""
    models = [load_model(run / MODEL) for run in runs]
    cards = [_card_of(model.card) for model in models]
    puzzle = cards[0].puzzle
    tests = [one.replace("train/", "test/") for one in puzzle.format.sets() if "train/" in one]
    guided: list[Row] = [
        (f"{card.algorithm}, seed {card.training['seed']}", card.algorithm, {"model": model})
        for card, model in zip(cards, models, strict=True)
    ]
    alone: list[Row] = [(f"{name}, its policy", name, {"model": models[0]}) for name in KIN]
    tables, own = [], list[tuple[Level, Result]]()
    levels = 0
    for name in [*tests, *(more or ())]:
        found = [found_on(cards[0], name, *agent) for agent in [*guided, *alone, *others(cards[0])]]
        tables.append(table_of(name, found))
        if name in tests:
            own += found[0].solved
            levels += len(found[0].levels)
    test = {
        "levels": tests,
        "count": levels,
        "samples": 1,
        "solved": len(own) / levels,
        "interval": list(wilson(len(own), levels)),
        "expanded": float(np.mean([result.expanded for _, result in own])),
    }
    card = replace(cards[0], training={**cards[0].training, "test": test})
    save_model(name_of(puzzle), card, models[0].entries)
    curve = f"learned-{name_of(puzzle).stem}.png"
    (page.parent / "images").mkdir(exist_ok=True)
    write_whole(page.parent / "images" / curve, (runs[0] / "curve.png").read_bytes())
    described = "\n".join(map(_described, cards))
    picture = f"![Learning curve](images/{curve})"
    update(page, HEADING, {puzzle.title: [described, picture, *tables]})


def _card_of(card: Card | None) -> Card:
    if card is None:
        raise ModelError("The uniform policy is not published.")
    return card


def _described(card: Card) -> str:
    training = card.training
    return (
        f"* `{training['command']}`: {training['seconds']:.0f} seconds of a core, "
        f"{training['steps']:,} expansions."
    )


if __name__ == "__main__":
    typer.run(release)

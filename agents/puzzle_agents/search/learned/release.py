"""Publish runs as the package's models of learned search, measured on the test split.

    python -m puzzle_agents.search.learned.release runs/a-0 runs/a-1 runs/a-2 --page a.md

The runs differ in their seeds only. The first one's model is copied to the folder of models under
the name of its puzzle, with its test results in its card. The page has its curve, and a table for
each test set with other agents on the same levels for comparison.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import gymnasium
import numpy as np
import typer

import puzzle_agents
from puzzle_agents.agent import Budget, Result
from puzzle_agents.learning.card import ModelError
from puzzle_agents.learning.card_file import MODEL
from puzzle_agents.search.learned.model import Card, load_model, name_of, save_model
from puzzle_agents.statistics import wilson
from puzzle_agents.table import Table, columns
from puzzle_envs.common.files import write_whole
from puzzle_envs.level import Level

__all__ = ["release"]

EXPANSIONS, FEWER = 20_000, 2_000
"""The budget of each level, and a second one that is told too."""
HEADS = (
    "agent", f"solved in {FEWER:,}", f"in {EXPANSIONS:,}", "95 %", "expansions", "moves / optimum",
    "ms of a core",
)  # fmt: skip
OTHERS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("phs, uniform policy", "phs", {"model": "none"}),
    ("greedy", "greedy", {}),
    ("weighted-astar", "weighted-astar", {}),
    ("astar", "astar", {}),
)
"""What models are compared with."""


class Found(NamedTuple):
    """What an agent found on a set."""

    label: str
    results: Sequence[Result]
    levels: Sequence[Level]
    seconds: float
    """Processor time."""

    @property
    def solved(self) -> list[tuple[Level, Result]]:
        """The levels solved, with their results."""
        together = zip(self.levels, self.results, strict=True)
        return [(level, result) for level, result in together if result.solved]

    def cells(self) -> list[str]:
        """The cells under HEADS."""
        count, solved = len(self.levels), self.solved
        few = sum(result.expanded <= FEWER for _, result in solved)
        low, high = wilson(len(solved), count)
        over = [result.moves / level.optimum for level, result in solved
                if result.moves is not None and level.optimum]  # fmt: skip
        return [
            self.label,
            f"{few / count:.0%}",
            f"{len(solved) / count:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{np.mean([result.expanded for _, result in solved]):,.0f}" if solved else "",
            f"{np.mean(over):.2f}" if over else "",
            f"{1000 * self.seconds / count:.1f}",
        ]


def release(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    page: Annotated[Path, typer.Option(help="Output page of the tables.")],
) -> None:
    """Copy the first run's model with its test results, and write the tables."""
    models = [load_model(run / MODEL) for run in runs]
    cards = [_card_of(model.card) for model in models]
    puzzle = cards[0].puzzle
    tests = [name for name in puzzle.format.sets() if name.startswith("test/")]
    guided = [
        (f"{card.algorithm}, seed {card.training['seed']}", card.algorithm, {"model": model})
        for card, model in zip(cards, models, strict=True)
    ]
    alone = [("levin, its policy", "levin", {"model": models[0]})]
    tables, own = [], list[tuple[Level, Result]]()
    levels = 0
    for name in tests:
        found = [_found(cards[0], name, *agent) for agent in [*guided, *alone, *OTHERS]]
        table = Table(f"{len(found[0].levels)} levels of {name}", columns(HEADS))
        for one in found:
            table.add(*one.cells())
        tables.append(table.markdown())
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
    save_model(name_of(puzzle), card, models[0].table)
    curve = f"learned-{name_of(puzzle).stem}.png"
    (page.parent / "images").mkdir(exist_ok=True)
    write_whole(page.parent / "images" / curve, (runs[0] / "curve.png").read_bytes())
    told = [*map(_told, cards), "", f"![Learning curve](images/{curve})", "", *tables]
    write_whole(page, "\n".join(told).encode())


def _card_of(card: Card | None) -> Card:
    if card is None:
        raise ModelError("The uniform policy is not published.")
    return card


def _told(card: Card) -> str:
    training = card.training
    return (
        f"* `{training['command']}`: {training['seconds']:.0f} seconds of a core, "
        f"{training['steps']:,} expansions."
    )


def _found(card: Card, name: str, label: str, agent: str, arguments: dict[str, Any]) -> Found:
    """What an agent finds on each level of a set."""
    levels = card.puzzle.format.find_all(name)
    env = gymnasium.make(card.env, levels=levels, **card.options)
    env.reset(seed=0)
    solver = puzzle_agents.make(agent, Budget(None, expansions=EXPANSIONS), **arguments)
    solver.warm_up(env)
    results = []
    began = time.process_time()
    for level in levels:
        env.reset(options={"level": level})
        results.append(solver.solve(env))
    return Found(label, results, levels, time.process_time() - began)


if __name__ == "__main__":
    typer.run(release)

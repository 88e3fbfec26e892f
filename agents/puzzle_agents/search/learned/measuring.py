"""Results of agents on sets of levels, as rows of tables."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import gymnasium
import numpy as np

import puzzle_agents
from puzzle_agents.agent import Agent, Budget, Result
from puzzle_agents.search.learned.config import Config
from puzzle_agents.search.learned.model import Card
from puzzle_agents.statistics import wilson
from puzzle_agents.table import Table, columns
from puzzle_envs.level import Level

__all__ = [
    "EXPANSIONS",
    "FEWER",
    "HEADING",
    "HEADS",
    "UNIFORM",
    "Found",
    "Row",
    "found_on",
    "others",
    "table_of",
]

HEADING = """# Results of learned search

Written by `python -m puzzle_agents.search.learned.release` and the commands stated. Searches may
take 20,000 expansions a level. "expansions" and "moves / optimum" are means over the solved levels,
intervals are Wilson intervals, and times include constructing the search. The other agents use the
model's heuristic; greedy search and A* only if it is admissible. The processor was shared with
other work. The package contains the models of seed 0. [Search that learns](learned_search.md)
explains the agents and their training.
"""
EXPANSIONS, FEWER = 20_000, 2_000
"""The budget of each level, and a second one that is reported too."""
BRANCHING = 1000
"""Maximum number of transitions per expansion: gardens with many ornaments have thousands."""
HEADS = (
    "agent", f"solved in {FEWER:,}", f"in {EXPANSIONS:,}", "95 %", "expansions", "moves / optimum",
    "ms of a core",
)  # fmt: skip
UNIFORM = {"model": "none"}
"""The argument of agents that search with the uniform policy."""
Row = tuple[str, str | type[Agent], dict[str, Any]]
"""A label, an agent and its arguments."""


def others(trained: Card | Config) -> list[Row]:
    """The agents that a model is compared with, using its heuristic if they accept it."""
    name = trained.heuristic
    estimate = {"estimate": name} if name in trained.puzzle.estimates else {}
    return [
        ("phs, uniform policy", "phs", UNIFORM | ({"heuristic": name} if name else {})),
        ("greedy", "greedy", estimate),
        ("weighted-astar", "weighted-astar", estimate),
        ("astar", "astar", estimate),
        ("bfws", "bfws", {"heuristic": name} if name else {}),
    ]


class Found(NamedTuple):
    """The results of an agent on a set."""

    label: str
    results: Sequence[Result]
    levels: Sequence[Level]
    seconds: float
    """CPU time."""

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


def table_of(name: str, found: Sequence[Found]) -> Table:
    """The results of several agents on the same levels, those of a set."""
    table = Table(f"{len(found[0].levels):,} levels of {name}", columns(HEADS))
    for one in found:
        table.add(*one.cells())
    return table


def found_on(
    trained: Card | Config,
    name: str,
    label: str,
    agent: str | type[Agent],
    arguments: dict[str, Any],
    most: int | None = None,
    seconds: float = math.inf,
) -> Found:
    """Run an agent on the levels of a set, or on the first ones.

    After this many seconds of CPU time no further level begins.
    """
    levels = trained.puzzle.format.find_all(name)[:most]
    env = gymnasium.make(trained.env, levels=levels, **trained.options)
    env.reset(seed=0)
    budget = Budget(None, expansions=EXPANSIONS, transitions=BRANCHING * EXPANSIONS)
    make = partial(puzzle_agents.make, agent) if isinstance(agent, str) else agent
    solver = make(budget, **arguments)
    solver.warm_up(env)
    results = list[Result]()
    began = time.process_time()
    for level in levels:
        if results and time.process_time() - began > seconds:
            break
        env.reset(options={"level": level})
        results.append(solver.solve(env))
    return Found(label, results, levels[: len(results)], time.process_time() - began)

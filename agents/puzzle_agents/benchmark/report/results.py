"""The rows of a benchmark, grouped for reports."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from puzzle_agents.agent import Status
from puzzle_agents.benchmark.row import Row

KIND_ORDER = ("random", "search", "exact", "planner", "evolution", "learning")
"""Order of agents, by kind."""


class LevelKey(NamedTuple):
    """A level of an environment with its options."""

    puzzle: str
    text: str


def played_id(row: Row) -> str:
    """The environment's id, with its options."""
    options = " ".join(f"{key}={_value(row.options[key])}" for key in sorted(row.options))
    return f"{row.env} {options}".strip()


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _padded(number: re.Match[str]) -> str:
    return number[0].zfill(9)


def holds(row: Row) -> bool:
    """Whether the row has a verified solution; nothing else counts as solved."""
    return row.solved and row.verified and row.moves is not None


def decides(row: Row) -> bool:
    """Whether the row has a verified solution, or correctly proves the level unsolvable."""
    return holds(row) or (row.status == Status.UNSOLVABLE and row.solvable is False)


def contradicts(row: Row, optimum: int) -> bool:
    """Whether a row proves another optimum of its level."""
    if row.status == Status.UNSOLVABLE or (row.bound is not None and row.bound > optimum):
        return True
    if not holds(row) or row.moves is None:
        return False
    return row.moves < optimum or (row.proved_optimal and row.moves > optimum)


class Results:
    """All rows of a folder, by puzzle, level and agent."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Group the rows; there must be at least one."""
        self.rows = list(rows)
        self.puzzles = sorted({played_id(row) for row in self.rows})
        self.kinds: dict[str, str] = {}
        """The kind of each agent, in the order of agents."""
        found = {row.agent: row.kind for row in self.rows}
        for kind in KIND_ORDER:
            self.kinds.update({agent: kind for agent, its in found.items() if its == kind})
        self._runs: dict[tuple[str, str], dict[LevelKey, list[Row]]] = defaultdict(dict)
        for row in self.rows:
            by_level = self._runs[played_id(row), row.agent]
            by_level.setdefault(self.level_of(row), []).append(row)

    @staticmethod
    def level_of(row: Row) -> LevelKey:
        """The level of a row."""
        return LevelKey(played_id(row), row.level_text)

    def runs(self, puzzle: str, agent: str) -> dict[LevelKey, list[Row]]:
        """An agent's rows on each level of a puzzle, several with several seeds."""
        return self._runs.get((puzzle, agent), {})

    def rows_of(self, puzzle: str, agent: str) -> list[Row]:
        """All of them, level by level."""
        return [row for rows in self.runs(puzzle, agent).values() for row in rows]

    def agents(self, puzzle: str) -> list[str]:
        """The agents that ran on a puzzle."""
        return [agent for agent in self.kinds if self.runs(puzzle, agent)]

    def levels(self, puzzle: str) -> list[LevelKey]:
        """The levels of a puzzle in natural order, since rows come as they end."""
        keys = [key for key in self.names if key.puzzle == puzzle]
        return sorted(keys, key=lambda key: re.sub(r"\d+", _padded, self.names[key]))

    @cached_property
    def names(self) -> dict[LevelKey, str]:
        """The name of each level."""
        names: dict[LevelKey, str] = {}
        for row in self.rows:
            names.setdefault(self.level_of(row), row.level)
        return names

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number of each row object, by identity, from 1, as in rows.csv."""
        return {id(row): number for number, row in enumerate(self.rows, start=1)}

    @cached_property
    def stated(self) -> dict[LevelKey, int]:
        """The stated optimum of each level that has one."""
        return {self.level_of(row): row.optimum for row in self.rows if row.optimum is not None}

    @cached_property
    def optima(self) -> dict[LevelKey, int]:
        """The stated optima that no row contradicts."""
        optima = dict(self.stated)
        for row in self.rows:
            key = self.level_of(row)
            if key in optima and contradicts(row, optima[key]):
                del optima[key]
        return optima

    @cached_property
    def found(self) -> dict[LevelKey, Row]:
        """For each solved level, the row with the fewest moves, the first among equals."""
        best: dict[LevelKey, Row] = {}
        for row in self.rows:
            if holds(row):
                other = best.setdefault(self.level_of(row), row)
                assert row.moves is not None and other.moves is not None
                if row.moves < other.moves:
                    best[self.level_of(row)] = row
        return best

    @cached_property
    def best(self) -> dict[LevelKey, int]:
        """The fewest moves known of each level: its optimum, what it says, or what a row found."""
        best = {self.level_of(row): row.known for row in self.rows if row.known is not None}
        best |= self.optima
        for key, row in self.found.items():
            assert row.moves is not None
            best[key] = min(best.get(key, row.moves), row.moves)
        return best

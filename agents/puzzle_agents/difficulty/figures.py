"""The published difficulty of the bundled levels: the file levels/difficulty.json.

By environment id and set it holds the figures of the levels that were measured, and the coverage
of agents. docs/levels.md defines the figures.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from statistics import fmean, median
from typing import TypeAlias

from puzzle_agents.fields import check, of_type
from puzzle_agents.reading import bytes_of_file, json_of
from puzzle_envs.common.files import write_whole
from puzzle_envs.level import levels_folder

FILE = levels_folder() / "difficulty.json"


@dataclass(frozen=True)
class Figures:
    """How hard one level is. None: not within the limits, or undefined."""

    states: int | None
    """Different states no farther than the nearest solution."""
    branching: float
    """Successors of a state, of those states."""
    episodes: int | None
    """Random episodes until the first solution."""
    fragility: float | None
    """Share of random episodes that end in a dead end."""
    irreversibility: float | None
    """Share of such an episode played after the last state with a solution."""
    astar: int | None
    """Expansions of A*."""
    greedy: int | None
    """Expansions of greedy best-first search."""


@dataclass(frozen=True)
class Measured:
    """The measurements of a set."""

    checksum: str
    """A checksum of its levels and the limits, to detect changes."""
    levels: dict[str, Figures]
    coverage: dict[str, float] = field(default_factory=dict)
    """The share of its levels that each agent decides, of those in the benchmark."""

    def summary(self) -> dict[str, float | int | None]:
        """The figures of the set: medians of counts and means of shares."""
        all_figures = list(self.levels.values())
        solvable = [figures for figures in all_figures if figures.fragility is not None]
        return {
            "measured": len(all_figures),
            "states": _median(figures.states for figures in all_figures),
            "branching": _mean(figures.branching for figures in all_figures),
            "random": _mean(float(figures.episodes is not None) for figures in solvable),
            "fragility": _mean(figures.fragility for figures in solvable),
            "irreversibility": _mean(figures.irreversibility for figures in solvable),
            "astar": _median(figures.astar for figures in all_figures),
            "greedy": _median(figures.greedy for figures in all_figures),
        }


Difficulty: TypeAlias = dict[str, dict[str, Measured]]
"""By environment id and set."""


def _median(counts: Iterable[int | None]) -> float | None:
    """The median, with None counted as infinite."""
    found = median(inf if count is None else count for count in counts)
    return None if found == inf else found


def _mean(shares: Iterable[float | None]) -> float | None:
    """The mean of those that are defined."""
    known = [share for share in shares if share is not None]
    return round(fmean(known), 4) if known else None


@functools.cache
def published(file: Path = FILE) -> Difficulty:
    """The figures in a file; none without the file."""
    if not file.exists():
        return {}
    parsed = json_of(bytes_of_file(file))
    check(parsed, of_type(dict[str, dict[str, Measured]]), file.name)
    return {
        id: {
            name: Measured(
                one["checksum"],
                {level: Figures(**figures) for level, figures in one["levels"].items()},
                one["coverage"],
            )
            for name, one in sets.items()
        }
        for id, sets in parsed.items()
    }


def write(difficulty: Difficulty, file: Path = FILE) -> None:
    """Write the figures, one set per line."""
    lines = []
    for id, sets in sorted(difficulty.items()):
        inner = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(asdict(one), separators=(',', ':'))}"
            for name, one in sets.items()
        )
        lines.append(f"{json.dumps(id)}: {{\n{inner}\n}}")
    write_whole(file, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    published.cache_clear()

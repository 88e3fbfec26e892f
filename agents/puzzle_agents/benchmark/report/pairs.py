"""Pairwise wins: how likely a run of one agent is better than a run of another on a level."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from puzzle_agents.benchmark.report.cells import NONE
from puzzle_agents.benchmark.report.results import Results, decides
from puzzle_agents.benchmark.row import Row
from puzzle_agents.statistics import mean, with_interval
from puzzle_agents.table import Table, columns


def worth(row: Row) -> tuple[bool, int]:
    """What a run is compared by: that it decided the level, then the fewer moves."""
    return (True, -(row.moves or 0)) if decides(row) else (False, 0)


def chance(one: Sequence[Row], other: Sequence[Row]) -> float:
    """The share of pairs of runs on a level of which the first is better; equal ones count half."""
    pairs = [(worth(mine), worth(its)) for mine in one for its in other]
    return fmean((mine > its) + (mine == its) / 2 for mine, its in pairs)


def wins(
    results: Results, puzzle: str, agent: str, other: str
) -> tuple[float, float, float] | None:
    """The mean over the levels that both attempted, with its interval; None without such levels."""
    mine, its = results.runs(puzzle, agent), results.runs(puzzle, other)
    chances = [chance(mine[key], its[key]) for key in mine if key in its]
    return with_interval([chances], mean) if chances else None


def pair_tables(results: Results) -> list[Table]:
    """For each puzzle the wins of each agent (lines) against each other (columns)."""
    return [
        _table(results, puzzle) for puzzle in results.puzzles if len(results.agents(puzzle)) > 1
    ]


def _table(results: Results, puzzle: str) -> Table:
    agents = results.agents(puzzle)
    table = Table(
        f"Pairwise wins: {puzzle}",
        columns(("agent", *agents)),
        remarks=(
            "How often, in %, a run of the agent on the left is better than one of the agent "
            "above, over the levels that both attempted: it decides the level and the other does "
            "not, or takes fewer moves; equal runs count half.",
            "In brackets: 95 % bootstrap interval over the levels, 2,000 resamples, fixed seed.",
        ),
    )
    for agent in agents:
        cells = [NONE if other == agent else _cell(results, puzzle, agent, other)
                 for other in agents]  # fmt: skip
        table.add(agent, *cells)
    return table


def _cell(results: Results, puzzle: str, agent: str, other: str) -> str:
    found = wins(results, puzzle, agent, other)
    if found is None:
        return NONE
    middle, low, high = (f"{100 * share:.0f}" for share in found)
    return f"{middle} ({low}–{high})"

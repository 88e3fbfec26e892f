"""Faults in the rows of a benchmark; any fault makes the report fail."""

from __future__ import annotations

from collections.abc import Iterator

from puzzle_agents.agent import Status
from puzzle_agents.benchmark.report.results import Results, holds
from puzzle_agents.benchmark.row import Row

Faults = dict[int, list[str]]
"""Messages by row index."""


def faults_in(results: Results) -> Faults:
    """All faults that can be found from the rows alone."""
    faults: Faults = {}
    for number, row in enumerate(results.rows):
        if sentences := list(_faults_of(row, results)):
            faults[number] = sentences
    return faults


def _faults_of(row: Row, results: Results) -> Iterator[str]:
    key = results.level_of(row)
    best, optimum = results.found.get(key), results.stated.get(key)
    said = "the level's stated optimum is"
    if row.solved and not holds(row):
        yield "the solution was not verified."
    if best is not None and best.moves is not None:
        by = f"'{best.agent}' solved the level in {best.moves}"
        if row.proved_optimal and row.moves is not None and best.moves < row.moves:
            yield f"{row.moves} moves are claimed to be optimal, but {by}."
        if row.bound is not None and best.moves < row.bound:
            yield f"a bound of {row.bound} moves is claimed, but {by}."
        if row.status == Status.UNSOLVABLE:
            yield f"the level is claimed to be unsolvable, but {by}."
    elif row.status == Status.UNSOLVABLE and row.solvable:
        yield "the level is claimed to be unsolvable, but its file says that it is solvable."
    if optimum is not None and row.bound is not None and row.bound > optimum:
        yield f"a bound of {row.bound} moves is claimed, but {said} {optimum}."
    if not holds(row) or row.moves is None:
        return
    if row.solvable is False:
        yield "the level is solved, but its file says that it is unsolvable."
    if optimum is not None and row.moves < optimum:
        yield f"solved in {row.moves} moves, but {said} {optimum}."
    if optimum is not None and row.proved_optimal and row.moves > optimum:
        yield f"{row.moves} moves are claimed to be optimal, but {said} {optimum}."


def void(results: Results, puzzle: str, agent: str) -> bool:
    """Whether a claim of the agent on this puzzle is wrong, which voids all of them."""
    for key, rows in results.runs(puzzle, agent).items():
        best = results.best.get(key)
        for row in rows:
            claimed = row.proved_optimal and row.moves is not None
            if best is not None and claimed and row.moves > best:  # type: ignore[operator]
                return True
            if best is not None and row.bound is not None and row.bound > best:
                return True
            if row.status == Status.UNSOLVABLE and (best is not None or row.solvable):
                return True
    return False

"""Times of the constraint solver CP-SAT on skyscraper grids."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ortools.sat.python import cp_model

from puzzle_agents.outside.skyscraper_cp_sat import model_of


def solve_seconds(size: int, clues: Sequence[int], givens: Sequence[int]) -> float:
    """The shortest of three times to the first solution of a grid; see `count_solutions`."""
    times = []
    for _ in range(3):
        found, seconds = count_solutions(size, clues, givens, 1)
        if not found:
            raise ValueError("CP-SAT finds no solution of this grid.")
        times.append(seconds)
    return min(times)


def count_solutions(
    size: int,
    clues: Sequence[int],
    givens: Sequence[int],
    limit: int,
    most_seconds: float = float("inf"),
) -> tuple[int | None, float]:
    """Count the solutions of a grid up to a limit, and measure the time.

    Args:
        size: The side of the grid.
        clues: 4n numbers, 0 for none: top, bottom, left, right.
        givens: The cells row by row, 0 for empty.
        limit: Where to stop counting. Each solution is excluded and the grid solved again.
        most_seconds: Time limit of each of these.

    Returns:
        The number, None if time ran out, and CPU seconds on one core without building the model.
    """
    model, cells = model_of(size, clues, givens)
    spent = 0.0
    for found in range(limit):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = most_seconds
        started = time.process_time()
        status = solver.solve(model)
        spent += time.process_time() - started
        if status == cp_model.INFEASIBLE:
            return found, spent
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None, spent
        model.add_forbidden_assignments(cells, [[solver.value(cell) for cell in cells]])
    return limit, spent

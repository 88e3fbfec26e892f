"""Skyscraper modelled straightforwardly for a constraint solver, for comparison."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

__all__ = ["count_solutions", "solve_seconds"]


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
    model, cells = _model(size, clues, givens)
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


def _model(size: int, clues: Sequence[int], givens: Sequence[int]) -> tuple[Any, Any]:
    """The model of a grid, and its cells."""
    model = cp_model.CpModel()
    cells = [
        model.new_constant(height) if height else model.new_int_var(1, size, "")
        for height in givens
    ]
    rows = [cells[size * index : size * (index + 1)] for index in range(size)]
    columns = [cells[index::size] for index in range(size)]
    for line in (*rows, *columns):
        model.add_all_different(line)
    lines = (
        *columns,
        *(column[::-1] for column in columns),
        *rows,
        *(row[::-1] for row in rows),
    )
    for clue, line in zip(clues, lines, strict=True):
        if clue:
            _see(model, size, line, clue)
    return model, cells


def _see(model: Any, size: int, line: Sequence[Any], clue: int) -> None:
    """Constrain the number of buildings higher than all before them."""
    tallest, visible = line[0], []
    for cell in line[1:]:
        higher = model.new_bool_var("")
        model.add(cell > tallest).only_enforce_if(higher)
        model.add(cell < tallest).only_enforce_if(~higher)
        top = model.new_int_var(1, size, "")
        model.add_max_equality(top, [tallest, cell])
        tallest = top
        visible.append(higher)
    model.add(sum(visible) == clue - 1)

"""Skyscraper as a user would give it to a constraint solver, for comparison."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

__all__ = ["solve_seconds"]


def solve_seconds(size: int, clues: Sequence[int], givens: Sequence[int]) -> float:
    """CPU seconds on one core to the first solution of a grid; building the model is not counted.

    Args:
        size: The side of the grid.
        clues: 4n numbers, 0 for none: top, bottom, left, right.
        givens: The cells row by row, 0 for empty.
    """
    model = _model(size, clues, givens)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        status = solver.solve(model)
        best = min(best, time.process_time() - started)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise ValueError("CP-SAT finds no solution of this grid.")
    return best


def _model(size: int, clues: Sequence[int], givens: Sequence[int]) -> Any:
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
    return model


def _see(model: Any, size: int, line: Sequence[Any], clue: int) -> None:
    """So many buildings are higher than all before them."""
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

"""Boards as planning tasks: an operator is an action, and costs 1."""

from __future__ import annotations

from puzzle_envs.level import Record
from puzzle_envs.planning import Operator, Planes, State, Task


def task(record: Record, state: State, planes: Planes) -> Task:
    cells = int(record["side"]) ** 2
    shown = planes.reshape(len(planes), cells).argmax(0).tolist()
    operators = [
        Operator(
            f"slide-{tile}-{gap}-{action}",
            {f"cell-{gap}": "tile-0", f"cell-{cell}": f"tile-{tile}"},
            {f"cell-{gap}": f"tile-{tile}", f"cell-{cell}": "tile-0"},
            1,
            (action,),
        )
        for gap in range(cells)
        for action, cell in enumerate(record["beside"][gap].tolist())
        if cell >= 0
        for tile in range(1, cells)
    ]
    goal = {f"cell-{cell}": f"tile-{(cell + 1) % cells}" for cell in range(cells)}
    return Task(
        {f"cell-{cell}": f"tile-{tile}" for cell, tile in enumerate(shown)}, goal, operators
    )

"""Layouts as planning tasks.

An operator is an action: one block, one cell. In the metrics of moves and straight moves it costs
nothing if it continues the last move, so a variable holds the block that moved last, and its
direction if that matters; in steps each costs 1. The cheapest plan therefore costs the optimum in
the level's metric.

A cell is `empty`, `covered`, or holds the upper left corner of a block of some size: blocks of one
size are interchangeable, as in a layout.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzle_envs.codec import at_cell
from puzzle_envs.hua_rong_dao.codec import BLOCK, GOAL_PIECE, JOINED, LAST, STEPS, WAYS, WENT
from puzzle_envs.hua_rong_dao.level import METRICS
from puzzle_envs.level import Record
from puzzle_envs.planning import Facts, Operator, Planes, State, Task

Cell = tuple[int, int]
Kind = tuple[int, int, bool]
"""Height, width, and whether it is the goal piece."""

EMPTY, COVERED = "empty", "covered"
LAST_IS, NOTHING = "moved-last", "nothing"


def task(record: Record, state: State, planes: Planes) -> Task:
    """The task of a layout in any state."""
    height, width = int(record["height"]), int(record["width"])
    blocks = dict(_blocks(planes, height, width))
    start = {_at((row, column)): EMPTY for row in range(height) for column in range(width)}
    for corner, kind in blocks.items():
        start |= {_at(cell): COVERED for cell in _body(corner, kind)} | {_at(corner): _named(kind)}
    metric = METRICS[int(record["metric"])]
    if metric != "step":
        start[LAST_IS] = _last(planes, metric)
    operators = [
        operator
        for kind in sorted(set(blocks.values()))
        for row in range(height - kind[0] + 1)
        for column in range(width - kind[1] + 1)
        for way in range(4)
        if 0 <= row + STEPS[way][0] <= height - kind[0]
        and 0 <= column + STEPS[way][1] <= width - kind[1]
        for operator in _slides(kind, (row, column), way, int(record["stride"]), metric)
    ]
    goal = divmod(int(record["goal_cell"]), width)
    (goal_kind,) = {kind for kind in blocks.values() if kind[2]}
    return Task(start, {_at(goal): _named(goal_kind)}, operators)


def _blocks(planes: Planes, height: int, width: int) -> Iterator[tuple[Cell, Kind]]:
    """The blocks by their upper left cells."""
    above, right, below, left = range(JOINED, JOINED + 4)
    for row in range(height):
        for column in range(width):
            if not planes[BLOCK, row, column] or planes[[above, left], row, column].any():
                continue
            across, down = 1, 1
            while planes[right, row, column + across - 1]:
                across += 1
            while planes[below, row + down - 1, column]:
                down += 1
            yield (row, column), (down, across, bool(planes[GOAL_PIECE, row, column]))


def _last(planes: Planes, metric: str) -> str:
    """The block that moved last."""
    cells = planes[LAST].nonzero()
    if not len(cells[0]):
        return NOTHING
    corner = int(cells[0][0]), int(cells[1][0])
    (way,) = (way for way in range(4) if planes[WENT + way][corner])
    return _moved(corner, way, metric)


def _moved(corner: Cell, way: int, metric: str) -> str:
    place = f"{corner[0]}-{corner[1]}"
    return f"{place}-{WAYS[way]}" if metric == "straight" else place


def _slides(kind: Kind, corner: Cell, way: int, stride: int, metric: str) -> Iterator[Operator]:
    """A step of a block that begins a move, and the same that continues one."""
    there = corner[0] + STEPS[way][0], corner[1] + STEPS[way][1]
    body, moved = _body(corner, kind), _body(there, kind)
    needs = {_at(cell): EMPTY for cell in moved - body}
    needs |= {_at(cell): COVERED for cell in body} | {_at(corner): _named(kind)}
    sets = {_at(cell): EMPTY for cell in body - moved}
    sets |= {_at(cell): COVERED for cell in moved - body}
    sets |= {_at(corner): COVERED} if corner in moved else {}
    sets[_at(there)] = _named(kind)
    kept = {_at(cell) for cell in body & moved} - {_at(corner), _at(there)}
    needs = {name: value for name, value in needs.items() if name not in kept}
    action = (at_cell(corner[0] * stride + corner[1], way),)
    name = f"{_named(kind)}-{corner[0]}-{corner[1]}-{WAYS[way]}"
    if metric == "step":
        yield Operator(name, needs, sets, 1, action)
        return
    sets[LAST_IS] = _moved(there, way, metric)
    yield Operator(name, needs, sets, 1, action)
    going_on: Facts = {**needs, LAST_IS: _moved(corner, way, metric)}
    yield Operator(f"{name}-on", going_on, sets, 0, action)


def _body(corner: Cell, kind: Kind) -> set[Cell]:
    return {
        (corner[0] + down, corner[1] + right) for down in range(kind[0]) for right in range(kind[1])
    }


def _at(cell: Cell) -> str:
    return f"cell-{cell[0]}-{cell[1]}"


def _named(kind: Kind) -> str:
    return f"{'goal' if kind[2] else 'block'}-{kind[0]}x{kind[1]}"

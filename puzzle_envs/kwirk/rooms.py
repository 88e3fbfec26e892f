"""Floors of several evolved rooms: one behind the other, or around one exit.

Rooms with a character each share one exit. Each room is easy to solve alone, but a search combines
the states of all rooms. Holes in the walls between rooms allow blocks to be used up in the wrong
room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from puzzle_envs.codec import at_cell
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.codec import STEPS
from puzzle_envs.kwirk.draft import Cell
from puzzle_envs.kwirk.evolved import Evolved
from puzzle_envs.kwirk.level import LETTERS
from puzzle_envs.kwirk.planted import Room, level_of
from puzzle_envs.kwirk.sides import Grid, grid_of, mirrored, text_of, turned
from puzzle_envs.level import Level
from puzzle_envs.states.certificates import certified

__all__ = ["around_exit", "can_be_entered", "in_a_row"]

# --- rooms one behind the other -----------------------------------------------------------------


def in_a_row(room: Room, parts: Sequence[Evolved]) -> Level | None:
    """Rooms with halls between them, each entered from the exit of the one before.

    None if the character's start in a room cannot be reached from the hall on its left.
    """
    step = room.width + 1
    width = step * len(parts)
    floor: Grid = [[("#", False)] * width for _ in range(room.height)]
    plan, letters = [], iter(LETTERS)
    for number, evolved in enumerate(parts):
        left, grid = step * number, grid_of(evolved.level.record)
        names = {"%": "%" if number + 1 == len(parts) else " "}
        if number > 0:
            names["1"] = " "
            entrance = _entrance(grid)
            if entrance is None:
                return None
            floor[entrance][left] = (" ", False)
            for row in range(1, room.height - 1):
                floor[row][left - 1] = (" ", False)
        for row in range(room.height):
            for column in range(1 if number else 0, room.width):
                floor[row][left + column] = _renamed(grid[row][column], names, letters)
        plan += [((row, left + column), way) for (row, column), way in evolved.pushes]
    plan.append(((room.height - 3, width - 3), 1))
    actions = [at_cell(row * width + column, way) for (row, column), way in plan]
    return certified(PUZZLE, level_of(text_of(floor)), actions)


def _renamed(
    thing: tuple[str, bool], names: dict[str, str], letters: Iterator[str]
) -> tuple[str, bool]:
    """The character of a cell on a floor of several rooms: blocks get the next letters."""
    sign, under = thing
    if sign.isalpha() and sign != "O" and sign not in names:
        names[sign] = next(letters)
    return names.get(sign, sign), under


def can_be_entered(evolved: Evolved) -> bool:
    """Whether the character's start can be reached from the left wall."""
    return _entrance(grid_of(evolved.level.record)) is not None


def _entrance(grid: Grid) -> int | None:
    """The first row whose cell at the left wall is connected to the character's start."""
    reached = [
        (row, column)
        for row, line in enumerate(grid)
        for column, (sign, _) in enumerate(line)
        if sign == "1"
    ]
    for row, column in reached:
        for down, right in STEPS:
            near = row + down, column + right
            if grid[near[0]][near[1]][0] == " " and near not in reached:
                reached.append(near)
    return min((row for row, column in reached if column == 1), default=None)


# --- rooms around one exit ----------------------------------------------------------------------


class _Part(NamedTuple):
    """A room and its place on the floor of all rooms."""

    grid: Grid
    cells: list[list[Cell]]
    """For each cell of the grid, the cell of the room that is placed there."""
    ways: list[int]
    """The directions of the room on the floor."""
    top: int
    left: int


def _lain(evolved: Evolved, room: Room, place: int, rooms: int) -> _Part:
    """A room in its place: the second of two is mirrored, more are rotated around the exit."""
    grid = [row[: room.width] for row in grid_of(evolved.level.record)[: room.height]]
    cells = [[(row, column) for column in range(room.width)] for row in range(room.height)]
    ways = [0, 1, 2, 3]
    if rooms == 2:
        if place == 0:
            return _Part(grid, cells, ways, 0, 0)
        return _Part(mirrored(grid), [row[::-1] for row in cells], [0, 3, 2, 1], 0, room.width - 1)
    grid[room.height - 2][room.width - 1] = (" ", False)
    for _ in range(place):
        grid, cells = turned(grid), [list(row) for row in zip(*reversed(cells), strict=True)]
        ways = [(way + 1) % 4 for way in ways]
    right, below = place in (1, 2), place in (2, 3)
    return _Part(grid, cells, ways, below * (room.height - 1), right * (room.width - 1))


def around_exit(
    np_random: np.random.Generator, room: Room, parts: Sequence[Evolved], gates: int
) -> Level | None:
    """Two rooms side by side, or three or four in a square, that share their exit.

    Args:
        np_random: Random number generator.
        room: How they were grown; in a square, rooms are square.
        parts: The rooms.
        gates: Maximum number of holes to make in the walls between them.
    """
    two = len(parts) == 2
    height = room.height if two else 2 * room.height - 1
    width = 2 * room.width - 1
    floor: Grid = [[("#", False)] * width for _ in range(height)]
    exit = (room.height - 3 if two else room.height - 1, room.width - 1)
    letters, plan = iter(LETTERS), []
    for place, evolved in enumerate(parts):
        part, names = _lain(evolved, room, place, len(parts)), {"1": str(place + 1), "%": " "}
        at: dict[Cell, Cell] = {}
        for down, line in enumerate(part.grid):
            for right, (sign, under) in enumerate(line):
                cell = part.top + down, part.left + right
                at[part.cells[down][right]] = cell
                if sign != "#":
                    floor[cell[0]][cell[1]] = _renamed((sign, under), names, letters)
        plan += [(at[cell], part.ways[way]) for cell, way in evolved.pushes]
        last = at[room.height - 3, room.width - 2] if two else at[room.height - 2, room.width - 1]
        plan.append((last, part.ways[1 if two else 2]))
    floor[exit[0]][exit[1]] = ("%", False)
    actions = [at_cell(row * width + column, way) for (row, column), way in plan]
    found = certified(PUZZLE, level_of(text_of(floor)), actions)
    return found and _with_gates(np_random, floor, found, gates)


def _with_gates(np_random: np.random.Generator, floor: Grid, level: Level, gates: int) -> Level:
    """The floor with holes in walls between its rooms, where its plan still solves it."""
    height, width = len(floor), len(floor[0])

    def is_floor(row: int, column: int) -> bool:
        return floor[row][column][0] == " "

    walls = [
        (row, column)
        for row in range(1, height - 1)
        for column in range(1, width - 1)
        if floor[row][column][0] == "#"
        and (
            (row == height // 2 and is_floor(row - 1, column) and is_floor(row + 1, column))
            or (column == width // 2 and is_floor(row, column - 1) and is_floor(row, column + 1))
        )
    ]
    for index in np_random.permutation(len(walls))[:gates].tolist():
        row, column = walls[index]
        floor[row][column] = ("O", False)
        other = certified(PUZZLE, level_of(text_of(floor)), level.plan)
        if other is None:
            floor[row][column] = ("#", False)
        else:
            level = other
    return level

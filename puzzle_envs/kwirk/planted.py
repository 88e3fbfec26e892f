"""Floors planted around a solution: the result of undoing pushes on a solved floor."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.codec import STEPS
from puzzle_envs.kwirk.draft import Cell
from puzzle_envs.kwirk.level import ARMS, FORMAT, LETTERS
from puzzle_envs.kwirk.sides import text_of
from puzzle_envs.kwirk.undoing import (
    ARM,
    BLOCK,
    COLUMNS,
    EXIT,
    FREE,
    PERSON,
    PIVOT,
    WALL,
    Taste,
    Yard,
    leads_out,
    undo_pushes,
)
from puzzle_envs.level import Level
from puzzle_envs.states.exploration import Exploration

__all__ = ["NOTHING_YET", "Genome", "Room", "copy_of", "divisions", "grown", "kept_walls"]
__all__ += ["level_of", "placed_turnstiles", "plant", "solved_floor", "text_of_yard"]

TRIES = 60
"""Attempts to place turnstiles."""
EXPLORED = 3_000
"""Expansions to find the fewest pushes."""
NOTHING_YET = np.zeros((0, COLUMNS), np.int64)
"""An empty plan."""


class Room(NamedTuple):
    """How a floor is grown."""

    height: int
    width: int
    taste: Taste
    turnstiles: int
    pushes: int
    """Maximum number of pushes undone."""
    changes: int = 0
    """Number of mutations tried."""
    states: tuple[int, int] = (1, 1)
    """Numbers of states of the two searches at which the floor is hard enough."""
    shared: bool = True
    """Whether the exit is shared with other rooms."""
    divided: int = 6
    """Minimum side of a part that is divided by a wall."""


class Genome(NamedTuple):
    """A solved floor, and the pushes undone on it."""

    yard: Yard
    plan: npt.NDArray[np.int64]


# --- a solved floor ---------------------------------------------------------------------------


def solved_floor(np_random: np.random.Generator, room: Room) -> Yard:
    """A floor with walls and turnstiles, the character before its exit.

    An exit that is shared with other rooms is in the right wall, so another wall is added on the
    right, and one below.
    """
    height, width = room.height, room.width
    cover = np.full((height + room.shared, width + room.shared), WALL, np.int64)
    cover[1 : height - 1, 1 : width - 1] = FREE
    gaps = []
    for wall, gap in divisions(np_random, room):
        for cell in wall:
            cover[cell] = WALL
        gaps.append(gap)
    for cell in kept_walls(room):
        cover[cell] = WALL
    exit, before = (height - 3, width - 1), (height - 3, width - 2)
    if not room.shared:
        exit, before = _exit(np_random, cover)
    cover[exit], cover[before] = EXIT, PERSON
    turnstiles = list(placed_turnstiles(np_random, cover, room, gaps))
    size, stride = cover.size, cover.shape[1]
    return Yard(
        stride,
        cover.ravel(),
        np.zeros(size, np.int64),
        np.zeros((room.taste.blocks, 3), np.int64),
        np.array(turnstiles, np.int64).reshape(-1, 2),
        np.array([before[0] * stride + before[1]], np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
    )


def _exit(np_random: np.random.Generator, cover: npt.NDArray[np.int64]) -> tuple[Cell, Cell]:
    """A free cell for the exit, and a free neighbour of it."""
    free = np.argwhere(cover == FREE)
    while True:
        row, column = free[np_random.integers(len(free))].tolist()
        for down, right in STEPS:
            if cover[row + down, column + right] == FREE:
                return (row, column), (row + down, column + right)


def kept_walls(room: Room) -> list[Cell]:
    """Walls that separate a room from the path to the exit of the room below."""
    if not room.shared:
        return []
    return [(room.height - 2, room.width - 2), (room.height - 2, room.width - 3)]


def divisions(np_random: np.random.Generator, room: Room) -> Iterator[tuple[list[Cell], Cell]]:
    """Walls with gaps that divide a floor, and its parts while a side is long enough."""
    parts = [(1, 1, room.height - 2, room.width - 2)]
    while parts:
        top, left, high, wide = parts.pop()
        if max(high, wide) < room.divided:
            continue
        upright = wide > high or (wide == high and np_random.random() < 0.5)
        long, across = (wide, high) if upright else (high, wide)
        line = int(np_random.integers(2, long - 2))
        gap, size = int(np_random.integers(across)), int(np_random.integers(1, 3))
        cells = [
            (top + place, left + line) if upright else (top + line, left + place)
            for place in range(across)
        ]
        yield cells[:gap] + cells[gap + size :], cells[gap]
        first, second = (line, long - line - 1)
        parts += (
            [(top, left, high, first), (top, left + line + 1, high, second)]
            if upright
            else [(top, left, first, wide), (top + line + 1, left, second, wide)]
        )


def placed_turnstiles(
    np_random: np.random.Generator, cover: npt.NDArray[np.int64], room: Room, gaps: list[Cell]
) -> Iterator[tuple[int, int]]:
    """Place turnstiles, some with an arm in a gap; yield the pivot and the arms of each."""
    number = 0
    for _ in range(TRIES):
        if number == room.turnstiles:
            return
        arms = int(np_random.integers(1, 16))
        pivot = (
            int(np_random.integers(1, room.height - 1)),
            int(np_random.integers(1, room.width - 1)),
        )
        if gaps and np_random.random() < 0.5:
            row, column = gaps[np_random.integers(len(gaps))]
            down, right = STEPS[np_random.integers(4)]
            pivot = row - down, column - right
            arms |= 1 << STEPS.index((down, right))
        cells = [
            (pivot[0] + down, pivot[1] + right)
            for arm, (down, right) in enumerate(STEPS)
            if arms >> arm & 1
        ]
        inside = 0 < pivot[0] < room.height - 1 and 0 < pivot[1] < room.width - 1
        if not inside or cover[pivot] > WALL or any(cover[cell] != FREE for cell in cells):
            continue
        cover[pivot] = PIVOT
        for cell in cells:
            cover[cell] = ARM + number
        number += 1
        yield pivot[0] * cover.shape[1] + pivot[1], arms


# --- what is left ----------------------------------------------------------------------------


def copy_of(yard: Yard) -> Yard:
    """A copy of a floor, which can be changed."""
    return Yard(yard.width, *(array.copy() for array in yard[1:]))


def grown(
    np_random: np.random.Generator, room: Room, yard: Yard, given: npt.NDArray[np.int64]
) -> tuple[Genome, Yard]:
    """Undo pushes on a solved floor, the given ones first; return them, and the resulting floor."""
    plan = np.zeros((room.pushes, COLUMNS), np.int64)
    plan[: len(given)] = given
    left = copy_of(yard)
    seed = np.uint64(np_random.integers(1 << 62))
    done = undo_pushes(left, plan, len(given), room.taste, seed)
    return Genome(yard, plan[:done]), left


def plant(np_random: np.random.Generator, room: Room, pushes: range) -> Level:
    """A floor whose optimum is proved and in a range."""
    while True:
        _, yard = grown(np_random, room, solved_floor(np_random, room), NOTHING_YET)
        if leads_out(yard):
            continue
        level = level_of(text_of_yard(yard))
        search = Exploration(PUZZLE, np.array([level.record]))
        search.run(EXPLORED)
        if search.solved and search.proves_optimum and search.moves in pushes:
            plan = tuple(search.actions())
            return replace(level, optimum=search.moves, solvable=True, plan=plan)


def level_of(text: str) -> Level:
    """A floor with the checksum of its text as its name."""
    return FORMAT.parse(f"; name: {zlib.crc32(text.encode()):08x}\n{text}", "evolved")[0]


SIGNS = {FREE: " ", WALL: "#", EXIT: "%", PIVOT: "*", PERSON: "1"}


def text_of_yard(yard: Yard) -> str:
    """The text of a floor."""
    ways = (-yard.width, 1, yard.width, -1)
    signs = []
    for cell, cover in enumerate(yard.cover.tolist()):
        if cover >= BLOCK:
            sign = LETTERS[cover - BLOCK]
        elif cover >= ARM:
            sign = ARMS[ways.index(cell - int(yard.turnstiles[cover - ARM, 0]))]
        else:
            sign = SIGNS[cover]
        signs.append(("O", False) if sign == " " and yard.holes[cell] else (sign, yard.holes[cell]))
    grid = [signs[start : start + yard.width] for start in range(0, len(signs), yard.width)]
    return text_of([[(sign, bool(under) and sign != "O") for sign, under in row] for row in grid])

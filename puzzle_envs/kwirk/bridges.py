"""Rooms whose exit lies behind a bridge: a row of holes that takes every block.

The character starts before the exit of a room without blocks, and goes back over the bridge. The
cells of the bridge are lifted out of the floor one after the other, the one next to the exit first.
Each is pulled into the room, where it and the blocks before it are then pulled about at random.
Undone in reverse order, these pulls are a plan. No block is left over, so one that is pushed into
another hole or where it cannot be pushed on is missing at the end. A relaxed plan does not see
that, since in it a block can fill several holes.

Floor that the plan does not need becomes holes and walls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import at_cell, cell_and_way
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.draft import Cell
from puzzle_envs.kwirk.evolved import Evolved
from puzzle_envs.kwirk.planted import (
    Room,
    copy_of,
    divisions,
    level_of,
    placed_turnstiles,
    text_of_yard,
)
from puzzle_envs.kwirk.sides import grid_of, text_of
from puzzle_envs.kwirk.undoing import (
    COLUMNS,
    EXIT,
    FREE,
    LIFTED,
    PERSON,
    WALL,
    Yard,
    undo_pushes,
)
from puzzle_envs.level import Level
from puzzle_envs.states.certificates import moves_of, without_detours
from puzzle_envs.states.probe import Order, Probe

__all__ = ["Bridge", "draw_hard_room_with_bridge", "draw_room_with_bridge"]

RIGHT = 1
"""The direction of the bridge, from the room to the exit."""
LANDING = 4
"""Number of columns before the bridge that are kept free of walls when the room is divided."""
TRIES = 40
"""Attempts to pull blocks so that the next one can be lifted."""
SEARCHES = (
    ("path", Order(moves=0, heuristic=1, novel=True)),
    ("relaxed", Order(moves=0, heuristic=1, novel=True)),
    ("relaxed", Order(moves=0, heuristic=1, types=True)),
)
"""Heuristics and orders of the searches that must fail in a hard room; the one that solves most
rooms comes first."""

Numbers = npt.NDArray[np.int64]


class Bridge(NamedTuple):
    """A bridge, and what becomes of the rest of its room."""

    length: int
    """Number of its cells."""
    pulls: int
    """Number of random pulls after a block is lifted, on average."""
    long: float
    """The share of blocks of two cells."""
    holes: float
    """The share of the unneeded floor that becomes holes; the rest becomes walls."""
    pierced: float
    """The share of the walls that become holes."""
    states: int
    """Number of states within which no search solves a hard room."""


class _Stage(NamedTuple):
    """A floor on which some blocks of the bridge are lifted, and the pushes undone last."""

    yard: Yard
    pushes: Numbers


# --- the solved room ---------------------------------------------------------------------------


def _bridge_of(room: Room, bridge: Bridge) -> tuple[int, int]:
    """The row of the bridge, and its first column."""
    return room.height - 3, room.width - 2 - bridge.length


def _solved(np_random: np.random.Generator, room: Room, bridge: Bridge) -> Yard:
    """A room with walls and turnstiles, whose character has crossed the bridge.

    As on other floors with a shared exit, walls are added on the right and below.
    """
    height, width = room.height, room.width
    row, first = _bridge_of(room, bridge)
    cover = np.full((height + 1, width + 1), WALL, np.int64)
    cover[1 : height - 1, 1 : width - 1] = FREE
    gaps = []
    for wall, gap in divisions(np_random, room):
        for cell in wall:
            cover[cell] = WALL
        gaps.append(gap)
    cover[row - 1 : row + 2, first:] = WALL
    cover[row - 2 : row + 2, max(1, first - LANDING) : first] = FREE
    cover[row, first - 2 : width - 1] = PERSON  # no turnstile belongs there
    cover[row, width - 1] = EXIT
    turnstiles = list(placed_turnstiles(np_random, cover, room, gaps))
    cover[row, first - 2 : width - 2] = FREE
    size, stride = cover.size, cover.shape[1]
    return Yard(
        stride,
        cover.ravel(),
        np.zeros(size, np.int64),
        np.zeros((bridge.length, 3), np.int64),
        np.array(turnstiles, np.int64).reshape(-1, 2),
        np.array([row * stride + width - 2], np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
    )


# --- undoing the bridge ------------------------------------------------------------------------


def _lifts(np_random: np.random.Generator, room: Room, bridge: Bridge) -> list[Numbers]:
    """For each block of the bridge, the pushes that bring it from the room to its holes, undone."""
    row, first = _bridge_of(room, bridge)
    start = row * (room.width + 1)
    lifts: list[Numbers] = []
    end = first + bridge.length
    while end > first:
        length = 2 if end - first > 1 and np_random.random() < bridge.long else 1
        corner = end - length
        kind = len(lifts)
        pushes = [(corner - 1, corner - 2, RIGHT, LIFTED + kind, start + corner, 1, length)]
        pushes += [
            (at - 1, at - 2, RIGHT, kind, 0, 0, 0) for at in range(corner - 1, first - 2, -1)
        ]
        lifts.append(np.array(pushes, np.int64) + np.array([start, start, 0, 0, 0, 0, 0]))
        end = corner
    return lifts


def _undone(
    np_random: np.random.Generator, room: Room, yard: Yard, given: Numbers, pulls: int
) -> _Stage | None:
    """The floor after undoing the given pushes and random ones; None if one cannot be undone."""
    left, plan = copy_of(yard), np.zeros((len(given) + pulls, COLUMNS), np.int64)
    plan[: len(given)] = given
    seed = np.uint64(np_random.integers(1 << 62))
    done = undo_pushes(left, plan, len(given), room.taste, seed)
    if done < len(given) or (plan[: len(given), 0] != given[:, 0]).any():
        return None
    return _Stage(left, plan[:done])


def _stage(
    np_random: np.random.Generator, room: Room, bridge: Bridge, yard: Yard, lifts: list[Numbers]
) -> _Stage | None:
    """The floor after the first of these lifts and random pulls that do not prevent the second."""
    for _ in range(TRIES):
        pulls = int(np_random.integers(bridge.pulls // 2, 3 * bridge.pulls // 2 + 1))
        stage = _undone(np_random, room, yard, lifts[0], pulls)
        if stage is None:
            return None
        if not lifts[1:] or _undone(np_random, room, stage.yard, lifts[1], 0) is not None:
            return stage
    return None


def _planted(
    np_random: np.random.Generator, room: Room, bridge: Bridge
) -> tuple[Yard, Numbers] | None:
    """A room without its bridge, and the pushes undone; None if a block stays in its place."""
    yard, undone = _solved(np_random, room, bridge), []
    lifts = _lifts(np_random, room, bridge)
    for number in range(len(lifts)):
        stage = _stage(np_random, room, bridge, yard, lifts[number:])
        if stage is None:
            return None
        yard = stage.yard
        undone.append(stage.pushes)
    return yard, np.concatenate(undone)


# --- the rest of the room ----------------------------------------------------------------------


def _narrowed(
    np_random: np.random.Generator, room: Room, bridge: Bridge, level: Level, plan: list[int]
) -> Level:
    """The room with holes and walls where its plan needs no floor, and holes in its walls."""
    grid = grid_of(level.record)
    row, _ = _bridge_of(room, bridge)
    cells = [
        (down, right) for down in range(1, room.height - 1) for right in range(1, room.width - 1)
    ]
    for down, right in np_random.permutation(cells).tolist():
        sign, chance = grid[down][right][0], np_random.random()
        if sign == " ":
            grid[down][right] = ("O" if chance < bridge.holes else "#", False)
            if moves_of(PUZZLE, level_of(text_of(grid)), plan) is None:
                grid[down][right] = (" ", False)
        elif sign == "#" and chance < bridge.pierced and down < row - 1:
            grid[down][right] = ("O", False)
    return level_of(text_of(grid))


# --- whole rooms -------------------------------------------------------------------------------


def draw_room_with_bridge(np_random: np.random.Generator, room: Room, bridge: Bridge) -> Evolved:
    """A room of one character, who needs every block for the bridge."""
    planted = None
    while planted is None:
        planted = _planted(np_random, room, bridge)
    yard, undone = planted
    stride = yard.width
    row, _ = _bridge_of(room, bridge)
    leaving = at_cell(row * stride + room.width - 2, RIGHT)
    plan = [at_cell(int(push[1]), int(push[2])) for push in undone[::-1]] + [leaving]
    level = level_of(text_of_yard(yard))
    plan = without_detours(PUZZLE, level, plan)
    pushes: list[tuple[Cell, int]] = []
    for push in plan[:-1]:
        cell, way = cell_and_way(push)
        pushes.append((divmod(cell, stride), way))
    return Evolved(_narrowed(np_random, room, bridge, level, plan), pushes, ())


def draw_hard_room_with_bridge(
    np_random: np.random.Generator, room: Room, bridge: Bridge
) -> Evolved:
    """The same, a room that no search solves."""
    probe = Probe(PUZZLE, bridge.states)
    while True:
        drawn = draw_room_with_bridge(np_random, room, bridge)
        if all(_fails(probe, drawn.level, *search) for search in SEARCHES):
            return drawn


def _fails(probe: Probe, level: Level, heuristic: str, order: Order) -> bool:
    """Whether a search visits all the states that it may without solving the room."""
    findings = PUZZLE.heuristic_findings(level.record, heuristic)
    probe.states(np.array([level.record]), findings, order)
    return probe.path() is None

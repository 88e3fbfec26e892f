"""Boxes of 8 by 8 with two rooms and a bolt, whose optimum is known though no search reaches it.

    aaaawbbb
    aaaawbbb    a: the left room, with the goal block and one empty cell
    aaaawbbb    b: the right room, with three empty cells, if the corner below counts as its own
    aaaawbbb    w: the wall, 1x7; x: the bolt, 7x1
    aaaawbbb
    aaaawbbb
    aaaawbbb
    xxxxxxx.

The goal block is 2x2 and needs a second empty cell to move at all. It gets one when the bolt moves
right, for which the right room must empty the corner. Neither wall nor bolt can do anything else,
so the rooms exchange no blocks, and any solution consists of moves in each room and the bolt's.
Each room alone is small enough to measure the distances of all its layouts, and these add up to the
optimum. A search of the whole box meets every layout of one room with every layout of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from puzzle_envs.hua_rong_dao.layout import Layout, Piece
from puzzle_envs.hua_rong_dao.level import BoxFormat, pieces_of
from puzzle_envs.hua_rong_dao.planted import begun_at
from puzzle_envs.hua_rong_dao.tunnel import Tunnel
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.paths import actions_through, beginning

__all__ = ["BOLT", "FILLED_LEFT", "FILLED_RIGHT", "ROOMS", "STOCK", "WALL", "Stock"]

ROOMS = "8x8-rooms"
"""The name of the bin."""
STOCK = (5, 10)
"""Number of different left rooms, and of right rooms, used in a set: for validation, and test."""

SIDE, ACROSS = 8, 4
"""The side of the box; the width of the left room."""
WALL, BOLT = Piece(0, ACROSS, 1, SIDE - 1), Piece(SIDE - 1, 0, SIDE - 1, 1)
DRAWN = BOLT._replace(column=1)
"""The bolt after its move."""
FILLED_LEFT = (Piece(0, 0, ACROSS + 1, SIDE - 1),)
FILLED_RIGHT = (WALL, Piece(0, ACROSS + 1, SIDE - 1 - ACROSS, SIDE - 1))
"""Blocks that never move, in place of a room and the wall."""
WALLS = (*FILLED_LEFT, *FILLED_RIGHT)

LAYOUTS = 1_250_000
"""Maximum number of layouts of a room."""
FEWEST = 200_000
"""Minimum number of layouts of a room."""
FAR, AWAY = 140, 8
"""Minimum number of moves in the left room and in the right room, each with the bolt's move."""
STARTS = 30
"""Number of layouts of a room that levels begin with."""
LONG = ((2, 2), (1, 3), (1, 3), (3, 1))
"""Blocks of which a room has some; the others are dominoes and 1x1."""
SMALL = range(3, 7)
"""Possible numbers of 1x1 blocks of a room; one less where a domino takes the last cell."""

Blocks: TypeAlias = tuple[tuple[int, int], ...]
"""The sizes of the blocks of a room, sorted."""
Choice = TypeVar("Choice")


class Start(NamedTuple):
    """A layout of a room, and its shortest plan."""

    pieces: tuple[Piece, ...]
    moves: int
    plan: tuple[int, ...]


class Stock:
    """Rooms that levels are assembled from, no two of them with the same blocks."""

    def __init__(
        self, puzzle: Puzzle, np_random: np.random.Generator, rooms: int, taken: set[Blocks]
    ) -> None:
        """Draw this many left rooms, and right rooms, with other blocks than those taken."""
        self._left = [_left_room(puzzle, np_random, taken) for _ in range(rooms)]
        self._right = [_right_room(puzzle, np_random, taken) for _ in range(rooms)]

    def level(self, np_random: np.random.Generator) -> Level:
        """A level: a random layout of a random room on either side."""
        goal, left = _one_of(np_random, self._left)
        right = _one_of(np_random, self._right)
        one, other = _one_of(np_random, left), _one_of(np_random, right)
        pieces = sorted([*one.pieces, WALL, BOLT, *other.pieces])
        format = BoxFormat()
        return Level(
            "rooms",
            format.fitted(format.pack(Layout(SIDE, SIDE, pieces, goal))),
            one.moves + other.moves - 1,
            True,
            plan=(*other.plan[:-1], *one.plan),
        )


def _one_of(np_random: np.random.Generator, choices: Sequence[Choice]) -> Choice:
    return choices[int(np_random.integers(len(choices)))]


def _left_room(
    puzzle: Puzzle, np_random: np.random.Generator, taken: set[Blocks]
) -> tuple[tuple[int, int], list[Start]]:
    """The goal of a left room, and layouts far from it; their plans include the bolt's move."""
    while True:
        goal = Piece(*_corner(np_random), 2, 2, goal=True)
        free = np.zeros((SIDE, SIDE), bool)
        free[: SIDE - 1, :ACROSS] = free[SIDE - 1, 0] = True
        free[goal.row : goal.row + 2, goal.column : goal.column + 2] = False
        pieces = _tiled(np_random, free, empty=2)
        if pieces is not None and _blocks(pieces) not in taken:
            solved = [goal, DRAWN, *FILLED_RIGHT, *pieces]
            layout = Layout(SIDE, SIDE, solved, (goal.row, goal.column))
            starts = _starts(puzzle, np_random, layout, FAR)
            if starts is not None:
                taken.add(_blocks(pieces))
                return layout.goal, starts


def _corner(np_random: np.random.Generator) -> tuple[int, int]:
    """A random goal in the first or last rows of the left room."""
    row = (SIDE - 3) * int(np_random.integers(2))
    return row, int(np_random.integers(ACROSS - 1))


def _right_room(puzzle: Puzzle, np_random: np.random.Generator, taken: set[Blocks]) -> list[Start]:
    """Layouts of a right room; their plans end with the bolt's move."""
    bolt = DRAWN._replace(goal=True)
    while True:
        free = np.zeros((SIDE, SIDE), bool)
        free[: SIDE - 1, ACROSS + 1 :] = True
        pieces = _tiled(np_random, free, empty=2)
        if pieces is not None and _blocks(pieces) not in taken:
            layout = Layout(SIDE, SIDE, [bolt, *FILLED_LEFT, *pieces], (bolt.row, bolt.column))
            starts = _starts(puzzle, np_random, layout, AWAY)
            if starts is not None:
                taken.add(_blocks(pieces))
                return starts


def _blocks(pieces: Sequence[Piece]) -> Blocks:
    return tuple(sorted((piece.width, piece.height) for piece in pieces))


def _tiled(
    np_random: np.random.Generator, free: npt.NDArray[np.bool_], empty: int
) -> list[Piece] | None:
    """Random blocks that leave this many of the free cells empty; None if they do not fit."""
    pieces: list[Piece] = []
    small = int(np_random.choice(SMALL))
    for size in LONG:
        if np_random.random() < 0.5:
            _placed(np_random, free, size, pieces)
    upright = np_random.random()
    while free.sum() > small + empty:
        size = (1, 2) if np_random.random() < upright else (2, 1)
        if not any(_placed(np_random, free, one, pieces) for one in (size, size[::-1])):
            return None
    left = np_random.permutation(np.argwhere(free)).tolist()
    return [*pieces, *(Piece(row, column, 1, 1) for row, column in left[empty:])]


def _placed(
    np_random: np.random.Generator,
    free: npt.NDArray[np.bool_],
    size: tuple[int, int],
    pieces: list[Piece],
) -> bool:
    """Place a block of this width and height at random; False if there is no room."""
    width, height = size
    for row, column in np_random.permutation(np.argwhere(free)).tolist():
        under = free[row : row + height, column : column + width]
        if under.shape == (height, width) and under.all():
            under[:] = False
            pieces.append(Piece(row, column, width, height))
            return True
    return False


def _starts(
    puzzle: Puzzle, np_random: np.random.Generator, layout: Layout, least: int
) -> list[Start] | None:
    """Layouts of a room with the bolt in its first place, this many moves away or more.

    None if there are too few of them, or if the room has too many or too few layouts.
    """
    format = BoxFormat()
    record = format.fitted(format.pack(layout))
    records = np.array([record])
    first = beginning(puzzle, records)
    small = Tunnel(puzzle, records, first.size)
    small.around(first)
    if small.exhausted:
        return None
    tunnel = Tunnel(puzzle, records, first.size, LAYOUTS)
    moves = tunnel.around(first)
    if not tunnel.exhausted or moves.size < FEWEST:
        return None
    starts: list[Start] = []
    for number in np_random.permutation(np.flatnonzero(moves >= least)).tolist():
        pieces = pieces_of(begun_at(record, tunnel.state(number)))
        if all(piece[:3] != BOLT[:3] for piece in pieces):
            continue
        path = tunnel.path(number)
        mine = tuple(piece for piece in pieces if piece.width < BOLT.width and piece not in WALLS)
        plan = actions_through(Instance.plain(records), path[0], path[1:])
        starts.append(Start(mine, len(path) - 1, tuple(plan)))
        if len(starts) == STARTS:
            return starts
    return None

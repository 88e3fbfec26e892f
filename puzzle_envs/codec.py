"""The meaning of a puzzle's planes and actions, for generic code.

A puzzle's Codec is defined in its codec.py, with the numbers of its planes and the functions that
convert places on a board to actions and back. These are plain functions of numbers: rules use them
compiled; pictures, controls and agents call them directly. So each is written once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "WHOLE_BOARD",
    "Codec",
    "Places",
    "Shape",
    "View",
    "at_cell",
    "cell_and_way",
    "cells_in",
    "four_a_cell",
]

Places: TypeAlias = Sequence[tuple[int, int]]
"""For each action its cell and its index among the cell's actions; cell -1 means the whole
board."""
WHOLE_BOARD = -1


class Shape(NamedTuple):
    """What the spaces of an environment need to fit a set of levels."""

    actions: int
    height: int
    width: int


class View(NamedTuple):
    """A symmetric view of a board."""

    planes: npt.NDArray[np.intp]
    """For each entry of the planes as viewed, flattened, its index on the board."""
    actions: npt.NDArray[np.intp]
    """For each action of the board, its number as viewed."""

    def within(self, room: Shape, shape: Shape, codec: Codec) -> View:
        """The view of a board of this shape that lies in the upper left corner of a room."""
        there, size = cells_in(room, shape), room.height * room.width
        plane, cell = np.divmod(self.planes.reshape(-1, there.size), there.size)
        planes = np.arange(len(plane) * size).reshape(-1, size)
        planes[:, there] = plane * size + there[cell]
        actions, own = np.arange(room.actions), codec.numbers_in(room, shape)
        actions[own] = own[self.actions]
        return View(planes.ravel(), actions)


def cells_in(room: Shape, shape: Shape) -> npt.NDArray[np.intp]:
    """For each cell of a board in the upper left corner of a room, its cell in the room."""
    row, column = np.divmod(np.arange(shape.height * shape.width), shape.width)
    return row * room.width + column


class Codec(ABC):
    """The planes and actions of an environment; one object per encoding."""

    counts: tuple[()] | tuple[str, str] = ()
    """For a puzzle with two counts, the info keys of its moves and of the other effort."""

    numbers: int | None = None
    """If actions write the numbers 1 to n into the cells of an n by n square: the first of the n
    planes of these numbers. The planes of clues follow: for the top, bottom, left and right one
    plane per number, set along the clue's line."""

    @abstractmethod
    def planes(self, shape: Shape) -> tuple[str, ...]:
        """Names of the observation planes, in order."""

    def places(self, shape: Shape) -> Places:
        """Where actions take place; by default unknown.

        Shorter than the number of actions if no board of this size has that many.
        """
        return [(WHOLE_BOARD, action) for action in range(shape.actions)]

    def numbers_in(self, room: Shape, shape: Shape) -> npt.NDArray[np.intp]:
        """For each action of a board of this shape, its number on boards as large as `room`.

        The board lies in the upper left corner. By default actions go by their places.
        """
        numbers = {place: number for number, place in enumerate(self.places(room))}
        there = cells_in(room, shape).tolist()
        return np.array(
            [
                numbers[there[cell] if cell >= 0 else cell, kind]
                for cell, kind in self.places(shape)
            ],
            np.intp,
        )

    def views(self, shape: Shape) -> list[View]:
        """All symmetric views of boards that fill this shape, the identity first."""
        numbers = len(self.planes(shape)) * shape.height * shape.width
        return [View(np.arange(numbers), np.arange(shape.actions))]

    def action_text(self, action: int, shape: Shape) -> str:
        """A description of an action for people; by default its number."""
        return str(action)

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """Key combinations of actions, one character per key: letters, digits, arrows `↑→↓←`."""
        return {}


# --- four actions per cell ----------------------------------------------------------------------


def at_cell(cell: int, way: int) -> int:
    """The action at a cell in one of the four directions."""
    return 4 * cell + way


def cell_and_way(action: int) -> tuple[int, int]:
    """The inverse of `at_cell`."""
    return action >> 2, action & 3


def four_a_cell(height: int, width: int) -> list[tuple[int, int]]:
    """Places of four actions per cell."""
    return [cell_and_way(action) for action in range(4 * height * width)]

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

"""What planes and actions of a puzzle mean on a board, for all who do not know the puzzle.

A puzzle's own Codec stands in its codec.py, beside the numbers of its planes and the functions
that turn places on a board into actions and back. These are plain functions of numbers: rules take
them compiled, pictures, controls and agents as they are. So each is written once.
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
"""For each action its cell and which action of that cell it is; cell -1: the board as a whole."""
WHOLE_BOARD = -1


class Shape(NamedTuple):
    """What the spaces of an environment need in order to hold a set of levels."""

    actions: int
    height: int
    width: int


class View(NamedTuple):
    """How a board is seen from another side."""

    planes: npt.NDArray[np.intp]
    """For each number of the planes seen, laid flat: which one of the board it is."""
    actions: npt.NDArray[np.intp]
    """For each action of the board: which one it is as seen."""


class Codec(ABC):
    """What the planes and the actions of an environment are; one object for each encoding."""

    counts: tuple[()] | tuple[str, str] = ()
    """Where a puzzle has two counts: what its info calls its moves, and the effort besides."""

    numbers: int | None = None
    """Where actions write numbers into the cells of a square, from 1 to its rows: the first of as
    many planes that say which of them stands in a cell. Behind these come planes of clues: for the
    top, the bottom, the left and the right one for each number, all along the clue's own line."""

    @abstractmethod
    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The names of the observation planes, in order."""

    def places(self, shape: Shape) -> Places:
        """Where actions take place; by default nobody says.

        They are not as many as the actions where no board of this size has so many.
        """
        return [(WHOLE_BOARD, action) for action in range(shape.actions)]

    def views(self, shape: Shape) -> list[View]:
        """All sides from which boards that fill this shape are the same puzzle, the usual first."""
        numbers = len(self.planes(shape)) * shape.height * shape.width
        return [View(np.arange(numbers), np.arange(shape.actions))]

    def action_text(self, action: int, shape: Shape) -> str:
        """An action for people; by default its number."""
        return str(action)

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """Keys that do an action together, a character each: letters, digits, arrows `↑→↓←`."""
        return {}


# --- four actions for each cell ---------------------------------------------------------------


def at_cell(cell: int, way: int) -> int:
    """The action at a cell in one of the four directions."""
    return 4 * cell + way


def cell_and_way(action: int) -> tuple[int, int]:
    """The way back."""
    return action >> 2, action & 3


def four_a_cell(height: int, width: int) -> list[tuple[int, int]]:
    """Where four actions for each cell take place."""
    return [cell_and_way(action) for action in range(4 * height * width)]

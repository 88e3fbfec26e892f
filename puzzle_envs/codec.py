"""What actions and planes mean on a board, for those who do not know the puzzle: policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["WHOLE_BOARD", "Places", "View", "four_a_cell", "usual_view", "whole_board"]

Places: TypeAlias = Sequence[tuple[int, int]]
"""For each action its cell and which action of that cell it is; cell -1: the board as a whole."""
WHOLE_BOARD = -1


class View(NamedTuple):
    """How a board is seen from another side."""

    planes: npt.NDArray[np.intp]
    """For each number of the planes seen, laid flat: which one of the board it is."""
    actions: npt.NDArray[np.intp]
    """For each action of the board: which one it is as seen."""


def whole_board(actions: int) -> Places:
    """Actions of which nobody says where they take place."""
    return [(WHOLE_BOARD, action) for action in range(actions)]


def four_a_cell(height: int, width: int) -> Places:
    """Four directions for each cell."""
    return [divmod(action, 4) for action in range(4 * height * width)]


def usual_view(planes: int, cells: int, actions: int) -> View:
    """A board as it lies."""
    return View(np.arange(planes * cells), np.arange(actions))

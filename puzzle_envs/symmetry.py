"""The symmetries of rectangles: where cells and directions go."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

UP, RIGHT, DOWN, LEFT = range(4)


class Symmetry(NamedTuple):
    """Rows and columns exchanged, then the rows reversed, then the columns."""

    turned: bool
    upside: bool
    mirrored: bool

    @property
    def is_odd(self) -> bool:
        """Whether it is a mirror image, in which left and right are exchanged."""
        return self.turned ^ self.upside ^ self.mirrored

    def cells(self, height: int, width: int) -> npt.NDArray[np.intp]:
        """For each cell of a board, in reading order, its number on the transformed board."""
        row, column = np.divmod(np.arange(height * width), width)
        if self.turned:
            row, column, height, width = column, row, width, height
        row = height - 1 - row if self.upside else row
        column = width - 1 - column if self.mirrored else column
        return row * width + column

    @property
    def ways(self) -> list[int]:
        """For up, right, down and left the direction on the transformed board."""
        ways = [LEFT, DOWN, RIGHT, UP] if self.turned else [UP, RIGHT, DOWN, LEFT]
        swapped = {UP: DOWN, DOWN: UP} if self.upside else {}
        swapped |= {LEFT: RIGHT, RIGHT: LEFT} if self.mirrored else {}
        return [swapped.get(way, way) for way in ways]


def symmetries(height: int, width: int) -> list[Symmetry]:
    """Those of a board that keep its height and width, the identity first."""
    turns = (False, True) if height == width else (False,)
    return [Symmetry(*one) for one in product(turns, (False, True), (False, True))]

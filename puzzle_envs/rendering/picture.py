"""What the environments ask of a picture."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.integer[Any]]
"""Observation planes (planes, height, width) of zeros and ones."""

SMALLEST_CELL, LARGEST_CELL = 4, 512
"""Pixels to a cell, from which something is to be seen to what memory allows."""


class Picture(Protocol):
    """How the states of one puzzle are drawn, from its observation planes alone.

    A picture is small, and can be copied and pickled at any time. It is told of every step, so it
    can show more than the planes do: where things came from, and how they move.
    """

    def begin(self, planes: Planes) -> None:
        """Show a new episode, or a state that was set from outside."""

    def follow(self, action: int, planes: Planes) -> None:
        """Take notice of one step: the action, and the planes after it."""

    def paint(self, cell: int) -> NDArray[np.uint8]:
        """The state as a fresh array (height, width, 3), with `cell` pixels to a cell."""

    def size(self, cell: int) -> tuple[int, int]:
        """The height and the width of `paint(cell)`, in pixels.

        They grow with the cell, and with the height and the width of the board.
        """

    def slide(self, cell: int, frames: int) -> Iterator[NDArray[np.uint8]]:
        """The last step in motion, in so many pictures; the last of them is `paint(cell)`."""

    def text(self) -> str:
        """The state in plain characters, one line a row."""


def cell_that_fits(picture: Picture, height: int, width: int) -> int:
    """The largest cell at which a picture fits into so many pixels, or the smallest there is."""

    def is_too_large(cell: int) -> bool:
        its_height, its_width = picture.size(cell)
        return its_height > height or its_width > width

    cells = range(SMALLEST_CELL, LARGEST_CELL + 1)
    fitting = bisect_left(cells, True, key=is_too_large)
    return cells[max(fitting - 1, 0)]

"""What the environments ask of a picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterator
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
        """The height and the width of `paint(cell)`, in pixels; it grows with the cell."""

    def slide(self, cell: int, frames: int) -> Iterator[NDArray[np.uint8]]:
        """The last step in motion, in so many pictures; the last of them is `paint(cell)`."""

    def text(self) -> str:
        """The state in plain characters, one line a row."""


class Painting(ABC):
    """What pictures have in common that draw a state, and some of them how it was reached."""

    @abstractmethod
    def _paint(self, cell: int) -> NDArray[np.uint8]:
        """The state as a fresh array."""

    @abstractmethod
    def _motion(self, cell: int) -> Callable[[float], NDArray[np.uint8]] | None:
        """What the last step looks like when a share of it is done; None where nothing moves."""

    def paint(self, cell: int) -> NDArray[np.uint8]:
        """The state as a fresh array (height, width, 3), with `cell` pixels to a cell.

        Raises:
            ValueError: The cell is smaller than 4 pixels.
        """
        _check(cell)
        return self._paint(cell)

    def slide(self, cell: int, frames: int) -> Iterator[NDArray[np.uint8]]:
        """The last step in motion, in so many pictures; the last of them is `paint(cell)`.

        Raises:
            ValueError: The cell is smaller than 4 pixels, or there are no frames.
        """
        _check(cell)
        if frames < 1:
            raise ValueError(f"A slide of {frames} frames shows nothing; ask for at least 1.")
        return self._slide(cell, frames)

    def _slide(self, cell: int, frames: int) -> Iterator[NDArray[np.uint8]]:
        motion = self._motion(cell)
        for frame in range(1, frames):
            yield self._paint(cell) if motion is None else motion(frame / frames)
        yield self._paint(cell)


def _check(cell: int) -> None:
    if cell < SMALLEST_CELL:
        raise ValueError(
            f"A cell of {cell} pixels is too small to see; give at least {SMALLEST_CELL}."
        )


def cropped(planes: Planes) -> Planes:
    """A copy without padding, of planes whose first one marks the board."""
    height = int(planes[0, :, 0].sum())
    width = int(planes[0, 0].sum())
    return np.array(planes[:, :height, :width], np.uint8)


def cell_that_fits(picture: Picture, height: int, width: int) -> int:
    """The largest cell at which a picture fits into so many pixels, or the smallest there is."""

    def is_too_large(cell: int) -> bool:
        its_height, its_width = picture.size(cell)
        return its_height > height or its_width > width

    cells = range(SMALLEST_CELL, LARGEST_CELL + 1)
    fitting = bisect_left(cells, True, key=is_too_large)
    return cells[max(fitting - 1, 0)]

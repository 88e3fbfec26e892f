"""The interface of pictures."""

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
"""Range of cell sizes in pixels."""


class Picture(Protocol):
    """Draws the states of one puzzle from its observation planes.

    A picture is small, copyable and picklable. It follows every step, so it can also show movement
    and trails.
    """

    def begin(self, planes: Planes) -> None:
        """Start an episode, or show a state set from outside."""

    def follow(self, action: int, planes: Planes) -> None:
        """Follow one step: the action, and the planes after it."""

    def paint(self, cell: int) -> NDArray[np.uint8]:
        """Draw the state to a new array (height, width, 3), with `cell` pixels per cell."""

    def size(self, cell: int) -> tuple[int, int]:
        """Height and width of `paint(cell)` in pixels.

        They are monotonic in the cell size and in the height and width of the board.
        """

    def slide(self, cell: int, frames: int) -> Iterator[NDArray[np.uint8]]:
        """Animate the last step in this many frames; the last one is `paint(cell)`."""

    def text(self) -> str:
        """The state as text, one line per row."""


class Painting(ABC):
    """Base class of pictures that draw a state and, optionally, the last step."""

    @abstractmethod
    def _paint(self, cell: int) -> NDArray[np.uint8]:
        """Draw the state to a new array."""

    @abstractmethod
    def _motion(self, cell: int) -> Callable[[float], NDArray[np.uint8]] | None:
        """Draw the last step at a fraction of its duration; None if nothing moves."""

    def paint(self, cell: int) -> NDArray[np.uint8]:
        """Draw the state to a new array (height, width, 3), with `cell` pixels per cell.

        Raises:
            ValueError: The cell is smaller than 4 pixels.
        """
        _check(cell)
        return self._paint(cell)

    def slide(self, cell: int, frames: int) -> Iterator[NDArray[np.uint8]]:
        """Animate the last step in this many frames; the last one is `paint(cell)`.

        Raises:
            ValueError: The cell is smaller than 4 pixels, or there are no frames.
        """
        _check(cell)
        if frames < 1:
            raise ValueError(f"A step cannot be shown in {frames} frames; give at least 1.")
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
    """A copy of the planes without padding; the first plane marks the board."""
    height = int(planes[0, :, 0].sum())
    width = int(planes[0, 0].sum())
    return np.array(planes[:, :height, :width], np.uint8)


def cell_that_fits(picture: Picture, height: int, width: int) -> int:
    """The largest cell size at which a picture fits, or the smallest allowed."""

    def is_too_large(cell: int) -> bool:
        its_height, its_width = picture.size(cell)
        return its_height > height or its_width > width

    cells = range(SMALLEST_CELL, LARGEST_CELL + 1)
    fitting = bisect_left(cells, True, key=is_too_large)
    return cells[max(fitting - 1, 0)]

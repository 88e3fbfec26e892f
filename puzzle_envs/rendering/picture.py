"""What the environments ask of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.integer[Any]]
"""Observation planes (planes, height, width) of zeros and ones."""


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

    def slide(self, cell: int, frames: int) -> Iterator[NDArray[np.uint8]]:
        """The last step in motion, in so many pictures; the last of them is `paint(cell)`."""

    def text(self) -> str:
        """The state in plain characters, one line a row."""

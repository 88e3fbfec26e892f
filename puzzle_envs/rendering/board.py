"""Common parts of pictures of boards: rectangles of cells, the ring around, beams and shade."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.canvas import Canvas, average, rgb
from puzzle_envs.rendering.noise import places
from puzzle_envs.rendering.shapes import Field, Point, box
from puzzle_envs.rendering.theme import LIGHT as THEME

__all__ = [
    "INWARD", "SHADES", "Rectangle", "Shadow", "darkness", "draw_beam", "ringed", "shaded_by",
    "shadows",
]  # fmt: skip

# Bits of the neighbours of a cell that may shade it.
ABOVE, LEFT, ABOVE_LEFT = 1, 2, 4
SHADES = 8

# From each side of the ring, clockwise from the upper one, the direction in which the board lies.
INWARD = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))

Shadow = Callable[[Canvas, Point, Point], Field]
"""Darkness of the shadow of a rectangle on a canvas."""


class Rectangle(NamedTuple):
    """A rectangle of cells."""

    row: int
    column: int
    height: int
    width: int

    @property
    def cells(self) -> tuple[slice, slice]:
        """Slices of its rows and columns."""
        return (
            slice(self.row, self.row + self.height),
            slice(self.column, self.column + self.width),
        )

    def shifted(self, down: int, right: int) -> Rectangle:
        """The rectangle, shifted."""
        return self._replace(row=self.row + down, column=self.column + right)


def ringed(height: int, width: int, first: int, step: int) -> NDArray[np.int32]:
    """The codes of an empty board and the ring around it: places in the texture.

    On the ring `first` is added, plus `step` per side and corner. Sides count clockwise: 0 above
    the board, 1 its upper right corner, and so on to 7.
    """
    codes = places(np.arange(-1, height + 1)[:, None], np.arange(-1, width + 1))
    sides = np.zeros_like(codes)
    sides[0], sides[-1], sides[:, -1], sides[:, 0] = 0, 4, 2, 6
    sides[0, -1], sides[-1, -1], sides[-1, 0], sides[0, 0] = 1, 3, 5, 7
    on_ring = np.ones(codes.shape, bool)
    on_ring[1:-1, 1:-1] = False
    codes[on_ring] += first + step * sides[on_ring]
    return codes


def draw_beam(canvas: Canvas, inward: tuple[int, int], thick: float, light: Point) -> None:
    """Draw the wooden beam around a board, on the side of the board.

    Args:
        canvas: A cell of the ring.
        inward: The direction of the board.
        thick: Thickness of the beam.
        light: Position and width of the highlight.
    """
    broad = np.float32(thick)
    # Distance to the board, in each direction in which it lies.
    far_x = (1 - canvas.x if inward[0] > 0 else canvas.x) + 0 * canvas.y
    far_y = (1 - canvas.y if inward[1] > 0 else canvas.y) + 0 * canvas.x
    far = far_y if not inward[0] else far_x if not inward[1] else np.maximum(far_x, far_y)
    canvas.fill(far - broad - 0.02, rgb(THEME.ink), 0.35, blur=0.07)
    canvas.fill(far - broad, rgb(THEME.wood_dark))
    canvas.fill(far - broad + max(0.018, 0.6 * canvas.pixel), rgb(THEME.wood))
    canvas.fill(np.abs(far - light[0]) - light[1], rgb(THEME.wood_light), 0.8, blur=0.02)
    canvas.fill(far - 0.02, rgb(THEME.wood_dark), 0.9)


def shaded_by(high: NDArray[Any]) -> NDArray[Any]:
    """For each cell the bits of its high neighbours, on a board with a ring of cells around it."""
    shades: NDArray[Any] = (
        ABOVE * high[:-2, 1:-1] + LEFT * high[1:-1, :-2] + ABOVE_LEFT * high[:-2, :-2]
    )
    return shades


def shadows(offset: Point, blur: float, strength: float) -> Shadow:
    """Shadows that lie at an offset, given the upper left and lower right corners."""

    def shade(canvas: Canvas, corner: Point, opposite: Point) -> Field:
        half = ((opposite[0] - corner[0]) / 2, (opposite[1] - corner[1]) / 2)
        middle = (corner[0] + half[0] + offset[0], corner[1] + half[1] + offset[1])
        return strength * canvas.inside(box(canvas.x, canvas.y, middle, half), blur)

    return shade


@lru_cache(maxsize=128)
def darkness(shadow: Shadow, cell: int, neighbours: int) -> Field:
    """Darkness of a cell under the shadows of its neighbours."""
    canvas = Canvas(cell)
    dark = np.zeros_like(canvas.x + canvas.y)
    # Shadows of adjacent neighbours merge.
    start = -1 if neighbours & ABOVE_LEFT else 0
    if neighbours & ABOVE:
        dark = np.maximum(dark, shadow(canvas, (start, -1), (1, 0)))
    if neighbours & LEFT:
        dark = np.maximum(dark, shadow(canvas, (-1, start), (0, 1)))
    if neighbours & ABOVE_LEFT:
        dark = np.maximum(dark, shadow(canvas, (-1, -1), (0, 0)))
    return average(dark, canvas.factor)

"""A small canvas for drawing tiles and sprites with antialiased edges.

Lengths are in cells: the unit square is one cell, x to the right and y downward. Everything is
supersampled and averaged down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.shapes import Field

Colour = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Part = tuple[slice, slice]
"""Row and column ranges of a picture."""

# Minimum number of samples along a cell; smaller cells are supersampled more.
_SAMPLES = 96
# The cell size from which the soft edges of shapes suffice without supersampling.
_LARGE = 80


def rgb(text: str) -> Colour:
    """Parse a colour `#rrggbb` to three numbers from 0 to 1."""
    return np.array([int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)], np.float32)


def mix(first: Colour, second: Colour, share: Field | float) -> Colour:
    """Interpolate between two colours: the first at share 0, the second at share 1."""
    weight = np.asarray(share, np.float32)[..., None]
    return np.asarray(first * (1 - weight) + second * weight, np.float32)


def smooth(edge: float, other: float, value: Field) -> Field:
    """A smooth step from 0 at `edge` to 1 at `other`."""
    share = np.clip((value - edge) / (other - edge), 0, 1)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


def rounded(light: Colour, plain: Colour, dark: Colour, turn: Field) -> Colour:
    """Shading of a round object, from facing the light (0) to facing away (1)."""
    lit = mix(light, plain, np.clip(1.9 * turn, 0, 1))
    return mix(lit, dark, np.clip(1.3 * turn - 0.55, 0, 1))


def pixels_of(colour: Colour) -> Pixels:
    """Colours as bytes."""
    return np.round(np.clip(colour, 0, 1) * 255).astype(np.uint8)


def samples_per_pixel(cell: int) -> int:
    """Supersampling factor at this cell size, along each axis."""
    return max(2 if cell < _LARGE else 1, -(-_SAMPLES // cell))


def average(values: Field, factor: int) -> Field:
    """Downsample by averaging squares of factor x factor; a last axis of channels is kept."""
    height, width = values.shape[0] // factor, values.shape[1] // factor
    blocks = values.reshape(height, factor, width, factor, *values.shape[2:])
    return np.asarray(blocks.mean(axis=(1, 3)), np.float32)


@dataclass(frozen=True)
class Sprite:
    """A drawing with soft edges, ready to be composited.

    Attributes:
        colour: Its colour, premultiplied by opacity.
        through: Transparency per colour channel, from 0 to 256.
        top: Offset of its first row from the upper edge of its cell.
        left: Offset of its first column from the left edge of its cell.
    """

    colour: NDArray[np.uint16]
    through: NDArray[np.uint16]
    top: int
    left: int

    def lay_on(self, picture: Pixels, top: int, left: int) -> None:
        """Draw the sprite with its cell's corner at a pixel, clipped at the picture's edges."""
        parts = overlap(picture, self.colour, top + self.top, left + self.left)
        if parts is not None:
            there, own = parts
            ground = picture[there]
            ground[:] = self.colour[own] + ((ground * self.through[own]) >> 8)


def overlap(
    picture: NDArray[Any], laid: NDArray[Any], top: int, left: int
) -> tuple[Part, Part] | None:
    """The overlapping ranges of a picture and of an image placed on it at a pixel."""
    first_row, first_column = max(top, 0), max(left, 0)
    last_row = min(top + laid.shape[0], picture.shape[0])
    last_column = min(left + laid.shape[1], picture.shape[1])
    if first_row >= last_row or first_column >= last_column:
        return None
    there = slice(first_row, last_row), slice(first_column, last_column)
    own = slice(first_row - top, last_row - top), slice(first_column - left, last_column - left)
    return there, own


class Canvas:
    """A drawing in progress: colour and opacity."""

    def __init__(
        self,
        cell: int,
        *,
        left: float = 0.0,
        top: float = 0.0,
        right: float = 1.0,
        bottom: float = 1.0,
    ) -> None:
        """Create an empty canvas over part of the plane, by default one cell."""
        self.cell = cell
        self.factor = samples_per_pixel(cell)
        self.pixel = 1 / cell
        self._first_column, self._first_row = round(left * cell), round(top * cell)
        step = 1 / (cell * self.factor)
        width = (round(right * cell) - self._first_column) * self.factor
        height = (round(bottom * cell) - self._first_row) * self.factor
        self.x: Field = (
            np.arange(width, dtype=np.float32)[None, :] + 0.5
        ) * step + self._first_column / cell
        self.y: Field = (
            np.arange(height, dtype=np.float32)[:, None] + 0.5
        ) * step + self._first_row / cell
        self._softness = max(step, 0.5 / cell)
        self._colour = np.zeros((height, width, 3), np.float32)
        self._hidden = np.zeros((height, width), np.float32)

    def inside(self, distance: Field, blur: float = 0.0) -> Field:
        """Coverage of a shape: 1 inside, 0 outside, with a soft edge."""
        soft = max(self._softness, blur)
        return 1 - smooth(-soft / 2, soft / 2, distance)

    def fill(
        self,
        distance: Field,
        colour: Colour,
        opacity: Field | float = 1.0,
        *,
        blur: float = 0.0,
    ) -> None:
        """Fill a shape with a colour, or with a colour for each sample."""
        self.wash(self.inside(distance, blur) * opacity, colour)

    def wash(self, opacity: Field, colour: Colour) -> None:
        """Fill everything with an opacity."""
        opacity = np.broadcast_to(opacity, self._hidden.shape)
        rows, columns = (np.flatnonzero(opacity.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return
        # Most strokes touch only a small part of the canvas.
        part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        weight = opacity[part]
        if colour.ndim > 1:
            colour = np.broadcast_to(colour, self._colour.shape)[part]
        self._colour[part] += (colour - self._colour[part]) * weight[..., None]
        self._hidden[part] += (1 - self._hidden[part]) * weight

    def layer(self) -> tuple[Field, Field]:
        """Premultiplied colour (height, width, 3), and opacity (height, width)."""
        return average(self._colour, self.factor), average(self._hidden, self.factor)

    def sprite(self) -> Sprite:
        """The drawing as a sprite, cropped to its visible part."""
        colour, hidden = self.layer()
        rows = np.flatnonzero(hidden.max(axis=1) > 0.004)
        columns = np.flatnonzero(hidden.max(axis=0) > 0.004)
        if not len(rows):
            rows = columns = np.array([0])
        part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        return Sprite(
            colour=np.round(np.clip(colour[part], 0, 1) * 255).astype(np.uint16),
            # Repeated for all three channels: compositing is several times faster.
            through=np.repeat(
                np.round((1 - np.clip(hidden[part], 0, 1)) * 256).astype(np.uint16)[..., None], 3, 2
            ),
            top=int(self._first_row + rows[0]),
            left=int(self._first_column + columns[0]),
        )

"""Numbers on roofs and stones, and the warning mark."""

from __future__ import annotations

import numpy as np

from puzzle_envs.rendering.canvas import Canvas, Colour, rgb
from puzzle_envs.rendering.digits import number
from puzzle_envs.rendering.shapes import Field, Point
from puzzle_envs.rendering.theme import LIGHT as THEME


def draw_number(canvas: Canvas, value: int, middle: Point, height: float, ink: Colour) -> None:
    """Draw a number of this height around a point."""
    # Widen lines where pixels are large.
    weight = max(0.105 * height, 0.52 * canvas.pixel)
    scale = np.float32(height - 2 * weight)
    x, y = (canvas.x - middle[0]) / scale, (canvas.y - middle[1]) / scale
    canvas.fill(number(x, y, value) * scale - np.float32(weight), ink)


def draw_warning(canvas: Canvas, shape: Field, width: float) -> None:
    """Draw dashes along the inside of a shape, a warning independent of colour."""
    period = max(0.17, 4 * canvas.pixel)
    along = (canvas.x + canvas.y) / np.float32(period)
    dashes = np.abs(along - np.floor(along) - 0.5) * np.float32(period) - np.float32(period / 4)
    rim = canvas.inside(np.maximum(shape, -shape - np.float32(width)))
    canvas.wash(rim, rgb(THEME.red_dark))
    canvas.fill(np.maximum(dashes, -shape - np.float32(width)), rgb(THEME.sand_light), rim)

"""The fallen leaves of a Zen garden, distinguished by shape and colour."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, exp, pi, sin

import numpy as np

from puzzle_envs.rendering.canvas import Canvas, Sprite, mix, rgb
from puzzle_envs.rendering.shapes import Point, capsule, polygon
from puzzle_envs.rendering.theme import LIGHT as THEME

YELLOW, ORANGE, RED = range(3)


@dataclass(frozen=True)
class _Shape:
    """A leaf drawn upright around the origin, and its placement on the cell.

    Attributes:
        outline: The edge of the blade.
        stalk: Its two ends, the first on the blade.
        root: Start of the veins.
        tips: Ends of the veins.
        turn: Rotation, clockwise in radians.
        scale: Length of one unit in cells.
        centre: Position of the origin on the cell.
    """

    outline: list[Point]
    stalk: tuple[Point, Point]
    root: Point
    tips: list[Point]
    turn: float
    scale: float
    centre: Point

    def on_cell(self, point: Point) -> Point:
        """Convert a point of the upright leaf to the cell."""
        x, y = point[0] * self.scale, point[1] * self.scale
        across = x * cos(self.turn) - y * sin(self.turn)
        down = x * sin(self.turn) + y * cos(self.turn)
        return self.centre[0] + across, self.centre[1] + down


@lru_cache(maxsize=64)
def leaf(cell: int, colour: int, locked: bool) -> Sprite:
    """A yellow ginkgo fan, a long orange leaf, or a red maple leaf.

    A leaf not yet collectable is pale and casts no shadow.
    """
    canvas = Canvas(cell)
    shape = (_ginkgo, _long_leaf, _maple)[colour]()
    plain = rgb((THEME.yellow, THEME.orange, THEME.red)[colour])
    dark = rgb((THEME.yellow_dark, THEME.orange_dark, THEME.red_dark)[colour])
    shine = 0.28
    outline = [shape.on_cell(point) for point in shape.outline]
    if locked:
        sand = rgb(THEME.sand)
        plain, dark, shine = mix(plain, sand, 0.5), mix(dark, sand, 0.3), 0.1
    else:
        shadow = polygon(canvas.x - 0.035, canvas.y - 0.05, outline) - np.float32(0.01)
        canvas.fill(shadow, rgb(THEME.shadow), THEME.shadow_strength, blur=0.07)
    stalk = [shape.on_cell(point) for point in shape.stalk]
    canvas.fill(capsule(canvas.x, canvas.y, stalk[0], stalk[1], 0.022), dark)
    blade = polygon(canvas.x, canvas.y, outline)
    canvas.fill(blade - max(0.02, 0.45 * canvas.pixel), dark)
    lit = np.clip(1.25 - 0.9 * (canvas.x + canvas.y), 0, 1)
    canvas.fill(blade, mix(plain, rgb(THEME.glow), shine * lit))
    inside = canvas.inside(blade)
    for tip in shape.tips:
        vein = capsule(
            canvas.x, canvas.y, shape.on_cell(shape.root), shape.on_cell(tip), 0.012, 0.004
        )
        canvas.fill(vein, dark, 0.6 * inside)
    return canvas.sprite()


def _ginkgo() -> _Shape:
    """A fan with a notch in the middle."""
    outline = [(0.0, 0.5)]
    for number in range(25):
        share = number / 12 - 1
        notch = 0.20 * exp(-((share / 0.09) ** 2)) + 0.03 * cos(22 * share) ** 2
        reach = 0.80 - notch - 0.08 * share**2
        outline.append((reach * sin(1.12 * share), 0.42 - reach * cos(1.12 * share)))
    return _Shape(
        outline=outline,
        stalk=((0.0, 0.45), (0.0, 0.80)),
        root=(0.0, 0.42),
        tips=[(-0.42, -0.08), (-0.2, -0.2), (0.2, -0.2), (0.42, -0.08)],
        turn=0.5,
        scale=0.62,
        centre=(0.5, 0.46),
    )


def _long_leaf() -> _Shape:
    """A blade with a pointed tip."""
    right = []
    for number in range(15):
        share = number / 14
        right.append((0.30 * abs(sin(pi * share**0.8)) ** 0.85, 0.55 - 1.1 * share))
    left = [(-x, y) for x, y in reversed(right[1:-1])]
    return _Shape(
        outline=[*right, *left],
        stalk=((0.0, 0.5), (0.0, 0.75)),
        root=(0.0, 0.5),
        tips=[(0.0, -0.5)],
        turn=0.75,
        scale=0.68,
        centre=(0.5, 0.49),
    )


def _maple() -> _Shape:
    """A star of three long lobes, and two short ones beside the stalk."""
    lobes = ((-2.15, 0.62), (-1.1, 0.95), (0.0, 1.05), (1.1, 0.95), (2.15, 0.62))
    outline = [(0.0, 0.32)]
    for number, (angle, reach) in enumerate(lobes):
        if number:
            between = (angle + lobes[number - 1][0]) / 2
            outline.append((0.33 * sin(between), -0.33 * cos(between)))
        for shift, share in ((-0.26, 0.62), (0.0, 1.0), (0.26, 0.62)):
            far = reach * share
            outline.append((far * sin(angle + shift), -far * cos(angle + shift)))
    return _Shape(
        outline=outline,
        stalk=((0.0, 0.2), (0.0, 1.05)),
        root=(0.0, 0.15),
        tips=[(0.8 * sin(angle), -0.8 * cos(angle)) for angle, _ in lobes],
        turn=-0.35,
        scale=0.37,
        centre=(0.5, 0.5),
    )

"""The inlays of the blocks: a crest, a blossom, a spear, a halberd, a coin.

Each is the signed distance to a shape around the origin, for a block's width and height in cells.
"""

from __future__ import annotations

import numpy as np

from puzzle_envs.rendering.shapes import Field, box, capsule, circle, ellipse, polygon

# Distance of a weapon from the ends of its block.
_ROOM = 0.24


def crest(x: Field, y: Field, width: int, height: int) -> Field:
    """A chrysanthemum in a ring: the mark of the goal piece and of its goal."""
    radius = 0.335 * min(width, height)
    across, up = _folded(x, y, 12)
    near, far = (0.30 * radius, 0.0), (0.67 * radius, 0.0)
    petals = capsule(across, up, near, far, 0.03 * radius, 0.125 * radius)
    heart = circle(x, y, (0, 0), 0.17 * radius)
    return np.minimum(np.minimum(petals, heart), _ring(x, y, radius, 0.055 * radius))


def flower(x: Field, y: Field, width: int, height: int) -> Field:
    """A plum blossom."""
    radius = 0.225 * min(width, height)
    across, up = _folded(x, y, 5)
    petals = circle(across, up, (0.66 * radius, 0), 0.33 * radius)
    return np.minimum(petals, circle(x, y, (0, 0), 0.2 * radius))


def spear(x: Field, y: Field, width: int, height: int) -> Field:
    """An upright spear as long as the block."""
    end = height / 2 - _ROOM
    tip, neck = -end, 0.46 - end
    blade = polygon(
        x, y, [(0, tip), (0.13, tip + 0.25), (0.05, neck), (-0.05, neck), (-0.13, tip + 0.25)]
    )
    guard = capsule(x, y, (-0.1, neck + 0.04), (0.1, neck + 0.04), 0.032)
    shaft = capsule(x, y, (0, neck), (0, end - 0.04), 0.032)
    butt = ellipse(x, y, (0, end - 0.05), (0.055, 0.08))
    return np.minimum(np.minimum(blade, guard), np.minimum(shaft, butt))


def halberd(x: Field, y: Field, width: int, height: int) -> Field:
    """A crescent blade on a horizontal shaft as long as the block."""
    end = width / 2 - _ROOM
    neck = end - 0.60
    moon = circle(x, y, (end - 0.28, -0.17), 0.33)
    blade: Field = np.maximum(moon, -circle(x, y, (end - 0.20, -0.40), 0.41))
    blade = np.maximum(blade, np.float32(neck + 0.12) - x)
    socket = capsule(x, y, (neck, 0), (neck + 0.2, 0.03), 0.05, 0.09)
    guard = capsule(x, y, (neck - 0.03, -0.095), (neck - 0.03, 0.095), 0.032)
    shaft = capsule(x, y, (0.04 - end, 0), (neck, 0), 0.032)
    butt = ellipse(x, y, (0.05 - end, 0), (0.08, 0.055))
    head: Field = np.minimum(np.minimum(blade, socket), guard)
    return np.minimum(head, np.minimum(shaft, butt))


def coin(x: Field, y: Field, width: int, height: int) -> Field:
    """A round coin with a square hole."""
    radius = 0.3 * min(width, height)
    hole = box(x, y, (0, 0), (0.3 * radius, 0.3 * radius))
    frame = np.abs(hole) - np.float32(0.09 * radius)
    return np.minimum(_ring(x, y, radius, 0.1 * radius), frame)


def _ring(x: Field, y: Field, radius: float, half_width: float) -> Field:
    """A ring of the given outer radius."""
    away = circle(x, y, (0, 0), radius - half_width)
    return np.abs(away) - np.float32(half_width)


def _folded(x: Field, y: Field, petals: int) -> tuple[Field, Field]:
    """Fold the plane so that a petal along x is repeated around the origin; one points up."""
    part = 2 * np.pi / petals
    angle = np.arctan2(y, x) + np.pi / 2
    angle = np.mod(angle + part / 2, part) - part / 2
    away = np.hypot(x, y)
    return away * np.cos(angle), away * np.sin(angle)

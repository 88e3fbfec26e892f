"""The blocks: slabs of stone with visible outlines, and the holes under them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.kwirk.picture import ground
from puzzle_envs.kwirk.picture.outlines import ABOVE, BELOW, LEFT, NEIGHBOURS, RIGHT, depth
from puzzle_envs.rendering import noise
from puzzle_envs.rendering.canvas import Canvas, Colour, Sprite, mix, rgb, smooth
from puzzle_envs.rendering.shapes import Field, box, circle
from puzzle_envs.rendering.theme import LIGHT as THEME

# Bits of the sides on which a cell of a block is joined to another.
JOINED_ABOVE, JOINED_RIGHT, JOINED_BELOW, JOINED_LEFT = 1, 2, 4, 8
JOINTS = 16

# Height of a block's front side, in cells.
FACE = 0.15

_BEVEL = 0.10
_CORNER = 0.07
# The cell size from which the finest lines are visible.
_LEGIBLE = 12

_PLAIN = mix(rgb(THEME.rock), rgb(THEME.robe_light), 0.38)
_LIGHT = mix(rgb(THEME.rock_light), rgb(THEME.sand_light), 0.25)
_DARK = mix(rgb(THEME.rock_dark), rgb(THEME.robe_dark), 0.45)
_EDGE = mix(rgb(THEME.ink), rgb(THEME.robe_dark), 0.3) * np.float32(0.75)


@lru_cache(maxsize=64)
def block(cell: int, joined: int, place: int) -> Colour:
    """One cell of a block, (cell, cell, 3); `place` is its place in the texture."""
    canvas = Canvas(cell)
    x, y = canvas.x, canvas.y
    outside = _outside(joined)
    away = depth(x, y, outside, _CORNER)
    top = away if joined & JOINED_BELOW else np.minimum(away, 1 - FACE - y)
    line = max(0.020, 0.5 * canvas.pixel)
    canvas.wash(np.ones_like(away), _EDGE)
    side = mix(_DARK, _EDGE, 0.25 + 0.5 * smooth(1 - FACE, 1.0, y) + 0 * x)
    canvas.fill(line - away, side)
    canvas.fill(0.7 * line - top, _surface(canvas, top, place))
    if cell >= _LEGIBLE:
        width = max(0.010, 0.28 * canvas.pixel)
        groove = np.abs(top - np.float32(_BEVEL + 0.085))
        canvas.fill(groove - width, _DARK, 0.5)
        canvas.fill(np.abs(top - np.float32(_BEVEL + 0.085 + 2 * width)) - width, _LIGHT, 0.3)
    return canvas.layer()[0]


def _outside(joined: int) -> int:
    """Bits of the neighbours outside the block, which is a rectangle."""
    sides = (ABOVE, RIGHT, BELOW, LEFT)
    outside = sum(bit for way, bit in enumerate(sides) if not joined >> way & 1)
    for corner in range(1, len(NEIGHBOURS), 2):
        beside = 1 << (corner - 1) | 1 << (corner + 1) % len(NEIGHBOURS)
        outside |= bool(outside & beside) << corner
    return outside


def _surface(canvas: Canvas, top: Field, place: int) -> Colour:
    """Colours of the top, and of the bevel around it."""
    step = 1 / (canvas.cell * canvas.factor)
    fall_y, fall_x = np.gradient(-top, np.float32(step))
    facing = fall_x * THEME.light_x + fall_y * THEME.light_y
    slant = smooth(1.25 * _BEVEL, 0.5 * _BEVEL, top)
    grain = noise.grain(canvas.cell, place, 51, (0.0, 0.015, 0.12), (0.5, 0.5, 0.6))
    grain = np.kron(grain, np.ones((canvas.factor, canvas.factor), np.float32))
    colour = mix(_PLAIN, _LIGHT, np.clip(0.10 + 0.045 * grain, 0, 1))
    colour = mix(colour, _DARK, np.clip(0.04 - 0.05 * grain, 0, 1))
    colour = mix(colour, _LIGHT, np.clip(0.85 * slant * facing, 0, 1))
    return mix(colour, _DARK, np.clip(-0.8 * slant * facing, 0, 1))


@lru_cache(maxsize=16)
def hole_mark(cell: int) -> Sprite:
    """The mark of a hole under a block: a drain with water below."""
    canvas = Canvas(cell)
    x, y = canvas.x, canvas.y
    line = max(0.02, 0.4 * canvas.pixel)
    ring = circle(x, y, (0.5, 0.46), 0.25)
    canvas.fill(ring - line, _LIGHT, 0.55)
    canvas.fill(circle(x, y, (0.49, 0.45), 0.25) - 0.4 * line, _EDGE, 0.9)
    canvas.fill(ring, ground.WATER)
    canvas.fill(circle(x, y, (0.53, 0.52), 0.16), rgb(THEME.robe), 0.5, blur=0.1)
    if cell >= _LEGIBLE:
        for bar in (0.38, 0.5, 0.62):
            grate = box(x, y, (bar, 0.46), (0.016, 0.25))
            canvas.fill(np.maximum(grate, ring), mix(_DARK, _PLAIN, 0.5), 0.9)
    return canvas.sprite()


@lru_cache(maxsize=16)
def shadow(cell: int, width: int, height: int) -> Sprite:
    """The shadow of a block."""
    canvas = Canvas(cell, left=-0.5, top=-0.5, right=width + 0.5, bottom=height + 0.5)
    canvas.wash(ground.shade(canvas, (0, 0), (width, height)), ground.shadow_colour())
    return canvas.sprite()

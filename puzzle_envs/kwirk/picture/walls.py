"""Brick walls, seen from slightly south of vertical: tops and front sides."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.kwirk.picture.outlines import BELOW, depth
from puzzle_envs.rendering.canvas import Canvas, Colour, mix, rgb, smooth
from puzzle_envs.rendering.noise import PERIOD
from puzzle_envs.rendering.shapes import Field
from puzzle_envs.rendering.theme import LIGHT as THEME

# Height of a wall's front side, in cells.
FACE = 0.24

# Bricks per cell along and down.
_BRICKS, _COURSES = 1.5, 3
_FACE_BRICKS = 4.5

_BRICK = mix(rgb(THEME.red), rgb(THEME.wood_light), 0.62)
_BRICK_LIGHT = mix(_BRICK, rgb(THEME.straw_light), 0.38)
_BRICK_DARK = mix(_BRICK, rgb(THEME.red_dark), 0.55)
_MORTAR = mix(rgb(THEME.sand), rgb(THEME.flagstone_dark), 0.55)
_GLOOM = mix(rgb(THEME.ink), rgb(THEME.red_dark), 0.25)


def wall(cell: int, place: int, open_sides: int) -> Colour:
    """One cell of wall, (cell, cell, 3).

    `open_sides` has the bits of the neighbours that are not wall; it is darker away from them.
    """
    canvas = Canvas(cell)
    row, column = divmod(place, PERIOD)
    x, y = canvas.x + column, canvas.y + row
    away = depth(canvas.x, canvas.y, open_sides)
    canvas.wash(np.ones_like(away), _bricks(canvas, x, y))
    _draw_edges(canvas, away, open_sides)
    if open_sides & BELOW:
        _draw_face(canvas, x)
    canvas.wash(0.80 * smooth(0.42, 1.0, away), _GLOOM)
    return canvas.layer()[0]


def _bricks(canvas: Canvas, x: Field, y: Field) -> Colour:
    """Bricks in courses, every other one shifted by half a brick."""
    down = y * _COURSES
    course = np.floor(down).astype(np.int64)
    across = x * _BRICKS + 0.5 * (course % 2)
    number = np.floor(across).astype(np.int64)
    # From 0 to 1 within each brick.
    inner_x: Field = across - number
    inner_y: Field = (down - course) + 0 * across
    tone = _tones()[course % _tones().shape[0], number % _tones().shape[1]]
    colour = mix(_BRICK, _BRICK_LIGHT, np.clip(tone, 0, 1))
    colour = mix(colour, _BRICK_DARK, np.clip(-tone, 0, 1))
    colour = mix(colour, _BRICK_LIGHT, 0.45 * smooth(0.42, 0.12, inner_y))
    colour = mix(colour, _BRICK_DARK, 0.5 * smooth(0.62, 0.92, inner_y))
    colour = mix(colour, _BRICK_DARK, 0.35 * smooth(0.82, 0.95, inner_x))
    near_x = np.minimum(inner_x, 1 - inner_x) / _BRICKS
    near_y = np.minimum(inner_y, 1 - inner_y) / _COURSES
    joint = canvas.inside(np.minimum(near_x, near_y) - max(0.014, 0.25 * canvas.pixel))
    return mix(colour, _MORTAR, 0.85 * joint)


def _draw_edges(canvas: Canvas, away: Field, open_sides: int) -> None:
    """The rim of the top, lit on the side of the light."""
    if not open_sides:
        return
    if open_sides & BELOW:
        away = np.minimum(away, 1 - FACE - canvas.y)
    step = 1 / (canvas.cell * canvas.factor)
    fall_y, fall_x = np.gradient(-away, np.float32(step))
    facing = fall_x * THEME.light_x + fall_y * THEME.light_y
    rim = smooth(0.115, 0.07, away)
    canvas.wash(0.3 * rim, _BRICK)
    canvas.wash(rim * np.clip(0.75 * facing, 0, 1), _BRICK_LIGHT)
    canvas.wash(rim * np.clip(-0.6 * facing, 0, 1), _BRICK_DARK)
    canvas.fill(away - max(0.014, 0.45 * canvas.pixel), _GLOOM, 0.8)


def _draw_face(canvas: Canvas, x: Field) -> None:
    """The front side: a course of upright bricks in the shade."""
    below = canvas.y - np.float32(1 - FACE) + 0 * x
    across = x * _FACE_BRICKS
    number = np.floor(across).astype(np.int64)
    tone = _tones()[0, number % _tones().shape[1]]
    dark = mix(_BRICK_DARK, _GLOOM, 0.42)
    colour = mix(dark, _BRICK, np.clip(0.16 + 0.4 * tone, 0, 1) + 0 * below)
    near = np.abs(across - np.round(across)) / _FACE_BRICKS
    joint = canvas.inside(near - max(0.010, 0.2 * canvas.pixel)) + 0 * below
    colour = mix(colour, _GLOOM, 0.6 * joint)
    colour = mix(colour, _GLOOM, 0.55 * smooth(0.55 * FACE, FACE, below))
    canvas.fill(-below, colour)
    canvas.fill(np.abs(below) - max(0.012, 0.4 * canvas.pixel), _GLOOM, 0.8)


@lru_cache(maxsize=1)
def _tones() -> NDArray[np.float32]:
    """Brightness of each brick, from about -1 to 1."""
    shape = (_COURSES * PERIOD, round(_BRICKS * PERIOD))
    chance = np.random.default_rng(83)
    return chance.uniform(-0.34, 0.30, shape).astype(np.float32)

"""The turnstiles: bronze arms around a post."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.kwirk.codec import STEPS
from puzzle_envs.kwirk.picture.scene import DOWN, LEFT, RIGHT, UP
from puzzle_envs.rendering.canvas import Canvas, Sprite, mix, rgb, smooth
from puzzle_envs.rendering.shapes import Field, Point, box, circle
from puzzle_envs.rendering.theme import LIGHT as THEME

# Angular resolution of turning turnstiles, in degrees.
_FINEST = 2

# Length of an arm from the centre of its post, its half width, and the length of its bevel.
_REACH, _HALF, _ROUND = 1.41, 0.25, 0.11
_BEVEL = 0.085
_SHADOW = (0.05, 0.085)
_LEGIBLE = 12

_PLAIN = rgb(THEME.bronze)
_LIGHT = rgb(THEME.bronze_light)
_DARK = rgb(THEME.bronze_dark)
_EDGE = rgb(THEME.bronze_dark) * np.float32(0.5)
_GOLD = mix(rgb(THEME.yellow), rgb(THEME.straw_light), 0.4)


@lru_cache(maxsize=16)
def arm(cell: int, way: int) -> Sprite:
    """The part of an arm on its own cell."""
    canvas = Canvas(cell)
    down, right = STEPS[way]
    _draw(canvas, (0.5 - right, 0.5 - down), 1 << way, 0.0)
    return canvas.sprite()


@lru_cache(maxsize=32)
def post(cell: int, arms: int) -> Sprite:
    """The part of a turnstile on the cell of its pivot."""
    canvas = Canvas(cell)
    _draw(canvas, (0.5, 0.5), arms, 0.0)
    return canvas.sprite()


def turned(cell: int, arms: int, degrees: float) -> Sprite:
    """A whole turnstile turned clockwise by an angle, on the cell of its pivot."""
    return _turned(cell, arms, round(degrees / _FINEST) * _FINEST)


@lru_cache(maxsize=48)
def _turned(cell: int, arms: int, degrees: int) -> Sprite:
    canvas = Canvas(cell, left=-1, top=-1, right=2, bottom=2)
    _draw(canvas, (0.5, 0.5), arms, np.pi / 180 * degrees)
    return canvas.sprite()


def _draw(canvas: Canvas, middle: Point, arms: int, angle: float) -> None:
    x, y = canvas.x - middle[0], canvas.y - middle[1]
    shade = _outline(x - _SHADOW[0], y - _SHADOW[1], arms, angle)
    canvas.fill(shade - 0.01, rgb(THEME.shadow) * np.float32(0.6), 0.5, blur=0.07)
    shape = _outline(x, y, arms, angle)
    line = max(0.022, 0.5 * canvas.pixel)
    canvas.fill(shape, _EDGE)
    step = 1 / (canvas.cell * canvas.factor)
    fall_y, fall_x = np.gradient(shape, np.float32(step))
    facing = fall_x * THEME.light_x + fall_y * THEME.light_y
    slant = smooth(1.25 * _BEVEL, 0.5 * _BEVEL, -shape)
    colour = mix(_PLAIN, _LIGHT, np.clip(0.12 + 0.75 * slant * facing, 0, 1))
    colour = mix(colour, _DARK, np.clip(-0.8 * slant * facing, 0, 1))
    canvas.fill(shape + line, colour)
    if canvas.cell >= _LEGIBLE:
        _draw_rivets(canvas, x, y, arms, angle)
    _draw_hub(canvas, x, y)


def _outline(x: Field, y: Field, arms: int, angle: float) -> Field:
    shape = circle(x, y, (0, 0), 0.33)
    # Rotate back to upright and level arms.
    back_x = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
    back_y = y * np.float32(np.cos(angle)) - x * np.float32(np.sin(angle))
    for way in (UP, RIGHT, DOWN, LEFT):
        if arms >> way & 1:
            down, right = STEPS[way]
            middle = (right * _REACH / 2, down * _REACH / 2)
            half = (
                _HALF + abs(right) * (_REACH / 2 - _HALF),
                _HALF + abs(down) * (_REACH / 2 - _HALF),
            )
            shape = np.minimum(shape, box(back_x, back_y, middle, half, _ROUND))
    return shape


def _draw_rivets(canvas: Canvas, x: Field, y: Field, arms: int, angle: float) -> None:
    """A gold line along each arm, with a knob at its end."""
    cos, sin = np.cos(angle), np.sin(angle)
    for way in (UP, RIGHT, DOWN, LEFT):
        if not arms >> way & 1:
            continue
        down, right = STEPS[way]
        ahead = (right * cos - down * sin, right * sin + down * cos)
        end = (float(ahead[0]) * (_REACH - 0.24), float(ahead[1]) * (_REACH - 0.24))
        knob = circle(x, y, end, 0.07)
        canvas.fill(knob - max(0.018, 0.4 * canvas.pixel), _EDGE, 0.8)
        canvas.fill(knob, _GOLD)


def _draw_hub(canvas: Canvas, x: Field, y: Field) -> None:
    line = max(0.022, 0.5 * canvas.pixel)
    ring = circle(x, y, (0, 0), 0.235)
    canvas.fill(ring, _EDGE)
    lit = smooth(0.26, -0.26, x * THEME.light_x * -1 + y * THEME.light_y * -1)
    canvas.fill(ring + line, mix(rgb(THEME.yellow_dark), _GOLD, 0.25 + 0.75 * lit))
    cap = circle(x, y, (0, 0), 0.085)
    canvas.fill(cap - 0.5 * line, rgb(THEME.yellow_dark) * np.float32(0.6), 0.8)
    canvas.fill(cap, mix(_GOLD, rgb(THEME.yellow_dark), 0.35 + 0.4 * lit))

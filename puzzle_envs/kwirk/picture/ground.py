"""The ground of a level: paved floor, holes full of dark water, and the stairs of the exit."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.kwirk.picture.outlines import depth
from puzzle_envs.rendering import noise
from puzzle_envs.rendering.board import darkness, shadows
from puzzle_envs.rendering.canvas import (
    Canvas,
    Colour,
    average,
    mix,
    rgb,
    smooth,
)
from puzzle_envs.rendering.shapes import Field, box
from puzzle_envs.rendering.theme import LIGHT as THEME

# Offset and softness of the shadow of a wall or a block.
shade = shadows((0.13, 0.12), blur=0.10, strength=0.5)
"""Darkness of the shadow of a rectangle."""

# Holes: inset of the edge, radius of the corners, and height of the walls.
_RIM, _CORNER, _WALL = 0.045, 0.2, 0.17
WATER = mix(rgb(THEME.robe_dark), rgb(THEME.bronze_dark), 0.30) * np.float32(0.62)
_STONE = mix(rgb(THEME.sand), rgb(THEME.flagstone), 0.35)
_STAIRS = 4


def floor(cell: int, place: int, shaded: int) -> Colour:
    """One cell of paved floor, (cell, cell, 3); `shaded` tells which neighbours shade it."""
    return _shaded(_paving(cell, place), cell, shaded)


def hole(cell: int, place: int, outside: int) -> Colour:
    """One cell of a hole, (cell, cell, 3); `outside` tells which neighbours are not holes."""
    canvas = Canvas(cell)
    x, y = canvas.x, canvas.y
    rim = max(_RIM, 0.7 * canvas.pixel)
    away = depth(x, y, outside, _CORNER) - rim
    line = max(0.016, 0.45 * canvas.pixel)
    lip = mix(_STONE, rgb(THEME.sand_light), 0.45 * smooth(0.5, 1.0, x + y - 0.5))
    canvas.fill(-away - rim, lip, 0.75)
    canvas.fill(-away - line, rgb(THEME.wood_dark))
    # The wall below the far edge, and the water below the wall.
    dark = mix(rgb(THEME.flagstone_dark), WATER, 0.45)
    canvas.fill(-away, mix(dark, WATER, smooth(0, 1.1 * _WALL, away)))
    under_wall = depth(x, y - np.float32(_WALL), outside, _CORNER) - rim
    water = np.minimum(away, under_wall)
    canvas.fill(-water, _water(canvas, place, water))
    canvas.fill(np.abs(water - 0.01) - 0.8 * line, mix(WATER, rgb(THEME.bronze_light), 0.45), 0.5)
    colour, hidden = canvas.layer()
    ground = _paving(cell, place)
    return np.asarray(ground * (1 - hidden[..., None]) + colour, np.float32)


def _water(canvas: Canvas, place: int, inside: Field) -> Colour:
    row, column = divmod(place, noise.PERIOD)
    x, y = canvas.x + column, canvas.y + row
    turn = np.float32(2 * np.pi / noise.PERIOD)
    # Ripples with the period of the texture.
    height = np.sin(turn * (9 * y - x) + 1.1 * np.sin(turn * (2 * x + y)))
    height = height * np.sin(turn * (2 * x + 3 * y) + 1.2 * np.sin(turn * (4 * y - x)))
    crest = smooth(0.62, 0.97, height)
    colour = mix(WATER, rgb(THEME.robe), 0.35 * smooth(0.0, 0.45, inside))
    return mix(colour, rgb(THEME.bronze_light), 0.30 * crest * smooth(0.05, 0.2, inside))


def stairs(cell: int, place: int, shaded: int, *, lit: bool) -> Colour:
    """The exit, (cell, cell, 3): stairs leading down, lit from below once all have left."""
    canvas = Canvas(cell)
    x, y = canvas.x, canvas.y
    line = max(0.018, 0.45 * canvas.pixel)
    frame = box(x, y, (0.5, 0.5), (0.45, 0.45), 0.06)
    well = box(x, y, (0.5, 0.5), (0.36, 0.36), 0.02)
    gold = mix(rgb(THEME.straw_light), rgb(THEME.straw_dark), smooth(0.4, 1.6, x + y))
    canvas.fill(frame - line, rgb(THEME.ink), 0.8)
    canvas.fill(frame, gold)
    canvas.fill(well - line, rgb(THEME.ink))
    near, deep = rgb(THEME.flagstone_light), WATER
    if lit:
        near, deep = rgb(THEME.wood_light), mix(rgb(THEME.yellow), rgb(THEME.glow), 0.45)
    canvas.fill(well, deep)
    for number in range(_STAIRS):
        # From the top step, nearest to the viewer, down.
        share = number / _STAIRS
        tread = 0.86 - 0.72 * (share + 1 / _STAIRS)
        end = 0.36 - 0.05 * number
        step = box(x, y, (0.5, tread + 0.09), (end, 0.09))
        colour = mix(near, deep, 0.9 * share)
        canvas.fill(np.maximum(step, well), colour)
        edge = box(x, y, (0.5, tread + 0.01), (end, 0.022))
        canvas.fill(np.maximum(edge, well), mix(colour, rgb(THEME.ink), 0.6))
    colour, hidden = canvas.layer()
    ground = _paving(cell, place)
    shown = np.asarray(ground * (1 - hidden[..., None]) + colour, np.float32)
    return _shaded(shown, cell, shaded)


@lru_cache(maxsize=2 * noise.PLACES)
def _paving(cell: int, place: int) -> Colour:
    fine = noise.grain(cell, place, 11, (0.0, 0.02), (0.6, 0.5))
    broad = noise.grain(cell, place, 21, (0.15, 0.5), (0.5, 0.7))
    tone = np.random.default_rng(place + 300).uniform(-0.5, 0.5)
    colour = mix(rgb(THEME.sand), rgb(THEME.sand_shade), np.clip(0.03 + 0.05 * fine, 0, 1))
    colour = mix(colour, rgb(THEME.sand_raked), np.clip(0.22 + 0.16 * tone + 0.07 * broad, 0, 1))
    dark, light = _seams(cell)
    colour = mix(colour, rgb(THEME.sand_shade), dark)
    return mix(colour, rgb(THEME.sand_light), light)


@lru_cache(maxsize=8)
def _seams(cell: int) -> tuple[Field, Field]:
    """Fine lines between the stones, which help counting cells, and their highlights."""
    canvas = Canvas(cell)
    x, y = canvas.x, canvas.y
    line = max(0.012, 0.3 * canvas.pixel)
    near = np.minimum(0.5 - np.abs(x - 0.5), 0.5 - np.abs(y - 0.5))
    first = np.minimum(x, y)
    lit = canvas.inside(np.abs(first - 2.5 * line) - line)
    dark = canvas.inside(near - line)
    return 0.5 * average(dark, canvas.factor), 0.4 * average(lit * (1 - dark), canvas.factor)


def _shaded(colour: Colour, cell: int, shaded: int) -> Colour:
    return mix(colour, shadow_colour(), darkness(shade, cell, shaded))


def shadow_colour() -> Colour:
    """The colour of a full shadow."""
    return rgb(THEME.shadow) * np.float32(0.7)

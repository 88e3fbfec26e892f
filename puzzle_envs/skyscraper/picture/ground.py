"""The ground of a town: sandy lots, a wooden edge, and moss with clues on stones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.rendering.board import INWARD, draw_beam
from puzzle_envs.rendering.canvas import Canvas, Colour, average, mix, rgb
from puzzle_envs.rendering.noise import grain, moss
from puzzle_envs.rendering.shapes import Field, Point, box
from puzzle_envs.rendering.theme import LIGHT as THEME
from puzzle_envs.rendering.theme import Theme
from puzzle_envs.skyscraper.picture.marks import draw_number, draw_warning
from puzzle_envs.skyscraper.picture.scene import BROKEN, MET

# Thickness of the wooden edge, and distance of the stones from it.
_EDGE = 0.11
_STONE = 0.335
# Height of the clues, and the cell size from which they are legible.
_CLUE = 0.36
_LEGIBLE = 10


def lot(cell: int, place: int) -> Colour:
    """One lot, (cell, cell, 3)."""
    fine = grain(cell, place, 11, (0.0, 0.02), (0.6, 0.5))
    broad = grain(cell, place, 21, (0.15, 0.5), (0.5, 0.7))
    colour = mix(rgb(THEME.sand), rgb(THEME.sand_shade), np.clip(0.05 + 0.07 * fine, 0, 1))
    colour = mix(colour, rgb(THEME.sand_light), np.clip(0.05 + 0.09 * fine + 0.04 * broad, 0, 1))
    return mix(colour, rgb(THEME.sand_raked), 0.75 * _streets(cell))


@lru_cache(maxsize=8)
def _streets(cell: int) -> Field:
    """Raked strips between the lots, which help counting cells."""
    canvas = Canvas(cell)
    near = np.minimum(0.5 - np.abs(canvas.x - 0.5), 0.5 - np.abs(canvas.y - 0.5))
    return average(canvas.inside(near - max(0.035, 0.6 * canvas.pixel)), canvas.factor)


def ring(cell: int, theme: Theme, place: int, side: int, clue: int, standing: int) -> Colour:
    """One cell of the ring around the grid, (cell, cell, 3), with its clue, if it is not 0.

    `side` counts clockwise: 0 above the grid, 1 its upper right corner, and so on to 7.
    """
    canvas = Canvas(cell)
    inward_x, inward_y = INWARD[side]
    if clue:
        middle = (0.5 - 0.045 * inward_x, 0.5 - 0.045 * inward_y)
        _draw_clue(canvas, place * 8 + side, middle, clue, standing)
    draw_beam(canvas, INWARD[side], max(_EDGE, 1.5 * canvas.pixel), (0.07, 0.01))
    colour, hidden = canvas.layer()
    green, fine, broad = moss(cell, place)
    shade = 1 + 0.03 * fine + 0.015 * broad
    stones = theme.ground(colour * shade[..., None])
    return np.asarray(theme.around(green) * (1 - hidden[..., None]) + stones, np.float32)


def _draw_clue(canvas: Canvas, seed: int, middle: Point, clue: int, standing: int) -> None:
    """A flat stone with a number: overgrown if the clue is met, red if broken."""
    share = float(np.random.default_rng(seed).uniform(0, 0.5))
    tone = mix(rgb(THEME.flagstone_light), rgb(THEME.flagstone), share)
    light, dark, ink = rgb(THEME.flagstone_light), rgb(THEME.flagstone_dark), rgb(THEME.ink)
    if standing == MET:
        tone = mix(tone, rgb(THEME.path), 0.55)
        light, dark = mix(light, rgb(THEME.path), 0.5), mix(dark, rgb(THEME.path_dark), 0.5)
        ink = mix(tone, rgb(THEME.path_dark), 0.62)
    elif standing == BROKEN:
        tone, light, dark = rgb(THEME.red), rgb(THEME.orange), rgb(THEME.red_dark)
        ink = rgb(THEME.sand_light)
    x, y = canvas.x - middle[0], canvas.y - middle[1]
    stone = _stone(x, y, seed)
    shadow = _stone(x - 0.02, y - 0.035, seed)
    canvas.fill(shadow - 0.02, rgb(THEME.path_dark) * np.float32(0.55), 0.7, blur=0.08)
    line = max(0.018, 0.4 * canvas.pixel)
    canvas.fill(stone, dark * np.float32(0.85))
    canvas.fill(stone + line, tone)
    lit = (x * THEME.light_x + y * THEME.light_y) / _STONE
    rim = canvas.inside(stone + line) * (1 - canvas.inside(stone + 0.07, 0.07))
    canvas.wash(rim * np.clip(0.9 * lit, 0, 0.7), light)
    canvas.wash(rim * np.clip(-0.7 * lit, 0, 0.4), dark)
    if standing == BROKEN:
        draw_warning(canvas, stone, max(0.05, canvas.pixel))
    if canvas.cell >= _LEGIBLE:
        draw_number(canvas, clue, middle, _CLUE, ink)


def _stone(x: Field, y: Field, seed: int) -> Field:
    chance = np.random.default_rng(seed + 500)
    around = np.arctan2(y, x)
    wave = np.zeros_like(around)
    for waves, height in ((2, 0.02), (3, 0.016), (5, 0.008)):
        wave += np.float32(height) * np.cos(waves * around + chance.uniform(0, 2 * np.pi))
    return box(x, y, (0, 0), (_STONE, _STONE), 0.2) - wave

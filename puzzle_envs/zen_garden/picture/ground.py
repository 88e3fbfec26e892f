"""The ground of a Zen garden: sand, raked and not, and the path around it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.rendering.board import INWARD, draw_beam
from puzzle_envs.rendering.canvas import Canvas, average, mix, rgb, samples_per_pixel, smooth
from puzzle_envs.rendering.noise import grain, moss
from puzzle_envs.rendering.shapes import Field, Point, circle, smooth_union
from puzzle_envs.rendering.theme import LIGHT as THEME

# The trails in a cell: none, waves if unknown, or straight.
UNRAKED, NEUTRAL, ACROSS, UPRIGHT = range(4)
# Bends, by the corner of the cell they turn around: north-west, north-east, south-east, south-west.
BENDS = (4, 5, 6, 7)
# Started: the monk's cell, entered heading north, east, south or west.
BEGUN = (8, 9, 10, 11)

NORTH, EAST, SOUTH, WEST = range(4)

# The rake is narrower than a cell by this much on each side.
_MARGIN = 0.035
# The corners of a cell, clockwise from the north-west.
_CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def _teeth(cell: int) -> int:
    """Number of teeth of the rake: fewer in small cells."""
    return 2 if cell < 10 else 3 if cell < 20 else 4 if cell < 44 else 5


@lru_cache(maxsize=256)
def _trail(cell: int, kind: int) -> tuple[Field, Field, Field]:
    """The trail of the rake: its coverage, and the shading of grooves and ridges."""
    factor = samples_per_pixel(cell)
    step = 1 / (cell * factor)
    # A margin of samples around the cell makes slopes correct up to its edge.
    line = (np.arange(-factor, (cell + 1) * factor, dtype=np.float32) + 0.5) * np.float32(step)
    inner = slice(factor, -factor)
    across, covered = _swath(cell, kind, line[None, :], line[:, None])
    teeth = _teeth(cell)
    margin = 0.0 if kind == NEUTRAL else _MARGIN
    wave = np.cos(2 * np.pi * teeth * (across - margin) / (1 - 2 * margin))
    groove = (0.5 - 0.5 * wave) ** np.float32(1.6) * covered
    fall_y, fall_x = np.gradient(groove, np.float32(step * teeth))
    # The side of a groove nearer to the light faces away from it.
    away = (fall_x * THEME.light_x + fall_y * THEME.light_y) / np.float32(np.pi)
    dark = 0.38 * groove + 0.27 * np.clip(away, 0, None)
    light = 0.9 * np.clip(-away, 0, None)
    covered, dark, light = (average(part[inner, inner], factor) for part in (covered, dark, light))
    return covered, dark, light


def _swath(cell: int, kind: int, x: Field, y: Field) -> tuple[Field, Field]:
    """Position of each point across the rake, from 0 to 1, and its coverage."""
    if kind == NEUTRAL:
        return y + 0.055 * np.sin(2 * np.pi * x), np.ones_like(x + y)
    if kind in BENDS:
        corner = _CORNERS[BENDS.index(kind)]
        across = np.hypot(x - corner[0], y - corner[1])
    else:
        across = y + 0 * x if kind in (ACROSS, BEGUN[EAST], BEGUN[WEST]) else x + 0 * y
    soft = max(1.0 / cell, 0.03)
    edge = _MARGIN / 2
    covered = smooth(edge, edge + soft, across) * smooth(edge, edge + soft, 1 - across)
    if kind in BEGUN:
        depth = (1 - y, x, y, 1 - x)[BEGUN.index(kind)]
        covered = covered * smooth(-0.16, -0.10, -depth)
    return across, covered


def sand(cell: int, place: int, kind: int, borders: int) -> Field:
    """One cell of sand, (cell, cell, 3), with the trail of the rake.

    `borders` has a bit for each side on which the path lies: 1 north, 2 east, 4 south, 8 west.
    """
    fine = grain(cell, place, 11, (0.0, 0.02), (0.6, 0.5))
    broad = grain(cell, place, 21, (0.15, 0.5), (0.5, 0.7))
    colour = mix(rgb(THEME.sand), rgb(THEME.sand_shade), np.clip(0.05 + 0.07 * fine, 0, 1))
    colour = mix(colour, rgb(THEME.sand_light), np.clip(0.05 + 0.09 * fine + 0.04 * broad, 0, 1))
    if kind in BENDS:
        # The outer corner of a bend has no grooves, but counts as raked.
        colour = mix(colour, rgb(THEME.sand_raked), 0.2)
    else:
        colour = mix(colour, rgb(THEME.sand_shade), _corner_dots(cell))
    if kind != UNRAKED:
        covered, dark, light = _trail(cell, kind)
        raked = mix(
            rgb(THEME.sand_raked), rgb(THEME.sand_shade), np.clip(dark + 0.022 * fine, 0, 1)
        )
        raked = mix(raked, rgb(THEME.sand_light), np.clip(light, 0, 1))
        colour = mix(colour, raked, covered)
    return mix(colour, rgb(THEME.wood_dark), _frame_shadow(cell, borders))


@lru_cache(maxsize=8)
def _corner_dots(cell: int) -> Field:
    """Small dimples where four cells meet, which help counting cells."""
    canvas = Canvas(cell)
    away = np.hypot(0.5 - np.abs(canvas.x - 0.5), 0.5 - np.abs(canvas.y - 0.5))
    return 0.4 * average(canvas.inside(away - max(0.028, 0.6 * canvas.pixel)), canvas.factor)


@lru_cache(maxsize=64)
def _frame_shadow(cell: int, borders: int) -> Field:
    """The frame's shadow on the sand: the light comes from the north-west."""
    canvas = Canvas(cell)
    shade = np.zeros_like(canvas.x + canvas.y)
    far = (canvas.y, 1 - canvas.x, 1 - canvas.y, canvas.x)
    for side, (depth, strength) in enumerate(
        zip((0.20, 0.07, 0.07, 0.17), (0.55, 0.32, 0.32, 0.5), strict=True)
    ):
        if borders & (1 << side):
            reach = max(depth, 1.5 * canvas.pixel)
            shade = np.maximum(shade, strength * (1 - smooth(0, reach, far[side])))
    return average(shade, canvas.factor)


def path(cell: int, place: int, side: int, blossoms: bool) -> Field:
    """One cell of the path around the garden, (cell, cell, 3).

    `side` counts clockwise: 0 north, 1 the north-east corner, 2 east, and so on to 7, north-west.
    """
    canvas = Canvas(cell)
    seed = place * 8 + side
    inward_x, inward_y = INWARD[side]
    _draw_flagstone(canvas, seed, (0.5 - 0.07 * inward_x, 0.5 - 0.07 * inward_y))
    if blossoms:
        _draw_blossoms(canvas, seed)
    draw_beam(canvas, INWARD[side], 0.15, (0.10, 0.012))
    colour, hidden = canvas.layer()
    green, fine, broad = moss(cell, place)
    shade = 1 + 0.035 * fine + 0.02 * broad
    return np.asarray(green * (1 - hidden[..., None]) + colour * shade[..., None], np.float32)


def _draw_flagstone(canvas: Canvas, seed: int, centre: Point) -> None:
    """A flagstone, and a pebble beside it."""
    chance = np.random.default_rng(seed + 500)
    tone = mix(rgb(THEME.flagstone), rgb(THEME.flagstone_dark), float(chance.uniform(0, 0.45)))
    angle = chance.uniform(0, 2 * np.pi)
    pebble = (centre[0] + 0.43 * float(np.cos(angle)), centre[1] + 0.43 * float(np.sin(angle)))
    for middle, size in ((pebble, 0.06), (centre, float(chance.uniform(0.31, 0.36)))):
        x, y = canvas.x - middle[0], canvas.y - middle[1]
        around = np.arctan2(y, x)
        outline = np.ones_like(around)
        for waves, height in ((2, 0.07), (3, 0.05), (4, 0.025), (5, 0.02)):
            shift = chance.uniform(0, 2 * np.pi)
            outline += np.float32(height) * np.cos(waves * around + shift)
        stone = np.hypot(x, y) - np.float32(size) * outline
        shadow = np.hypot(x - 0.02, y - 0.035) - np.float32(size) * outline
        canvas.fill(shadow - 0.02, rgb(THEME.path_dark) * np.float32(0.55), 0.7, blur=0.08)
        canvas.fill(stone, rgb(THEME.flagstone_dark) * np.float32(0.85))
        canvas.fill(stone + 0.015, tone)
        lit = (x * THEME.light_x + y * THEME.light_y) / size
        rim = canvas.inside(stone + 0.015) * (1 - canvas.inside(stone + 0.2 * size, 0.2 * size))
        canvas.wash(rim * np.clip(0.9 * lit, 0, 0.7), rgb(THEME.flagstone_light))
        canvas.wash(rim * np.clip(-0.7 * lit, 0, 0.4), rgb(THEME.flagstone_dark))


def _draw_blossoms(canvas: Canvas, seed: int) -> None:
    chance = np.random.default_rng(seed + 900)
    for _ in range(int(chance.integers(3, 6))):
        x, y = chance.uniform(0.08, 0.92, 2)
        turn = chance.uniform(0, np.pi)
        half = (0.045 * np.cos(turn), 0.045 * np.sin(turn))
        petal = smooth_union(
            circle(canvas.x, canvas.y, (x, y), 0.045),
            circle(canvas.x, canvas.y, (x + half[0], y + half[1]), 0.03),
            0.03,
        )
        canvas.fill(petal, rgb(THEME.blossom))

"""The box: its floor with the inlaid goal, and its frame with the gate."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.hua_rong_dao.picture import blocks, emblems, wood
from puzzle_envs.rendering import noise
from puzzle_envs.rendering.board import INWARD, darkness
from puzzle_envs.rendering.canvas import Canvas, Colour, average, mix, rgb, smooth
from puzzle_envs.rendering.shapes import Field, box, capsule
from puzzle_envs.rendering.theme import LIGHT as THEME

# Width of the frame in cells.
FRAME = 0.42

Mask = NDArray[np.bool_]
Stretch = tuple[int, int]
"""A length in cells, and an index therein."""


def floor(cell: int, place: int, shaded: int, goal: tuple[Stretch, Stretch] | None) -> Colour:
    """One cell of the empty floor, (cell, cell, 3).

    `shaded` tells which neighbours are covered; `goal` which cell of the goal this is, down and
    across.
    """
    fibres = noise.part(wood.fibres(cell, upright=False), cell, place)
    colour = mix(rgb(THEME.wood_dark), rgb(THEME.wood), np.clip(0.48 + 0.2 * fibres, 0, 1))
    opacity, inlay = _goal(cell, *goal) if goal else _seam(cell)
    colour = mix(colour, inlay, opacity)
    return mix(colour, blocks.shadow_colour(), darkness(blocks.shade, cell, shaded))


@lru_cache(maxsize=8)
def _seam(cell: int) -> tuple[Field, Colour]:
    """A fine line between cells, which helps counting."""
    canvas = Canvas(cell)
    near = np.minimum(0.5 - np.abs(canvas.x - 0.5), 0.5 - np.abs(canvas.y - 0.5))
    line = canvas.inside(near - max(0.012, 0.4 * canvas.pixel))
    return 0.5 * average(line, canvas.factor), rgb(THEME.wood_dark)


@lru_cache(maxsize=64)
def _goal(cell: int, down: Stretch, across: Stretch) -> tuple[Field, Colour]:
    """Opacity and colour of the goal's inlay in one cell."""
    canvas = Canvas(cell)
    x, y = canvas.x + across[1], canvas.y + down[1]
    width, height = across[0], down[0]
    middle, half = (width / 2, height / 2), (width / 2 - 0.09, height / 2 - 0.09)
    panel = box(x, y, middle, half, 0.1)
    canvas.fill(panel, rgb(THEME.red_dark), 0.5)
    line = max(0.017, 0.5 * canvas.pixel)
    crest = emblems.crest(x - middle[0], y - middle[1], width, height)
    gold = mix(rgb(THEME.yellow_dark), rgb(THEME.straw), 0.55)
    canvas.fill(np.minimum(crest, np.abs(panel) - line), gold, 0.75)
    colour, hidden = canvas.layer()
    return hidden, np.asarray(colour / np.maximum(hidden, 1e-6)[..., None], np.float32)


def frame(cell: int, place: int, side: int, gate: Stretch | None, *, lit: bool) -> Colour:
    """One cell of the frame, (cell, cell, 3), of which the outer part is cut off.

    `gate` is the cell's place in the gate, to the right or downward; the gate is lit once the goal
    piece has arrived.
    """
    canvas = Canvas(cell)
    inward_x, inward_y = INWARD[side]
    # Distance to the box, in each direction in which it lies.
    far_x = (1 - canvas.x if inward_x > 0 else canvas.x) + 0 * canvas.y
    far_y = (1 - canvas.y if inward_y > 0 else canvas.y) + 0 * canvas.x
    lies_upright: Mask = (
        far_x > far_y if inward_x and inward_y else np.full(far_x.shape, inward_x != 0)
    )
    far = np.where(lies_upright, far_x, far_y)
    canvas.wash(np.ones_like(far), _beam(cell, place, canvas.factor, lies_upright))
    _draw_profile(canvas, far, lies_upright, inward_x, inward_y)
    if inward_x and inward_y:
        canvas.fill(np.abs(far_x - far_y) - 0.008, rgb(THEME.wood_dark), 0.6)
    if gate:
        along = canvas.y + 0 * canvas.x if inward_x else canvas.x + 0 * canvas.y
        _draw_gate(canvas, far, along + gate[1], gate[0], lit=lit)
    colour, _ = canvas.layer()
    return colour


def _beam(cell: int, place: int, factor: int, lies_upright: Mask) -> Colour:
    flat, upright = (
        np.kron(noise.part(wood.fibres(cell, upright=way), cell, place), np.ones((factor, factor)))
        for way in (False, True)
    )
    fibres = np.where(lies_upright, upright, flat)
    colour = mix(rgb(THEME.wood), rgb(THEME.wood_light), np.clip(0.22 + 0.16 * fibres, 0, 1))
    return mix(colour, rgb(THEME.wood_dark), np.clip(-0.12 - 0.2 * fibres, 0, 1))


def _draw_profile(
    canvas: Canvas, far: Field, lies_upright: Mask, inward_x: int, inward_y: int
) -> None:
    """The bevels along both edges of a beam, and a fine inlaid line between them."""
    light, dark = mix(rgb(THEME.wood_light), rgb(THEME.straw_light), 0.45), rgb(THEME.wood_dark)
    # The inner bevel faces the box, the outer one faces away from it.
    facing = np.where(lies_upright, inward_x * THEME.light_x, inward_y * THEME.light_y)
    for lower, upper, way in ((0.0, 0.085, 1), (FRAME - 0.075, FRAME + 0.1, -1)):
        soft = max(0.02, canvas.pixel)
        slant = smooth(lower - soft, lower, far) * smooth(upper + soft / 2, upper - soft / 2, far)
        canvas.wash(slant * np.clip(0.8 * way * facing, 0, 1), light)
        canvas.wash(slant * np.clip(-0.95 * way * facing, 0, 1), dark)
    canvas.fill(far - max(0.016, 0.5 * canvas.pixel), dark * np.float32(0.5))
    line = np.abs(far - 0.215) - max(0.012, 0.3 * canvas.pixel)
    gold = mix(rgb(THEME.yellow_dark), rgb(THEME.straw), 0.7)
    canvas.fill(line - 0.012, dark, 0.55)
    canvas.fill(line, gold, 0.9)


def _draw_gate(canvas: Canvas, far: Field, along: Field, length: int, *, lit: bool) -> None:
    """An opening between two red posts; `along` runs from 0 to `length`."""
    gold = mix(rgb(THEME.yellow_dark), rgb(THEME.straw), 0.7)
    post = 0.085
    outside = np.maximum(post - along, along - (length - post))
    sill = mix(rgb(THEME.wood_dark), rgb(THEME.wood), 0.25)
    canvas.fill(outside, mix(sill, sill * np.float32(0.45), np.clip(far / FRAME, 0, 1)))
    if lit:
        light = mix(rgb(THEME.glow), rgb(THEME.yellow), np.clip(far / FRAME, 0, 1))
        canvas.fill(outside, light, 0.95 * smooth(FRAME + 0.2, 0.0, far))
    arrows = np.minimum(*(_chevron(along - length / 2, far, length, at) for at in (0.10, 0.22)))
    line = max(0.016, 0.3 * canvas.pixel)
    canvas.fill(arrows - line, rgb(THEME.wood) if lit else gold, 0.85)
    threshold = np.abs(far - 0.025) - max(0.014, 0.45 * canvas.pixel)
    canvas.fill(np.maximum(outside, threshold), gold)
    posts = np.abs(np.minimum(along, length - along) - post / 2) - np.float32(post / 2)
    canvas.fill(posts - 0.018, rgb(THEME.ink), 0.6, blur=0.03)
    canvas.fill(posts, rgb(THEME.red))
    canvas.fill(posts + 0.028, mix(rgb(THEME.red), rgb(THEME.orange), 0.6), 0.8)
    for cap in (0.02, FRAME - 0.05):
        canvas.fill(np.maximum(posts - 0.01, np.abs(far - cap) - 0.03), gold)


def _chevron(along: Field, far: Field, length: int, start: float) -> Field:
    """An arrow head in the middle of a gate that points out of the box."""
    half = 0.17 * min(length, 2)
    tip = (0.0, start + 0.55 * half)
    return np.minimum(
        capsule(along, far, (-half, start), tip, 0.0), capsule(along, far, (half, start), tip, 0.0)
    )

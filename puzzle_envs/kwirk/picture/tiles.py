"""The tiles of a level: codes of pieces of ground and what is on them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.kwirk.codec import (
    ARM,
    BLOCK,
    EXIT,
    GOES_DOWN,
    GOES_RIGHT,
    GROUND,
    HOLE,
    PIVOT,
    STEPS,
)
from puzzle_envs.kwirk.picture import blocks, ground, outlines, turnstiles, walls
from puzzle_envs.kwirk.picture.scene import Mask, Scene
from puzzle_envs.rendering import noise
from puzzle_envs.rendering.atlas import Atlas
from puzzle_envs.rendering.board import SHADES, Rectangle, shaded_by
from puzzle_envs.rendering.canvas import Pixels, pixels_of
from puzzle_envs.rendering.theme import Theme

Codes = NDArray[np.int32]

# The code of the ground: its place in the texture in the lowest bits, then for floor and stairs
# which neighbours shade it, and for holes and walls which neighbours are something else.
AROUND = noise.PLACES
STAIRS = AROUND * SHADES
LIT = STAIRS
HOLES = STAIRS + 2 * LIT
WALLS = HOLES + AROUND * outlines.SURROUNDINGS
GROUNDS = WALLS + AROUND * outlines.SURROUNDINGS
# Added to the code for an arm, by its direction.
ARMS = GROUNDS
# The code of a pivot: its floor, and the arms around it.
PIVOTS = GROUNDS * (1 + len(STEPS))
POST = STAIRS
# The code of a cell of a block: its place in the texture of the block, the sides on which it is
# joined with others, and whether a hole lies under it.
BLOCKS = PIVOTS + POST * (1 << len(STEPS))
JOINED = noise.PLACES
OVER_HOLE = JOINED * blocks.JOINTS
CODES = BLOCKS + 2 * OVER_HOLE


@lru_cache(maxsize=8)
def atlas(cell: int, theme: Theme) -> Atlas:
    """The tile atlas of a cell size."""
    return Atlas(cell, CODES, lambda code: _draw(cell, theme, code))


def picture(cell: int, theme: Theme, scene: Scene) -> Pixels:
    """Draw a scene without its characters to a new array."""
    return atlas(cell, theme).picture(_codes(scene))


def of_block(cell: int, theme: Theme, block: Rectangle) -> Pixels:
    """Draw a single block to a new array."""
    rows, columns = np.arange(block.height)[:, None], np.arange(block.width)
    joined = (
        blocks.JOINED_ABOVE * (rows > 0)
        + blocks.JOINED_BELOW * (rows < block.height - 1)
        + blocks.JOINED_LEFT * (columns > 0)
        + blocks.JOINED_RIGHT * (columns < block.width - 1)
    )
    return atlas(cell, theme).picture(BLOCKS + JOINED * joined + noise.places(rows, columns))


def _codes(scene: Scene) -> Codes:
    pivot, block, hole = scene.has(PIVOT), scene.has(BLOCK), scene.has(HOLE)
    codes = _ground(scene, hole & ~pivot)
    for way in range(len(STEPS)):
        codes += ARMS * (1 + way) * scene.has(ARM + way)
    for row, column in np.argwhere(pivot):
        arms = scene.arms((int(row), int(column)))
        codes[row, column] += PIVOTS + POST * arms
    if block.any():
        codes = np.where(block, _blocks(scene, hole), codes)
    return codes


def _ground(scene: Scene, hole: Mask) -> Codes:
    wall, way_out = ~scene.has(GROUND), scene.has(EXIT)
    height, width = scene.size
    places = noise.places(np.arange(height)[:, None], np.arange(width))
    high = np.pad(wall | scene.has(BLOCK), 1, constant_values=True)
    shaded = shaded_by(high)
    flat = AROUND * shaded + STAIRS * way_out + LIT * (way_out & scene.solved)
    holes = HOLES + AROUND * outlines.surroundings(~hole, beyond=True)
    walls_ = WALLS + AROUND * outlines.surroundings(~wall, beyond=False)
    return np.asarray(places + np.where(wall, walls_, np.where(hole, holes, flat)), np.int32)


def _blocks(scene: Scene, hole: Mask) -> Codes:
    right, below = scene.has(GOES_RIGHT), scene.has(GOES_DOWN)
    left, above = np.zeros_like(right), np.zeros_like(below)
    left[:, 1:], above[1:] = right[:, :-1], below[:-1]
    joined = (
        blocks.JOINED_ABOVE * above
        + blocks.JOINED_RIGHT * right
        + blocks.JOINED_BELOW * below
        + blocks.JOINED_LEFT * left
    )
    places = noise.places(_numbers(above.T).T, _numbers(left))
    return np.asarray(BLOCKS + JOINED * joined + OVER_HOLE * hole + places, np.int32)


def _numbers(before: Mask) -> NDArray[np.integer]:
    """For each cell, the number of cells of its block before it in its row."""
    here = np.arange(before.shape[1])
    numbers: NDArray[np.integer] = here - np.maximum.accumulate(np.where(before, 0, here), axis=1)
    return numbers


def _draw(cell: int, theme: Theme, code: int) -> Pixels:
    if code >= BLOCKS:
        code -= BLOCKS
        joined = code % OVER_HOLE // JOINED
        pixels = pixels_of(blocks.block(cell, joined, code % JOINED))
        if code >= OVER_HOLE:
            blocks.hole_mark(cell).lay_on(pixels, 0, 0)
        return pixels
    if code >= PIVOTS:
        arms, below = divmod(code - PIVOTS, POST)
        pixels = _draw_ground(cell, theme, below)
        turnstiles.post(cell, arms).lay_on(pixels, 0, 0)
        return pixels
    arm, below = divmod(code, ARMS)
    pixels = _draw_ground(cell, theme, below)
    if arm:
        turnstiles.arm(cell, arm - 1).lay_on(pixels, 0, 0)
    return pixels


def _draw_ground(cell: int, theme: Theme, code: int) -> Pixels:
    place = code % AROUND
    if code >= WALLS:
        return pixels_of(theme.around(walls.wall(cell, place, (code - WALLS) // AROUND)))
    if code >= HOLES:
        return pixels_of(theme.ground(ground.hole(cell, place, (code - HOLES) // AROUND)))
    shaded = code // AROUND % SHADES
    if code >= STAIRS:
        stairs = ground.stairs(cell, place, shaded, lit=code >= STAIRS + LIT)
        return pixels_of(theme.ground(stairs))
    return pixels_of(theme.ground(ground.floor(cell, place, shaded)))

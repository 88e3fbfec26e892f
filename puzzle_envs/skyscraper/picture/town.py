"""A whole scene: the ground, what lies in the shade, and the buildings from back to front."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.atlas import Atlas
from puzzle_envs.rendering.canvas import Pixels, rgb
from puzzle_envs.rendering.theme import LIGHT as THEME
from puzzle_envs.skyscraper.picture import buildings, ground, shadows
from puzzle_envs.skyscraper.picture.scene import BOTTOM, LEFT, RIGHT, SIDES, TOP, Scene

Codes = NDArray[np.int32]

# The code of a cell to build on is its place in the texture; that of a cell of the ring has after
# that its side of the grid, how its clue stands, and the clue.
LARGEST = 12
RING = ground.PLACES
SIDE = ground.PLACES
STANDING = SIDE * 8
CLUE = STANDING * 3
CODES = RING + CLUE * (LARGEST + 1)


@lru_cache(maxsize=8)
def atlas(cell: int) -> Atlas:
    """The tiles of one cell size."""
    return Atlas(cell, CODES, lambda code: _draw(cell, code))


def picture(cell: int, scene: Scene, floors: NDArray[np.floating]) -> Pixels:
    """A scene whose buildings have risen so far, as a fresh array."""
    painted = atlas(cell).picture(_codes(scene))
    _shade_ground(painted, cell, scene.size, floors)
    look = (
        buildings.GIVEN * scene.given
        + buildings.CONFLICT * scene.conflicts
        + buildings.LIT * scene.solved
    )
    for row, column in np.argwhere(scene.values).tolist():
        value, storeys = int(scene.values[row, column]), float(floors[row, column])
        own = (cell, scene.size, value, int(look[row, column]))
        sprite = buildings.building(*own) if storeys == value else buildings.rising(*own, storeys)
        sprite.lay_on(painted, (row + 1) * cell, (column + 1) * cell)
        higher = float(floors[row, column - 1]) - storeys if column else 0.0
        if higher > 0:
            shadow = shadows.on_roof(cell, scene.size, storeys, higher)
            shadow.lay_on(painted, (row + 1) * cell, (column + 1) * cell)
    return painted


def _shade_ground(painted: Pixels, cell: int, size: int, floors: NDArray[np.floating]) -> None:
    """Darken the ground beside the buildings; shadows that meet run into one another."""
    dark = np.zeros((*painted.shape[:2], 1), np.uint16)
    for row, column in np.argwhere(floors).tolist():
        shadow = shadows.on_ground(cell, size, float(floors[row, column]))
        top, left = (row + 1) * cell + shadow.top, (column + 1) * cell + shadow.left
        height, width = shadow.dark.shape[:2]
        part = dark[top : top + height, left : left + width]
        np.maximum(part, shadow.dark[: part.shape[0], : part.shape[1]], out=part)
    colour = np.round(255 * rgb(THEME.shadow)).astype(np.uint16)
    # A band after another, as what lies between takes twice the memory of what is painted.
    for top in range(0, len(painted), cell):
        band, its_dark = painted[top : top + cell], dark[top : top + cell]
        band[:] = (band * (256 - its_dark) + colour * its_dark) >> 8


def _codes(scene: Scene) -> Codes:
    """The tiles of the ground and of the ring around it."""
    codes = _empty(scene.size).copy()
    clues = scene.clues * CLUE + scene.standing * STANDING * (scene.clues > 0)
    edges = {
        TOP: codes[0, 1:-1],
        BOTTOM: codes[-1, 1:-1],
        LEFT: codes[1:-1, 0],
        RIGHT: codes[1:-1, -1],
    }
    for side in range(SIDES):
        edges[side] += clues[side].astype(np.int32)
    return codes


@lru_cache(maxsize=16)
def _empty(size: int) -> Codes:
    """The codes of a grid without clues."""
    places = np.arange(-1, size + 1) % ground.PERIOD
    codes = (places[:, None] * ground.PERIOD + places[None, :]).astype(np.int32)
    sides = np.zeros_like(codes)
    sides[0], sides[-1], sides[:, -1], sides[:, 0] = 0, 4, 2, 6
    sides[0, -1], sides[-1, -1], sides[-1, 0], sides[0, 0] = 1, 3, 5, 7
    on_ring = np.ones(codes.shape, bool)
    on_ring[1:-1, 1:-1] = False
    codes[on_ring] += RING + SIDE * sides[on_ring]
    return codes


def _draw(cell: int, code: int) -> Pixels:
    if code < RING:
        colour = ground.lot(cell, code)
    else:
        code -= RING
        colour = ground.ring(
            cell, code % SIDE, code // SIDE % 8, code // CLUE, code // STANDING % 3
        )
    return np.round(np.clip(colour, 0, 1) * 255).astype(np.uint8)

"""The tiles of a garden: codes of pieces of ground and what is on them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.atlas import Atlas
from puzzle_envs.rendering.board import ringed
from puzzle_envs.rendering.canvas import Pixels, pixels_of
from puzzle_envs.rendering.noise import PLACES
from puzzle_envs.rendering.theme import Theme
from puzzle_envs.zen_garden.picture import ground, leaves, things

# The code of a cell of the garden: its place in the texture in the lowest bits, then its trail (for
# a rock: the sides on which other rocks lie), what is on it, and the sides on which the path lies.
TRAIL = 1 << 4
THING = 1 << 8
BORDER = 1 << 11
# The code of a cell of the path: its place, its side of the garden, and whether blossoms lie there.
PATH = 1 << 15
SIDE = 1 << 4
BLOSSOMS = 1 << 7
CODES = PATH + (1 << 8)

# What is on a cell. LOCKED is added to the colour of a leaf not yet collectable.
ROCK, ORNAMENT, LEAF = 1, 2, 3
LOCKED = 2


@lru_cache(maxsize=8)
def atlas(cell: int, theme: Theme) -> Atlas:
    """The tile atlas of a cell size."""
    return Atlas(cell, CODES, lambda code: _draw(cell, theme, code))


def empty_board(height: int, width: int, rocks: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The codes of a board and the path around it: unraked sand and rocks."""
    codes = ringed(height, width, PATH, SIDE)
    garden = codes[1:-1, 1:-1]
    for side, edge in enumerate((garden[0], garden[:, -1], garden[-1], garden[:, 0])):
        edge += BORDER << side
    around = np.pad(rocks.astype(bool), 1)
    beside = (around[:-2, 1:-1], around[1:-1, 2:], around[2:, 1:-1], around[1:-1, :-2])
    for side, rock_there in enumerate(beside):
        garden += (TRAIL << side) * (rock_there & around[1:-1, 1:-1])
    garden += THING * ROCK * (rocks > 0)
    return codes


def _draw(cell: int, theme: Theme, code: int) -> Pixels:
    place = code % PLACES
    if code >= PATH:
        path = ground.path(cell, place, code // SIDE % 8, bool(code & BLOSSOMS))
        return pixels_of(theme.around(path))
    trail, thing, borders = code // TRAIL % 16, code // THING % 8, code // BORDER % 16
    sand = ground.sand(cell, place, ground.UNRAKED if thing == ROCK else trail, borders)
    pixels = pixels_of(theme.ground(sand))
    if thing == ROCK:
        things.rock(cell, place, trail).lay_on(pixels, 0, 0)
    elif thing == ORNAMENT:
        things.lantern(cell).lay_on(pixels, 0, 0)
    elif thing >= LEAF:
        locked = thing > LEAF + leaves.RED
        leaves.leaf(cell, thing - LEAF - LOCKED * locked, locked).lay_on(pixels, 0, 0)
    return pixels

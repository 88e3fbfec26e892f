"""Distances to the edges of shapes made of cells, from the neighbours of each cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.kwirk.picture.scene import Mask
from puzzle_envs.rendering.shapes import Field, box

# Bits of the neighbours of a cell, clockwise from the one above.
NEIGHBOURS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
ABOVE, RIGHT, BELOW, LEFT = 1, 4, 16, 64
SURROUNDINGS = 1 << len(NEIGHBOURS)


def surroundings(cells: Mask, *, beyond: bool) -> NDArray[np.int32]:
    """For every cell, the bits of the neighbours in a mask; `beyond` is the value off the board."""
    height, width = cells.shape
    around = np.pad(cells, 1, constant_values=beyond)
    total = np.zeros(cells.shape, np.int32)
    for bit, (down, right) in enumerate(NEIGHBOURS):
        there = around[1 + down : 1 + down + height, 1 + right : 1 + right + width]
        total += there.astype(np.int32) << bit
    return total


def depth(x: Field, y: Field, outside: int, radius: float = 0.0) -> Field:
    """Distance to the nearest neighbour outside a shape, at most 1; negative inside it.

    `outside` has a bit for each neighbour outside the shape; `radius` rounds its corners.
    """
    nearest = np.ones(np.broadcast_shapes(x.shape, y.shape), np.float32)
    for bit, (down, right) in enumerate(NEIGHBOURS):
        if not outside >> bit & 1:
            continue
        nearest = np.minimum(nearest, box(x, y, (0.5 + right, 0.5 + down), (0.5, 0.5)))
    for bit in (1, 3, 5, 7):
        if radius and outside >> (bit - 1) & 1 and outside >> (bit + 1) % 8 & 1:
            down, right = NEIGHBOURS[bit]
            across = radius - (1 - x if right > 0 else x)
            along = radius - (1 - y if down > 0 else y)
            corner = np.float32(radius) - np.hypot(across, along)
            nearest = np.where((across > 0) & (along > 0), np.minimum(nearest, corner), nearest)
    return nearest

"""Stone that repeats without a seam, for the floor and the blocks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.rendering.noise import periodic_noise
from puzzle_envs.rendering.shapes import Field

# Textures repeat after this many cells in both directions.
PERIOD = 4
PLACES = PERIOD * PERIOD


def grain(
    cell: int, place: int, seed: int, sizes: tuple[float, ...], weights: tuple[float, ...]
) -> Field:
    """The noise of one cell: a sum of grains, sizes in cells (0: about one pixel)."""
    row, column = divmod(place, PERIOD)
    texture = _texture(cell, seed, sizes, weights)
    return texture[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell]


@lru_cache(maxsize=8)
def _texture(cell: int, seed: int, sizes: tuple[float, ...], weights: tuple[float, ...]) -> Field:
    side = PERIOD * cell
    total = np.zeros((side, side), np.float32)
    for number, (size, weight) in enumerate(zip(sizes, weights, strict=True)):
        total += np.float32(weight) * periodic_noise(
            (side, side), max(size * cell, 0.55), seed + number
        )
    return total

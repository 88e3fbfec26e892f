"""Seamless noise for sand, moss, stone and wood."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.canvas import Colour, mix, rgb
from puzzle_envs.rendering.shapes import Field
from puzzle_envs.rendering.theme import LIGHT as THEME

PERIOD = 4
"""Period of textures, in cells."""
PLACES = PERIOD * PERIOD
"""Number of distinct cells of a texture."""


def places(rows: NDArray[np.integer], columns: NDArray[np.integer]) -> NDArray[np.int32]:
    """The cell of a texture at each row and column."""
    return np.asarray(rows % PERIOD * PERIOD + columns % PERIOD, np.int32)


def periodic_noise(shape: tuple[int, ...], grain: float, seed: int) -> Field:
    """Smooth periodic noise with mean 0 and deviation 1; `grain` is its scale in pixels."""
    height, width = shape
    white = np.random.default_rng(seed).standard_normal((height, width))
    down = np.fft.fftfreq(height)[:, None]
    across = np.fft.rfftfreq(width)[None, :]
    keep = np.exp(-2 * (np.pi * grain) ** 2 * (down**2 + across**2))
    keep[0, 0] = 0
    noise = np.fft.irfft2(np.fft.rfft2(white) * keep, s=(height, width))
    return np.asarray(noise / max(float(noise.std()), 1e-9), np.float32)


def grain(
    cell: int, place: int, seed: int, sizes: tuple[float, ...], weights: tuple[float, ...]
) -> Field:
    """The noise of one cell of a texture: a sum of octaves, sizes in cells (0: about a pixel)."""
    return part(_texture(cell, seed, sizes, weights), cell, place)


def part(texture: Field, cell: int, place: int) -> Field:
    """The part of a texture in one of its cells."""
    row, column = divmod(place, PERIOD)
    return texture[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell]


@lru_cache(maxsize=16)
def _texture(cell: int, seed: int, sizes: tuple[float, ...], weights: tuple[float, ...]) -> Field:
    side = PERIOD * cell
    total = np.zeros((side, side), np.float32)
    for number, (size, weight) in enumerate(zip(sizes, weights, strict=True)):
        total += np.float32(weight) * periodic_noise(
            (side, side), max(size * cell, 0.55), seed + number
        )
    return total


def moss(cell: int, place: int) -> tuple[Colour, Field, Field]:
    """The moss of one cell of the path, with its fine and its coarse noise."""
    fine = grain(cell, place, 31, (0.0, 0.03), (0.5, 0.6))
    broad = grain(cell, place, 41, (0.09, 0.3), (0.6, 0.5))
    shade = np.clip(0.2 + 0.2 * fine + 0.16 * broad, 0, 1)
    colour = mix(rgb(THEME.path), rgb(THEME.path_dark), shade)
    light = np.clip(-0.1 - 0.22 * fine - 0.16 * broad, 0, 1)
    return mix(colour, rgb(THEME.path_light), light), fine, broad

"""Seamless wood textures for the box and its blocks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.rendering.noise import PERIOD, periodic_noise
from puzzle_envs.rendering.shapes import Field

# Aspect ratio of the fibres.
_STRETCH = 14


@lru_cache(maxsize=8)
def fibres(cell: int, *, upright: bool) -> Field:
    """Noise of mean 0 in long fibres, for PERIOD x PERIOD cells."""
    side = PERIOD * cell
    shown = np.zeros((side, side), np.float32)
    for seed, (size, weight) in enumerate(((0.0, 0.45), (0.035, 0.6), (0.14, 0.5))):
        noise = periodic_noise((side, max(side // _STRETCH, 2)), max(size * cell, 0.5), seed + 61)
        shown += np.float32(weight) * _stretched(noise, side)
    return shown.T if upright else shown


def _stretched(noise: Field, width: int) -> Field:
    """Stretch noise along its rows, keeping it periodic."""
    at = np.arange(width) * (noise.shape[1] / width)
    first = at.astype(np.int64)
    share = (at - first).astype(np.float32)
    share = share * share * (3 - 2 * share)
    second = (first + 1) % noise.shape[1]
    stretched: Field = noise[:, first] * (1 - share) + noise[:, second] * share
    return stretched

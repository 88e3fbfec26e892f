"""Random numbers for kernels, determined by a seed alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.level import Words
from puzzle_envs.states.tables import mixed
from puzzle_envs.verbs import Mask

STEP = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)
UNIT = 2.0**-53


def new_chance(seed: int | None, stream: int = 0) -> Words:
    """The state of a generator; streams of one seed are independent. None: a random seed."""
    entropy = np.random.SeedSequence(seed, spawn_key=(stream,))
    return np.asarray(entropy.generate_state(1, np.uint64), np.uint64)


@compiled
def _next(chance: Any) -> Any:
    chance[0] += STEP
    return mixed(chance[0])


@compiled
def below(chance: Any, count: Any) -> Any:
    """A random integer from 0 to count - 1."""
    return np.int64((_next(chance) >> HALF) * np.uint64(count) >> HALF)


@compiled
def happens(chance: Any, probability: Any) -> Any:
    """Return True with this probability."""
    return np.float64(_next(chance) >> np.uint64(11)) * UNIT < probability


@compiled
def any_legal(chance: Any, mask: Mask, choices: Any) -> Any:
    """A random one of the legal actions of a mask, of which there are `choices`."""
    left, action = below(chance, choices), 0
    while True:
        left -= mask[action]
        if left < 0:
            return action
        action += 1

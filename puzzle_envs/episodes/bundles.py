"""What the kernels that step episodes are passed, in named bundles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["End", "Frame", "Mode", "Running"]


class Running(NamedTuple):
    """Levels, and the episodes that are played on them."""

    levels: np.ndarray
    templates: npt.NDArray[np.int8]
    """For each level, the part of the observation that never changes."""
    choices: int
    """How many of the levels are drawn from: the first ones."""
    episodes: np.ndarray
    states: npt.NDArray[np.uint64]


class Frame(NamedTuple):
    """What a step shows of every episode, in new arrays that no later step writes to."""

    planes: npt.NDArray[np.int8]
    """Kernels take those of an episode as one row."""
    masks: npt.NDArray[np.int8]
    outcomes: np.ndarray


class End(NamedTuple):
    """Rewards and ends of a step, in columns."""

    rewards: npt.NDArray[np.float64]
    flags: npt.NDArray[np.bool_]
    """Which episodes are terminated, and in a second row which are truncated."""

    @classmethod
    def of(cls, count: int) -> End:
        """Room for so many episodes."""
        return cls(np.empty(count), np.empty((2, count), np.bool_))


class Mode(NamedTuple):
    """How episodes are rewarded and end."""

    autoreset: int
    rewarded: int
    limit: int
    """The steps after which an episode is truncated; 0 for no limit."""

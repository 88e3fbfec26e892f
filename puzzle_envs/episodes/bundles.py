"""Named bundles of arguments for the kernels that step episodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Running(NamedTuple):
    """Levels, and the episodes running on them."""

    levels: np.ndarray
    templates: npt.NDArray[np.int8]
    """For each level, the part of the observation that never changes."""
    choices: int
    """Only this number of levels, the first ones, are drawn."""
    episodes: np.ndarray
    states: npt.NDArray[np.uint64]


class Frame(NamedTuple):
    """Observations, masks and outcomes of a step, in new arrays that no later step changes."""

    planes: npt.NDArray[np.int8]
    """For kernels, one row per episode."""
    masks: npt.NDArray[np.int8]
    outcomes: np.ndarray


class End(NamedTuple):
    """Rewards and ends of a step, in columns."""

    rewards: npt.NDArray[np.float64]
    flags: npt.NDArray[np.bool_]
    """First row: terminated; second row: truncated."""

    @classmethod
    def of(cls, count: int) -> End:
        """Room for this many episodes."""
        return cls(np.empty(count), np.empty((2, count), np.bool_))


class Mode(NamedTuple):
    """The settings of all episodes."""

    autoreset: int
    rewarded: int
    limit: int
    """Number of steps after which an episode is truncated; 0 for no limit."""

"""Lessons: what is right in the states that a policy reaches.

They come from known solutions (`solutions`) or from an agent (`asking`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.vec_env import VecEnvWrapper

from puzzle_agents.learning.vec_env import PuzzleVecEnv
from puzzle_envs.level import Level

IMPOSSIBLE = -1e9
"""The score of an illegal action: finite, since minus infinity would make gradients NaN."""


class Lessons(NamedTuple):
    """States and what is right in each, in columns."""

    planes: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    right: npt.NDArray[np.int64]


class TeachingVecEnv(VecEnvWrapper, ABC):
    """Episodes whose states have lessons, and which end where there is nothing more to learn."""

    def __init__(self, venv: PuzzleVecEnv) -> None:
        """Wrap the episodes."""
        super().__init__(venv)
        self._episodes, self._puzzle_env = venv, venv.puzzle_env
        self._actions: npt.NDArray[np.int64] = np.zeros(0, np.int64)

    def teach(self, levels: Iterable[Level]) -> None:
        """Prepare for further levels of the episodes."""

    @abstractmethod
    def begin_rollout(self) -> None:
        """Note lessons from now on, and forget those before."""

    @abstractmethod
    def lessons(self, rollout: RolloutBuffer) -> Lessons:
        """The lessons noted, in states of the rollout or after them."""

    @staticmethod
    @abstractmethod
    def loss(scores: torch.Tensor, legal: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """How unlikely a policy's scores, (states, actions), make what is right."""

    def step_async(self, actions: np.ndarray) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions
        self.venv.step_async(actions)

    def _ended(
        self,
        which: npt.NDArray[np.bool_],
        planes: np.ndarray,
        dones: npt.NDArray[np.bool_],
        infos: list[dict[str, Any]],
    ) -> np.ndarray:
        """Begin others instead of these episodes; return all planes.

        They count as failed, except those that have just begun: their infos are of the ones before.
        """
        if not which.any():
            return planes
        for index in np.flatnonzero(which & ~dones).tolist():
            infos[index] = {
                "terminal_observation": planes[index],
                "TimeLimit.truncated": False,
                "is_success": False,
            }
        return self._episodes.restart(which)

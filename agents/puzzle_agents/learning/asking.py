"""Lessons from an agent, which is asked how to go on from the states of the episodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from puzzle_agents.demonstrations import Teacher, played
from puzzle_agents.environments import make_env
from puzzle_agents.learning.teaching import IMPOSSIBLE, Lessons, TeachingVecEnv
from puzzle_agents.learning.vec_env import PuzzleVecEnv
from puzzle_envs.codec import Shape
from puzzle_envs.episodes.batch import Batch, State
from puzzle_envs.level import Level

STRIDE = 8
"""Actions of an episode after which the teacher is asked."""


class AskingVecEnv(TeachingVecEnv):
    """Asks an agent how to go on, every few actions of each episode.

    Where the agent finds no solution, the episode ends.
    """

    def __init__(self, venv: PuzzleVecEnv, teacher: Teacher, levels: Sequence[Level]) -> None:
        """Wrap the episodes.

        Args:
            venv: The episodes.
            teacher: An agent that plays their environment.
            levels: Levels that need the same spaces.
        """
        super().__init__(venv)
        self._teacher, self._clock = teacher, 0
        self._env = make_env(teacher.env, levels=levels, **teacher.options)
        self._shown: list[_Shown] = []

    def begin_rollout(self) -> None:
        """Forget what was shown before."""
        self._shown = []

    def lessons(self, rollout: RolloutBuffer) -> Lessons:
        """The states along what the teacher showed, and its actions."""
        if not self._shown:
            return Lessons(*(np.zeros(0, np.int8),) * 2, np.zeros(0, np.int64))
        levels, states, plans = zip(*self._shown, strict=True)
        _, height, width = self.observation_space.shape or ()
        room = Shape(int(self._puzzle_env.single_action_space.n), height, width)
        puzzle, count, words = self._puzzle_env.puzzle, len(levels), len(states[0].words)
        batch = Batch(puzzle, levels, count, room=room, words=words)
        batch.begin(np.arange(count))
        starts = (state._replace(level=number) for number, state in enumerate(states))
        pairs = played(batch, batch.restore_all(dict(enumerate(starts))), plans)
        planes = self._episodes.seen(pairs.planes, pairs.masks)
        return Lessons(planes, pairs.masks, pairs.actions)

    @staticmethod
    def loss(scores: torch.Tensor, legal: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """How unlikely the teacher's actions are."""
        scores = scores.masked_fill(~legal, IMPOSSIBLE)
        return torch.nn.functional.cross_entropy(scores, right)

    def reset(self) -> np.ndarray:
        """Start all episodes."""
        self._clock = 0
        return np.asarray(self.venv.reset())

    def step_wait(self) -> VecEnvStepReturn:
        """Apply the actions, and ask about some of the episodes."""
        planes, rewards, dones, infos = self.venv.step_wait()
        self._clock += 1
        lost = np.zeros(self.num_envs, np.bool_)
        for index in range(self._clock % STRIDE, self.num_envs, STRIDE):
            lost[index] = not self._ask(*self._puzzle_env.situation(index))
        return self._ended(lost, np.asarray(planes), dones, infos), rewards, dones | lost, infos

    def _ask(self, level: Level, state: State) -> bool:
        """Note how the teacher goes on; return False if it finds no solution."""
        self._env.reset(options={"levels": [level]})
        self._env.set_state(state)
        result = self._teacher.solve(self._env)
        if result.solved:
            self._teacher.costs["demonstrated"] += len(result.actions)
            self._shown.append(_Shown(level, state, result.actions))
        return result.solved


class _Shown(NamedTuple):
    """A state and the actions that solve it."""

    level: Level
    state: State
    plan: Sequence[int]

"""What is right in the states that a policy reaches, from known solutions or from an agent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from puzzle_agents.demonstrations import Teacher, played
from puzzle_agents.environments import make_env
from puzzle_agents.learning.vec_env import PuzzleVecEnv
from puzzle_envs.codec import Shape
from puzzle_envs.episodes.batch import Batch, State
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

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


# --- known solutions ---------------------------------------------------------------------------


class TaughtVecEnv(TeachingVecEnv):
    """Rewards each correct number, by the level's solution; a wrong one ends the episode.

    With a reward for solving, or for fitness, a wrong number shows only many writes later.
    Solutions are known when levels are generated, and are not needed for playing.
    """

    def __init__(self, venv: PuzzleVecEnv, levels: Iterable[Level]) -> None:
        """Solve all levels of the episodes."""
        super().__init__(venv)
        puzzle = venv.puzzle_env.puzzle
        if puzzle.codec.numbers is None or puzzle.solution is None:
            raise ValueError(f"{puzzle.title} has no solutions to teach; choose another reward.")
        if not isinstance(venv.observation_space, spaces.MultiBinary):
            raise ValueError('Teaching reads numbers from planes: use observation="planes".')
        _, self._largest, _ = venv.observation_space.shape
        self._numbers = slice(puzzle.codec.numbers, puzzle.codec.numbers + self._largest)
        actions = venv.puzzle_env.single_action_space.n
        shape = Shape(int(actions), self._largest, self._largest)
        self._places = np.array(puzzle.codec.places(shape))
        self._solutions: dict[str, npt.NDArray[np.int64]] = {}
        self.teach(levels)
        self._noted: list[npt.NDArray[np.int64]] | None = None

    def teach(self, levels: Iterable[Level]) -> None:
        """Solve further levels of the episodes."""
        for level in levels:
            if level.name not in self._solutions:
                puzzle = self._puzzle_env.puzzle
                self._solutions[level.name] = _solution(puzzle, level, self._largest)

    def begin_rollout(self) -> None:
        """Note the solutions of the episodes' levels at each step."""
        self._noted = []

    def lessons(self, rollout: RolloutBuffer) -> Lessons:
        """The states of the rollout, and the numbers of all cells of their solutions."""
        assert self._noted is not None
        planes = rollout.observations.reshape(-1, *rollout.obs_shape)
        masks = np.asarray(rollout.action_masks)  # type: ignore[attr-defined]
        right = np.stack(self._noted).reshape(len(planes), -1)
        return Lessons(planes, masks.reshape(len(planes), -1), right)

    @staticmethod
    def loss(scores: torch.Tensor, legal: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """How unlikely a right action is, and how unlikely the right number is in each empty cell.

        Args:
            scores: (states, cells * numbers), the policy's logits.
            legal: The legal actions.
            right: (states, cells), the solution's numbers from 1.
        """
        scores = scores.masked_fill(~legal, IMPOSSIBLE).reshape(*right.shape, -1)
        places = torch.nn.functional.one_hot(right - 1, scores.shape[2]).bool()
        places &= legal.reshape(places.shape)
        likelihood = scores.flatten(1).log_softmax(1).reshape(scores.shape)
        any_right = likelihood.masked_fill(~places, IMPOSSIBLE).flatten(1).logsumexp(1)
        in_cells = scores.log_softmax(2)[places]
        return -any_right[places.flatten(1).any(1)].mean() - in_cells.mean()

    def reset(self) -> np.ndarray:
        """Start all episodes."""
        self._planes: np.ndarray = np.asarray(self.venv.reset())
        self._read_levels()
        return self._planes

    def step_wait(self) -> VecEnvStepReturn:
        """Apply the actions, and restart the episodes in which one was wrong."""
        rewards = self._agreement()
        if self._noted is not None:
            self._noted.append(self._right)
        planes, _, dones, infos = self.venv.step_wait()
        wrong = (rewards < 0) & ~dones
        self._planes = self._ended(wrong, np.asarray(planes), dones, infos)
        if (dones | wrong).any():
            self._read_levels()
        return self._planes, rewards, dones | wrong, infos

    def _read_levels(self) -> None:
        names = self._puzzle_env.level_names
        self._right = np.stack([self._solutions[name] for name in names])

    def _agreement(self) -> npt.NDArray[np.float32]:
        """1 for a new correct number, -1 for a wrong one, divided by the size."""
        cells, written = self._places[self._actions].T
        rows, columns = np.divmod(cells, self._largest)
        episodes = np.arange(self.num_envs)
        right = written + 1 == self._right[episodes, cells]
        stands = self._planes[episodes, self._numbers, rows, columns].any(axis=1)
        agreement = np.where(right, 1.0, -1.0) * ~stands
        return (agreement / self._largest).astype(np.float32)


def _solution(puzzle: Puzzle, level: Level, largest: int) -> npt.NDArray[np.int64]:
    """The numbers of all cells of the largest square, row by row; 1 outside this one."""
    assert puzzle.solution is not None
    found = puzzle.solution(level.record)
    if found is None:
        raise ValueError(f"'{level.name}' has no solution to teach.")
    numbers = np.ones((largest, largest), np.int64)
    numbers[: len(found), : len(found)] = found
    return numbers.ravel()


# --- an agent ----------------------------------------------------------------------------------

STRIDE = 8
"""Actions of an episode after which the teacher is asked."""


class ShownVecEnv(TeachingVecEnv):
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

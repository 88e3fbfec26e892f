"""Lessons and rewards from known solutions, for puzzles whose actions write numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from puzzle_agents.learning.teaching import IMPOSSIBLE, Lessons, TeachingVecEnv
from puzzle_agents.learning.vec_env import PuzzleVecEnv
from puzzle_envs.codec import Shape
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle


class SolutionVecEnv(TeachingVecEnv):
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

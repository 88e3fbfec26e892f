"""Evaluation of policies: levels solved in parallel episodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import FalseLevelError
from puzzle_agents.learning.card import HOTTEST, check_fits
from puzzle_agents.statistics import wilson
from puzzle_envs.codec import Shape
from puzzle_envs.episodes.batch import Batch
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

Rate = Callable[
    [npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.intp]], npt.NDArray[np.float64]
]
"""Maps planes, masks and views of the boards to log probabilities, -inf for illegal actions."""
Sides = Callable[[Level, int], npt.NDArray[np.intp]]
"""Maps a level and a number of episodes to the view of each episode, by a number."""


class Evaluation(NamedTuple):
    """Results of several episodes on each level."""

    solved: npt.NDArray[np.bool_]
    """(levels, samples): which episodes were solved."""
    moves: npt.NDArray[np.int64]
    """(levels, samples): the moves of those that were."""
    optima: npt.NDArray[np.int64]
    """(levels): the optimum; -1 if unknown."""
    seconds: float
    """Total seconds."""

    def rate(self, samples: int) -> float:
        """Share of levels solved by any of the first episodes."""
        return float(self.solved[:, :samples].any(axis=1).mean())

    def interval(self, samples: int) -> tuple[float, float]:
        """Its 95 % confidence interval."""
        return wilson(int(self.solved[:, :samples].any(axis=1).sum()), len(self.solved))

    @property
    def over_optimum(self) -> float:
        """Best moves relative to the optimum, averaged over levels where both are known; or nan."""
        known = self.solved.any(axis=1) & (self.optima > 0)
        if not known.any():
            return float("nan")
        fewest = np.where(self.solved, self.moves, np.iinfo(np.int64).max).min(axis=1)
        return float((fewest[known] / self.optima[known]).mean())


def any_legal(
    planes: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], sides: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """The baseline policy: uniformly random legal actions."""
    count = np.maximum(masks.sum(axis=1, keepdims=True), 1)
    return np.where(masks > 0, -np.log(count), -np.inf)


def usual_side(level: Level, samples: int) -> npt.NDArray[np.intp]:
    """All episodes in the usual view."""
    return np.zeros(samples, np.intp)


def temperatures(samples: int, hottest: float = HOTTEST) -> npt.NDArray[np.float64]:
    """Temperatures of the episodes on a level.

    The first is played as the policy was trained, later ones more randomly: repeating a confident,
    wrong policy would be useless.
    """
    return np.linspace(1.0, hottest, samples)


def evaluate(
    rate: Rate,
    puzzle: Puzzle,
    levels: Sequence[Level],
    *,
    room: Shape | None = None,
    sides: Sides = usual_side,
    samples: int = 1,
    longest: int = 1000,
    hottest: float = HOTTEST,
    greedily: bool = False,
    seed: int = 0,
) -> Evaluation:
    """Play each level several times, sampling actions from the policy.

    Args:
        rate: The policy.
        puzzle: The puzzle, with the options of the policy's training.
        levels: The levels.
        room: The policy's board size, if larger than that of the levels.
        sides: The policy's views of a level; by default the usual one.
        samples: Episodes per level.
        longest: Episode length limit.
        hottest: Temperature of the last episode on a level; the first has 1.
        greedily: Whether to play the likeliest actions instead.
        seed: Random seed.

    Raises:
        FalseLevelError: A level is stated to be unsolvable or to need more moves.
    """
    began = time.perf_counter()
    count = len(levels) * samples
    if room is not None:
        check_fits(room, puzzle.format, levels)
    batch = Batch(puzzle, levels, count, room=room)
    random = np.random.default_rng(seed)
    heat = np.tile(temperatures(samples, hottest), len(levels))[:, None]
    side = np.concatenate([sides(level, samples) for level in levels])
    frame = batch.begin(np.repeat(np.arange(len(levels)), samples))
    for _ in range(longest):
        going = np.flatnonzero(~frame.outcomes["solved"] & frame.masks.any(axis=1))
        if going.size == 0:
            break
        scores = rate(frame.planes[going], frame.masks[going], side[going])
        actions = np.zeros(count, np.int64)
        if not greedily:
            scores = scores / heat[going] + random.gumbel(size=scores.shape)
        actions[going] = scores.argmax(axis=1)
        frame = batch.advance(actions)
    outcomes = frame.outcomes.reshape(-1, samples)
    for level, solved, moves in zip(levels, outcomes["solved"], outcomes["moves"], strict=True):
        fewest = min(moves[solved], default=None)
        if fewest is not None and (level.solvable is False or fewest < level.least):
            key = "bound" if level.optimum is None and level.solvable else puzzle.format.optimum_key
            raise FalseLevelError(level, key, f"the policy solved it in {fewest}")
    return Evaluation(
        outcomes["solved"],
        outcomes["moves"].astype(np.int64),
        batch.optima,
        time.perf_counter() - began,
    )

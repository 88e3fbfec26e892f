"""How many levels a policy solves, played side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import FalseLevelError
from puzzle_agents.learning.card import check_fits
from puzzle_agents.statistics import wilson
from puzzle_envs.codec import Shape
from puzzle_envs.episodes.batch import Batch
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

__all__ = ["HOTTEST", "Evaluation", "Rate", "any_legal", "evaluate", "sides_of", "temperatures"]

HOTTEST = 4.0
"""The temperature of the last of several episodes, where none is asked for."""

Rate = Callable[
    [npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.intp]], npt.NDArray[np.float64]
]
"""From planes, masks and the sides from which boards are looked at (`views.View`) to logarithms of
probabilities, -inf for illegal actions."""


class Evaluation(NamedTuple):
    """What came of some episodes on each of some levels."""

    solved: npt.NDArray[np.bool_]
    """(levels, samples): which episodes were solved."""
    moves: npt.NDArray[np.int64]
    """(levels, samples): the moves of those that were."""
    optima: npt.NDArray[np.int64]
    """(levels): -1 where the optimum is not known."""
    seconds: float
    """For all of it."""

    def rate(self, samples: int) -> float:
        """The share of levels solved by one of the first so many episodes."""
        return float(self.solved[:, :samples].any(axis=1).mean())

    def interval(self, samples: int) -> tuple[float, float]:
        """Where that share lies with 95 % confidence."""
        return wilson(int(self.solved[:, :samples].any(axis=1).sum()), len(self.solved))

    @property
    def over_optimum(self) -> float:
        """The fewest moves found over the optimum: the mean over the levels that tell; or nan."""
        known = self.solved.any(axis=1) & (self.optima > 0)
        if not known.any():
            return float("nan")
        fewest = np.where(self.solved, self.moves, np.iinfo(np.int64).max).min(axis=1)
        return float((fewest[known] / self.optima[known]).mean())


def any_legal(
    planes: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], sides: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """The policy to compare with: any legal action with the same probability."""
    count = np.maximum(masks.sum(axis=1, keepdims=True), 1)
    return np.where(masks > 0, -np.log(count), -np.inf)


def temperatures(samples: int, hottest: float = HOTTEST) -> npt.NDArray[np.float64]:
    """By what the ratings are divided in each of some episodes on a level.

    The first is played as the policy was trained, and each later one more freely: where a policy is
    sure and wrong, playing the same again would be of no use.
    """
    return np.linspace(1.0, hottest, samples)


def sides_of(samples: int, sides: int, *, fills: bool) -> npt.NDArray[np.intp]:
    """From which side a level is looked at in each of some episodes: each time from another.

    A level that does not fill the board would lie in another corner of it, where a policy has seen
    none.
    """
    return np.arange(samples) % (sides if fills else 1)


def evaluate(
    rate: Rate,
    puzzle: Puzzle,
    levels: Sequence[Level],
    *,
    room: Shape | None = None,
    sides: int = 1,
    samples: int = 1,
    longest: int = 1000,
    hottest: float = HOTTEST,
    seed: int = 0,
) -> Evaluation:
    """Play each level so many times, drawing actions as the policy rates them.

    Args:
        rate: The policy.
        puzzle: With arguments of its own, if the policy was trained under such.
        levels: Which levels.
        room: The boards that the policy knows, if these are larger than those of the levels.
        sides: From how many sides the policy can look at boards.
        samples: How many episodes on each.
        longest: Where an episode is given up.
        hottest: The temperature of the last episode on a level; that of the first is 1.
        seed: What chance depends on.

    Raises:
        FalseLevelError: A level is solved that says that it cannot be, or not in so few moves.
    """
    began = time.perf_counter()
    count = len(levels) * samples
    if room is not None:
        check_fits(room, puzzle.format, levels)
    batch = Batch(puzzle, levels, count, room=room)
    random = np.random.default_rng(seed)
    heat = np.tile(temperatures(samples, hottest), len(levels))[:, None]
    shapes = [puzzle.format.shape(level.record) for level in levels]
    side = np.concatenate(
        [sides_of(samples, sides, fills=shape[1:] == batch.shape[1:]) for shape in shapes]
    )
    frame = batch.begin(np.repeat(np.arange(len(levels)), samples))
    for _ in range(longest):
        going = np.flatnonzero(~frame.outcomes["solved"] & frame.masks.any(axis=1))
        if going.size == 0:
            break
        scores = rate(frame.planes[going], frame.masks[going], side[going])
        actions = np.zeros(count, np.int64)
        actions[going] = (scores / heat[going] + random.gumbel(size=scores.shape)).argmax(axis=1)
        frame = batch.advance(actions)
    outcomes = frame.outcomes.reshape(-1, samples)
    for level, solved, moves in zip(levels, outcomes["solved"], outcomes["moves"], strict=True):
        fewest = min(moves[solved], default=None)
        if fewest is not None and (level.solvable is False or fewest < (level.optimum or 0)):
            raise FalseLevelError(
                level, puzzle.format.optimum_key, f"the policy solved it in {fewest}"
            )
    return Evaluation(
        outcomes["solved"],
        outcomes["moves"].astype(np.int64),
        batch.optima,
        time.perf_counter() - began,
    )

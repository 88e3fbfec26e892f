"""Demonstrations: solutions that an agent finds, as pairs of state and action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents import registry
from puzzle_agents.agent import Agent, Budget, Result
from puzzle_agents.environments import make_env
from puzzle_agents.parameters import parameters
from puzzle_envs.codec import Shape
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.episodes.batch import Batch
from puzzle_envs.episodes.bundles import End, Frame
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

__all__ = [
    "EXPANSIONS",
    "Demonstration",
    "Pairs",
    "Teacher",
    "check_teacher",
    "pairs_of",
    "played",
]

EXPANSIONS = 100_000
"""Default limit of the search for each solution, in expansions, so that a seed decides it."""


COSTS = ("demonstrated", "solved", "failed", "expanded", "generated")
"""What is counted of a teacher; "demonstrated" are actions learned from."""


class Demonstration(NamedTuple):
    """A level and the actions that solve it, numbered as on a board of this level's size."""

    level: Level
    actions: Sequence[int]
    moves: int


@dataclass
class Teacher:
    """An agent that demonstrates solutions, and its costs so far."""

    agent: Agent
    env: str
    """The id of the environment."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Puzzle-specific arguments of the environment, such as a mask."""
    costs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COSTS, 0))
    """How often it solved, and failed within its budget, and what its searches did."""

    @classmethod
    def of(
        cls,
        name: str,
        env: str,
        options: Mapping[str, Any] | None = None,
        *,
        expansions: int = EXPANSIONS,
        seed: int = 0,
    ) -> Teacher:
        """An agent by name, with a budget of expansions for each level, and reproducible."""
        check_teacher(name, env)
        budget = Budget(seconds=None, expansions=expansions)
        seeded = {"seed": seed} if "seed" in parameters(registry.class_of(name)) else {}
        return cls(registry.make(name, budget, **seeded), env, options or {})

    def demonstrations(self, levels: Iterable[Level]) -> Iterator[Demonstration]:
        """Solve one level after the other; those that it does not solve are counted as failed."""
        for level in levels:
            result = self.solve(make_env(self.env, level=level, **self.options))
            if result.solved:
                yield Demonstration(level, result.actions, result.moves or 0)

    def solve(self, env: PuzzleEnv) -> Result:
        """Solve an environment's level from its current state."""
        result = self.agent.solve(env)
        self.costs["expanded"] += result.expanded
        self.costs["generated"] += result.generated
        self.costs["solved" if result.solved else "failed"] += 1
        return result


def check_teacher(name: str, env: str) -> None:
    """Reject an agent that does not exist or does not play an environment."""
    if registry.entry_of(name).condition(env.rpartition(":")[2]) is None:
        raise ValueError(f"The agent '{name}' does not play {env}, so it cannot teach it.")


class Pairs(NamedTuple):
    """States of demonstrations and the actions taken in them, in columns."""

    planes: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]
    """The return of each state."""

    def first(self, count: int) -> Pairs:
        """The first pairs, at most this many."""
        planes, masks, actions, returns = self
        return Pairs(planes[:count], masks[:count], actions[:count], returns[:count])


def pairs_of(
    puzzle: Puzzle,
    demonstrations: Sequence[Demonstration],
    *,
    room: Shape,
    reward: str = "moves",
    discount: float = 1.0,
) -> Pairs:
    """The states and actions of demonstrations, on boards of one size, in order.

    Args:
        puzzle: The puzzle, with the options with which they were demonstrated.
        demonstrations: At least one.
        room: The size of the boards, at least that of each level.
        reward: The environment's reward.
        discount: Of each action's rewards, relative to the action before.
    """
    levels = [one.level for one in demonstrations]
    batch = Batch(puzzle, levels, len(levels), reward=reward, room=room)
    plans = [_in_room(puzzle, one, batch.shape) for one in demonstrations]
    return played(batch, batch.begin(np.arange(len(levels))), plans, discount=discount)


def played(
    batch: Batch, frame: Frame, plans: Sequence[Sequence[int]], *, discount: float = 1.0
) -> Pairs:
    """The states and actions of a plan for each episode of a batch, from its current frame on."""
    count = len(plans)
    lengths = np.array([len(plan) for plan in plans])
    ends = np.cumsum(lengths)
    found = Pairs(
        np.empty((ends[-1], *batch.observed[1:]), np.int8),
        np.empty((ends[-1], batch.shape.actions), np.int8),
        np.concatenate([np.array(plan, np.int64) for plan in plans]),
        np.zeros(ends[-1], np.float32),
    )
    for step in range(lengths.max(initial=0)):
        going = np.flatnonzero(step < lengths)
        rows = (ends - lengths)[going] + step
        found.planes[rows], found.masks[rows] = frame.planes[going], frame.masks[going]
        actions, end = np.zeros(count, np.int64), End.of(count)
        actions[going] = found.actions[rows]
        frame = batch.advance(actions, end)
        found.returns[rows] = end.rewards[going]
    _discount(found.returns, ends, discount)
    return found


def _discount(
    rewards: npt.NDArray[np.float32], ends: npt.NDArray[np.int64], discount: float
) -> None:
    """Turn the rewards of each demonstration into its returns."""
    last = set((ends - 1).tolist())
    for row in range(len(rewards) - 1, -1, -1):
        if row not in last:
            rewards[row] += discount * rewards[row + 1]


def _in_room(puzzle: Puzzle, demonstration: Demonstration, room: Shape) -> Sequence[int]:
    """A demonstration's actions as numbered on a board of this size."""
    numbers = puzzle.codec.numbers_in(room, puzzle.format.shape(demonstration.level.record))
    return [int(numbers[action]) for action in demonstration.actions]

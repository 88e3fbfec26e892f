"""Certificates of levels too large to exhaust: a replayed plan and a lower bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.paths import beginning
from puzzle_envs.verbs import Findings, LevelRecord, State, apply, estimate, solved

__all__ = ["certified", "moves_of"]

NO_SOLUTION = -1


@kernel
def play(levels: LevelRecord, state: State, actions: npt.NDArray[np.int64]) -> int:
    """The moves of a plan from a state, which is modified; -1 if it does not solve the level."""
    level, moves = levels[0], 0
    for index in range(actions.size):
        cost = apply(level, state, actions[index])
        if cost < 0:
            return NO_SOLUTION
        moves += cost
    return moves if solved(level, state) else NO_SOLUTION


@kernel
def first_estimate(levels: LevelRecord, findings: Findings, state: State) -> int:
    """A lower bound on the moves from a state."""
    return estimate(levels[0], findings, state)


def moves_of(puzzle: Puzzle, level: Level, plan: Sequence[int]) -> int | None:
    """The moves of a plan; None if it does not solve the level."""
    records = np.array([level.record], puzzle.format.dtype)
    moves = play(records, beginning(puzzle, records), np.array(plan, np.int64))
    return None if moves == NO_SOLUTION else moves


def certified(puzzle: Puzzle, level: Level, plan: Sequence[int]) -> Level | None:
    """The level with a plan and a lower bound; None if the plan does not solve it."""
    moves = moves_of(puzzle, level, plan)
    if moves is None:
        return None
    records = np.array([level.record], puzzle.format.dtype)
    bound = first_estimate(records, puzzle.findings(level.record), beginning(puzzle, records))
    if bound == moves:
        return replace(level, optimum=moves, solvable=True, plan=tuple(plan))
    return replace(level, solvable=True, known=moves, bound=int(bound), plan=tuple(plan))

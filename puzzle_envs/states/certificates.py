"""Certificates of levels too large to exhaust: a replayed plan and a lower bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.paths import beginning
from puzzle_envs.verbs import (
    Findings,
    LevelRecord,
    Rows,
    State,
    apply,
    canonical,
    estimate,
    solved,
)

__all__ = ["certified", "moves_of", "without_detours"]

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
def visit(levels: LevelRecord, state: State, actions: npt.NDArray[np.int64], visited: Rows) -> None:
    """Write the canonical states that legal actions lead through, the first one first."""
    copy_words(state, visited[0])
    canonical(levels[0], visited[0])
    for index in range(actions.size):
        apply(levels[0], state, actions[index])
        copy_words(state, visited[index + 1])
        canonical(levels[0], visited[index + 1])


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


def without_detours(puzzle: Puzzle, level: Level, plan: Sequence[int]) -> list[int]:
    """The plan without the actions between two equal states."""
    records = np.array([level.record], puzzle.format.dtype)
    state = beginning(puzzle, records)
    visited = np.empty((len(plan) + 1, state.size), np.uint64)
    visit(records, state, np.array(plan, np.int64), visited)
    keys = [row.tobytes() for row in visited]
    last = {key: number for number, key in enumerate(keys)}
    kept, number = [], last[keys[0]]
    while number < len(plan):
        kept.append(plan[number])
        number = last[keys[number + 1]]
    return kept

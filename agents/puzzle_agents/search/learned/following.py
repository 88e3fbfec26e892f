"""Solutions of any agent as the states that a search stores, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from puzzle_agents.search.search import Problem
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import inlined, rare_kernel
from puzzle_envs.level import Words
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.verbs import Rows, apply, representative, successors, unfold

__all__ = ["path_of"]

NO_MOVE, TOO_SHORT = -1, -2
FIRST_ROWS = 1 << 10


@inlined
def _matches(actions: Any, first: int, others: Any, count: int) -> bool:
    """Whether the actions from a place on begin with these."""
    if first + count > actions.size:
        return False
    for index in range(count):
        if actions[first + index] != others[index]:
            return False
    return True


@rare_kernel
def follow(
    instance: Instance, scratch: Scratch, trial: Rows, actions: Any, others: Any, states: Rows
) -> int:
    """Write the stored state after each macro-move of the actions; return how many moves there are.

    The state in `scratch` is the first one; it is modified. A move is recognised by its actions, as
    found by `unfold`; if several match, the longest is taken.
    """
    level, play = instance.levels[0], scratch.state
    done, moves = 0, 0
    while done < actions.size:
        found = successors(level, states[moves], scratch.rows, scratch.costs)
        if found < 0:
            return TOO_SHORT
        longest = 0
        for index in range(found):
            count = unfold(level, play, scratch.rows[index], trial, others)
            if count > longest and _matches(actions, done, others, count):
                longest = count
                copy_words(scratch.rows[index], states[moves + 1])
        if longest == 0:
            return NO_MOVE
        for index in range(done, done + longest):
            apply(level, play, actions[index])
        done, moves = done + longest, moves + 1
    if instance.merged:
        for move in range(1, moves + 1):
            representative(level, instance.findings, states[move])
    return moves


def path_of(problem: Problem, given: Sequence[int]) -> Words | None:
    """The states along a solution, including the first; None if its actions form no macro-moves."""
    actions = np.array(given, np.int64)
    states = np.empty((len(given) + 1, problem.start.size), np.uint64)
    rows, moves = FIRST_ROWS, TOO_SHORT
    while moves == TOO_SHORT:
        scratch = Scratch.of(problem.start.size, rows)
        scratch.state[:] = states[0] = problem.start
        trial = np.empty_like(scratch.rows)
        moves = follow(problem.instance, scratch, trial, actions, np.empty(rows, np.int64), states)
        rows *= 2
    return None if moves < 0 else states[: moves + 1].copy()

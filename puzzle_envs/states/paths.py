"""From the states that a search went through to actions, compiled once for every puzzle.

A search keeps canonical states, of mirror images only one; play goes through the true ones. So a
path is walked again from its true beginning: of each state's successors, to one for which the
search kept the next state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import copy_words, same_words
from puzzle_envs.kernels.compiled import rare_kernel
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.verbs import State, apply, representative, solved, start, successors, unfold

__all__ = ["actions_through", "beginning", "is_solved", "total_cost", "unfold_move"]

TOO_SHORT, NOT_THERE = -1, -2
Words = npt.NDArray[np.uint64]


@rare_kernel
def first_state(levels: Any, state: Any) -> None:
    """Write the state in which a level begins."""
    start(levels[0], state)


@rare_kernel
def is_solved(levels: Any, state: Any) -> bool:
    """Whether a state solves its level."""
    return solved(levels[0], state)


@rare_kernel
def write_step(
    instance: Instance, state: State, wanted: State, chosen: State, scratch: Scratch, actions: Any
) -> int:
    """Write the actions of the cheapest whole move to what `wanted` stands for, and do them.

    The state in `scratch` is the one that the search sees, `state` the same one in play; both go
    on. Returns how many actions there are; -1: the rows are too short; -2: no move leads there.
    """
    level, findings = instance.levels[0], instance.findings
    planned, rows, costs = scratch.state, scratch.rows, scratch.costs
    count = successors(level, planned, rows, costs)
    if count < 0:
        return TOO_SHORT
    best = -1
    for index in range(count):
        copy_words(rows[index], chosen)
        if instance.merged:
            representative(level, findings, chosen)
        if same_words(chosen, wanted) and (best < 0 or costs[index] < costs[best]):
            best = index
    if best < 0:
        return NOT_THERE
    copy_words(rows[best], planned)
    written = unfold(level, state, planned, rows, actions)
    for index in range(written):
        apply(level, state, actions[index])
    return written


@rare_kernel
def follow(levels: Any, state: Any, actions: Any) -> int:
    """What actions cost from a state, which they change."""
    cost = 0
    for index in range(actions.size):
        cost += apply(levels[0], state, actions[index])
    return cost


@rare_kernel
def unfold_move(levels: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """The actions of a whole move, from Python."""
    return unfold(levels[0], state, target, rows, actions)


def total_cost(record: np.ndarray, state: Words, actions: Sequence[int]) -> int:
    """What actions cost from a state on."""
    return follow(record, state.copy(), np.array(actions, np.int64))


def beginning(puzzle: Puzzle, record: np.ndarray) -> Words:
    """The words of the state in which a level begins."""
    puzzle.load_rules()
    state = np.empty(puzzle.format.words(record[0]), np.uint64)
    first_state(record, state)
    return state


def actions_through(instance: Instance, state: Words, path: Iterable[Words]) -> list[int]:
    """The actions that lead from a state through states that a search kept.

    Args:
        instance: The level; `merged` says whether what was kept are representatives.
        state: Where the path begins; it is left as it is.
        path: What was kept after each whole move.
    """
    chosen, planned, state = np.empty_like(state), state, state.copy()
    room = 1024
    done: list[int] = []
    for wanted in path:
        written = TOO_SHORT
        while written == TOO_SHORT:
            scratch, actions = Scratch.of(state.size, room), np.empty(room, np.int64)
            scratch.state[:] = planned
            written = write_step(instance, state, wanted, chosen, scratch, actions)
            room *= 2 if written == TOO_SHORT else 1
        if written == NOT_THERE:
            raise RuntimeError(f"No whole move leads from {planned} to {wanted}.")
        planned = scratch.state
        done += actions[:written].tolist()
    return done

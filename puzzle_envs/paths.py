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

from puzzle_envs.bitboards import copy_words, same_words
from puzzle_envs.compiled import kernel
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.verbs import apply, representative, solved, start, successors, unfold

__all__ = ["actions_through", "beginning", "is_solved", "total_cost", "unfold_move"]

TOO_SHORT, NOT_THERE = -1, -2
Words = npt.NDArray[np.uint64]


@kernel
def first_state(levels: Any, state: Any) -> None:
    """Write the state in which a level begins."""
    start(levels[0], state)


@kernel
def is_solved(levels: Any, state: Any) -> bool:
    """Whether a state solves its level."""
    return solved(levels[0], state)


@kernel
def write_step(
    levels: Any,
    findings: Any,
    planned: Any,
    state: Any,
    wanted: Any,
    chosen: Any,
    rows: Any,
    costs: Any,
    actions: Any,
    merged: bool,
) -> int:
    """Write the actions of the cheapest whole move to what `wanted` stands for, and do them.

    `planned` is the state as the search sees it, `state` the same one in play; both go on. Returns
    how many actions there are; -1: `rows` is too short; -2: no move leads there.
    """
    level = levels[0]
    count = successors(level, planned, rows, costs)
    if count < 0:
        return TOO_SHORT
    best = -1
    for index in range(count):
        copy_words(rows[index], chosen)
        if merged:
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


@kernel
def follow(levels: Any, state: Any, actions: Any) -> int:
    """What actions cost from a state, which they change."""
    cost = 0
    for index in range(actions.size):
        cost += apply(levels[0], state, actions[index])
    return cost


@kernel
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


def actions_through(
    record: np.ndarray,
    findings: Words,
    state: Words,
    path: Iterable[Words],
    *,
    merged: bool = False,
) -> list[int]:
    """The actions that lead from a state through states that a search kept.

    Args:
        record: The level, as an array of one record.
        findings: What `representative` looks up.
        state: Where the path begins; it is left as it is.
        path: What was kept after each whole move.
        merged: Whether what was kept are representatives.
    """
    state, planned, chosen = state.copy(), state.copy(), np.empty_like(state)
    room = 1024
    done: list[int] = []
    for wanted in path:
        written = TOO_SHORT
        while written == TOO_SHORT:
            rows, costs = np.empty((room, state.size), np.uint64), np.empty(room, np.int64)
            actions = np.empty(room, np.int64)
            written = write_step(
                record, findings, planned, state, wanted, chosen, rows, costs, actions, merged
            )
            room *= 2 if written == TOO_SHORT else 1
        if written == NOT_THERE:
            raise RuntimeError(f"No whole move leads from {planned} to {wanted}.")
        done += actions[:written].tolist()
    return done

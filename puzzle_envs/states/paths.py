"""From the states on a search's path to actions, compiled once for every puzzle.

A search stores canonical states, or one of each symmetry class; an episode goes through the true
states. So a path is retraced from its true start: at each state, a successor is chosen that is
represented by the next stored state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import copy_words, same_words
from puzzle_envs.kernels.compiled import rare_kernel
from puzzle_envs.level import Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.verbs import State, apply, representative, solved, start, successors, unfold

__all__ = [
    "actions_through",
    "beginning",
    "is_solved",
    "moves_through",
    "plan_through",
    "total_cost",
    "unfold_move",
]

TOO_SHORT, NOT_THERE = -1, -2


@rare_kernel
def first_state(levels: Any, state: Any) -> None:
    """Write the start state of a level."""
    start(levels[0], state)


@rare_kernel
def is_solved(levels: Any, state: Any) -> bool:
    """Whether a state solves its level."""
    return solved(levels[0], state)


@rare_kernel
def write_step(
    instance: Instance, state: State, wanted: State, chosen: State, scratch: Scratch, actions: Any
) -> int:
    """Write the actions of the cheapest macro-move to what `wanted` represents, and apply them.

    The state in `scratch` is the stored one, `state` the true one; both are updated. Returns the
    number of actions, and writes their cost as the first cost; -1: there are too few rows; -2: no
    move leads there.
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
    costs[0] = 0
    for index in range(written):
        costs[0] += apply(level, state, actions[index])
    return written


@rare_kernel
def follow(levels: Any, state: Any, actions: Any) -> int:
    """Apply actions to a state; return their cost."""
    cost = 0
    for index in range(actions.size):
        cost += apply(levels[0], state, actions[index])
    return cost


@rare_kernel
def unfold_move(levels: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """The actions of a macro-move, for Python."""
    return unfold(levels[0], state, target, rows, actions)


def total_cost(record: np.ndarray, state: Words, actions: Sequence[int]) -> int:
    """The cost of actions from a state."""
    return follow(record, state.copy(), np.array(actions, np.int64))


def beginning(puzzle: Puzzle, record: np.ndarray) -> Words:
    """The words of a level's start state."""
    puzzle.load_rules()
    state = np.empty(puzzle.format.words(record[0]), np.uint64)
    first_state(record, state)
    return state


def actions_through(instance: Instance, state: Words, path: Iterable[Words]) -> list[int]:
    """The actions from a state through the stored states of a path; see `moves_through`."""
    return plan_through(instance, state, path)[0]


def plan_through(instance: Instance, state: Words, path: Iterable[Words]) -> tuple[list[int], int]:
    """The same, and their cost."""
    moves, cost = moves_through(instance, state, path)
    return [action for move in moves for action in move], cost


def moves_through(
    instance: Instance, state: Words, path: Iterable[Words]
) -> tuple[list[list[int]], int]:
    """The actions of each macro-move from a state through the stored states of a path; the cost.

    Args:
        instance: The level; if `merged`, the stored states are representatives.
        state: The first state; not changed.
        path: The stored state after each macro-move.
    """
    chosen, planned, state = np.empty_like(state), state, state.copy()
    room = 1024
    moves: list[list[int]] = []
    cost = 0
    for wanted in path:
        written = TOO_SHORT
        while written == TOO_SHORT:
            scratch, actions = Scratch.of(state.size, room), np.empty(room, np.int64)
            scratch.state[:] = planned
            written = write_step(instance, state, wanted, chosen, scratch, actions)
            room *= 2 if written == TOO_SHORT else 1
        if written == NOT_THERE:
            raise RuntimeError(f"No macro-move leads from {planned} to {wanted}.")
        planned = scratch.state
        moves.append(actions[:written].tolist())
        cost += int(scratch.costs[0])
    return moves, cost

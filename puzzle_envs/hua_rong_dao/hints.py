"""Hints in the 4 by 5 box: optimal moves from the current state, as actions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzle_envs.hua_rong_dao.keys import has_key, key_of_state, state_of_key
from puzzle_envs.hua_rong_dao.level import METRICS
from puzzle_envs.hua_rong_dao.oracle import shared
from puzzle_envs.states.exploration import list_free
from puzzle_envs.states.paths import unfold_move

MOST_MOVES = 128
"""Upper bound on the moves of a layout."""
MOST_STEPS = 32
"""Upper bound on the steps of one move."""


def free_layouts(record: np.ndarray, words: Sequence[int]) -> list[int]:
    """The layouts that the block moved last reaches without a new move."""
    rows, costs = np.empty((MOST_MOVES, len(words)), np.uint64), np.empty(MOST_MOVES, np.int64)
    count = list_free(record, np.array(words, np.uint64), rows, costs)
    return [key_of_state(record[0], row) for row in rows[:count].tolist()]


def steps_to(record: np.ndarray, words: Sequence[int], key: int) -> list[int]:
    """The actions of the move from a state to a layout."""
    rows, actions = np.empty((MOST_STEPS, len(words)), np.uint64), np.empty(MOST_STEPS, np.int64)
    target = state_of_key(record[0], key, len(words))
    count = unfold_move(record, np.array(words, np.uint64), target, rows, actions)
    return actions[:count].tolist()  # type: ignore[no-any-return]


def hints(record: np.ndarray, words: Sequence[int]) -> list[list[int]]:
    """The moves that continue a shortest solution, each as actions of the environment.

    None if the puzzle is solved or unsolvable. A move in progress is continued for free if that
    leads nearer to the goal than any new move.

    Args:
        record: The level, such as `env.record`.
        words: The state, such as `env.get_state().words`.
    """
    if not has_key(record[0]):
        raise ValueError("Hints support only the 4 by 5 box with its usual pieces and goal.")
    oracle = shared(METRICS[int(record["metric"][0])])
    here = key_of_state(record[0], words)
    distance = oracle.optimum(here)
    if not distance:
        return []
    free = {key: oracle.optimum(key) for key in free_layouts(record, words)}
    nearer = [found for found in free.values() if found is not None and found < distance]
    if nearer:
        best = [key for key, found in free.items() if found == min(nearer)]
    else:
        best = oracle.best_moves(here)
    return [steps_to(record, words, key) for key in best]

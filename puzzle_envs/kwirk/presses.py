"""Translation of actions by pushes to the original game's keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kwirk.by_pushes import cell_of
from puzzle_envs.kwirk.level import CELLS, CHARACTERS
from puzzle_envs.kwirk.pieces import SWITCH, active, following
from puzzle_envs.kwirk.pushes import aside_of, cell_and_way, is_push, pusher_from, write_walk
from puzzle_envs.verbs import apply

MOST_KEYS = CELLS + CHARACTERS
"""Upper bound on the keys of an action: a walk visits no cell twice."""
NO_WAY = -1
"""The direction of who walks aside and pushes nothing."""


@kernel
def write_keys(levels: Any, before: Any, state: Any, action: int, keys: Any) -> int:
    """Apply an action and write its keys; return their number, -1 if it is illegal.

    `before` is a copy of the state, which is not changed.
    """
    level = levels[0]
    if apply(level, state, action) < 0:
        return -1
    who, place_in_plane = aside_of(level.plane, action)
    direction = NO_WAY
    if is_push(level.plane, action):
        place_in_plane, direction = cell_and_way(action)
    cell = cell_of(level, place_in_plane)
    if direction != NO_WAY:
        who, _ = pusher_from(level, before, cell, direction)
    done, turn = 0, active(before)
    while turn != who:
        turn = following(level, before, turn)
        keys[done] = SWITCH
        done += 1
    done = write_walk(level, before, who, cell, keys, done)
    if direction != NO_WAY:
        keys[done] = direction
        done += 1
    return done


def key_presses(record: np.ndarray, words: Sequence[int], actions: Iterable[int]) -> list[int]:
    """The keys of `KwirkSteps-v0` equivalent to actions of `Kwirk-v0`.

    Args:
        record: The level, such as `env.record` of a Kwirk-v0 environment.
        words: The initial state, such as `env.get_state().words`.
        actions: Legal actions, in order.
    """
    if record["keys"][0]:
        raise ValueError("This level is already played by keys; take it from Kwirk-v0.")
    state, buffer = np.array(words, np.uint64), np.empty(MOST_KEYS, np.int64)
    keys: list[int] = []
    for number, action in enumerate(actions):
        count = write_keys(record, state.copy(), state, action, buffer)
        if count < 0:
            raise ValueError(f"Action {action} (number {number + 1}) is illegal in its state.")
        keys += buffer[:count].tolist()
    return keys

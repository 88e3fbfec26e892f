"""Macro-moves by keys with a single character: a walk and the step after it.

Where the character walks between two pushes matters only for the length, so a search need only keep
states right after a push.
"""

from __future__ import annotations

from typing import Any

from puzzle_envs.kernels.bitboards import ONE, add, copy_words, number_of, same_words
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.motion import WALK, judge, step
from puzzle_envs.kwirk.pieces import open_holes, place, things
from puzzle_envs.kwirk.pushes import write_walk
from puzzle_envs.kwirk.walking import BOARD, around, behind, clear, walkable


@compiled
def list_strides(level: Any, state: Any, rows: Any, notes: Any, tagged: bool) -> int:
    """List the results of all pushes, turns and exits, fewest steps first.

    Each is recorded with its number of steps, or with 4 * cell + direction as its tag. Returns the
    number of results; -1 if there is no room.
    """
    blocked, holes, free = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    targets, front, reach = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    walkable(level, blocked, holes, free)
    for word in range(level.words):
        targets[word] = blocked[word] & ~level.solid[word] & ~holes[word]
    add(targets, level.exit)
    clear(level, reach)
    add(reach, place(state, 0))
    for word in range(level.words):
        front[word] = reach[word]
    found, walked, grown = 0, 0, True
    while grown:
        for direction in range(4):
            for word in range(level.words):
                left = front[word] & behind(level, targets, word, direction)
                while left != 0:
                    single = left & (~left + ONE)
                    left ^= single
                    cell = 64 * word + number_of(single)
                    kind = judge(level, state, blocked, holes, cell, direction)
                    if kind <= WALK:
                        continue
                    if found == rows.shape[0]:
                        return -1
                    copy_words(state, rows[found])
                    step(level, rows[found], holes, 0, cell, direction, kind)
                    notes[found] = 4 * cell + direction if tagged else walked + 1
                    found += 1
        grown = False
        for word in range(level.words):
            front[word] = around(level, reach, word) & free[word] & ~reach[word]
            grown |= front[word] != 0
        for word in range(level.words):
            reach[word] |= front[word]
        walked += 1
    return found


@compiled
def unfold_stride(level: Any, state: Any, target: Any, rows: Any, keys: Any) -> int:
    """Write the keys of the shortest walk and the push that lead to the target."""
    found = list_strides(level, state, rows, keys, True)
    for index in range(found):
        if same_words(rows[index], target):
            cell, direction = keys[index] >> 2, keys[index] & 3
            walked = write_walk(level, state, 0, cell, keys, 0)
            keys[walked] = direction
            return walked + 1
    return -1

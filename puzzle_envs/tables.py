"""Hash tables of 64-bit states, compiled: open addressing over a power of two of slots.

A slot holds the number of a state in an array, plus one; 0 is an empty slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.bitboards import ONE, copy_words, same_words
from puzzle_envs.compiled import compiled, kernel

__all__ = ["MORE_WORDS", "ONE_WORD", "find_key", "find_state", "mixed", "number_slots", "width_of"]

ONE_WORD, MORE_WORDS = (0,), (0, 0)
"""Whether states have one word: for those a table is half as fast again without loops."""


def width_of(words: int) -> tuple[int, ...]:
    """The width of states of so many words."""
    return ONE_WORD if words == 1 else MORE_WORDS


@compiled
def mixed(word: Any) -> Any:
    """SplitMix64's scrambling: every bit of the word moves every bit of the result."""
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled
def find_key(key: Any, keys: Any, slots: Any) -> Any:
    """The slot of a state of one word, or the empty one where it belongs."""
    last = np.uint64(slots.size - 1)
    slot = mixed(key) & last
    while slots[slot] != 0 and keys[np.uint64(slots[slot]) - ONE] != key:
        slot = (slot + ONE) & last
    return slot


@compiled
def find_state(width: Any, state: Any, states: Any, slots: Any) -> Any:
    """The slot of a state, or the empty one where it belongs.

    `width` is ONE_WORD or MORE_WORDS: a type each, so that numba compiles for it.
    """
    last = np.uint64(slots.size - 1)
    if len(width) == 1:
        key = state[0]
        slot = mixed(key) & last
        while slots[slot] != 0 and states[np.uint64(slots[slot]) - ONE, 0] != key:
            slot = (slot + ONE) & last
        return slot
    word = np.uint64(0)
    for part in range(state.size):
        word = mixed(word + state[part] + np.uint64(0x9E3779B97F4A7C15))
    slot = word & last
    while slots[slot] != 0 and not same_words(states[np.uint64(slots[slot]) - ONE], state):
        slot = (slot + ONE) & last
    return slot


@compiled
def keep_state(width: Any, state: Any, states: Any, number: int) -> None:
    """Write a state into the array of states."""
    if len(width) == 1:
        states[number, 0] = state[0]
    else:
        copy_words(state, states[number])


@kernel
def number_slots(width: Any, states: Any, count: int, slots: Any) -> None:
    """Fill an empty table with the numbers of the states; of equal ones the last counts."""
    for number in range(count):
        slots[find_state(width, states[number], states, slots)] = number + 1

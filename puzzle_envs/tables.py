"""Hash tables of 64-bit states, compiled: open addressing over a power of two of slots.

A slot holds the number of a state in an array, plus one; 0 is an empty slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.bitboards import ONE, same_words
from puzzle_envs.compiled import compiled

__all__ = ["find_key", "find_state", "mixed"]


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
    while slots[slot] != 0 and keys[slots[slot] - 1] != key:
        slot = (slot + ONE) & last
    return slot


@compiled
def find_state(state: Any, states: Any, slots: Any) -> Any:
    """The slot of a state of any number of words, or the empty one where it belongs."""
    word = np.uint64(0)
    for part in range(state.size):
        word = mixed(word + state[part] + np.uint64(0x9E3779B97F4A7C15))
    last = np.uint64(slots.size - 1)
    slot = word & last
    while slots[slot] != 0 and not same_words(states[slots[slot] - 1], state):
        slot = (slot + ONE) & last
    return slot

"""Hash tables of states, compiled: open addressing over a power of two of slots.

A state lies in a row of 32-bit words, its own words first, then what is known of it: whoever looks
at a state finds all of it in one line of the cache. A slot holds the number of a row, plus one, in
its low bits and part of the state's hash above, so that most states that are not meant are passed
by without looking at their rows; 0 is an empty slot.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from puzzle_envs.bitboards import ONE
from puzzle_envs.compiled import inlined, kernel
from puzzle_envs.prefetch import prefetch

__all__ = [
    "Layout",
    "find_key",
    "find_state",
    "hash_state",
    "keep_state",
    "layout_of",
    "load_state",
    "mixed",
    "number_in",
    "number_slots",
    "prefetch_row",
    "prefetch_slot",
    "take_slot",
]

Layout: TypeAlias = tuple[np.uint64, ...]
"""The mask of the number in a slot: once for states of one word, twice for longer ones.

So the two are different types, and numba compiles what handles one word without loops.
"""

HALF = np.uint64(32)
AHEAD = 16
"""How many states ahead the memory is asked for slots."""
LOW_HALF = np.uint64(0xFFFFFFFF)


def layout_of(words: int, most: int) -> Layout:
    """The layout for states of so many words, of which there will be at most so many."""
    mask = np.uint64(2 ** max(1, most.bit_length()) - 1)
    return (mask,) if words == 1 else (mask, mask)


@inlined
def mixed(word: Any) -> Any:
    """SplitMix64's scrambling: every bit of the word moves every bit of the result."""
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inlined
def find_key(key: Any, keys: Any, slots: Any) -> Any:
    """The slot of a key among keys, or the empty one where it belongs; slots hold mere numbers."""
    last = np.uint64(slots.size - 1)
    slot = mixed(key) & last
    while slots[slot] != 0 and keys[np.uint64(slots[slot]) - ONE] != key:
        slot = (slot + ONE) & last
    return slot


# --- rows -------------------------------------------------------------------------------------


@inlined
def _word(rows: Any, number: Any, word: Any) -> Any:
    row, low = np.uint64(number), np.uint64(word) << ONE  # unsigned: no index counts from the end
    return np.uint64(rows[row, low]) | np.uint64(rows[row, low | ONE]) << HALF


@inlined
def load_state(layout: Any, rows: Any, number: Any, state: Any) -> None:
    """Read the words of a state."""
    if len(layout) == 1:
        state[0] = _word(rows, number, 0)
    else:
        for word in range(state.size):
            state[word] = _word(rows, number, word)


@inlined
def keep_state(layout: Any, rows: Any, number: Any, state: Any) -> None:
    """Write the words of a state."""
    row = np.uint64(number)
    for word in range(1 if len(layout) == 1 else state.size):
        low = np.uint64(word) << ONE
        rows[row, low] = np.uint32(state[word] & LOW_HALF)
        rows[row, low | ONE] = np.uint32(state[word] >> HALF)


@inlined
def _same(layout: Any, rows: Any, number: Any, state: Any) -> bool:
    if len(layout) == 1:
        return _word(rows, number, 0) == state[0]
    for word in range(state.size):
        if _word(rows, number, word) != state[word]:
            return False
    return True


# --- slots ------------------------------------------------------------------------------------


@inlined
def hash_state(layout: Any, state: Any) -> Any:
    """The hash of a state, which finds its slot and marks it."""
    if len(layout) == 1:
        return mixed(state[0])
    total = np.uint64(0)
    for word in range(state.size):
        total = mixed(total + state[word] + np.uint64(0x9E3779B97F4A7C15))
    return total


@inlined
def find_state(layout: Any, rows: Any, slots: Any, state: Any, hashed: Any) -> Any:
    """The slot of a state, or the empty one where it belongs."""
    last, mask = np.uint64(slots.size - 1), layout[0]
    slot, marks = hashed & last, hashed >> HALF
    while True:
        entry = np.uint64(slots[slot])
        if entry == 0:
            return slot
        if (entry ^ marks) | mask == mask and _same(layout, rows, (entry & mask) - ONE, state):
            return slot
        slot = (slot + ONE) & last


@inlined
def number_in(layout: Any, slots: Any, slot: Any) -> Any:
    """The number of the state in a slot; -1 where it is empty."""
    return np.int64(np.uint64(slots[slot]) & layout[0]) - 1


@inlined
def take_slot(layout: Any, slots: Any, slot: Any, hashed: Any, number: Any) -> None:
    """Write the number of a state into its slot."""
    marks = (hashed >> HALF) & ~layout[0]
    slots[slot] = np.uint32(marks | np.uint64(number + 1))


@inlined
def prefetch_slot(slots: Any, hashed: Any) -> None:
    """Let the memory send what `find_state` will look at first."""
    prefetch(slots, hashed & np.uint64(slots.size - 1))


@inlined
def prefetch_row(layout: Any, rows: Any, slots: Any, hashed: Any) -> None:
    """Let the memory send the row that its first slot names, if that may be the state's own."""
    entry = np.uint64(slots[hashed & np.uint64(slots.size - 1)])
    if entry != 0 and (entry ^ hashed >> HALF) | layout[0] == layout[0]:
        prefetch(rows, ((entry & layout[0]) - ONE) * np.uint64(rows.shape[1]))


@kernel
def number_slots(layout: Any, rows: Any, count: int, slots: Any, state: Any) -> None:
    """Fill an empty table with the states, the last first: of equal ones it is found.

    `state` is scratch.
    """
    last = np.uint64(slots.size - 1)
    for number in range(count - 1, -1, -1):
        if number >= AHEAD:
            load_state(layout, rows, number - AHEAD, state)
            prefetch_slot(slots, hash_state(layout, state))
        load_state(layout, rows, number, state)
        hashed = hash_state(layout, state)
        slot = hashed & last
        while slots[slot] != 0:
            slot = (slot + ONE) & last
        take_slot(layout, slots, slot, hashed, number)

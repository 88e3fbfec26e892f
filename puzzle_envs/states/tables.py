"""Hash tables of states, compiled: open addressing over any number of slots.

A row of 32-bit words holds a state and then its data, so that visiting a state touches one cache
line. A slot holds the number of a row, plus one, in its low bits and part of the state's hash above
them, so that most other states are rejected without reading their rows; 0 is an empty slot.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.kernels.prefetch import prefetch
from puzzle_envs.verbs import State

Layout: TypeAlias = tuple[np.uint64, ...]
"""The mask of the number in a slot: a tuple of one for states of one word, of two for longer ones.

The two are different types, so that numba compiles code for a single word without loops.
"""


class Memory(NamedTuple):
    """A table of states, as passed to kernels."""

    layout: Layout
    table: npt.NDArray[np.uint32]
    """A row for each state: its words, then its data."""
    slots: npt.NDArray[np.uint32]
    room: int
    """Maximum number of states."""


HALF = np.uint64(32)
AHEAD = 16
"""How many states ahead slots are prefetched."""
LOW_HALF = np.uint64(0xFFFFFFFF)


def layout_of(words: int, most: int) -> Layout:
    """The layout for at most this many states of this many words."""
    mask = np.uint64(2 ** max(1, most.bit_length()) - 1)
    return (mask,) if words == 1 else (mask, mask)


@inlined
def mixed(word: Any) -> Any:
    """SplitMix64's mixing function: every bit of the word affects every bit of the result."""
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inlined
def find_key(key: Any, keys: Any, slots: Any) -> Any:
    """The slot of a key, or the empty one where it belongs; slots hold numbers only."""
    last = np.uint64(slots.size - 1)
    slot = mixed(key) & last
    while slots[slot] != 0 and keys[np.uint64(slots[slot]) - ONE] != key:
        slot = (slot + ONE) & last
    return slot


# --- rows -------------------------------------------------------------------------------------


@inlined
def _word(memory: Memory, number: Any, word: Any) -> Any:
    row, low = np.uint64(number), np.uint64(word) << ONE  # unsigned: never below 0
    table = memory.table
    return np.uint64(table[row, low]) | np.uint64(table[row, low | ONE]) << HALF


@inlined
def load_state(memory: Memory, number: Any, state: State) -> None:
    """Read the words of a state."""
    if len(memory.layout) == 1:
        state[0] = _word(memory, number, 0)
    else:
        for word in range(state.size):
            state[word] = _word(memory, number, word)


@inlined
def keep_state(memory: Memory, number: Any, state: State) -> None:
    """Write the words of a state."""
    row = np.uint64(number)
    for word in range(1 if len(memory.layout) == 1 else state.size):
        low = np.uint64(word) << ONE
        memory.table[row, low] = np.uint32(state[word] & LOW_HALF)
        memory.table[row, low | ONE] = np.uint32(state[word] >> HALF)


@inlined
def _same(memory: Memory, number: Any, state: State) -> bool:
    if len(memory.layout) == 1:
        return _word(memory, number, 0) == state[0]
    for word in range(state.size):
        if _word(memory, number, word) != state[word]:
            return False
    return True


# --- slots ------------------------------------------------------------------------------------


@inlined
def hash_state(layout: Layout, state: State) -> Any:
    """The hash of a state."""
    if len(layout) == 1:
        return mixed(state[0])
    total = np.uint64(0)
    for word in range(state.size):
        total = mixed(total + state[word] + np.uint64(0x9E3779B97F4A7C15))
    return total


@inlined
def _first_slot(slots: Any, hashed: Any) -> Any:
    """The slot where a search for a hash begins: of any number of slots each equally often."""
    return (hashed & LOW_HALF) * np.uint64(slots.size) >> HALF


@inlined
def _next_slot(slots: Any, slot: Any) -> Any:
    slot += ONE
    return slot if slot < np.uint64(slots.size) else np.uint64(0)


@inlined
def find_state(memory: Memory, state: State, hashed: Any) -> Any:
    """The slot of a state, or the empty one where it belongs."""
    slots, mask = memory.slots, memory.layout[0]
    slot, marks = _first_slot(slots, hashed), hashed >> HALF
    while True:
        entry = np.uint64(slots[slot])
        if entry == 0:
            return slot
        if (entry ^ marks) | mask == mask and _same(memory, (entry & mask) - ONE, state):
            return slot
        slot = _next_slot(slots, slot)


@inlined
def number_in(memory: Memory, slot: Any) -> Any:
    """The number of the state in a slot; -1 where it is empty."""
    return np.int64(np.uint64(memory.slots[slot]) & memory.layout[0]) - 1


@inlined
def take_slot(memory: Memory, slot: Any, hashed: Any, number: Any) -> None:
    """Write the number of a state into its slot."""
    marks = (hashed >> HALF) & ~memory.layout[0]
    memory.slots[slot] = np.uint32(marks | np.uint64(number + 1))


@inlined
def add_state(memory: Memory, slot: Any, hashed: Any, number: Any, state: State) -> None:
    """Store a state under a number, in the empty slot where it belongs."""
    take_slot(memory, slot, hashed, number)
    keep_state(memory, number, state)


@inlined
def prefetch_slot(memory: Memory, hashed: Any) -> None:
    """Prefetch the first slot that `find_state` will read."""
    prefetch(memory.slots, _first_slot(memory.slots, hashed))


@inlined
def prefetch_row(memory: Memory, hashed: Any) -> None:
    """Prefetch the row of the first slot, unless its hash differs from the state's."""
    slots, mask = memory.slots, memory.layout[0]
    entry = np.uint64(slots[_first_slot(slots, hashed)])
    if entry != 0 and (entry ^ hashed >> HALF) | mask == mask:
        prefetch(memory.table, ((entry & mask) - ONE) * np.uint64(memory.table.shape[1]))


@kernel
def number_slots(memory: Memory, count: int, state: State) -> None:
    """Fill an empty table with all states, the last first: of equal states the last is found.

    `state` is working memory.
    """
    slots = memory.slots
    for number in range(count - 1, -1, -1):
        if number >= AHEAD:
            load_state(memory, number - AHEAD, state)
            prefetch_slot(memory, hash_state(memory.layout, state))
        load_state(memory, number, state)
        hashed = hash_state(memory.layout, state)
        slot = _first_slot(slots, hashed)
        while slots[slot] != 0:
            slot = _next_slot(slots, slot)
        take_slot(memory, slot, hashed, number)

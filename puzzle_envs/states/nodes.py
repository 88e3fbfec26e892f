"""The memory of a search: states numbered in the order in which they were found.

A row holds a state and its data; slots are its hash table. A search that outgrows its first arrays
gets rows for as many states as its limit allows at once: the system provides memory only as they
are written, so nothing is ever copied. The slots double as they fill up; those of long states, of
which doubling would take too many, grow by a quarter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.level import Words
from puzzle_envs.states.bundles import Scratch
from puzzle_envs.states.tables import Memory, layout_of, number_slots

COUNTERS = [
    (name, np.int64)
    for name in (
        "expanded",
        "generated",
        "unique",
        "evaluated",
        "reopened",
        "until_last_jump",
        "solution",
    )
]
"""The counters of every search.

expanded: states expanded. generated: successors, including duplicates. unique: different states
registered. evaluated: calls of the heuristic. reopened: states found again at a lower cost after
they had been expanded. until_last_jump: expansions before the bound last rose. solution: the number
of the solved state; -1 without one.
"""

FIRST_ROOM = 1 << 14
FIRST_ROWS = 1 << 10
MOST_STATES = 2**32 - 2
"""Numbers of states are 32-bit."""
HUGE_PAGE = 1 << 21
QUICK_GROWTH = 1 << 15
"""Up to this number of states the slots grow sixteenfold."""
LEAST_SLOTS = 1.5
"""Minimum number of slots per state; with fewer they grow."""
MOST_BYTES = 64
"""Bytes of a state with its slots up to which these double."""

Table = npt.NDArray[Any]


class Nodes:
    """Rows of states with their data, their hash table, and working memory for successors."""

    def __init__(self, words: int, max_bytes: int, fields: int, beside: float = 0) -> None:
        """Allocate the first arrays.

        Args:
            words: Number of 64-bit words of a state.
            max_bytes: Maximum memory.
            fields: Number of 32-bit fields stored with each state; the first is its parent.
            beside: Number of bytes per state that the search stores elsewhere.
        """
        self._words, self._max_bytes = words, max_bytes
        self._row_bytes, self._beside = 8 * words + 4 * fields, beside
        doubled = self._row_bytes + 4 * 2 * LEAST_SLOTS
        self._growth = 2.0 if doubled <= MOST_BYTES else 1.25
        self.scratch = Scratch.of(words, FIRST_ROWS)
        planned = self.planned_states
        self.layout = layout_of(words, planned)
        self.table: Table = np.empty(
            (max(1, min(FIRST_ROOM, planned)), 2 * words + fields), np.uint32
        )
        self.slots: Table = np.zeros(2 * FIRST_ROOM, np.uint32)
        self._slots = self.slots

    @property
    def memory(self) -> Memory:
        """The bundle for kernels; growing replaces it."""
        return Memory(self.layout, self.table, self.slots, self.room)

    @property
    def room(self) -> int:
        """Maximum number of states before it has to grow."""
        return min(len(self.table), int(self.slots.size / LEAST_SLOTS))

    def bytes(self, count: int) -> int:
        """The memory that the tables take with this many states."""
        return self._row_bytes * count + self.slots.nbytes + self.scratch.bytes

    def register_first(self, state: Words) -> None:
        """Register the first state, with number 0."""
        self.table[0] = 0
        self.table[0, : 2 * self._words] = state.view(np.uint32)
        self._number_slots(1)

    def state(self, number: int) -> Words:
        """The words of a state."""
        return self.table[number, : 2 * self._words].copy().view(np.uint64)

    def path(self, number: int) -> list[Words]:
        """The states from the first one, which is left out, to a numbered one."""
        path = []
        while number != 0:
            path.append(self.state(number))
            number = int(self.table[number, 2 * self._words])
        return path[::-1]

    def _number_slots(self, count: int) -> None:
        number_slots(self.memory, count, np.empty(self._words, np.uint64))

    # --- growing ------------------------------------------------------------------------------

    def grow(self, count: int, more: int | None = None) -> bool:
        """Make room for more states.

        Args:
            count: The number of states registered.
            more: The number of further states; by default as many as one state has successors.

        Returns:
            Whether there is more room than before; False if the limit does not allow it.
        """
        before = self.room
        wanted = count + (len(self.scratch.rows) if more is None else more)
        if wanted > len(self.table):
            self._take_planned_rows(count)
        while wanted > self.slots.size / LEAST_SLOTS and self._grow_slots(count):
            pass
        return self.room > before

    def grow_rows(self, count: int) -> bool:
        """Make room for more successors of one state; False if the limit does not allow it."""
        if self.bytes(count) + self.scratch.bytes > self._max_bytes:
            return False
        self.scratch = Scratch.of(self._words, 2 * len(self.scratch.rows))
        return True

    @property
    def planned_states(self) -> int:
        """The number of states that the limit allows, with a hash table just large enough."""
        left = self._max_bytes - self.scratch.bytes
        most = 0
        slots = 2 * FIRST_ROOM
        while 4 * slots < left:
            affordable = (left - 4 * slots) / (self._row_bytes + self._beside)
            states = int(min(affordable, slots / LEAST_SLOTS))
            most, slots = max(most, states), int(self._growth * slots)
        return min(most, MOST_STATES)

    def _take_planned_rows(self, count: int) -> None:
        planned = self.planned_states
        while planned > len(self.table):
            try:
                longer = large_table((planned, self.table.shape[1]))
            except MemoryError:  # more than the system reserves
                planned //= 2
            else:
                longer[:count] = self.table[:count]
                self.table = longer

    def _grow_slots(self, count: int) -> bool:
        size = int(self.slots.size * (16 if count < QUICK_GROWTH else self._growth))
        if self.bytes(count) + 4 * size - self.slots.nbytes > self._max_bytes:
            size = int(self.slots.size * self._growth)
        if self.bytes(count) + 4 * size - self.slots.nbytes > self._max_bytes:
            return False
        self.slots[:] = 0
        self.slots = self._slot_block(size)[:size]
        self._number_slots(count)
        return True

    def _slot_block(self, size: int) -> Table:
        """Slots for all planned states; a growing part at the beginning is in use."""
        if len(self._slots) < size:
            planned = int(self.planned_states * LEAST_SLOTS * self._growth)
            try:
                self._slots = large_table((max(size, planned),), np.zeros)
            except MemoryError:  # more than the system reserves
                self._slots = large_table((size,), np.zeros)
        return self._slots


def large_table(
    shape: tuple[int, ...], make: Callable[[int, type[np.uint8]], Table] = np.empty
) -> Table:
    """A large array, aligned for huge pages: a tenth of the page faults.

    The block is longer by one huge page, to align its beginning; what is not written takes no
    memory.
    """
    size = 4 * math.prod(shape)
    block = make(max(size + HUGE_PAGE, 2 * HUGE_PAGE), np.uint8)
    first = -block.ctypes.data % HUGE_PAGE
    return block[first : first + size].view(np.uint32).reshape(shape)

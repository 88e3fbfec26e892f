"""The memory of a search: states numbered in the order in which they were found.

What is known of a state lies in columns beside it; a table of numbers finds it again. A search
that outgrows its first room gets columns for as many states as its limit allows at once: they take
memory only as they are written, so nothing is ever copied. The table doubles as it fills.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.tables import number_slots, width_of

__all__ = ["COUNTERS", "Nodes"]

COUNTERS = [
    (name, np.int64)
    for name in ("expanded", "generated", "unique", "evaluated", "reopened", "settled", "solution")
]
"""What every search counts, the same way in all of them.

expanded: states whose successors were asked for. generated: successors produced, duplicates among
them. unique: different states registered. evaluated: calls of the estimate. reopened: states found
again at a lower cost after they had been expanded. settled: how many of the expansions came before
the bound last rose. solution: the number of the solved state, -1 as long as there is none.
"""

FIRST_ROOM = 1 << 14
FIRST_ROWS = 1 << 10
MOST_STATES = 2**32 - 2
"""Numbers of states are 32-bit."""
HUGE_PAGE = 1 << 21
QUICK_GROWTH = 1 << 15
"""Up to so many states the table grows sixteenfold, from there on it doubles."""
LEAST_SLOTS = 1.5
"""Slots for each state: with less the table grows."""

Column = npt.NDArray[Any]


class Nodes:
    """States, columns beside them, a table that finds them, and room for successors."""

    def __init__(self, words: int, max_bytes: int, **columns: type[np.generic]) -> None:
        """Make room for some states.

        Args:
            words: How many a state has.
            max_bytes: The most memory to take.
            columns: What is kept beside each state.
        """
        self.width = width_of(words)
        self._max_bytes = max_bytes
        self._state_bytes = 8 * words + sum(np.dtype(kind).itemsize for kind in columns.values())
        self.rows = np.empty((FIRST_ROWS, words), np.uint64)
        self.costs = np.empty(FIRST_ROWS, np.int64)
        first = max(1, min(FIRST_ROOM, self._planned_states()))
        self.states: Column = np.empty((first, words), np.uint64)
        self.columns: dict[str, Column] = {
            name: np.empty(first, kind) for name, kind in columns.items()
        }
        self.slots = np.zeros(2 * FIRST_ROOM, np.uint32)

    def __getitem__(self, name: str) -> Column:
        """A column."""
        return self.columns[name]

    @property
    def room(self) -> int:
        """How many states there may be before it has to grow."""
        return min(len(self.states), int(self.slots.size / LEAST_SLOTS))

    def bytes(self, count: int) -> int:
        """The memory that so many states take."""
        return self._state_bytes * count + self.slots.nbytes + self._row_bytes

    @property
    def _row_bytes(self) -> int:
        return self.rows.nbytes + self.costs.nbytes

    def register_first(self, state: npt.NDArray[np.uint64]) -> None:
        """Give the number 0 to the state from which all others are found."""
        self.states[0] = state
        self.columns["parents"][0] = 0
        number_slots(self.width, self.states, 1, self.slots)

    def state(self, number: int) -> npt.NDArray[np.uint64]:
        """A copy of the words of a state."""
        words: npt.NDArray[np.uint64] = self.states[number]
        return words.copy()

    def path(self, number: int) -> list[npt.NDArray[np.uint64]]:
        """The states on the way from the first one, which is left out, to a numbered one."""
        path = []
        while number != 0:
            path.append(self.state(number))
            number = int(self.columns["parents"][number])
        return path[::-1]

    # --- growing ------------------------------------------------------------------------------

    def grow(self, count: int) -> bool:
        """Make room beyond `count` states; False where the limit does not allow it."""
        before = self.room
        if count + len(self.rows) > len(self.states):
            self._take_planned_columns(count)
        if count + len(self.rows) > self.slots.size / LEAST_SLOTS:
            self._grow_slots(count)
        return self.room > before

    def grow_rows(self, count: int) -> bool:
        """Make room for more successors of one state; False where the limit does not allow it."""
        if self.bytes(count) + self._row_bytes > self._max_bytes:
            return False
        self.rows = np.empty((2 * len(self.rows), self.rows.shape[1]), np.uint64)
        self.costs = np.empty(len(self.rows), np.int64)
        return True

    def _planned_states(self) -> int:
        """How many states the limit allows together with a table that is just large enough."""
        left = self._max_bytes - self._row_bytes
        most = 0
        slots = 2 * FIRST_ROOM
        while 4 * slots < left:
            states = min((left - 4 * slots) // self._state_bytes, int(slots / LEAST_SLOTS))
            most, slots = max(most, states), 2 * slots
        return min(most, MOST_STATES)

    def _take_planned_columns(self, count: int) -> None:
        room = self._planned_states()
        while room > len(self.states):
            try:
                states = _longer(self.states, room, count)
                columns = {
                    name: _longer(column, room, count) for name, column in self.columns.items()
                }
            except MemoryError:  # the system does not even promise so much
                room //= 2
            else:
                self.states, self.columns = states, columns

    def _grow_slots(self, count: int) -> None:
        size = self.slots.size * (16 if count < QUICK_GROWTH else 2)
        if self.bytes(count) + 4 * size - self.slots.nbytes > self._max_bytes:
            size = self.slots.size * 2
        if self.bytes(count) + 4 * size - self.slots.nbytes > self._max_bytes:
            return
        self.slots = np.zeros(0, np.uint32)  # gives the old table back before the new one is taken
        self.slots = _room(np.zeros, (size,), np.dtype(np.uint32))
        number_slots(self.width, self.states, count, self.slots)


def _longer(column: Column, room: int, count: int) -> Column:
    longer = _room(np.empty, (room, *column.shape[1:]), column.dtype)
    longer[:count] = column[:count]
    return longer


def _room(
    make: Callable[[int, type[np.uint8]], Column], shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Column:
    """An array on huge pages, which the system gives to large blocks: a tenth of the page faults.

    They begin at multiples of their size, so the block is that much longer; what is not written
    takes no memory.
    """
    size = math.prod(shape) * dtype.itemsize
    block = make(max(size + HUGE_PAGE, 2 * HUGE_PAGE), np.uint8)
    first = -block.ctypes.data % HUGE_PAGE
    return block[first : first + size].view(dtype).reshape(shape)

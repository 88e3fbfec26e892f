"""Open lists: stacks of states, one per priority and tie, compiled.

The tie orders states of equal priority: it is their estimate, or 0 if the latest comes first.

A stack is a linked list of chunks of indices; empty chunks are reused. So pushing and popping take
constant time, and the next states are known ahead, so that the search can prefetch several at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import inlined
from puzzle_envs.level import record_dtype
from puzzle_envs.states.nodes import FIRST_ROWS, large_table

CHUNK = 32
"""Indices per chunk; the first is the chunk below, plus one."""
BYTES = 4.2
"""Bytes per open state."""
FIRST_CHUNKS = 1 << 12

POOL = record_dtype([("used", np.int64), ("free", np.int64)])
"""Number of chunks ever used, and the first free one, plus one."""


class Lists(NamedTuple):
    """The stacks by priority and tie, as arguments of kernels."""

    heads: npt.NDArray[np.uint32]
    """The top chunk, plus one; 0 if the stack is empty."""
    fills: npt.NDArray[np.uint8]
    """Number of indices in it."""
    lows: npt.NDArray[np.uint16]
    """For each priority, a tie below which all stacks are empty."""
    chunks: npt.NDArray[np.uint32]
    pools: np.ndarray


@inlined
def is_empty(priority: Any, tie: Any, lists: Lists) -> bool:
    """Whether a stack is empty."""
    return lists.heads[priority, tie] == 0


@inlined
def open_state(number: Any, its_priority: Any, its_tie: Any, lists: Lists) -> None:
    """Push a state."""
    heads, fills, chunks = lists.heads, lists.fills, lists.chunks
    priority, tie = np.uint64(its_priority), np.uint64(its_tie)
    fill = np.int64(fills[priority, tie])
    if heads[priority, tie] == 0 or fill == CHUNK - 1:
        pool = lists.pools[0]
        if pool.free != 0:
            chunk = pool.free - 1
            pool.free = np.int64(chunks[chunk, 0])
        else:
            chunk = pool.used
            pool.used += 1
        chunks[np.uint64(chunk), 0] = heads[priority, tie]
        heads[priority, tie] = chunk + 1
        fill = 0
        lists.lows[priority] = min(np.uint64(lists.lows[priority]), tie)
    fill += 1
    chunks[np.uint64(heads[priority, tie]) - ONE, np.uint64(fill)] = number
    fills[priority, tie] = fill


@inlined
def take_state(its_priority: Any, its_tie: Any, lists: Lists) -> Any:
    """Pop a state from a stack that is not empty."""
    heads, fills, chunks = lists.heads, lists.fills, lists.chunks
    priority, tie = np.uint64(its_priority), np.uint64(its_tie)
    chunk, fill = np.uint64(heads[priority, tie]) - ONE, np.int64(fills[priority, tie])
    number = np.int64(chunks[chunk, np.uint64(fill)])
    fill -= 1
    if fill == 0:
        pool = lists.pools[0]
        heads[priority, tie] = chunks[chunk, 0]
        chunks[chunk, 0] = pool.free
        pool.free = np.int64(chunk) + 1
        fill = CHUNK - 1
    fills[priority, tie] = fill
    return number


@inlined
def best_list(priority: int, lists: Lists) -> tuple[Any, Any]:
    """The first stack from a priority on that is not empty; beyond the last if there is none."""
    heads, lows = lists.heads, lists.lows
    priorities, ties = heads.shape
    while priority < priorities:
        tie = np.int64(lows[priority])
        while tie < ties and heads[priority, tie] == 0:
            tie += 1
        lows[priority] = tie
        if tie < ties:
            return priority, tie
        priority += 1
    return priority, 0


class OpenLists:
    """The stacks of one search."""

    def __init__(self) -> None:
        """Allocate stacks for some priorities and ties."""
        self._heads = np.zeros((256, 64), np.uint32)
        self._fills = np.zeros((256, 64), np.uint8)
        self._lows = np.full(256, 64, np.uint16)
        self._chunks: npt.NDArray[np.uint32] = np.empty((FIRST_CHUNKS, CHUNK), np.uint32)
        self._pools = np.zeros(1, POOL)

    @property
    def lists(self) -> Lists:
        """The stacks as arguments of kernels; replaced on growth."""
        return Lists(self._heads, self._fills, self._lows, self._chunks, self._pools)

    @property
    def bytes(self) -> int:
        """Memory of the stacks."""
        return self._heads.nbytes + self._fills.nbytes + self._chunks[: self._used].nbytes

    @property
    def room(self) -> int:
        """Minimum number of states that can be opened before chunks run out."""
        return len(self._chunks) - self._used

    @property
    def _used(self) -> int:
        return int(self._pools["used"][0])

    def grow(self, states: int, most: int) -> None:
        """Reserve capacity for this many states; memory is used only as they are opened.

        Args:
            states: The number of states that the search may store.
            most: The number of states that may be opened at once; afterwards `room` exceeds it.
        """
        planned = states // (CHUNK - 1) + self._heads.size + FIRST_ROWS
        chunks = large_table((max(planned, 2 * self._used) + most, CHUNK))
        chunks[: self._used] = self._chunks[: self._used]
        self._chunks = chunks

    def lengthen(self, priority: int, tie: int) -> None:
        """Double the range of priorities and ties beyond those that did not fit."""
        priorities, ties = self._heads.shape
        if priority >= priorities:
            priorities = 2 * priority
        if tie >= ties:
            ties = 2 * tie
        self._heads = _larger(self._heads, priorities, ties)
        self._fills = _larger(self._fills, priorities, ties)
        self._lows = np.zeros(priorities, np.uint16)


def _larger(table: np.ndarray, rows: int, columns: int) -> np.ndarray:
    larger = np.zeros((rows, columns), table.dtype)
    larger[: table.shape[0], : table.shape[1]] = table
    return larger

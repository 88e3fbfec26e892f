"""Open states in a binary heap with real-valued keys, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import inlined

__all__ = ["BYTES", "Heap", "pop", "push"]

BYTES = 12
"""Bytes per open state."""


class Heap(NamedTuple):
    """The lowest key first."""

    keys: npt.NDArray[np.float64]
    numbers: npt.NDArray[np.uint32]
    """The states of these keys."""

    @classmethod
    def of(cls, room: int) -> Heap:
        """An empty heap for this many states."""
        return cls(np.empty(room, np.float64), np.empty(room, np.uint32))

    def longer(self, room: int) -> Heap:
        """A copy for more states."""
        heap = Heap.of(room)
        heap.keys[: self.keys.size] = self.keys
        heap.numbers[: self.keys.size] = self.numbers
        return heap


@inlined
def push(heap: Heap, size: int, key: float, number: Any) -> None:
    """Put a state into a heap of this many."""
    keys, numbers = heap.keys, heap.numbers
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if keys[above] <= key:
            break
        keys[place], numbers[place] = keys[above], numbers[above]
        place = above
    keys[place], numbers[place] = key, number


@inlined
def pop(heap: Heap, size: int) -> int:
    """Take the state with the lowest key out of a heap of this many, at least one."""
    keys, numbers = heap.keys, heap.numbers
    first = np.int64(numbers[0])
    last = size - 1
    key, number = keys[last], numbers[last]
    place, below = 0, 1
    while below < last:
        if below + 1 < last and keys[below + 1] < keys[below]:
            below += 1
        if key <= keys[below]:
            break
        keys[place], numbers[place] = keys[below], numbers[below]
        place, below = below, 2 * below + 1
    keys[place], numbers[place] = key, number
    return first

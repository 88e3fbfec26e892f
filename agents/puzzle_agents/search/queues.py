"""Shared parts of searches with queues, compiled: new states, and queues linked through rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import inlined
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.tables import Memory, add_state, find_state, hash_state, number_in
from puzzle_envs.verbs import State, hopeless, representative


class Queues(NamedTuple):
    """Queues in rows and columns; numbers of states are stored plus one, 0 means empty."""

    firsts: npt.NDArray[np.uint32]
    lasts: npt.NDArray[np.uint32]
    lows: npt.NDArray[np.int64]
    """For each row, a column before which all queues are empty."""

    @classmethod
    def of(cls, rows: int, columns: int) -> Queues:
        """Empty queues."""
        empty = np.zeros((rows, columns), np.uint32)
        return cls(empty, empty.copy(), np.full(rows, columns, np.int64))

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return self.firsts.nbytes + self.lasts.nbytes


@inlined
def is_waiting(queues: Queues, row: int, column: int) -> bool:
    """Whether a queue is not empty."""
    return queues.firsts[row, column] != 0


@inlined
def join(queues: Queues, memory: Memory, row: int, column: int, number: Any, field: int) -> None:
    """Append a state to a queue; `field` of a state's row links to the next one."""
    memory.table[number, field] = 0
    if queues.firsts[row, column] == 0:
        queues.firsts[row, column] = number + 1
        queues.lows[row] = min(queues.lows[row], column)
    else:
        memory.table[np.int64(queues.lasts[row, column]) - 1, field] = number + 1
    queues.lasts[row, column] = number + 1


@inlined
def best_queue(queues: Queues) -> tuple[int, int]:
    """The first queue that is not empty; a row beyond the last if all are."""
    rows, columns = queues.firsts.shape
    for row in range(rows):
        column = queues.lows[row]
        while column < columns and queues.firsts[row, column] == 0:
            column += 1
        queues.lows[row] = column
        if column < columns:
            return row, column
    return rows, 0


@inlined
def leave(queues: Queues, memory: Memory, row: int, column: int, field: int) -> Any:
    """Remove and return the first state of a queue, which must not be empty."""
    number = np.int64(queues.firsts[row, column]) - 1
    queues.firsts[row, column] = memory.table[number, field]
    return number


@inlined
def register(instance: Instance, memory: Memory, row: State, parent: Any, progress: Any) -> int:
    """Register a successor; return its number, or -1 if it is known or hopeless."""
    level = instance.levels[0]
    if instance.merged:
        representative(level, instance.findings, row)
    hashed = hash_state(memory.layout, row)
    slot = find_state(memory, row, hashed)
    if number_in(memory, slot) >= 0 or hopeless(level, row):
        return -1
    number = np.int64(progress.registered)
    add_state(memory, slot, hashed, number, row)
    memory.table[number, 2 * row.size] = parent
    progress.registered += 1
    return number

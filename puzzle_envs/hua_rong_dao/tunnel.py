"""A tunnel through the layouts of a box: some of them, and their distances within it.

Its distances are upper bounds, and exact if it holds every reachable layout.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Scratch
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    layout_of,
    load_state,
    mixed,
    number_in,
)
from puzzle_envs.verbs import LevelRecord, State, predecessors, solved, successors

__all__ = ["ROOM", "SUCCESSORS", "Tunnel"]

ROOM, SUCCESSORS = 30_000, 512
"""Maximum number of layouts of a tunnel, and of successors of a layout."""


class Distances(NamedTuple):
    """Distances of the layouts of a tunnel from its solved ones, by layout number."""

    moves: npt.NDArray[np.int32]
    """-1 if no path is known."""
    following: npt.NDArray[np.int32]
    """The next layout on the path."""
    queue: npt.NDArray[np.int32]


@compiled
def _take_in(memory: Memory, state: State, count: int) -> int:
    """Add a layout to a tunnel unless it is there; return the number of layouts."""
    hashed = hash_state(memory.layout, state)
    slot = find_state(memory, state, hashed)
    if memory.slots[slot] != 0:
        return count
    add_state(memory, slot, hashed, count, state)
    return count + 1


@compiled
def _around(level: Any, scratch: Scratch) -> int:
    """Write the layouts one move away from the one in `scratch`."""
    if solved(level, scratch.state):
        return int(predecessors(level, scratch.state, scratch.rows, scratch.costs))
    return int(successors(level, scratch.state, scratch.rows, scratch.costs))


@kernel
def take_in_all(memory: Memory, states: Words) -> int:
    """Begin a tunnel with these layouts; return their number."""
    memory.slots[:] = 0
    count = 0
    for index in range(states.shape[0]):
        count = _take_in(memory, states[index], count)
    return count


@kernel
def wander(levels: LevelRecord, memory: Memory, scratch: Scratch, steps: int, seed: Any) -> int:
    """Walk at random from the first layout of a tunnel; return its number of layouts.

    Each step leads to a new layout if there is one, and never to a solved one.
    """
    level, state, rows = levels[0], scratch.state, scratch.rows
    count, drawn = 1, seed
    load_state(memory, 0, state)
    for _ in range(steps):
        found = _around(level, scratch)
        chosen, fresh, other, others = 0, 0, 0, 0
        for index in range(found):
            if solved(level, rows[index]):
                continue
            drawn = mixed(drawn + ONE)
            slot = find_state(memory, rows[index], hash_state(memory.layout, rows[index]))
            if memory.slots[slot] == 0:
                fresh += 1
                chosen = index if drawn % np.uint64(fresh) == 0 else chosen
            else:
                others += 1
                other = index if drawn % np.uint64(others) == 0 else other
        if fresh + others == 0:
            break
        row = rows[chosen if fresh > 0 else other]
        for word in range(state.size):
            state[word] = row[word]
        count = _take_in(memory, state, count)
    return count


@kernel
def widen(levels: LevelRecord, memory: Memory, scratch: Scratch, count: int) -> int:
    """Add the layouts nearest to the tunnel while there is room; return their total number."""
    level, number = levels[0], 0
    while number < count and count + SUCCESSORS <= memory.room:
        load_state(memory, number, scratch.state)
        for index in range(_around(level, scratch)):
            count = _take_in(memory, scratch.rows[index], count)
        number += 1
    return count


@kernel
def measure(
    levels: LevelRecord, memory: Memory, scratch: Scratch, distances: Distances, count: int
) -> int:
    """Write the distances within a tunnel; return the number of the farthest layout."""
    level, state, rows = levels[0], scratch.state, scratch.rows
    moves, following, queue = distances.moves, distances.following, distances.queue
    head, tail = 0, 0
    for number in range(count):
        moves[number] = -1
        load_state(memory, number, state)
        if solved(level, state):
            moves[number], queue[tail] = 0, number
            tail += 1
    while head < tail:
        number = queue[head]
        head += 1
        load_state(memory, number, state)
        for index in range(_around(level, scratch)):
            hashed = hash_state(memory.layout, rows[index])
            other = number_in(memory, find_state(memory, rows[index], hashed))
            if other >= 0 and moves[other] < 0:
                moves[other], following[other] = moves[number] + 1, number
                queue[tail] = other
                tail += 1
    return int(queue[tail - 1])


@kernel
def read(memory: Memory, number: int, state: State) -> None:
    """Write the words of a layout of a tunnel."""
    load_state(memory, number, state)


class Tunnel:
    """A tunnel through the layouts of a level."""

    def __init__(self, puzzle: Puzzle, records: np.ndarray, words: int, room: int = ROOM) -> None:
        """Allocate memory for this many layouts, less a few."""
        slots = 4 << (room - 1).bit_length()
        self._puzzle, self._records, self._words = puzzle, records, words
        self._memory = Memory(
            layout_of(words, room),
            np.empty((room, 2 * words), np.uint32),
            np.zeros(slots, np.uint32),
            room,
        )
        self._scratch = Scratch.of(words, SUCCESSORS)
        self._distances = Distances(*(np.zeros(room, np.int32) for _ in range(3)))
        self._count = 0
        self.exhausted = False
        """Whether it holds every reachable layout."""

    def from_walk(self, state: Words, steps: int, seed: int) -> Words:
        """Walk away from a solved layout; return the path back from the farthest layout found."""
        take_in_all(self._memory, state[None])
        count = wander(self._records, self._memory, self._scratch, steps, np.uint64(seed))
        return self.path(self._measured(count))

    def along(self, path: Words) -> Words:
        """The shortest path in the tunnel around a path, from its first layout to a solved one."""
        self._measured(take_in_all(self._memory, path))
        return self.path(0)

    def around(self, state: Words) -> npt.NDArray[np.int32]:
        """The distances of the layouts nearest to a solved one, as many as there is room for."""
        self._measured(take_in_all(self._memory, state[None]))
        return self._distances.moves[: self._count]

    def state(self, number: int) -> Words:
        """The words of a layout."""
        state = np.empty(self._words, np.uint64)
        read(self._memory, number, state)
        return state

    def path(self, number: int) -> Words:
        """The shortest path in the tunnel from a layout to a solved one."""
        path = np.empty((int(self._distances.moves[number]) + 1, self._words), np.uint64)
        for state in path:
            read(self._memory, number, state)
            number = int(self._distances.following[number])
        return path

    def _measured(self, count: int) -> int:
        """Widen the tunnel and write its distances; return the number of the farthest layout."""
        count = widen(self._records, self._memory, self._scratch, count)
        self.exhausted = count + SUCCESSORS <= self._memory.room
        self._count = count
        return measure(self._records, self._memory, self._scratch, self._distances, count)

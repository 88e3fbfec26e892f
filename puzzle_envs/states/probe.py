"""A short best-first search that says how hard a level is, compiled once for every puzzle.

It proves nothing: the first way to a state counts. What it looks at until it has a solution, or
whether it has one before its room is full, steers how levels are changed.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Scratch
from puzzle_envs.states.paths import beginning
from puzzle_envs.states.tables import (
    Memory,
    find_state,
    hash_state,
    keep_state,
    layout_of,
    load_state,
    take_slot,
)
from puzzle_envs.verbs import NEVER, Findings, LevelRecord, heuristic, solved, successors

__all__ = ["Probe", "Weights"]

SUCCESSORS = 512
"""More than a state has, of all but floors with several characters."""
STACKS = 2048
"""Sums of moves and weighted heuristic that are told apart."""


class Weights(NamedTuple):
    """What is added up of a state; the least sum comes first, of those the latest state."""

    moves: int
    heuristic: int


class Open(NamedTuple):
    """States that wait to be expanded, a stack for each sum."""

    tops: npt.NDArray[np.int32]
    """The state on top of each stack; -1: the stack is empty."""
    below: npt.NDArray[np.int32]
    """The one under each."""
    moves: npt.NDArray[np.int32]
    """The moves to each state."""
    parents: npt.NDArray[np.int32]


@kernel
def best_first(
    levels: LevelRecord,
    findings: Findings,
    memory: Memory,
    scratch: Scratch,
    open: Open,
    weights: Weights,
) -> int:
    """Search from the state in `scratch`; return how many states there are, the last one solved.

    Negative: as many, and none is solved; there was no room for more, or there are no more.
    """
    level, state, rows, costs = levels[0], scratch.state, scratch.rows, scratch.costs
    tops, below, moves = open.tops, open.below, open.moves
    memory.slots[:] = 0
    tops[:] = -1
    hashed = hash_state(memory.layout, state)
    take_slot(memory, find_state(memory, state, hashed), hashed, 0)
    keep_state(memory, 0, state)
    tops[0], below[0], moves[0], open.parents[0] = 0, -1, 0, -1
    count, least = 1, 0
    while least < tops.size:
        number = tops[least]
        if number < 0:
            least += 1
            continue
        tops[least] = below[number]
        load_state(memory, number, state)
        found = successors(level, state, rows, costs)
        if found < 0 or count + found > memory.room:
            return -count
        for index in range(found):
            row = rows[index]
            hashed = hash_state(memory.layout, row)
            slot = find_state(memory, row, hashed)
            if memory.slots[slot] != 0:
                continue
            take_slot(memory, slot, hashed, count)
            keep_state(memory, count, row)
            open.parents[count], moves[count] = number, moves[number] + costs[index]
            left = heuristic(level, findings, row)
            if solved(level, row):
                return count + 1
            if left < NEVER:
                value = weights.moves * moves[count] + weights.heuristic * left
                value = min(value, tops.size - 1)
                below[count], tops[value] = tops[value], count
                least = min(least, value)
            count += 1
    return -count


@kernel
def read(memory: Memory, number: int, state: npt.NDArray[np.uint64]) -> None:
    """Write the words of a state."""
    load_state(memory, number, state)


class Probe:
    """Room for a search, used again for level after level."""

    def __init__(self, puzzle: Puzzle, room: int) -> None:
        """Make room for so many states."""
        puzzle.load_rules()
        self._puzzle, self._room = puzzle, room
        slots = 4 << (room - 1).bit_length()
        self._slots = np.zeros(slots, np.uint32)
        self._open = Open(np.zeros(STACKS, np.int32), *(np.zeros(room, np.int32) for _ in "bmp"))
        self._table = cache(self._new_table)
        self._last: tuple[Memory, Scratch, int] | None = None

    def _new_table(self, words: int) -> tuple[Memory, Scratch]:
        table = np.empty((self._room, 2 * words), np.uint32)
        memory = Memory(layout_of(words, self._room), table, self._slots, self._room)
        return memory, Scratch.of(words, SUCCESSORS)

    def states(self, records: np.ndarray, findings: Findings, weights: Weights) -> int:
        """How many states are met until the level is solved; its room where it is not."""
        first = beginning(self._puzzle, records)
        memory, scratch = self._table(first.size)
        scratch.state[:] = first
        met = best_first(records, findings, memory, scratch, self._open, weights)
        self._last = (memory, scratch, met)
        return int(met) if met > 0 else self._room

    def path(self) -> list[npt.NDArray[np.uint64]] | None:
        """The states of the solution found last, without the first; None where there was none."""
        assert self._last is not None
        memory, scratch, met = self._last
        if met < 0:
            return None
        path, number = [], met - 1
        while number > 0:
            read(memory, number, scratch.state)
            path.append(scratch.state.copy())
            number = int(self._open.parents[number])
        return path[::-1]

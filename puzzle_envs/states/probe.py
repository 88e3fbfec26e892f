"""A short best-first search that says how hard a level is, compiled once for every puzzle.

It proves nothing: the first way to a state counts. What it looks at until it has a solution, or
whether it has one before its room is full, steers how levels are changed.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import inlined, kernel
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
    mixed,
    take_slot,
)
from puzzle_envs.verbs import (
    NEVER,
    Findings,
    LevelRecord,
    State,
    atoms,
    heuristic,
    milestones,
    scenery,
    solved,
    successors,
)

__all__ = ["Order", "Probe"]

SUCCESSORS = 512
"""More than a state has, of all but floors with several characters."""
SUMS = 2048
"""Sums of moves and weighted heuristic that are told apart."""
SHOWN = 1 << 18
MOST_ATOMS = 256


class Order(NamedTuple):
    """Which state is expanded next: that of the least sum."""

    moves: int
    """The weight of the moves to a state."""
    heuristic: int
    """The weight of what the heuristic says of it."""
    latest: bool = False
    """Of those of one sum the latest state comes first; otherwise the earliest."""
    novel: bool = False
    """States come first that show an atom, or else a pair of atoms, that no state of the same
    heuristic and milestones has shown: best-first width search."""


class Open(NamedTuple):
    """States that wait to be expanded, a queue for each sum."""

    firsts: npt.NDArray[np.int32]
    """The first state of each queue; -1: the queue is empty."""
    lasts: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    """The one behind each."""
    moves: npt.NDArray[np.int32]
    """The moves to each state."""
    parents: npt.NDArray[np.int32]
    planes: npt.NDArray[np.int8]
    """The scenery, and a row of working memory, by which atoms are told."""
    atoms: npt.NDArray[np.int64]
    """Those of a state."""
    shown: npt.NDArray[np.bool_]
    """Which pairs of atoms some state has shown, by a hash; a few are taken for others."""


@inlined
def _join(open: Open, queue: int, number: int, latest: bool) -> None:
    """Put a state into a queue."""
    first = open.firsts[queue]
    if latest or first < 0:
        open.following[number], open.firsts[queue] = first, number
    else:
        open.following[number], open.following[open.lasts[queue]] = -1, number
    if not latest or first < 0:
        open.lasts[queue] = number


@inlined
def _novelty(level: LevelRecord, open: Open, row: State, left: int) -> int:
    """0: the state shows a new atom; 1: a new pair; 2: neither."""
    count = atoms(level, row, open.planes, open.atoms)
    group = mixed(np.uint64(left) << np.uint64(32) | np.uint64(milestones(level, row)))
    last, novelty = np.uint64(SHOWN - 1), 2
    for first in range(count):
        for second in range(first + 1):
            pair = np.uint64(open.atoms[first]) << np.uint64(32) | np.uint64(open.atoms[second])
            place = mixed(group + mixed(pair)) & last
            if not open.shown[place]:
                open.shown[place] = True
                novelty = min(novelty, 0 if first == second else 1)
    return novelty


@kernel
def best_first(
    levels: LevelRecord,
    findings: Findings,
    memory: Memory,
    scratch: Scratch,
    open: Open,
    order: Order,
) -> int:
    """Search from the state in `scratch`; return how many states there are, the last one solved.

    Negative: as many, and none is solved; there was no room for more, or there are no more.
    """
    level, state, rows, costs = levels[0], scratch.state, scratch.rows, scratch.costs
    firsts, moves = open.firsts, open.moves
    memory.slots[:] = 0
    firsts[:] = -1
    open.shown[:] = False
    hashed = hash_state(memory.layout, state)
    take_slot(memory, find_state(memory, state, hashed), hashed, 0)
    keep_state(memory, 0, state)
    moves[0], open.parents[0] = 0, -1
    _join(open, 0, 0, order.latest)
    count, least = 1, 0
    while least < firsts.size and count + SUCCESSORS <= memory.room:
        number = firsts[least]
        if number < 0:
            least += 1
            continue
        firsts[least] = open.following[number]
        load_state(memory, number, state)
        found = successors(level, state, rows, costs)
        if found < 0:
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
            if solved(level, row):
                return count + 1
            left = heuristic(level, findings, row) if order.heuristic > 0 else 0
            if left < NEVER:
                queue = order.moves * moves[count] + order.heuristic * left
                queue = min(queue, SUMS - 1)
                if order.novel:
                    queue += SUMS * _novelty(level, open, row, left)
                _join(open, queue, count, order.latest)
                least = min(least, queue)
            count += 1
    return -count


@kernel
def paint(levels: LevelRecord, planes: npt.NDArray[np.int8]) -> None:
    """Write the constant part of the observation."""
    scenery(levels[0], planes[0])


@kernel
def read(memory: Memory, number: int, state: npt.NDArray[np.uint64]) -> None:
    """Write the words of a state."""
    load_state(memory, number, state)


def _atoms(planes: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Room for the atoms of a state; by default they are cells of its planes."""
    return np.zeros(max(MOST_ATOMS, planes.shape[1]), np.int64)


class Probe:
    """Room for a search, used again for level after level."""

    def __init__(self, puzzle: Puzzle, states: int) -> None:
        """Make room for a search that ends when it has met so many states."""
        puzzle.load_rules()
        room = states + SUCCESSORS
        self._puzzle, self._states, self._room = puzzle, states, room
        slots = 4 << (room - 1).bit_length()
        self._slots = np.zeros(slots, np.uint32)
        firsts, lasts = np.zeros(3 * SUMS, np.int32), np.zeros(3 * SUMS, np.int32)
        following, moves, parents = (np.zeros(room, np.int32) for _ in range(3))
        shown, none = np.zeros(SHOWN, np.bool_), np.zeros((2, 0), np.int8)
        self._open = Open(firsts, lasts, following, moves, parents, none, _atoms(none), shown)
        self._table = cache(self._new_table)
        self._last: tuple[Memory, Scratch, int] | None = None

    def _new_table(self, words: int) -> tuple[Memory, Scratch]:
        table = np.empty((self._room, 2 * words), np.uint32)
        memory = Memory(layout_of(words, self._room), table, self._slots, self._room)
        return memory, Scratch.of(words, SUCCESSORS)

    def states(self, records: np.ndarray, findings: Findings, order: Order) -> int:
        """How many states are met until the level is solved; the most where it is not."""
        first = beginning(self._puzzle, records)
        memory, scratch = self._table(first.size)
        scratch.state[:] = first
        if order.novel:
            planes = self._painted(records)
            self._open = self._open._replace(planes=planes, atoms=_atoms(planes))
        met = best_first(records, findings, memory, scratch, self._open, order)
        self._last = (memory, scratch, met)
        return min(int(met), self._states) if met > 0 else self._states

    def _painted(self, records: np.ndarray) -> npt.NDArray[np.int8]:
        """The scenery of a level, and a row of working memory."""
        form = self._puzzle.format
        shape = form.shape(records[0])
        cells = len(form.codec.planes(shape)) * shape.height * shape.width
        planes = np.zeros((2, cells), np.int8)
        paint(records, planes)
        return planes

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

"""A short best-first search that measures how hard a level is, compiled once for every puzzle.

It proves nothing, since only the first path to a state counts. The evolution of levels is guided by
the number of states it visits until a solution, or by whether it finds one within its memory.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.level import Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Scratch
from puzzle_envs.states.paths import beginning
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    layout_of,
    load_state,
    mixed,
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
"""Maximum number of successors of a state; only floors with several characters may exceed it."""
SUMS = 2048
"""Number of queues: sums of moves and weighted heuristic."""
SHOWN = 1 << 18
MOST_ATOMS = 256


class Order(NamedTuple):
    """The order of expansion: by the lowest weighted sum of moves and heuristic."""

    moves: int
    """The weight of the moves to a state."""
    heuristic: int
    """The weight of the heuristic."""
    latest: bool = False
    """Whether ties are broken last in, first out; otherwise first in, first out."""
    novel: bool = False
    """Best-first width search: states with a new atom come first, then those with a new pair of
    atoms; new among states of the same heuristic and milestones."""
    types: bool = False
    """Type-based search: the earliest state of a random type is next, whatever its sum; states of
    the same heuristic and milestones are of one type."""


class Open(NamedTuple):
    """Open states, in a queue for each sum."""

    firsts: npt.NDArray[np.int32]
    """The first state of each queue; -1 if it is empty."""
    lasts: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    """The next state in its queue, for each state."""
    moves: npt.NDArray[np.int32]
    """The moves to each state."""
    parents: npt.NDArray[np.int32]
    planes: npt.NDArray[np.int8]
    """The scenery, and scratch for finding atoms."""
    atoms: npt.NDArray[np.int64]
    """Working memory: the atoms of a state."""
    shown: npt.NDArray[np.bool_]
    """Which pairs of atoms have occurred, by hash; collisions are ignored."""
    types: npt.NDArray[np.int32]
    """The number of each type, plus one, by hash, ignoring collisions; last, the number
    of types."""


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
    """0 if the state has a new atom, 1 for a new pair of atoms, 2 for neither."""
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


@inlined
def _type(open: Open, left: int, passed: int) -> int:
    """The number of a state's type."""
    last = open.types.size - 1
    place = mixed(np.uint64(left) << np.uint64(32) | np.uint64(passed)) % np.uint64(last)
    if open.types[place] == 0:
        open.types[last] += 1
        open.types[place] = open.types[last]
    return int(open.types[place]) - 1


@inlined
def _waiting(open: Open, drawn: State) -> int:
    """A random type with open states; beyond all types if there is none."""
    types = max(open.types[-1], 1)
    first = np.int64(drawn % np.uint64(types))
    for step in range(types):
        queue = (first + step) % types
        if open.firsts[queue] >= 0:
            return int(queue)
    return open.firsts.size


@kernel
def best_first(
    levels: LevelRecord,
    findings: Findings,
    memory: Memory,
    scratch: Scratch,
    open: Open,
    order: Order,
) -> int:
    """Search from the state in `scratch`; return the number of states, the last one solved.

    The number is negative if none is solved: the memory is full, or there are no more states.
    """
    level, state, rows, costs = levels[0], scratch.state, scratch.rows, scratch.costs
    firsts, moves = open.firsts, open.moves
    memory.slots[:] = 0
    firsts[:] = -1
    open.shown[:] = False
    open.types[:] = 0
    drawn = mixed(ONE)
    hashed = hash_state(memory.layout, state)
    add_state(memory, find_state(memory, state, hashed), hashed, 0, state)
    moves[0], open.parents[0] = 0, -1
    _join(open, 0, 0, order.latest)
    count, least = 1, 0
    while least < firsts.size and count + SUCCESSORS <= memory.room:
        if order.types:
            drawn = mixed(drawn + ONE)
            least = _waiting(open, drawn)
            if least == firsts.size:
                return -count
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
            add_state(memory, slot, hashed, count, row)
            open.parents[count], moves[count] = number, moves[number] + costs[index]
            if solved(level, row):
                return count + 1
            left = heuristic(level, findings, row) if order.heuristic > 0 else 0
            if left < NEVER:
                queue = order.moves * moves[count] + order.heuristic * left
                queue = min(queue, SUMS - 1)
                if order.types:
                    queue = _type(open, left, milestones(level, row))
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
def read(memory: Memory, number: int, state: Words) -> None:
    """Write the words of a state."""
    load_state(memory, number, state)


def _atoms(planes: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Memory for the atoms of a state, which by default are cells of its planes."""
    return np.zeros(max(MOST_ATOMS, planes.shape[1]), np.int64)


class Probe:
    """The memory of a search, reused for one level after another."""

    def __init__(self, puzzle: Puzzle, states: int) -> None:
        """Allocate memory for a search of at most this many states."""
        puzzle.load_rules()
        room = states + SUCCESSORS
        self._puzzle, self._states, self._room = puzzle, states, room
        slots = 4 << (room - 1).bit_length()
        self._slots = np.zeros(slots, np.uint32)
        firsts, lasts = np.zeros(3 * SUMS, np.int32), np.zeros(3 * SUMS, np.int32)
        following, moves, parents = (np.zeros(room, np.int32) for _ in range(3))
        shown, none = np.zeros(SHOWN, np.bool_), np.zeros((2, 0), np.int8)
        types = np.zeros(SUMS + 1, np.int32)
        waiting = firsts, lasts, following, moves, parents
        self._open = Open(*waiting, none, _atoms(none), shown, types)
        self._table = cache(self._new_table)
        self._last: tuple[Memory, Scratch, int] | None = None

    def _new_table(self, words: int) -> tuple[Memory, Scratch]:
        table = np.empty((self._room, 2 * words), np.uint32)
        memory = Memory(layout_of(words, self._room), table, self._slots, self._room)
        return memory, Scratch.of(words, SUCCESSORS)

    def states(self, records: np.ndarray, findings: Findings, order: Order) -> int:
        """The number of states until the level is solved; the maximum if it is not."""
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

    def path(self) -> list[Words] | None:
        """The states of the last solution, without the first; None if there was none."""
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

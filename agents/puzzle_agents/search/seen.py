"""The table of novelty: the atoms and pairs of atoms seen in each group of states."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.level import Words
from puzzle_envs.states.nodes import large_table
from puzzle_envs.states.tables import find_key
from puzzle_envs.verbs import LevelRecord, Planes, atom_count, scenery

NEW_ATOM, NEW_PAIR, NOTHING_NEW = range(3)
"""How novel a state is."""
MOST_GROUPS = 1 << 14


@kernel
def paint(levels: LevelRecord, planes: Planes) -> int:
    """Write the constant part of the observation; return the maximum number of atoms."""
    scenery(levels[0], planes[0])
    return atom_count(levels[0], planes)


class Seen(NamedTuple):
    """The tables, as passed to kernels."""

    planes: Planes
    """The scenery, and scratch."""
    atoms: npt.NDArray[np.int32]
    """Working memory: the atoms of a state."""
    keys: Words
    """The keys of the groups, in the order in which they were found."""
    slots: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.int64]
    """The number of groups, and the words of a group for single atoms."""
    bits: Words
    """For each group, a bit for each atom, then one for each pair of atoms."""


@inlined
def group_of(seen: Seen, key: int) -> int:
    """The number of a group; once the table is full, further groups share the numbers of others."""
    slot = find_key(np.uint64(key), seen.keys, seen.slots)
    if seen.slots[slot] == 0:
        if seen.counts[0] == seen.bits.shape[0]:
            return np.int64(slot % np.uint64(seen.bits.shape[0]))
        seen.keys[seen.counts[0]] = key
        seen.counts[0] += 1
        seen.slots[slot] = seen.counts[0]
    return np.int64(seen.slots[slot]) - 1


@inlined
def novelty_of(seen: Seen, count: int, group: int, width: int) -> int:
    """How novel a state is in its group, whose atoms are in working memory; marks them as seen."""
    bits, found = seen.bits[group], seen.atoms
    novelty = NOTHING_NEW
    for index in range(count):
        if _note(bits, np.uint64(found[index])):
            novelty = NEW_ATOM
    if width == 1:
        return novelty
    first = np.uint64(64 * seen.counts[1])
    for index in range(count):
        for other in range(index):
            more = np.uint64(max(found[index], found[other]))
            pair = more * (more - ONE) // np.uint64(2) + np.uint64(min(found[index], found[other]))
            if _note(bits, first + pair):
                novelty = min(novelty, NEW_PAIR)
    return novelty


@inlined
def _note(bits: Any, number: Any) -> bool:
    """Set a bit; return whether it was new."""
    word, single = number >> np.uint64(6), ONE << (number & np.uint64(63))
    if bits[word] & single != 0:
        return False
    bits[word] |= single
    return True


class SeenTables:
    """The table of novelty of a search."""

    def __init__(self, record: np.ndarray, cells: int, width: int, max_bytes: int) -> None:
        """Create an empty table.

        Args:
            record: The level.
            cells: The number of values in the planes of a state.
            width: Whether pairs of atoms count (2) or not (1).
            max_bytes: Maximum memory.
        """
        planes = np.zeros((2, cells), np.int8)
        count = paint(record, planes)
        singles = (count + 63) // 64 if width else 1
        pairs = (count * (count - 1) // 2 + 63) // 64 if width == 2 else 0
        keys, slots = np.zeros(MOST_GROUPS, np.uint64), np.zeros(2 * MOST_GROUPS, np.uint32)
        self._beside = keys.nbytes + slots.nbytes + planes.nbytes
        most = (max_bytes - self._beside) // (8 * (singles + pairs))
        groups = max(1, min(MOST_GROUPS, most))
        bits = large_table((groups, 2 * (singles + pairs)), np.zeros).view(np.uint64)
        self.seen = Seen(
            planes,
            np.empty(count + 1, np.int32),
            keys,
            slots,
            np.array([0, singles], np.int64),
            bits,
        )

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        return self._beside + int(self.seen.counts[0]) * self.seen.bits.shape[1] * 8

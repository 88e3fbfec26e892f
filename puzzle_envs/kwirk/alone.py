"""Relaxations with a single piece: all others removed, and every fillable hole filled.

On such a floor a position is a place of the piece and a cell of a character: few enough to compute
the cost of leaving from all of them, backwards from the exit. Everything possible on the real floor
is possible here, so costs here are lower bounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import add, bit
from puzzle_envs.kernels.compiled import compiled, kernel, rare_kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.motion import PUSH, TURN, judge, step
from puzzle_envs.kwirk.pieces import GONE, over_holes_alone, place, put, quarter, things, turn_by
from puzzle_envs.kwirk.walking import BOARD, walkable
from puzzle_envs.level import Record, Words

NO_WAY = 2**20
"""An infinite distance."""

OPPOSITE = (0b0101, 0b1010)
"""Two opposite arms; like a single arm, they carry nobody."""


class Piece(NamedTuple):
    """The pushes of one piece on an otherwise empty floor, by position."""

    free: Words
    """Cells on which a character can stand."""
    firsts: npt.NDArray[np.int32]
    """For each position and cell, one plus the index of the first push that ends there."""
    pushes: npt.NDArray[np.int32]
    """Linked lists: origin of a push, and the next push."""
    results: npt.NDArray[np.int32]
    """One plus the position a push leads to, per direction."""
    rides: Words
    """Cells over which arms of other turnstiles carry: vertically, horizontally."""
    costs: npt.NDArray[np.int64]
    """Costs, each 0 or 1, of a step on free floor, a push, and a push by another character; the
    last is -1 if there is none."""


class Wave(NamedTuple):
    """A breadth-first search with 0/1 costs, layer by layer."""

    distances: npt.NDArray[np.int32]
    queue: npt.NDArray[np.int32]
    """Two rows: this layer and the next."""
    counts: Words
    """Number of entries in each."""


# --- kernels ----------------------------------------------------------------------------------


@compiled
def _put_piece(level: Any, state: Any, position: int) -> bool:
    """Place the piece: a block on a cell, a turnstile after a number of quarter turns.

    Returns False if impossible. The position of a fallen block is GONE.
    """
    if level.turnstiles:
        turn_by(level, state, 0, position - quarter(level, state, 0))
        return True
    put(state, 1, position)
    return position == GONE or not _meets(level, position, level.solid)


@compiled
def _meets(level: Any, corner: int, board: Any) -> bool:
    """Whether the block at this corner overlaps a set of cells."""
    for _ in range(level.heights[0]):
        for cell in range(corner, corner + level.widths[0]):
            if bit(board, cell):
                return True
        corner += level.width
    return False


@rare_kernel
def add_fillable(levels: Any, fillable: Any) -> None:
    """Add the holes into which this block can fall."""
    level = levels[0]
    for corner in range(1, level.width * level.height):
        if not _meets(level, corner, level.solid) and _falls(level, corner):
            for down in range(level.heights[0]):
                for right in range(level.widths[0]):
                    add(fillable, corner + down * level.width + right)


@compiled
def _falls(level: Any, corner: int) -> bool:
    return over_holes_alone(level, 0, corner, level.holes)


@rare_kernel
def list_pushes(levels: Any, chasms: Any, piece: Piece) -> int:
    """Write the free cells of each position, and all pushes by their results.

    A piece and a character are indexed together by position * cells + cell.
    """
    free = piece.free
    level, found = levels[0], 0
    state, holes, blocked = scratch(2), scratch(BOARD), scratch(BOARD)
    state[0], state[1] = np.uint64(0), np.uint64(0)
    for word in range(level.words):
        holes[word] = chasms[word]
    for position in range(free.shape[0]):
        if not _put_piece(level, state, position):
            continue
        things(level, state, blocked)
        walkable(level, blocked, holes, free[position])
        for cell in range(level.width * level.height):
            if not bit(free[position], cell):
                continue
            for direction in range(4):
                target = cell + level.ways[direction]
                if not bit(blocked, target) or bit(level.solid, target):
                    continue
                kind = judge(level, state, blocked, holes, cell, direction)
                if kind != PUSH and kind != TURN:
                    continue
                put(state, 0, cell)
                step(level, state, holes, 0, cell, direction, kind)
                stands = place(state, 0)
                result = quarter(level, state, 0) if kind == TURN else place(state, 1)
                _put_piece(level, state, position)
                way = (result - position) & 3 if kind == TURN else direction
                piece.results[position, way] = result + 1
                found = _list(level, piece, position, cell, result, stands, found)
                if kind == PUSH and _falls(level, result):
                    found = _list(level, piece, position, cell, GONE, stands, found)
    return found


@compiled
def _list(
    level: Any, piece: Piece, position: int, cell: int, result: int, stands: int, found: int
) -> int:
    cells = level.width * level.height
    target = result * cells + stands
    piece.pushes[found, 0] = position * cells + cell
    piece.pushes[found, 1] = piece.firsts[target]
    piece.firsts[target] = found + 1
    return found + 1


@kernel
def spread(levels: Any, piece: Piece, seeds: Any, wave: Wave) -> None:
    """Relax the distances from seeds, given in ascending order."""
    level = levels[0]
    distances, queue, counts = wave.distances, wave.queue, wave.counts
    seed, layer = 0, 0
    while seed < seeds.size or counts[layer & 1] > 0:
        here = layer & 1
        while seed < seeds.size and distances[seeds[seed]] <= layer:
            queue[here, np.int64(counts[here])] = seeds[seed]
            counts[here] += np.uint64(1)
            seed += 1
        while counts[here] > 0:
            counts[here] -= np.uint64(1)
            node = queue[here, np.int64(counts[here])]
            if distances[node] == layer:
                _walk_back(level, piece, node, layer, wave)
                push = piece.firsts[node]
                while push > 0:
                    before, push = piece.pushes[push - 1, 0], piece.pushes[push - 1, 1]
                    _note(before, layer, piece.costs[1], wave)
                if piece.costs[2] >= 0:
                    _wait_back(level, piece, node, layer, wave)
        layer += 1


@compiled
def _note(node: int, layer: int, cost: int, wave: Wave) -> None:
    """Record a predecessor of this layer."""
    if wave.distances[node] > layer + cost:
        wave.distances[node] = layer + cost
        row = (layer + cost) & 1
        wave.queue[row, np.int64(wave.counts[row])] = node
        wave.counts[row] += np.uint64(1)


@compiled
def _walk_back(level: Any, piece: Piece, node: int, layer: int, wave: Wave) -> None:
    """Predecessors by steps on free floor; one step leads over two cells where an arm may carry."""
    free, cost = piece.free, piece.costs[0]
    cells = level.width * level.height
    position, cell = node // cells, node % cells
    for direction in range(4):
        before = cell + level.ways[direction]
        if not bit(free[position], before):
            continue
        _note(position * cells + before, layer, cost, wave)
        further = before + level.ways[direction]
        if bit(piece.rides[direction & 1], before) and bit(free[position], further):
            _note(position * cells + further, layer, cost, wave)


@compiled
def _wait_back(level: Any, piece: Piece, node: int, layer: int, wave: Wave) -> None:
    """Predecessors by pushes of another character, who may be anywhere."""
    free, results, cost = piece.free, piece.results, piece.costs[2]
    cells = level.width * level.height
    position, cell = node // cells, node % cells
    for way in range(4):
        before = position - level.ways[way]
        if level.turnstiles:
            before = (position - way) & level.turns[0]
        is_place = 0 <= before < free.shape[0] and results[before, way] == position + 1
        if is_place and bit(free[before], cell):
            _note(before * cells + cell, layer, cost, wave)
    if level.turnstiles or position != GONE:
        return
    for before in range(free.shape[0]):
        if not bit(free[before], cell):
            continue
        for way in range(4):
            if results[before, way] > 0 and _falls(level, results[before, way] - 1):
                _note(before * cells + cell, layer, cost, wave)


# --- Python interface -------------------------------------------------------------------------


class Alone:
    """A floor with at most one of its pieces, and all costs on it."""

    def __init__(
        self,
        record: Record,
        holes: Words,
        *,
        block: int | None = None,
        turnstile: int | None = None,
    ) -> None:
        """List the pushes of the piece.

        Args:
            record: The level.
            holes: Holes that cannot be filled; all others are floor.
            block: The block to keep.
            turnstile: The turnstile to keep.
        """
        self._level = with_one_piece(record, block, turnstile)
        self._cells = cells = int(record["width"]) * int(record["height"])
        positions, most = 1, 0
        if block is not None:
            sides = int(record["widths"][block]) + int(record["heights"][block])
            positions, most = cells, 4 * sides * cells
        elif turnstile is not None:
            positions, most = int(record["turns"][turnstile]) + 1, 128
        keys, others = int(record["keys"]), int(record["characters"]) > 1
        self._piece = Piece(
            free=np.zeros((positions, int(record["words"])), np.uint64),
            firsts=np.zeros(positions * cells, np.int32),
            pushes=np.empty((most, 2), np.int32),
            results=np.zeros((positions, 4), np.int32),
            rides=_rides(record, turnstile),
            costs=np.array([keys, 1, 1 - keys if others else -1], np.int64),
        )
        list_pushes(self._level, holes, self._piece)
        bits = np.unpackbits(self._piece.free.view(np.uint8), axis=1, bitorder="little")
        self.free: npt.NDArray[np.bool_] = bits[:, :cells].astype(np.bool_)
        """Cells on which a character can stand, by position of the piece."""

    def to_exit(self) -> npt.NDArray[np.int32]:
        """The cost of leaving, by position and cell."""
        beside = int(self._level["exit"][0]) - self._level["ways"][0]
        seeds = [
            position * self._cells + int(cell)
            for position in range(len(self.free))
            for cell in beside
            if self.free[position, cell]
        ]
        distances = np.full(self.free.size, NO_WAY, np.int32)
        distances[seeds] = self._piece.costs[0]
        return self._spread(distances, np.array(seeds, np.int64))

    def to_fall(self, after: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The cost until the block falls, plus that of `after` from the cell at that time."""
        distances = np.full(self.free.size, NO_WAY, np.int32)
        distances[: self._cells] = np.where(self.free[GONE], after, NO_WAY)
        seeds = np.flatnonzero(distances[: self._cells] < NO_WAY)
        order = np.argsort(distances[seeds], kind="stable")
        return self._spread(distances, seeds[order].astype(np.int64))

    def _spread(
        self, distances: npt.NDArray[np.int32], seeds: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int32]:
        queue = np.empty((2, distances.size + seeds.size), np.int32)
        wave = Wave(distances, queue, np.zeros(2, np.uint64))
        spread(self._level, self._piece, seeds, wave)
        return distances.reshape(self.free.shape)


def with_one_piece(
    record: Record, block: int | None = None, turnstile: int | None = None
) -> np.ndarray:
    """The level with one character and at most one piece, which comes first of its kind."""
    level = np.array([record])
    level["characters"], level["bits_word"] = 1, 1
    level["bodies"] = level["arms"] = 0
    level["blocks"], level["turnstiles"] = block is not None, turnstile is not None
    for name, number in (
        ("widths", block),
        ("heights", block),
        ("pivots", turnstile),
        ("arms", turnstile),
        ("turns", turnstile),
    ):
        if number is not None:
            level[name][0, 0] = record[name][number]
    if block is not None:
        level["bodies"][0, 1] = record["bodies"][record["characters"] + block]
    return level


def chasms(record: Record) -> Words:
    """The holes that no block of this level can fill."""
    fillable = np.zeros_like(record["holes"])
    for block in range(int(record["blocks"])):
        add_fillable(with_one_piece(record, block), fillable)
    result: Words = record["holes"] & ~fillable
    return result


def _rides(record: Record, but_for: int | None) -> Words:
    """The cells over which turnstiles can carry: vertically, then horizontally."""
    rides = np.zeros((2, int(record["words"])), np.uint64)
    for turnstile in range(int(record["turnstiles"])):
        arms = int(record["arms"][turnstile])
        if turnstile == but_for or arms.bit_count() == 1 or arms in OPPOSITE:
            continue
        for side, way in enumerate(record["ways"]):
            cell = int(record["pivots"][turnstile] + way)
            # The arm above its pivot is pushed to the right and to the left.
            rides[1 - side % 2, cell // 64] |= np.uint64(1 << cell % 64)
    return rides

"""The policy: a softmax over a state's successors of sums of table entries, compiled.

A cell's code is the sum of the keys of the planes that mark it. Around each cell whose code a move
changes, each tiling names a context, the hash of a patch of codes before and after the move; the
score of the move is the sum of its contexts' entries in one table. Changes are read
from the observation, so this works for any puzzle and any macro-move.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.search.learned.tilings import MARGIN, TRAITS, Tilings, keys_of
from puzzle_envs.codec import Codec, Shape
from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import compiled, inlined, rare_kernel
from puzzle_envs.level import Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.nodes import FIRST_ROWS
from puzzle_envs.states.tables import mixed
from puzzle_envs.verbs import LevelRecord, Planes, State, observe, scenery, traits

__all__ = ["Board", "Guide", "Moves", "Packed", "Table", "look", "score", "share"]

Table = npt.NDArray[np.float32]
"""The entries; their number is a power of two."""
Packed = npt.NDArray[np.int8]
"""The same in a byte each, of which the processor's cache holds four times as many."""
MOST_TRAITS = 16
TRAIT_SALT = keys_of([TRAITS])[0]
BYTE_OF_BIT = np.uint64(3)
FEW = 8
"""Up to this many changed cells, patches after a move are those before it, changed: the same sums
from fewer cells."""
CONTEXTS = 1 << 16
"""Initial capacity for the contexts of a state's moves."""


class Board(NamedTuple):
    """The features of a state and of its successors, one after the other."""

    scenery: Words
    before: Words
    """The planes of the state, a byte for each cell, as words; `after` is a successor's."""
    after: Words
    planes: Planes
    """The same memory as `after`."""
    cells: npt.NDArray[np.int32]
    """For each byte of the planes its cell, on a board with a margin."""
    keys: Words
    """For each byte of the planes the key of its plane."""
    places: Words
    """For each cell a number for its row and column."""
    codes: npt.NDArray[np.uint64]
    """Codes of all cells, of the state and of the successor."""
    changed: npt.NDArray[np.int64]
    """The cells whose codes differ."""
    patches: Words
    """The patches around a cell after the move; the one numbered 0 is empty."""
    earlier: Words
    """The patches around each `known` cell before the move."""
    known: npt.NDArray[np.bool_]
    traits: npt.NDArray[np.int64]
    """Traits of a move."""

    @classmethod
    def of(cls, puzzle: Puzzle, record: np.ndarray, patches: int) -> Board:
        """The board of a level that is fitted to itself alone."""
        frame = _frame(puzzle.codec, puzzle.format.shape(record[0]), 0)
        seen = np.zeros((3, -(-frame.keys.size // 8)), np.uint64)
        planes = seen[2].view(np.int8)[: frame.keys.size]
        paint(record, planes)
        seen[0] = seen[2]
        count = frame.places.size
        return cls(
            seen[0], seen[1], seen[2], planes, frame.cells, frame.keys, frame.places,
            np.zeros((2, count), np.uint64), np.empty(count, np.int64),
            np.zeros(1 + patches, np.uint64), np.zeros((count, 1 + patches), np.uint64),
            np.zeros(count, np.bool_), np.empty(MOST_TRAITS, np.int64),
        )  # fmt: skip

    def viewed(self, puzzle: Puzzle, shape: Shape, view: int) -> Board:
        """The same board in another symmetric view."""
        frame = _frame(puzzle.codec, shape, view)
        return self._replace(cells=frame.cells, keys=frame.keys)


class _Frame(NamedTuple):
    """Data shared by boards of one size in one view; see Board."""

    cells: npt.NDArray[np.int32]
    keys: Words
    places: Words


@functools.cache
def _frame(codec: Codec, shape: Shape, view: int) -> _Frame:
    names, wide = codec.planes(shape), shape.width + 2 * MARGIN
    rows, columns = np.divmod(np.arange(shape.height * shape.width), shape.width)
    padded = (rows + MARGIN) * wide + columns + MARGIN
    places = np.zeros((shape.height + 2 * MARGIN) * wide, np.uint64)
    places[padded] = keys_of(
        f"row {row}, column {column}" for row, column in zip(rows, columns, strict=True)
    )
    cells, keys = np.tile(padded.astype(np.int32), len(names)), np.repeat(keys_of(names), rows.size)
    seen = codec.views(shape)[view].planes
    cells[seen], keys[seen] = cells.copy(), keys.copy()
    return _Frame(cells, keys, places)


class Moves(NamedTuple):
    """The policy's output for a state's moves."""

    scores: npt.NDArray[np.float64]
    """The score of each move, then its probability; minus infinity for a dead end."""
    contexts: npt.NDArray[np.uint32]
    """The contexts of all moves, one move after the other."""
    ends: npt.NDArray[np.int64]
    """The end of each move's contexts."""

    @classmethod
    def of(cls, rows: int, contexts: int = CONTEXTS) -> Moves:
        """Memory for this many moves and contexts."""
        return cls(
            np.empty(rows, np.float64), np.empty(contexts, np.uint32), np.empty(rows, np.int64)
        )


class Guide(NamedTuple):
    """A policy on a board."""

    table: Table | Packed
    unit: np.float32
    """The value of an entry of 1."""
    tilings: Tilings
    board: Board
    moves: Moves
    epsilon: float
    """The share of the probability that is distributed evenly over all moves."""

    @classmethod
    def of(
        cls,
        puzzle: Puzzle,
        record: np.ndarray,
        table: Table | Packed,
        unit: np.float32,
        tilings: Sequence[str],
        epsilon: float,
    ) -> Guide:
        """A policy on the board of a level that is fitted to itself alone."""
        shaped = Tilings.of(tilings, puzzle.format.shape(record[0]).width)
        board = Board.of(puzzle, record, shaped.ends.size)
        return cls(table, unit, shaped, board, Moves.of(FIRST_ROWS), epsilon)

    def with_room(self, rows: int, contexts: int) -> Guide:
        """A copy for more moves or contexts."""
        return self._replace(moves=Moves.of(rows, contexts))


@rare_kernel
def paint(levels: LevelRecord, planes: Planes) -> None:
    """Write the constant part of the observation."""
    scenery(levels[0], planes)


@compiled
def _see(level: LevelRecord, state: State, scenery: Words, after: Words, planes: Planes) -> None:
    """Write the planes of a state; a separate function, since `observe` is long."""
    for word in range(after.size):
        after[word] = scenery[word]
    observe(level, state, planes)


@inlined
def look(level: LevelRecord, state: State, guide: Guide) -> None:
    """Load the state whose moves are to be scored; traits alone need no board."""
    board = guide.board
    if guide.tilings.patches.size == 0:
        return
    _see(level, state, board.scenery, board.after, board.planes)
    before, after = board.codes[0], board.codes[1]
    for cell in range(before.size):
        before[cell] = 0
        board.known[cell] = False
    for word in range(board.after.size):
        seen = board.after[word]
        board.before[word] = seen
        while seen != 0:
            byte = _byte(word, seen)
            before[board.cells[byte]] += board.keys[byte]
            seen &= seen - ONE
    for cell in range(before.size):
        after[cell] = before[cell]


@inlined
def _byte(word: int, bits: Any) -> Any:
    """The number of the first byte that is not zero, of bytes of zeros and ones."""
    lowest = np.uint64(number_of(bits & (~bits + ONE)))
    return np.uint64(8 * word) + (lowest >> BYTE_OF_BIT)


@inlined
def _compare(board: Board) -> int:
    """Find the cells that the move changes, and their codes; return how many there are."""
    before, after, count = board.codes[0], board.codes[1], 0
    for word in range(board.after.size):
        seen = board.after[word]
        differing = seen ^ board.before[word]
        while differing != 0:
            byte = _byte(word, differing)
            cell = board.cells[byte]
            if after[cell] == before[cell]:
                board.changed[count] = cell
                count += 1
            if seen & differing & (~differing + ONE) != 0:
                after[cell] += board.keys[byte]
            else:
                after[cell] -= board.keys[byte]
            differing &= differing - ONE
    return count


@inlined
def _forget(board: Board, count: int) -> None:
    """Restore the codes of the cells that a move changed."""
    for one in range(count):
        board.codes[1, board.changed[one]] = board.codes[0, board.changed[one]]


@inlined
def _sum(tilings: Tilings, codes: Any, cell: int, patches: Any) -> None:
    """Hash the patches around a cell, each extending the one within it."""
    step = 0
    for ring in range(tilings.ends.size):
        total = patches[tilings.inner[ring]]
        while step < tilings.ends[ring]:
            total += tilings.factors[step] * codes[cell + tilings.steps[step]]
            step += 1
        patches[1 + ring] = total


@inlined
def _change(tilings: Tilings, board: Board, cell: int, count: int) -> None:
    """Write the patches around a cell after the move: those before it, and what it changed."""
    weights, patches = tilings.weights, board.patches
    for patch in range(patches.size):
        patches[patch] = board.earlier[cell, patch]
    middle = weights.shape[0] >> 1
    for one in range(count):
        other = board.changed[one]
        place = other - cell + middle
        if 0 <= place < weights.shape[0]:
            difference = board.codes[1, other] - board.codes[0, other]
            for patch in range(patches.size):
                patches[patch] += difference * weights[place, patch]


@inlined
def score(
    instance: Instance, state: State, row: State, guide: Guide, first: int, index: int
) -> int:
    """Score a move by its result, and write its contexts from `first` on; return their end.

    Returns -1 if there is no room for them.
    """
    level = instance.levels[0]
    board, tilings, moves = guide.board, guide.tilings, guide.moves
    own, count = 0, 0
    if tilings.patches.size > 0:
        _see(level, row, board.scenery, board.after, board.planes)
        count = _compare(board)
    if tilings.traits:
        own = traits(level, instance.findings, state, row, board.traits)
    end = first + count * tilings.patches.size + own
    if end > moves.contexts.size:
        _forget(board, count)
        return -1
    total, position = 0.0, first
    for one in range(count):
        cell = board.changed[one]
        if not board.known[cell]:
            _sum(tilings, board.codes[0], cell, board.earlier[cell])
            board.known[cell] = True
        if count <= FEW:
            _change(tilings, board, cell, count)
        else:
            _sum(tilings, board.codes[1], cell, board.patches)
        for tiling in range(tilings.patches.size):
            patch = tilings.patches[tiling]
            hashed = tilings.salts[tiling] + board.patches[patch]
            if tilings.looks[tiling, 0]:
                hashed = mixed(hashed) + board.earlier[cell, patch]
            if tilings.looks[tiling, 1]:
                hashed += board.places[cell]
            context = mixed(hashed) & np.uint64(guide.table.size - 1)
            moves.contexts[position] = context
            total += np.float32(guide.table[context]) * guide.unit
            position += 1
    for one in range(own):
        context = mixed(TRAIT_SALT + mixed(np.uint64(board.traits[one])))
        context &= np.uint64(guide.table.size - 1)
        moves.contexts[position] = context
        total += np.float32(guide.table[context]) * guide.unit
        position += 1
    _forget(board, count)
    moves.scores[index] = total
    moves.ends[index] = end
    return end


@inlined
def share(guide: Guide, count: int) -> None:
    """Turn the scores of this many moves into probabilities; dead ends have none."""
    scores = guide.moves.scores
    best, alive = -np.inf, 0
    for index in range(count):
        best = max(best, scores[index])
        alive += scores[index] > -np.inf
    total = 0.0
    for index in range(count):
        if scores[index] > -np.inf:
            scores[index] = np.exp(scores[index] - best)
            total += scores[index]
    for index in range(count):
        if scores[index] > -np.inf:
            scores[index] = (1 - guide.epsilon) * scores[index] / total + guide.epsilon / alive
        else:
            scores[index] = 0.0

"""Lower bounds for Kwirk, in pushes or in steps, and proofs of unsolvability.

Tables hold the costs of each piece alone (alone.py). A push moves one piece, so the pushes needed
by different pieces add up; steps are shared by all, so the maximum counts. Two more bounds are
computed for each state: the number of pieces in the way, and the blocks that have to fall.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE, bit
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.alone import NO_WAY, Alone, chasms
from puzzle_envs.kwirk.level import BLOCKS
from puzzle_envs.kwirk.pieces import (
    GONE,
    add_arms,
    add_block,
    arms,
    open_holes,
    place,
    quarter,
)
from puzzle_envs.kwirk.rules import rules
from puzzle_envs.kwirk.walking import BOARD, around, clear, flood, room_of, touches_exit, walkable
from puzzle_envs.level import Record, Words
from puzzle_envs.puzzle import Findings
from puzzle_envs.verbs import NEVER

# --- findings -----------------------------------------------------------------------------------

TABLES_ONLY, ROWS, HOLES_MATTER, BOARDS = range(4)
"""Words of the findings: whether only tables count; the offset of their rows, in entries of 16
bits; whether holes may have to be filled. Then come two bitboards (the chasms, which no block can
fill, and the cells with a way to the exit past all holes) and the offset of the row numbers of each
table: of blocks, of falling blocks and of turnstiles."""

NOT_AT_ALL = 2**16 - 1
"""The entry that says NEVER."""


def _found(record: Record, *, tables_only: bool) -> Words:
    """The findings of an estimate."""
    abyss = chasms(record)
    bare, past_holes = Alone(record, abyss), Alone(record, record["holes"])
    walk = bare.to_exit()[0]
    dry = past_holes.to_exit()[0] < NO_WAY
    holes_matter = bool(np.any(bare.free[0] & ~dry))
    book = _Book(walk, bare.free[0], relative=bool(record["keys"]))
    blocks = range(int(record["blocks"]))
    to_exit: list[int] = []
    to_fall: list[int] = []
    for block in blocks:
        if block and _size(record, block) == _size(record, block - 1):
            to_exit.append(to_exit[-1])
            to_fall.append(to_fall[-1])
            continue
        alone = Alone(record, abyss, block=block)
        to_exit.append(book.add(alone.to_exit(), alone.free))
        after = walk if record["keys"] else np.zeros_like(walk)
        to_fall.append(book.add(alone.to_fall(after), alone.free) if holes_matter else 0)
    turning = []
    for turnstile in range(int(record["turnstiles"])):
        alone = Alone(record, abyss, turnstile=turnstile)
        turning.append(book.add(alone.to_exit(), alone.free))
    words = int(record["words"])
    boards = [abyss[:words], _bitboard(dry, words)]
    return book.written(
        [int(tables_only), 0, int(holes_matter)], boards, to_exit + to_fall + turning
    )


def _size(record: Record, block: int) -> tuple[int, int]:
    return int(record["widths"][block]), int(record["heights"][block])


def _bitboard(cells: npt.NDArray[np.bool_], words: int) -> Words:
    packed = np.packbits(cells, bitorder="little")
    board = np.zeros(8 * words, np.uint8)
    board[: packed.size] = packed
    return board.view(np.uint64)


class _Book:
    """Tables of costs by position and cell, with equal rows stored once."""

    def __init__(
        self, walk: npt.NDArray[np.int32], free: npt.NDArray[np.bool_], *, relative: bool
    ) -> None:
        """Start with the costs of walking to the exit; `relative` tables hold the excess."""
        self._walk = np.where(walk < NO_WAY, walk, 0) if relative else np.zeros_like(walk)
        self._rows: dict[bytes, int] = {}
        self._numbers: list[int] = []
        self._number(walk[np.newaxis], free[np.newaxis])

    def add(self, costs: npt.NDArray[np.int32], free: npt.NDArray[np.bool_]) -> int:
        """Add a table; return the offset of its row numbers."""
        first = len(self._numbers)
        self._numbers += self._number(costs - self._walk, free)
        return first

    def _number(self, costs: npt.NDArray[np.int32], free: npt.NDArray[np.bool_]) -> list[int]:
        """The numbers of rows; entries of unreachable cells do not matter."""
        least = np.where(free, costs, NO_WAY).min(axis=1, keepdims=True)
        costs = np.where(free, costs, least)
        # A walk is shorter than 2**10 steps, so anything above NO_WAY / 2 is NO_WAY.
        entries = np.where(costs > NO_WAY // 2, NOT_AT_ALL, np.minimum(costs, NOT_AT_ALL - 1))
        rows = entries.astype(np.uint16)
        return [self._rows.setdefault(row.tobytes(), len(self._rows)) for row in rows]

    def written(self, head: list[int], boards: list[Words], tables: list[int]) -> Words:
        """The findings, packed in words."""
        numbers = _in_words(np.array(self._numbers, np.uint16))
        rows = _in_words(np.frombuffer(b"".join(self._rows), np.uint16))
        begin = len(head) + sum(map(len, boards)) + len(tables)
        head[ROWS] = 4 * (begin + len(numbers))
        starts = [4 * begin + start for start in tables]
        return np.concatenate([_words(head), *boards, _words(starts), numbers, rows])


def _words(numbers: list[int]) -> Words:
    return np.array(numbers, np.uint64)


def _in_words(entries: npt.NDArray[np.uint16]) -> Words:
    return np.concatenate([entries, np.zeros(-entries.size % 4, np.uint16)]).view(np.uint64)


def planned(records: np.ndarray) -> np.ndarray:
    """By keys a single character's whole moves are strides: fewer states, of uneven cost."""
    planned = records.copy()
    planned["strides"] = (records["keys"] != 0) & (records["characters"] == 1)
    return planned


ESTIMATES: Mapping[str, Findings] = {
    "pieces": partial(_found, tables_only=False),
    "tables": partial(_found, tables_only=True),
}


# --- table lookup -----------------------------------------------------------------------------


@compiled
def _entry(findings: Any, index: int) -> int:
    return np.int64((findings[index >> 2] >> np.uint64(16 * (index & 3))) & np.uint64(NOT_AT_ALL))


@compiled
def _cost(level: Any, findings: Any, table: int, position: int, cell: int) -> int:
    """A table's entry; NEVER if there is no way."""
    start = np.int64(findings[BOARDS + 2 * level.words + table])
    row = _entry(findings, start + position)
    cost = _entry(findings, np.int64(findings[ROWS]) + row * level.width * level.height + cell)
    return NEVER if cost == NOT_AT_ALL else cost


@compiled
def _block_cost(level: Any, findings: Any, state: Any, block: int, cell: int) -> int:
    return _cost(level, findings, block, place(state, level.characters + block), cell)


@compiled
def _fall_cost(level: Any, findings: Any, state: Any, block: int, cell: int) -> int:
    """The cost until a block falls; by keys, the excess of felling it on the way."""
    corner = place(state, level.characters + block)
    return NEVER if corner == GONE else _cost(level, findings, level.blocks + block, corner, cell)


@compiled
def _turnstile_cost(level: Any, findings: Any, state: Any, turnstile: int, cell: int) -> int:
    return _cost(
        level, findings, 2 * level.blocks + turnstile, quarter(level, state, turnstile), cell
    )


# --- the verb ---------------------------------------------------------------------------------


@rules
def estimate(level: Any, findings: Any, state: Any) -> int:
    """Steps of characters add up; a push may serve all of them."""
    total = 0
    for character in range(level.characters):
        cell = place(state, character)
        if cell == GONE:
            continue
        holes = _holes_to_cross(level, findings, state, cell)
        if holes >= NEVER:
            return NEVER
        if level.keys:
            total += _steps_of(level, findings, state, cell, holes)
        else:
            total = max(total, _pushes_of(level, findings, state, cell, holes))
    return min(total, NEVER)


# --- steps ------------------------------------------------------------------------------------


@compiled
def _steps_of(level: Any, findings: Any, state: Any, cell: int, holes: int) -> int:
    """Lower bound on the steps of one character to the exit.

    With all pieces but one removed, the steps are still a way to the exit: so the piece with the
    longest way counts. If open holes cut the character off, a block has to fall first.
    """
    walk = _entry(findings, np.int64(findings[ROWS]) + cell)
    if walk == NOT_AT_ALL:
        return NEVER
    more = 0
    for block in range(level.blocks):
        more = max(more, _block_cost(level, findings, state, block, cell))
    for turnstile in range(level.turnstiles):
        more = max(more, _turnstile_cost(level, findings, state, turnstile, cell))
    if holes > 0:
        least, room = NEVER, 0
        for block in range(level.blocks):
            fall = _fall_cost(level, findings, state, block, cell)
            least = min(least, fall)
            if fall < NEVER:
                room += level.widths[block] * level.heights[block]
        if room < holes:
            return NEVER
        more = max(more, least)
    return walk + more


# --- pushes -----------------------------------------------------------------------------------


@compiled
def _pushes_of(level: Any, findings: Any, state: Any, cell: int, holes: int) -> int:
    """Lower bound on the pushes until one character can leave.

    Each push moves one piece, so the needs of pieces add up: those that alone cut the character off
    count by the tables, others in the way one each, and blocks that have to fall their excess.
    """
    if _entry(findings, np.int64(findings[ROWS]) + cell) == NOT_AT_ALL:
        return NEVER
    total = 0
    moved_blocks, moved_turnstiles = np.uint64(0), np.uint64(0)
    for block in range(level.blocks):
        cost = _block_cost(level, findings, state, block, cell)
        total += cost
        if cost > 0:
            moved_blocks |= ONE << np.uint64(block)
    for turnstile in range(level.turnstiles):
        cost = _turnstile_cost(level, findings, state, turnstile, cell)
        total += cost
        if cost > 0:
            moved_turnstiles |= ONE << np.uint64(turnstile)
    if findings[TABLES_ONLY] or total >= NEVER:
        return total
    if holes > 0:
        total += _falls_left(level, findings, state, cell, holes)
        if total >= NEVER:
            return total
    return total + _pieces_in_the_way(level, findings, state, cell, moved_blocks, moved_turnstiles)


@compiled
def _pieces_in_the_way(
    level: Any, findings: Any, state: Any, cell: int, moved_blocks: Any, moved_turnstiles: Any
) -> int:
    """The number of further pieces that must move before the character on a cell can leave.

    A character steps only on cells that are free now or that a moved piece covers now. Holes are
    ignored here, chasms are not.
    """
    free, covered, reach, near = scratch(BOARD), scratch(BOARD), scratch(BOARD), scratch(BOARD)
    clear(level, covered)
    for block in range(level.blocks):
        corner = place(state, level.characters + block)
        if corner != GONE and moved_blocks >> np.uint64(block) & ONE == 0:
            add_block(level, block, corner, covered)
    for turnstile in range(level.turnstiles):
        if moved_turnstiles >> np.uint64(turnstile) & ONE == 0:
            add_arms(level, state, turnstile, covered)
    for word in range(level.words):
        room = level.ground[word] & ~level.solid[word] & ~findings[BOARDS + word]
        covered[word] &= room
        free[word] = room & ~covered[word]
    room_of(level, free, cell, reach)
    count = 0
    while not touches_exit(level, reach):
        touched = False
        for word in range(level.words):
            near[word] = around(level, reach, word) & covered[word]
            touched |= near[word] != 0
        if not touched:
            return NEVER
        count += 1
        for block in range(level.blocks):
            corner = place(state, level.characters + block)
            stays = corner != GONE and moved_blocks >> np.uint64(block) & ONE == 0
            if stays and _lies_on(level, block, corner, near):
                moved_blocks |= ONE << np.uint64(block)
                add_block(level, block, corner, free)
        for turnstile in range(level.turnstiles):
            stays = moved_turnstiles >> np.uint64(turnstile) & ONE == 0
            if stays and _arm_lies_on(level, state, turnstile, near):
                moved_turnstiles |= ONE << np.uint64(turnstile)
                add_arms(level, state, turnstile, free)
        for word in range(level.words):
            free[word] &= ~findings[BOARDS + word]
            covered[word] &= ~free[word]
        flood(level, free, reach)
    return count


@compiled
def _lies_on(level: Any, block: int, corner: int, board: Any) -> bool:
    for _ in range(level.heights[block]):
        for cell in range(corner, corner + level.widths[block]):
            if bit(board, cell):
                return True
        corner += level.width
    return False


@compiled
def _arm_lies_on(level: Any, state: Any, turnstile: int, board: Any) -> bool:
    lying = arms(level, state, turnstile)
    for direction in range(4):
        if lying >> direction & 1 and bit(board, level.pivots[turnstile] + level.ways[direction]):
            return True
    return False


# --- holes ------------------------------------------------------------------------------------


@compiled
def _holes_to_cross(level: Any, findings: Any, state: Any, cell: int) -> int:
    """The fewest holes to fill between a cell and the exit, ignoring pieces."""
    tables_only = findings[TABLES_ONLY] or not findings[HOLES_MATTER]
    if tables_only or bit(findings[BOARDS + level.words :], cell):
        return 0
    holes, free, reach, near = scratch(BOARD), scratch(BOARD), scratch(BOARD), scratch(BOARD)
    open_holes(level, state, holes)
    walkable(level, level.solid, holes, free)
    for word in range(level.words):
        holes[word] &= ~findings[BOARDS + word]
    room_of(level, free, cell, reach)
    count = 0
    while not touches_exit(level, reach):
        touched = False
        for word in range(level.words):
            near[word] = around(level, reach, word) & holes[word] & ~reach[word]
            touched |= near[word] != 0
        if not touched:
            return NEVER
        count += 1
        for word in range(level.words):
            reach[word] |= near[word]
        flood(level, free, reach)
    return count


@compiled
def _falls_left(level: Any, findings: Any, state: Any, cell: int, holes: int) -> int:
    """The excess cost of the cheapest blocks that fill enough holes.

    Each fills at most as many holes as the largest of them covers.
    """
    costs = scratch(BLOCKS)
    count, room, largest = 0, 0, 1
    for block in range(level.blocks):
        fall = _fall_cost(level, findings, state, block, cell)
        if fall >= NEVER:
            continue
        # A block that need not move for itself may already count as one in the way.
        fall -= max(_block_cost(level, findings, state, block, cell), 1)
        area = level.widths[block] * level.heights[block]
        room, largest = room + area, max(largest, area)
        index = count
        while index > 0 and np.int64(costs[index - 1]) > fall:
            costs[index] = costs[index - 1]
            index -= 1
        costs[index] = np.uint64(fall)
        count += 1
    if room < holes:
        return NEVER
    total = 0
    for index in range((holes + largest - 1) // largest):
        total += np.int64(costs[index])
    return total

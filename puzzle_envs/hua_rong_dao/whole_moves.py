"""Fast whole moves in the 4 by 5 box, for the exact solver and the oracle.

A layout is one 64-bit key: the upper left cells of the 1x1, of the vertical and of the horizontal
pieces, 20 bits each, and above them the cell of the 2x2. A whole move takes one block as far as the
metric allows in a single move; on keys the search is then plain breadth-first search on an
undirected graph, without tracking the block that moved last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, count_bits
from puzzle_envs.kernels.compiled import compiled

MOVE, STRAIGHT, STEP = 0, 1, 2

GOAL = 13

BOX = np.uint64(0xFFFFF)
NOT_LEFT = np.uint64(0xEEEEE)
NOT_RIGHT = np.uint64(0x77777)
SMALL, UPRIGHT, FLAT, BIG = np.uint64(0), np.uint64(20), np.uint64(40), np.uint64(60)
"""Offset of the bits of each kind of block."""

TWO, FOUR, EIGHT = np.uint64(2), np.uint64(4), np.uint64(8)
SQUARE = np.uint64(0x33)
"""The cells of a 2x2 whose upper left cell is 0."""

ODD, PAIRS = np.uint64(0x555555555555555), np.uint64(0x333333333333333)


@compiled
def big_block(key: Any) -> int:
    """The upper left cell of the 2x2."""
    return np.int64(key >> BIG)


@compiled
def _empty(key: Any) -> Any:
    upright, flat = (key >> UPRIGHT) & BOX, (key >> FLAT) & BOX
    covered = key | upright | (upright << FOUR) | flat | (flat << ONE) | (SQUARE << (key >> BIG))
    return ~covered & BOX


@compiled
def mirrored(key: Any) -> Any:
    """The mirror image of a layout: each row of each bitboard reversed."""
    flat = (key >> FLAT) & BOX
    bits = (key & ((ONE << FLAT) - ONE)) | ((flat << ONE) << FLAT)
    bits = ((bits >> ONE) & ODD) | ((bits & ODD) << ONE)
    bits = ((bits >> TWO) & PAIRS) | ((bits & PAIRS) << TWO)
    cell = key >> BIG
    column = cell & np.uint64(3)
    return bits | ((cell + TWO - column - column) << BIG)


@compiled
def canonical(key: Any) -> Any:
    """The canonical form of a layout and its mirror image."""
    return min(key, mirrored(key))


@compiled
def _around(cells: Any) -> Any:
    """The cells adjacent to these."""
    return (
        (cells >> FOUR)
        | (cells << FOUR)
        | ((cells & NOT_RIGHT) << ONE)
        | ((cells & NOT_LEFT) >> ONE)
    )


@compiled
def _room(empty: Any, kind: Any) -> Any:
    """Where the upper left cell of such a block can be if it covers only these cells."""
    if kind == SMALL:
        return empty
    if kind == UPRIGHT:
        return empty & (empty >> FOUR)
    beside = empty & (empty >> ONE) & NOT_RIGHT
    return beside if kind == FLAT else beside & (beside >> FOUR)


@compiled
def _cells(corner: Any, kind: Any) -> Any:
    """The cells that a block covers."""
    if kind == SMALL:
        return corner
    if kind == UPRIGHT:
        return corner | (corner << FOUR)
    if kind == FLAT:
        return corner | (corner << ONE)
    return corner * SQUARE


@compiled
def _line(corner: Any, room: Any, direction: int) -> Any:
    """Where moving straight takes a block."""
    reached = corner
    while True:
        if direction == 0:
            more = reached >> FOUR
        elif direction == 1:
            more = (reached & NOT_RIGHT) << ONE
        elif direction == 2:
            more = reached << FOUR
        else:
            more = (reached & NOT_LEFT) >> ONE
        more = reached | (more & room)
        if more == reached:
            return reached
        reached = more


@compiled
def _reached(corner: Any, room: Any, metric: int) -> Any:
    """Where one move takes a block."""
    if metric == STEP:
        return _around(corner) & room
    if metric == STRAIGHT:
        reached = np.uint64(0)
        for direction in range(4):
            reached |= _line(corner, room, direction)
        return reached & ~corner
    reached = corner
    while True:
        more = reached | (_around(reached) & room)
        if more == reached:
            return reached & ~corner
        reached = more


@compiled
def _moves_of(key: Any, empty: Any, blocks: Any, kind: Any, metric: int, keys: Any, n: int) -> int:
    """Append the results of moving one of the blocks of a kind."""
    while blocks != 0:
        corner = blocks & (~blocks + ONE)
        blocks ^= corner
        room = _room(empty | _cells(corner, kind), kind)
        reached = _reached(corner, room, metric)
        lifted = key ^ (corner << kind)
        while reached != 0:
            there = reached & (~reached + ONE)
            reached ^= there
            keys[n] = lifted | (there << kind)
            n += 1
    return n


@compiled
def whole_moves(key: Any, metric: int, keys: Any) -> int:
    """Write the layouts one move away; return their number (at most 128)."""
    empty = _empty(key)
    near = _around(empty)
    n = 0
    n = _moves_of(key, empty, key & near & BOX, SMALL, metric, keys, n)
    upright = (key >> UPRIGHT) & BOX
    n = _moves_of(key, empty, upright & (near | (near >> FOUR)), UPRIGHT, metric, keys, n)
    flat = (key >> FLAT) & BOX
    n = _moves_of(key, empty, flat & (near | (near >> ONE)), FLAT, metric, keys, n)
    corner = ONE << (key >> BIG)
    if (corner * SQUARE) & near != 0:
        reached = _reached(corner, _room(empty | corner * SQUARE, BIG), metric)
        lifted = key & ((ONE << BIG) - ONE)
        while reached != 0:
            there = reached & (~reached + ONE)
            reached ^= there
            keys[n] = lifted | (np.uint64(count_bits(there - ONE)) << BIG)
            n += 1
    return n


CHOSEN, COVERED, LAID, LEFT = range(4)
"""Columns of the scratch table of `all_layouts`: the state when a cell's turn comes."""

ONE_UPRIGHT, ONE_FLAT, ONE_SMALL = np.uint64(1), np.uint64(1 << 8), np.uint64(1 << 16)
"""Counters of the remaining pieces, packed in one number."""


@compiled
def _lay(cell: int, choice: int, before: Any, after: Any) -> bool:
    """Decide what begins at a cell; return False if this choice is impossible."""
    here = ONE << np.uint64(cell)
    covered, laid, left = before[COVERED], before[LAID], before[LEFT]
    if choice == 0:
        pass
    elif covered & here != 0:
        return False
    elif choice == 1:
        if left & (np.uint64(0xFF) << np.uint64(16)) == 0:
            return False
        laid, left = laid | here, left - ONE_SMALL
    elif choice == 2:
        if left & np.uint64(0xFF) == 0 or cell >= 16 or covered & (here << FOUR) != 0:
            return False
        covered, laid, left = covered | (here << FOUR), laid | (here << UPRIGHT), left - ONE_UPRIGHT
    else:
        beside = here << ONE
        if left & (np.uint64(0xFF) << EIGHT) == 0 or cell & 3 == 3 or covered & beside != 0:
            return False
        covered, laid, left = covered | beside, laid | (here << FLAT), left - ONE_FLAT
    after[CHOSEN], after[COVERED], after[LAID], after[LEFT] = np.uint64(0), covered, laid, left
    return True


@compiled
def all_layouts(upright: int, flat: int, small: int, keys: Any, table: Any) -> int:
    """Write every layout of these pieces and the 2x2; return their number.

    Backtracking cell by cell in a table (21, 4), not by recursion, which numba compiles but cannot
    cache on disk.
    """
    pieces = np.uint64(upright) * ONE_UPRIGHT + np.uint64(flat) * ONE_FLAT
    pieces += np.uint64(small) * ONE_SMALL
    found = 0
    for big in range(15):
        if big & 3 == 3:
            continue
        table[0, CHOSEN], table[0, COVERED] = np.uint64(0), SQUARE << np.uint64(big)
        table[0, LAID], table[0, LEFT] = np.uint64(big) << BIG, pieces
        cell = 0
        while cell >= 0:
            if cell == 20:
                if table[cell, LEFT] == 0:
                    if found < keys.size:
                        keys[found] = table[cell, LAID]
                    found += 1
                cell -= 1
                continue
            choice = np.int64(table[cell, CHOSEN])
            if choice == 4:
                cell -= 1
                continue
            table[cell, CHOSEN] += ONE
            if _lay(cell, choice, table[cell], table[cell + 1]):
                cell += 1
    return found

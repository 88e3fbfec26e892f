"""Whole moves in the box of 4 by 5, as fast as they come: for the exact solver and the oracle.

A layout is one 64-bit key: the upper left cells of the 1x1, of the vertical and of the horizontal
pieces, 20 bits each, and above them the cell of the 2x2. A whole move takes one block as far as
the metric lets a single move take it; on keys the search is then plain breadth-first search on an
undirected graph, with no need to know which block moved last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.bitboards import ONE, count_bits
from puzzle_envs.compiled import compiled

__all__ = ["GOAL", "all_layouts", "big_block", "canonical", "mirrored", "whole_moves"]

MOVE, STRAIGHT, STEP = 0, 1, 2

GOAL = 13

BOX = np.uint64(0xFFFFF)
NOT_LEFT = np.uint64(0xEEEEE)
NOT_RIGHT = np.uint64(0x77777)
SMALL, UPRIGHT, FLAT, BIG = np.uint64(0), np.uint64(20), np.uint64(40), np.uint64(60)
"""Where the bits of each kind of block begin."""

TWO, FOUR, FIVE, EIGHT = np.uint64(2), np.uint64(4), np.uint64(5), np.uint64(8)
SQUARE = np.uint64(0x33)
"""The cells of the 2x2 when its upper left cell is 0."""

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
    """The layout seen in a mirror: each row of each bitboard turned around."""
    flat = (key >> FLAT) & BOX
    bits = (key & ((ONE << FLAT) - ONE)) | ((flat << ONE) << FLAT)
    bits = ((bits >> ONE) & ODD) | ((bits & ODD) << ONE)
    bits = ((bits >> TWO) & PAIRS) | ((bits & PAIRS) << TWO)
    cell = key >> BIG
    column = cell & np.uint64(3)
    return bits | ((cell + TWO - column - column) << BIG)


@compiled
def canonical(key: Any) -> Any:
    """The same for a layout and its mirror image."""
    return min(key, mirrored(key))


@compiled
def _around(cells: Any) -> Any:
    """The cells beside these."""
    return (
        (cells >> FOUR)
        | (cells << FOUR)
        | ((cells & NOT_RIGHT) << ONE)
        | ((cells & NOT_LEFT) >> ONE)
    )


@compiled
def _room(empty: Any, kind: Any) -> Any:
    """Where the upper left cell of such a block can be, if it covers only these cells."""
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
    """Where going straight on takes a block."""
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
    """Append the results of moving one of these blocks of a kind."""
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
    """Write the layouts one move away; return how many (never more than 128)."""
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


@compiled
def _lay(
    cell: int, covered: Any, key: Any, upright: int, flat: int, small: int, keys: Any, n: int
) -> int:
    """Lay the pieces that are left on the cells from here on, in every way; append the keys."""
    while cell < 20 and (covered >> np.uint64(cell)) & ONE != 0:
        cell += 1
    if cell == 20:
        if upright + flat + small > 0:
            return n
        if n < keys.size:
            keys[n] = key
        return n + 1
    here = ONE << np.uint64(cell)
    n = _lay(cell + 1, covered, key, upright, flat, small, keys, n)
    if small > 0:
        n = _lay(cell + 1, covered, key | here, upright, flat, small - 1, keys, n)
    if upright > 0 and cell < 16 and covered & (here << FOUR) == 0:
        below = covered | (here << FOUR)
        n = _lay(cell + 1, below, key | (here << UPRIGHT), upright - 1, flat, small, keys, n)
    if flat > 0 and cell & 3 != 3 and covered & (here << ONE) == 0:
        beside = covered | (here << ONE)
        n = _lay(cell + 1, beside, key | (here << FLAT), upright, flat - 1, small, keys, n)
    return n


@compiled
def all_layouts(upright: int, flat: int, small: int, keys: Any) -> int:
    """Write every layout of these pieces and the 2x2, as far as they fit; return how many."""
    n = 0
    for cell in range(15):
        if cell & 3 != 3:
            key = np.uint64(cell) << BIG
            n = _lay(0, SQUARE << np.uint64(cell), key, upright, flat, small, keys, n)
    return n

"""Reachability of cells, and distances between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, count_bits, earlier, later, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.pieces import DOWN, LEFT, RIGHT, UP

BOARD = 16
"""Words of the largest bitboard."""


@compiled
def walkable(level: Any, blocked: Any, holes: Any, free: Any) -> None:
    """Write the cells on which a character can stand."""
    for word in range(level.words):
        free[word] = level.ground[word] & ~(blocked[word] | holes[word])


@compiled
def behind(level: Any, board: Any, word: int, direction: int) -> Any:
    """A word of the cells from which a step in a direction leads into a bitboard."""
    last = level.words - 1
    if direction == UP:
        return earlier(board, word, level.width)
    if direction == RIGHT:
        return later(board, word, last, 1)
    if direction == DOWN:
        return later(board, word, last, level.width)
    return earlier(board, word, 1)


@compiled
def around(level: Any, board: Any, word: int) -> Any:
    """A word of the cells in or adjacent to a bitboard."""
    bits = board[word]
    bits |= behind(level, board, word, UP) | behind(level, board, word, DOWN)
    return bits | behind(level, board, word, LEFT) | behind(level, board, word, RIGHT)


@compiled
def flood(level: Any, free: Any, reach: Any) -> None:
    """Flood fill a set over free cells. Walls all around keep rows apart."""
    changed = True
    while changed:
        changed = False
        for word in range(level.words):
            changed |= _flood_word(level, free, reach, word)
        changed &= level.words > 1  # one word alone is filled at once


@compiled
def _grown(bits: Any, room: Any, width: Any) -> Any:
    """Cells of one word and their neighbours in a room."""
    return bits | (((bits << ONE) | (bits >> ONE) | (bits << width) | (bits >> width)) & room)


@compiled
def _flood_word(level: Any, free: Any, reach: Any, word: int) -> bool:
    """Flood fill within one word; return whether it grew."""
    width = np.uint64(level.width)
    before, room = reach[word], free[word]
    bits = filled(before | (around(level, reach, word) & room), room, width)
    reach[word] = bits
    return bits != before


@compiled
def filled(bits: Any, room: Any, width: Any) -> Any:
    """Flood fill cells of one word in a room."""
    while True:
        once = _grown(bits, room, width)
        more = _grown(once, room, width)  # two steps per unpredictable branch
        if more == bits:
            return bits
        bits = more


@compiled
def clear(level: Any, board: Any) -> None:
    """Clear a bitboard."""
    for word in range(level.words):
        board[word] = np.uint64(0)


@compiled
def room_of(level: Any, free: Any, cell: int, reach: Any) -> None:
    """Write the cells reachable from a cell, including itself."""
    clear(level, reach)
    add(reach, cell)
    flood(level, free, reach)


@compiled
def lowest(level: Any, board: Any) -> int:
    """The first cell of a bitboard; -1 if empty."""
    for word in range(level.words):
        if board[word] != 0:
            return 64 * word + number_of(board[word] & (~board[word] + ONE))
    return -1


@compiled
def size(level: Any, board: Any) -> int:
    """Number of cells of a bitboard."""
    count = 0
    for word in range(level.words):
        count += count_bits(board[word])
    return count


@compiled
def touches_exit(level: Any, reach: Any) -> bool:
    """Whether a step from one of these cells leads into the exit."""
    for direction in range(4):
        if bit(reach, level.exit - level.ways[direction]):
            return True
    return False


@compiled
def _distance_in_word(level: Any, free: Any, here: int, there: int) -> int:
    """The same on a floor whose cells fit into one word."""
    width = np.uint64(level.width)
    bits, target = ONE << np.uint64(here), ONE << np.uint64(there)
    steps = 0
    while bits & target == 0:
        more = _grown(bits, free, width)
        if more == bits:
            return -1
        bits = more
        steps += 1
    return steps


@compiled
def distance(level: Any, free: Any, here: int, there: int) -> int:
    """Shortest distance between two cells over free cells; -1 if there is no way."""
    if level.words == 1:
        return _distance_in_word(level, free[0], here, there)
    reach, wider = scratch(BOARD), scratch(BOARD)
    clear(level, reach)
    add(reach, here)
    steps = 0
    while not bit(reach, there):
        grown = False
        for word in range(level.words):
            wider[word] = reach[word] | (around(level, reach, word) & free[word])
            grown |= wider[word] != reach[word]
        if not grown:
            return -1
        for word in range(level.words):
            reach[word] = wider[word]
        steps += 1
    return steps

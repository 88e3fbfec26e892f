"""Lower bounds on the writes of a grid, and proofs that decided cells lead to a dead end.

A row needs a write for each height that it lacks: on a fresh grid one for each empty cell, so that
every filling costs the same, and a search is short if it detects wrong cells early. After each
write, its row and column are checked: whether their clues can still be met, each cell still has a
height and each height a cell.

The heights that each cell can have in any solution are precomputed: "propagation" draws the
consequences of clues and givens line by line, "look-ahead" also drops each height that leads to a
contradiction when assumed, which leaves little to search; "plain" knows the givens only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, count_bits
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.level import Record, Words
from puzzle_envs.skyscraper.exact import OPEN, OVER, SLICE, advance, begin, look_ahead, new_search
from puzzle_envs.skyscraper.level import clues_of, givens_of
from puzzle_envs.skyscraper.rules import (
    BOTTOM,
    FOUR,
    FOUR_BITS,
    LEFT,
    RIGHT,
    TOP,
    _decided,
    _value,
    rules,
)
from puzzle_envs.verbs import NEVER, UNESTIMATED

ZERO = np.uint64(0)


# --- findings -----------------------------------------------------------------------------------
# A word for each cell: a bit for each possible height, bit 1 the lowest.


def find_givens(record: Record) -> Words:
    """Any height, except in given cells."""
    every = (1 << int(record["size"]) + 1) - 2
    return np.array([1 << height if height else every for height in givens_of(record)], np.uint64)


def find_consequences(record: Record) -> Words:
    """The heights left by propagation of clues and givens."""
    return _candidates(record, ahead=False)


def find_ahead(record: Record) -> Words:
    """The heights left by look-ahead."""
    return _candidates(record, ahead=True)


def _candidates(record: Record, *, ahead: bool) -> Words:
    size = int(record["size"])
    search = new_search(size)
    status = search.grid.progress["status"]
    begin(search, np.array(clues_of(record), np.int64), np.array(givens_of(record), np.int64))
    advance(search, 1, 0)
    if ahead and status[0] == OPEN:
        while not look_ahead(search, SLICE):
            pass
    if status[0] == OVER:
        return np.zeros(size * size, np.uint64)
    return search.states[0, : size * size].astype(np.uint64) << ONE


ESTIMATES: Mapping[str, Callable[[Record], Words]] = {
    "propagation": find_consequences,
    "look-ahead": find_ahead,
    "plain": find_givens,
}


# --- lower bound --------------------------------------------------------------------------------


@compiled
def _lacking(level: Any, findings: Any, state: Any, row: int) -> int:
    """Number of heights missing in a row; heights in cells that cannot have them are ignored."""
    heights = ZERO
    for cell in range(row * level.size, (row + 1) * level.size):
        heights |= (ONE << _value(level, state, cell)) & findings[cell]
    return level.size - count_bits(heights)


@rules
def estimate(level: Any, findings: Any, state: Any) -> int:
    return _lower_bound(level, findings, state)


@compiled
def _lower_bound(level: Any, findings: Any, state: Any) -> int:
    decided = _decided(level, state)
    if decided > 0 and _wrong(level, findings, state, decided - 1):
        return NEVER
    found = 0
    for row in range(level.size):
        found += _lacking(level, findings, state, row)
    return found


@rules
def estimate_next(level: Any, findings: Any, state: Any, known: Any, row: Any) -> int:
    """A move decides one cell; the other rows are unchanged."""
    if known == UNESTIMATED:
        return _lower_bound(level, findings, row)
    cell = _decided(level, row) - 1
    if _wrong(level, findings, row, cell):
        return NEVER
    changed = cell // level.size
    before = _lacking(level, findings, state, changed)
    return known - before + _lacking(level, findings, row, changed)


# --- what is decided --------------------------------------------------------------------------
# What is decided is built, so that the height less one tells a cell of a line in four bits.


@compiled
def _nibble(level: Any, state: Any, cell: int) -> Any:
    return (_value(level, state, cell) - ONE) & FOUR_BITS


@compiled
def _wrong(level: Any, findings: Any, state: Any, cell: int) -> bool:
    """Whether the cell decided last contradicts those before it."""
    size = level.size
    row, column = cell // size, cell % size
    if (findings[cell] >> _value(level, state, cell)) & ONE == 0:
        return True
    line = ZERO
    for index in range(column + 1):
        line |= _nibble(level, state, row * size + index) << (FOUR * np.uint64(index))
    if _clues_fail(size, level.clues[LEFT, row], level.clues[RIGHT, row], line, column + 1):
        return True
    line = ZERO
    for index in range(row + 1):
        line |= _nibble(level, state, index * size + column) << (FOUR * np.uint64(index))
    if _clues_fail(size, level.clues[TOP, column], level.clues[BOTTOM, column], line, row + 1):
        return True
    return _starved(level, findings, state, cell)


@compiled
def _highest(bits: Any) -> Any:
    """The index of the highest bit of a 17-bit word."""
    for shift in (1, 2, 4, 8, 16):
        bits |= bits >> np.uint64(shift)
    return np.uint64(count_bits(bits) - 1)


@compiled
def _clues_fail(size: int, clue_before: int, clue_behind: int, line: Any, count: int) -> bool:
    """Whether a line whose first cells are filled cannot meet its clues.

    The set of heights left is known, their order is not.
    """
    left = size - count
    if left == 0:
        return False  # the rules check complete lines
    seen, tallest, heights, rest = 0, ZERO, ZERO, line
    for _ in range(count):
        height = (rest & FOUR_BITS) + ONE
        rest >>= FOUR
        seen += height > tallest
        tallest = max(tallest, height)
        heights |= ONE << height
    missing = ((ONE << np.uint64(size + 1)) - np.uint64(2)) & ~heights
    taller = count_bits(missing >> tallest)
    if taller == 0:  # the tallest is placed; nothing behind it is visible from the front
        if clue_before != 0 and clue_before != seen:
            return True
        if clue_behind == 0:
            return False
        behind = clue_behind - _seen_beyond(line, count, _highest(missing))
        return behind < 1 or behind > left
    # Visible besides the tallest building, which is still to come: before and behind it.
    before, behind = clue_before - seen - 1, clue_behind - 1
    if clue_before != 0 and (before < 0 or before >= taller):
        return True
    if clue_behind != 0 and behind >= left:
        return True
    if clue_before == 0 or clue_behind == 0:
        return False
    return before + behind >= left or (taller > 1 and before + behind == 0)


@compiled
def _seen_beyond(line: Any, count: int, tallest: Any) -> int:
    """Number of the first cells visible from behind, over a building of this height."""
    seen = 0
    for index in range(count - 1, -1, -1):
        height = ((line >> (FOUR * np.uint64(index))) & FOUR_BITS) + ONE
        seen += height > tallest
        tallest = max(tallest, height)
    return seen


@compiled
def _starved(level: Any, findings: Any, state: Any, cell: int) -> bool:
    """Whether a later cell of the row or column has no height left, or a height no cell."""
    size = level.size
    row, column = cell // size, cell % size
    used = scratch(16)  # heights decided in each column
    for index in range(size):
        used[index] = ZERO
    in_row, at = ZERO, 0
    for other in range(cell + 1):
        height = ONE << _value(level, state, other)
        used[at] |= height
        in_row |= height if other >= cell - column else ZERO
        at = at + 1 if at + 1 < size else 0
    every = (ONE << np.uint64(size + 1)) - np.uint64(2)
    found = in_row
    for index in range(column + 1, size):
        free = findings[row * size + index] & ~(used[index] | in_row)
        if free == 0:
            return True
        found |= free
    if found != every:
        return True
    found = used[column]
    for index in range(row + 1, size):
        free = findings[index * size + column] & ~used[column]
        if free == 0:
            return True
        found |= free
    return found != every

"""Features of a write for learned policies: its row and its column, each with its own clues.

A cell's planes hold the clues of all four sides, so the same patch hardly ever occurs twice. A
single line does recur: its visible buildings, its used heights, its contents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, count_bits
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.skyscraper.fillings import ANY, MOST, class_of, fillings, highest
from puzzle_envs.skyscraper.rules import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    _column,
    _decided,
    _row,
    _value,
    rules,
    scan_line,
)

BASE = 32
"""Upper bound, exclusive, on the numbers of a trait."""


@compiled
def _joined(kind: int, size: int, place: Any, value: Any, one: Any, other: Any) -> int:
    """A trait as one number."""
    total = kind * BASE + size
    for part in (place, value, one, other):
        total = total * BASE + part
    return total


@compiled
def _before(line: Any, fifths: Any, place: int) -> tuple[Any, Any, int]:
    """The heights before a place, how many of them are visible, and the tallest."""
    heights, before, _ = scan_line(line, fifths, place)
    tallest = 0
    while before >> np.uint64(tallest + 1) != 0:
        tallest += 1
    return heights, count_bits(before), tallest


@compiled
def _ways(level: Any, findings: Any, state: Any, cell: int, upright: bool) -> int:
    """The class of the number of ways to fill the row or column of the cell decided last.

    0 if too many cells are left to count them.
    """
    size = level.size
    at_row, at_column = cell // size, cell % size
    done = (at_row if upright else at_column) + 1
    if size - done > MOST:
        return 0
    if upright:
        line, fifths = _column(level, state, at_column)
        clues = level.clues[TOP, at_column], level.clues[BOTTOM, at_column]
    else:
        line, fifths = _row(level, state, at_row)
        clues = level.clues[LEFT, at_row], level.clues[RIGHT, at_row]
    heights, front, back = scan_line(line, fifths, done)
    missing = ((ONE << np.uint64(size + 1)) - np.uint64(2)) & ~heights
    free = scratch(MOST)
    for index in range(done, size):
        other = index * size + at_column if upright else at_row * size + index
        free[index - done] = findings[other] & ~_crossing(level, state, other, cell, upright)
    before = _still(clues[0], count_bits(front))
    behind = _still(clues[1], count_bits(back >> highest(missing)))
    return class_of(fillings(missing, highest(heights), before, behind, free))


@compiled
def _still(clue: Any, seen: int) -> int:
    """How many more must be visible, below ANY if too many are; ANY without a clue."""
    if clue == 0:
        return ANY
    return int(clue) - seen if clue >= seen else ANY - 1


@compiled
def _crossing(level: Any, state: Any, other: int, cell: int, upright: bool) -> Any:
    """The heights decided in the line that crosses a cell's row or column there."""
    size, found = level.size, np.uint64(0)
    if upright:
        for one in range(other - other % size, min(other, cell + 1)):
            found |= ONE << _value(level, state, one)
    else:
        for one in range(other % size, cell, size):
            found |= ONE << _value(level, state, one)
    return found


@rules
def traits(level: Any, findings: Any, state: Any, row: Any, found: Any) -> int:
    """For the cell's row and column: what is visible up to it, and what is left to place."""
    size, cell = level.size, _decided(level, row) - 1
    at_row, at_column = cell // size, cell % size
    value = np.int64(_value(level, row, cell))
    count = 0
    for upright in range(2):
        if upright == 0:
            line, fifths = _row(level, row, at_row)
        else:
            line, fifths = _column(level, row, at_column)
        place, number = (at_row, at_column) if upright else (at_column, at_row)
        before = np.int64(level.clues[TOP if upright else LEFT, number])
        behind = np.int64(level.clues[BOTTOM if upright else RIGHT, number])
        heights, seen, tallest = _before(line, fifths, place)
        lower = count_bits(heights & ((ONE << np.uint64(value)) - ONE))
        found[count] = _joined(count, size, place, value, before, behind)
        found[count + 1] = _joined(count + 1, size, place, value, before * BASE + seen, tallest)
        found[count + 2] = _joined(count + 2, size, place, value, behind * BASE + lower, tallest)
        found[count + 3] = _joined(count + 3, size, behind, value, before, np.int64(heights))
        count += 4
    ways = _ways(level, findings, row, cell, False), _ways(level, findings, row, cell, True)
    found[count] = _joined(count, size, ways[0], ways[1], 0, 0)
    found[count + 1] = _joined(count + 1, size, ways[0], size - at_column, 0, 0)
    found[count + 2] = _joined(count + 2, size, ways[1], size - at_row, 0, 0)
    count += 3
    possible, below = findings[cell], findings[cell] & ((ONE << np.uint64(value)) - ONE)
    found[count] = _joined(count, size, count_bits(possible), count_bits(below), 0, 0)
    found[count + 1] = _joined(count + 1, size, at_row, at_column, value, 0)
    return count + 2

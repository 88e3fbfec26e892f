"""What a learned policy sees of a write besides the board: its lines, each with its own clues.

A cell's planes hold clues of all four sides, so hardly any patch of them comes twice. A line alone
does: what can be seen from its beginning, what is used, what stands where.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, count_bits
from puzzle_envs.kernels.compiled import compiled
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
"""Numbers of a trait are below this."""


@compiled
def _joined(kind: int, size: int, place: Any, value: Any, one: Any, other: Any) -> int:
    """A trait as one number."""
    total = kind * BASE + size
    for part in (place, value, one, other):
        total = total * BASE + part
    return total


@compiled
def _before(line: Any, fifths: Any, place: int) -> tuple[Any, Any, int]:
    """The heights before a place, how many of them are seen, and the tallest."""
    heights, before, _ = scan_line(line, fifths, place)
    tallest = 0
    while before >> np.uint64(tallest + 1) != 0:
        tallest += 1
    return heights, count_bits(before), tallest


@rules
def traits(level: Any, findings: Any, state: Any, row: Any, found: Any) -> int:
    """For the row and the column of the cell: what is seen up to it, and what is left to place."""
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
    possible, below = findings[cell], findings[cell] & ((ONE << np.uint64(value)) - ONE)
    found[count] = _joined(count, size, count_bits(possible), count_bits(below), 0, 0)
    found[count + 1] = _joined(count + 1, size, at_row, at_column, value, 0)
    return count + 2

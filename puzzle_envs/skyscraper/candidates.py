"""Candidates of a skyscraper grid, and propagation of the Latin square's constraints.

"This height in this cell" is a candidate. Candidates are kept in three views: for each cell the
heights, for each row and height the columns, for each column and height the rows. When any of these
words has a single bit left, that candidate is placed, and its competitors are removed from all
three. Rows, columns and heights count from 0 here.

A state is the 3 n^2 words of these views, and one more for each row: the columns of its placed
cells.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.level import record_dtype
from puzzle_envs.skyscraper.lines import ZERO, lowest

PROGRESS = record_dtype(
    [
        ("status", np.int64),  # of the search: see exact.py
        ("depth", np.int64),  # guesses on the stack
        ("nodes", np.int64),  # guesses made
        ("solutions", np.int64),  # solutions found
        ("singles", np.int64),  # candidates waiting to be placed
        ("written", np.int64),  # placed cells that are not given
        ("changed", np.int64),  # lines with fewer candidates than when last pruned
        ("clued", np.int64),  # lines with a clue
        ("next", np.int64),  # the line to prune next
        ("tried", np.int64),  # the candidate look-ahead tries next
        ("held", np.int64),  # consecutive candidates it could not drop
        ("patience", np.int64),  # guesses before the first restart
        ("failures", np.int64),  # failures since the last restart
        ("allowed", np.int64),  # failures until the next restart
        ("failure", np.float64),  # weight of the next failure
    ]
)


class Grid(NamedTuple):
    """The data of a grid besides its states."""

    n: int

    progress: npt.NDArray[Any]
    """One record of PROGRESS."""

    singles: npt.NDArray[np.uint16]
    """Candidates waiting to be placed."""

    writes: npt.NDArray[np.int16]
    """Placed cells in order: cell, value (from 1), number of guesses before."""


def new_grid(n: int) -> Grid:
    """Arrays for a grid of n x n."""
    return Grid(
        n=n,
        progress=np.zeros(1, PROGRESS),
        singles=np.zeros(3 * n * n, np.uint16),
        writes=np.zeros((n * n, 3), np.int16),
    )


@compiled
def code_of(row: Any, column: Any, height: Any) -> Any:
    """Encode a candidate as a number."""
    return (row << 8) | (column << 4) | height


@compiled
def fill(state: Any, grid: Grid) -> None:
    """Allow every height everywhere."""
    for index in range(3 * grid.n * grid.n):
        state[index] = (1 << grid.n) - 1
    for row in range(grid.n):
        state[3 * grid.n * grid.n + row] = 0


@compiled
def remove(state: Any, grid: Grid, row: Any, column: Any, height: Any) -> Any:
    """Remove a candidate; return False if a cell or a height has none left."""
    n, progress = grid.n, grid.progress[0]
    cell, in_row, in_column = (
        row * n + column,
        (n + row) * n + height,
        (2 * n + column) * n + height,
    )
    heights = np.uint64(state[cell]) & ~(ONE << np.uint64(height))
    columns = np.uint64(state[in_row]) & ~(ONE << np.uint64(column))
    rows = np.uint64(state[in_column]) & ~(ONE << np.uint64(row))
    state[cell], state[in_row], state[in_column] = heights, columns, rows
    progress.changed |= (1 << row) | (1 << (n + column))
    if heights == 0 or columns == 0 or rows == 0:
        return False
    count = progress.singles
    if heights & (heights - ONE) == 0:
        grid.singles[count] = code_of(row, column, number_of(heights))
        count += 1
    if columns & (columns - ONE) == 0:
        grid.singles[count] = code_of(row, number_of(columns), height)
        count += 1
    if rows & (rows - ONE) == 0:
        grid.singles[count] = code_of(number_of(rows), column, height)
        count += 1
    progress.singles = count
    return True


@compiled
def place(state: Any, grid: Grid, row: Any, column: Any, height: Any) -> Any:
    """Place a height and remove its competitors; return False on a contradiction."""
    n, progress = grid.n, grid.progress[0]
    cell, in_row, in_column = (
        row * n + column,
        (n + row) * n + height,
        (2 * n + column) * n + height,
    )
    if state[cell] & (1 << height) == 0:
        return False
    if state[3 * n * n + row] & (1 << column) != 0:
        return True
    state[3 * n * n + row] |= 1 << column
    entry = grid.writes[progress.written]
    entry[0], entry[1], entry[2] = cell, height + 1, progress.depth
    progress.written += 1
    others = np.uint64(state[cell]) & ~(ONE << np.uint64(height))
    while others != 0:
        if not remove(state, grid, row, column, number_of(lowest(others))):
            return False
        others &= others - ONE
    others = np.uint64(state[in_row]) & ~(ONE << np.uint64(column))
    while others != 0:
        if not remove(state, grid, row, number_of(lowest(others)), height):
            return False
        others &= others - ONE
    others = np.uint64(state[in_column]) & ~(ONE << np.uint64(row))
    while others != 0:
        if not remove(state, grid, number_of(lowest(others)), column, height):
            return False
        others &= others - ONE
    return True


@compiled
def place_singles(state: Any, grid: Grid) -> Any:
    """Place all single candidates; return False on a contradiction."""
    progress = grid.progress[0]
    while progress.singles > 0:
        progress.singles -= 1
        code = np.int64(grid.singles[progress.singles])
        if not place(state, grid, code >> 8, (code >> 4) & 15, code & 15):
            return False
    return True


@compiled
def keep(state: Any, grid: Grid, line: Any, places: Any) -> Any:
    """Restrict each height of a line to these places; return False on a contradiction.

    Lines are the rows, then the columns.
    """
    n = grid.n
    for height in range(n):
        dropped = np.uint64(state[(n + line) * n + height]) & ~places[height]
        while dropped != ZERO:
            position = number_of(lowest(dropped))
            dropped &= dropped - ONE
            row, column = (line, position) if line < n else (position, line - n)
            if not remove(state, grid, row, column, height):
                return False
    return True

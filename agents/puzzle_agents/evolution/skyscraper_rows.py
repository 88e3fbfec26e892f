"""Skyscraper grids without repeats in a row, compiled: random rows and row crossover.

A genome holds the heights of the cells, row by row; `allowed` a bitmask of heights per cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.states.chance import below, happens

__all__ = ["cross_rows", "draw_rows", "may_stand"]

NONE = np.uint64(255)
"""No column."""


@compiled
def may_stand(allowed: Any, cell: int, height: int) -> bool:
    """Whether this cell allows this height."""
    return (allowed[cell] >> np.uint64(height)) & ONE != 0


@kernel
def draw_rows(genomes: Any, size: int, allowed: Any, chance: Any) -> bool:
    """Draw random grids of allowed heights; return False if a row cannot be filled."""
    for individual in range(genomes.shape[0]):
        for row in range(size):
            if not _draw_row(genomes, individual, size, row, allowed, chance):
                return False
    return True


@compiled
def _draw_row(
    genomes: Any, individual: int, size: int, row: int, allowed: Any, chance: Any
) -> bool:
    """Draw a random row of distinct allowed heights; return False if there is none.

    Columns take heights in random order; one without a free height displaces another along an
    augmenting path (bipartite matching).
    """
    columns, heights = scratch(16), scratch(16)
    column_with, wanted_by = scratch(17), scratch(17)
    _shuffle(columns, size, chance)
    _shuffle(heights, size, chance)
    for height in range(size + 1):
        column_with[height] = NONE
    for index in range(size):
        free = _find_free(columns[index], size, row, allowed, heights, column_with, wanted_by)
        if free == 0:
            return False
        while free != 0:
            column = wanted_by[free]
            before = 0
            for height in range(1, size + 1):
                if column_with[height] == column:
                    before = height
            column_with[free] = column
            free = before
    for height in range(1, size + 1):
        genomes[individual, row * size + np.int64(column_with[height])] = height
    return True


@compiled
def _find_free(
    start: Any, size: int, row: int, allowed: Any, heights: Any, column_with: Any, wanted_by: Any
) -> int:
    """A height no column has yet, reached from a column along an alternating path; 0 if none.

    `wanted_by` records for each height the column it was reached from.
    """
    queue = scratch(16)
    for height in range(size + 1):
        wanted_by[height] = NONE
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        column = np.int64(queue[head])
        head += 1
        for index in range(size):
            height = np.int64(heights[index]) + 1
            if wanted_by[height] != NONE or not may_stand(allowed, row * size + column, height):
                continue
            wanted_by[height] = np.uint64(column)
            if column_with[height] == NONE:
                return height
            queue[tail] = column_with[height]
            tail += 1
    return 0


@compiled
def _shuffle(order: Any, size: int, chance: Any) -> None:
    """Write the numbers below `size` in random order."""
    for index in range(size):
        order[index] = np.uint64(index)
    for index in range(size - 1, 0, -1):
        other = below(chance, index + 1)
        order[index], order[other] = order[other], order[index]


@kernel
def cross_rows(
    genomes: Any, parents: Any, size: int, rate: float, share: float, chance: Any, children: Any
) -> None:
    """Write one child of each pair of parents: a copy of the first, with rows of the second.

    With probability `rate` it is crossed, each row with probability `share`.
    """
    for child in range(children.shape[0]):
        one, other = parents[2 * child], parents[2 * child + 1]
        crossed = happens(chance, rate)
        for row in range(size):
            parent = other if crossed and happens(chance, share) else one
            for cell in range(row * size, (row + 1) * size):
                children[child, cell] = genomes[parent, cell]

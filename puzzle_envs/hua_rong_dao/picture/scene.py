"""The state of a box, as decoded from its planes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.hua_rong_dao.codec import BLOCK, GOAL, GOAL_PIECE, JOINED, LAST, STEPS, WENT
from puzzle_envs.rendering.board import Rectangle
from puzzle_envs.rendering.picture import Planes

UP, RIGHT, DOWN, LEFT = range(4)

Numbers = NDArray[np.integer]


@dataclass
class Scene:
    """The planes of a box, without padding."""

    planes: Planes

    @property
    def size(self) -> tuple[int, int]:
        """The height and the width of the box."""
        height, width = self.planes.shape[1:]
        return height, width

    @cached_property
    def goal(self) -> Rectangle | None:
        """The goal, if the planes have one."""
        return _around(self.planes[GOAL])

    @cached_property
    def solved(self) -> bool:
        """Whether the goal piece covers the goal."""
        goal = self.planes[GOAL] > 0
        return bool(goal.any() and self.planes[GOAL_PIECE][goal].all())

    @property
    def goal_piece(self) -> Rectangle | None:
        """The goal piece, if there is one."""
        return _around(self.planes[GOAL_PIECE])

    @property
    def moved(self) -> Rectangle | None:
        """The block that moved last, if one has."""
        return _around(self.planes[LAST])

    @cached_property
    def down(self) -> tuple[Numbers, Numbers]:
        """For each cell, the extent of its block in its column, and its index therein."""
        length, number = _lines(self.planes[JOINED + UP].T, self.planes[JOINED + DOWN].T)
        return length.T, number.T

    @cached_property
    def across(self) -> tuple[Numbers, Numbers]:
        """For each cell, the extent of its block in its row, and its index therein."""
        return _lines(self.planes[JOINED + LEFT], self.planes[JOINED + RIGHT])

    def blocks(self) -> list[Rectangle]:
        """All blocks by their upper left cells, row by row."""
        (heights, down), (widths, across) = self.down, self.across
        corners = (self.planes[BLOCK] > 0) & (down == 0) & (across == 0)
        return [
            Rectangle(int(row), int(column), int(heights[row, column]), int(widths[row, column]))
            for row, column in np.argwhere(corners)
        ]

    def step_from(self, before: Scene) -> tuple[Rectangle, int] | None:
        """The block that moved by one cell, in its new place, and its direction, if one did."""
        moved = self.moved
        if moved is None or self.size != before.size:
            return None
        way = int(self.planes[WENT:, moved.row, moved.column].argmax())
        down, right = STEPS[way]
        origin = moved.shifted(-down, -right)
        if not before.contains(origin):
            return None
        block, block_before = self.planes[:, *moved.cells], before.planes[:, *origin.cells]
        rest, rest_before = self.without(moved).planes, before.without(origin).planes
        fits = np.array_equal(block[_OF_A_BLOCK], block_before[_OF_A_BLOCK])
        return (moved, way) if fits and np.array_equal(rest[:LAST], rest_before[:LAST]) else None

    def contains(self, cells: Rectangle) -> bool:
        """Whether the rectangle is inside the box."""
        height, width = self.size
        return (
            min(cells.row, cells.column) >= 0
            and cells.row + cells.height <= height
            and cells.column + cells.width <= width
        )

    def without(self, block: Rectangle) -> Scene:
        """The scene without a block."""
        planes = self.planes.copy()
        planes[BLOCK:GOAL, *block.cells] = 0
        planes[JOINED:, *block.cells] = 0
        return Scene(planes)


# The planes of a block, except where it is and whether it moved last.
_OF_A_BLOCK = [BLOCK, GOAL_PIECE, *range(JOINED, LAST)]


def _around(cells: NDArray[np.integer]) -> Rectangle | None:
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    if not len(rows):
        return None
    row, column = int(rows[0]), int(columns[0])
    return Rectangle(row, column, int(rows[-1]) - row + 1, int(columns[-1]) - column + 1)


def _lines(before: NDArray[np.integer], after: NDArray[np.integer]) -> tuple[Numbers, Numbers]:
    """For each cell, the length of the run of joined cells in its row, and its index therein.

    `before` tells whether a cell is joined with the one before it, `after` with the one after it.
    """
    here = np.arange(before.shape[1])
    first = np.maximum.accumulate(np.where(before, 0, here), axis=1)
    last = np.where(after, before.shape[1], here)
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    return last - first + 1, here - first

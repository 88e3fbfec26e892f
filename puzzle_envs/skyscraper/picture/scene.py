"""The state of a grid, as decoded from its planes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.picture import Planes
from puzzle_envs.skyscraper.codec import GIVEN, GRID, HEIGHTS, SIDES, clue_plane

TOP, BOTTOM, LEFT, RIGHT = range(len(SIDES))

# Status of a clue.
OPEN, MET, BROKEN = range(3)

Numbers = NDArray[np.int64]
Marks = NDArray[np.bool_]
Cell = tuple[int, int]


@dataclass
class Scene:
    """The content of a grid, without padding.

    Attributes:
        values: Heights of the buildings; 0 for an empty cell.
        given: Mask of the givens.
        clues: Clues of each side; 0 for none.
    """

    values: Numbers
    given: Marks
    clues: Numbers

    @classmethod
    def of(cls, planes: Planes) -> Scene:
        """Decode planes, as a copy."""
        largest = planes.shape[1]
        size = int(planes[GRID, 0].sum())
        heights = np.arange(1, largest + 1)
        own = planes[:, :size, :size].astype(np.int64)
        values = np.tensordot(heights, own[HEIGHTS : HEIGHTS + largest], 1)
        on_sides = own[clue_plane(largest, 0, 1) :].reshape(len(SIDES), largest, size, size)
        clues = np.tensordot(on_sides, heights, (1, 0))
        lines = [clues[TOP, 0], clues[BOTTOM, 0], clues[LEFT, :, 0], clues[RIGHT, :, 0]]
        return cls(values, own[GIVEN] > 0, np.stack(lines))

    @property
    def size(self) -> int:
        """Number of rows and columns."""
        return len(self.values)

    @property
    def solved(self) -> bool:
        """Whether every cell is filled without conflicts or broken clues."""
        filled = bool(self.values.all()) and not self.conflicts.any()
        return filled and not ((self.clues > 0) & (self.standing != MET)).any()

    @cached_property
    def conflicts(self) -> Marks:
        """Mask of the buildings whose height repeats in their row or column."""
        same = self.values[:, :, None] == np.arange(1, self.size + 1)
        twice = (same.sum(axis=1, keepdims=True) > 1) | (same.sum(axis=0, keepdims=True) > 1)
        return np.asarray((same & twice).any(axis=2))

    @cached_property
    def standing(self) -> Numbers:
        """Status of each clue: met, broken (in a full line) or open."""
        across, down = self.values, self.values.T
        lines = np.stack([down, down[:, ::-1], across, across[:, ::-1]])
        highest = np.maximum.accumulate(lines, axis=2)
        seen = (lines[:, :, 0] > 0) + (highest[:, :, 1:] > highest[:, :, :-1]).sum(axis=2)
        full = lines.all(axis=2)
        return np.where(seen == self.clues, MET, np.where(full, BROKEN, OPEN))

    def built_since(self, before: Scene) -> Cell | None:
        """The one cell that has changed; None if not by a single step."""
        if self.size != before.size or not (
            np.array_equal(self.clues, before.clues) and np.array_equal(self.given, before.given)
        ):
            return None
        changed = np.argwhere(self.values != before.values)
        if len(changed) != 1:
            return None
        row, column = (int(number) for number in changed[0])
        return (row, column) if self.values[row, column] else None

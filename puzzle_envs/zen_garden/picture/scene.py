"""The state of a garden, as decoded from its planes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.picture import Planes
from puzzle_envs.zen_garden.codec import (
    LEAVES,
    MONK,
    ORNAMENT,
    SAND,
    STEPS,
    TURNS,
    Cell,
    faces_of,
)
from puzzle_envs.zen_garden.picture import tiles
from puzzle_envs.zen_garden.picture.leaves import ORANGE, RED, YELLOW
from puzzle_envs.zen_garden.picture.monk import RAKING, RESTING, SITTING


def beyond(cell: Cell, heading: int) -> Cell:
    """The next cell in a heading, in the garden or not."""
    down, right = STEPS[heading]
    return cell[0] + down, cell[1] + right


@dataclass
class Scene:
    """The planes of a board, the trails in its sand, and the monk's place.

    His cell may be on the path: its row or column is -1 or just past the last.
    """

    planes: Planes
    trails: NDArray[np.uint8]
    monk: Cell
    heading: int
    on_sand: bool

    @property
    def solved(self) -> bool:
        """Whether everything is raked and the monk is back on the path."""
        return not self.on_sand and not self.planes[SAND].any()

    def contains(self, cell: Cell) -> bool:
        """Whether a cell is in the garden, not on the path or outside."""
        height, width = self.planes.shape[1:]
        return bool(0 <= cell[0] < height and 0 <= cell[1] < width)

    def codes(self, board: NDArray[np.int32]) -> NDArray[np.int32]:
        """The codes of this scene, from those of the empty board (`tiles.empty_board`)."""
        codes = board.copy()
        garden = codes[1:-1, 1:-1]
        garden += tiles.TRAIL * self.trails.astype(np.int32)
        garden += tiles.THING * self._movable()
        if self.solved:
            for edge in (codes[0], codes[-1], codes[1:-1, 0], codes[1:-1, -1]):
                edge += tiles.BLOSSOMS
        return codes

    def pose(self) -> int:
        """The monk's pose: he sits when stuck."""
        if self.on_sand:
            ways = [(self.monk, (self.heading + turn) % 4) for turn in TURNS]
        else:
            height, width = self.planes.shape[1:]
            ways = [(face.before, face.heading) for face in faces_of(height, width)]
        if not self.solved and not any(self._may_go(*way) for way in ways):
            return SITTING
        return RAKING if self.on_sand else RESTING

    def _movable(self) -> NDArray[np.int32]:
        """The tile codes of what is on each cell, except rocks."""
        yellow, orange = (bool(self.planes[LEAVES + colour].any()) for colour in (YELLOW, ORANGE))
        weights = np.array(
            [
                tiles.ORNAMENT,
                tiles.LEAF + YELLOW,
                tiles.LEAF + ORANGE + tiles.LOCKED * yellow,
                tiles.LEAF + RED + tiles.LOCKED * (yellow or orange),
            ],
            np.int32,
        )
        movable = self.planes[ORNAMENT:MONK]
        total: NDArray[np.int32] = weights @ movable.reshape(len(weights), -1)
        return total.reshape(movable.shape[1:])

    def _may_go(self, start: Cell, heading: int) -> bool:
        """Whether, under some board's switches, he may step or push from a cell in a direction."""
        cell = beyond(start, heading)
        if not self.contains(cell):
            return True
        if self.planes[(ORNAMENT, *cell)]:
            behind = beyond(cell, heading)
            return self.contains(behind) and bool(self.planes[(SAND, *behind)])
        leaves = self.planes[LEAVES:MONK]
        locked = any(leaves[(colour, *cell)] and leaves[:colour].any() for colour in (ORANGE, RED))
        return bool(self.planes[(SAND, *cell)]) and not locked

"""Planes and actions of a box: four ways to slide for each cell."""

from __future__ import annotations

from puzzle_envs.codec import Codec, Places, Shape, at_cell, cell_and_way, four_a_cell
from puzzle_envs.rendering.keys import way_keys

__all__ = [
    "BLOCK",
    "BOX",
    "CODEC",
    "GOAL",
    "GOAL_PIECE",
    "JOINED",
    "LAST",
    "PLANES",
    "STEPS",
    "WENT",
]

PLANES = (
    "box",
    "block",
    "goal piece",
    "goal",
    "joined to the cell above",
    "joined to the cell on the right",
    "joined to the cell below",
    "joined to the cell on the left",
    "block that moved last",
    "it moved up",
    "it moved right",
    "it moved down",
    "it moved left",
)
BOX, BLOCK, GOAL_PIECE, GOAL, JOINED = range(5)
LAST, WENT = 8, 9
"""Four planes tell which neighbours of a cell belong to the same block, and four on which cells
the block that moved last is, by the way it went."""

WAYS = ("up", "right", "down", "left")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Rows and columns to the next cell each way."""


class _BoxCodec(Codec):
    """The upper left cell of a block, and the way it slides."""

    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The same for every size."""
        return PLANES

    def places(self, shape: Shape) -> Places:
        """A block's upper left cell and a direction."""
        return four_a_cell(shape.height, shape.width)

    def action_text(self, action: int, shape: Shape) -> str:
        """The row and the column of the block's upper left cell, from 1, and where it slides."""
        cell, way = cell_and_way(action)
        row, column = divmod(cell, shape.width)
        return f"{row + 1},{column + 1} {WAYS[way]}"

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """The row and the column of a block's upper left cell, and where it slides."""
        keyed = way_keys(shape.height, shape.width)
        return {keys: at_cell(cell, way) for keys, cell, way in keyed}


CODEC = _BoxCodec()

"""Planes and actions of a box: four slides per cell."""

from __future__ import annotations

from puzzle_envs.codec import Codec, Places, Shape, at_cell, cell_and_way, four_a_cell
from puzzle_envs.rendering.keys import way_keys

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
"""Four planes for the neighbours of a cell that belong to the same block, and four for the cells of
the block that moved last, by direction."""

WAYS = ("up", "right", "down", "left")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Row and column offsets of each direction."""


class _BoxCodec(Codec):
    """Actions are the upper left cell of a block and a direction."""

    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The same for every size."""
        return PLANES

    def places(self, shape: Shape) -> Places:
        """A block's upper left cell and a direction."""
        return four_a_cell(shape.height, shape.width)

    def action_text(self, action: int, shape: Shape) -> str:
        """Row and column of the block's upper left cell, from 1, and the direction."""
        cell, way = cell_and_way(action)
        row, column = divmod(cell, shape.width)
        return f"{row + 1},{column + 1} {WAYS[way]}"

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """Keys for row and column of the block's upper left cell, and the direction."""
        keyed = way_keys(shape.height, shape.width)
        return {keys: at_cell(cell, way) for keys, cell, way in keyed}


CODEC = _BoxCodec()

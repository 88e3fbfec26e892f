"""Planes and actions of a grid: writing heights into cells.

Numbering follows the largest grid of the set, of n rows: n heights per cell, and n clues.
"""

from __future__ import annotations

from puzzle_envs.codec import Codec, Places, Shape
from puzzle_envs.rendering.keys import cell_keys

SIDES = ("top", "bottom", "left", "right")

GRID, GIVEN, HEIGHTS = range(3)
"""The planes; from HEIGHTS on one per height, then one per clue for each side."""


def clue_plane(largest: int, side: int, clue: int) -> int:
    """The plane of a clue, from 1 up, at one of the SIDES."""
    return HEIGHTS + largest * (1 + side) + clue - 1


def plane_count(largest: int) -> int:
    """Number of planes."""
    return clue_plane(largest, len(SIDES), 1)


def writing(largest: int, place: int, height: int) -> int:
    """The action that writes a height, from 1, at a place in reading order of the largest grid."""
    return place * largest + height - 1


def place_and_height(largest: int, action: int) -> tuple[int, int]:
    """The inverse of `writing`, except that the height counts from 0."""
    return action // largest, action % largest


class _GridCodec(Codec):
    """A height for each cell."""

    numbers = HEIGHTS

    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The grid, the givens, the heights, and the clues of each side."""
        heights = range(1, shape.width + 1)
        clues = [f"clue {clue} at the {side}" for side in SIDES for clue in heights]
        return ("grid", "given", *(f"height {height}" for height in heights), *clues)

    def places(self, shape: Shape) -> Places:
        """The cell, and the height less one; none off the grid."""
        if shape.actions != shape.height**3 or shape.height != shape.width:
            return []
        return [place_and_height(shape.width, action) for action in range(shape.actions)]

    def action_text(self, action: int, shape: Shape) -> str:
        """Row and column, from 1, and the height."""
        place, height = place_and_height(shape.width, action)
        row, column = divmod(place, shape.width)
        return f"{row + 1},{column + 1}={height + 1}"

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """Keys for the row and column of a cell, and the height."""
        return {
            keys + str(height): writing(shape.width, place, height)
            for keys, place in cell_keys(shape.height, shape.width)
            for height in range(1, min(shape.width, 9) + 1)
        }


CODEC = _GridCodec()

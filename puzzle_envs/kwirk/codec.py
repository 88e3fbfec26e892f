"""Planes and actions of a floor, which is played by the paper's pushes or by the game's keys."""

from __future__ import annotations

from puzzle_envs.codec import Codec, Places, Shape, at_cell, cell_and_way, four_a_cell
from puzzle_envs.rendering.keys import way_keys

__all__ = [
    "ARM",
    "BLOCK",
    "CHARACTER",
    "EXIT",
    "GOES_DOWN",
    "GOES_RIGHT",
    "GROUND",
    "HOLE",
    "KEYS",
    "PIVOT",
    "PLANES",
    "PUSHES",
    "STEPS",
    "SWITCH",
    "aside_of",
    "aside_to",
    "is_push",
]

PLANES = (
    "ground",
    "exit",
    "hole",
    "block",
    "block goes on to the right",
    "block goes on below",
    "pivot",
    "arm lying up",
    "arm lying right",
    "arm lying down",
    "arm lying left",
    "active character",
    "next character",
    "third character",
    "fourth character",
)
GROUND, EXIT, HOLE, BLOCK, GOES_RIGHT, GOES_DOWN, PIVOT, ARM = range(8)
CHARACTER = 11
"""Four planes of arms, by the way they lie, and four of characters, the active one first and then
in switching order."""

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Rows and columns to the cell above, on the right, below, on the left."""
WAYS = ("up", "right", "down", "left")
SWITCH = len(WAYS)
"""The key behind the four ways: the next character's turn."""


def is_push(plane: int, action: int) -> bool:
    """Whether an action is a push, one of four for each of so many cells; it is at_cell's."""
    return action < 4 * plane


def aside_to(plane: int, who: int, cell: int) -> int:
    """The action of a character who walks aside to a cell."""
    return (4 + who) * plane + cell


def aside_of(plane: int, action: int) -> tuple[int, int]:
    """The way back: the character and the cell."""
    return action // plane - 4, action % plane


class _FloorCodec(Codec):
    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The same for every size."""
        return PLANES


class _Pushes(_FloorCodec):
    """Pushes from a cell in a direction, then for each character the cells to walk to."""

    counts = ("pushes", "steps")

    def places(self, shape: Shape) -> Places:
        """The cell to push from, or to walk to."""
        cells = shape.height * shape.width
        asides = (aside_of(cells, action) for action in range(4 * cells, shape.actions))
        return [
            *four_a_cell(shape.height, shape.width),
            *((cell, 4 + who) for who, cell in asides),
        ]

    def action_text(self, action: int, shape: Shape) -> str:
        """A row and a column, from 1, and the push from there or who walks there."""
        cells = shape.height * shape.width
        if is_push(cells, action):
            cell, way = cell_and_way(action)
            what = WAYS[way]
        else:
            who, cell = aside_of(cells, action)
            what = f"{who + 1} aside"
        row, column = divmod(cell, shape.width)
        return f"{row + 1},{column + 1} {what}"

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """The row and the column of a cell, and where to push."""
        keyed = way_keys(shape.height, shape.width)
        return {keys: at_cell(cell, way) for keys, cell, way in keyed}


class _Keys(_FloorCodec):
    """The game's own keys: the four ways, and switching."""

    counts = ("steps", "pushes")

    def action_text(self, action: int, shape: Shape) -> str:
        """The key."""
        return (*WAYS, "switch")[action]

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """The arrows and Tab."""
        return {**{arrow: way for way, arrow in enumerate("↑→↓←")}, "\t": SWITCH}


PUSHES, KEYS = _Pushes(), _Keys()

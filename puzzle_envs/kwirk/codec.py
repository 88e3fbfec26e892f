"""Planes and actions of a floor, played by the paper's pushes or by the game's keys."""

from __future__ import annotations

from puzzle_envs.codec import Codec, Places, Shape, at_cell, cell_and_way, four_a_cell
from puzzle_envs.rendering.keys import way_keys

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
"""Four planes for arms, by direction, and four for characters, the active one first, in switching
order."""

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Row and column offsets: up, right, down, left."""
WAYS = ("up", "right", "down", "left")
SWITCH = len(WAYS)
"""The key after the four directions: switch to the next character."""


def is_push(plane: int, action: int) -> bool:
    """Whether an action is a push; there are four per cell, numbered by at_cell."""
    return action < 4 * plane


def aside_to(plane: int, who: int, cell: int) -> int:
    """The action of a character walking aside to a cell."""
    return (4 + who) * plane + cell


def aside_of(plane: int, action: int) -> tuple[int, int]:
    """The inverse of `aside_to`: the character and the cell."""
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
        """Row and column, from 1, and the push from there or the character that walks there."""
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
        """Keys for the row and column of a cell, and the direction of the push."""
        keyed = way_keys(shape.height, shape.width)
        return {keys: at_cell(cell, way) for keys, cell, way in keyed}


class _Keys(_FloorCodec):
    """The original game's keys: four directions, and switching."""

    counts = ("steps", "pushes")

    def action_text(self, action: int, shape: Shape) -> str:
        """The key."""
        return (*WAYS, "switch")[action]

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """The arrows and Tab."""
        return {**{arrow: way for way, arrow in enumerate("↑→↓←")}, "\t": SWITCH}


PUSHES, KEYS = _Pushes(), _Keys()

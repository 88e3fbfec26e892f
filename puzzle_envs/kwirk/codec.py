"""Planes, actions and symmetric views of a floor, played by pushes or by the game's keys."""

from __future__ import annotations

import numpy as np

from puzzle_envs.codec import Codec, Places, Shape, View, at_cell, cell_and_way, four_a_cell
from puzzle_envs.rendering.keys import way_keys
from puzzle_envs.symmetry import Symmetry, symmetries

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

    def views(self, shape: Shape) -> list[View]:
        """The eight symmetric views of a square floor, and the four of others."""
        return [self._seen(shape, one) for one in symmetries(shape.height, shape.width)]

    def _seen(self, shape: Shape, symmetry: Symmetry) -> View:
        cells, ways = symmetry.cells(shape.height, shape.width), symmetry.ways
        numbers = np.arange(len(PLANES) * cells.size).reshape(-1, shape.height, shape.width)
        seen = numbers.reshape(-1, cells.size).copy()
        for plane, own in enumerate(numbers.reshape(-1, cells.size)):
            if plane not in (GOES_RIGHT, GOES_DOWN):
                seen[ARM + ways[plane - ARM] if ARM <= plane < ARM + 4 else plane, cells] = own
        across, below = (GOES_DOWN, GOES_RIGHT) if symmetry.turned else (GOES_RIGHT, GOES_DOWN)
        there = cells.reshape(shape.height, shape.width)
        seen[across, np.minimum(there[:, :-1], there[:, 1:])] = numbers[GOES_RIGHT, :, :-1]
        seen[below, np.minimum(there[:-1], there[1:])] = numbers[GOES_DOWN, :-1]
        places = {place: number for number, place in enumerate(self.places(shape))}
        return View(
            seen.ravel(),
            np.array(
                [
                    places[
                        int(cells[cell]) if cell >= 0 else cell,
                        ways[kind] if kind < len(ways) else kind,
                    ]
                    for cell, kind in places
                ]
            ),
        )


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

"""Planes and actions of a garden, and its symmetric views."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase, digits
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import WHOLE_BOARD, Codec, Places, Shape, View
from puzzle_envs.symmetry import Symmetry, symmetries

Cell = tuple[int, int]

PLANES = (
    "garden",
    "sand to rake",
    "rock",
    "ornament",
    "yellow leaf",
    "orange leaf",
    "red leaf",
    "monk heading north",
    "monk heading east",
    "monk heading south",
    "monk heading west",
)
GARDEN, SAND, ROCK, ORNAMENT, LEAVES = range(5)
MONK = 7
"""Planes: three colours of leaves before, and one per heading of the monk."""

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Row and column offsets: north, east, south, west."""

CHOICES = ("push", "left", "right")
"""The actions on sand, in their order after the faces."""
TURNS = (0, -1, 1)
"""The turn of each choice, added to the heading."""


def choosing(faces: int, choice: int) -> int:
    """The action of a choice on sand, numbered after the faces."""
    return faces + choice


def choice_of(faces: int, action: int) -> int:
    """The inverse of `choosing`; for other actions, a number that is no choice."""
    return action - faces


class Face(NamedTuple):
    """A way into a garden: the cell behind it, and the heading of entry."""

    cell: Cell
    heading: int

    @property
    def before(self) -> Cell:
        """The cell of the path in front of it."""
        down, right = STEPS[self.heading]
        return self.cell[0] - down, self.cell[1] - right


@lru_cache(maxsize=64)
def faces_of(height: int, width: int) -> tuple[Face, ...]:
    """The faces in the order of their actions: clockwise from the upper left cell's north face."""
    return (
        *(Face((0, column), SOUTH) for column in range(width)),
        *(Face((row, width - 1), WEST) for row in range(height)),
        *(Face((height - 1, column), NORTH) for column in reversed(range(width))),
        *(Face((row, 0), EAST) for row in reversed(range(height))),
    )


class _GardenCodec(Codec):
    """Faces, then the choices on sand."""

    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The same for every size."""
        return PLANES

    def places(self, shape: Shape) -> Places:
        """The cell behind each face, and its side; the choices on sand have no place.

        Sets of boards that are wide or high, but not both, have fewer faces.
        """
        faces = [
            (row * shape.width + column, (heading + 2) % 4)
            for (row, column), heading in faces_of(shape.height, shape.width)
        ]
        del faces[max(shape.actions - len(CHOICES), 0) :]
        return [*faces, *((WHOLE_BOARD, choice) for choice in range(len(CHOICES)))]

    def numbers_in(self, room: Shape, shape: Shape) -> npt.NDArray[np.intp]:
        """Faces are counted along the garden's own perimeter; choices come after the room's."""
        choices = len(CHOICES)
        faces, last = np.arange(shape.actions - choices), np.arange(-choices, 0)
        return np.concatenate([faces, room.actions + last])

    def views(self, shape: Shape) -> list[View]:
        """The eight symmetric views of gardens that fill a square; only the usual one of others."""
        if shape.height != shape.width or shape.actions != 4 * shape.width + len(CHOICES):
            return super().views(shape)
        return [self._seen(shape, one) for one in symmetries(shape.height, shape.width)]

    def _seen(self, shape: Shape, symmetry: Symmetry) -> View:
        cells, headings = symmetry.cells(shape.height, shape.width), symmetry.ways
        from_plane = np.arange(len(PLANES))
        from_plane[MONK + np.array(headings)] = MONK + np.arange(len(headings))
        from_cell = np.empty(cells.size, np.intp)
        from_cell[cells] = np.arange(cells.size)
        seen_planes = (from_plane[:, None] * cells.size + from_cell).ravel()

        own = self.places(shape)
        numbers = {place: number for number, place in enumerate(own)}
        straight, left, right = range(len(CHOICES))
        sides = {straight: straight, left: right, right: left} if symmetry.is_odd else {}
        changed = [
            numbers[
                (int(cells[cell]), headings[kind]) if cell >= 0 else (-1, sides.get(kind, kind))
            ]
            for cell, kind in own
        ]
        return View(seen_planes, np.array(changed))

    def action_text(self, action: int, shape: Shape) -> str:
        """The face, counted from 1, or the choice on sand."""
        choice = choice_of(shape.actions - len(CHOICES), action)
        return str(action + 1) if choice < 0 else CHOICES[choice]

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """Letters and digits for faces, as far as they go, and arrows for the choices."""
        faces = shape.actions - len(CHOICES)
        keys = dict(zip(ascii_lowercase + digits, range(faces), strict=False))
        return keys | {arrow: choosing(faces, choice) for choice, arrow in enumerate("↑←→")}


CODEC = _GardenCodec()

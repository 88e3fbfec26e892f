"""Boards turned and mirrored: where a network is wrong about one view, it may be right in another.

A garden stays the same puzzle from all eight sides, but a network has learned each side by itself.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.learning.actions import places_of
from puzzle_envs.level import Shape

__all__ = ["View", "views_of"]

HEADINGS = 4
"""The last planes of a garden: where the monk stands, one plane for each heading."""


class View(NamedTuple):
    """How a board is seen from another side."""

    planes: npt.NDArray[np.intp]
    """For each number of the planes seen, laid flat: which one of the board it is."""
    actions: npt.NDArray[np.intp]
    """For each action of the board: which one it is as seen."""


def views_of(puzzle: str, planes: int, shape: Shape) -> list[View]:
    """All sides of boards that fill this shape, the usual one first."""
    usual = View(np.arange(planes * shape.height * shape.width), np.arange(shape.actions))
    if puzzle != "zen_garden" or shape != (4 * shape.width + 3, shape.width, shape.width):
        return [usual]
    others = list(product((False, True), repeat=3))[1:]
    return [usual, *(_garden(planes, shape, *other) for other in others)]


def _garden(planes: int, shape: Shape, turned: bool, upside: bool, mirrored: bool) -> View:
    """A square garden with rows and columns exchanged, and then flipped."""
    size = shape.height
    row, column = np.divmod(np.arange(size * size), size)
    row, column = (column, row) if turned else (row, column)
    row = size - 1 - row if upside else row
    column = size - 1 - column if mirrored else column
    cells = row * size + column

    north, east, south, west = 0, 1, 2, 3
    headings = [west, south, east, north] if turned else [north, east, south, west]
    swapped = {north: south, south: north} if upside else {}
    swapped |= {east: west, west: east} if mirrored else {}
    headings = [swapped.get(heading, heading) for heading in headings]

    from_plane = np.arange(planes)
    from_plane[planes - HEADINGS + np.array(headings)] = planes - HEADINGS + np.arange(HEADINGS)
    from_cell = np.empty(size * size, np.intp)
    from_cell[cells] = np.arange(size * size)
    seen_planes = (from_plane[:, None] * size * size + from_cell).ravel()

    places = places_of("zen_garden", shape.actions, size, size)
    numbers = {place: number for number, place in enumerate(places)}
    straight, left, right = 0, 1, 2
    odd = turned ^ upside ^ mirrored  # a mirror image: left is right in it
    sides = {straight: straight, left: right, right: left} if odd else {}
    actions = [
        numbers[(int(cells[cell]), headings[kind]) if cell >= 0 else (-1, sides.get(kind, kind))]
        for cell, kind in places
    ]
    return View(seen_planes, np.array(actions))

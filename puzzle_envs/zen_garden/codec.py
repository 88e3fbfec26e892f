"""Where the actions of a garden take place, and how it is seen from its eight sides."""

from __future__ import annotations

from itertools import product

import numpy as np

from puzzle_envs.codec import WHOLE_BOARD, Places, View, usual_view

__all__ = ["places", "views"]

HEADINGS = 4
"""The last planes: where the monk stands, one plane for each heading."""
CHOICES = 3
"""The last actions: straight on, left, right."""


def places(actions: int, height: int, width: int) -> Places:
    """Faces clockwise from the upper-left cell's north face; then the choices on sand.

    Where boards are wide or high but none is both, there are fewer faces.
    """
    north = [(column, 0) for column in range(width)]
    east = [(row * width + width - 1, 1) for row in range(height)]
    south = [((height - 1) * width + column, 2) for column in reversed(range(width))]
    west = [(row * width, 3) for row in reversed(range(height))]
    faces = [*north, *east, *south, *west][: max(actions - CHOICES, 0)]
    return [*faces, *((WHOLE_BOARD, choice) for choice in range(CHOICES))]


def views(planes: int, actions: int, height: int, width: int) -> list[View]:
    """All sides of gardens that fill a square, the usual one first; that one alone elsewhere.

    A garden stays the same puzzle from all eight sides.
    """
    usual = usual_view(planes, height * width, actions)
    if height != width or actions != 4 * width + CHOICES:
        return [usual]
    others = list(product((False, True), repeat=3))[1:]
    return [usual, *(_seen(planes, actions, width, *other) for other in others)]


def _seen(planes: int, actions: int, size: int, turned: bool, upside: bool, mirrored: bool) -> View:
    """A square garden with rows and columns exchanged, and then flipped."""
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

    own = places(actions, size, size)
    numbers = {place: number for number, place in enumerate(own)}
    straight, left, right = 0, 1, 2
    odd = turned ^ upside ^ mirrored  # a mirror image: left is right in it
    sides = {straight: straight, left: right, right: left} if odd else {}
    changed = [
        numbers[(int(cells[cell]), headings[kind]) if cell >= 0 else (-1, sides.get(kind, kind))]
        for cell, kind in own
    ]
    return View(seen_planes, np.array(changed))

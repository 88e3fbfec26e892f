"""Where on the board each action of a puzzle takes place, for networks that read it there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["Places", "places_of"]

Places = Sequence[tuple[int, int]]
"""For each action its cell and which action of that cell it is; cell -1: the board as a whole."""


def places_of(puzzle: str, actions: int, height: int, width: int) -> Places:
    """The places of a puzzle's actions on a board of this size.

    They are not as many as the actions where no board of this size has so many.
    """
    return PLACES.get(puzzle, _whole_board)(actions, height, width)


def _whole_board(actions: int, height: int, width: int) -> Places:
    return [(-1, action) for action in range(actions)]


def _zen_garden(actions: int, height: int, width: int) -> Places:
    """Faces clockwise from the upper-left cell's north face; then the choices on sand.

    Where boards are wide or high but none is both, there are fewer faces.
    """
    north = [(column, 0) for column in range(width)]
    east = [(row * width + width - 1, 1) for row in range(height)]
    south = [((height - 1) * width + column, 2) for column in reversed(range(width))]
    west = [(row * width, 3) for row in reversed(range(height))]
    faces = [*north, *east, *south, *west][: max(actions - 3, 0)]
    return [*faces, (-1, 0), (-1, 1), (-1, 2)]


def _four_a_cell(actions: int, height: int, width: int) -> Places:
    """Four directions for each cell."""
    return [divmod(action, 4) for action in range(4 * height * width)]


def _kwirk(actions: int, height: int, width: int) -> Places:
    """Pushes as above, then for each character the cells to walk to; or keys."""
    cells = height * width
    if actions < 4 * cells:
        return _whole_board(actions, height, width)
    asides = [(place % cells, 4 + place // cells) for place in range(actions - 4 * cells)]
    return [*_four_a_cell(actions, height, width), *asides]


def _skyscraper(actions: int, height: int, width: int) -> Places:
    """A height for each cell; none on what is no grid."""
    if actions != height**3 or height != width:
        return []
    return [divmod(action, width) for action in range(actions)]


PLACES: dict[str, Callable[[int, int, int], Places]] = {
    "zen_garden": _zen_garden,
    "hua_rong_dao": _four_a_cell,
    "kwirk": _kwirk,
    "skyscraper": _skyscraper,
}
"""By the folder's name. A puzzle that is not here has its actions read from the whole board."""

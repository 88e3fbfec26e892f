"""The picture of Zen Puzzle Garden: raked sand, obstacles, leaves and the monk."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.picture import Painting, Planes, cropped
from puzzle_envs.rendering.theme import LIGHT, Theme
from puzzle_envs.zen_garden.codec import (
    CHOICES,
    GARDEN,
    MONK,
    ORNAMENT,
    PLANES,
    ROCK,
    SAND,
    TURNS,
    Cell,
    choice_of,
    faces_of,
)
from puzzle_envs.zen_garden.picture import tiles
from puzzle_envs.zen_garden.picture.ground import (
    ACROSS,
    BEGUN,
    BENDS,
    EAST,
    NEUTRAL,
    NORTH,
    SOUTH,
    UPRIGHT,
    WEST,
)
from puzzle_envs.zen_garden.picture.ground import UNRAKED as NO_TRAIL
from puzzle_envs.zen_garden.picture.monk import monk
from puzzle_envs.zen_garden.picture.motion import Motion
from puzzle_envs.zen_garden.picture.scene import Scene, beyond

# The corner of the cell that a bend turns around, by the two sides that it joins.
_CORNERS = {(NORTH, WEST): 0, (NORTH, EAST): 1, (EAST, SOUTH): 2, (SOUTH, WEST): 3}

_MONK_CHARACTERS = "^>v<"
_THING_CHARACTERS = "#Byor"
_BEND_CHARACTERS = "/\\/\\"
_TRAIL_CHARACTERS = {
    NO_TRAIL: ".",
    NEUTRAL: "x",
    ACROSS: "-",
    UPRIGHT: "|",
    **dict(zip(BENDS, _BEND_CHARACTERS, strict=True)),
}
_PATH_CHARACTER = ":"


class Picture(Painting):
    """The picture of one garden, with the trails of the rake.

    Sand that was raked before the picture began shows waves instead of a trail.
    """

    def __init__(self, actions: int, theme: Theme = LIGHT) -> None:
        """Create an empty picture.

        Args:
            actions: Number of actions.
            theme: Theme of the picture.
        """
        self._theme = theme
        self._faces = actions - len(CHOICES)
        one_cell = np.zeros((len(PLANES), 1, 1), np.uint8)
        one_cell[[GARDEN, SAND]] = 1
        self.begin(one_cell)

    def begin(self, planes: Planes) -> None:
        """Start an episode, or show a state set from outside, without trails.

        The monk waits at the lower left corner, unless the planes have him on the sand.
        """
        planes = cropped(planes)
        height, width = planes.shape[1:]
        bare = planes[SAND] | planes[ROCK] | planes[ORNAMENT]
        trails = np.where(bare, NO_TRAIL, NEUTRAL).astype(np.uint8)
        place: Cell = (height, -1)
        heading = SOUTH
        standing = np.argwhere(planes[MONK:])
        if len(standing):
            heading, row, column = (int(number) for number in standing[0])
            place = (row, column)
            trails[place] = BEGUN[heading]
        self._now = Scene(planes, trails, place, heading, on_sand=len(standing) > 0)
        self._board = tiles.empty_board(height, width, planes[ROCK])
        self._rest()

    def _rest(self) -> None:
        """Clear the animation."""
        self._before, self._start, self._heading = self._now, self._now.monk, self._now.heading

    def follow(self, action: int, planes: Planes) -> None:
        """Follow one step: the action, and the planes after it.

        Planes that the action does not lead to are taken as a state set from outside.
        """
        planes = cropped(planes)
        if np.array_equal(planes, self._now.planes):
            self._rest()
            return
        before = self._now
        way = self._way(int(action))
        if way is None or not np.array_equal(planes[ROCK], before.planes[ROCK]):
            self.begin(planes)
            return
        after = _raked(before, planes, *way)
        if after is None:
            self.begin(planes)
            return
        self._before, self._now = before, after
        self._start, self._heading = way

    def _way(self, action: int) -> tuple[Cell, int] | None:
        """The start of an action and its heading; None if it is meaningless."""
        now = self._now
        height, width = now.planes.shape[1:]
        if not now.on_sand:
            faces = faces_of(height, width)
            if not 0 <= action < len(faces):
                return None
            return faces[action].before, faces[action].heading
        choice = choice_of(self._faces, action)
        return (now.monk, (now.heading + TURNS[choice]) % 4) if 0 <= choice < len(TURNS) else None

    def _paint(self, cell: int) -> Pixels:
        now = self._now
        picture = tiles.atlas(cell, self._theme).picture(now.codes(self._board))
        row, column = now.monk
        monk(cell, now.heading, now.pose()).lay_on(picture, (row + 1) * cell, (column + 1) * cell)
        return picture

    def size(self, cell: int) -> tuple[int, int]:
        """Height and width of `paint(cell)` in pixels."""
        height, width = self._board.shape
        return height * cell, width * cell

    def _motion(self, cell: int) -> Callable[[float], Pixels] | None:
        if self._before is self._now:
            return None
        return Motion(
            cell, self._theme, self._before, self._now, self._start, self._heading, self._board
        ).paint

    def text(self) -> str:
        r"""The state as text, in the format of a level, with `:` for the path around it.

        Raked sand is `-`, `|`, `/` or `\` along the trail, or `x` without one; the monk is one of
        `^>v<`.
        """
        now = self._now
        height, width = now.planes.shape[1:]
        lines = [[_PATH_CHARACTER] * (width + 2) for _ in range(height + 2)]
        for row, column in np.ndindex(height, width):
            things = np.flatnonzero(now.planes[ROCK:MONK, row, column])
            lines[row + 1][column + 1] = (
                _THING_CHARACTERS[things[0]]
                if len(things)
                else _TRAIL_CHARACTERS.get(int(now.trails[row, column]), ".")
            )
        row, column = now.monk
        lines[row + 1][column + 1] = _MONK_CHARACTERS[now.heading]
        return "\n".join("".join(line) for line in lines)


def _trail(entered: int, left: int) -> int:
    """The trail through a cell entered and left with these headings."""
    if entered == left:
        return ACROSS if entered in (EAST, WEST) else UPRIGHT
    sides = sorted(((entered + 2) % 4, left))
    return BENDS[_CORNERS[sides[0], sides[1]]]


def _raked(before: Scene, planes: Planes, start: Cell, heading: int) -> Scene | None:
    """The scene after a walk in a direction; None if it does not lead to these planes."""
    trails = before.trails.copy()
    if before.on_sand:
        trails[start] = _trail(before.heading, heading)
    cell = beyond(start, heading)
    while before.contains(cell) and not planes[(MONK + heading, *cell)]:
        if planes[(SAND, *cell)]:
            return None
        trails[cell] = _trail(heading, heading)
        cell = beyond(cell, heading)
    stands = bool(planes[MONK:].any())
    if stands != before.contains(cell):
        return None
    if stands:
        trails[cell] = BEGUN[heading]
    # On the path he turns around to face the garden.
    return Scene(planes, trails, cell, heading if stands else (heading + 2) % 4, stands)

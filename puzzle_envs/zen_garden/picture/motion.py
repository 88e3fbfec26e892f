"""The animation of a step: the monk strolls to an entrance, walks, and rakes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.theme import Theme
from puzzle_envs.zen_garden.codec import LEAVES, MONK, ORNAMENT, STEPS, Cell
from puzzle_envs.zen_garden.picture import tiles
from puzzle_envs.zen_garden.picture.monk import RAKING, RESTING, monk
from puzzle_envs.zen_garden.picture.scene import Scene, beyond
from puzzle_envs.zen_garden.picture.things import lantern

Place = tuple[float, float]

# Duration of a cell of the path, relative to a cell of sand.
_STROLL = 0.35
# Height of bobbing while walking, in cells.
_BOB = 0.035


class Motion:
    """The animation from one scene to the next, along a straight line of cells."""

    def __init__(
        self,
        cell: int,
        theme: Theme,
        before: Scene,
        after: Scene,
        start: Cell,
        heading: int,
        board: NDArray[np.int32],
    ) -> None:
        """Prepare the animation of the step from `before` to `after`.

        Args:
            cell: Size of a cell in pixels.
            theme: Theme of the picture.
            before: The scene before the step.
            after: The scene after the step.
            start: The monk's cell of sand, or the cell of the path he entered from.
            heading: His direction.
            board: The codes of the empty board.
        """
        self._cell, self._theme, self._board = cell, theme, board
        self._before, self._start, self._heading = before, start, heading
        height, width = after.planes.shape[1:]
        self._stroll = [start] if before.on_sand else _way_around(before.monk, start, height, width)
        self._strolling = _STROLL * (len(self._stroll) - 1)
        # Duration in units of one cell of sand.
        cells = abs(after.monk[0] - start[0]) + abs(after.monk[1] - start[1])
        self._length = self._strolling + cells
        first = beyond(start, heading)
        pushes = before.contains(first) and before.planes[(ORNAMENT, *first)] > 0
        self._pushed = first if pushes else None
        if pushes:
            after = _without_ornament(after, beyond(first, heading))
        self._raked = self._picture(after)

    def paint(self, share: float) -> Pixels:
        """Draw the picture at a time from 0 to 1."""
        gentle = share * share * (3 - 2 * share)
        time = (share + gentle) / 2 * self._length
        if time < self._strolling:
            return self._paint_stroll(time / _STROLL)
        return self._paint_raking(time - self._strolling)

    def _paint_stroll(self, steps: float) -> Pixels:
        number = int(steps)
        here, there = self._stroll[number : number + 2]
        heading = next(way for way in range(len(STEPS)) if beyond(here, way) == there)
        picture = self._picture(self._before)
        self._lay_monk(picture, _along(here, heading, steps - number), heading, RESTING)
        return picture

    def _paint_raking(self, distance: float) -> Pixels:
        place = _along(self._start, self._heading, distance)
        picture = self._picture(self._on_the_way(distance))
        trail = self._behind(place)
        picture[trail] = self._raked[trail]
        if self._pushed is not None:
            ornament = _along(self._pushed, self._heading, distance)
            lantern(self._cell).lay_on(picture, *self._corner(ornament))
        self._lay_monk(picture, place, self._heading, RAKING)
        return picture

    def _picture(self, scene: Scene) -> Pixels:
        """Draw a scene without the monk."""
        return tiles.atlas(self._cell, self._theme).picture(scene.codes(self._board))

    def _on_the_way(self, distance: float) -> Scene:
        """The scene before the step, without the leaves already reached and the ornament pushed."""
        scene = replace(self._before, planes=self._before.planes.copy())
        reached = self._start
        for _ in range(round(distance)):
            reached = beyond(reached, self._heading)
            if scene.contains(reached):
                scene.planes[(slice(LEAVES, MONK), *reached)] = 0
        return scene if self._pushed is None else _without_ornament(scene, self._pushed)

    def _behind(self, place: Place) -> tuple[slice, slice]:
        """The pixels from his start to the rake, half a cell behind him."""
        now, start = self._corner(place), self._corner(self._start)
        rows, columns = (
            slice(now[axis], now[axis] + self._cell)
            if step == 0
            else _stretch(start[axis], now[axis], self._cell if step < 0 else 0)
            for axis, step in enumerate(STEPS[self._heading])
        )
        return rows, columns

    def _lay_monk(self, picture: Pixels, place: Place, heading: int, pose: int) -> None:
        top, left = self._corner(place)
        bob = _BOB * abs(np.sin(np.pi * (place[0] + place[1])))
        figure = monk(self._cell, heading, pose)
        figure.lay_on(picture, top - round(bob * self._cell), left)

    def _corner(self, place: Place) -> tuple[int, int]:
        """The upper left pixel of a place; the path is one cell wide."""
        return round((place[0] + 1) * self._cell), round((place[1] + 1) * self._cell)


def _stretch(start: int, end: int, shift: int) -> slice:
    return slice(min(start, end) + shift, max(start, end) + shift)


def _along(start: Cell, heading: int, distance: float) -> Place:
    down, right = STEPS[heading]
    return start[0] + distance * down, start[1] + distance * right


def _without_ornament(scene: Scene, cell: Cell) -> Scene:
    planes = scene.planes.copy()
    planes[(ORNAMENT, *cell)] = 0
    return replace(scene, planes=planes)


def _way_around(start: Cell, end: Cell, height: int, width: int) -> list[Cell]:
    """The cells of the path from one to another, along the shorter way."""
    ring = (
        [(-1, column) for column in range(-1, width)]
        + [(row, width) for row in range(-1, height)]
        + [(height, column) for column in range(width, -1, -1)]
        + [(row, -1) for row in range(height, -1, -1)]
    )
    at = ring.index(start)
    clockwise = ring[at:] + ring[:at]
    steps = clockwise.index(end)
    if 2 * steps <= len(ring):
        return clockwise[: steps + 1]
    return [clockwise[0], *reversed(clockwise[steps:])]

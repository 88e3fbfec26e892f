"""The picture of Kwirk: vegetables between brick walls, with slabs and turnstiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from puzzle_envs.kwirk.codec import GROUND, PLANES
from puzzle_envs.kwirk.picture import figures
from puzzle_envs.kwirk.picture.motion import Motion
from puzzle_envs.kwirk.picture.scene import Scene, board_of, places_of_characters
from puzzle_envs.kwirk.picture.steps import Deed, Step, recognized, step_between
from puzzle_envs.kwirk.picture.text import text
from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.picture import Painting, Planes
from puzzle_envs.rendering.theme import LIGHT, Theme


class Picture(Painting):
    """The picture of one level, padded with walls to the largest level of the set.

    The planes do not identify the characters: the picture numbers them, starting from the one
    active at the beginning.
    """

    def __init__(self, actions: int, theme: Theme = LIGHT) -> None:
        """Create a picture of one cell of floor.

        Args:
            actions: Number of actions, which determines what an action means.
            theme: Theme of the picture.
        """
        self._theme = theme
        self._actions = actions
        one_cell = np.zeros((len(PLANES), 1, 1), np.uint8)
        one_cell[GROUND] = 1
        self.begin(one_cell)

    def begin(self, planes: Planes) -> None:
        """Start an episode, or show a state set from outside."""
        self._now = Scene.begun(planes)
        self._step: Step | None = None

    def follow(self, action: int, planes: Planes) -> None:
        """Follow one step: the action, and the planes after it.

        Planes that the action does not lead to are taken as a state set from outside.
        """
        before, self._step = self._now, None
        board, places = board_of(planes), places_of_characters(planes)
        if np.array_equal(board, before.board) and places == [
            who.place for who in before.characters
        ]:
            return
        who_is_where = recognized(before.characters, places)
        if who_is_where is not None:
            after = Scene(board, who_is_where)
            deed = Deed.of(int(action), self._actions, after.size)
            self._step = step_between(before, after, deed)
        if self._step is None:
            self.begin(planes)
            return
        self._now = after if self._step.leaves else replace(after, heading=deed.direction)

    def _paint(self, cell: int) -> Pixels:
        return figures.picture(cell, self._theme, self._now)

    def size(self, cell: int) -> tuple[int, int]:
        """Height and width of `paint(cell)` in pixels."""
        height, width = self._now.size
        return height * cell, width * cell

    def _motion(self, cell: int) -> Callable[[float], Pixels] | None:
        walk = self._step.walk() if self._step else None
        if self._step is None or walk is None:
            return None
        return Motion(cell, self._theme, self._step, walk, self._now).paint

    def text(self) -> str:
        """The state as text, in the format of a level.

        `#` wall, `O` hole, `%` exit, `1` to `4` characters, a letter for each block in the order
        of their upper left cells, `*` pivot, and `^` `>` backtick `<` arms that lie up, right,
        down, left of it. A first line `; active: 2` gives the active character, if it is not the
        first of those still there; lines `HOLE_UNDER x y` mark the holes under blocks and arms,
        column and row from 0. Of the wall on the right and below, only one column and one row
        are included.
        """
        return text(self._now)

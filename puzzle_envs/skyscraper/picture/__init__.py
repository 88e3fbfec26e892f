"""The picture of Skyscraper: a small town in oblique view from the south."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.picture import Painting, Planes
from puzzle_envs.rendering.theme import LIGHT, Theme
from puzzle_envs.skyscraper.codec import GRID, plane_count
from puzzle_envs.skyscraper.picture.scene import BOTTOM, LEFT, RIGHT, TOP, Scene
from puzzle_envs.skyscraper.picture.town import Floors, Town

_CHARACTERS = ".123456789ABCDEFG"


class Picture(Painting):
    """The picture of one grid.

    It is drawn from the planes; the previous ones are kept to animate the last step.
    """

    def __init__(self, actions: int, theme: Theme = LIGHT) -> None:
        """Create a picture of one empty cell.

        Args:
            actions: Number of actions: the cube of the largest grid's size.
            theme: Theme of the picture.
        """
        self._theme = theme
        largest = round(actions ** (1 / 3))
        planes = np.zeros((plane_count(largest), largest, largest), np.uint8)
        planes[GRID, 0, 0] = 1
        self._town: Town | None = None
        self.begin(planes)

    def begin(self, planes: Planes) -> None:
        """Start an episode, or show a state set from outside."""
        self._before = self._now = Scene.of(planes)

    def follow(self, action: int, planes: Planes) -> None:
        """Follow one step: the planes after it.

        Planes that no step leads to are taken as a state set from outside.
        """
        self._before, self._now = self._now, Scene.of(planes)

    def _paint(self, cell: int) -> Pixels:
        return self._picture(cell, self._now.values.astype(np.float64))

    def _picture(self, cell: int, floors: Floors) -> Pixels:
        """Draw the state with buildings of these numbers of storeys."""
        if self._town is None or (self._town.cell, self._town.size) != (cell, self._now.size):
            self._town = Town(cell, self._theme, self._now.size)
        return self._town.picture(self._now, floors)

    def size(self, cell: int) -> tuple[int, int]:
        """Height and width of `paint(cell)` in pixels."""
        side = (self._now.size + 2) * cell
        return side, side

    def _motion(self, cell: int) -> Callable[[float], Pixels] | None:
        built = self._now.built_since(self._before)
        if built is None:
            return None
        start, end = int(self._before.values[built]), int(self._now.values[built])

        def rising(share: float) -> Pixels:
            floors = self._now.values.astype(np.float64)
            floors[built] = start + (end - start) * share * share * (3 - 2 * share)
            return self._picture(cell, floors)

        return rising

    def text(self) -> str:
        """The state as text, in the format of a level.

        The clues stand around the grid, all in columns with a space between them; `.` is an empty
        cell or no clue, and letters from `A` to `G` are 10 to 16.
        """
        now = self._now
        top, bottom, left, right = (
            [_CHARACTERS[clue] for clue in now.clues[side]] for side in (TOP, BOTTOM, LEFT, RIGHT)
        )
        lines = [[" ", *top]]
        for first, row, last in zip(left, now.values, right, strict=True):
            lines.append([first, *(_CHARACTERS[value] for value in row), last])
        lines.append([" ", *bottom])
        return "\n".join(" ".join(line) for line in lines)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out cached drawings, so that copies are small."""
        return {**self.__dict__, "_town": None}

"""The picture of Hua Rong Dao: lacquered blocks in a wooden box, seen from above."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters, digits

import numpy as np

from puzzle_envs.hua_rong_dao.codec import BOX, PLANES
from puzzle_envs.hua_rong_dao.picture import blocks, tiles
from puzzle_envs.hua_rong_dao.picture.motion import Motion
from puzzle_envs.hua_rong_dao.picture.scene import Scene
from puzzle_envs.rendering.board import Rectangle
from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.picture import Painting, Planes, cropped
from puzzle_envs.rendering.theme import LIGHT, Theme

# Names of the blocks of the largest box; a level names at most 52.
_NAMES = ascii_letters + digits + "@"

# Characters of the 4 by 5 box, by height and width of the block.
_CLASSIC_SIZE, _CLASSIC_GOAL = (5, 4), Rectangle(3, 1, 2, 2)
_CLASSIC = {
    (1, 1): [["S"]],
    (2, 1): [["V"], ["^"]],
    (1, 2): [["H", "<"]],
    (2, 2): [["B", "*"], ["*", "*"]],
}


class Picture(Painting):
    """The picture of one box.

    It is drawn from the planes; the previous ones are kept to animate the last step.
    """

    def __init__(self, actions: int, theme: Theme = LIGHT) -> None:
        """Create a picture of an empty box of one cell.

        Args:
            actions: Number of actions; unused, since the planes show what was done.
            theme: Theme of the picture.
        """
        self._theme = theme
        one_cell = np.zeros((len(PLANES), 1, 1), np.uint8)
        one_cell[BOX] = 1
        self.begin(one_cell)

    def begin(self, planes: Planes) -> None:
        """Start an episode, or show a state set from outside."""
        self._before = self._now = cropped(planes)

    def follow(self, action: int, planes: Planes) -> None:
        """Follow one step: the planes after it.

        Planes that no step leads to are taken as a state set from outside.
        """
        self._before, self._now = self._now, cropped(planes)

    def _paint(self, cell: int) -> Pixels:
        scene = Scene(self._now)
        picture = tiles.picture(cell, self._theme, scene)
        if scene.goal and scene.solved:
            row, column, height, width = scene.goal
            blocks.glow(cell, width, height).lay_on(picture, *tiles.corner(cell, row, column))
        return picture

    def size(self, cell: int) -> tuple[int, int]:
        """Height and width of `paint(cell)` in pixels."""
        height, width = self._now.shape[1:]
        frame = 2 * tiles.frame_width(cell)
        return height * cell + frame, width * cell + frame

    def _motion(self, cell: int) -> Callable[[float], Pixels] | None:
        now = Scene(self._now)
        step = now.step_from(Scene(self._before))
        return None if step is None else Motion(cell, self._theme, now, *step).paint

    def text(self) -> str:
        """The state as text, in the format of a level.

        In the box of 4 by 5, with one 2x2 whose goal is the middle of the lower edge, and no other
        block of more than two cells, `S` is a 1x1, `V` over `^` an upright block, `H` left of `<` a
        flat one, `B` with three `*` the 2x2, and `.` an empty cell. In any other box each block has
        a letter, from `a` on in the order of their upper left cells; the first line gives the goal:
        the letter of the goal piece, and its destination, the row and the column (from 1) of its
        upper left cell.
        """
        scene = Scene(self._now)
        every, goal, goal_piece = scene.blocks(), scene.goal, scene.goal_piece
        sizes = [(block.height, block.width) for block in every if block != goal_piece]
        classic = (
            (scene.size, goal) == (_CLASSIC_SIZE, _CLASSIC_GOAL)
            and goal_piece is not None
            and set(sizes) <= {(1, 1), (1, 2), (2, 1)}
        )
        characters = np.full(scene.size, ".")
        lines = []
        for name, block in zip(_NAMES, every, strict=False):
            own = _CLASSIC[block.height, block.width] if classic else name
            characters[block.cells] = own
            if goal and block == goal_piece and not classic:
                lines.append(f"; goal: {name} {goal.row + 1} {goal.column + 1}")
        return "\n".join([*lines, *("".join(row) for row in characters)])

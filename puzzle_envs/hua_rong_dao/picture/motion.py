"""The animation of a step: a block slides into the next cell."""

from __future__ import annotations

import numpy as np

from puzzle_envs.hua_rong_dao.codec import BLOCK, GOAL_PIECE, STEPS
from puzzle_envs.hua_rong_dao.picture import blocks, tiles
from puzzle_envs.hua_rong_dao.picture.scene import Scene
from puzzle_envs.rendering.board import Rectangle
from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.theme import Theme


class Motion:
    """A block sliding from one place to the next."""

    def __init__(self, cell: int, theme: Theme, after: Scene, moved: Rectangle, way: int) -> None:
        """Prepare the animation of the step that led to a scene.

        Args:
            cell: Size of a cell in pixels.
            theme: Theme of the picture.
            after: The scene after the step.
            moved: The moved block, in its place after the step.
            way: Its direction.
        """
        self._cell, self._moved, self._way = cell, moved, way
        rest = after.without(moved)
        self._rest = tiles.picture(cell, theme, rest)
        # Shadows fall on the floor only: blocks and frame have the same height.
        self._high = np.ones(self._rest.shape, bool)
        frame = tiles.frame_width(cell)
        covered = np.repeat(np.repeat(rest.planes[BLOCK] > 0, cell, axis=0), cell, axis=1)
        self._high[frame:-frame, frame:-frame] = covered[..., None]
        look = blocks.LAST
        if after.planes[GOAL_PIECE, moved.row, moved.column]:
            look |= blocks.GOAL_PIECE
        self._shadow = blocks.shadow(cell, moved.width, moved.height)
        self._block = blocks.block(cell, moved.width, moved.height, look)

    def paint(self, share: float) -> Pixels:
        """Draw the picture at a time from 0 to 1."""
        gentle = share * share * (3 - 2 * share)
        missing = 1 - (share + gentle) / 2
        down, right = STEPS[self._way]
        top, left = tiles.corner(
            self._cell, self._moved.row - missing * down, self._moved.column - missing * right
        )
        picture = self._rest.copy()
        self._shadow.lay_on(picture, top, left)
        np.copyto(picture, self._rest, where=self._high)
        height, width = self._block.shape[:2]
        picture[top : top + height, left : left + width] = self._block
        return picture

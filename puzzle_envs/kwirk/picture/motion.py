"""The animation of a step: a character walks, and pushes a block or a turnstile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from puzzle_envs.kwirk.codec import BLOCK, GROUND, HOLE, STEPS
from puzzle_envs.kwirk.picture import blocks, characters, figures, tiles, turnstiles
from puzzle_envs.kwirk.picture.scene import Place, Scene, beyond
from puzzle_envs.kwirk.picture.steps import Step
from puzzle_envs.rendering.board import Rectangle
from puzzle_envs.rendering.canvas import Pixels, Sprite
from puzzle_envs.rendering.theme import Theme

# Durations in units of one step: walking a cell, and a sinking block.
_WALK = 0.35
_SINK = 0.8
# Height of bobbing while walking, and depth of sinking blocks, in cells.
_BOB = 0.04
_DEEP = 0.35
# Size at which a character disappears on the stairs.
_FAR = 0.5


class Motion:
    """The animation from one scene to the next."""

    def __init__(
        self, cell: int, theme: Theme, step: Step, walk: list[Place], after: Scene
    ) -> None:
        """Prepare the animation of the step that led to a scene.

        Args:
            cell: Size of a cell in pixels.
            theme: Theme of the picture.
            step: The step.
            walk: The walk to its start.
            after: The scene after the step.
        """
        self._cell, self._theme, self._step, self._walk = cell, theme, step, walk
        before = step.before
        self._others = tuple(who for who in before.characters if who.number != step.mover.number)
        # The board without moving objects, while walking and while pushing.
        self._board = self._rest = self._still(before)
        self._push: _Push | None = None
        if step.block is not None and step.direction is not None:
            rest = before.without_block(step.block)
            self._rest = self._still(rest)
            self._push = _Push(cell, theme, step.block, step.direction, rest, marked=not step.falls)
        elif step.turn is not None:
            self._rest = self._still(before.without_turnstile(step.turn.pivot))
        self._filled = self._still(after) if step.falls else self._rest
        self._ended = figures.picture(cell, theme, after)
        self._walking = _WALK * (len(walk) - 1)
        self._going = 0.0 if step.direction is None else 1.0
        # Duration in units of one step.
        self._length = self._walking + self._going + (_SINK if step.falls else 0.0)

    def paint(self, share: float) -> Pixels:
        """Draw the picture at a time from 0 to 1."""
        if not self._length:
            before = figures.picture(self._cell, self._theme, self._step.before)
            return _mixed(before, self._ended, share)
        gentle = share * share * (3 - 2 * share)
        time = (share + gentle) / 2 * self._length
        if time < self._walking:
            return self._paint_walk(time / _WALK)
        time -= self._walking
        if time > self._going:
            return self._paint_sinking((time - self._going) / _SINK)
        return self._paint_leaving(time) if self._step.leaves else self._paint_going(time)

    def _still(self, scene: Scene) -> Pixels:
        """Draw a scene without the mover."""
        picture = tiles.picture(self._cell, self._theme, scene)
        for who in self._others:
            figures.lay_asleep(picture, self._cell, who)
        return picture

    def _paint_walk(self, cells: float) -> Pixels:
        number = min(int(cells), len(self._walk) - 2)
        here, there = self._walk[number : number + 2]
        look = next(way for way in range(len(STEPS)) if beyond(here, way) == there)
        picture = self._board.copy()
        self._lay_mover(picture, _between(here, there, cells - number), look)
        return picture

    def _paint_going(self, share: float) -> Pixels:
        step = self._step
        picture = self._rest.copy()
        if self._push is not None:
            self._push.lay_on(picture, share)
        elif step.turn is not None:
            pivot, arms, clockwise = step.turn
            turnstile = turnstiles.turned(self._cell, arms, share * (90 if clockwise else -90))
            turnstile.lay_on(picture, *self._corner(pivot))
        self._lay_mover(picture, _between(step.start, step.end, share), self._look)
        return picture

    def _paint_sinking(self, share: float) -> Pixels:
        picture = self._rest.copy()
        if self._push is not None:
            self._push.lay_sinking(picture, share)
        picture = _mixed(picture, self._filled, max(0.0, 2 * share - 1))
        self._lay_mover(picture, self._step.end, self._look)
        return picture

    def _paint_leaving(self, share: float) -> Pixels:
        step = self._step
        down = max(0.0, 2 * share - 1)
        picture = _mixed(self._rest, self._ended, down)
        place = _between(step.start, step.end, min(1.0, 1.4 * share))
        self._lay_mover(picture, place, self._look, down)
        return picture

    @property
    def _look(self) -> int:
        """Direction of gaze while pushing."""
        direction = self._step.direction
        return characters.AHEAD if direction is None else direction

    def _lay_mover(
        self, picture: Pixels, place: tuple[float, float], look: int, down: float = 0.0
    ) -> None:
        """Draw the mover at a place, possibly part of the way down the stairs."""
        cell = self._cell
        size = 1 - (1 - _FAR) * down
        sprite = characters.character(cell, self._step.mover.number, look, size)
        sprite = _faded(sprite, min(1.0, 2 - 2 * down))
        bob = round(_BOB * cell * abs(np.sin(np.pi * (place[0] + place[1]))))
        marked = bool(self._others) and not down
        corner = self._corner(place)
        figures.lay_awake(picture, cell, sprite, corner, marked=marked, lifted=bob)

    def _corner(self, place: tuple[float, float]) -> tuple[int, int]:
        """The upper left pixel of a place."""
        return round(place[0] * self._cell), round(place[1] * self._cell)


class _Push:
    """A block sliding to the next cell, or sinking into the holes there."""

    def __init__(
        self,
        cell: int,
        theme: Theme,
        block: Rectangle,
        direction: int,
        rest: Scene,
        *,
        marked: bool,
    ) -> None:
        self._cell, self._block, self._direction = cell, block, direction
        self._pixels = tiles.of_block(cell, theme, block)
        self._shadow = blocks.shadow(cell, block.width, block.height)
        self._mark = blocks.hole_mark(cell)
        holes = np.argwhere(rest.has(HOLE)) if marked else ()
        self._holes = [(int(row), int(column)) for row, column in holes]
        # Shadows fall on the floor only: walls and blocks have the same height, and holes are dark.
        low = rest.has(GROUND) & ~rest.has(BLOCK) & ~rest.has(HOLE)
        rows, columns = (slice(max(cells.start - 2, 0), cells.stop + 2) for cells in block.cells)
        self._high = ~np.repeat(np.repeat(low[rows, columns], cell, 0), cell, 1)[..., None]
        # The region around both places of the block: nothing else changes.
        self._top, self._left = rows.start * cell, columns.start * cell

    def lay_on(self, picture: Pixels, share: float) -> None:
        """Draw the block after a share of its way."""
        height, width = self._high.shape[:2]
        part = picture[self._top : self._top + height, self._left : self._left + width]
        ground = part.copy()
        top, left = self._corner(share)
        self._shadow.lay_on(part, top - self._top, left - self._left)
        np.copyto(part, ground, where=self._high)
        own = self._cut(picture, top, left)
        own[:] = self._pixels
        for row, column in self._holes:
            self._mark.lay_on(own, row * self._cell - top, column * self._cell - left)

    def lay_sinking(self, picture: Pixels, share: float) -> None:
        """Draw the block sinking below the edge of the holes into the dark."""
        top, left = self._corner(1.0)
        own = self._cut(picture, top, left)
        depth = round(_DEEP * self._cell * share)
        sunk = self._pixels[: len(self._pixels) - depth]
        own[depth:] = (sunk * (1 - 0.55 * share)).astype(np.uint8)

    def _corner(self, share: float) -> tuple[int, int]:
        down, right = STEPS[self._direction]
        place = (self._block.row + share * down, self._block.column + share * right)
        return round(place[0] * self._cell), round(place[1] * self._cell)

    def _cut(self, picture: Pixels, top: int, left: int) -> Pixels:
        height, width = self._pixels.shape[:2]
        return picture[top : top + height, left : left + width]


def _between(start: Place, end: Place, share: float) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _mixed(first: Pixels, second: Pixels, share: float) -> Pixels:
    """Interpolate between two pictures: the first at share 0, the second at share 1."""
    weight = round(256 * share)
    return ((first * np.uint16(256 - weight) + second * np.uint16(weight)) >> 8).astype(np.uint8)


def _faded(sprite: Sprite, opacity: float) -> Sprite:
    if opacity >= 1:
        return sprite
    weight = round(256 * opacity)
    return replace(
        sprite,
        colour=(sprite.colour.astype(np.uint32) * weight >> 8).astype(np.uint16),
        through=(256 - ((256 - sprite.through.astype(np.uint32)) * weight >> 8)).astype(np.uint16),
    )

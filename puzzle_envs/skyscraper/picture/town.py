"""Drawing of a scene: the ground, the shadows, and the buildings from back to front."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.atlas import Atlas
from puzzle_envs.rendering.board import ringed
from puzzle_envs.rendering.canvas import Pixels, pixels_of, rgb
from puzzle_envs.rendering.noise import PLACES
from puzzle_envs.rendering.theme import Theme
from puzzle_envs.skyscraper.codec import SIDES
from puzzle_envs.skyscraper.level import SIZES
from puzzle_envs.skyscraper.picture import buildings, ground, shadows
from puzzle_envs.skyscraper.picture.body import ROOM_ABOVE
from puzzle_envs.skyscraper.picture.scene import BOTTOM, LEFT, RIGHT, TOP, Scene

Codes = NDArray[np.int32]
Floors = NDArray[np.floating]


class Area(NamedTuple):
    """A rectangle of a picture, in pixels."""

    top: int
    left: int
    bottom: int
    right: int


# The code of a cell to build on is its place in the texture; that of a cell of the ring has after
# that its side of the grid, how its clue stands, and the clue.
RING = PLACES
SIDE = PLACES
STANDING = SIDE * 8
CLUE = STANDING * 3
CODES = RING + CLUE * (SIZES[-1] + 1)


@lru_cache(maxsize=8)
def atlas(cell: int, theme: Theme) -> Atlas:
    """The tile atlas of a cell size."""
    return Atlas(cell, CODES, lambda code: _draw(cell, theme, code))


class Town:
    """The picture of a grid, cached so that only changes are redrawn."""

    def __init__(self, cell: int, theme: Theme, size: int) -> None:
        """Create an empty picture of a size in cells."""
        self.cell, self.size = cell, size
        self._theme = theme
        self._shadow = np.round(255 * theme.around(rgb(theme.shadow))).astype(np.uint16)
        self._side = (size + 2) * cell
        self._painted = np.empty((self._side, self._side, 3), np.uint8)
        # The ground with the shadows on it, under the buildings.
        self._shaded = np.empty_like(self._painted)
        self._codes = np.full((size + 2, size + 2), -1, np.int32)
        self._floors = np.full((size, size), -1.0)
        self._values = np.zeros((size, size), np.int64)
        self._looks = np.zeros((size, size), np.int64)

    def picture(self, scene: Scene, floors: Floors) -> Pixels:
        """Draw a scene to a new array, with buildings of these numbers of storeys."""
        codes, looks = _codes(scene), _looks(scene)
        risen = floors != self._floors
        other = (looks != self._looks) | (scene.values != self._values)
        ground = codes != self._codes
        former = self._floors
        self._codes, self._floors = codes, floors.copy()
        self._values, self._looks = scene.values, looks
        if 4 * np.count_nonzero(risen | other) > risen.size or (former < 0).any():
            everything = Area(0, 0, self._side, self._side)
            self._shade(everything)
            self._build(everything)
            return self._painted.copy()
        lots = [(row, column) for row, column in np.argwhere(risen).tolist()]
        tiles = [self._of_tile(row, column) for row, column in np.argwhere(ground).tolist()]
        shaded = tiles + [self._of_shadow(row, column, former[row, column]) for row, column in lots]
        built = tiles + [self._of_neighbours(row, column) for row, column in lots]
        built += [
            self._of_building(row, column) for row, column in np.argwhere(other & ~risen).tolist()
        ]
        for area in shaded:
            self._shade(area)
        for area in built:
            self._build(area)
        return self._painted.copy()

    def _of_tile(self, row: int, column: int) -> Area:
        cell = self.cell
        return Area(row * cell, column * cell, (row + 1) * cell, (column + 1) * cell)

    def _of_building(self, row: int, column: int) -> Area:
        top, left = (row + 1) * self.cell, (column + 1) * self.cell
        above = round(ROOM_ABOVE * self.cell)
        return Area(top + above, left, top + self.cell, left + self.cell)

    def _of_neighbours(self, row: int, column: int) -> Area:
        """The area a rising building changes: itself, its shadow, and the roof to its right."""
        own = self._of_building(row, column)
        return Area(
            own.top,
            own.left,
            min(own.bottom - self.cell + round(shadows.REACH_BOTTOM * self.cell), self._side),
            min(own.right + self.cell, self._side),
        )

    def _of_shadow(self, row: int, column: int, former: float) -> Area:
        """The shadow of a building whose height has changed."""
        cast = [
            shadows.on_ground(self.cell, self.size, float(floors))
            for floors in (former, self._floors[row, column])
            if floors
        ]
        top, left = (row + 1) * self.cell, (column + 1) * self.cell
        return Area(
            top + min(shadow.top for shadow in cast),
            left + min(shadow.left for shadow in cast),
            min(top + max(shadow.top + shadow.dark.shape[0] for shadow in cast), self._side),
            min(left + max(shadow.left + shadow.dark.shape[1] for shadow in cast), self._side),
        )

    def _shade(self, area: Area) -> None:
        """Draw the ground with merged shadows."""
        cell = self.cell
        dark = np.zeros((area.bottom - area.top, area.right - area.left, 3), np.uint16)
        for row, column in self._within(area, -1, 0, -1, 0):
            if self._floors[row, column]:
                shadow = shadows.on_ground(cell, self.size, float(self._floors[row, column]))
                shadow.fall_on(dark, (row + 1) * cell - area.top, (column + 1) * cell - area.left)
        # In bands, since intermediate arrays take twice the memory of the result.
        for band in range(area.top // cell, -(-area.bottom // cell)):
            top, bottom = max(band * cell, area.top), min((band + 1) * cell, area.bottom)
            first, last = area.left // cell, -(-area.right // cell)
            ground = atlas(cell, self._theme).picture(self._codes[band : band + 1, first:last])[
                top - band * cell : bottom - band * cell,
                area.left - first * cell : area.right - first * cell,
            ]
            its_dark = dark[top - area.top : bottom - area.top]
            shown = (ground * (256 - its_dark) + self._shadow * its_dark) >> 8
            self._shaded[top:bottom, area.left : area.right] = shown

    def _build(self, area: Area) -> None:
        """Draw the buildings from back to front on the shaded ground."""
        cell, floors = self.cell, self._floors
        part = slice(area.top, area.bottom), slice(area.left, area.right)
        painted = self._painted[part]
        painted[:] = self._shaded[part]
        for row, column in self._within(area, 0, 1, 0, 0):
            value, storeys = int(self._values[row, column]), float(floors[row, column])
            if not value:
                continue
            corner = (row + 1) * cell - area.top, (column + 1) * cell - area.left
            own = (cell, self.size, value, int(self._looks[row, column]))
            at_rest = storeys == value
            sprite = buildings.building(*own) if at_rest else buildings.rising(*own, storeys)
            sprite.lay_on(painted, *corner)
            higher = float(floors[row, column - 1]) - storeys if column else 0.0
            if higher > 0:
                shadows.on_roof(cell, self.size, storeys, higher).lay_on(painted, *corner)

    def _within(
        self, area: Area, above: int, below: int, left: int, right: int
    ) -> Iterator[tuple[int, int]]:
        """The lots in an area extended by margins in cells, row by row."""
        cell, size = self.cell, self.size
        rows = range(
            max(area.top // cell - 1 + above, 0),
            min((area.bottom - 1) // cell + below, size),
        )
        columns = range(
            max(area.left // cell - 1 + left, 0),
            min((area.right - 1) // cell + right, size),
        )
        return product(rows, columns)


def _looks(scene: Scene) -> NDArray[np.int64]:
    """Attributes of each building besides its height."""
    look = (
        buildings.GIVEN * scene.given
        + buildings.CONFLICT * scene.conflicts
        + buildings.LIT * scene.solved
    )
    return look.astype(np.int64)


def _codes(scene: Scene) -> Codes:
    """The tiles of the ground and of the ring around it."""
    codes = _empty(scene.size).copy()
    clues = scene.clues * CLUE + scene.standing * STANDING * (scene.clues > 0)
    edges = {
        TOP: codes[0, 1:-1],
        BOTTOM: codes[-1, 1:-1],
        LEFT: codes[1:-1, 0],
        RIGHT: codes[1:-1, -1],
    }
    for side in range(len(SIDES)):
        edges[side] += clues[side].astype(np.int32)
    return codes


@lru_cache(maxsize=16)
def _empty(size: int) -> Codes:
    """The codes of a grid without clues."""
    return ringed(size, size, RING, SIDE)


def _draw(cell: int, theme: Theme, code: int) -> Pixels:
    if code < RING:
        colour = theme.ground(ground.lot(cell, code))
    else:
        code -= RING
        colour = ground.ring(
            cell, theme, code % SIDE, code // SIDE % 8, code // CLUE, code // STANDING % 3
        )
    return pixels_of(colour)

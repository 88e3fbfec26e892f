"""Shadows of buildings, on the ground and on lower roofs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.canvas import Canvas, Sprite, overlap, rgb
from puzzle_envs.rendering.shapes import Field, box, polygon
from puzzle_envs.rendering.theme import LIGHT as THEME
from puzzle_envs.skyscraper.picture.body import BACK, FRONT, LEFT, RIGHT, ROOM_ABOVE, Body

# The area around a building's cell that its shadow may reach.
REACH_TOP, REACH_RIGHT, REACH_BOTTOM = 0.25, 1.65, 1.4

# Length of the highest building's shadow, and its softness.
_ACROSS, _DOWN = 0.60, 0.30
_BLUR = 0.05
_STRENGTH = 0.5


@dataclass(frozen=True)
class Shadow:
    """Darkness of the ground beside a building, from 0 to 256, and its offset."""

    dark: NDArray[np.uint16]
    top: int
    left: int

    def fall_on(self, dark: NDArray[np.uint16], top: int, left: int) -> None:
        """Apply the shadow as a maximum; the building's cell has its corner at this pixel."""
        parts = overlap(dark, self.dark, top + self.top, left + self.left)
        if parts is not None:
            there, own = parts
            np.maximum(dark[there], self.dark[own], out=dark[there])


@lru_cache(maxsize=256)
def on_ground(cell: int, size: int, floors: float) -> Shadow:
    """The shadow of a building, from the size of its grid and its number of storeys."""
    canvas = Canvas(cell, top=REACH_TOP, right=REACH_RIGHT, bottom=REACH_BOTTOM)
    strength = canvas.inside(_cast(canvas.x, canvas.y, floors / size), _BLUR)
    middle, half = (
        ((LEFT + RIGHT) / 2, (BACK + FRONT) / 2),
        ((RIGHT - LEFT) / 2, (FRONT - BACK) / 2),
    )
    around = box(canvas.x, canvas.y, middle, half)
    strength = np.maximum(strength, 0.7 * canvas.inside(around - 0.02, 0.1))
    canvas.wash(_STRENGTH * strength, rgb(THEME.shadow))
    sprite = canvas.sprite()
    return Shadow(256 - sprite.through, sprite.top, sprite.left)


@lru_cache(maxsize=256)
def on_roof(cell: int, size: int, floors: float, higher: float) -> Sprite:
    """The shadow on a roof of the building to its left, `higher` storeys higher."""
    canvas = Canvas(cell, top=ROOM_ABOVE)
    body = Body.of(cell, size, floors)
    # The shadow is offset like the roof.
    x, y = canvas.x - (body.left - LEFT) + 1, canvas.y - (body.top - BACK)
    shadow = canvas.inside(_cast(x, y, higher / size), _BLUR) * canvas.inside(body.roof(canvas))
    canvas.wash(_STRENGTH * shadow, rgb(THEME.shadow))
    return canvas.sprite()


def _cast(x: Field, y: Field, share: float) -> Field:
    """Distance to a building and its shadow, at this share of the full height."""
    across, down = _ACROSS * share, _DOWN * share
    corners = [
        (LEFT, BACK),
        (RIGHT, BACK),
        (RIGHT + across, BACK + down),
        (RIGHT + across, FRONT + down),
        (LEFT + across, FRONT + down),
        (LEFT, FRONT),
    ]
    return polygon(x, y, corners)

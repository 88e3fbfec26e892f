"""The buildings: blocks in oblique view, one storey per height, with a number on the roof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from puzzle_envs.rendering.canvas import Canvas, Colour, Sprite, mix, rgb
from puzzle_envs.rendering.shapes import Field, box, polygon
from puzzle_envs.rendering.theme import LIGHT as THEME
from puzzle_envs.skyscraper.picture.body import FRONT, RISE, ROOM_ABOVE, Body
from puzzle_envs.skyscraper.picture.marks import draw_number, draw_warning

# Attributes of a building besides its height.
GIVEN, CONFLICT, LIT = 1, 2, 4

# Height of the numbers, and the cell size from which they are legible.
_NUMBER = 0.37
_LEGIBLE = 12
# Windows per storey on the south side.
_WINDOWS = 4


@dataclass(frozen=True)
class Kind:
    """The look of given or written buildings.

    Attributes:
        low: The colour of the lowest roof.
        high: The colour of the highest roof.
        rim: The colour of the parapet around it.
        wall: The colour of the wall to the south.
        side: The colour of the wall to the east, which lies in the shade.
        window: The colour of a window without light.
        ink: The colour of the number.
    """

    low: Colour
    high: Colour
    rim: Colour
    wall: Colour
    side: Colour
    window: Colour
    ink: Colour


_WRITTEN = Kind(
    low=mix(rgb(THEME.robe_dark), rgb(THEME.robe), 0.35),
    high=rgb(THEME.robe_light),
    rim=mix(rgb(THEME.robe_light), rgb(THEME.sand_light), 0.35),
    wall=mix(rgb(THEME.sand_raked), rgb(THEME.sand_shade), 0.12),
    side=mix(rgb(THEME.sand_shade), rgb(THEME.wood_dark), 0.25),
    window=mix(rgb(THEME.robe_dark), rgb(THEME.wood), 0.3),
    ink=rgb(THEME.sand_light),
)
_STONE = Kind(
    low=mix(rgb(THEME.flagstone_dark), rgb(THEME.flagstone), 0.6),
    high=mix(rgb(THEME.flagstone_light), rgb(THEME.sand_light), 0.45),
    rim=mix(rgb(THEME.rock), rgb(THEME.rock_dark), 0.4),
    wall=rgb(THEME.rock),
    side=mix(rgb(THEME.rock_dark), rgb(THEME.ink), 0.3),
    window=mix(rgb(THEME.rock_dark), rgb(THEME.ink), 0.5),
    ink=rgb(THEME.ink),
)


@lru_cache(maxsize=128)
def building(cell: int, size: int, value: int, look: int) -> Sprite:
    """A building at its full height, in a grid of a size."""
    return rising(cell, size, value, look, value)


def rising(cell: int, size: int, value: int, look: int, floors: float) -> Sprite:
    """A building with part of its storeys above the ground."""
    canvas = Canvas(cell, top=ROOM_ABOVE)
    body = Body.of(cell, size, floors)
    kind = _STONE if look & GIVEN else _WRITTEN
    _draw_walls(canvas, body, kind, lit=bool(look & LIT))
    _draw_roof(canvas, body, kind, value / size, look)
    if cell >= _LEGIBLE:
        ink = kind.ink
        if look & CONFLICT and look & GIVEN:
            ink = rgb(THEME.red)
        draw_number(canvas, value, body.middle, _NUMBER, ink)
    return canvas.sprite()


def _draw_walls(canvas: Canvas, body: Body, kind: Kind, *, lit: bool) -> None:
    front, right = round(FRONT * canvas.cell) / canvas.cell, body.right + body.lean
    left = body.left + body.lean
    south = [(body.left, body.bottom), (body.right, body.bottom), (right, front), (left, front)]
    east = [
        (body.right, body.top),
        (right, body.top + body.rise),
        (right, front),
        (body.right, body.bottom),
    ]
    line = max(0.012, 0.35 * canvas.pixel)
    wall = polygon(canvas.x, canvas.y, south)
    side = polygon(canvas.x, canvas.y, east)
    canvas.fill(np.minimum(wall, side) - line, rgb(THEME.ink), 0.7)
    canvas.fill(side, kind.side)
    # Darker towards the ground.
    height = np.clip((front - canvas.y) / RISE, 0, 1) + 0 * canvas.x
    canvas.fill(wall, mix(kind.wall * np.float32(0.72), kind.wall, height))
    _draw_windows(canvas, body, kind, wall, lit=lit)


def _draw_windows(canvas: Canvas, body: Body, kind: Kind, wall: Field, *, lit: bool) -> None:
    storey = body.storey
    light = rgb(THEME.yellow) if lit else kind.window
    if storey < 3.5 * canvas.pixel:
        canvas.fill(wall, light, 0.38 if lit else 0.12)
        return
    # From the roof down, so that storeys rise out of the ground.
    level = (canvas.y - body.bottom) / storey + 0 * canvas.x
    beside = canvas.x - body.left - level * body.storey_lean
    width = (body.right - body.left) / _WINDOWS
    in_storey = (level - np.floor(level) - 0.5) * storey
    in_width = (beside / width - np.floor(beside / width) - 0.5) * width
    half = (0.27 * width, min(0.27 * storey, 0.05))
    window = np.maximum(box(in_width, in_storey, (0, 0), half), wall + 0.2 * half[1])
    canvas.fill(window, light)
    joint = np.abs(in_storey) - np.float32(0.5 * storey - max(0.006, 0.2 * canvas.pixel))
    canvas.fill(np.maximum(-joint, wall), kind.side, 0.5)


def _draw_roof(canvas: Canvas, body: Body, kind: Kind, share: float, look: int) -> None:
    roof = body.roof(canvas)
    rim = round(max(0.04, canvas.pixel) * canvas.cell) / canvas.cell
    field = mix(kind.low, kind.high, share)
    if look & CONFLICT:
        red = mix(rgb(THEME.red), rgb(THEME.orange), 0.15)
        field = mix(kind.high, rgb(THEME.red), 0.18) if kind is _STONE else red
    canvas.fill(roof - max(0.012, 0.35 * canvas.pixel), rgb(THEME.ink), 0.7)
    canvas.fill(roof, rgb(THEME.yellow) if look & LIT else kind.rim)
    if look & CONFLICT:
        draw_warning(canvas, roof, rim)
    inner = body.roof(canvas, rim)
    along = (canvas.x - body.left) * THEME.light_x + (canvas.y - body.top) * THEME.light_y
    sheen = np.clip(0.12 + 0.25 * along, -0.12, 0.12)
    colour = mix(field, rgb(THEME.sand_light), np.clip(sheen, 0, 1))
    colour = mix(colour, rgb(THEME.ink), np.clip(-sheen, 0, 1))
    canvas.fill(inner, colour)
    # The parapet shades the roof behind it.
    behind = np.minimum(canvas.x - body.left, canvas.y - body.top) - np.float32(rim)
    canvas.fill(behind - 0.03, rgb(THEME.ink), 0.3 * canvas.inside(inner), blur=0.03)

"""The blocks: lacquered wood, distinguished by shape, colour and inlay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from puzzle_envs.hua_rong_dao.picture import emblems
from puzzle_envs.rendering.board import shadows
from puzzle_envs.rendering.canvas import Canvas, Colour, Pixels, Sprite, mix, pixels_of, rgb, smooth
from puzzle_envs.rendering.noise import periodic_noise
from puzzle_envs.rendering.shapes import Field, box
from puzzle_envs.rendering.theme import LIGHT as THEME

# Attributes of a block besides its size.
GOAL_PIECE, LAST = 1, 2
LOOKS = 4

# Offset and softness of a block's shadow.
shade = shadows((0.075, 0.10), blur=0.10, strength=0.62)
"""Darkness of the shadow of a rectangle."""

_RADIUS = 0.12
_BEVEL = 0.085
# The cell size from which the finest lines are visible.
_LEGIBLE = 12


@dataclass(frozen=True)
class Kind:
    """The look of blocks of some shapes.

    Attributes:
        plain: The colour of the lacquer.
        light: Its shade facing the light.
        dark: Its shade facing away from the light.
        inlay: The colour of the inlay.
        inlay_edge: The colour of the edge between inlay and lacquer.
        emblem: Signed distance to the inlaid shape, from x, y, and the block's width and height.
    """

    plain: Colour
    light: Colour
    dark: Colour
    inlay: Colour
    inlay_edge: Colour
    emblem: Callable[[Field, Field, int, int], Field]


_GOLD = mix(rgb(THEME.yellow), rgb(THEME.straw_light), 0.55)
_VERMILION = mix(rgb(THEME.red), rgb(THEME.orange), 0.22)

_GOAL_PIECE = Kind(
    plain=_VERMILION,
    light=mix(_VERMILION, rgb(THEME.glow), 0.55),
    dark=rgb(THEME.red_dark),
    inlay=_GOLD,
    inlay_edge=rgb(THEME.red_dark),
    emblem=emblems.crest,
)
_SINGLE = Kind(
    plain=mix(rgb(THEME.sand_raked), rgb(THEME.straw), 0.28),
    light=rgb(THEME.sand_light),
    dark=rgb(THEME.straw_dark),
    inlay=mix(rgb(THEME.wood), rgb(THEME.red_dark), 0.3),
    inlay_edge=rgb(THEME.sand_light),
    emblem=emblems.flower,
)
_STANDING = Kind(
    plain=mix(rgb(THEME.robe), rgb(THEME.robe_light), 0.25),
    light=mix(rgb(THEME.robe_light), rgb(THEME.sand_light), 0.35),
    dark=rgb(THEME.robe_dark),
    inlay=_GOLD,
    inlay_edge=rgb(THEME.robe_dark) * np.float32(0.8),
    emblem=emblems.spear,
)
_LYING = Kind(
    plain=rgb(THEME.bronze),
    light=rgb(THEME.bronze_light),
    dark=rgb(THEME.bronze_dark),
    inlay=_GOLD,
    inlay_edge=rgb(THEME.bronze_dark),
    emblem=emblems.halberd,
)
_LARGE = Kind(
    plain=mix(rgb(THEME.rock_dark), rgb(THEME.rock), 0.18),
    light=rgb(THEME.rock_light),
    dark=rgb(THEME.rock_dark) * np.float32(0.6),
    inlay=_GOLD,
    inlay_edge=rgb(THEME.ink),
    emblem=emblems.coin,
)


def _kind(width: int, height: int, look: int) -> Kind:
    if look & GOAL_PIECE:
        return _GOAL_PIECE
    if width == height == 1:
        return _SINGLE
    if width == 1:
        return _STANDING
    return _LYING if height == 1 else _LARGE


@lru_cache(maxsize=16)
def block(cell: int, width: int, height: int, look: int) -> Pixels:
    """A block with the dark joint around it, filling its cells."""
    colour, hidden = _drawn(cell, width, height, look).layer()
    joint = rgb(THEME.wood_dark) * np.float32(0.42)
    shown = colour + (1 - hidden[..., None]) * joint
    return pixels_of(shown)


@lru_cache(maxsize=16)
def shadow(cell: int, width: int, height: int) -> Sprite:
    """The shadow of a block."""
    canvas = Canvas(cell, left=-0.5, top=-0.5, right=width + 0.5, bottom=height + 0.5)
    canvas.wash(shade(canvas, (0, 0), (width, height)), shadow_colour())
    return canvas.sprite()


def shadow_colour() -> Colour:
    """The colour of a full shadow."""
    return rgb(THEME.wood_dark) * np.float32(0.25)


@lru_cache(maxsize=8)
def glow(cell: int, width: int, height: int) -> Sprite:
    """The glow around the goal piece once it has arrived."""
    canvas = Canvas(cell, left=-0.5, top=-0.5, right=width + 0.5, bottom=height + 0.5)
    away = _body(canvas, width, height)
    outside = np.exp(-np.clip(away, 0, None) / 0.13) * smooth(0.48, 0.2, away)
    inside = 0.75 * np.exp(np.clip(away, None, 0) / 0.07)
    canvas.wash(0.8 * np.where(away > 0, outside, inside), rgb(THEME.glow))
    return canvas.sprite()


def _body(canvas: Canvas, width: int, height: int, inset: float = 0.0) -> Field:
    joint = max(0.022, 0.5 * canvas.pixel) + inset
    return box(
        canvas.x,
        canvas.y,
        (width / 2, height / 2),
        (width / 2 - joint, height / 2 - joint),
        max(_RADIUS - inset, 0.03),
    )


def _drawn(cell: int, width: int, height: int, look: int) -> Canvas:
    canvas = Canvas(cell, right=width, bottom=height)
    kind = _kind(width, height, look)
    body = _body(canvas, width, height)
    line = max(0.014, 0.45 * canvas.pixel)
    if look & LAST:
        canvas.fill(body, rgb(THEME.glow))
        body = body + max(0.022, 1.3 * canvas.pixel)
    canvas.fill(body, kind.dark * np.float32(0.55))
    canvas.fill(body + line, _surface(canvas, body, kind))
    if cell >= _LEGIBLE:
        groove = np.abs(_body(canvas, width, height, _BEVEL + 0.055))
        canvas.fill(groove - max(0.011, 0.3 * canvas.pixel), kind.inlay, 0.45)
    _draw_inlay(canvas, width, height, kind)
    return canvas


def _surface(canvas: Canvas, body: Field, kind: Kind) -> Colour:
    """Colours of the top, lit from one side, and of the bevel around it."""
    step = 1 / (canvas.cell * canvas.factor)
    fall_y, fall_x = np.gradient(body, np.float32(step))
    facing = fall_x * THEME.light_x + fall_y * THEME.light_y
    slant = 1 - smooth(0.35 * _BEVEL, 1.25 * _BEVEL, -body)
    along = canvas.x * THEME.light_x + canvas.y * THEME.light_y
    # From -1/2 at the corner farthest from the light to 1/2 at the nearest.
    near = (along - along.min()) / (along.max() - along.min()) - 0.5
    sheen = np.exp(-(((near - 0.24) / 0.13) ** 2))
    grain = periodic_noise(body.shape, 0.012 * canvas.cell * canvas.factor, 5)
    top = mix(kind.plain, kind.light, np.clip(0.10 + 0.2 * near + 0.13 * sheen, 0, 1))
    top = mix(top, kind.dark, np.clip(0.08 - 0.42 * near + 0.018 * grain, 0, 1))
    lit = mix(top, kind.light, np.clip(0.85 * slant * facing, 0, 1))
    return mix(lit, kind.dark, np.clip(-0.8 * slant * facing, 0, 1))


def _draw_inlay(canvas: Canvas, width: int, height: int, kind: Kind) -> None:
    x, y = canvas.x - width / 2, canvas.y - height / 2
    # Widen lines where pixels are large.
    bold = max(0.0, 0.25 * canvas.pixel - 0.008)
    edge = max(0.016, 0.35 * canvas.pixel)
    lower = kind.emblem(x - 0.6 * edge, y - 0.8 * edge, width, height)
    canvas.fill(lower - bold - 0.5 * edge, kind.inlay_edge, 0.75)
    canvas.fill(kind.emblem(x, y, width, height) - bold, kind.inlay)

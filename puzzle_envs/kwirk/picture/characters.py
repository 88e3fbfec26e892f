"""The characters: four vegetables with faces, distinguished by shape, lightness and colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from puzzle_envs.kwirk.picture.scene import DOWN, LEFT, RIGHT, UP
from puzzle_envs.rendering.canvas import Canvas, Colour, Sprite, mix, rgb, rounded, smooth
from puzzle_envs.rendering.shapes import (
    Field,
    Point,
    box,
    capsule,
    circle,
    ellipse,
    smooth_union,
)
from puzzle_envs.rendering.theme import LIGHT as THEME

# The eyes: looking at the viewer, in one of four directions, or closed.
AHEAD, ASLEEP = 4, 5

# Sizes of a character going down the stairs.
_SIZES = 6

# Cell sizes from which faces are visible, and mouths.
FACES, _MOUTHS = 10, 20

# Shift of the face in the direction of gaze, right and down.
_LOOKS: dict[int, Point] = {
    UP: (0.0, -0.075),
    RIGHT: (0.085, 0.0),
    DOWN: (0.0, 0.045),
    LEFT: (-0.085, 0.0),
    AHEAD: (0.0, 0.0),
    ASLEEP: (0.0, 0.0),
}

_LEAF = rgb(THEME.path)
_LEAF_DARK = rgb(THEME.path_dark) * np.float32(0.7)


@dataclass(frozen=True)
class Kind:
    """The look of a character.

    Attributes:
        plain: Colour of the skin.
        light: Its shade facing the light.
        dark: Its shade facing away from the light.
        edge: Colour of the outline.
        body: Signed distance to the body.
        leaves: Signed distance to the leaves on the head.
        face: Midpoint between the eyes.
        top: Colour of the upper body, if different.
    """

    plain: Colour
    light: Colour
    dark: Colour
    edge: Colour
    body: Callable[[Field, Field], Field]
    leaves: Callable[[Field, Field], Field]
    face: Point
    top: Colour | None = None


def _tomato(x: Field, y: Field) -> Field:
    lobes = smooth_union(circle(x, y, (0.355, 0.56), 0.27), circle(x, y, (0.645, 0.56), 0.27), 0.12)
    return smooth_union(lobes, ellipse(x, y, (0.5, 0.60), (0.37, 0.28)), 0.05)


def _tomato_leaves(x: Field, y: Field) -> Field:
    tips = ((0.24, 0.36), (0.36, 0.45), (0.5, 0.43), (0.64, 0.45), (0.76, 0.36))
    shape = capsule(x, y, (0.5, 0.31), (0.53, 0.15), 0.05, 0.035)
    for tip in tips:
        shape = np.minimum(shape, capsule(x, y, (0.5, 0.31), tip, 0.07, 0.02))
    return shape


def _carrot(x: Field, y: Field) -> Field:
    return capsule(x, y, (0.5, 0.45), (0.5, 0.83), 0.30, 0.10)


def _carrot_leaves(x: Field, y: Field) -> Field:
    shape = capsule(x, y, (0.5, 0.27), (0.5, 0.06), 0.05, 0.045)
    for side in (-1, 1):
        near = capsule(x, y, (0.5, 0.27), (0.5 + 0.13 * side, 0.10), 0.045, 0.045)
        far = capsule(x, y, (0.5, 0.27), (0.5 + 0.22 * side, 0.19), 0.04, 0.04)
        shape = np.minimum(shape, np.minimum(near, far))
    return shape


def _aubergine(x: Field, y: Field) -> Field:
    return smooth_union(
        circle(x, y, (0.5, 0.60), 0.30), ellipse(x, y, (0.5, 0.37), (0.215, 0.21)), 0.10
    )


def _aubergine_leaves(x: Field, y: Field) -> Field:
    shape = capsule(x, y, (0.5, 0.20), (0.56, 0.07), 0.045, 0.045)
    shape = np.minimum(shape, ellipse(x, y, (0.5, 0.22), (0.17, 0.065)))
    for tip in ((0.34, 0.33), (0.5, 0.35), (0.66, 0.33)):
        shape = np.minimum(shape, capsule(x, y, (0.5, 0.22), tip, 0.07, 0.02))
    return shape


def _turnip(x: Field, y: Field) -> Field:
    root = capsule(x, y, (0.5, 0.66), (0.5, 0.90), 0.17, 0.03)
    return smooth_union(ellipse(x, y, (0.5, 0.56), (0.39, 0.28)), root, 0.08)


def _turnip_leaves(x: Field, y: Field) -> Field:
    shape = capsule(x, y, (0.5, 0.33), (0.5, 0.12), 0.035, 0.06)
    for side in (-1, 1):
        leaf = capsule(x, y, (0.5, 0.33), (0.5 + 0.19 * side, 0.15), 0.03, 0.085)
        shape = np.minimum(shape, leaf)
    return shape


_KINDS = (
    Kind(
        plain=mix(rgb(THEME.red), rgb(THEME.orange), 0.22),
        light=mix(rgb(THEME.red), rgb(THEME.glow), 0.55),
        dark=rgb(THEME.red_dark),
        edge=rgb(THEME.red_dark) * np.float32(0.62),
        body=_tomato,
        leaves=_tomato_leaves,
        face=(0.5, 0.555),
    ),
    Kind(
        plain=mix(rgb(THEME.orange), rgb(THEME.yellow), 0.06),
        light=mix(rgb(THEME.orange), rgb(THEME.glow), 0.62),
        dark=mix(rgb(THEME.orange), rgb(THEME.orange_dark), 0.55),
        edge=rgb(THEME.orange_dark) * np.float32(0.62),
        body=_carrot,
        leaves=_carrot_leaves,
        face=(0.5, 0.46),
    ),
    Kind(
        plain=mix(rgb(THEME.robe), rgb(THEME.red), 0.13),
        light=mix(rgb(THEME.robe_light), rgb(THEME.blossom), 0.35),
        dark=rgb(THEME.robe_dark),
        edge=rgb(THEME.robe_dark) * np.float32(0.55),
        body=_aubergine,
        leaves=_aubergine_leaves,
        face=(0.5, 0.52),
    ),
    Kind(
        plain=mix(rgb(THEME.sand_light), rgb(THEME.flagstone_light), 0.22),
        light=rgb(THEME.sand_light),
        dark=mix(rgb(THEME.flagstone), rgb(THEME.blossom), 0.3),
        edge=rgb(THEME.wood_dark),
        body=_turnip,
        leaves=_turnip_leaves,
        face=(0.5, 0.55),
        top=mix(rgb(THEME.blossom), rgb(THEME.red), 0.25),
    ),
)


def character(cell: int, number: int, look: int, size: float = 1.0) -> Sprite:
    """A character by number, from 1, on its cell; smaller on the way down."""
    return _character(cell, (number - 1) % len(_KINDS), look, round(size * _SIZES))


@lru_cache(maxsize=64)
def _character(cell: int, kind: int, look: int, size: int) -> Sprite:
    drawing = _Drawing(cell, _KINDS[kind], size / _SIZES)
    drawing.stand()
    if cell >= FACES:
        drawing.face(look)
    return drawing.canvas.sprite()


@lru_cache(maxsize=16)
def mark(cell: int) -> Sprite:
    """The mark of the active character: a ring of light around the feet.

    In small cells, it is a frame around the character.
    """
    canvas = Canvas(cell)
    if cell < FACES:
        frame = box(canvas.x, canvas.y, (0.5, 0.5), (0.5, 0.5))
        canvas.fill(np.abs(frame) - np.float32(canvas.pixel), rgb(THEME.yellow))
        return canvas.sprite()
    half = max(0.04, 0.75 * canvas.pixel)
    disc = circle(canvas.x, canvas.y, (0.5, 0.5), 0.47 - half)
    ring = np.abs(disc) - np.float32(half)
    canvas.fill(disc, rgb(THEME.glow), 0.55)
    canvas.fill(ring - max(0.025, 0.5 * canvas.pixel), rgb(THEME.ink), 0.85)
    canvas.fill(ring, rgb(THEME.yellow))
    return canvas.sprite()


class _Drawing:
    """One drawing of a character."""

    def __init__(self, cell: int, kind: Kind, size: float) -> None:
        self.canvas = Canvas(cell)
        self.kind = kind
        # Smaller ones share the same centre.
        self.x: Field = (self.canvas.x - 0.5) / np.float32(size) + np.float32(0.5)
        self.y: Field = (self.canvas.y - 0.55) / np.float32(size) + np.float32(0.55)
        self.line = max(0.024, 0.5 * self.canvas.pixel)

    def stand(self) -> None:
        """Draw shadow, feet, body and leaves."""
        x, y = self.x, self.y
        foot = ellipse(x, y, (0.55, 0.86), (0.30, 0.085))
        self.canvas.fill(foot, rgb(THEME.shadow), 1.1 * THEME.shadow_strength, blur=0.10)
        for side in (-1, 1):
            shoe = ellipse(x, y, (0.5 + 0.125 * side, 0.87), (0.105, 0.06))
            self.canvas.fill(shoe - 0.6 * self.line, rgb(THEME.ink))
            self.canvas.fill(shoe, rgb(THEME.wood))
        body = self.kind.body(x, y)
        turn = smooth(0.22, 1.0, 0.55 * (x - 0.5) + 0.75 * (y - 0.5) + 0.5)
        self.canvas.fill(body - self.line, self.kind.edge)
        self.canvas.fill(body, rounded(self.kind.light, self.kind.plain, self.kind.dark, turn))
        if self.kind.top is not None:
            self.canvas.fill(body, self.kind.top, 0.75 * smooth(0.56, 0.36, y + 0 * x))
        leaves = self.kind.leaves(x, y)
        self.canvas.fill(leaves - 0.8 * self.line, _LEAF_DARK)
        self.canvas.fill(leaves, mix(rgb(THEME.path_light), _LEAF, smooth(0.35, 0.65, x + 0 * y)))

    def face(self, look: int) -> None:
        """Draw the eyes, and a mouth if large enough."""
        shift_x, shift_y = _LOOKS[look]
        x = self.x - np.float32(self.kind.face[0] + shift_x)
        y = self.y - np.float32(self.kind.face[1] + shift_y)
        for side in (-1, 1):
            if look == ASLEEP:
                self._closed_eye(x, y, 0.115 * side)
            else:
                self._eye(x, y, 0.105 * side, look)
        if self.canvas.cell >= _MOUTHS and look != UP:
            self._mouth(x, y, look)

    def _eye(self, x: Field, y: Field, middle: float, look: int) -> None:
        white = ellipse(x, y, (middle, 0.0), (0.088, 0.115))
        self.canvas.fill(white - 0.6 * self.line, self.kind.edge)
        self.canvas.fill(white, rgb(THEME.sand_light))
        shift_x, shift_y = _LOOKS[look]
        bold = max(0.0, 0.25 * self.canvas.pixel - 0.008)
        pupil = ellipse(
            x, y, (middle + 0.4 * shift_x, 0.02 + 0.6 * shift_y), (0.046 + bold, 0.066 + bold)
        )
        self.canvas.fill(pupil, rgb(THEME.ink))
        glint = circle(x, y, (middle + 0.4 * shift_x - 0.015, 0.6 * shift_y - 0.005), 0.016)
        self.canvas.fill(glint, rgb(THEME.sand_light))

    def _closed_eye(self, x: Field, y: Field, middle: float) -> None:
        lid = np.abs(circle(x, y, (middle, -0.06), 0.095)) - max(0.018, 0.45 * self.canvas.pixel)
        self.canvas.fill(np.maximum(lid, np.float32(-0.02) - y), self.kind.edge)

    def _mouth(self, x: Field, y: Field, look: int) -> None:
        line = max(0.016, 0.4 * self.canvas.pixel)
        if look == ASLEEP:
            self.canvas.fill(circle(x, y, (0.0, 0.17), 0.03), self.kind.edge)
            return
        smile = np.abs(circle(x, y, (0.0, 0.10), 0.085)) - line
        self.canvas.fill(np.maximum(smile, np.float32(0.135) - y), self.kind.edge)

"""The monk of a Zen garden and his rake."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.rendering.canvas import Canvas, Sprite, mix, rgb, rounded, smooth
from puzzle_envs.rendering.shapes import (
    Field,
    capsule,
    circle,
    ellipse,
    polygon,
    smooth_union,
)
from puzzle_envs.rendering.theme import LIGHT as THEME
from puzzle_envs.zen_garden.picture.ground import EAST, NORTH, SOUTH, WEST

# Poses: raking, standing with the rake upright, or sitting when stuck.
RAKING, RESTING, SITTING = range(3)


@lru_cache(maxsize=64)
def monk(cell: int, heading: int, pose: int) -> Sprite:
    """The monk on his cell with his rake, seen from slightly south of vertical."""
    drawing = _Monk(cell, heading)
    if pose == SITTING:
        drawing.sit()
    else:
        drawing.stand(raking=pose == RAKING)
    return drawing.canvas.sprite()


class _Monk:
    """One drawing of the monk; west is east mirrored, except for the light."""

    def __init__(self, cell: int, heading: int) -> None:
        self.canvas = Canvas(cell, left=-0.5, top=-0.5, right=1.5, bottom=1.5)
        self.heading = heading
        self.x: Field = 1 - self.canvas.x if heading == WEST else self.canvas.x
        self.y = self.canvas.y
        self.line = max(0.02, 0.5 * self.canvas.pixel)
        self.sideways = heading in (EAST, WEST)
        # Cloth and straw darken away from the light.
        self.turn = smooth(0.24, 0.80, self.canvas.x + 0 * self.y)

    def stand(self, raking: bool) -> None:
        """Draw him standing, from back to front."""
        self._shadow(0.25)
        behind = raking and self.heading != NORTH
        if behind:
            self._rake_on_sand()
        if not raking:
            self._rake_upright()
        self._robe()
        self._sleeves(raking)
        self._head(0.34)
        self._hat(0.24)
        if raking and not behind:
            self._rake_on_sand()
            self._hand(0.60, 0.62)

    def sit(self) -> None:
        """Draw him sitting with the rake in front of him."""
        self._shadow(0.34)
        self._wood(capsule(self.x, self.y, (0.06, 0.92), (0.80, 0.96), 0.020))
        self._wood(capsule(self.x, self.y, (0.80, 0.91), (0.86, 1.0), 0.026))
        x, y, line = self.x, self.y, self.line
        lap = smooth_union(
            ellipse(x, y, (0.5, 0.80), (0.33, 0.095)),
            polygon(x, y, [(0.39, 0.52), (0.61, 0.52), (0.72, 0.8), (0.28, 0.8)]) - 0.03,
            0.06,
        )
        self._cloth(lap)
        fold = ellipse(x, y, (0.5, 0.735), (0.13, 0.05))
        self.canvas.fill(fold - line * 0.7, rgb(THEME.robe_dark))
        self.canvas.fill(fold, rgb(THEME.skin))
        self._head(0.44)
        self._hat(0.34)

    def _shadow(self, half: float) -> None:
        x, y = self.canvas.x, self.canvas.y
        shade = rgb(THEME.shadow)
        foot = ellipse(x, y, (0.56, 0.86), (half + 0.04, 0.10))
        self.canvas.fill(foot, shade, THEME.shadow_strength, blur=0.10)
        cast = capsule(x, y, (0.6, 0.82), (0.82, 0.66), 0.17, 0.13)
        self.canvas.fill(cast, shade, 0.8 * THEME.shadow_strength, blur=0.15)

    def _cloth(self, shape: Field) -> None:
        dark, plain, light = rgb(THEME.robe_dark), rgb(THEME.robe), rgb(THEME.robe_light)
        cloth = rounded(light, plain, dark, self.turn)
        self.canvas.fill(shape - self.line, dark)
        self.canvas.fill(shape, cloth)

    def _robe(self) -> None:
        x, y = self.x, self.y
        half = 0.19 if self.sideways else 0.215
        body = polygon(
            x, y, [(0.39, 0.42), (0.61, 0.42), (0.5 + half, 0.84), (0.5 - half, 0.84)]
        ) - np.float32(0.03)
        hem = ellipse(x, y, (0.5, 0.845), (half + 0.03, 0.055))
        self._cloth(np.minimum(body, hem))
        dark = rgb(THEME.robe_dark)
        if self.heading == SOUTH:
            for end in (0.43, 0.57):
                collar = capsule(x, y, (end, 0.42), (0.5, 0.56), 0.016)
                self.canvas.fill(collar, rgb(THEME.straw_light))
        for start, end in ((0.44, 0.40), (0.56, 0.60)):
            fold = capsule(x, y, (start, 0.66), (end, 0.84), 0.010)
            self.canvas.fill(fold, dark, 0.55)
        sash = np.maximum(np.abs(y - 0.605) - np.float32(0.028), body)
        self.canvas.fill(sash, rgb(THEME.straw_dark))

    def _sleeves(self, raking: bool) -> None:
        x, y = self.x, self.y
        if raking and self.sideways:
            self._cloth(capsule(x, y, (0.52, 0.48), (0.40, 0.60), 0.06, 0.085))
            self._hand(0.35, 0.615)
            return
        hand = (0.73, 0.60) if raking else (0.75, 0.58)
        self._cloth(capsule(x, y, (0.36, 0.47), (0.27, 0.60), 0.05, 0.08))
        self._cloth(capsule(x, y, (0.64, 0.47), hand, 0.05, 0.08))
        if self.heading == SOUTH:
            self._hand(0.26, 0.66)
        if not raking:
            self._hand(0.81, 0.58)
        elif self.heading == SOUTH:
            self._hand(0.74, 0.66)

    def _hand(self, x: float, y: float) -> None:
        hand = circle(self.x, self.y, (x, y), 0.042)
        self.canvas.fill(hand - 0.7 * self.line, rgb(THEME.straw_dark))
        self.canvas.fill(hand, rgb(THEME.skin))

    def _head(self, level: float) -> None:
        x, y = self.x, self.y
        forward = 0.03 if self.sideways else 0.0
        head = circle(x, y, (0.5 + forward, level), 0.125)
        self.canvas.fill(head - self.line, rgb(THEME.straw_dark) * np.float32(0.6))
        skin = rgb(THEME.skin)
        if self.heading == NORTH:
            self.canvas.fill(head, mix(skin, rgb(THEME.straw_dark), 0.35))
            return
        self.canvas.fill(head, mix(skin, rgb(THEME.straw_dark), 0.35 * self.turn))
        eyes = (0.585,) if self.sideways else (0.455, 0.545)
        for eye in eyes:
            self.canvas.fill(ellipse(x, y, (eye, level + 0.055), (0.014, 0.02)), rgb(THEME.ink))

    def _hat(self, level: float) -> None:
        """A straw hat: a wide cone."""
        x, y = self.x, self.y
        middle = 0.52 if self.sideways else 0.5
        # From behind, the brim hides the neck.
        level += 0.03 if self.heading == NORTH else 0.0
        brim = ellipse(x, y, (middle, level), (0.30, 0.115))
        cone = polygon(
            x,
            y,
            [
                (middle, level - 0.235),
                (middle + 0.285, level - 0.02),
                (middle + 0.2, level + 0.05),
                (middle - 0.2, level + 0.05),
                (middle - 0.285, level - 0.02),
            ],
        )
        hat = smooth_union(brim, cone, 0.03)
        dark, plain, light = rgb(THEME.straw_dark), rgb(THEME.straw), rgb(THEME.straw_light)
        straw = rounded(light, plain, dark, self.turn)
        self.canvas.fill(hat - self.line, dark * np.float32(0.62))
        self.canvas.fill(hat, straw)
        around = np.arctan2(x - middle, y - (level - 0.26))
        rays = 0.5 + 0.5 * np.cos(around * 26)
        self.canvas.fill(hat, dark, 0.28 * rays)
        edge = np.abs(np.hypot((x - middle) / 0.30, (y - level) / 0.115) - 0.86) - 0.05
        front = np.maximum(0.1 * edge, level - 0.01 - y)
        self.canvas.fill(np.maximum(front, hat + 0.01), dark, 0.45)

    def _rake_on_sand(self) -> None:
        x, y = self.x, self.y
        if self.sideways:
            head, hand = ((0.03, 0.16), (0.03, 0.84)), ((0.03, 0.5), (0.42, 0.62))
        elif self.heading == SOUTH:
            head, hand = ((0.16, -0.02), (0.84, -0.02)), ((0.5, -0.02), (0.70, 0.62))
        else:
            head, hand = ((0.16, 1.0), (0.84, 1.0)), ((0.5, 1.0), (0.61, 0.56))
        shade = capsule(x - 0.02, y - 0.035, *head, 0.035)
        self.canvas.fill(shade, rgb(THEME.shadow), 0.4, blur=0.06)
        self._wood(capsule(x, y, *hand, 0.020))
        self._wood(capsule(x, y, *head, 0.034))

    def _rake_upright(self) -> None:
        x, y = self.x, self.y
        self._wood(capsule(x, y, (0.82, 0.90), (0.82, 0.06), 0.020))
        for tooth in (0.70, 0.76, 0.82, 0.88, 0.94):
            self._wood(capsule(x, y, (tooth, 0.05), (tooth, -0.02), 0.012))
        self._wood(capsule(x, y, (0.70, 0.06), (0.94, 0.06), 0.026))

    def _wood(self, shape: Field) -> None:
        self.canvas.fill(shape - 0.8 * self.line, rgb(THEME.wood_dark))
        self.canvas.fill(shape, rgb(THEME.wood_light))

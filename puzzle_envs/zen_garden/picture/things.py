"""The obstacles of a Zen garden: fixed rocks, and ornaments that can be pushed."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from puzzle_envs.rendering.canvas import Canvas, Sprite, mix, rgb, rounded, smooth
from puzzle_envs.rendering.noise import periodic_noise
from puzzle_envs.rendering.shapes import (
    Field,
    Point,
    box,
    capsule,
    circle,
    ellipse,
    polygon,
    smooth_union,
)
from puzzle_envs.rendering.theme import LIGHT as THEME


@lru_cache(maxsize=256)
def rock(cell: int, variant: int, joined: int) -> Sprite:
    """A rock on a bed of moss.

    `joined` has a bit for each side with another rock, where their moss merges: 1 north, 2 east,
    4 south, 8 west.
    """
    canvas = Canvas(cell)
    chance = np.random.default_rng(variant + 40)
    _draw_moss(canvas, joined)
    if variant % 3 == 1:
        side = 1 if variant % 2 else -1
        _draw_boulder(canvas, chance, (0.5 - 0.05 * side, 0.47), 0.33)
        _draw_boulder(canvas, chance, (0.5 + 0.22 * side, 0.69), 0.17)
    else:
        _draw_boulder(canvas, chance, (0.5, 0.49), 0.37)
    return canvas.sprite()


def _draw_boulder(canvas: Canvas, chance: np.random.Generator, middle: Point, size: float) -> None:
    across, down = (canvas.x - middle[0]) / size, (canvas.y - middle[1]) / size
    height, slope_x, slope_y = _boulder(across, down, chance)
    edge = -height * np.float32(0.3 * size)
    foot = ellipse(across, down, (0.16, 0.30), (0.92, 0.80)) * np.float32(size)
    canvas.fill(foot, rgb(THEME.path_dark) * np.float32(0.3), 0.8, blur=0.4 * size)
    # Each facet is lit by its angle to the light.
    toward = np.array([THEME.light_x, THEME.light_y, 0.85])
    toward /= np.linalg.norm(toward)
    facing = (toward[2] - slope_x * toward[0] - slope_y * toward[1]) / np.sqrt(
        1 + slope_x**2 + slope_y**2
    )
    seed = int(chance.integers(1000))
    speckle = periodic_noise(facing.shape, 0.01 * facing.shape[0], seed)
    tone = np.clip(facing + 0.035 * speckle + 0.10 * np.clip(height, 0, 1) - 0.06, 0, 1)
    body = mix(rgb(THEME.rock_dark), rgb(THEME.rock), smooth(0.05, 0.62, tone))
    body = mix(body, rgb(THEME.rock_light), smooth(0.60, 1.08, tone))
    canvas.fill(edge - max(0.012, 0.3 * canvas.pixel), rgb(THEME.rock_dark) * np.float32(0.75))
    canvas.fill(edge, body)


def _boulder(across: Field, down: Field, chance: np.random.Generator) -> tuple[Field, Field, Field]:
    """A rock of size 1 as the minimum of many planes: its height, and its slopes along x and y."""
    sides = int(chance.integers(6, 8))
    turn = chance.uniform(0, 2 * np.pi)
    wide, tall = chance.uniform(0.96, 1.1), chance.uniform(0.82, 0.96)
    planes = [(0.62, chance.uniform(-0.05, 0.15), chance.uniform(-0.05, 0.22))]
    for number in range(sides):
        angle = turn + (number + chance.uniform(-0.32, 0.32)) * 2 * np.pi / sides
        lean_x, lean_y = float(np.cos(angle)), float(np.sin(angle))
        reach = chance.uniform(0.88, 1.02) * np.hypot(wide * lean_x, tall * lean_y)
        # Seen from slightly south of vertical: southern sides are longer.
        planes.append((3.2 * reach, -3.2 * lean_x, -3.2 * lean_y))
        steep = chance.uniform(0.7, 1.25)
        near = reach * chance.uniform(0.30, 0.52) - 0.24 * lean_y
        planes.append((0.55 + steep * near, -steep * lean_x, -steep * lean_y))
    # Worn edges between planes.
    soft = 0.022
    heights = np.stack([level + across * x + down * y for level, x, y in planes])
    lowest = heights.min(axis=0)
    shares = np.exp((lowest - heights) / soft)
    total = shares.sum(axis=0)
    rises = np.array(planes, np.float32)[:, 1:, None, None]
    slope_x = (shares * rises[:, 0]).sum(axis=0) / total
    slope_y = (shares * rises[:, 1]).sum(axis=0) / total
    return lowest - soft * np.log(total), slope_x, slope_y


def _draw_moss(canvas: Canvas, joined: int) -> None:
    bed = ellipse(canvas.x, canvas.y, (0.5, 0.52), (0.43, 0.41))
    for side, end in enumerate(((0.5, -0.5), (1.5, 0.52), (0.5, 1.52), (-0.5, 0.52))):
        if joined & (1 << side):
            bed = smooth_union(bed, capsule(canvas.x, canvas.y, (0.5, 0.52), end, 0.3), 0.12)
    rough = periodic_noise(bed.shape, 0.03 * canvas.cell * canvas.factor, 77)
    bed = bed + 0.012 * rough
    canvas.fill(bed - 0.012, rgb(THEME.shadow), 0.25, blur=0.05)
    tuft = periodic_noise(bed.shape, 0.018 * canvas.cell * canvas.factor, 78)
    moss = mix(rgb(THEME.path), rgb(THEME.path_dark), np.clip(0.35 + 0.22 * tuft, 0, 1))
    moss = mix(moss, rgb(THEME.path_light), np.clip(-0.1 - 0.3 * tuft, 0, 1))
    canvas.fill(bed, moss)


@lru_cache(maxsize=16)
def lantern(cell: int) -> Sprite:
    """The ornament: a bronze lantern on a round foot."""
    canvas = Canvas(cell)
    x, y = canvas.x, canvas.y
    line = max(0.022, 0.55 * canvas.pixel)
    dark, plain, light = rgb(THEME.bronze_dark), rgb(THEME.bronze), rgb(THEME.bronze_light)
    shadow = rgb(THEME.shadow)
    for shape, blur in (
        (ellipse(x, y, (0.57, 0.86), (0.33, 0.11)), 0.10),
        (capsule(x, y, (0.6, 0.8), (0.8, 0.66), 0.13), 0.14),
    ):
        canvas.fill(shape, shadow, THEME.shadow_strength, blur=blur)
    metal = rounded(light, plain, dark, smooth(0.25, 0.8, x + 0 * y))
    foot = smooth_union(
        ellipse(x, y, (0.5, 0.86), (0.27, 0.085)), box(x, y, (0.5, 0.80), (0.12, 0.06)), 0.08
    )
    post = box(x, y, (0.5, 0.72), (0.085, 0.1))
    plate = box(x, y, (0.5, 0.635), (0.235, 0.035), 0.03)
    house = box(x, y, (0.5, 0.50), (0.175, 0.13), 0.02)
    roof = _lantern_roof(x, y)
    jewel = smooth_union(
        circle(x, y, (0.5, 0.135), 0.05), capsule(x, y, (0.5, 0.06), (0.5, 0.11), 0.008, 0.03), 0.04
    )
    for part in (foot, post, plate, house, jewel, roof):
        canvas.fill(part - line, dark)
        canvas.fill(part, metal)
    window = box(x, y, (0.5, 0.505), (0.115, 0.085), 0.02)
    canvas.fill(window - line * 0.7, dark)
    canvas.fill(window, rgb(THEME.glow))
    bar = np.abs(x - 0.5) - np.float32(0.012) + 0 * y
    canvas.fill(bar, dark, canvas.inside(window))
    crest = np.abs(y - 0.395 - 0.10 * np.abs(x - 0.5)) - np.float32(0.012)
    canvas.fill(crest, dark, 0.55 * canvas.inside(roof))
    return canvas.sprite()


def _lantern_roof(x: Field, y: Field) -> Field:
    left = [(0.5, 0.15), (0.43, 0.20), (0.33, 0.28), (0.22, 0.34), (0.11, 0.355), (0.115, 0.40)]
    left += [(0.2, 0.425), (0.35, 0.435)]
    right = [(1 - across, down) for across, down in reversed(left)]
    return polygon(x, y, [*left, *right[:-1]])

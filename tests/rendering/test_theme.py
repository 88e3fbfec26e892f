"""The themes: by name, the same after copying, and told apart by those who see colours otherwise.

Colour blindness is simulated by the matrices of Machado, Oliveira and Fernandes (2009) at severity
1.0, applied to linear light; distances are those of CIELAB (1976), where 2.3 is just noticeable.
"""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from collections.abc import Mapping

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from puzzle_agents.environments import ids, make_env
from puzzle_envs.hua_rong_dao.picture import blocks, tray
from puzzle_envs.kwirk.picture import blocks as slabs
from puzzle_envs.kwirk.picture import characters, walls
from puzzle_envs.kwirk.picture import ground as floors
from puzzle_envs.rendering.canvas import Colour
from puzzle_envs.rendering.theme import DARK, LIGHT, THEMES, Theme, theme_of
from puzzle_envs.skyscraper.picture import buildings, scene
from puzzle_envs.skyscraper.picture import ground as lots
from puzzle_envs.zen_garden.picture import ground as gardens
from puzzle_envs.zen_garden.picture import leaves

CELL = 48
VISION = {
    "all colours": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TOLD_APART = 8.0
"""The least distance between two things that mean something else."""


def lab(colour: NDArray[np.floating], vision: NDArray[np.floating]) -> NDArray[np.floating]:
    """A colour of sRGB from 0 to 1 as somebody sees it, in CIELAB."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    seen = np.clip(vision @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    share = to_xyz @ seen / to_xyz.sum(axis=1)
    root = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def mean(colour: NDArray[np.floating]) -> Colour:
    return np.asarray(colour.reshape(-1, 3).mean(axis=0), np.float32)


def middle(sprite: object) -> Colour:
    """What a sprite shows where nothing shines through."""
    colour, through = sprite.colour, sprite.through  # type: ignore[attr-defined]
    return mean(colour[(through == 0).all(axis=2)] / 255)


def things(theme: Theme) -> Mapping[str, Mapping[str, Colour]]:
    """For each question that a player has, the colours that answer it."""
    ground, around = theme.ground, theme.around
    return {
        "which leaf": {
            name: middle(leaves.leaf(CELL, kind, False))
            for name, kind in (
                ("yellow", leaves.YELLOW),
                ("orange", leaves.ORANGE),
                ("red", leaves.RED),
            )
        },
        "where a garden ends": {
            "sand": mean(ground(gardens.sand(CELL, 0, gardens.UNRAKED, 0))),
            "path": mean(around(gardens.path(CELL, 0, 0, False))),
        },
        "which block of Hua Rong Dao": {
            "goal": mean(blocks.block(CELL, 2, 2, blocks.GOAL_PIECE) / 255),
            "single": mean(blocks.block(CELL, 1, 1, 0) / 255),
            "standing": mean(blocks.block(CELL, 1, 2, 0) / 255),
            "lying": mean(blocks.block(CELL, 2, 1, 0) / 255),
            "large": mean(blocks.block(CELL, 2, 2, 0) / 255),
            "floor": mean(ground(tray.floor(CELL, 0, 0, None))),
        },
        "what is where in Kwirk": {
            "floor": mean(ground(floors.floor(CELL, 0, 0))),
            "wall": mean(around(walls.wall(CELL, 0, 255))),
            "hole": mean(ground(floors.hole(CELL, 0, 255))),
            "block": mean(slabs.block(CELL, 0, 0)),
        },
        "who": {
            str(number): middle(characters.character(CELL, number, characters.ASLEEP))
            for number in range(1, 5)
        },
        "what is wrong in a town": {
            "written": mean(_roof(0)),
            "given": mean(_roof(buildings.GIVEN)),
            "conflict": mean(_roof(buildings.CONFLICT)),
        },
        "how a clue stands": {
            str(standing): _stone(theme, standing)
            for standing in (scene.OPEN, scene.MET, scene.BROKEN)
        },
    }


def _roof(look: int) -> Colour:
    sprite = buildings.building(CELL, 5, 3, look)
    return np.asarray(sprite.colour[3:10, 4:-10] / 255, np.float32)


def _stone(theme: Theme, standing: int) -> Colour:
    # So small that it has no number.
    return mean(lots.ring(9, theme, 0, 0, 3, standing)[4:6, 3:6])


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("vision", VISION)
def test_what_means_something_else_looks_different(theme: Theme, vision: str) -> None:
    near = [
        f"{question}: {one} and {other} ({distance:.1f})"
        for question, colours in things(theme).items()
        for (one, first), (other, second) in itertools.combinations(colours.items(), 2)
        if (distance := _distance(first, second, VISION[vision])) < TOLD_APART
    ]
    assert not near


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("vision", VISION)
def test_raked_sand_shows_its_furrows(theme: Theme, vision: str) -> None:
    """It is told by its pattern: how much the lightness of its pixels differs."""
    plain, raked = (
        np.std([lab(pixel, VISION[vision])[0] for pixel in colour[4:-4, CELL // 2]])
        for colour in (
            theme.ground(gardens.sand(CELL, 0, trail, 0))
            for trail in (gardens.UNRAKED, gardens.ACROSS)
        )
    )
    assert raked > 4 and raked > 4 * plain, (plain, raked)


def _distance(first: Colour, second: Colour, vision: NDArray[np.floating]) -> float:
    return float(np.linalg.norm(lab(first, vision) - lab(second, vision)))


@pytest.mark.parametrize("id", ids())
def test_a_theme_is_an_argument_of_environments(id: str) -> None:
    pictures = {name: make_env(id, None, "rgb_array", theme=name) for name in THEMES}
    light, dark = (pictures[name].render() for name in ("light", "dark"))
    np.testing.assert_array_equal(light, make_env(id, None, "rgb_array").render())
    assert dark.shape == light.shape
    assert dark.mean() < 0.9 * light.mean()
    spec = pictures["dark"].spec
    assert spec is not None and json.loads(spec.to_json())["kwargs"]["theme"] == "dark"
    venv = gymnasium.make_vec(id, 2, render_mode="rgb_array", theme="dark")
    venv.reset(seed=0)
    np.testing.assert_array_equal((venv.render() or ())[0], dark)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_copy_is_the_same_theme(theme: Theme) -> None:
    assert copy.deepcopy(theme) is theme
    assert pickle.loads(pickle.dumps(theme)) is theme
    assert theme_of(theme.name) is theme

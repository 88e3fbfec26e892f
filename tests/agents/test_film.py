"""Plans as pictures."""

from __future__ import annotations

import itertools

import gymnasium
import numpy as np
import pytest

from puzzle_agents import make
from puzzle_agents.environments import make_env
from puzzle_agents.film import film
from puzzle_envs.rendering.theme import DARK


@pytest.mark.parametrize(
    ("id", "level"), [("ZenGarden-v0", "first-steps/3"), ("HuaRongDao-v0", "train/1-10/1")]
)
def test_a_plan_is_one_picture_more_than_its_actions(id: str, level: str) -> None:
    env = make_env(id, level)
    before = env.get_state()
    actions = make("bfs").solve(env).actions
    shown = list(film(env, actions, 1, cell_pixels=16))
    assert len(shown) == len(actions) + 1
    assert all(picture.shape == shown[0].shape for picture in shown)
    assert all(not np.array_equal(*pair) for pair in itertools.pairwise(shown))
    assert env.get_state() == before
    moving = list(film(env, actions, 3, cell_pixels=16))
    assert len(moving) == 3 * len(actions) + 1
    np.testing.assert_array_equal(moving[-1], shown[-1])

    watched = gymnasium.make(id, level=level, render_mode="rgb_array", cell_pixels=16)
    watched.reset()
    for number, action in enumerate(actions):
        np.testing.assert_array_equal(watched.render(), shown[number])
        watched.step(action)
    np.testing.assert_array_equal(watched.render(), shown[-1])


def test_a_film_holds_its_ends_and_has_a_theme() -> None:
    env = make_env("ZenGarden-v0", "first-steps/1")
    actions = make("bfs").solve(env).actions
    plain = list(film(env, actions, 2, cell_pixels=8))
    held = list(film(env, actions, 2, cell_pixels=8, theme=DARK, hold=3))
    assert len(held) == len(plain) + 6
    assert all(np.array_equal(frame, held[0]) for frame in held[:4])
    assert all(np.array_equal(frame, held[-1]) for frame in held[-4:])
    assert held[0].mean() < plain[0].mean()
    assert env.theme.name == "light"

"""Plans as pictures."""

from __future__ import annotations

import itertools

import gymnasium
import numpy as np
import pytest

from puzzle_agents import make
from puzzle_agents.film import film, pictures
from puzzle_envs.env import PuzzleEnv


@pytest.mark.parametrize(
    ("id", "level"), [("ZenGarden-v0", "first-steps/3"), ("HuaRongDao-v0", "train/1-10/1")]
)
def test_a_plan_is_one_picture_more_than_its_actions(id: str, level: str) -> None:
    env = gymnasium.make(id, level=level).unwrapped
    assert isinstance(env, PuzzleEnv)
    env.reset()
    before = env.get_state()
    actions = make("bfs").solve(env).actions
    shown = pictures(env, actions, cell=16)
    assert len(shown) == len(actions) + 1
    assert all(picture.shape == shown[0].shape for picture in shown)
    assert all(not np.array_equal(*pair) for pair in itertools.pairwise(shown))
    assert env.get_state() == before
    moving = film(env, actions, 3, cell=16)
    assert len(moving) == 3 * len(actions) + 1
    np.testing.assert_array_equal(moving[-1], shown[-1])

    watched = gymnasium.make(id, level=level, render_mode="rgb_array", cell_pixels=16)
    watched.reset()
    for number, action in enumerate(actions):
        np.testing.assert_array_equal(watched.render(), shown[number])
        watched.step(action)
    np.testing.assert_array_equal(watched.render(), shown[-1])

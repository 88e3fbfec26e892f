"""The forms of an observation: the same contents in all, for single and vector environments."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from puzzle_agents import make
from puzzle_agents.film import film
from puzzle_agents.player.game import Game
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.observation import FORMS
from puzzle_envs.testing import check_puzzle
from puzzle_envs.vector import PuzzleVectorEnv

LEVELS = {
    "ZenGarden-v0": ["first-steps/1", "rocks/3", "mixed/4"],
    "HuaRongDao-v0": ["classics/1", "; name: small\n; goal: a 1 2\na.\nb.\n"],
    "Kwirk-v0": ["easy/1", "easy/2", "two/1"],
    "KwirkSteps-v0": ["easy/1", "easy/2", "two/1"],
    "Skyscraper-v0": ["4x4/easy-1", "6x6/easy-1"],
    "SlidingTiles-v0": ["123/456/7.8"],
}
"""Boards of different sizes, where a puzzle can mix them."""

Observation = npt.NDArray[Any]

every_id = pytest.mark.parametrize("id", LEVELS)
every_form = pytest.mark.parametrize("form", FORMS)


def single(id: str, form: str, **options: Any) -> PuzzleEnv:
    env = gymnasium.make(id, levels=LEVELS[id], observation=form, cell_pixels=4, **options)
    assert isinstance(env.unwrapped, PuzzleEnv)
    return env.unwrapped


def vector(id: str, form: str, count: int, **options: Any) -> PuzzleVectorEnv:
    env = gymnasium.make_vec(
        id, count, levels=LEVELS[id], observation=form, cell_pixels=4, **options
    )
    assert isinstance(env, PuzzleVectorEnv)
    return env


def image(env: PuzzleEnv) -> Observation:
    """The picture of where an environment stands, and black around it."""
    picture = env.puzzle.picture(int(env.action_space.n), env.theme)
    picture.begin(env.planes)
    painted = picture.paint(env.cell_pixels)
    room = np.zeros(env.observation_space.shape or (), np.uint8)
    room[: painted.shape[0], : painted.shape[1]] = painted
    return room


EXPECTED: dict[str, tuple[type, Any, Callable[[PuzzleEnv], Observation]]] = {
    "planes": (spaces.MultiBinary, np.int8, lambda env: env.planes),
    "box": (spaces.Box, np.uint8, lambda env: env.planes),
    "float": (spaces.Box, np.float32, lambda env: env.planes),
    "flat": (spaces.Box, np.float32, lambda env: env.planes.ravel()),
    "image": (spaces.Box, np.uint8, image),
}
"""The space of a form, its dtype, and what it shows."""


@every_id
@every_form
def test_the_public_checks_pass_in_every_form(id: str, form: str) -> None:
    check_puzzle(id, levels=LEVELS[id], observation=form, cell_pixels=4, steps=40)


@every_id
@every_form
def test_every_form_has_the_same_contents(id: str, form: str) -> None:
    kind, dtype, expected = EXPECTED[form]
    env = single(id, form)
    random = np.random.default_rng(3)
    sizes = set()
    for number in range(len(LEVELS[id])):
        observation, info = env.reset(options={"level": number})
        for _ in range(5):
            assert isinstance(env.observation_space, kind)
            assert env.observation_space.dtype == observation.dtype == dtype
            assert env.observation_space.contains(observation)
            np.testing.assert_array_equal(observation, expected(env))
            for other in (
                env.set_state(env.get_state())[0],
                env.simulation().set_state(env.get_state())[0],
                copy.deepcopy(env).set_state(env.get_state())[0],
                pickle.loads(pickle.dumps(env)).set_state(env.get_state())[0],
            ):
                np.testing.assert_array_equal(observation, other)
                assert other.dtype == dtype
            if not info["action_mask"].any():
                break
            action = int(random.choice(np.flatnonzero(info["action_mask"])))
            observation, _, _, _, info = env.step(action)
        sizes.add(env.puzzle.format.shape(env.level.record))
    assert len(sizes) > 1 or len(LEVELS[id]) == 1


@every_id
@every_form
def test_last_observations_have_the_form_too(id: str, form: str) -> None:
    venv = vector(id, form, 3, autoreset_mode=AutoresetMode.SAME_STEP, max_episode_steps=2)
    venv.reset(seed=0)
    ended = 0
    for _ in range(5):
        shown, *_, info = venv.step(venv.sample_legal())
        assert venv.observation_space.contains(shown)
        for last in info["final_obs"][info["_final_obs"]] if "final_obs" in info else ():
            assert venv.single_observation_space.contains(last)
            ended += 1
    assert ended >= 6


@every_id
def test_stable_baselines_takes_large_boxes_for_images_and_says_nothing_else(id: str) -> None:
    checker = pytest.importorskip(
        "stable_baselines3.common.env_checker", reason="needs the rl extra"
    )
    for form in FORMS:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            env = gymnasium.make(id, observation=form, cell_pixels=20).unwrapped
            checker.check_env(env)
        said = [str(warning.message) for warning in warned]
        assert bool(said) == (form in ("box", "float")), said
        assert all("image" in words for words in said), said


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("plane", "not 'plane'. Did you mean 'planes'?"),
        ("imgae", "not 'imgae'. Did you mean 'image'?"),
    ],
)
@pytest.mark.parametrize("made", [gymnasium.make, gymnasium.make_vec])
def test_other_forms_are_refused(made: Callable[..., Any], wrong: Any, words: str) -> None:
    with pytest.raises(
        ValueError, match=f"observation must be one of planes, box, float, flat, image, {words}"
    ):
        made("ZenGarden-v0", observation=wrong)


@every_form
@pytest.mark.parametrize("agent", ["random", "novelty"])
def test_agents_look_at_no_observation(agent: str, form: str) -> None:
    env = single("KwirkSteps-v0", form)
    env.reset(options={"level": "easy/1"})
    result, expected = make(agent).solve(env), make(agent).solve(single_planes(env))
    assert result.actions == expected.actions and result.expanded == expected.expanded


def single_planes(env: PuzzleEnv) -> PuzzleEnv:
    other = single("KwirkSteps-v0", "planes")
    other.reset(options={"level": env.level})
    return other


@every_form
def test_a_trained_model_looks_at_no_observation(form: str) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    plans = []
    for one in (form, "planes"):
        env = single("ZenGarden-v0", one)
        env.reset(options={"level": "first-steps/1"})
        plans.append(make("maskable-ppo").solve(env).actions)
    assert plans[0] == plans[1] and plans[0]


@every_form
def test_pictures_and_play_are_the_same_in_every_form(form: str) -> None:
    env, usual = (single("ZenGarden-v0", one, render_mode="rgb_array") for one in (form, "planes"))
    for one in (env, usual):
        one.reset(seed=1)
        one.step(int(np.flatnonzero(one.action_masks())[0]))
    np.testing.assert_array_equal(env.render(), usual.render())
    assert all(map(np.array_equal, env.motion(3), usual.motion(3)))
    plan = [int(np.flatnonzero(env.action_masks())[0])]
    assert all(map(np.array_equal, film(env, plan, 1, 8), film(usual, plan, 1, 8)))
    games = [Game(one, plan) for one in (env, usual)]
    for ours, theirs in zip(games[0].moments, games[1].moments, strict=True):
        np.testing.assert_array_equal(ours.board.planes, theirs.board.planes)
        np.testing.assert_array_equal(ours.picture.paint(8), theirs.picture.paint(8))


def test_a_simulation_can_be_observed_in_another_form() -> None:
    env = single("ZenGarden-v0", "image")
    env.reset(seed=0)
    probe = env.simulation(observation="planes")
    observation, _ = probe.set_state(env.get_state())
    np.testing.assert_array_equal(observation, env.planes)
    assert probe.observation_space.contains(observation)
    assert env.observation_space.contains(env.set_state(env.get_state())[0])
    probe.reset(options={"levels": "first-steps/1"})
    again = probe.simulation(observation="image")
    assert again.observation_space == env.observation_space
    again.reset(options={"level": "mixed/4"})  # larger than all that are drawn now

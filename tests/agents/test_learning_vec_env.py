"""The vector environments as Stable-Baselines3 sees them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from puzzle_agents.learning.legal import LegalPlanes
from puzzle_agents.learning.vec_env import PuzzleVecEnv, to_sb3

IDS: dict[str, dict[str, Any]] = {
    "ZenGarden-v0": {"levels": "train/4x4"},
    "HuaRongDao-v0": {"levels": "train/1-10"},
    "Kwirk-v0": {"levels": "two"},
    "KwirkSteps-v0": {"levels": "easy"},
    "Skyscraper-v0": {"levels": "train/4x4", "mask": "consistent"},
}


def vec_env(id: str, count: int, **arguments: Any) -> PuzzleVecEnv:
    return to_sb3(gymnasium.make_vec(id, count, autoreset_mode="SameStep", **arguments))


@pytest.mark.parametrize("id", IDS)
def test_it_steps_as_single_environments_do(id: str) -> None:
    arguments = IDS[id] | {"max_episode_steps": 7}
    ours = vec_env(id, 3, **arguments)
    theirs = DummyVecEnv([lambda: gymnasium.make(id, **arguments) for _ in range(3)])
    ours.seed(7)
    theirs.seed(7)
    observations: Any = theirs.reset()
    assert np.array_equal(ours.reset(), observations)
    _compare_infos(ours.reset_infos, theirs.reset_infos)
    random, ended, cut = np.random.default_rng(0), 0, 0
    for _ in range(120):
        masks = ours.env_method("action_masks")
        assert np.array_equal(masks, theirs.env_method("action_masks"))
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
        one: Any = ours.step(actions)
        other: Any = theirs.step(actions)
        for mine, yours in zip(one[:3], other[:3], strict=True):
            assert np.array_equal(mine, yours)
        assert one[1].dtype == other[1].dtype
        for done, last, single in zip(one[2], one[3], other[3], strict=True):
            if done:
                assert last.pop("is_success") == single["solved"]
                assert np.array_equal(
                    last.pop("terminal_observation"), single.pop("terminal_observation")
                )
                cut += last["TimeLimit.truncated"]
                ended += 1
                _compare_infos([last], [single])
            else:
                assert last == {}
    assert ended >= cut > 0
    assert ended > cut or id != "ZenGarden-v0"


@pytest.mark.parametrize("id", IDS)
def test_legal_actions_are_seen_beside_the_board(id: str) -> None:
    plain, arguments = vec_env(id, 4, **IDS[id]), IDS[id] | {"max_episode_steps": 9}
    shape = plain.puzzle_env._batch.shape
    codec = plain.puzzle_env.puzzle.codec
    made = gymnasium.make_vec(id, 4, autoreset_mode="SameStep", **arguments)
    ours = to_sb3(made, LegalPlanes(codec, shape))
    count = len(codec.planes(shape))
    assert ours.observation_space.shape and plain.observation_space.shape
    kinds = ours.observation_space.shape[0] - count

    def agrees(seen: np.ndarray, mask: np.ndarray) -> bool:
        wanted = np.zeros((kinds, shape.height, shape.width), np.int8)
        for action in np.flatnonzero(mask).tolist():
            cell, kind = codec.places(shape)[action]
            if cell >= 0:
                wanted[kind, cell // shape.width, cell % shape.width] = 1
        return np.array_equal(seen[count:], wanted)

    ours.seed(3)
    seen: Any = ours.reset()
    random, ended = np.random.default_rng(0), 0
    for _ in range(60):
        masks = ours.puzzle_env.action_masks()
        assert all(agrees(*pair) for pair in zip(seen, masks, strict=True))
        board = ours.puzzle_env._batch.look().planes
        assert np.array_equal(seen[:, :count], board)
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
        seen, _, dones, infos = ours.step(actions)
        for index in np.flatnonzero(dones):
            assert agrees(infos[index]["terminal_observation"], infos[index]["action_mask"])
            ended += 1
    assert ended > 5
    again = ours.restart(np.array([True, False, True, False]))
    assert np.array_equal(again[1::2], seen[1::2])
    assert all(agrees(*pair) for pair in zip(again, ours.puzzle_env.action_masks(), strict=True))


def _compare_infos(mine: list[dict[str, Any]], yours: list[dict[str, Any]]) -> None:
    for one, other in zip(mine, yours, strict=True):
        assert one.keys() == other.keys()
        for key, value in one.items():
            assert np.array_equal(value, other[key]), key


@pytest.mark.parametrize("algorithm", [PPO, A2C, DQN, MaskablePPO])
def test_algorithms_train_on_it(algorithm: Any) -> None:
    env = VecMonitor(vec_env("ZenGarden-v0", 4, level="first-steps/1"))
    more = {"learning_starts": 50} if algorithm is DQN else {"n_steps": 16}
    model = algorithm("MlpPolicy", env, seed=0, device="cpu", **more)
    model.learn(200)
    assert model.num_timesteps >= 200
    assert model.ep_info_buffer


def test_what_stable_baselines_asks_of_it() -> None:
    env = vec_env("ZenGarden-v0", 3, levels="train/4x4", render_mode="rgb_array")
    assert env.has_attr("action_masks")
    assert not env.has_attr("wheels")
    assert env.get_attr("render_mode", [0, 2]) == ["rgb_array"] * 2
    assert env.env_is_wrapped(gymnasium.wrappers.TimeLimit) == [False] * 3
    env.reset()
    assert len(env.env_method("action_masks", indices=1)) == 1
    with pytest.raises(ValueError, match="does not return a value per episode"):
        env.env_method("close")
    with pytest.raises(ValueError, match="share their attributes"):
        env.set_attr("cell_pixels", 8, indices=0)
    env.set_attr("cell_pixels", 8)
    images = env.get_images()
    assert len(images) == 3
    assert images[0] is not None
    env.close()


def test_options_reach_the_episodes() -> None:
    env = vec_env("ZenGarden-v0", 3, levels="train/4x4")
    env.set_options({"levels": ["train/4x4/5"]})
    env.reset()
    assert [info["level"] for info in env.reset_infos] == ["train/4x4/5"] * 3
    env.set_options([{"level": f"train/4x4/{number}"} for number in (3, 1, 2)])
    env.reset()
    assert [info["level"] for info in env.reset_infos] == [f"train/4x4/{n}" for n in (3, 1, 2)]
    env.set_options([{"levels": "train/4x4"}, {}, {}])
    with pytest.raises(ValueError, match="only if each has its own level"):
        env.reset()


def test_it_refuses_vectors_of_others() -> None:
    with pytest.raises(TypeError, match="takes a vector environment of puzzle_envs"):
        to_sb3(gymnasium.make_vec("CartPole-v1", 2))

"""What every registered id promises."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from puzzle_agents.environments import ids
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import LevelError
from puzzle_envs.testing import check_puzzle, check_vector_env
from puzzle_envs.vector import PuzzleVectorEnv

IDS = ids()

MANUAL = [
    "Description",
    "Action Space",
    "Observation Space",
    "Starting State",
    "Rewards",
    "Episode End",
    "Information",
    "Arguments",
    "Keys",
    "Registered Configurations",
    "Version History",
]

every_id = pytest.mark.parametrize("id", IDS)


def make(id: str, **options: Any) -> PuzzleEnv:
    env = gymnasium.make(id, **options).unwrapped
    assert isinstance(env, PuzzleEnv)
    return env


def make_vec(id: str, count: int, **options: Any) -> PuzzleVectorEnv:
    venv = gymnasium.make_vec(id, num_envs=count, **options)
    assert isinstance(venv, PuzzleVectorEnv)
    return venv


def legal_walk(env: PuzzleEnv, steps: int, seed: int) -> list[Any]:
    """Everything that a random legal episode shows."""
    random = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    shown: list[Any] = [(observation, info)]
    for _ in range(steps):
        if not info["action_mask"].any():
            observation, info = env.reset()
            shown.append((observation, info))
            continue
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        shown.append(env.step(action))
        info = shown[-1][4]
    return shown


@every_id
def test_the_public_checks_pass(id: str) -> None:
    check_puzzle(id)


@every_id
def test_the_docstring_is_a_manual_page(id: str) -> None:
    text = type(make(id)).__doc__ or ""
    sections = [line.strip("# ") for line in text.splitlines() if line.strip().startswith("## ")]
    assert sections == MANUAL
    assert f"`{id}`" in text


@every_id
def test_hash_seeds_change_nothing(id: str) -> None:
    code = (
        "import pickle, sys, tests.test_environments as t;"
        f"sys.stdout.buffer.write(pickle.dumps(t.legal_walk(t.make({id!r}), 60, 3)))"
    )
    walks = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("0", "1", "4242")
    ]
    assert len(pickle.loads(walks[0])) == 61
    assert walks[0] == walks[1] == walks[2]


@every_id
def test_mask_values_are_ints_that_gymnasium_samples_from(id: str) -> None:
    env = make(id)
    _, info = env.reset(seed=0)
    assert info["action_mask"].dtype == np.int8
    assert env.action_masks().dtype == np.bool_
    action = env.action_space.sample(mask=info["action_mask"])
    assert info["action_mask"][action] == 1


@every_id
def test_time_limit_truncates_and_does_not_terminate(id: str) -> None:
    env = gymnasium.make(id, max_episode_steps=1)
    _, info = env.reset(seed=0)
    illegal = np.flatnonzero(info["action_mask"] == 0)
    action = int(illegal[0]) if illegal.size else int(np.flatnonzero(info["action_mask"])[0])
    _, _, terminated, truncated, _ = env.step(action)
    assert (terminated, truncated) == (False, True)


@every_id
def test_vector_levels_do_not_depend_on_the_others(id: str) -> None:
    """Episode 2 of five sees the same levels as episode 2 of three, whatever the others do."""
    many, few = make_vec(id, 5), make_vec(id, 3)
    _, info_many = many.reset(seed=9)
    _, info_few = few.reset(seed=9)
    random = np.random.default_rng(0)
    for _ in range(100):
        np.testing.assert_array_equal(info_many["action_mask"][2], info_few["action_mask"][2])
        mine = many.sample_legal()
        theirs = random.integers(0, many.single_action_space.n, 3)
        theirs[2] = mine[2]
        info_many, info_few = many.step(mine)[4], few.step(theirs)[4]


@every_id
def test_vector_pictures(id: str) -> None:
    venv = make_vec(id, 2, render_mode="rgb_array", cell_pixels=8)
    venv.reset(seed=0)
    before = venv.render()
    venv.step(venv.sample_legal())
    after = venv.render()
    assert before is not None and after is not None
    assert len(before) == len(after) == 2
    assert not np.array_equal(before[0], after[0])


@every_id
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(id: str, mode: AutoresetMode, threads: int) -> None:
    venv = make_vec(id, 7, autoreset_mode=mode, threads=threads)
    check_vector_env(venv, steps=60)


@every_id
def test_rewards_have_the_returns_they_promise(id: str) -> None:
    for reward in ("moves", "sparse", "dense"):
        for seed in range(5):
            env = make(id, reward=reward)
            random = np.random.default_rng(seed)
            _, info = env.reset(seed=seed)
            total, first, over = 0.0, info["fitness"], False
            while not over and env.get_state().moves < 100:
                action = int(random.choice(np.flatnonzero(info["action_mask"])))
                _, earned, over, _, info = env.step(action)
                total += earned
            if reward == "sparse":
                assert total == float(info["solved"])
            elif reward == "dense":
                expected = 0.0 if info["lost"] else info["fitness"] - first
                assert total == pytest.approx(expected)
            elif info["lost"]:
                assert total < -info["moves"]
            else:
                assert total == -info["moves"]


def forfeit(env: PuzzleEnv, planes: Any) -> int:
    """What losing costs, as the manual pages say it."""
    of = {"zen_garden": int(planes[1].sum()), "skyscraper": int(planes[0].sum())}
    return of.get(env.puzzle.format.puzzle, 1000)


@every_id
def test_an_episode_returns_its_moves_and_its_illegal_moves(id: str) -> None:
    env = make(id)
    random = np.random.default_rng(1)
    illegal_in_all = 0
    for seed in range(5):
        planes, info = env.reset(seed=seed)
        returned, illegal, over = 0.0, 0, False
        for _ in range(100):
            action = int(random.integers(env.action_space.n))
            if random.random() < 0.8:
                action = int(random.choice(np.flatnonzero(info["action_mask"])))
            _, reward, over, _, info = env.step(action)
            returned, illegal = returned + reward, illegal + info["illegal"]
            assert info["illegal_moves"] == illegal
            lost = forfeit(env, planes) if info["lost"] else 0
            assert returned == -(info["moves"] + info["illegal_moves"]) - lost
            if over:
                break
        illegal_in_all += illegal
    assert illegal_in_all


@every_id
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_episodes_of_a_vector_return_the_same(id: str, mode: AutoresetMode) -> None:
    count = 6
    venv = make_vec(id, count, autoreset_mode=mode, max_episode_steps=40)
    planes, info = venv.reset(seed=2)
    costs = [forfeit(make(id), one) for one in planes]  # there is one level
    random = np.random.default_rng(2)
    returned, illegal, ended = np.zeros(count), 0, 0
    for _ in range(90):
        wild = random.random(count) < 0.3
        any_action = random.integers(venv.single_action_space.n, size=count)
        actions = np.where(wild, any_action, venv.sample_legal())
        _, rewards, terminated, truncated, info = venv.step(actions)
        returned += rewards
        over = terminated | truncated
        told = info["final_info"] if mode == AutoresetMode.SAME_STEP and over.any() else info
        promised = -(told["moves"] + told["illegal_moves"]) - told["lost"] * np.array(costs)
        np.testing.assert_array_equal(returned[over], promised[over])
        illegal, ended = illegal + int(told["illegal_moves"][over].sum()), ended + int(over.sum())
        returned[over] = 0
        if mode == AutoresetMode.DISABLED and over.any():
            venv.reset(options={"reset_mask": over})
    assert ended and illegal


@every_id
@pytest.mark.parametrize("reward", ["moves", "dense"])
def test_a_state_restored_goes_on_as_it_would_have(id: str, reward: str) -> None:
    """Also what depends on the state before: the fitness, and the reward that is its change."""
    env, other = make(id, reward=reward), make(id, reward=reward)
    random = np.random.default_rng(3)
    _, info = env.reset(seed=3)
    other.reset(seed=4)
    moments: list[tuple[Any, ...]] = []
    for _ in range(60):
        if not info["action_mask"].any():
            _, info = env.reset()
        state, action = env.get_state(), int(random.choice(np.flatnonzero(info["action_mask"])))
        moments.append((state, info, action, env.step(action)))
        info = moments[-1][3][4]
    for number in random.permutation(len(moments)):
        state, info, action, outcome = moments[number]
        for one in (env, other):
            one.step(0)
            np.testing.assert_equal(one.set_state(state)[1], info)
            np.testing.assert_equal(one.step(action), outcome)


@every_id
def test_a_level_and_a_set_are_not_given_together(id: str) -> None:
    for arguments in ({"level": "a", "levels": "b"}, {"level": "...\n", "levels": ["...\n"]}):
        with pytest.raises(LevelError, match="not both"):
            make(id, **arguments)
    with pytest.raises(TypeError, match="use levels= for several"):
        make(id, level=["a", "b"])


@every_id
def test_guests_are_shown_and_not_drawn(id: str) -> None:
    env = make(id)
    _, info = env.reset(seed=0)
    name = info["level"]
    text = f"{env.puzzle.format.text(env.level)}".replace("; name: ", "; name: guest ")
    numbers = []
    for _ in range(3):
        _, info = env.reset(options={"level": text})
        assert info["level"].startswith("guest ")
        numbers.append(env.get_state().level)
        _, info = env.reset()
        assert info["level"] == name
    assert numbers == [1, 1, 1]
    with pytest.raises(LevelError, match="not both"):
        env.reset(options={"level": text, "levels": [text]})
    assert make_vec(id, 2).reset(options={"level": [text, 0]})[1]["level"][0].startswith("guest")


@every_id
def test_a_finished_episode_waits_for_its_reset(id: str) -> None:
    venv = make_vec(id, 2, autoreset_mode=AutoresetMode.DISABLED, max_episode_steps=1)
    venv.reset(seed=0)
    venv.step(venv.sample_legal())
    with pytest.raises(ValueError, match=r"Episodes \[0, 1\] are over"):
        venv.step(venv.sample_legal())
    with pytest.raises(ValueError, match="reset all of them"):
        venv.reset(options={"reset_mask": np.array([True, False]), "levels": []})
    _, info = venv.reset(options={"reset_mask": np.array([True, False])})
    assert info["_action_mask"].tolist() == [True, False]


@every_id
def test_closing_twice_and_rendering_after_is_harmless(id: str) -> None:
    env = make(id, render_mode="human", cell_pixels=8)
    env.reset(seed=0)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    env.close()
    env.close()
    assert env.render() is None
    env.reset()
    assert "_window" in vars(env) and vars(env)["_window"] is None


def test_final_infos_do_not_depend_on_what_memory_held_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full_of_rubbish(shape: Any, dtype: Any = float) -> np.ndarray:
        room = np.zeros(shape, dtype)
        if room.size and room.dtype != object:
            room.view(np.uint8)[...] = 0xA5
        return room

    monkeypatch.setattr("puzzle_envs.episodes.batch.np.empty", full_of_rubbish)
    env = gymnasium.make_vec("ZenGarden-v0", 4, levels="rocks", autoreset_mode="SameStep").unwrapped
    assert isinstance(env, PuzzleVectorEnv)
    env.reset(seed=0)
    ended = 0
    for _ in range(200):
        *_, terminated, truncated, info = env.step(env.sample_legal())
        ended += int((terminated | truncated).sum())
        if "final_info" in info:
            over = info["final_info"]["_level"]
            assert (over == (terminated | truncated)).all()
            assert all(name.startswith("rocks/") for name in info["final_info"]["level"][over])
    assert ended

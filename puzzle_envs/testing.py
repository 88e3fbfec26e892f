"""Checks for puzzles and vector environments, ours and yours.

`check_puzzle("MyPuzzle-v0")` checks everything that this package promises of an id.
`check_vector_env(venv)` compares a vector environment with single ones, step by step. Both raise an
AssertionError that says what differs.
"""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, VectorEnv

from puzzle_envs.env import PuzzleEnv

__all__ = ["check_puzzle", "check_vector_env"]

SingleEnv = gymnasium.Env[Any, Any]


def check_puzzle(id: str, *, steps: int = 200, seed: int = 7, **kwargs: Any) -> None:
    """Check an id of a puzzle, its single and its vector environment.

    Args:
        id: A registered id.
        steps: Number of steps of each check.
        seed: Random seed of levels and actions.
        kwargs: Arguments of the environment, such as `levels`.
    """
    json.loads(gymnasium.spec(id).to_json())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = _puzzle_env(id, **kwargs)
        check_env(env)
    _check_before_reset(_puzzle_env(id, **kwargs))
    _check_refusals(_puzzle_env(id, **kwargs), seed)
    _check_returns(_puzzle_env(id, **{**kwargs, "reward": "moves"}), steps, seed)
    _check_play(_puzzle_env(id, **kwargs), steps, seed)
    _check_planning(_puzzle_env(id, **kwargs), steps, seed)
    _check_pictures(id, seed, kwargs)
    _check_keys(id, seed, kwargs)
    for mode in AutoresetMode:
        venv = gymnasium.make_vec(id, num_envs=5, autoreset_mode=mode, **kwargs)
        check_vector_env(
            venv, steps=steps, seed=seed, make_single=lambda: gymnasium.make(id, **kwargs)
        )
        venv.close()


def _puzzle_env(id: str, **kwargs: Any) -> PuzzleEnv:
    env = gymnasium.make(id, **kwargs).unwrapped
    if not isinstance(env, PuzzleEnv):
        raise AssertionError(f"{id} makes a {type(env).__name__}, which is not a PuzzleEnv.")
    return env


def _legal_action(info: dict[str, Any], random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(info["action_mask"])))


def _check_before_reset(env: PuzzleEnv) -> None:
    """Everything is rejected before the first reset."""
    for name, call in (
        ("step", lambda: env.step(0)),
        ("action_masks", env.action_masks),
        ("get_state", env.get_state),
        ("state_key", env.state_key),
        ("simulation", env.simulation),
        ("level", lambda: env.level),
    ):
        _refused(call, gymnasium.error.ResetNeeded, f"{name} before reset()")


def _check_refusals(env: PuzzleEnv, seed: int) -> None:
    """Invalid actions, options and states are rejected and change nothing."""
    env.reset(seed=seed)
    state, actions = env.get_state(), int(env.action_space.n)
    wrong: list[Any] = [None, "0", 0.0, np.float64(0), [0], True]
    for action in wrong:
        _refused(partial(env.step, action), TypeError, f"step({action!r})")
    for action in (-1, actions):
        _refused(partial(env.step, action), ValueError, f"step({action})")
    _refused(lambda: env.reset(options={"lvl": 0}), ValueError, "the reset option 'lvl'")
    full = state._replace(words=((1 << 64) - 1,) * len(state.words))
    _refused(lambda: env.set_state(full), ValueError, f"set_state({full})")
    _say(env.get_state() == state, "a rejected call has changed the state")


def _refused(call: Callable[[], object], error: type[Exception], what: str) -> None:
    try:
        call()
    except error:
        return
    raise AssertionError(f"{what} is not rejected with a {error.__name__}")


def _check_returns(env: PuzzleEnv, steps: int, seed: int) -> None:
    """With reward="moves" an episode returns -(moves + illegal_moves), and less if it is lost."""
    random = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    returned, illegal = 0.0, 0
    for _ in range(steps):
        legal = info["action_mask"].any() and random.random() < 0.8
        action = _legal_action(info, random) if legal else int(random.integers(env.action_space.n))
        _, reward, terminated, _, info = env.step(action)
        returned, illegal = returned + reward, illegal + info["illegal"]
        _say(info["illegal_moves"] == illegal, "illegal_moves does not count the illegal actions")
        expected = -(info["moves"] + info["illegal_moves"])
        _say(
            returned <= expected if info["lost"] else returned == expected,
            f"{info['moves']} moves and {illegal} illegal ones returned {returned}",
        )
        if terminated:
            _, info = env.reset()
            returned, illegal = 0.0, 0


def _check_play(env: PuzzleEnv, steps: int, seed: int) -> None:
    """Masks, ends of episodes, illegal actions and copies."""
    random = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        _say(np.array_equal(env.action_masks(), info["action_mask"]), "the two masks differ")
        illegal = np.flatnonzero(info["action_mask"] == 0)
        if illegal.size:
            _check_illegal(env, int(random.choice(illegal)))
        if not info["action_mask"].any():
            _say(info["solved"] or info["lost"], "no action is legal, but nothing has ended")
            _, info = env.reset()
            continue
        action = _legal_action(info, random)
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        outcome = env.step(action)
        for other in copies:
            _say(_equal(outcome, other.step(action)), "a copy continues differently")
        _, _, terminated, _, info = outcome
        _say(not info["illegal"], f"action {action} is in the mask, but illegal")
        _say(
            terminated == (info["solved"] or info["lost"]),
            "terminated is not the same as solved or lost",
        )
        if terminated:
            _, info = env.reset()


def _check_illegal(env: PuzzleEnv, action: int) -> None:
    other = copy.deepcopy(env)
    before = other.get_state()
    _, reward, terminated, _, info = other.step(action)
    _say(info["illegal"], f"action {action} is not in the mask, but legal")
    _say(other.get_state() == before, f"the illegal action {action} changed the state")
    if not terminated:
        _say(reward <= 0, "an illegal action has a positive reward")


def _check_planning(env: PuzzleEnv, steps: int, seed: int) -> None:
    """States are saved and restored, in any order."""
    random = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    for _ in range(steps // 10):
        if not info["action_mask"].any():
            _, info = env.reset()
            continue
        saved, key, before = env.get_state(), env.state_key(), info
        action = _legal_action(info, random)
        first = env.step(action)
        _, again = env.set_state(saved)
        _say(env.state_key() == key, "set_state gives another state_key")
        for name, value in before.items():
            _say(_equal(again[name], value), f"set_state gives another {name!r}")
        _say(_equal(first, env.step(action)), "a restored state continues differently")
        info = first[4]


def _check_keys(id: str, seed: int, kwargs: dict[str, Any]) -> None:
    env = _puzzle_env(id, **kwargs)
    env.reset(seed=seed)
    for keys, action in env.get_keys_to_action().items():
        _say(action in env.action_space, f"the keys {keys} mean {action}, which is not an action")


def _check_pictures(id: str, seed: int, kwargs: dict[str, Any]) -> None:
    for mode, kind in (("rgb_array", np.ndarray), ("ansi", str)):
        env = _puzzle_env(id, render_mode=mode, **kwargs)
        _, info = env.reset(seed=seed)
        first = env.render()
        _say(isinstance(first, kind), f"render_mode {mode!r} gives a {type(first).__name__}")
        if isinstance(first, np.ndarray):
            assert env._picture is not None
            size = env._picture.size(env.cell_pixels)
            _say(size == first.shape[:2], f"a picture of {first.shape[:2]} pixels reports {size}")
        if info["action_mask"].any():
            env.step(_legal_action(info, np.random.default_rng(seed)))
            _say(not _equal(env.render(), first), f"render_mode {mode!r} shows no difference")
        env.close()
        env.close()


def check_vector_env(
    venv: VectorEnv[Any, Any, Any],
    *,
    steps: int = 200,
    seed: int = 7,
    make_single: Callable[[], SingleEnv] | None = None,
) -> None:
    """Check that a vector environment behaves like single environments.

    Equal observations, rewards, ends, infos and level sequences for equal seeds and actions, in the
    autoreset mode that its metadata names; new arrays at each step; truncation. Sub-environment i
    must behave like a single one seeded with seed + i.

    Args:
        venv: The vector environment, with at least two sub-environments.
        steps: Number of steps to compare.
        seed: Random seed of levels and actions.
        make_single: Creates the single environment; None for that of `venv.spec`.
    """
    mode = venv.metadata.get("autoreset_mode")
    if not isinstance(mode, AutoresetMode):
        raise AssertionError("metadata['autoreset_mode'] is not an AutoresetMode")
    if make_single is None:
        spec = venv.spec
        if spec is None:
            raise AssertionError("This vector environment has no spec; pass make_single.")
        of_vectors = {"num_envs", "vectorization_mode", "autoreset_mode", "threads"}
        kwargs = {key: value for key, value in spec.kwargs.items() if key not in of_vectors}
        make_single = lambda: gymnasium.make(spec.id, **kwargs)  # noqa: E731
    singles = _Singles([make_single() for _ in range(venv.num_envs)], mode)
    random = np.random.default_rng(seed)
    observations, infos = venv.reset(seed=seed)
    singles.reset(seed)
    earlier: list[Any] = []
    for step in range(steps):
        singles.compare(observations, infos, step)
        for other in earlier:
            fresh = not _share(other, (observations, infos))
            _say(fresh, f"step {step} returns memory of an earlier step")
        earlier = [(observations, infos), *earlier[:1]]
        if mode == AutoresetMode.DISABLED and singles.over.any():
            mask = singles.over.copy()
            observations, infos = venv.reset(options={"reset_mask": mask})
            singles.reset_some(mask)
            continue
        actions = singles.choose(random, venv.single_action_space)
        observations, rewards, terminated, truncated, infos = venv.step(actions)
        singles.step(actions)
        for name, ours, theirs in (
            ("rewards", rewards, singles.rewards),
            ("terminations", terminated, singles.terminated),
            ("truncations", truncated, singles.truncated),
        ):
            _say(_equal(np.asarray(ours), np.asarray(theirs)), f"step {step}: {name} differ")
    for env in singles.envs:
        env.close()


class _Singles:
    """Single environments, reset as a vector environment would reset them."""

    def __init__(self, envs: list[SingleEnv], mode: AutoresetMode) -> None:
        self.envs, self.mode = envs, mode
        count = len(envs)
        self.over = np.zeros(count, np.bool_)
        self.included = np.ones(count, np.bool_)
        self.rewards: list[float] = [0.0] * count
        self.terminated: list[bool] = [False] * count
        self.truncated: list[bool] = [False] * count
        self.observations: list[Any] = [None] * count
        self.infos: list[dict[str, Any]] = [{} for _ in envs]
        self.finals: list[tuple[Any, dict[str, Any]] | None] = [None] * count

    def reset(self, seed: int) -> None:
        for index, env in enumerate(self.envs):
            self.observations[index], self.infos[index] = env.reset(seed=seed + index)

    def reset_some(self, mask: np.ndarray) -> None:
        for index in np.flatnonzero(mask):
            self.observations[index], self.infos[index] = self.envs[index].reset()
        self.over[mask] = False
        self.included = mask

    def choose(self, random: np.random.Generator, space: gymnasium.Space[Any]) -> np.ndarray:
        """Choose legal actions if there is a mask, occasionally any action."""
        actions = []
        for info in self.infos:
            mask = info.get("action_mask")
            if mask is None or not mask.any() or random.random() < 0.1:
                space.seed(int(random.integers(1 << 31)))
                actions.append(space.sample())
            else:
                actions.append(_legal_action(info, random))
        return np.array(actions)

    def step(self, actions: np.ndarray) -> None:
        self.included = np.ones(len(self.envs), np.bool_)
        for index, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            self.finals[index] = None
            if self.mode == AutoresetMode.NEXT_STEP and self.over[index]:
                self.observations[index], self.infos[index] = env.reset()
                self.rewards[index], self.over[index] = 0.0, False
                self.terminated[index] = self.truncated[index] = False
                continue
            observation, reward, terminated, truncated, info = env.step(action)
            self.rewards[index] = float(reward)
            self.terminated[index], self.truncated[index] = bool(terminated), bool(truncated)
            self.over[index] = terminated or truncated
            if self.over[index] and self.mode == AutoresetMode.SAME_STEP:
                self.finals[index] = (observation, info)
                observation, info = env.reset()
                self.over[index] = False
            self.observations[index], self.infos[index] = observation, info

    def compare(self, observations: Any, infos: dict[str, Any], step: int) -> None:
        for index in range(len(self.envs)):
            where = f"step {step}, sub-environment {index}"
            _say(
                _equal(observations[index], self.observations[index]),
                f"{where}: the observation differs from a single environment's",
            )
            if self.included[index]:
                _compare_info(infos, self.infos[index], index, where)
            final = self.finals[index]
            if final is not None:
                _say(_equal(infos["final_obs"][index], final[0]), f"{where}: final_obs differs")
                _compare_info(infos["final_info"], final[1], index, f"{where}, final_info")


def _compare_info(infos: dict[str, Any], info: dict[str, Any], index: int, where: str) -> None:
    for key, value in info.items():
        _say(key in infos and bool(infos[f"_{key}"][index]), f"{where}: info has no {key!r}")
        _say(_equal(infos[key][index], value), f"{where}: info {key!r} differs")
    for key in infos:
        if not key.startswith(("_", "final_")):
            is_given = bool(infos[f"_{key}"][index])
            _say(is_given == (key in info), f"{where}: info has {key!r} where it should not")


def _say(holds: object, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def _equal(one: Any, other: Any) -> bool:
    """Equality through tuples, dicts and arrays."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(np.array_equal(one, other))


def _share(one: Any, other: Any) -> bool:
    """Whether two results of a step share memory."""
    ours, theirs = _arrays(one), _arrays(other)
    return any(np.shares_memory(a, b) for a in ours for b in theirs)


def _arrays(data: Any) -> list[np.ndarray]:
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, (tuple, list)):
        return [array for part in data for array in _arrays(part)]
    return [data] if isinstance(data, np.ndarray) and data.dtype != object else []

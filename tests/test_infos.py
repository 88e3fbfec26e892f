"""The infos of vector environments: made when somebody looks, and otherwise dicts."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import vector as wrappers

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.episodes import stepping
from puzzle_envs.vector import PuzzleVectorEnv

KEYS = (
    "action_mask", "solved", "lost", "illegal", "moves", "illegal_moves", "fitness", "level",
    "pushes", "steps",
)  # fmt: skip
ALL = (*KEYS, *(f"_{key}" for key in KEYS), "optimum", "_optimum")


def make(**options: Any) -> PuzzleVectorEnv:
    venv = gymnasium.make_vec("Kwirk-v0", 4, levels="easy", max_episode_steps=9, **options)
    assert isinstance(venv, PuzzleVectorEnv)
    venv.reset(seed=0)
    return venv


def step(venv: PuzzleVectorEnv) -> dict[str, Any]:
    return venv.step(venv.sample_legal())[4]


def made(info: dict[str, Any]) -> int:
    """How many values there are by now, past the methods of the info."""
    return dict.__len__(info)


def looked_at(info: dict[str, Any]) -> dict[str, Any]:
    """The same, key by key."""
    return {key: info[key] for key in ALL}


def test_only_what_is_asked_for_is_made() -> None:
    info = step(make())
    assert made(info) == 0
    assert "level" in info and "_optimum" in info and "final_obs" not in info
    assert made(info) == 0
    assert info["level"] is info["level"] is info.get("level")
    assert made(info) == 1
    assert info.get("wheels", 5) == 5
    with pytest.raises(KeyError, match="wheels"):
        info["wheels"]
    assert len(info) == made(info) == len(ALL)


WHOLE: list[Callable[[dict[str, Any]], Any]] = [
    dict,
    lambda info: {**info},
    lambda info: {} | info,
    lambda info: info | {},
    lambda info: {key: info[key] for key in info},
    lambda info: dict(zip(info.keys(), info.values(), strict=True)),
    lambda info: dict(info.items()),
    lambda info: {key: info[key] for key in reversed(info)},
    lambda info: info.copy(),
    copy.copy,
    copy.deepcopy,
    lambda info: pickle.loads(pickle.dumps(info)),
    lambda info: (lambda **given: given)(**info),
]


@pytest.mark.parametrize("whole", WHOLE)
@pytest.mark.parametrize("before", [(), ("level", "_moves"), ALL])
def test_a_copy_is_a_plain_dict_with_everything(
    whole: Callable[[dict[str, Any]], Any], before: tuple[str, ...]
) -> None:
    venv, twin = make(), make()
    info, expected = step(venv), looked_at(step(twin))
    for key in before:
        info[key]
    copied = whole(info)
    assert type(copied) is dict
    assert set(copied) == set(ALL)
    np.testing.assert_equal(copied, expected)


def test_it_changes_as_a_dict_does() -> None:
    info = step(make())
    info["episode"] = {"r": 1}
    info["moves"] = "mine"
    del info["lost"]
    assert info.pop("solved").shape == (4,)
    assert info.setdefault("fitness", "none").shape == (4,)
    assert info.pop("solved", None) is None
    assert "lost" not in info and "solved" not in info
    assert (info["moves"], info["episode"]) == ("mine", {"r": 1})
    assert set(info) == {*ALL, "episode"} - {"lost", "solved"}
    info.clear()
    assert not info and info == {} and "level" not in info


def test_equal_ones_are_equal_and_print_alike() -> None:
    one, other = ({"n": step(make()).pop("moves")[0]} for _ in range(2))
    assert one == other
    info = step(make())
    assert repr(info) == repr(dict(info))
    assert {} != info != {}


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_asked_late_it_tells_of_its_own_step(mode: str) -> None:
    venv, twin = make(autoreset_mode=mode), make(autoreset_mode=mode)
    late, early = [], []
    for _ in range(30):
        late.append(step(venv))
        early.append(copy.deepcopy(step(twin)))
    venv.reset(options={"levels": ["easy/7"]})
    venv.step(venv.sample_legal())
    for info, expected in zip(late, early, strict=True):
        if "final_info" in expected:
            assert made(info["final_info"]) == 0
            last, told = info.pop("final_obs"), expected.pop("final_obs")
            assert all(map(np.array_equal, last, told))
        np.testing.assert_equal(dict(info), expected)
    assert any("final_info" in info for info in late) == (mode == "SameStep")


def test_what_is_written_to_it_changes_no_episode() -> None:
    venv, twin = make(), make()
    for _ in range(20):
        info = step(venv)
        for key in ALL:
            info[key][...] = 0
        np.testing.assert_equal(looked_at(step(venv)), (step(twin), looked_at(step(twin)))[1])


def test_wrappers_of_gymnasium_find_what_they_need() -> None:
    venv: Any = wrappers.DictInfoToList(wrappers.RecordEpisodeStatistics(make()))
    venv.reset(seed=0)
    ended = 0
    for _ in range(20):
        actions = venv.unwrapped.sample_legal()
        _, _, terminated, truncated, infos = venv.step(actions)
        assert all(set(KEYS) <= info.keys() for info in infos)
        for info, over in zip(infos, terminated | truncated, strict=True):
            assert ("episode" in info) == over
            ended += over
    assert ended


def test_actions_of_any_integer_array_compile_nothing_anew() -> None:
    venv = make()
    actions = venv.sample_legal()
    venv.step(actions)
    known = len(stepping.advance.overloads)  # type: ignore[attr-defined]
    fixed = actions.copy()
    fixed.flags.writeable = False
    spread = np.zeros(8, np.int64)[::2]
    for given in (fixed, spread, actions.astype(np.uint8), actions.tolist()):
        venv.step(given)
    assert len(stepping.advance.overloads) == known  # type: ignore[attr-defined]

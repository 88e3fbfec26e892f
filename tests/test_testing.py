"""The checks that the package offers find the faults that they are for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.episodes.batch import State
from puzzle_envs.testing import check_puzzle, check_vector_env
from puzzle_envs.zen_garden import ZenGardenEnv, ZenGardenVectorEnv

Step = tuple[Any, ...]


class Faulty(ZenGardenVectorEnv):
    """A vector environment that spoils its steps."""

    spoil: Callable[[Step], Step]

    def step(self, actions: Any) -> Any:
        return type(self).spoil(super().step(actions))


def reuse_observations(step: Step, kept: list[Any] = []) -> Step:  # noqa: B006 (that is the fault)
    kept[:] = kept or [step[0].copy()]
    kept[0][:] = step[0]
    return (kept[0], *step[1:])


def reuse_infos(step: Step, kept: list[Any] = []) -> Step:  # noqa: B006 (that is the fault)
    kept[:] = kept or [step[4]["action_mask"].copy()]
    kept[0][:] = step[4]["action_mask"]
    return (*step[:4], {**step[4], "action_mask": kept[0]})


def forget_truncation(step: Step) -> Step:
    return (*step[:3], np.zeros_like(step[3]), step[4])


def call_truncation_termination(step: Step) -> Step:
    return (*step[:2], step[2] | step[3], *step[3:])


def shift_rewards(step: Step) -> Step:
    return (step[0], step[1] - 1, *step[2:])


def drop_a_key(step: Step) -> Step:
    return (*step[:4], {key: value for key, value in step[4].items() if "solved" not in key})


def spoil_a_mask(step: Step) -> Step:
    info = {**step[4], "action_mask": step[4]["action_mask"] * 0}
    return (*step[:4], info)


FAULTS = [
    (reuse_observations, "memory of an earlier step"),
    (reuse_infos, "memory of an earlier step"),
    (forget_truncation, "truncations differ"),
    (call_truncation_termination, "terminations differ"),
    (shift_rewards, "rewards differ"),
    (drop_a_key, "info has no 'solved'"),
    (spoil_a_mask, "info 'action_mask' differs"),
]


@pytest.mark.parametrize(("spoil", "said"), FAULTS, ids=[spoil.__name__ for spoil, _ in FAULTS])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_spoilt_step_is_found(
    spoil: Callable[[Step], Step], said: str, mode: AutoresetMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Faulty, "spoil", staticmethod(spoil), raising=False)
    venv = Faulty(3, max_episode_steps=5, autoreset_mode=mode)
    with pytest.raises(AssertionError, match=said):
        check_vector_env(venv, make_single=_single)


class TakesFloats(ZenGardenEnv):
    def step(self, action: Any) -> Any:
        return super().step(int(action))


class TakesAnyOption(ZenGardenEnv):
    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        return super().reset(seed=seed)


class AnswersBeforeReset(ZenGardenEnv):
    def get_state(self) -> State:
        return super().get_state() if self.begun else State(0, (0,), 0)


class ForgetsIllegalMoves(ZenGardenEnv):
    def step(self, action: Any) -> Any:
        *told, info = super().step(action)
        return *told, {**info, "illegal_moves": 0}


class ForgetsFitness(ZenGardenEnv):
    def set_state(self, state: State) -> Any:
        planes, info = super().set_state(state)
        return planes, {**info, "fitness": -1.0}


CARELESS = [
    (TakesFloats, "is not rejected with a TypeError"),
    (TakesAnyOption, "option 'lvl' is not rejected with a ValueError"),
    (AnswersBeforeReset, r"get_state before reset\(\) is not rejected with a ResetNeeded"),
    (ForgetsIllegalMoves, "illegal_moves does not count"),
    (ForgetsFitness, "set_state gives another 'fitness'"),
]


@pytest.mark.parametrize(("made", "said"), CARELESS)
def test_a_careless_environment_is_found(made: type[ZenGardenEnv], said: str) -> None:
    spec = gymnasium.spec("ZenGarden-v0")
    own = f"{made.__module__}:{made.__name__}"  # a class itself cannot be written as JSON
    gymnasium.register("Careless-v0", own, vector_entry_point=spec.vector_entry_point)
    try:
        with pytest.raises(AssertionError, match=said):
            check_puzzle("Careless-v0")
    finally:
        del gymnasium.registry["Careless-v0"]


class WrongSeeds(ZenGardenVectorEnv):
    """Seeds every sub-environment alike."""

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        return super().reset(seed=None if seed is None else [seed] * self.num_envs, options=options)


def test_wrong_seeding_is_found() -> None:
    boards = ["...\n...\n", ".#.\n...\n", "...\n.#.\n"]
    venv = WrongSeeds(3, levels=boards)
    with pytest.raises(AssertionError, match="observation differs"):
        check_vector_env(venv, make_single=lambda: gymnasium.make("ZenGarden-v0", levels=boards))


def test_the_singles_have_the_levels_of_the_vector() -> None:
    venv = gymnasium.make_vec("ZenGarden-v0", num_envs=2, levels="train/4x4", threads=2)
    check_vector_env(venv, steps=50)


def test_a_vector_without_spec_needs_a_way_to_make_singles() -> None:
    with pytest.raises(AssertionError, match="pass make_single"):
        check_vector_env(ZenGardenVectorEnv(2))


def _single() -> gymnasium.Env[Any, Any]:
    return gymnasium.make("ZenGarden-v0", max_episode_steps=5)

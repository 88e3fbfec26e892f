"""Policies as agents, the levels that they are trained on, and what evaluations say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.agents.small_models import CARDS, environment, same_weights_every_time  # noqa: F401

pytest.importorskip("sb3_contrib", reason="needs the rl extra")


import puzzle_agents
from puzzle_agents import Budget, Status
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.evaluation import any_legal, evaluate
from puzzle_agents.learning.levels import Stage, levels_of, new_levels
from puzzle_agents.learning.model_file import Model
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.presets import PRESETS
from puzzle_agents.statistics import wilson
from puzzle_envs.level import LevelError
from puzzle_envs.zen_garden import PUZZLE as GARDENS

# --- policies as agents -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["sample", "greedy", "beam"])
def test_a_policy_solves_what_is_easy(mode: str) -> None:
    env = environment("ZenGarden-v0", level="..\n..")
    agent = PolicyAgent(model=Model(CARDS["ZenGarden-v0"]), mode=mode, width=64)
    result = agent.solve(env)  # replayed by the base class, in the small board's own actions
    assert result.solved or mode == "greedy"
    assert not result.proved_optimal
    assert result == replace(agent.solve(env), seconds=result.seconds)


def test_a_model_with_another_mask_plays_a_smaller_grid() -> None:
    env = environment("Skyscraper-v0", level="3:3/2/1/1/2/2/3/2/1/1/2/2")
    assert env.action_space.n == 27
    agent = PolicyAgent(model=Model(CARDS["Skyscraper-v0"]), mode="beam", width=400)
    assert agent.solve(env).solved


def test_a_beam_finds_what_samples_of_a_bad_policy_do_not() -> None:
    env = environment("HuaRongDao-v0", level="train/1-10/1")
    model = Model(CARDS["HuaRongDao-v0"])
    result = PolicyAgent(model=model, mode="beam", width=3000, longest=60).solve(env)
    assert result.solved
    assert result.moves is not None
    assert result.moves >= env.reset()[1]["optimum"]


def test_a_policy_keeps_to_its_budget() -> None:
    env = environment("HuaRongDao-v0", level="classics/1")
    model = Model(CARDS["HuaRongDao-v0"])
    for mode in ("sample", "greedy", "beam"):
        few = PolicyAgent(Budget(expansions=25), model=model, mode=mode).solve(env)
        assert (few.status, few.expanded) == (Status.GAVE_UP, 25)
        short = PolicyAgent(Budget(seconds=0.05), model=model, mode=mode, longest=10**6)
        assert short.solve(env).status == Status.OUT_OF_TIME
    assert PolicyAgent(model=model, longest=3, width=2).solve(env).expanded == 6


def test_a_policy_goes_on_from_the_middle_and_knows_when_it_is_done() -> None:
    env = environment("ZenGarden-v0", level="..\n..")
    solution = puzzle_agents.make("bfs").solve(env).actions
    for action in solution[:-1]:
        env.step(action)
    agent = PolicyAgent(model=Model(CARDS["ZenGarden-v0"]), width=50)
    assert agent.solve(env).solved
    env.step(solution[-1])
    assert agent.solve(env).actions == []


# --- levels and figures -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "bin"),
    [("HuaRongDao-v0", "1-10"), ("Kwirk-v0", "1-3"), ("Skyscraper-v0", "4x4"),
     ("ZenGarden-v0", "5x5")],
)  # fmt: skip
def test_every_generator_draws_levels_of_its_bins(env: str, bin: str) -> None:
    puzzle = puzzle_of(env)
    generator = puzzle.generator
    assert generator is not None
    bundled = puzzle.format.find_all(f"train/{bin}")
    levels = new_levels(puzzle, bin, 6, seed=1)
    keys = [generator.canonical(level) for level in levels]
    assert len(set(keys)) == 6
    assert {level.optimum is None for level in levels} == {False}
    if env in ("HuaRongDao-v0", "Kwirk-v0"):  # bins of optima
        low, high = map(int, bin.split("-"))
        assert all(low <= (level.optimum or 0) <= high for level in [*levels, *bundled])
    else:  # bins of sizes
        assert {puzzle.format.shape(level.record) for level in [*levels, *bundled]} == {
            puzzle.format.shape(bundled[0].record)
        }


def test_fresh_levels_are_replaced_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which ones are drawn depends on the actions alone; running episodes go on with theirs."""
    monkeypatch.setattr("puzzle_agents.learning.levels.PERIOD", 100)
    stage = Stage(GARDENS, "first-steps/1+16 fresh 4x4", 0)
    assert (stage.climbed, stage.moves) == ("4x4", True)
    assert not Stage(GARDENS, "5 new 4x4", 0).moves
    first, same, later = (stage.levels(steps) for steps in (0, 99, 350))
    assert first == same
    assert len(first) == len(later) == 17
    assert first[0] == later[0]
    assert [one.name for one in first[7:]] == [one.name for one in later[1:11]]
    assert not {one.name for one in first[1:7]} & {one.name for one in later}
    anew = Stage(GARDENS, "first-steps/1+16 fresh 4x4", 0).levels(350)
    assert [one.record.tobytes() for one in anew] == [one.record.tobytes() for one in later]
    vector: Any = gymnasium.make_vec("ZenGarden-v0", 64, levels=first).unwrapped
    planes, info = vector.reset(seed=1)
    before = vector.level_names.copy()
    vector.draw_from(later)
    assert before.tolist() == vector.level_names.tolist()
    gone = {one.name for one in first} - {one.name for one in later}
    assert gone & set(before.tolist())
    actions = info["action_mask"].argmax(axis=1)
    twin: Any = gymnasium.make_vec("ZenGarden-v0", 64, levels=first).unwrapped
    assert np.array_equal(planes, twin.reset(seed=1)[0])
    assert np.array_equal(vector.step(actions)[0], twin.step(actions)[0])
    vector.reset()
    assert set(vector.level_names.tolist()) <= {one.name for one in later}


def test_new_levels_are_no_test_levels() -> None:
    from puzzle_envs.zen_garden.scattered import canonical

    levels = new_levels(GARDENS, "4x4", 60, seed=3)
    keys = {canonical(level) for level in levels}
    kept = {canonical(level) for level in GARDENS.format.find_all("test/4x4")}
    assert len(keys) == 60
    assert not keys & kept
    again = new_levels(GARDENS, "4x4", 60, seed=3)
    assert [one.record.tobytes() for one in again] == [one.record.tobytes() for one in levels]
    joined = levels_of(GARDENS, "3 new 4x4 + train/4x4", seed=3)
    assert len(joined) == 1003
    with pytest.raises(LevelError, match="no levels '9x9'; it has 4x4, 5x5"):
        new_levels(GARDENS, "9x9", 1, seed=0)
    with pytest.raises(LevelError):
        levels_of(GARDENS, "nowhere", seed=0)
    with pytest.raises(LevelError, match="no cells to leave empty"):
        levels_of(GARDENS, "3 new 4x4 with 2 empty", seed=0)
    begun = levels_of(puzzle_of("Skyscraper-v0"), "3 new 4x4 with 2 empty", seed=0)
    assert [level.optimum for level in begun] == [2, 2, 2]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_levels(preset: str) -> None:
    config = PRESETS[preset]
    puzzle = puzzle_of(config.env)
    for stage in config.stages:
        small = "+".join(
            " ".join(["2", *part.split()[1:]]) if "new" in part else part
            for part in stage.split("+")
        )
        assert levels_of(puzzle, small, seed=0)
    for name in config.validation:
        assert puzzle.format.find_all(name)


def test_intervals() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(0, 10)[0] == 0 < wilson(0, 10)[1] == pytest.approx(0.2775, abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(200, 200) == pytest.approx((0.9812, 1), abs=1e-4)


def test_evaluation_counts_what_was_solved() -> None:
    levels = GARDENS.format.find_all("first-steps")[:3]
    found = evaluate(any_legal, GARDENS, levels, samples=200, seed=1)
    assert found.solved.shape == (3, 200)
    assert found.rate(200) == 1
    assert 0 < found.solved.mean() < 1
    assert found.rate(1) <= found.rate(200)
    assert found.interval(200)[1] == 1
    optima = np.array([level.optimum for level in levels])
    assert (found.moves[found.solved] >= np.repeat(optima, 200).reshape(3, 200)[found.solved]).all()
    assert found.over_optimum >= 1
    cut = evaluate(any_legal, GARDENS, levels, samples=2, longest=1)
    assert not cut.solved[1:].any()


@pytest.mark.parametrize("said", [{"optimum": 99}, {"optimum": None, "solvable": False}])
def test_evaluation_refuses_a_level_that_says_what_it_disproves(said: dict[str, Any]) -> None:
    level = replace(GARDENS.format.find("first-steps/1")[0], **said)
    with pytest.raises(LevelError, match=r"but the policy solved it in .*; correct that line"):
        evaluate(any_legal, GARDENS, [level], samples=200, seed=1)


def test_later_episodes_are_played_more_freely() -> None:
    """A policy that is sure of what is wrong solves the level only where it is not followed."""
    level = GARDENS.format.find_all("first-steps")[:1]

    def stubborn(planes: np.ndarray, masks: np.ndarray, sides: np.ndarray) -> np.ndarray:
        rated = any_legal(planes, masks, sides)
        first = masks.argmax(axis=1)
        rated[np.arange(len(masks)), first] += 30
        return rated

    cold = evaluate(stubborn, GARDENS, level, samples=40, hottest=1)
    hot = evaluate(stubborn, GARDENS, level, samples=40, hottest=100)
    assert len(set(cold.solved[0].tolist())) == 1
    assert len(set(hot.solved[0].tolist())) == 2
    assert cold.solved[0, 0] == hot.solved[0, 0]

"""Learning in the states that the policy reaches, from solutions or from an agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch
from stable_baselines3.common.buffers import RolloutBuffer

from puzzle_agents.agent import Budget, Status
from puzzle_agents.demonstrations import Teacher
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.learning.asking import STRIDE, AskingVecEnv
from puzzle_agents.learning.cloning import teacher_of
from puzzle_agents.learning.config import Config, write_config
from puzzle_agents.learning.dagger import drawn_from
from puzzle_agents.learning.levels import levels_of
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.presets import GRIDS
from puzzle_agents.learning.run import Run
from puzzle_agents.learning.solutions import SolutionVecEnv
from puzzle_agents.learning.training import CONFIG, MODEL, resume
from puzzle_agents.learning.vec_env import to_sb3
from puzzle_agents.registry import make
from tests.agents.small_models import same_weights_every_time  # noqa: F401

GRID = Config(
    env="Skyscraper-v0",
    algorithm="dagger",
    stages=("40 fresh 4x4 with 9 empty",),
    validation=("validation/4x4",),
    longest=16,
    steps=12_000,
    envs=16,
    evaluate_every=3_000,
    **{**GRIDS, "arguments": {"n_steps": 16, "batch_size": 128}},
)
BOX = Config(
    env="HuaRongDao-v0",
    algorithm="dagger",
    teacher="astar",
    stages=("80 fresh 1-10",),
    validation=("validation/1-10",),
    longest=30,
    steps=4_000,
    envs=16,
    trunk={"channels": 16, "blocks": 1, "lines": 4},
    arguments={"n_steps": 16, "batch_size": 128, "learning_rate": 3e-3},
    evaluate_every=1_000,
)


def test_the_loss_wants_a_right_action_and_right_numbers_in_all_cells() -> None:
    right = torch.tensor([[2, 1, 1]])
    legal = torch.tensor([[True, True, True, True, False, False]])  # the third cell is full
    good = torch.tensor([[-9.0, 9.0, 9.0, -9.0, 50.0, 50.0]])
    unsure = torch.zeros(1, 6)
    one_cell = torch.tensor([[-9.0, 9.0, -9.0, 9.0, 0.0, 0.0]])
    losses = [
        float(SolutionVecEnv.loss(scores, legal, right)) for scores in (good, unsure, one_cell)
    ]
    assert losses[0] == pytest.approx(0, abs=1e-6)
    assert losses[1] == pytest.approx(2 * torch.log(torch.tensor(2.0)).item())
    assert losses[2] > losses[1] > losses[0]


def test_gradients_of_illegal_actions_are_zero_and_all_others_finite() -> None:
    scores = torch.zeros(1, 6, requires_grad=True)
    legal = torch.tensor([[True, True, True, True, False, False]])
    SolutionVecEnv.loss(scores, legal, torch.tensor([[2, 1, 1]])).backward()  # type: ignore[no-untyped-call]
    assert scores.grad is not None and torch.isfinite(scores.grad).all()
    assert (scores.grad[0, 4:] == 0).all() and (scores.grad[0, :4] != 0).all()


KEEPING = replace(
    BOX,
    trunk={"kind": "relative", "channels": 16, "blocks": 1, "lines": 4, "legal": True},
    arguments={**BOX.arguments, "kept_rollouts": 3, "n_epochs": 2},
)


@pytest.mark.parametrize(
    "config",
    [GRID, BOX, KEEPING],
    ids=["solutions", "a teacher", "kept lessons, legal actions seen"],
)
def test_a_policy_learns_and_an_interrupted_run_gives_the_same_one(
    config: Config, tmp_path: Path
) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    parted.mkdir()
    run = Run(config, whole, "", 1, lambda sentence: None)
    solved = [point.training for point in run.points()]
    assert len(solved) == 4 and solved[-1] > solved[0] + 0.1
    write_config(parted / CONFIG, config)
    next(Run(config, parted, "", 1, lambda sentence: None).points())
    resume(parted, threads=1)
    own, other = (load_model(folder / MODEL) for folder in (whole, parted))
    weights = [model.policy.state_dict() for model in (own, other)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    assert own.card.training.get("teacher") == other.card.training.get("teacher")


@pytest.mark.parametrize(
    ("id", "stage"),
    [("Kwirk-v0", "train/4-6+3 new 10-19"), ("ZenGarden-v0", "9 new 4x4+2 new 10x10")],
)
def test_a_teacher_is_asked_in_states_of_the_episodes_and_ends_lost_ones(
    id: str, stage: str
) -> None:
    """Levels of different sizes, whose states have different lengths."""
    levels = levels_of(puzzle_of(id), stage, 0)
    vec_env = to_sb3(gymnasium.make_vec(id, STRIDE, levels=levels, autoreset_mode="SameStep"))
    episodes, teacher = vec_env.puzzle_env, Teacher.of("greedy", id)
    taught = AskingVecEnv(vec_env, teacher, levels)
    taught.seed(1)
    taught.reset()
    taught.begin_rollout()
    env = make_env(id, levels=levels)
    bfs = make("bfs", Budget(seconds=None))
    asked_in, lost = [], 0
    for step in range(1, 201):
        asked = step % STRIDE  # with as many episodes, one of them
        level, state = episodes.situation(asked)
        actions = episodes.sample_legal()
        _, _, dones, infos = taught.step(actions)
        if dones[asked] and "moves" not in infos[asked]:
            lost += 1
            env.reset(options={"levels": [level]})
            env.set_state(state)
            env.step(actions[asked])
            assert np.array_equal(env.planes, infos[asked]["terminal_observation"])
            assert bfs.solve(env).status == Status.UNSOLVABLE
        else:
            asked_in.append(episodes.situation(asked))
    assert lost > 3
    assert sum(state.moves > 0 for _, state in asked_in) > 30
    planes, masks, right = taught.lessons(
        RolloutBuffer(1, taught.observation_space, taught.action_space)
    )
    row = 0
    for level, state in asked_in:
        env.reset(options={"levels": [level]})
        _, info = env.set_state(state)
        while not info["solved"]:
            assert np.array_equal(env.planes, planes[row])
            assert np.array_equal(info["action_mask"], masks[row])
            _, _, _, _, info = env.step(right[row])
            row += 1
    costs = {"demonstrated": row, "solved": len(asked_in), "failed": lost}
    assert len(right) == row and costs.items() <= teacher.costs.items()


def test_an_episode_that_ended_is_told_even_if_the_next_one_is_lost() -> None:
    """A teacher that finds nothing ends every episode that it is asked about."""
    level = puzzle_of("HuaRongDao-v0").format.find_all("test/81-138")[0]
    vec_env = to_sb3(
        gymnasium.make_vec(
            "HuaRongDao-v0",
            STRIDE,
            levels=[level],
            autoreset_mode="SameStep",
            max_episode_steps=STRIDE,
        )
    )
    taught = AskingVecEnv(vec_env, Teacher.of("bfs", "HuaRongDao-v0", expansions=1), [level])
    taught.seed(2)
    taught.reset()
    told = 0
    for step in range(1, 10 * STRIDE):
        _, _, dones, infos = taught.step(vec_env.puzzle_env.sample_legal())
        assert dones[step % STRIDE]
        assert all("is_success" in infos[index] for index in np.flatnonzero(dones))
        told += "moves" in infos[step % STRIDE]
    assert told > 0


def test_the_loss_of_shown_actions_counts_legal_ones_only() -> None:
    scores = torch.tensor([[1.0, 1.0, 50.0]])
    legal = torch.tensor([[True, True, False]])
    loss = AskingVecEnv.loss(scores, legal, torch.tensor([1]))
    assert float(loss) == pytest.approx(torch.log(torch.tensor(2.0)).item())


def test_how_long_a_teacher_may_search_for_an_answer() -> None:
    assert teacher_of(replace(BOX, teacher_expansions=7)).agent.budget.expansions == 7
    cloning = replace(BOX, algorithm="maskable-ppo", teacher_expansions=7)
    assert teacher_of(cloning).agent.budget.expansions == 100_000


def test_lessons_are_drawn_in_random_orders_each_once_before_any_twice() -> None:
    torch.manual_seed(1)
    drawn = drawn_from(5, 13).tolist()
    assert len(drawn) == 13
    assert sorted(drawn[:5]) == sorted(drawn[5:10]) == [0, 1, 2, 3, 4] != drawn[:5]
    assert len(set(drawn[10:])) == 3


@pytest.mark.parametrize(
    "changes", [{"reward": "sparse"}, {"teacher": "skyscraper-exact"}], ids=["neither", "both"]
)
def test_it_needs_solutions_or_a_teacher(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="give one of the two"):
        replace(GRID, **changes).check()

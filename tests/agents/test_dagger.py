"""Learning from solutions in the states that the policy reaches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.learning.config import Config, write_config
from puzzle_agents.learning.dagger import loss_of
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.presets import GRIDS
from puzzle_agents.learning.run import Run
from puzzle_agents.learning.training import CONFIG, MODEL, resume
from tests.agents.small_models import same_weights_every_time  # noqa: F401

SMALL = Config(
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


def test_the_loss_wants_a_right_action_and_right_numbers_in_all_cells() -> None:
    right = torch.tensor([[2, 1, 1]])
    legal = torch.tensor([[True, True, True, True, False, False]])  # the third cell is full
    good = torch.tensor([[-9.0, 9.0, 9.0, -9.0, 50.0, 50.0]])
    unsure = torch.zeros(1, 6)
    one_cell = torch.tensor([[-9.0, 9.0, -9.0, 9.0, 0.0, 0.0]])
    losses = [float(loss_of(scores, legal, right)) for scores in (good, unsure, one_cell)]
    assert losses[0] == pytest.approx(0, abs=1e-6)
    assert losses[1] == pytest.approx(2 * torch.log(torch.tensor(2.0)).item())
    assert losses[2] > losses[1] > losses[0]


def test_gradients_of_illegal_actions_are_zero_and_all_others_finite() -> None:
    scores = torch.zeros(1, 6, requires_grad=True)
    legal = torch.tensor([[True, True, True, True, False, False]])
    loss_of(scores, legal, torch.tensor([[2, 1, 1]])).backward()  # type: ignore[no-untyped-call]
    assert scores.grad is not None and torch.isfinite(scores.grad).all()
    assert (scores.grad[0, 4:] == 0).all() and (scores.grad[0, :4] != 0).all()


def test_a_policy_learns_and_an_interrupted_run_gives_the_same_one(tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    parted.mkdir()
    run = Run(SMALL, whole, "", 1, lambda sentence: None)
    solved = [point.training for point in run.points()]
    assert len(solved) == 4 and solved[-1] > solved[0] + 0.1
    write_config(parted / CONFIG, SMALL)
    next(Run(SMALL, parted, "", 1, lambda sentence: None).points())
    resume(parted, threads=1)
    own, other = (load_model(folder / MODEL).policy.state_dict() for folder in (whole, parted))
    assert all(torch.equal(own[name], other[name]) for name in own)


def test_it_needs_the_solutions() -> None:
    with pytest.raises(ValueError, match="dagger learns from solutions"):
        replace(SMALL, reward="sparse").check()

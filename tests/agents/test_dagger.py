"""Learning from solutions in the states that the policy reaches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.learning.config import Config
from puzzle_agents.learning.curve import steps_and_shares
from puzzle_agents.learning.dagger import loss_of
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.presets import GRIDS
from puzzle_agents.learning.training import MODEL, resume, train
from tests.agents.small_models import same_weights_every_time  # noqa: F401

SMALL = Config(
    env="Skyscraper-v0",
    algorithm="dagger",
    stages=("40 fresh 4x4 with 3 empty",),
    validation=("validation/4x4",),
    longest=16,
    steps=12_000,
    envs=16,
    evaluate_every=6_000,
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


def test_a_policy_learns_from_solutions_and_a_resumed_run_gives_the_same(tmp_path: Path) -> None:
    whole = load_model(train(SMALL, tmp_path / "whole"))
    assert whole.card.algorithm == "dagger"
    before = load_model(train(replace(SMALL, steps=256, evaluate_every=256), tmp_path / "before"))
    weights, untrained = whole.policy.state_dict(), before.policy.state_dict()
    assert any(not torch.equal(weights[name], untrained[name]) for name in weights)
    _, shares = steps_and_shares(tmp_path / "whole")
    assert len(shares) == 2
    assert resume(tmp_path / "whole") == tmp_path / "whole" / MODEL
    again = load_model(train(SMALL, tmp_path / "again"))
    assert all(torch.equal(again.policy.state_dict()[name], weights[name]) for name in weights)


def test_it_needs_the_solutions() -> None:
    with pytest.raises(ValueError, match="dagger learns from solutions"):
        replace(SMALL, reward="sparse").check()

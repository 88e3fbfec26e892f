"""Models, configurations and environments that are quick to train."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.environments import make_env
from puzzle_agents.learning.card import Card
from puzzle_agents.learning.config import Config
from puzzle_envs.env import PuzzleEnv

SMALL = {"channels": 8, "blocks": 1, "lines": 4}
CARDS = {
    "ZenGarden-v0": Card("maskable-ppo", "ZenGarden-v0", {}, 11, 4, 4, 19, SMALL),
    "HuaRongDao-v0": Card("maskable-ppo", "HuaRongDao-v0", {}, 13, 5, 4, 80, SMALL),
    "Skyscraper-v0": Card(
        "maskable-ppo", "Skyscraper-v0", {"mask": "consistent"}, 22, 4, 4, 64, SMALL
    ),
}
TINY = Config(
    env="ZenGarden-v0",
    stages=("first-steps/1", "20 new 4x4"),
    validation=("first-steps/1",),
    steps=2_000,
    longest=20,
    threshold=0.0,
    envs=8,
    trunk=SMALL,
    arguments={"n_steps": 16, "batch_size": 64},
    evaluate_every=500,
)


@pytest.fixture(autouse=True)
def same_weights_every_time() -> None:
    """Every test starts with the same weights, on one thread."""
    torch.manual_seed(0)
    torch.set_num_threads(1)  # several, on so little work, wait for each other


def environment(id: str, **arguments: Any) -> PuzzleEnv:
    return make_env(id, **arguments)

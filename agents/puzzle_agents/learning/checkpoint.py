"""Checkpoints: weights, optimizer and counters of a run in one file, which holds only numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch

from puzzle_agents.fields import (
    Kind,
    check,
    list_of,
    number,
    table,
    table_of,
    whole,
)
from puzzle_agents.learning.card import STEPS
from puzzle_agents.learning.curve import Point
from puzzle_agents.learning.model_file import tensors_like
from puzzle_agents.learning.tensors import read_tensors
from puzzle_agents.reading import bytes_of_file
from puzzle_envs.common.files import whole_file

LARGEST = 2**28
"""Maximum size in bytes: an optimizer keeps two numbers per weight."""
TABLE = Kind("a table", lambda value: isinstance(value, dict))
ANY_NUMBER = Kind("a number", lambda value: type(value) in (int, float))
SECONDS = number(0, 10**12)
POINT = table(
    {
        "steps": STEPS,
        "stage": whole(0, 1000),
        "training": ANY_NUMBER,
        "validation": ANY_NUMBER,
        "climbed": ANY_NUMBER,
        "over_optimum": ANY_NUMBER,
        "seconds": SECONDS,
    }
)


class Checkpoint(NamedTuple):
    """The state from which a run resumes."""

    policy: Mapping[str, torch.Tensor]
    optimizer: dict[str, Any]
    steps: int
    """Actions learned from."""
    stage: int
    curve: list[Point]
    seconds: float
    teaching: Mapping[str, int] = {}
    """What the teacher did, if there was one."""
    before: int = 0
    """Actions of the model that the run began with, if there was one."""


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint atomically."""
    parsed = checkpoint._asdict() | {
        "curve": [list(point) for point in checkpoint.curve],
        "teaching": dict(checkpoint.teaching),
    }
    with whole_file(path) as file:
        torch.save(parsed, file)


def read_checkpoint(path: Path, policy: Any, stages: int) -> Checkpoint:
    """Read a checkpoint; a ValueError says why a run cannot resume from it.

    Args:
        path: The checkpoint file.
        policy: An untrained policy of the run.
        stages: Number of stages of the run.
    """
    try:
        parsed = read_tensors(bytes_of_file(path, LARGEST))
        known = {
            "policy": TABLE,
            "optimizer": TABLE,
            "steps": STEPS,
            "stage": whole(0, stages - 1),
            "curve": list_of(list_of(ANY_NUMBER, len(Point._fields), len(Point._fields)), 0, 10**6),
            "seconds": SECONDS,
            "teaching": table_of(STEPS),
            "before": STEPS,
        }
        check(parsed, table(known, needed=known.keys() - {"seconds", "teaching", "before"}))
        curve = [Point(*values) for values in parsed["curve"]]
        for number_of, point in enumerate(curve):
            check(point._asdict(), POINT, f"curve[{number_of}]")
        return Checkpoint(
            tensors_like(policy.state_dict(), parsed["policy"]),
            _optimizer_like(policy.optimizer, parsed["optimizer"]),
            parsed["steps"],
            parsed["stage"],
            curve,
            parsed.get("seconds", curve[-1].seconds if curve else 0.0),
            parsed.get("teaching", {}),
            parsed.get("before", 0),
        )
    except ValueError as error:
        raise ValueError(
            f"{path} is not a checkpoint of this run: {error} Without it the run starts over."
        ) from None


def _optimizer_like(optimizer: torch.optim.Optimizer, parsed: Any) -> dict[str, Any]:
    """The optimizer's state for each weight; its settings are those of the configuration."""
    usual = _first_state(optimizer)
    state = parsed.get("state")
    if not isinstance(state, dict) or not state.keys() <= usual["state"].keys():
        raise ValueError("'optimizer' is not that of this network.")
    return {
        "param_groups": usual["param_groups"],
        "state": {
            weight: _remembered(usual["state"][weight], values) for weight, values in state.items()
        },
    }


def _remembered(usual: Mapping[str, Any], parsed: Any) -> dict[str, Any]:
    arrays = dict(parsed) if isinstance(parsed, dict) else {}
    plain = {name: value for name, value in usual.items() if not isinstance(value, torch.Tensor)}
    counts = {name: arrays.pop(name, None) for name in plain}
    if not all(whole(0, 10**15).holds(count) for count in counts.values()):
        raise ValueError("'optimizer' has counters that are not numbers.")
    tensors = {name: value for name, value in usual.items() if name not in plain}
    return {**counts, **tensors_like(tensors, arrays)}


def _first_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """The optimizer's state after a step that changes nothing."""
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    for weight in weights:
        weight.grad = torch.zeros_like(weight)
    optimizer.step()
    optimizer.zero_grad()
    return optimizer.state_dict()

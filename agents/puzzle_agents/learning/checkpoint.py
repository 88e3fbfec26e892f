"""Where a run is: weights, optimizer and counts in one file, which holds numbers only."""

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
    whole,
)
from puzzle_agents.learning.card import STEPS
from puzzle_agents.learning.curve import Point
from puzzle_agents.learning.model_file import tensors_like
from puzzle_agents.learning.tensors import read_tensors
from puzzle_agents.reading import bytes_of_file
from puzzle_envs.common.files import whole_file

__all__ = ["Checkpoint", "read_checkpoint", "write_checkpoint"]

LARGEST = 2**28
"""Bytes of a file: an optimizer keeps two numbers beside each weight."""
TABLE = Kind("a table", lambda value: isinstance(value, dict))
ANY_NUMBER = Kind("a number", lambda value: type(value) in (int, float))
SECONDS = number(0, 10**12)
POINT = table(
    {
        "steps": STEPS,
        "stage": whole(0, 1000),
        "training": ANY_NUMBER,
        "validation": ANY_NUMBER,
        "over_optimum": ANY_NUMBER,
        "seconds": SECONDS,
    }
)


class Checkpoint(NamedTuple):
    """What a run goes on from."""

    policy: Mapping[str, torch.Tensor]
    optimizer: dict[str, Any]
    steps: int
    """Actions that were learned from."""
    stage: int
    curve: list[Point]
    seconds: float


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write it, whole or not at all."""
    told = checkpoint._asdict() | {"curve": [list(point) for point in checkpoint.curve]}
    with whole_file(path) as file:
        torch.save(told, file)


def read_checkpoint(path: Path, policy: Any, stages: int) -> Checkpoint:
    """Read it back; a ValueError says why a run cannot go on from it.

    Args:
        path: Its file.
        policy: An untrained one of the run.
        stages: How many the run has.
    """
    try:
        told = read_tensors(bytes_of_file(path, LARGEST))
        known = {
            "policy": TABLE,
            "optimizer": TABLE,
            "steps": STEPS,
            "stage": whole(0, stages - 1),
            "curve": list_of(list_of(ANY_NUMBER, len(Point._fields), len(Point._fields)), 0, 10**6),
            "seconds": SECONDS,
        }
        check(told, table(known, needed=known.keys() - {"seconds"}))
        curve = [Point(*values) for values in told["curve"]]
        for number_of, point in enumerate(curve):
            check(point._asdict(), POINT, f"curve[{number_of}]")
        return Checkpoint(
            tensors_like(policy.state_dict(), told["policy"]),
            _optimizer_like(policy.optimizer, told["optimizer"]),
            told["steps"],
            told["stage"],
            curve,
            told.get("seconds", curve[-1].seconds if curve else 0.0),
        )
    except ValueError as error:
        raise ValueError(
            f"{path} is no checkpoint that this run can go on from: {error} Without it the run "
            "begins anew."
        ) from None


def _optimizer_like(optimizer: torch.optim.Optimizer, told: Any) -> dict[str, Any]:
    """What the optimizer remembers of each weight; its settings are those of the configuration."""
    usual = _first_state(optimizer)
    state = told.get("state")
    if not isinstance(state, dict) or not state.keys() <= usual["state"].keys():
        raise ValueError("'optimizer' is not that of this network.")
    return {
        "param_groups": usual["param_groups"],
        "state": {
            weight: _remembered(usual["state"][weight], values) for weight, values in state.items()
        },
    }


def _remembered(usual: Mapping[str, Any], told: Any) -> dict[str, Any]:
    arrays = dict(told) if isinstance(told, dict) else {}
    plain = {name: value for name, value in usual.items() if not isinstance(value, torch.Tensor)}
    counts = {name: arrays.pop(name, None) for name in plain}
    if not all(whole(0, 10**15).holds(count) for count in counts.values()):
        raise ValueError("'optimizer' counts in no numbers.")
    tensors = {name: value for name, value in usual.items() if name not in plain}
    return {**counts, **tensors_like(tensors, arrays)}


def _first_state(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """What it remembers after a step that changes nothing."""
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    for weight in weights:
        weight.grad = torch.zeros_like(weight)
    optimizer.step()
    optimizer.zero_grad()
    return optimizer.state_dict()

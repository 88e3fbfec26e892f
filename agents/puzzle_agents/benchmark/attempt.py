"""An attempt at a task: warmed up, run in its own process, verified, and recorded as a row."""

from __future__ import annotations

import datetime
import functools
import time
from contextlib import suppress
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

from puzzle_agents import machine
from puzzle_agents.agent import Budget, FalseLevelError, Result, Status
from puzzle_agents.benchmark import limited
from puzzle_agents.benchmark.limited import Outcome
from puzzle_agents.benchmark.row import ERROR, Given, Row
from puzzle_agents.benchmark.task import Task
from puzzle_agents.episode import EpisodeError
from puzzle_agents.registry import Kind

PACKAGES = ("puzzle-envs", "gymnasium", "numpy", "numba")
PACKAGES_OF_LEARNING = ("torch", "stable-baselines3", "sb3-contrib")


class Played(NamedTuple):
    """The result of an agent on a task."""

    result: Result
    cpu_seconds: float
    disproof: str | None = None
    """How it contradicts the level's stated optimum."""
    train_steps: int | None = None
    train_seconds: float | None = None


def warm_up(task: Task) -> float:
    """Warm the agent up once per level of its tasks; return the seconds it took."""
    began = time.perf_counter()
    if (task.group, task.level_text) not in _warm:
        _warm.add((task.group, task.level_text))
        with suppress(Exception):  # the attempt reports what is wrong with the level
            task.make_agent(Budget(memory=task.budget.memory)).warm_up(task.episode().begin())
    return time.perf_counter() - began


_warm: set[tuple[str, str]] = set()
"""What this process has warmed up for."""


def attempt(task: Task, warm_seconds: float) -> Row:
    """Run the agent on the task in a fork of this process, and verify its claims."""
    began, load = _now(), machine.load()
    outcome = limited.call(partial(_play, task), task.budget)
    return _row(task, began, load, warm_seconds, outcome)


def lost(task: Task, sentence: str) -> Row:
    """The row of a task that failed with a message."""
    outcome: Outcome[Played] = Outcome(None, ERROR, sentence, 0.0, 0.0, 0)
    return _row(task, _now(), machine.load(), 0.0, outcome)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


def _row(task: Task, began: str, load: float, warm_seconds: float, outcome: Outcome[Played]) -> Row:
    played = outcome.value
    result = Result(Status.GAVE_UP) if played is None else played.result
    return Row(
        **{field.name: getattr(task, field.name) for field in fields(Given)},
        key=task.key,
        status=outcome.status if played is None else str(result.status),
        error=outcome.error if played is None else played.disproof,
        moves=result.moves,
        proved_optimal=result.proved_optimal,
        bound=result.bound,
        actions=result.actions if result.solved else None,
        found=[list(point) for point in result.found],
        verified=result.solved and _holds(task, result),
        expanded=result.expanded,
        generated=result.generated,
        unique=result.unique,
        evaluated=result.evaluated,
        reopened=result.reopened,
        seconds=outcome.seconds if played is None else result.seconds,
        cpu_seconds=outcome.cpu_seconds if played is None else played.cpu_seconds,
        warm_seconds=warm_seconds,
        preparing=result.preparing,
        peak_bytes=result.peak_bytes,
        peak_rss=outcome.peak_rss,
        train_steps=None if played is None else played.train_steps,
        train_seconds=None if played is None else played.train_seconds,
        began=began,
        load=load,
        **_machine(task.kind),
    )


@functools.cache
def _machine(kind: Kind) -> dict[str, Any]:
    packages = PACKAGES + (PACKAGES_OF_LEARNING if kind == "learning" else ())
    return {
        "versions": machine.versions(packages),
        "cpu": machine.processor(),
        "cores": machine.cores(),
    }


def _holds(task: Task, result: Result) -> bool:
    """Whether a replay without the agent solves the level in the claimed number of moves."""
    try:
        task.episode(tuple(result.actions), result.moves or 0).replay()
    except (EpisodeError, ValueError):
        return False
    return True


def _play(task: Task) -> Played:
    env, agent = task.episode().begin(), task.make_agent()
    before = limited.cpu_seconds()
    disproof = None
    try:
        result = agent.solve(env)
    except FalseLevelError as error:
        if error.result is None:
            raise
        result, disproof = error.result, str(error)
    cpu_seconds = limited.cpu_seconds() - before
    training = agent.training_for(env)
    return Played(result, cpu_seconds, disproof, training.get("steps"), training.get("seconds"))

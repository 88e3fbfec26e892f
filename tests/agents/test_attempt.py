"""Attempts: rows whatever an agent does, verified solutions, equal budgets."""

from __future__ import annotations

import os
from typing import Any

import pytest

from puzzle_agents import registry
from puzzle_agents.agent import Budget, Status
from puzzle_agents.benchmark import limited
from puzzle_agents.benchmark.attempt import attempt, lost, warm_up
from puzzle_agents.benchmark.report.faults import faults_in
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.row import ERROR, Limits, Row
from puzzle_agents.benchmark.task import Task
from puzzle_agents.environments import make_env
from puzzle_agents.registry import ALL, Entry

# From Python 3.12 on it warns of threads, such as those of pytest-xdist.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

LIMITS = Limits(0.5, 2**26, None)


def task(name: str = "bfs", limits: Limits = LIMITS, **arguments: Any) -> Task:
    level = make_env("ZenGarden-v0", "first-steps/1")
    return Task(
        suite="test", env="ZenGarden-v0", options={}, level=level.level.name,
        level_text=level.puzzle.format.text(level.level), agent=name, name=name,
        arguments=arguments, kind="search", seed=None, budget=limits, optimum=3,
        known=None, solvable=True,
    )  # fmt: skip


FAULTY = Entry(
    home="tests.agents.faulty:Faulty", kind="search", does="", proves="", plays={ALL: ""}
)


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.AGENTS, "faulty", FAULTY)
    monkeypatch.setattr(limited, "CPU_GRACE", (1.0, 0.0))


def test_a_task_becomes_a_row() -> None:
    row = attempt(task(), 0.25)
    assert (row.status, row.error, row.verified, row.moves) == (Status.SOLVED, None, True, 3)
    assert row.proved_optimal and row.actions and row.key == task().key
    assert row.generated > 0 and row.warm_seconds == 0.25 and 0 <= row.peak_rss < 2**27
    assert 0 < row.cpu_seconds < 5 and row.versions["puzzle-envs"] and row.cores >= 1
    assert Row.from_json(row.to_json().encode()) == row


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize(
    ("how", "status", "said"),
    [
        ("raises", ERROR, "RuntimeError: It cannot go on."),
        ("dies", ERROR, "killed by SIGSEGV"),
        ("leaves", ERROR, "exited with code 3"),
        ("spins", Status.OUT_OF_TIME, "The system ended the process after exceeding its 0.5 s"),
        ("sleeps", Status.OUT_OF_TIME, "without returning"),
        ("takes memory", Status.OUT_OF_MEMORY, "refused memory"),
    ],
)
def test_an_agent_that_goes_wrong_becomes_a_row(
    how: str, status: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "sleeps":
        monkeypatch.setattr(limited, "WALL_GRACE", (1.0, 1.0))
    row = attempt(task("faulty", how=how), 0.0)
    assert (row.status, row.verified, row.moves) == (status, False, None)
    assert row.error is not None and said in row.error, row.error
    assert how != "spins" or row.cpu_seconds > 0.5
    assert Row.from_json(row.to_json().encode()) == row


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize("how", ["claims too much", "stops short"])
def test_a_solution_that_does_not_hold_is_not_verified(how: str) -> None:
    row = attempt(task("faulty", how=how), 0.0)
    assert row.solved and not row.verified
    faults = faults_in(Results([row, attempt(task(), 0.0)]))
    assert list(faults) == [0] and "not verified" in faults[0][0]


@pytest.mark.usefixtures("faulty")
def test_warming_up_survives_what_the_attempt_tells() -> None:
    assert warm_up(task("faulty", how="raises")) < 10
    assert warm_up(task()) < 60


def test_the_attempt_leaves_this_process_as_it_was() -> None:
    before = os.environ.copy()
    outcome = limited.call(lambda: os.environ.update(CHANGED="yes"), LIMITS)
    assert (outcome.status, outcome.error) == ("", None) and os.environ.copy() == before


def test_a_task_that_was_lost_says_why() -> None:
    row = lost(task(), "The process is gone.")
    assert (row.status, row.error, row.verified) == (ERROR, "The process is gone.", False)


@pytest.mark.parametrize("name", ["bfs", "astar", "random", "zen-ga"])
def test_a_budget_of_transitions_binds_everybody_alike(name: str) -> None:
    env = make_env("ZenGarden-v0", "large/1")
    limit = 20_000
    results = [
        registry.make(name, Budget(None, "256 MiB", transitions=limit)).solve(env) for _ in range(2)
    ]
    generated = {result.generated for result in results}
    assert len(generated) == 1, "it depends on the clock where it ends"
    assert results[0].solved or limit <= generated.pop() < 1.05 * limit


def test_the_steps_of_a_budget() -> None:
    assert Budget(expansions=5, transitions=3).steps == 3 and Budget().steps is None

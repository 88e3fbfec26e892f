"""Levels that say of themselves what an agent disproves: said at once, never repeated as truth."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from puzzle_agents import registry
from puzzle_agents.agent import Budget, FalseLevelError, Status
from puzzle_agents.benchmark.attempt import attempt
from puzzle_agents.benchmark.report.faults import faults_in
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.row import ERROR, Limits
from puzzle_agents.benchmark.task import Task
from puzzle_agents.cli.app import main
from puzzle_agents.environments import make_env
from tests.agents.benchmark_rows import UNSOLVED, row

GARDEN = "...\n.#.\n...\n"
"""Four moves."""
SEALED = "###\n#.#\n###\n"
"""No solution: nobody comes to the sand."""
FLOOR = "#######\n#1a  %#\n###   #\n#######\n"
"""Two pushes, six steps."""
STANDARD = "1A9BF0C00"
"""81 moves, 90 straight ones, 116 steps."""


def optimum_of(id: str, text: str, agent: str = "bfs", **options: Any) -> int | None:
    result = registry.make(agent).solve(make_env(id, text, **options))
    assert result.proved_optimal or result.status == Status.UNSOLVABLE
    return result.moves


def test_the_levels_here_are_what_they_are_said_to_be() -> None:
    assert optimum_of("ZenGarden-v0", GARDEN) == 4
    assert optimum_of("ZenGarden-v0", SEALED) is None
    assert optimum_of("Kwirk-v0", FLOOR) == 2
    assert optimum_of("KwirkSteps-v0", FLOOR) == 6


FALSE: dict[str, tuple[str, str, str, str]] = {
    "too low": ("ZenGarden-v0", f"; optimum: 3\n{GARDEN}", "astar", "optimum: 3.*proved 4 optimal"),
    "too high": ("ZenGarden-v0", f"; optimum: 5\n{GARDEN}", "astar", "optimum: 5.* solved it in 4"),
    "too high without a proof": ("ZenGarden-v0", f"; optimum: 99\n{GARDEN}", "greedy", "solved it"),
    "solvable after all": ("ZenGarden-v0", f"; optimum: none\n{GARDEN}", "greedy", "none'.*solved"),
    "unsolvable": ("ZenGarden-v0", f"; optimum: 3\n{SEALED}", "bfs", "proved it unsolvable"),
    "pushes": ("Kwirk-v0", f"; pushes: 3\n; steps: 6\n{FLOOR}", "astar", "pushes: 3.*solved"),
    "steps": ("KwirkSteps-v0", f"; pushes: 2\n; steps: 5\n{FLOOR}", "astar", "steps: 5.*proved 6"),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_optimum_is_an_error_of_the_level(name: str) -> None:
    id, text, agent, said = FALSE[name]
    with pytest.raises(FalseLevelError, match=f"{said}.*; correct that line") as caught:
        registry.make(agent).solve(make_env(id, f"; name: mine\n{text}"))
    assert "The level 'mine' says '; " in str(caught.value) and agent in str(caught.value)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (str(copied), copied.result) == (str(caught.value), caught.value.result)
    result = caught.value.result
    assert result is not None and result.status in (Status.SOLVED, Status.UNSOLVABLE)


def test_a_bound_above_the_optimum_disproves_it() -> None:
    env = make_env("ZenGarden-v0", "; optimum: 1\n" + "......\n.#..#.\n......\n" * 2)
    with pytest.raises(FalseLevelError, match="proved a lower bound of 5") as caught:
        registry.make("astar", Budget(expansions=50)).solve(env)
    result = caught.value.result
    assert result is not None and result.status == Status.GAVE_UP


@pytest.mark.parametrize(("metric", "moves"), [("move", 81), ("step", 116)])
def test_each_metric_has_an_optimum_of_its_own(metric: str, moves: int) -> None:
    text = f"; optimum: 81\n; optimum-step: 116\n{STANDARD}\n"
    result = registry.make("hua-rong-dao-bfs").solve(make_env("HuaRongDao-v0", text, metric=metric))
    assert (result.moves, result.proved_optimal) == (moves, True)
    wrong = text.replace(str(moves), str(moves - 1))
    with pytest.raises(FalseLevelError, match=f": {moves - 1}'.* {moves} optimal"):
        registry.make("hua-rong-dao-bfs").solve(make_env("HuaRongDao-v0", wrong, metric=metric))


def test_a_level_speaks_of_its_start() -> None:
    """From the middle of an episode fewer moves suffice, and a bad move makes it unsolvable."""
    env = make_env("ZenGarden-v0", f"; optimum: 4\n{GARDEN}")
    plan = registry.make("astar").solve(env).actions
    for action in plan[:2]:
        env.step(action)
    assert registry.make("astar").solve(env).solved
    found = {registry.make("bfs").solve(_after(env, action)).status for action in range(10)}
    assert found <= {Status.SOLVED, Status.UNSOLVABLE}


def _after(env: Any, action: int) -> Any:
    other = env.simulation()
    other.step(action)
    return other


def test_a_solution_from_the_middle_disproves_an_optimum_above_it() -> None:
    env = make_env("ZenGarden-v0", f"; optimum: 9\n{GARDEN}")
    plan = registry.make("astar").solve(make_env("ZenGarden-v0", GARDEN)).actions
    env.step(plan[0])
    with pytest.raises(FalseLevelError, match="solved it in 4"):
        registry.make("astar").solve(env)


def test_solve_says_it_and_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(f"; name: a\n; optimum: 3\n{GARDEN}\n; name: b\n; optimum: 4\n{GARDEN}")
    assert main(["solve", "ZenGarden-v0", f"{file}/a"]) == 2
    shown = capsys.readouterr()
    assert "proved optimal" not in shown.out
    assert "The level 'a' says '; optimum: 3', but astar proved 4 optimal" in shown.err
    assert main(["solve", "ZenGarden-v0", f"{file}/b"]) == 0


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_benchmark_keeps_the_result_and_tells_the_contradiction() -> None:
    task = Task(
        suite="test", env="ZenGarden-v0", options={}, level="a",
        level_text=f"; name: a\n; optimum: 3\n{GARDEN}", agent="bfs", name="bfs", arguments={},
        kind="search", seed=None, budget=Limits(5.0, 2**28, None), optimum=3,
        known=None, solvable=True,
    )  # fmt: skip
    done = attempt(task, 0.0)
    assert (done.status, done.moves, done.verified) == (Status.SOLVED, 4, True)
    assert done.status != ERROR and done.error is not None and "proved 4 optimal" in done.error
    faults = faults_in(Results([done]))
    assert list(faults) == [0] and "stated optimum is 3" in faults[0][0]


@pytest.mark.parametrize(
    "claim",
    [
        {"moves": 4, "proved_optimal": True},
        {"moves": 2},
        UNSOLVED | {"bound": 4},
        UNSOLVED | {"status": "unsolvable"},
    ],
)
def test_a_report_knows_no_optimum_that_a_row_contradicts(claim: dict[str, Any]) -> None:
    rows = [row(optimum=3, moves=5, agent="other"), row(optimum=3, **claim)]
    results = Results(rows)
    assert not results.optima and list(results.best.values()) != [3]
    assert 1 in faults_in(results)

"""Searches without their proofs of dead ends, symmetries or learning: the same answers, dearer."""

from __future__ import annotations

from typing import Any

import pytest

import puzzle_agents
from puzzle_agents import Budget, Status
from puzzle_agents.benchmark.suite import read_suite
from puzzle_agents.environments import make_env

BUDGET = Budget(None, expansions=400_000)
GARDEN, FLOOR = ("ZenGarden-v0", "mixed/4"), ("Kwirk-v0", "hard/2")


def expanded(
    name: str, level: tuple[str, str], **arguments: Any
) -> tuple[tuple[Status, int | None], int]:
    """What an agent says of a level, and after how many expansions."""
    result = puzzle_agents.make(name, BUDGET, **arguments).solve(make_env(*level))
    assert result.status in (Status.SOLVED, Status.UNSOLVABLE)
    return (result.status, result.moves if result.proved_optimal else None), result.expanded


@pytest.mark.parametrize("name", ["astar", "uniform-cost", "weighted-astar", "greedy", "dfs"])
@pytest.mark.parametrize("level", [GARDEN, FLOOR])
def test_without_dead_ends_a_search_answers_the_same(name: str, level: tuple[str, str]) -> None:
    said, few = expanded(name, level)
    same, many = expanded(name, level, dead_ends=False)
    assert said == same
    if name in ("astar", "uniform-cost"):
        assert many > few


def test_without_dead_ends_unsolvable_levels_are_still_proved_so() -> None:
    levels = [("Kwirk-v0", f"validation/twins/{number}") for number in range(1, 5)]
    unsolvable = next(level for level in levels if make_env(*level).level.solvable is False)
    for name in ("astar", "greedy"):
        said, few = expanded(name, unsolvable)
        same, many = expanded(name, unsolvable, dead_ends=False)
        assert said == same == (Status.UNSOLVABLE, None) and many >= few


def test_breadth_first_search_does_without_too() -> None:
    said, few = expanded("bfs", GARDEN)
    same, many = expanded("bfs", GARDEN, dead_ends=False)
    assert said == same and many > few


def test_the_suite_has_every_ablation_beside_its_agent() -> None:
    agents: dict[str, dict[str, Any]] = {}
    for task in read_suite("ablations").tasks:
        agents.setdefault(task.env, {})[task.agent] = (task.name, task.arguments)
    for env, its in agents.items():
        assert {"astar", "astar-without-heuristic", "phs", "phs-without-learning",
                "phs-without-heuristic"} <= its.keys()  # fmt: skip
        assert ("astar-without-dead-ends" in its) == (env in ("ZenGarden-v0", "Kwirk-v0"))

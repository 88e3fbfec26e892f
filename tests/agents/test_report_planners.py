"""Planners in a report: beside the best of ours on each set of levels, with their tasks' sizes."""

from __future__ import annotations

from typing import Any

from puzzle_agents.benchmark.report.planners import planner_table, task_table
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.environments import puzzle_of
from puzzle_agents.table import Table
from tests.agents.benchmark_rows import UNSOLVED, row

PLANNER: dict[str, Any] = {"agent": "lama", "name": "lama", "kind": "planner"}
GREEDY: dict[str, Any] = {"agent": "greedy", "name": "greedy"}


def on(level: str, **changes: Any) -> Any:
    """A row of A* on a bundled level."""
    format = puzzle_of("ZenGarden-v0").format
    return row(level=level, level_text=format.text(format.find(level)[0]), **changes)


def cells(table: Table) -> list[list[str]]:
    return [[cell.text for cell in line] for line in table.rows]


def test_planners_stand_beside_the_best_of_ours() -> None:
    results = Results(
        [
            on("test/6x6/1"),
            on("test/4x4/1", cpu_seconds=2.0),
            on("test/4x4/2", **UNSOLVED),
            on("test/4x4/1", cpu_seconds=0.5, expanded=7, **GREEDY),
            on("test/4x4/2", **GREEDY | UNSOLVED),
            on("test/4x4/1", preparing=0.25, cpu_seconds=3.0, expanded=40, **PLANNER),
            on("test/4x4/2", preparing=0.75, **PLANNER | UNSOLVED),
        ]
    )
    assert cells(planner_table(results)) == [
        ["ZenGarden-v0", "test/4x4", "greedy", "1/2", "0.5", "7", "–"],
        ["ZenGarden-v0", "test/4x4", "lama", "1/2", "3", "40", "0.5"],
        ["ZenGarden-v0", "test/6x6", "astar", "1/1", "1", "100", "–"],
    ]
    ((puzzle, tier, levels, *sizes),) = cells(task_table(results))
    assert (puzzle, tier, levels) == ("ZenGarden-v0", "test/4x4", "2")
    assert all(float(size) > 5 for size in sizes)


def test_without_planners_there_is_no_table() -> None:
    results = Results([on("test/4x4/1")])
    assert not planner_table(results).rows and not task_table(results).rows


def test_only_what_is_translated_has_a_size() -> None:
    solver: dict[str, Any] = {"agent": "cp-sat", "name": "cp-sat", "kind": "planner"}
    own = row(env="Skyscraper-v0", **solver)
    foreign = row(env="elsewhere:Mine-v0", **PLANNER)
    assert not task_table(Results([own, foreign])).rows
    table = planner_table(Results([own, foreign]))
    assert [line[2] for line in cells(table)] == ["cp-sat", "lama"]

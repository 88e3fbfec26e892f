"""Planners by sets of levels, beside the best agent of ours, and the sizes of their tasks."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from puzzle_agents.benchmark.report.cells import NONE, by_puzzle, count, figure, median
from puzzle_agents.benchmark.report.ladders import ladder_of
from puzzle_agents.benchmark.report.results import LevelKey, Results, decides
from puzzle_agents.benchmark.row import Row
from puzzle_agents.environments import check_imported, make_env, puzzle_of
from puzzle_agents.export import sas, task_of
from puzzle_agents.table import Table

KIND = "planner"


def planner_table(results: Results) -> Table:
    """The planners on each set of levels, after the agent of ours that decides most of it."""
    table = by_puzzle(
        "Planners and external solvers, by sets of levels",
        (
            "puzzle", "set", "agent", "solved", "CPU s", "expansions", "translating, s",
        ),
        names=3,
        remarks=(
            "First in each set: the agent of this package that solves most of it, in the least "
            "CPU time; then the external ones, under the same limits of time and memory.",
            "solved: as above. CPU s (cpu_seconds, with the planner's process and the translation) "
            "and expansions: medians over the solved runs; for cp-sat, branches.",
            f"translating: median seconds (preparing) over all runs. {NONE}: unknown, or none.",
        ),
    )  # fmt: skip
    for puzzle in results.puzzles:
        theirs = [agent for agent in results.agents(puzzle) if results.kinds[agent] == KIND]
        for name, keys in _sets(results, puzzle).items() if theirs else ():
            for agent in (_best_of_ours(results, puzzle, keys), *theirs):
                runs = _runs(results, puzzle, agent, keys) if agent is not None else []
                if agent is None or not runs:
                    continue
                rows = [row for own in runs for row in own]
                solved = [row for row in rows if decides(row)]
                translated = [row for row in rows if row.preparing]
                expanded = [row for row in solved if row.expanded]
                table.add(
                    puzzle, name, agent, f"{count(_coverage(runs))}/{len(runs)}",
                    median(lambda row: row.cpu_seconds, solved),
                    median(lambda row: row.expanded, expanded),
                    median(lambda row: row.preparing, translated),
                )  # fmt: skip
    return table


def task_table(results: Results) -> Table:
    """The sizes of the planning tasks of the levels that planners ran on."""
    table = by_puzzle(
        "Planning tasks, by sets of levels",
        ("puzzle", "set", "levels", "variables", "operators", "SAS+ file, kB"),
        remarks=("Medians over the levels; docs/planners.md says what an operator is.",),
    )
    for puzzle in results.puzzles:
        played = {
            key: rows[0]
            for agent in results.agents(puzzle)
            if results.kinds[agent] == KIND
            for key, rows in results.runs(puzzle, agent).items()
        }
        if not played or not _has_tasks(next(iter(played.values())).env):
            continue
        for name, keys in _sets(results, puzzle).items():
            sizes = [_size_of(played[key]) for key in keys if key in played]
            if sizes:
                medians = (figure(statistics.median(column)) for column in zip(*sizes, strict=True))
                table.add(puzzle, name, str(len(sizes)), *medians)
    return table


def _sets(results: Results, puzzle: str) -> dict[str, list[LevelKey]]:
    """The levels by their sets, in the order of the ladder."""
    return {name or NONE: keys for name, keys in ladder_of(results, puzzle).levels.items()}


def _runs(
    results: Results, puzzle: str, agent: str, keys: Sequence[LevelKey]
) -> list[Sequence[Row]]:
    """An agent's runs on some levels, those of each level together."""
    found = results.runs(puzzle, agent)
    return [found[key] for key in keys if key in found]


def _coverage(runs: Sequence[Sequence[Row]]) -> float:
    return sum(statistics.fmean(map(decides, rows)) for rows in runs)


def _best_of_ours(results: Results, puzzle: str, keys: Sequence[LevelKey]) -> str | None:
    """The agent that decides most of a set, in the least time; None if only planners ran."""

    def worth(agent: str) -> tuple[float, float]:
        runs = _runs(results, puzzle, agent, keys)
        seconds = sum(statistics.fmean(row.cpu_seconds for row in rows) for rows in runs)
        return _coverage(runs), -seconds

    ours = [agent for agent in results.agents(puzzle) if results.kinds[agent] != KIND]
    return max(ours, key=worth, default=None)


def _has_tasks(id: str) -> bool:
    """Whether levels of an environment are translated; not if its package is not imported."""
    try:
        check_imported(id)
    except ValueError:
        return False
    return puzzle_of(id).planning is not None


class _Size(NamedTuple):
    variables: int
    operators: int
    kilobytes: float


def _size_of(row: Row) -> _Size:
    return _size(row.env, tuple(sorted(row.options.items())), row.level_text)


@cache
def _size(id: str, options: tuple[tuple[str, Any], ...], text: str) -> _Size:
    task = task_of(make_env(id, text, **dict(options)))
    return _Size(len(task.variables), len(task.operators), len(sas(task)) / 1000)

"""Pyperplan, the small planner in Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from puzzle_agents.agent import Budget, Status
from puzzle_agents.export import pddl_domain, pddl_problem
from puzzle_agents.outside.planner import Ended, Planner
from puzzle_envs.common.arguments import one_of
from puzzle_envs.planning import Task

DOMAIN, PROBLEM = "domain.pddl", "problem.pddl"
SEARCHES = {"astar": "lmcut", "bfs": "blind", "gbf": "hff"}
"""Its searches, and the heuristic of each."""


class Pyperplan(Planner):
    """The planner Pyperplan, written in Python, for comparison.

    It ignores costs, so the shortest plan is proved optimal only if every operator costs 1.
    """

    name: ClassVar[str] = "pyperplan"
    package = "pyperplan"
    reads = PROBLEM
    plans = f"{PROBLEM}.soln"
    expanded = r"(\d+) Nodes expanded"

    def __init__(self, budget: Budget | None = None, search: str = "gbf") -> None:
        """Create the planner.

        Args:
            budget: Limits of an attempt.
            search: Its search: gbf (greedy, with relaxed plans), astar (with LM-cut) or bfs.
        """
        super().__init__(budget)
        one_of("search", search, SEARCHES)
        self.search = search

    def _write(self, task: Task, folder: Path) -> None:
        operators = [operator._replace(cost=1) for operator in task.operators]
        plain = replace(task, operators=operators)
        (folder / DOMAIN).write_text(pddl_domain(plain), encoding="ascii")
        (folder / PROBLEM).write_text(pddl_problem(plain), encoding="ascii")

    def _command(self, task: Task, folder: Path) -> Sequence[str | Path]:
        heuristic = SEARCHES[self.search]
        program = [sys.executable, "-m", "pyperplan", "-s", self.search, "-H", heuristic]
        return [*program, DOMAIN, PROBLEM]

    def _status(self, ended: Ended) -> Status:
        if "No solution could be found" in ended.log:
            return Status.UNSOLVABLE
        if ended.lacked_memory:
            return Status.OUT_OF_MEMORY
        raise RuntimeError(f"Pyperplan ended with code {ended.code}: {ended.log[-500:].strip()}")

    def _is_optimal(self, task: Task, ended: Ended) -> bool:
        only_ones = all(operator.cost == 1 for operator in task.operators)
        return only_ones and self.search != "gbf"

"""Exact solver for Skyscraper: constraint propagation and backtracking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium

from puzzle_agents.agent import Agent, Result, Status
from puzzle_agents.clock import Clock
from puzzle_agents.progress import Progress
from puzzle_agents.skyscraper_writes import (
    heights_of,
    skyscraper_record,
    until_solved,
    write_of,
)
from puzzle_envs.common.arguments import whole
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.skyscraper.exact import ExactSearch
from puzzle_envs.skyscraper.level import clues_of, givens_of


class SkyscraperExact(Agent):
    """Constraint propagation line by line, and backtracking with restarts.

    A search without progress restarts, and branches first where it failed most.

    Complete: it solves a grid or proves that it has no solution. Only the level's givens are fixed;
    heights already written are overwritten where the solution found differs. Writes come in the
    order in which they were derived, whatever the mask excludes.

    With the masks "consistent" and "empty", wrong heights may leave no legal way to the solution
    found; if none is found, it gives up.

    The number of writes is proved minimal if each fills an empty cell, as from the start of an
    episode, and if the solution is unique.
    """

    name: ClassVar[str] = "skyscraper-exact"
    only: ClassVar[str] = "Skyscraper"
    warming: ClassVar[int] = 1_000

    def _plan(self, env: PuzzleEnv) -> Result:
        search = self._search_of(env)
        status = self._until(search, 1)
        if status != Status.SOLVED:
            return self._result(status, search)
        record = env.record[0]
        heights = heights_of(record, env.get_state().words)
        steps = [(cell, height) for cell, height, _ in search.writes.tolist()]
        writes = [write_of(record, *step) for step in steps if heights[step[0]] != step[1]]
        if len(writes) == heights.count(0):
            return self._result(status, search, writes, proved_optimal=True)
        needed = until_solved(env, writes)
        only = len(needed) == len(writes) and self._is_only_solution(search)
        proved = not needed or only
        return self._result(status, search, needed, proved_optimal=proved)

    def count_solutions(self, env: gymnasium.Env[Any, Any], limit: int = 2) -> int:
        """Count the solutions of the level, up to a limit.

        Args:
            env: A Skyscraper environment, wrapped or not, after a reset.
            limit: Where to stop counting.

        Raises:
            RuntimeError: The budget was spent first.
        """
        limit = whole("limit", limit, 1)
        search = self._search_of(self._puzzle_env(env))
        self.clock = Clock(self.budget.seconds)
        status = self._until(search, limit)
        if status not in (Status.SOLVED, Status.UNSOLVABLE):
            raise RuntimeError(
                f"The budget was spent ({status}) after {search.solutions} solutions; increase it."
            )
        return search.solutions

    def is_unique(self, env: gymnasium.Env[Any, Any]) -> bool:
        """Whether the level has exactly one solution; see `count_solutions`."""
        return self.count_solutions(env, 2) == 1

    def _search_of(self, env: Any) -> ExactSearch:
        record = skyscraper_record(env, self.name)
        search = ExactSearch(int(record["size"]))
        search.load(clues_of(record), givens_of(record))
        return search

    def _until(self, search: ExactSearch, solutions: int) -> Status:
        """Search until this many solutions, all solutions, or the budget is reached."""

        def run(expansions: int) -> Status | None:
            if not search.run(solutions, expansions):
                return None
            return Status.SOLVED if search.solutions else Status.UNSOLVABLE

        return self._in_slices(run, lambda: Progress(search.nodes, generated=search.nodes))

    def _is_only_solution(self, search: ExactSearch) -> bool:
        """Whether uniqueness is proved within the rest of the budget."""
        self._until(search, 2)
        return search.exhausted and search.solutions == 1

    @staticmethod
    def _result(
        status: Status,
        search: ExactSearch,
        actions: Sequence[int] = (),
        *,
        proved_optimal: bool = False,
    ) -> Result:
        solved = status == Status.SOLVED
        return Result(
            status,
            actions=list(actions),
            moves=len(actions) if solved else None,
            proved_optimal=proved_optimal,
            expanded=search.nodes,
            generated=search.nodes,
        )

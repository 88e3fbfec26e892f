"""Depth-first search."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.search import Problem, SearchAgent

__all__ = ["DepthFirst"]


class DepthFirst(SearchAgent):
    """Expands the state that was found last, and none twice.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Not optimal:
    where moves can be undone its solutions are absurdly long. The estimate only drops states that
    it proves to be lost.

    Use it where every solution has the same length, as in Skyscraper.
    """

    name: ClassVar[str] = "dfs"

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(0, 0, ties_by_estimate=False, batch=1, reopens=False))

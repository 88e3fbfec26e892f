"""Greedy best-first search."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.search import Problem, SearchAgent

__all__ = ["Greedy"]


class Greedy(SearchAgent):
    """Expands the state with the smallest estimate, whatever it has cost, the latest first.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Not optimal.

    Use it to find some solution soon, where the estimate tells much.
    """

    name: ClassVar[str] = "greedy"

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(0, 1, reopens=False))

"""Uniform-cost search."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.search import Problem, SearchAgent

__all__ = ["UniformCost"]


class UniformCost(SearchAgent):
    """Expands the state that costs least so far: Dijkstra's algorithm.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Optimal in the
    paper's moves, also where whole moves cost differently. The estimate only drops states that it
    proves to be lost.

    Use it to check an estimate; A* does the same with fewer states.
    """

    name: ClassVar[str] = "uniform-cost"

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(1, 0))

"""A* search."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.search import Problem, SearchAgent

__all__ = ["AStar"]


class AStar(SearchAgent):
    """Expands the state whose cost so far and estimate add up to least.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Optimal in the
    paper's moves, because every estimate here is a lower bound; one that is not consistent makes
    it expand some states again. When the budget ends early, `bound` is what it has proved.

    Use it where an optimum is wanted and memory suffices: 20 to 40 bytes a state of one word.
    """

    name: ClassVar[str] = "astar"

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(1, 1))

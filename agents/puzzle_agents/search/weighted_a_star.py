"""Weighted A* search."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from puzzle_agents.agent import Budget
from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.search import Problem, SearchAgent

__all__ = ["WeightedAStar"]


class WeightedAStar(SearchAgent):
    """A* that counts the estimate more than the cost so far.

    Complete: it finds a solution or proves that there is none, if the budget lasts. The solution
    costs at most `weight` times the optimum; `proved_optimal` where the bound says so.

    Use it where A* takes too long and a solution near the optimum will do.
    """

    name: ClassVar[str] = "weighted-astar"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        weight: float = 2.0,
        estimate: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Make an agent.

        Args:
            budget: What it may spend on each attempt.
            weight: How much the estimate counts, from 1 to 10; taken as a fraction of whole
                numbers up to 10.
            estimate: Which of the puzzle's estimates to use; by default its usual one.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, estimate=estimate, symmetry=symmetry)
        if not 1 <= weight <= 10:
            raise ValueError(f"weight is a number from 1 to 10, not {weight}.")
        self.weight = Fraction(weight).limit_denominator(10)

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(self.weight.denominator, self.weight.numerator))

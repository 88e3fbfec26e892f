"""Iterative-deepening depth-first search."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.search.deepening import Deepening
from puzzle_agents.search.ida_star import IDAStar
from puzzle_agents.search.search import Problem

__all__ = ["IterativeDeepening"]


class IterativeDeepening(IDAStar):
    """Depth-first search up to a bound on the cost, with a higher bound each round.

    Complete where there is a solution, if the budget lasts; where there is none it proves that only
    if moves never lead back, else it goes round until the budget ends. Optimal in the paper's
    moves; the estimate is not used. It takes hardly any memory beside a table of some states.

    Use it to see what an estimate is worth: IDA* does the same with one.
    """

    name: ClassVar[str] = "iddfs"

    def _search(self, problem: Problem) -> Deepening:
        room = min(self.table_bytes, problem.max_bytes // 2)
        return Deepening(problem, informed=False, table_bytes=room)

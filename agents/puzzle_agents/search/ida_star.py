"""IDA*: iterative-deepening A*."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.agent import Budget, bytes_of
from puzzle_agents.search.deepening import Deepening
from puzzle_agents.search.search import Problem, SearchAgent

__all__ = ["IDAStar"]


class IDAStar(SearchAgent):
    """Depth-first search up to a bound on cost plus estimate, with a higher bound each round.

    Complete where there is a solution, if the budget lasts; where there is none it proves that only
    if moves never lead back, else it goes round until the budget ends. Optimal in the paper's
    moves. It takes hardly any memory beside a table that remembers some states.

    Use it where the estimate is good and A* runs out of memory; where many ways lead to the same
    state it searches them over and over.
    """

    name: ClassVar[str] = "idastar"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        table: str | int = "16 MiB",
        estimate: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Make an agent.

        Args:
            budget: What it may spend on each attempt.
            table: The memory for the table that remembers states; 0: no table.
            estimate: Which of the puzzle's estimates to use; by default its usual one.
            symmetry: Treat mirror images and rotations as one state in the table.
        """
        super().__init__(budget, estimate=estimate, symmetry=symmetry)
        self.table_bytes = bytes_of(table)

    def _search(self, problem: Problem) -> Deepening:
        room = min(self.table_bytes, problem.max_bytes // 2)
        return Deepening(problem, informed=True, table_bytes=room)

"""Breadth-first search."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.agent import Status
from puzzle_agents.search.search import Problem, Search, SearchAgent, Words
from puzzle_envs.states.exploration import Exploration

__all__ = ["BreadthFirst"]


class BreadthFirst(SearchAgent):
    """Searches all states one macro-move away, then two, and so on.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Optimal in the
    paper's moves wherever all macro-moves of a layer cost the same. No heuristic is used.

    Use it where states are few, or where nothing is known of the puzzle: it takes least time and
    memory for each state, 12 to 18 bytes for those of one word.
    """

    name: ClassVar[str] = "bfs"
    weighs_costs = False

    def _search(self, problem: Problem) -> BreadthFirstSearch:
        return BreadthFirstSearch(problem)


class BreadthFirstSearch(Search):
    """An Exploration as one of the searches."""

    def __init__(self, problem: Problem) -> None:
        """Begin with everything that costs nothing."""
        super().__init__(problem)
        self._exploration = Exploration(
            problem.puzzle, problem.record, problem.start, problem.max_bytes, merged=problem.merged
        )
        self.tally = self._exploration.tally

    def run(self, expansions: int) -> Status | None:
        """Go on, as Search.run."""
        if not self._exploration.run(expansions):
            return None
        if self.solved:
            return Status.SOLVED
        return Status.UNSOLVABLE if self._exploration.exhausted else Status.OUT_OF_MEMORY

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        return self._exploration.bytes

    @property
    def current(self) -> Words | None:
        """The state last expanded."""
        return self._exploration.current

    def path(self) -> list[Words]:
        """What was kept on the way to the solution."""
        return self._exploration.path()

    @property
    def proves_optimum(self) -> bool:
        """Whether no layer mixed moves of different cost."""
        return self._exploration.proves_optimum

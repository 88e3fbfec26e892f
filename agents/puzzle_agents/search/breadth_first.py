"""Breadth-first search."""

from __future__ import annotations

from typing import ClassVar

from puzzle_agents.agent import Status
from puzzle_agents.search.search import Problem, PruningAgent, Search
from puzzle_envs.level import Words
from puzzle_envs.states.exploration import Exploration


class BreadthFirst(PruningAgent):
    """Searches all states one macro-move away, then two, and so on.

    Complete: it finds a solution or proves unsolvability, within the budget. Optimal in the paper's
    moves if all macro-moves of a layer cost the same. No heuristic is used.

    Use it if there are few states, or no heuristic: it takes the least time and memory per state,
    12 to 18 bytes for those of one word.
    """

    name: ClassVar[str] = "bfs"
    weighs_costs = False

    def _search(self, problem: Problem) -> BreadthFirstSearch:
        return BreadthFirstSearch(problem, pruned=self.dead_ends)


class BreadthFirstSearch(Search):
    """An Exploration as a search."""

    def __init__(self, problem: Problem, *, pruned: bool = True) -> None:
        """Start with everything reached for free."""
        super().__init__(problem)
        self._exploration = Exploration(
            problem.puzzle, problem.record, problem.start, problem.max_bytes, pruned=pruned,
            merged=problem.merged,
        )  # fmt: skip
        self.tally = self._exploration.tally

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        if not self._exploration.run(expansions):
            return None
        if self.solved:
            return Status.SOLVED
        return Status.UNSOLVABLE if self._exploration.exhausted else Status.OUT_OF_MEMORY

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return self._exploration.bytes

    @property
    def current(self) -> Words | None:
        """The state expanded last."""
        return self._exploration.current

    def path(self) -> list[Words]:
        """The stored states along the solution."""
        return self._exploration.path()

    @property
    def proves_optimum(self) -> bool:
        """Whether no layer mixed moves of different costs."""
        return self._exploration.proves_optimum

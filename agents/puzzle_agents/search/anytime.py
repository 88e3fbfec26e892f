"""Anytime search: a solution soon, and a bound that says how good it is at least."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from puzzle_agents.agent import Budget, Result, Status
from puzzle_agents.search.beam import BeamSearch
from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.search import Problem, SearchAgent
from puzzle_envs.env import PuzzleEnv

__all__ = ["Anytime"]


class Anytime(SearchAgent):
    """Beam search for a solution, then A* that looks only for better ones and raises the bound.

    Complete, and optimal in the paper's moves, if the budget lasts. If it does not, the solution is
    the best one found, and `bound` says what any solution costs at least: their difference is the
    gap. A* gets the whole memory, and the time that the beam has left.

    Use it on levels that are too large for A* alone.

    | Puzzle | Can I use it? | Optimal in |
    |--------|---------------|------------|
    | all | yes | moves, if there is time |
    """

    name: ClassVar[str] = "anytime"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        width: int = 1000,
        estimate: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Make an agent.

        Args:
            budget: What it may spend on each attempt.
            width: How many states of a layer the beam keeps.
            estimate: Which of the puzzle's estimates to use; by default its usual one.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, estimate=estimate, symmetry=symmetry)
        if width < 1:
            raise ValueError(f"width is at least 1, not {width}.")
        self.width = width

    def _plan(self, env: PuzzleEnv, started: float) -> Result:
        problem = self._problem(env)
        beam = self._run(BeamSearch(problem, self.width), started)
        if beam.status == Status.UNSOLVABLE:
            return beam
        exact = self._search(problem)
        if beam.moves is not None:
            exact.beat(beam.moves)
        result = self._run(exact, started)
        if beam.moves is None or result.solved:
            return result
        return replace(
            result,
            status=Status.SOLVED,
            actions=beam.actions,
            moves=beam.moves,
            proved_optimal=result.status == Status.UNSOLVABLE,
        )

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(1, 1))

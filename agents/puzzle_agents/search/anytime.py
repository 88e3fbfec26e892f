"""Anytime search: a solution soon, and a bound that says how good it is at least."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from puzzle_agents.agent import Result, Status
from puzzle_agents.search.beam import Beam
from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_envs.env import PuzzleEnv

__all__ = ["Anytime"]


class Anytime(Beam):
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

    def _plan(self, env: PuzzleEnv, started: float) -> Result:
        problem = self._problem(env)
        beam = self._run(self._search(problem), started)
        if beam.status == Status.UNSOLVABLE:
            return beam
        exact = BestFirst(problem, Order(1, 1))
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

"""Anytime search: a solution quickly, and a lower bound on its optimality gap."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from puzzle_agents.agent import Result, Status
from puzzle_agents.search.beam import Beam, BeamSearch
from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.improve import improved
from puzzle_agents.search.search import Problem

__all__ = ["Anytime"]

SUMMED = ("expanded", "generated", "unique", "evaluated", "reopened")
WIDER = 4
"""Growth factor of the beam width."""
HALF = 0.5
"""Share of the time for beams; the rest is for the bound."""


def together(before: Result, last: Result) -> Result:
    """The last result, with the counters of the previous searches added."""
    summed = {name: getattr(before, name) + getattr(last, name) for name in SUMMED}
    return replace(last, **summed, peak_bytes=max(before.peak_bytes, last.peak_bytes))


class Anytime(Beam):
    """Beam search for a solution, then shorter ones around it, and A* that raises the bound.

    Complete, and optimal in the paper's moves, within the budget. If the budget is spent, the
    solution is the best found, and `bound` is the proved lower bound: their difference is the gap.
    A beam that fails is followed by a wider one, up to half of the time.

    Use it on levels that are too large for A* alone.
    """

    name: ClassVar[str] = "anytime"

    def _attempt(self, problem: Problem) -> Result:
        beam = self._widening_beam(problem)
        if beam.status == Status.UNSOLVABLE:
            return beam
        if beam.solved:
            return improved(self, problem, beam)
        return together(beam, self._run(BestFirst(problem, Order(1, 1)), beam))

    def _widening_beam(self, problem: Problem) -> Result:
        """Beam search with increasing width until one succeeds."""
        search = BeamSearch(problem, self.width)
        result = self._run(search)
        width = self.width
        while search.has_failed and not self.clock.is_over(HALF):
            width *= WIDER
            search = BeamSearch(problem, width)
            result = together(result, self._run(search, result))
        return result

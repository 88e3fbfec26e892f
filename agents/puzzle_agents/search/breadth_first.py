"""Breadth-first search."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from puzzle_agents.agent import Agent, Result, Status
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.exploration import Exploration

__all__ = ["BreadthFirst"]


class BreadthFirst(Agent):
    """Searches all states one whole move away, then two, and so on.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Optimal in
    the paper's moves wherever all whole moves cost the same.

    | Puzzle | Can I use it? | Optimal in |
    |--------|---------------|------------|
    | Zen Garden | yes | moves |
    """

    name: ClassVar[str] = "bfs"

    def _plan(self, env: PuzzleEnv, started: float) -> Result:
        state = np.array(env.get_state().words, np.uint64)
        search = Exploration(env.puzzle, env.record, state, self.budget.bytes)

        def run(expansions: int) -> Status | None:
            return _ending(search) if search.run(expansions) else None

        status = self._in_slices(run, lambda: search.expanded, started)
        solved = status == Status.SOLVED
        return Result(
            status,
            actions=search.actions() if solved else [],
            moves=search.moves if solved else None,
            proved_optimal=solved and search.proves_optimum,
            expanded=search.expanded,
            generated=search.generated,
            unique=search.unique,
            peak_bytes=search.bytes,
        )


def _ending(search: Exploration) -> Status:
    if search.solved:
        return Status.SOLVED
    return Status.UNSOLVABLE if search.exhausted else Status.OUT_OF_MEMORY

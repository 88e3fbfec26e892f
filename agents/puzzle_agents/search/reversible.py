"""Requirements of backward search: reversible moves, and all goals."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_agents.agent import WrongPuzzleError
from puzzle_agents.search.search import Problem
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.verbs import goals

FIRST_ROOM = 1 << 10


@kernel
def list_goals(levels: Any, rows: Any) -> int:
    """Write the solved states of a level."""
    return goals(levels[0], rows)


def refuse_irreversible(puzzle: Puzzle, name: str) -> None:
    """Reject puzzles without reversible moves."""
    if not puzzle.reversible:
        raise WrongPuzzleError(
            f"{name} needs reversible moves, which {puzzle.title} does not have; use astar."
        )


def all_goals(problem: Problem, max_bytes: int) -> Words:
    """The canonical solved states of a level; a MemoryError if they exceed the limit."""
    room = FIRST_ROOM
    while room * problem.start.nbytes <= max_bytes:
        rows = np.empty((room, problem.start.size), np.uint64)
        count = list_goals(problem.record, rows)
        if count >= 0:
            return rows[:count]
        room *= 4
    raise MemoryError("The solved states of the level exceed the memory budget.")

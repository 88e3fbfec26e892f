"""What all of the paper's solvers have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import gymnasium
import numpy as np

from puzzle_agents.agent import Agent, Result, Status, WrongPuzzleError
from puzzle_agents.papers.kwirk.opening import Order
from puzzle_agents.papers.kwirk.state_space import StateSpace
from puzzle_agents.progress import Progress
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kwirk import KwirkEnv
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.paths import plan_through


@dataclass(frozen=True)
class PaperResult(Result):
    """A result with the paper's own counts; `moves` are pushes, as the environment counts them."""

    tasks: int | None = None
    """m of its tables: the pushes, and each time that a character is moved aside first."""
    opened: int = 0
    """s of its tables: state-transitions taken from the frontier, duplicates included."""
    sequences: int = 0
    """seq of its tables: sequences of sub-goals that were tried; 0 without sub-goals."""


class Solving(ABC):
    """One run of a solver."""

    def __init__(self, space: StateSpace) -> None:
        """Begin with an empty state space."""
        self.space = space
        self.solution: int | None = None
        """The row of a state in which all characters reach the exit."""
        self.sequences = 0

    @abstractmethod
    def run(self, states: int) -> Status | None:
        """Open this many states, or somewhat more; return the status if that ends the run."""


class PaperSolver(Agent):
    """A solver of the paper: its states, its transitions, its counts.

    Before a push, only characters that are in the way or will push in a combo move aside (4.1.3).
    With several characters the search is therefore incomplete.
    """

    order: ClassVar[Order]
    """The order in which it opens states, unless its arguments say otherwise."""

    def _order(self) -> Order:
        return self.order

    @abstractmethod
    def _begin(self, space: StateSpace, spent: Callable[[], bool]) -> Solving:
        """Begin a run; `spent` says whether the time is over."""

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject other puzzles, and floors that are played by keys."""
        if puzzle.environment != KwirkEnv.__name__:
            raise WrongPuzzleError(f"{self.name} solves Kwirk by pushes only: make Kwirk-v0.")

    def solve(self, env: gymnasium.Env[Any, Any]) -> PaperResult:
        """Search for actions that solve the environment, as `Agent.solve`."""
        return cast(PaperResult, super().solve(env))

    def _plan(self, env: PuzzleEnv) -> PaperResult:
        env.puzzle.load_rules()
        start = np.array(env.get_state().words, np.uint64)
        if start[0] & env.record["everyone"][0] == 0:
            return PaperResult(Status.SOLVED, moves=0, tasks=0)
        try:
            space = StateSpace(env.record, start, self._order(), self.budget.bytes)
            if self.budget.expansions is not None:
                space.limit = self.budget.expansions
            solving = self._begin(space, self.clock.is_over)
        except MemoryError:
            return PaperResult(Status.OUT_OF_MEMORY)

        def progress() -> Progress:
            return Progress(
                space.count("expanded"),
                space.count("registered"),
                space.bytes,
                generated=space.count("generated"),
            )

        status = self._in_slices(solving.run, progress)
        if status == Status.UNSOLVABLE and space.characters > 1:
            status = Status.GAVE_UP
        return self._result(env, solving, status)

    def _result(self, env: PuzzleEnv, solving: Solving, status: Status) -> PaperResult:
        space = solving.space
        actions: list[int] = []
        moves = tasks = None
        if status == Status.SOLVED and solving.solution is not None:
            way = space.way_to(solving.solution)
            actions, moves = plan_through(Instance.plain(env.record), space.start, way.states)
            tasks = way.tasks
        return PaperResult(
            status,
            actions=actions,
            moves=moves,
            proved_optimal=status == Status.SOLVED and self._proves_optimum(space),
            expanded=space.count("expanded"),
            generated=space.count("generated"),
            unique=space.different,
            peak_bytes=space.bytes,
            tasks=tasks,
            opened=space.count("opened"),
            sequences=solving.sequences,
        )

    def _proves_optimum(self, space: StateSpace) -> bool:
        """Whether its solutions have the fewest pushes."""
        return False

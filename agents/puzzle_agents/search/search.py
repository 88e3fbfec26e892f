"""The base of all searches: a problem, a run in slices, counters, stored states, a result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.progress import Progress, Snapshot
from puzzle_envs.common.arguments import flag, text
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level, Words, record_dtype
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.nodes import COUNTERS, Nodes
from puzzle_envs.states.paths import is_solved, plan_through, total_cost
from puzzle_envs.states.reasons import EXHAUSTED, FOUND, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_STATES

__all__ = [
    "HeuristicAgent", "Problem", "PruningAgent", "Search", "SearchAgent", "Searcher",
    "StoredSearch",
]  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """A level, its current state, and the findings of the heuristic."""

    puzzle: Puzzle
    record: np.ndarray
    start: Words
    findings: Words
    merged: bool
    """Whether mirror images and rotations count as one state."""
    cells: int
    """Size of the planes of a state."""
    max_bytes: int
    """Memory limit of the search."""

    @property
    def instance(self) -> Instance:
        """The level as an argument of kernels."""
        return Instance(self.record, self.findings, self.merged)

    def plan(self, path: Sequence[Words], *, merged: bool) -> tuple[list[int], int]:
        """Actions along a path of states or, if merged, of their representatives; their cost."""
        return plan_through(self.instance._replace(merged=merged), self.start, path)

    def cost(self, actions: Sequence[int]) -> int:
        """The cost of actions from the start."""
        return total_cost(self.record, self.start, actions)


class Search(ABC):
    """One search, run in slices."""

    keeps_representatives: ClassVar[bool] = True
    """Whether it stores representatives of symmetry classes, if these are merged."""

    def __init__(self, problem: Problem, *more: str) -> None:
        """Start; `more` are fields of the tally besides the common counters."""
        self.problem = problem
        self.limit = 2**62
        """Maximum number of expansions in all."""
        self.tally = np.zeros(1, record_dtype([*COUNTERS, *((name, np.int64) for name in more)]))
        self.tally["solution"] = -1

    @abstractmethod
    def run(self, expansions: int) -> Status | None:
        """Continue for this many expansions; return a status once the search is over."""

    @property
    @abstractmethod
    def bytes(self) -> int:
        """Memory of the tables."""

    @abstractmethod
    def path(self) -> Sequence[Words]:
        """The stored states along the solution, if there is one."""

    @property
    def bound(self) -> int | None:
        """The proved lower bound on the cost of any solution."""
        return None

    @property
    def proves_optimum(self) -> bool:
        """Whether the solution found is known to be optimal."""
        return False

    def count(self, name: str) -> int:
        """A counter."""
        return int(self.tally[name][0])

    @property
    def solved(self) -> bool:
        """Whether a solution was found."""
        return self.count("solution") >= 0

    def _plan(self) -> tuple[list[int], int]:
        merged = self.problem.merged and self.keeps_representatives
        return self.problem.plan(self.path(), merged=merged)

    def progress(self) -> Progress:
        """The progress of the search."""
        return Progress(
            self.count("expanded"),
            self.count("unique"),
            self.bytes,
            self.bound,
            generated=self.count("generated"),
        )

    @property
    def current(self) -> Words | None:
        """The state expanded last; None before the first, or if it is not stored."""
        return None

    @property
    def waiting(self) -> int:
        """Size of the open list."""
        return self.count("unique") - self.count("expanded") + self.count("reopened")

    def result(self, status: Status) -> Result:
        """The result. A solution counts even if the budget ended before its proof."""
        proved = status == Status.SOLVED and self.proves_optimum
        actions, moves = self._plan() if self.solved else ([], None)
        return Result(
            Status.SOLVED if self.solved else status,
            actions=actions,
            moves=moves,
            proved_optimal=proved,
            expanded=self.count("expanded"),
            generated=self.count("generated"),
            unique=self.count("unique"),
            evaluated=self.count("evaluated"),
            reopened=self.count("reopened"),
            until_last_jump=self.count("until_last_jump"),
            bound=moves if proved else self.bound,
            peak_bytes=self.bytes + self.problem.findings.nbytes,
        )


class StoredSearch(Search):
    """A search that numbers its states, with its parent in the first field of each."""

    def __init__(
        self, problem: Problem, max_bytes: int, fields: int, *more: str, beside: float = 0
    ) -> None:
        """Store the first state.

        Args:
            problem: The level.
            max_bytes: Memory for the states.
            fields: Number of 32-bit fields stored with each.
            more: Fields of the tally, as of Search.
            beside: Number of bytes that the search stores elsewhere for each state.
        """
        super().__init__(problem, "registered", *more)
        self._nodes = Nodes(problem.start.size, max_bytes, fields, beside)
        self._nodes.register_first(problem.start)
        self.tally["registered"] = 1
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = 0

    @property
    def registered(self) -> int:
        """Number of states stored, including stale ones and dead ends."""
        return self.count("registered")

    def _ended(self, reason: int) -> Status | None:
        """The status after a kernel returned; grows the table that was full."""
        if reason in (NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS) and not self._grow(reason):
            return Status.OUT_OF_MEMORY
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    def _grow(self, reason: int) -> bool:
        """Make room for more states, or for more successors of one; False if memory is short."""
        if reason == NO_ROOM_FOR_ROWS:
            return self._nodes.grow_rows(self.registered)
        return self._nodes.grow(self.registered)

    @property
    def bytes(self) -> int:
        """Memory of the states."""
        return self._nodes.bytes(self.registered)

    @property
    def current(self) -> Words | None:
        """The state expanded last."""
        return self._nodes.scratch.state.copy() if self.count("expanded") else None

    def path(self) -> list[Words]:
        """The stored states along the solution."""
        return self.path_to(self.count("solution"))

    def path_to(self, number: int) -> list[Words]:
        """The stored states that lead to one, excluding the first."""
        return self._nodes.path(number)


class Searcher(Agent):
    """Runs searches over macro-moves, with the puzzle's heuristic if a search uses one."""

    weighs_costs: ClassVar[bool] = True
    """Whether it uses costs of moves; otherwise it counts moves."""

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        estimate: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            estimate: The puzzle's heuristic to use; None for its default.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget)
        self.estimate = None if estimate is None else text("estimate", estimate)
        self.symmetry = flag("symmetry", symmetry)

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject an unknown heuristic."""
        super().check(puzzle, level)
        puzzle.check_estimate(self.estimate)

    def _run(self, search: Search, before: Result | None = None) -> Result:
        """Run a search within the budget left by a previous one."""
        expanded, generated = (0, 0) if before is None else (before.expanded, before.generated)
        if self.budget.expansions is not None:
            search.limit = self.budget.expansions - expanded

        def progress() -> Progress:
            seen = search.progress()
            return seen._replace(
                expanded=seen.expanded + expanded, generated=seen.generated + generated
            )

        def snapshot() -> Snapshot:
            state = search.current
            return Snapshot(progress(), None if state is None else state.tolist(), search.waiting)

        return search.result(self._in_slices(search.run, progress, snapshot))

    def _problem(self, env: PuzzleEnv) -> Problem:
        env.puzzle.load_rules()
        record = env.puzzle.planned(env.record) if self.weighs_costs else env.record
        findings = self._findings(env, record)
        start = np.array(env.get_state().words, np.uint64)
        left = self.budget.bytes - findings.nbytes
        if left <= 0:
            raise MemoryError("The findings of the heuristic exceed the memory budget.")
        cells = env.planes.size
        return Problem(env.puzzle, record, start, findings, self.symmetry, cells, left)

    def _findings(self, env: PuzzleEnv, record: np.ndarray) -> Words:
        """What the search's heuristic looks up about the level."""
        return env.puzzle.findings(record[0], self.estimate)


class SearchAgent(Searcher):
    """Runs one kind of search, which others can begin and run in turns."""

    def begin(self, env: PuzzleEnv) -> Search:
        """Begin a search from the current state of an environment."""
        return self._search(self._problem(env))

    def _plan(self, env: PuzzleEnv) -> Result:
        try:
            return self._attempt(self._problem(env))
        except MemoryError:  # before or after the search, which reports its own limit
            return Result(Status.OUT_OF_MEMORY)

    def _attempt(self, problem: Problem) -> Result:
        """Search within the budget."""
        return self._run(self._search(problem))

    @abstractmethod
    def _search(self, problem: Problem) -> Search:
        """Create a search."""


class HeuristicAgent(SearchAgent):
    """A search that accepts any heuristic of the puzzle, since it promises no optimum."""

    usual: ClassVar[str | None] = None
    """The default heuristic; None for the puzzle's default."""

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        heuristic: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            heuristic: Which of the puzzle's heuristics or estimates to use.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, symmetry=symmetry)
        self.heuristic = None if heuristic is None else text("heuristic", heuristic)

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject an unknown heuristic."""
        super().check(puzzle, level)
        puzzle.check_heuristic(self.heuristic)

    def _findings(self, env: PuzzleEnv, record: np.ndarray) -> Words:
        name = self._usual(env.puzzle) if self.heuristic is None else self.heuristic
        return env.puzzle.heuristic_findings(record[0], name)

    def _usual(self, puzzle: Puzzle) -> str | None:
        """The heuristic if none is given."""
        return self.usual


class PruningAgent(SearchAgent):
    """A search that can run without dead-end detection, to measure its effect."""

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        estimate: str | None = None,
        symmetry: bool = True,
        dead_ends: bool = True,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            estimate: The puzzle's heuristic to use; None for its default.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
            dead_ends: Leave out proved dead ends. Otherwise, a dead end proved by the heuristic
                gets its parent's estimate.
        """
        super().__init__(budget, estimate=estimate, symmetry=symmetry)
        self.dead_ends = flag("dead_ends", dead_ends)

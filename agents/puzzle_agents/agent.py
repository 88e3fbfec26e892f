"""The interface of every agent: budget, result and `solve`."""

from __future__ import annotations

import copy
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

import gymnasium

from puzzle_agents.clock import Clock
from puzzle_agents.defaults import MEMORY, SECONDS
from puzzle_agents.progress import Progress, Snapshot, Watcher
from puzzle_agents.progress_line import ProgressLine
from puzzle_envs.common.arguments import need_reset, number, shown, whole, whole_or_none
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import CERTIFICATE, Level, LevelError
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.text import quoted

__all__ = [
    "Agent",
    "Budget",
    "FalseLevelError",
    "Found",
    "Result",
    "Status",
    "WrongPuzzleError",
    "bytes_of",
    "is_at_start",
]

WARMING_TRANSITIONS = 500_000
"""Transitions of a warm-up: where a state has many successors, fewer expansions are enough."""
FIRST_SLICE = 1024
"""Expansions before the first check of the clock."""
LONGEST_SLICE = 1 << 30
SHORT, LONG = 0.01, 0.04
"""Bounds of the seconds per slice; shorter slices are doubled, longer ones halved."""
MOST_SUCCESSORS = 1024
"""Transitions that one expansion is assumed to make at most, until few are left."""

MOST_FOUND = 100
"""Solutions that a result keeps of one attempt."""
MOST_MEMORY = 1 << 50
MOST_STEPS = 1 << 60
"""Limit of the kernels' counters of expansions and transitions."""
UNITS = {"B": 1, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "KB": 10**3, "MB": 10**6, "GB": 10**9}


def bytes_of(memory: str | int) -> int:
    """Parse an amount of memory, such as '2 GiB', to bytes."""
    if not isinstance(memory, str):
        return whole("Memory in bytes", memory, 0, MOST_MEMORY)
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*", memory)
    if match is None or match[2].upper() not in UNITS:
        raise ValueError(f"Memory is written like '2 GiB' or '500 MB', not {shown(memory)}.")
    amount = float(match[1]) * UNITS[match[2].upper()]
    if amount > MOST_MEMORY:
        raise ValueError(f"{shown(memory)} is more memory than exists.")
    return int(amount)


class Status(StrEnum):
    """How an attempt ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """Proved: every reachable state was searched."""
    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"
    GAVE_UP = "gave up"


class WrongPuzzleError(TypeError):
    """The agent does not support this puzzle, or this board."""


@dataclass(frozen=True)
class Budget:
    """Limits of an attempt; None means no limit."""

    seconds: float | None = SECONDS
    memory: str | int = MEMORY
    expansions: int | None = None
    """States expanded; for agents that play, actions taken."""
    transitions: int | None = None
    """Successors generated, genomes evaluated or actions taken: `Result.generated`."""

    def __post_init__(self) -> None:
        """Reject limits that are not positive."""
        if self.seconds is not None and number("seconds", self.seconds) <= 0:
            raise ValueError(f"A budget must have more than 0 seconds, not {self.seconds}.")
        for limit in ("expansions", "transitions"):
            count = whole_or_none(limit, getattr(self, limit), most=MOST_STEPS)
            if count is not None and count < 1:
                raise ValueError(f"A budget must have at least 1 {limit[:-1]}, not {count}.")
        if not 2**20 <= self.bytes <= MOST_MEMORY:
            raise ValueError(
                f"A budget must have at least 1 MiB of memory, not {shown(self.memory)}."
            )

    @property
    def bytes(self) -> int:
        """The memory limit in bytes."""
        return bytes_of(self.memory)

    @property
    def steps(self) -> int | None:
        """The expansions of an agent that makes one transition per expansion."""
        given = [limit for limit in (self.expansions, self.transitions) if limit is not None]
        return min(given, default=None)

    def left(self, seen: Progress) -> int:
        """The number of expansions allowed before the next check; 0 if the budget is spent.

        Near the limit of transitions it is 1, so that where an agent stops does not depend on the
        clock.
        """
        left = LONGEST_SLICE if self.expansions is None else self.expansions - seen.expanded
        if self.transitions is None:
            return left
        transitions = self.transitions - seen.generated
        return min(left, max(1, transitions // MOST_SUCCESSORS)) if transitions > 0 else 0


class Found(NamedTuple):
    """A solution, and when an attempt found it."""

    transitions: int
    """`Result.generated` at that time."""
    seconds: float
    moves: int


@dataclass(frozen=True)
class Result:
    """The result of an attempt. Every `solved` was verified by replay."""

    status: Status
    actions: list[int] = field(default_factory=list)
    moves: int | None = None
    """Moves of the solution, as the paper counts them, from the environment's state."""
    proved_optimal: bool = False
    expanded: int = 0
    """States expanded."""
    generated: int = 0
    """Successors generated, with duplicates."""
    unique: int = 0
    """Distinct states stored."""
    evaluated: int = 0
    """Evaluations of the heuristic."""
    reopened: int = 0
    """Expanded states reached again at a lower cost."""
    until_last_jump: int = 0
    """Expansions before the bound last rose; they do not depend on tie-breaking."""
    bound: int | None = None
    """A proved lower bound on the moves of any solution, if the search has one."""
    found_moves: int | None = None
    """Moves of the solution before shortening, if that was tried."""
    improved_by: str = ""
    """What shortened the solution; empty if nothing did."""
    seconds: float = 0.0
    preparing: float = 0.0
    """The part of `seconds` spent on translating the level for an external solver."""
    peak_bytes: int = 0
    """Peak memory of the tables."""
    found: tuple[Found, ...] = field(default=(), compare=False)
    """Each solution that was shorter than all before it, including the last; at most 100."""

    @property
    def solved(self) -> bool:
        """Whether `actions` holds a solution."""
        return self.status == Status.SOLVED


class FalseLevelError(LevelError):
    """A level states an optimum that was disproved."""

    def __init__(self, level: Level, key: str, proof: str, result: Result | None = None) -> None:
        """Create the error; the result that disproves the level is correct.

        Args:
            level: The level.
            key: Key of the wrong line.
            proof: What disproves it, as a phrase.
            result: The result of an agent's attempt.
        """
        said = getattr(level, key) if key in CERTIFICATE else level.optimum
        said = "none" if level.solvable is False else said
        name = quoted(level.name)
        super().__init__(
            f"The level {name} says '; {key}: {said}', but {proof}; correct that line."
        )
        self.result = result
        self._given = level, key, proof, result

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, for other processes."""
        return type(self), self._given


class Agent(ABC):
    """Solves an environment from its current state, without modifying it."""

    name: ClassVar[str]
    warming: ClassVar[int] = 50_000
    """Number of expansions that is enough to compile and load everything."""
    warming_seconds: ClassVar[float] = 600.0
    """Longer than compilation takes, unless little is compiled and expansions do not end it."""
    only: ClassVar[str] = ""
    """The title of the only puzzle supported; empty for any."""

    def __init__(self, budget: Budget | None = None) -> None:
        """Create an agent with a budget for each attempt."""
        if not isinstance(budget, Budget | None):
            raise TypeError(
                f"budget must be a Budget, such as Budget(seconds=10), not {shown(budget)}."
            )
        self.budget = Budget() if budget is None else budget
        self.watcher: Watcher | None = None
        """Called between slices, off the clock; raises KeyboardInterrupt to stop the agent."""
        self.clock = Clock()
        """The clock of the current attempt."""
        self._noted: list[Found] = []

    def solve(self, env: gymnasium.Env[Any, Any]) -> Result:
        """Search for actions that solve the environment from its present state.

        Args:
            env: An environment of puzzle_envs, wrapped or not, after a reset.

        Returns:
            The result; its actions solve the environment, step by step.

        Raises:
            FalseLevelError: The level states an optimum that this result disproves.
        """
        puzzle_env = self._puzzle_env(env)
        self.check(puzzle_env.puzzle, puzzle_env.level)
        self.clock, self._noted = Clock(self.budget.seconds), []
        result = self._plan(puzzle_env)
        if result.moves is not None:
            self.note(result.moves, result.generated)
        result = replace(result, seconds=self.clock.seconds, found=tuple(self._noted))
        if result.solved:
            _replay(puzzle_env, result)
        if disproved := _disproof(puzzle_env, result):
            key, proof = disproved
            raise FalseLevelError(puzzle_env.level, key, f"{self.name} {proof}", result)
        return result

    def note(self, moves: int, transitions: int) -> None:
        """Record when a solution was found, if it is shorter than those before."""
        if self._noted and moves >= self._noted[-1].moves:
            return
        if len(self._noted) == MOST_FOUND:
            self._noted.pop()
        self._noted.append(Found(transitions, self.clock.seconds, moves))

    def warm_up(self, env: gymnasium.Env[Any, Any]) -> None:
        """Compile and load everything that solving this environment needs, off the clock.

        Solves this level, since machine code depends on the size of states; if that does not reach
        a solution soon, also the environment's default level, an easy one. Errors are ignored here:
        the attempt will raise them again.
        """
        puzzle_env = self._puzzle_env(env)
        warm = copy.copy(self)
        limits = self.warming_seconds, self.budget.memory, self.warming, WARMING_TRANSITIONS
        warm.budget = Budget(*limits)
        with suppress(Exception):
            if not warm.solve(puzzle_env).solved:
                warm.solve(_of_default_level(puzzle_env))

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject a level that the agent cannot play, with a WrongPuzzleError or a ValueError.

        Args:
            puzzle: The environment's puzzle, with its options.
            level: A level of the puzzle.
        """
        if self.only and puzzle.title != self.only:
            raise WrongPuzzleError(f"{self.name} solves {self.only} only, not {puzzle.title}.")

    def training_for(self, env: PuzzleEnv) -> Mapping[str, Any]:
        """The training according to its model's card; empty if there was none."""
        return {}

    @staticmethod
    def _puzzle_env(env: gymnasium.Env[Any, Any]) -> PuzzleEnv:
        """The unwrapped environment, which must have been reset."""
        puzzle_env = getattr(env, "unwrapped", env)
        if not isinstance(puzzle_env, PuzzleEnv):
            raise WrongPuzzleError(f"Agents solve puzzle_envs environments, not {shown(env)}.")
        need_reset(puzzle_env.begun, "solving from the environment's current state")
        return puzzle_env

    @abstractmethod
    def _plan(self, env: PuzzleEnv) -> Result:
        """Search for a solution without stepping `env`."""

    def _in_slices(
        self,
        run: Callable[[int], Status | None],
        progress: Callable[[], Progress],
        snapshot: Callable[[], Snapshot] | None = None,
    ) -> Status:
        """Run a search in slices while the budget lasts.

        Ctrl-C ends it like a spent budget, so that what was found is kept.

        Args:
            run: Searches for a number of expansions; returns a status once the search is over.
            progress: Returns the progress of the search.
            snapshot: Returns what a watcher sees; not called without one.
        """
        seen = snapshot or (lambda: Snapshot(progress()))
        with ProgressLine(self.name) as line:
            try:
                return self._until_spent(run, progress, seen, line)
            except KeyboardInterrupt:
                return Status.GAVE_UP
            except MemoryError:  # less memory than the budget allows
                return Status.OUT_OF_MEMORY

    def _until_spent(
        self,
        run: Callable[[int], Status | None],
        progress: Callable[[], Progress],
        seen: Callable[[], Snapshot],
        line: ProgressLine,
    ) -> Status:
        expansions = FIRST_SLICE
        while True:
            if self.watcher is not None:
                with self.clock.paused():
                    expansions = self.watcher(seen())
            before = progress()
            left = min(expansions, self.budget.left(before))
            began = time.perf_counter()
            status = Status.GAVE_UP if left <= 0 else run(left)
            if status is None and self.clock.is_over():
                status = Status.OUT_OF_TIME
            if status is not None:
                return status
            now = progress()
            line.show(now)
            seconds = time.perf_counter() - began
            if seconds < SHORT and now.expanded > before.expanded:  # not only its memory grew
                expansions = min(2 * expansions, LONGEST_SLICE)
            elif seconds > LONG and expansions > 1:
                expansions //= 2


def _of_default_level(env: PuzzleEnv) -> PuzzleEnv:
    """The same environment with its default level."""
    plain = type(env)
    other = plain(**dict(set(env.puzzle.options) - set(plain.puzzle.options)))
    other.reset()
    return other


def _replay(env: PuzzleEnv, result: Result) -> None:
    """Verify a solution by replay; an error here is a bug in the agent."""
    copied = env.simulation(observation="planes")
    start = copied.get_state()
    for action in result.actions:
        _, _, _, _, info = copied.step(action)
        if info["illegal"]:
            raise RuntimeError(f"The plan has an illegal action {action}: {result.actions}.")
    if not result.actions:
        _, info = copied.set_state(start)
    if not info["solved"] or info["moves"] - start.moves != result.moves:
        raise RuntimeError(f"The plan does not solve the level in {result.moves} moves: {result}.")


def _disproof(env: PuzzleEnv, result: Result) -> tuple[str, str] | None:
    """The line of the level that the result disproves, and how; None if they agree."""
    level, before, key = env.level, env.get_state().moves, env.puzzle.format.optimum_key
    if level.solvable is False:
        return (key, "solved it") if result.solved else None
    least_key, most_key = (key, key) if level.optimum is not None else ("bound", "known")
    if result.moves is not None and before + result.moves < level.least:
        return least_key, f"solved it in {before + result.moves}"
    fewest = level.fewest
    if fewest is None:
        return None
    if result.status == Status.UNSOLVABLE:
        proof = "proved it unsolvable"
    elif result.proved_optimal and (result.moves or 0) > fewest:
        proof = f"proved {result.moves} optimal"
    elif result.bound is not None and result.bound > fewest:
        proof = f"proved a lower bound of {result.bound}"
    else:
        return None
    return (most_key, proof) if is_at_start(env) else None


def is_at_start(env: PuzzleEnv) -> bool:
    """Whether the environment is at the level's start, which the stated optimum refers to."""
    state, copied = env.get_state(), env.simulation()
    copied.reset(options={"level": state.level})
    return copied.get_state().words == state.words

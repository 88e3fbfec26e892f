"""What every agent takes and gives back."""

from __future__ import annotations

import copy
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar

import gymnasium

from puzzle_agents.clock import Clock
from puzzle_agents.defaults import MEMORY, SECONDS
from puzzle_agents.progress import Progress, Snapshot, Watcher
from puzzle_agents.progress_line import ProgressLine
from puzzle_envs.common.arguments import need_reset, number, shown, whole, whole_or_none
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level, LevelError, quoted
from puzzle_envs.puzzle import Puzzle

__all__ = [
    "Agent",
    "Budget",
    "FalseLevelError",
    "Result",
    "Status",
    "WrongPuzzleError",
    "bytes_of",
]

WARMING_SECONDS = 600.0
"""More than compiling takes: an agent must come to its end, for there is more to compile."""
FIRST_SLICE = 1024
"""Expansions until the first look at the clock."""
LONGEST_SLICE = 1 << 30
SHORT, LONG = 0.01, 0.04
"""Seconds between two looks: what takes less is doubled, what takes more is halved."""
MOST_SUCCESSORS = 1024
"""Transitions that one expansion is taken to make at most, as long as there are more left."""

MOST_MEMORY = 1 << 50
MOST_STEPS = 1 << 60
"""Expansions or transitions that kernels count to."""
UNITS = {"B": 1, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "KB": 10**3, "MB": 10**6, "GB": 10**9}


def bytes_of(memory: str | int) -> int:
    """An amount of memory such as '2 GiB' as a number."""
    if not isinstance(memory, str):
        return whole("Memory in bytes", memory, 0, MOST_MEMORY)
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*", memory)
    if match is None or match[2].upper() not in UNITS:
        raise ValueError(f"Memory is written like '2 GiB' or '500 MB', not {shown(memory)}.")
    amount = float(match[1]) * UNITS[match[2].upper()]
    if amount > MOST_MEMORY:
        raise ValueError(f"{shown(memory)} is more memory than there is.")
    return int(amount)


class Status(StrEnum):
    """How an agent's attempt ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """Proved: every state that can be reached was searched."""
    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"
    GAVE_UP = "gave up"


class WrongPuzzleError(TypeError):
    """The agent does not play this puzzle, or not boards like this one."""


@dataclass(frozen=True)
class Budget:
    """What an agent may spend. A limit that is None does not bind."""

    seconds: float | None = SECONDS
    memory: str | int = MEMORY
    expansions: int | None = None
    """States whose successors may be asked for; for agents that play, actions taken."""
    transitions: int | None = None
    """Successors that may be produced, genomes evaluated, actions taken: `Result.generated`."""

    def __post_init__(self) -> None:
        """Refuse what cannot be a budget."""
        if self.seconds is not None and number("seconds", self.seconds) <= 0:
            raise ValueError(f"A budget has more than 0 seconds, not {self.seconds}.")
        for limit in ("expansions", "transitions"):
            count = whole_or_none(limit, getattr(self, limit), most=MOST_STEPS)
            if count is not None and count < 1:
                raise ValueError(f"A budget has at least 1 {limit[:-1]}, not {count}.")
        if not 2**20 <= self.bytes <= MOST_MEMORY:
            raise ValueError(f"A budget has at least 1 MiB of memory, not {shown(self.memory)}.")

    @property
    def bytes(self) -> int:
        """The memory as a number."""
        return bytes_of(self.memory)

    @property
    def steps(self) -> int | None:
        """The expansions of an agent to which each is one transition."""
        given = [limit for limit in (self.expansions, self.transitions) if limit is not None]
        return min(given, default=None)

    def left(self, seen: Progress) -> int:
        """How many expansions may follow before the next progress; none where the budget is spent.

        Towards the end of the transitions it is one at a time, so that where an agent ends does
        not depend on the clock.
        """
        left = LONGEST_SLICE if self.expansions is None else self.expansions - seen.expanded
        if self.transitions is None:
            return left
        transitions = self.transitions - seen.generated
        return min(left, max(1, transitions // MOST_SUCCESSORS)) if transitions > 0 else 0


@dataclass(frozen=True)
class Result:
    """What came of an attempt. Every `solved` was replayed through the environment."""

    status: Status
    actions: list[int] = field(default_factory=list)
    moves: int | None = None
    """The paper's moves that the actions take from where the environment stood."""
    proved_optimal: bool = False
    expanded: int = 0
    """States whose successors were asked for."""
    generated: int = 0
    """Successors produced, duplicates among them."""
    unique: int = 0
    """Different states registered."""
    evaluated: int = 0
    """Calls of the estimate."""
    reopened: int = 0
    """States reached at a lower cost after they had been expanded."""
    until_last_jump: int = 0
    """Expansions before the bound last rose: these do not depend on how ties are broken."""
    bound: int | None = None
    """A proved lower bound on the moves of any solution, from a search that has one."""
    seconds: float = 0.0
    peak_bytes: int = 0
    """What the tables took in the end, when they were largest."""

    @property
    def solved(self) -> bool:
        """Whether there is a solution in `actions`."""
        return self.status == Status.SOLVED


class FalseLevelError(LevelError):
    """A level says of its optimum what somebody disproves."""

    def __init__(self, level: Level, key: str, proof: str, result: Result | None = None) -> None:
        """Say it, and keep the result that disproves it, which is sound.

        Args:
            level: The level.
            key: Of the line that is false.
            proof: Who did what that disproves it.
            result: What came of an agent's attempt.
        """
        said = "none" if level.solvable is False else level.optimum
        name = quoted(level.name)
        super().__init__(
            f"The level {name} says '; {key}: {said}', but {proof}; correct that line."
        )
        self.result = result
        self._given = level, key, proof, result

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it comes through to another process."""
        return type(self), self._given


class Agent(ABC):
    """Plans from where an environment stands, and leaves it untouched."""

    name: ClassVar[str]
    warming: ClassVar[int] = 50_000
    """Expansions that bring all there is to compile and load into use."""
    only: ClassVar[str] = ""
    """The title of the only puzzle that it solves; empty for any."""

    def __init__(self, budget: Budget | None = None) -> None:
        """Make an agent that spends at most this budget on each attempt."""
        if not isinstance(budget, Budget | None):
            raise TypeError(f"budget is a Budget, such as Budget(seconds=10), not {shown(budget)}.")
        self.budget = Budget() if budget is None else budget
        self.watcher: Watcher | None = None
        """Who watches; the time that this takes is not the agent's. KeyboardInterrupt ends it."""
        self.clock = Clock()
        """The time of the present attempt."""

    def solve(self, env: gymnasium.Env[Any, Any]) -> Result:
        """Search for actions that solve the environment from its present state.

        Args:
            env: An environment of puzzle_envs, wrapped or not, after a reset.

        Returns:
            The result; its actions, stepped through the environment, solve it.

        Raises:
            FalseLevelError: The level says an optimum which this result disproves.
        """
        puzzle_env = self._puzzle_env(env)
        self.check(puzzle_env.puzzle, puzzle_env.level)
        self.clock = Clock(self.budget.seconds)
        result = self._plan(puzzle_env)
        result = replace(result, seconds=self.clock.seconds)
        if result.solved:
            _replay(puzzle_env, result)
        if proof := _disproof(puzzle_env, result):
            key = puzzle_env.puzzle.format.optimum_key
            raise FalseLevelError(puzzle_env.level, key, f"{self.name} {proof}", result)
        return result

    def warm_up(self, env: gymnasium.Env[Any, Any]) -> None:
        """Compile and load whatever solving this environment takes, so that no clock counts it.

        It solves this level, since machine code differs by the size of states; where that does not
        come to a solution soon, also the easy level that the environment shows by default. Whatever
        goes wrong will go wrong in the attempt as well, and is told there.
        """
        puzzle_env = self._puzzle_env(env)
        warm = copy.copy(self)
        warm.budget = Budget(WARMING_SECONDS, self.budget.memory, self.warming)
        with suppress(Exception):
            if not warm.solve(puzzle_env).solved:
                warm.solve(_of_default_level(puzzle_env))

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Refuse a level that it cannot play: a WrongPuzzleError or a ValueError says why.

        Args:
            puzzle: The environment's, with its options.
            level: One of the puzzle's.
        """
        if self.only and puzzle.title != self.only:
            raise WrongPuzzleError(f"{self.name} solves {self.only} only, not {puzzle.title}.")

    @staticmethod
    def _puzzle_env(env: gymnasium.Env[Any, Any]) -> PuzzleEnv:
        """The environment without its wrappers, which must have been reset."""
        puzzle_env = getattr(env, "unwrapped", env)
        if not isinstance(puzzle_env, PuzzleEnv):
            raise WrongPuzzleError(f"Agents solve puzzle_envs environments, not {shown(env)}.")
        need_reset(puzzle_env.begun, "an agent plans from where the environment stands")
        return puzzle_env

    @abstractmethod
    def _plan(self, env: PuzzleEnv) -> Result:
        """Plan without stepping `env`."""

    def _in_slices(
        self,
        run: Callable[[int], Status | None],
        progress: Callable[[], Progress],
        snapshot: Callable[[], Snapshot] | None = None,
    ) -> Status:
        """Let a search run for some expansions at a time, as long as the budget lasts.

        Ctrl-C ends it like a spent budget, so that what was found is not lost.

        Args:
            run: Goes on for so many expansions; returns the status where that ends the search.
            progress: Tells how far it has come.
            snapshot: Tells a watcher more than `progress` does; nobody asks where nobody watches.
        """
        seen = snapshot or (lambda: Snapshot(progress()))
        with ProgressLine(self.name) as line:
            try:
                return self._until_spent(run, progress, seen, line)
            except KeyboardInterrupt:
                return Status.GAVE_UP
            except MemoryError:  # the system gives less than the budget allows
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
            left = min(expansions, self.budget.left(progress()))
            began = time.perf_counter()
            status = Status.GAVE_UP if left <= 0 else run(left)
            if status is None and self.clock.is_over():
                status = Status.OUT_OF_TIME
            if status is not None:
                return status
            line.show(progress())
            seconds = time.perf_counter() - began
            if seconds < SHORT:
                expansions = min(2 * expansions, LONGEST_SLICE)
            elif seconds > LONG and expansions > 1:
                expansions //= 2


def _of_default_level(env: PuzzleEnv) -> PuzzleEnv:
    """The same environment as it is without a level."""
    plain = type(env)
    other = plain(**dict(set(env.puzzle.options) - set(plain.puzzle.options)))
    other.reset()
    return other


def _replay(env: PuzzleEnv, result: Result) -> None:
    """Step the actions through a copy; a solution that does not hold is a fault of the agent."""
    copied = env.simulation(observation="planes")
    start = copied.get_state()
    _, info = copied.set_state(start)
    for action in result.actions:
        _, _, _, _, info = copied.step(action)
        if info["illegal"]:
            raise RuntimeError(f"The plan has an illegal action {action}: {result.actions}.")
    if not info["solved"] or info["moves"] - start.moves != result.moves:
        raise RuntimeError(f"The plan does not solve the level in {result.moves} moves: {result}.")


def _disproof(env: PuzzleEnv, result: Result) -> str:
    """What the result proves against what the level says of its optimum; nothing if they agree."""
    level, before = env.level, env.get_state().moves
    if level.solvable is False:
        return "solved it" if result.solved else ""
    optimum = level.optimum
    if optimum is None:
        return ""
    if result.moves is not None and before + result.moves < optimum:
        return f"solved it in {before + result.moves}"
    if result.status == Status.UNSOLVABLE:
        proof = "proved that it has no solution"
    elif result.proved_optimal and result.moves not in (None, optimum):
        proof = f"proved that {result.moves} are the fewest"
    elif result.bound is not None and result.bound > optimum:
        proof = f"proved that fewer than {result.bound} do not suffice"
    else:
        return ""
    return proof if _is_at_start(env) else ""


def _is_at_start(env: PuzzleEnv) -> bool:
    """Whether an environment stands where its level begins: only of there does a level speak."""
    state, copied = env.get_state(), env.simulation()
    copied.reset(options={"level": state.level})
    return copied.get_state().words == state.words

"""Independent runs of agents on levels, in parallel processes."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.environments import make_env
from puzzle_agents.papers.settings import Settings
from puzzle_agents.progress import Snapshot
from puzzle_agents.registry import make


class Trial(NamedTuple):
    """An agent and its budget."""

    agent: str
    budget: Budget = Budget()
    arguments: Mapping[str, Any] = {}
    """The agent's arguments."""
    facts: tuple[str, ...] = ()
    """Attributes of the result, or of the agent after the attempt, to return with the result."""
    cpu_seconds: float | None = None
    """CPU time limit, for long runs on a busy machine."""

    def made(self) -> Agent:
        """The agent."""
        return make(self.agent, self.budget, **self.arguments)


class Run(NamedTuple):
    """One attempt of an agent at a level."""

    environment: str
    level: str
    """A name, a file or a text."""
    trial: Trial


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run."""

    run: Run
    result: Result
    facts: Mapping[str, Any]
    cpu_seconds: float = 0.0
    """CPU time of solving only."""


Runner: TypeAlias = Callable[[str, Sequence[Run], Settings], list[Outcome]]
"""Does a named group of runs, and reports progress to settings.watch."""


@dataclass(frozen=True)
class Experiment:
    """Runs on the levels of one environment."""

    environment: str
    settings: Settings
    run: Runner

    def once(self, what: str, trial: Trial, levels: Iterable[str]) -> list[Outcome]:
        """A run on each level."""
        runs = [Run(self.environment, level, trial) for level in levels]
        return self.run(what, runs, self.settings)

    def repeated(
        self, what: str, trial: Trial, levels: Iterable[str], times: int
    ) -> list[list[Outcome]]:
        """Several runs on each level, each with its own seed."""
        seeds = range(self.settings.seed, self.settings.seed + times)
        seeded = [trial._replace(arguments={**trial.arguments, "seed": seed}) for seed in seeds]
        runs = [Run(self.environment, level, one) for level in levels for one in seeded]
        found = self.run(what, runs, self.settings)
        return [found[index : index + times] for index in range(0, len(found), times)]


SLICE = 1 << 10
"""Expansions between two checks of the CPU time."""


class Limit:
    """A watcher that ends an agent at a CPU time."""

    def __init__(self, end: float) -> None:
        """Set the CPU time at which to end the agent."""
        self._end, self.met = end, False

    def __call__(self, snapshot: Snapshot) -> int:
        """End the agent, or let it continue."""
        self.met = time.process_time() > self._end
        if self.met:
            raise KeyboardInterrupt
        return SLICE


_warm: set[Hashable] = set()
"""The kinds of runs for which this process has warmed up."""


def outcome_of(run: Run) -> Outcome:
    """Do a run in this process."""
    env, trial = make_env(run.environment, run.level), run.trial
    agent = trial.made()
    began = time.process_time()
    limit = None if trial.cpu_seconds is None else Limit(began + trial.cpu_seconds)
    agent.watcher = limit
    result = agent.solve(env)
    cpu_seconds = time.process_time() - began
    if limit is not None and limit.met and result.status == Status.GAVE_UP:
        result = replace(result, status=Status.OUT_OF_TIME)
    facts = {fact: getattr(result, fact, getattr(agent, fact, None)) for fact in trial.facts}
    return Outcome(run, result, facts, cpu_seconds)


class Book(Protocol):
    """A record of outcomes; those of an interrupted command are not run again."""

    def find(self, run: Run) -> Outcome | None:
        """The outcome of a run, if it is known."""

    def add(self, outcome: Outcome) -> None:
        """Record an outcome."""


class Workers:
    """Processes that do runs in parallel, and stay warm for the next ones."""

    def __init__(self, count: int, book: Book | None = None) -> None:
        """Use this number of processes, started when they are needed."""
        self._book = book
        self._pool = ProcessPoolExecutor(
            count, multiprocessing.get_context("spawn"), _ignore_ctrl_c
        )

    def __enter__(self) -> Workers:
        """Start."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes, without starting further runs."""
        self._pool.shutdown(cancel_futures=True)

    def outcomes(self, what: str, runs: Sequence[Run], settings: Settings) -> list[Outcome]:
        """Do all runs, each in one of the processes; return outcomes in the order of the runs."""
        found: dict[int, Outcome] = {}
        for index, run in enumerate(runs):
            known = None if self._book is None else self._book.find(run)
            if known is not None:
                found[index] = known
        settings.watch(what, len(found), len(runs))
        numbers = {
            self._pool.submit(_outcome_in_worker, run): index
            for index, run in enumerate(runs)
            if index not in found
        }
        for future in as_completed(numbers):
            try:
                outcome = future.result()
            except BrokenProcessPool:
                raise ChildProcessError(
                    "A worker process was killed, perhaps for lack of memory; --workers 1 needs "
                    "the least."
                ) from None
            found[numbers[future]] = outcome
            if self._book is not None:
                self._book.add(outcome)
            settings.watch(what, len(found), len(runs))
        return [found[index] for index in range(len(runs))]


def _ignore_ctrl_c() -> None:
    """Let Ctrl-C end a worker's run, not the worker: the command itself stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _outcome_in_worker(run: Run) -> Outcome:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _warm_up(run)
        return outcome_of(run)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _warm_up(run: Run) -> None:
    """Compile and load what the run needs, outside all budgets and measured times."""
    options = [item for item in run.trial.arguments.items() if item[0] != "seed"]
    kind = (run.environment, run.trial.agent, repr(sorted(options)))
    if kind not in _warm:
        run.trial.made().warm_up(make_env(run.environment, run.level))
        _warm.add(kind)

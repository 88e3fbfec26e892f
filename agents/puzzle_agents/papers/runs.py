"""Independent runs of agents on levels, in parallel processes."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import gymnasium

from puzzle_agents.agent import Budget, Result
from puzzle_agents.papers.settings import Settings
from puzzle_agents.registry import make


@dataclass(frozen=True)
class Run:
    """One attempt of an agent at a level."""

    environment: str
    level: str
    """A name, a file or a text."""
    agent: str
    budget: Budget = field(default_factory=Budget)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """The agent's arguments."""
    facts: tuple[str, ...] = ()
    """Attributes of the result, or of the agent after the attempt, to return with the result."""


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


class Trial(NamedTuple):
    """An agent and its budget, in the order of the fields of `Run`."""

    agent: str
    budget: Budget = Budget()
    arguments: Mapping[str, Any] = {}
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """Runs on the levels of one environment."""

    environment: str
    settings: Settings
    run: Runner

    def once(self, what: str, trial: Trial, levels: Iterable[str]) -> list[Outcome]:
        """A run on each level."""
        runs = [Run(self.environment, level, *trial) for level in levels]
        return self.run(what, runs, self.settings)

    def repeated(
        self, what: str, trial: Trial, levels: Iterable[str], times: int
    ) -> list[list[Outcome]]:
        """Several runs on each level, each with its own seed."""
        seeds = range(self.settings.seed, self.settings.seed + times)
        runs = [
            Run(
                self.environment, level, trial.agent, trial.budget,
                {**trial.arguments, "seed": seed}, trial.facts,
            )
            for level in levels for seed in seeds
        ]  # fmt: skip
        found = self.run(what, runs, self.settings)
        return [found[index : index + times] for index in range(0, len(found), times)]


_warm: set[Hashable] = set()
"""The kinds of runs for which this process has warmed up."""


def outcome_of(run: Run) -> Outcome:
    """Do a run in this process."""
    env = gymnasium.make(run.environment, level=run.level)
    env.reset(seed=0)
    agent = make(run.agent, run.budget, **run.arguments)
    began = time.process_time()
    result = agent.solve(env)
    cpu_seconds = time.process_time() - began
    facts = {fact: getattr(result, fact, getattr(agent, fact, None)) for fact in run.facts}
    return Outcome(run, result, facts, cpu_seconds)


class Workers:
    """Processes that do runs in parallel, and stay warm for the next ones."""

    def __init__(self, count: int) -> None:
        """Use this number of processes, started when they are needed."""
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
        settings.watch(what, 0, len(runs))
        futures = [self._pool.submit(_outcome_in_worker, run) for run in runs]
        numbers = {future: index for index, future in enumerate(futures)}
        for future in as_completed(futures):
            try:
                found[numbers[future]] = future.result()
            except BrokenProcessPool:
                raise ChildProcessError(
                    "A worker process was killed, perhaps for lack of memory; --workers 1 needs "
                    "the least."
                ) from None
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
    options = [item for item in run.arguments.items() if item[0] != "seed"]
    kind = (run.environment, run.agent, repr(sorted(options)))
    if kind not in _warm:
        env = gymnasium.make(run.environment, level=run.level)
        env.reset(seed=0)
        make(run.agent, run.budget, **run.arguments).warm_up(env)
        _warm.add(kind)

"""Scores of agents: coverage, three tracks, log scores, PAR2, geometric means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import exp, log
from statistics import fmean

from puzzle_agents.benchmark.report.faults import void
from puzzle_agents.benchmark.report.results import LevelKey, Results, decides, holds
from puzzle_agents.benchmark.row import Row
from puzzle_agents.statistics import iqm, mean, wilson, with_interval

Measure = Callable[[Row], float]

LOW_COUNT, HIGH_COUNT = 100, 1_000_000
LOW_SECONDS = 1.0
LOW_BYTES = 2_000_000
"""The ends of log scores, as in lab; values up to the low end score 1."""


def transitions(row: Row) -> float:
    """Successors generated, genomes evaluated, or actions taken."""
    return row.generated


def first_transitions(row: Row) -> float:
    """Transitions until the first solution, as some agents then go on for a better one."""
    return row.found[0][0] if row.found else row.generated


def first_cpu_seconds(row: Row) -> float:
    """As much of the CPU seconds as of the seconds by the clock."""
    share = row.found[0][1] / row.seconds if row.found and row.seconds else 1.0
    return row.cpu_seconds * min(1.0, share)


def evaluations(row: Row) -> float:
    """Evaluations of a heuristic or fitness; expansions for agents without one.

    Evolution may go on after it found what it returns, and proves nothing by that: it counts until
    then.
    """
    if row.kind == "evolution" and holds(row) and row.found:
        return row.found[-1][0]
    return row.evaluated or row.expanded


def cpu_seconds(row: Row) -> float:
    """CPU seconds of the whole run."""
    return row.cpu_seconds


def _expanded(row: Row) -> float:
    return row.expanded


MEASURES: dict[str, tuple[Measure, float]] = {
    "expanded": (_expanded, 1),
    "generated": (transitions, 1),
    "CPU seconds": (cpu_seconds, 1e-6),
}
"""Measures with geometric means, each with its lower bound."""


def log_score(value: float, low: float, high: float) -> float:
    """From 1 (`low` or less) to 0 (`high` or more), linear in the logarithm: lab's formula."""
    value = min(max(value, low), high)
    return log(value / high) / log(low / high)


def agile(row: Row) -> float:
    """Log score of the CPU seconds, between 1 s and the limit; 0 if undecided."""
    limit = row.budget.seconds
    return log_score(row.cpu_seconds, min(LOW_SECONDS, limit / 10), limit) if decides(row) else 0.0


def quality(row: Row, best: int) -> float:
    """Fewest known moves over those found; 0 if unsolved."""
    if not holds(row) or row.moves is None:
        return 0.0
    return best / row.moves if row.moves > best else 1.0


def _counted(measure: Measure, row: Row) -> float:
    return log_score(measure(row), LOW_COUNT, HIGH_COUNT) if decides(row) else 0.0


def _memory(row: Row) -> float:
    high = max(row.budget.memory, 2 * LOW_BYTES)
    return log_score(row.peak_rss or row.peak_bytes, LOW_BYTES, high) if decides(row) else 0.0


@dataclass(frozen=True)
class Score:
    """An agent's figures on one puzzle. A level with several seeds counts with their mean."""

    puzzle: str
    agent: str
    kind: str
    levels: int
    runs: int
    solved_runs: int
    coverage: float
    """Number of levels decided: solved, or correctly proved unsolvable."""
    low: float
    high: float
    """Wilson's 95 % interval of the share of levels decided."""
    seconds_limit: float
    memory_limit: int
    transitions_limits: list[int]
    """Those of the levels, each once, in order."""
    agile: float
    satisficing: float
    optimal: float | None
    """None if void because of a wrong claim."""
    expansions_score: float | None
    generated_score: float | None
    """None for an agent that does not count them."""
    memory_score: float
    quality: float | None
    """Mean of the fewest known moves over those found, over solved runs."""
    par2: float
    train_steps: int | None
    train_seconds: float | None
    cpu_seconds: float
    """Mean over levels, solved or not."""


def score_of(results: Results, puzzle: str, agent: str) -> Score:
    """Aggregate an agent's rows on a puzzle."""
    by_level = results.runs(puzzle, agent)
    rows = results.rows_of(puzzle, agent)
    solved = [row for row in rows if holds(row)]

    def total(worth: Measure) -> float:
        return sum(fmean(worth(row) for row in runs) for runs in by_level.values())

    def counted(measure: Measure) -> float | None:
        return total(partial(_counted, measure)) if any(map(measure, rows)) else None

    def its_quality(row: Row) -> float:
        return quality(row, results.best.get(results.level_of(row), 0))

    coverage = total(decides)
    low, high = wilson(coverage, len(by_level))
    claims_fail = void(results, puzzle, agent)
    steps = [row.train_steps for row in rows if row.train_steps is not None]
    seconds = [row.train_seconds for row in rows if row.train_seconds is not None]
    return Score(
        puzzle=puzzle,
        agent=agent,
        kind=results.kinds[agent],
        levels=len(by_level),
        runs=len(rows),
        solved_runs=len(solved),
        coverage=coverage,
        low=low,
        high=high,
        seconds_limit=max(row.budget.seconds for row in rows),
        memory_limit=max(row.budget.memory for row in rows),
        transitions_limits=sorted({limit for row in rows if (limit := _transitions_limit(row))}),
        agile=total(agile),
        satisficing=total(its_quality),
        optimal=None if claims_fail else total(lambda row: holds(row) and row.proved_optimal),
        expansions_score=counted(_expanded),
        generated_score=counted(transitions),
        memory_score=total(_memory),
        quality=fmean(map(its_quality, solved)) if solved else None,
        par2=total(penalized_seconds) / len(by_level),
        train_steps=max(steps, default=None),
        train_seconds=max(seconds, default=None),
        cpu_seconds=total(cpu_seconds) / len(by_level),
    )


def _transitions_limit(row: Row) -> int | None:
    return None if row.kind == "planner" else row.budget.transitions


def penalized_seconds(row: Row) -> float:
    """CPU seconds; twice the limit if unsolved."""
    return row.cpu_seconds if decides(row) else 2 * row.budget.seconds


@dataclass(frozen=True)
class Chance:
    """A randomised agent on one puzzle: figures over all runs, with intervals."""

    puzzle: str
    agent: str
    levels: int
    seeds: int
    """Minimum number of seeds on a level."""
    solved: tuple[float, float, float]
    """Share of runs solved, with its interval."""
    quality: tuple[float, float, float]
    agile: tuple[float, float, float]
    """Interquartile means, with their intervals."""


def chance_of(results: Results, puzzle: str, agent: str) -> Chance | None:
    """The figures of an agent with several seeds; None for others."""
    by_level = results.runs(puzzle, agent)
    seeds = min(len({row.seed for row in runs}) for runs in by_level.values())
    if seeds < 2:
        return None
    qualities = [
        [quality(row, results.best.get(key, 0)) for row in runs] for key, runs in by_level.items()
    ]
    speeds = [[agile(row) for row in runs] for runs in by_level.values()]
    solved = [[float(decides(row)) for row in runs] for runs in by_level.values()]
    return Chance(
        puzzle,
        agent,
        len(by_level),
        seeds,
        with_interval(solved, mean),
        with_interval(qualities, iqm),
        with_interval(speeds, iqm),
    )


def geometric_mean(values: Iterable[float], least: float) -> float:
    """The geometric mean of values, each counted as at least `least`."""
    return exp(fmean(log(max(value, least)) for value in values))


def common_levels(results: Results, puzzle: str) -> tuple[list[str], list[LevelKey]]:
    """The agents that solved anything, and the levels that all of them solved with every seed."""
    able = [
        agent
        for agent in results.agents(puzzle)
        if any(map(decides, results.rows_of(puzzle, agent)))
    ]

    def solved_by(agent: str, key: LevelKey) -> bool:
        runs = results.runs(puzzle, agent).get(key, [])
        return bool(runs) and all(map(decides, runs))

    keys = results.levels(puzzle)
    return able, [key for key in keys if all(solved_by(agent, key) for agent in able)]

"""Y. Yaghoubi, AI-Based Puzzle Game Solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from puzzle_agents.agent import Budget
from puzzle_agents.papers.comparison import (
    Comparison,
    Measure,
    Pair,
    Row,
    mean,
    of_statements,
    printed,
)
from puzzle_agents.papers.report import Report
from puzzle_agents.papers.runs import Experiment, Outcome, Runner, Trial
from puzzle_agents.papers.settings import Settings

PAPER = __doc__


class Performance(NamedTuple):
    """A row of Table III, the paper's or ours; None where there is no run."""

    success: float
    """Per cent of the runs."""
    mean_time: float | None
    """Mean time of the successful runs in milliseconds, as is the deviation."""
    time_deviation: float | None
    generation: float | None
    """The mean generation in which successful runs found the solution."""
    fitness: float | None
    """The mean fitness of the unsuccessful runs."""
    fitness_deviation: float | None


TABLE_3 = {row.pop("grid"): Performance(**row) for row in printed(__package__)}

ENVIRONMENT = "Skyscraper-v0"
SET = "paper-like"
RUNS, QUICK_RUNS = 50, 3
QUICK_GRIDS = ("4x4_1", "4x4_2", "4x4_3", "4x4_4", "4x4_5", "5x5_1", "5x5_2", "6x6_1")
SECONDS, QUICK_SECONDS = 120.0, 4.0

EVALUATIONS = 380 * 4500
"""The fitness evaluations that the paper's parameters allow, for all algorithms."""
HARDEST = [f"sparse/7x7-{number}" for number in range(1, 6)]

GENERATION, FITNESS = "generation", "best_score"
"""Keys in the results of the genetic agents: the last generation, and the best fitness in it."""

REMARKS = {
    "a": "The paper's grids are not named. Ours are the set paper-like: as many of each size, all "
    "clues, no givens. So success, generations and fitness are comparable, not equal.",
    "b": "Times are CPU times on our machine; deviations are those of a whole population.",
}

Grid = Sequence[Outcome]
"""All runs on a grid."""


def reproduce(settings: Settings, run: Runner) -> Report:
    """Run everything."""
    names = settings.either(list(TABLE_3), list(QUICK_GRIDS))
    hardest = settings.either(HARDEST, HARDEST[:1])
    runs = settings.runs or settings.either(RUNS, QUICK_RUNS)
    seconds = settings.either(SECONDS, QUICK_SECONDS)
    experiment = Experiment(ENVIRONMENT, settings, run)

    def bred(grids: Sequence[str], agent: str, what: str, **arguments: Any) -> list[Grid]:
        budget = Budget(seconds=seconds, expansions=EVALUATIONS)
        trial = Trial(agent, budget, arguments, (GENERATION, FITNESS))
        return list(experiment.repeated(what, trial, map(_level, grids), runs))

    def ours(grids: Sequence[str], title: str) -> list[Comparison]:
        solver = Trial("skyscraper-exact", Budget(seconds=seconds))
        exact = experiment.once("the exact search", solver, map(_level, grids))
        agent = "skyscraper-ga"
        plain = bred(grids, agent, f"our genetic algorithm on {title}", pruned=False)
        pruned = bred(grids, agent, f"our genetic algorithm after propagation, on {title}")
        givens_alone = f"Our genetic algorithm, knowing only the givens, on {title}"
        deduced = f"Our genetic algorithm after propagation of the clues, on {title}"
        return [beside(givens_alone, grids, plain, exact), beside(deduced, grids, pruned, exact)]

    paper = bred(names, "skyscraper-ga-paper", "the paper's genetic algorithm")
    left_out = (
        f"grids: {len(names)} of {len(TABLE_3)}, {len(hardest)} of {len(HARDEST)} of the hardest; "
        f"runs: {runs} instead of {RUNS} on each, each of {QUICK_SECONDS:.0f} s at most."
    )
    tables = (
        table_3(names, paper),
        *ours(names, "the same grids"),
        *ours(hardest, "the hardest 7x7 grids (set sparse)"),
        arithmetic(),
    )
    return Report("skyscraper", PAPER, tables, settings.either((), (left_out,)))


def _level(name: str) -> str:
    return f"{SET}/{name.replace('_', '-')}" if name in TABLE_3 else name


# --- Table III --------------------------------------------------------------------------------

MEASURES = (
    Measure("success %", ".0f"),
    Measure("mean time ms", ",.2f"),
    Measure("deviation of time ms", ",.2f"),
    Measure("mean generation", ",.2f"),
    Measure("mean fitness, unsuccessful", ".2f"),
    Measure("deviation of fitness", ".2f"),
)


def table_3(names: Sequence[str], grids: Sequence[Grid]) -> Comparison:
    """The paper's genetic algorithm."""
    rows = []
    for name, grid in zip(names, grids, strict=True):
        paper = TABLE_3[name]
        if paper.success == 0:  # prints 0 where there is no run
            paper = paper._replace(mean_time=None, time_deviation=None, generation=None)
        rows.append(Row(name, tuple(map(Pair, paper, _performance(grid)))))
    title = "Table III, performance of the paper's GA"
    return Comparison(title, "grid", MEASURES, tuple(rows), REMARKS)


def _performance(grid: Grid) -> Performance:
    """The figures of Table III over some runs."""
    solved = [outcome for outcome in grid if outcome.result.solved]
    times = [1000 * outcome.cpu_seconds for outcome in solved]
    fitness = _facts((outcome for outcome in grid if not outcome.result.solved), FITNESS)
    return Performance(
        100 * len(solved) / len(grid), mean(times), pstdev(times) if times else None,
        mean(_facts(solved, GENERATION)), mean(fitness), pstdev(fitness) if fitness else None,
    )  # fmt: skip


def _facts(grid: Iterable[Outcome], fact: str) -> list[float]:
    values = [outcome.facts.get(fact) for outcome in grid]
    return [float(value) for value in values if value is not None]


def beside(
    title: str, names: Sequence[str], grids: Sequence[Grid], exact: Sequence[Outcome]
) -> Comparison:
    """Our genetic algorithm and the exact search on the same grids."""
    rows = []
    for name, grid, proof in zip(names, grids, exact, strict=True):
        success, time, deviation, generation, fitness, _ = _performance(grid)
        evaluations = mean(run.result.evaluated for run in grid if run.result.solved)
        paper = TABLE_3[name].success if name in TABLE_3 else None
        proved = 1000 * proof.cpu_seconds if proof.result.solved else None
        rows.append(
            Row.of(
                name, Pair(paper, success), time, deviation, generation, evaluations, fitness,
                proved,
            )
        )  # fmt: skip
    measures = (
        *MEASURES[:4],
        Measure("mean evaluations", ",.0f"),
        MEASURES[4],
        Measure("exact search ms", ",.2f"),
    )
    return Comparison(title, "grid", measures, tuple(rows), {"a": REMARKS["a"]})


# --- the paper's own figures ------------------------------------------------------------------


def arithmetic() -> Comparison:
    """Section V recomputed from Table III."""
    small, large = _of_size("4x4"), _of_size("6x6")
    success = [fmean(row.success for row in rows) for rows in (small, large)]
    times = [fmean(row.mean_time or 0 for row in rows) for rows in (small, large)]
    drop = 100 * (1 - success[1] / success[0])
    rise = 100 * (times[1] / times[0] - 1)
    return of_statements(
        "Section V: printed / recomputed from Table III",
        "figure",
        Measure("value", ","),
        [
            ("success from 4x4 to 6x6 drops by, %", 60, round(drop, 1), "a"),
            ("average time from 4x4 to 6x6 grows by, %", 3, round(rise), "b"),
            (
                "rows with a figure that cannot be a mean over 50 runs",
                None,
                _impossible_means(),
                "",
            ),
        ],
        {
            "a": f"From {success[0]:.1f} to {success[1]:.1f} %: {success[0] - success[1]:.1f} "
            f"points, a relative drop of {drop:.1f} %.",
            "b": f"From {times[0]:,.0f} to {times[1]:,.0f} ms: {times[1] / times[0]:.0f} times as "
            "long.",
        },
    )


def _of_size(size: str) -> list[Performance]:
    return [row for name, row in TABLE_3.items() if name.startswith(size)]


def _impossible_means() -> int:
    """The rows with a mean that no set of this many integers has (GRIM test)."""
    wrong = 0
    for row in TABLE_3.values():
        successes = round(row.success * 50 / 100)
        for average, count in ((row.generation, successes), (row.fitness, 50 - successes)):
            if average is not None and count:
                wrong += abs(round(average * count) / count - average) > 0.0051
    return wrong

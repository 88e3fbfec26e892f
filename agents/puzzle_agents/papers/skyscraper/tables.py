"""Y. Yaghoubi, AI-Based Puzzle Game Solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from puzzle_agents.agent import Budget
from puzzle_agents.papers.report import Report
from puzzle_agents.papers.runs import Outcome, Run, Runner
from puzzle_agents.papers.settings import Settings
from puzzle_agents.papers.table import Cell, Column, Row, Table, Value

__all__ = ["TABLE_3", "Performance", "reproduce"]

PAPER = __doc__


class Performance(NamedTuple):
    """A row of Table III."""

    success: float
    """Per cent of 50 runs."""
    mean_time: float
    """Milliseconds, as its deviation, of the successful runs."""
    time_deviation: float
    generation: float
    """The mean one in which successful runs found the solution."""
    fitness: float
    """The mean of the unsuccessful runs."""
    fitness_deviation: float


TABLE_3 = {
    "4x4_1": Performance(84, 145.69, 125.24, 13.6, -2, 0),
    "4x4_2": Performance(98, 725.02, 2416.21, 119.61, -2, 0),
    "4x4_3": Performance(90, 735.8, 2307.62, 106.2, -2, 0),
    "4x4_4": Performance(90, 142.2, 113.96, 11.13, -4, 0),
    "4x4_5": Performance(82, 122.44, 55.39, 9.9, -2, 0),
    "5x5_1": Performance(62, 4279.81, 8699.85, 515.1, -2.84, 1.66),
    "5x5_2": Performance(34, 2697, 3469.68, 322.94, -3.39, 1.1),
    "5x5_3": Performance(20, 7413, 7510.21, 937.4, -1.7, 0.81),
    "5x5_4": Performance(56, 5912.89, 9455.32, 731.14, -2.36, 0.57),
    "5x5_5": Performance(36, 5480.5, 7716.1, 657.11, -3.84, 0.75),
    "6x6_1": Performance(28, 18568.29, 14445.05, 1598.29, -2.92, 1.38),
    "6x6_2": Performance(8, 111651.25, 156011.27, 2605, -3.35, 1.29),
    "6x6_3": Performance(42, 22931.86, 38221.57, 1124.14, -2.79, 1.27),
    "6x6_4": Performance(26, 22594.15, 13262.29, 1877.69, -4.03, 1.35),
    "6x6_5": Performance(14, 7516.57, 3197.73, 559.86, -3.26, 1.48),
    "7x7_1": Performance(0, 0, 0, 0, -11.56, 1.75),
    "7x7_2": Performance(0, 0, 0, 0, -11.72, 1.89),
    "7x7_3": Performance(0, 0, 0, 0, -11.66, 1.7),
    "7x7_4": Performance(0, 0, 0, 0, -14.66, 1.9),
    "7x7_5": Performance(0, 0, 0, 0, -12.56, 1.76),
    "8x8_1": Performance(0, 0, 0, 0, -25.78, 1.81),
    "9x9_1": Performance(0, 0, 0, 0, -40.4, 2.2),
}

ENVIRONMENT = "Skyscraper-v0"
SET = "paper-like"
GENETIC, OURS, EXACT = "skyscraper-ga-paper", "skyscraper-ga", "skyscraper-exact"
RUNS, QUICK_RUNS = 50, 3
QUICK_GRIDS = ("4x4_1", "4x4_2", "4x4_3", "4x4_4", "4x4_5", "5x5_1", "5x5_2", "6x6_1")
SECONDS, QUICK_SECONDS = 120.0, 4.0

EVALUATIONS = 380 * 4500
"""What the paper's parameters come to, for all."""
HARDEST = [f"sparse/7x7-{number}" for number in range(1, 6)]

GENERATION, FITNESS = "generation", "best_score"
"""Attributes of the genetic agents: the last generation, and the best fitness in it."""

REMARKS = {
    "a": "The paper's grids are not named. Ours are the set paper-like: as many of each size, all "
    "clues, no givens. So success, generations and fitness are of the same kind, not the same.",
    "b": "Times are of this machine, in wall time; deviations are those of a whole population.",
}

Grid = Sequence[Outcome]
"""All runs on a grid."""


def reproduce(settings: Settings, run: Runner) -> Report:
    """Run everything."""
    names = list(QUICK_GRIDS if settings.quick else TABLE_3)
    hardest = list(HARDEST[:1] if settings.quick else HARDEST)
    runs = settings.runs or (QUICK_RUNS if settings.quick else RUNS)
    seconds = QUICK_SECONDS if settings.quick else SECONDS
    budget = Budget(seconds=seconds, expansions=EVALUATIONS)

    def bred(grids: Sequence[str], agent: str, what: str, **arguments: Any) -> list[Grid]:
        facts = (GENERATION, FITNESS)
        jobs = [
            Run(ENVIRONMENT, _level(name), agent, budget, {**arguments, "seed": seed}, facts)
            for name in grids
            for seed in range(settings.seed, settings.seed + runs)
        ]
        found = run(what, jobs, settings)
        return [found[index : index + runs] for index in range(0, len(found), runs)]

    def ours(grids: Sequence[str], title: str) -> list[Table]:
        jobs = [Run(ENVIRONMENT, _level(name), EXACT, Budget(seconds=seconds)) for name in grids]
        exact = run("the exact search", jobs, settings)
        plain = bred(grids, OURS, f"our genetic algorithm on {title}", pruned=False)
        pruned = bred(grids, OURS, f"the same after deduction, on {title}")
        return [
            beside(
                f"Our genetic algorithm knowing the givens alone, on {title}", grids, plain, exact
            ),
            beside(
                f"The same knowing what follows from the clues, on {title}", grids, pruned, exact
            ),
        ]

    paper = bred(names, GENETIC, "the paper's genetic algorithm")
    left_out = []
    if settings.quick:
        left_out.append(
            f"grids: {len(names)} of {len(TABLE_3)}, {len(hardest)} of {len(HARDEST)} of the "
            f"hardest; runs: {runs} instead of {RUNS} on each, each of {QUICK_SECONDS:.0f} s at "
            "most."
        )
    tables = (
        table_3(names, paper),
        *ours(names, "the same grids"),
        *ours(hardest, "the hardest 7x7 grids (set sparse)"),
        arithmetic(),
    )
    return Report("skyscraper", PAPER, tables, tuple(left_out))


def _level(name: str) -> str:
    return f"{SET}/{name.replace('_', '-')}" if name in TABLE_3 else name


# --- Table III --------------------------------------------------------------------------------

FORMS = {
    "success %": ".0f",
    "mean time ms": ",.2f",
    "deviation of time ms": ",.2f",
    "mean generation": ",.2f",
    "mean fitness, unsuccessful": ".2f",
    "deviation of fitness": ".2f",
}


def table_3(names: Sequence[str], grids: Sequence[Grid]) -> Table:
    """The paper's genetic algorithm."""
    rows = []
    for name, grid in zip(names, grids, strict=True):
        paper = TABLE_3[name]
        printed: Sequence[Value] = _as_printed(paper)
        cells = zip(printed, _performance(grid), strict=True)
        rows.append(Row(name, tuple(Cell(one, other) for one, other in cells)))
    columns = tuple(Column(head, form) for head, form in FORMS.items())
    return Table("Table III, performance of the paper's GA", "grid", columns, tuple(rows), REMARKS)


def _as_printed(row: Performance) -> Sequence[Value]:
    """The row; its zeros where no run succeeded are no figures."""
    if row.success == 0:
        return (row.success, None, None, None, row.fitness, row.fitness_deviation)
    return tuple(row)


def _performance(grid: Grid) -> Sequence[float | None]:
    """The figures of Table III over some runs."""
    solved = [outcome for outcome in grid if outcome.result.solved]
    times = [1000 * outcome.result.seconds for outcome in solved]
    generations = _facts(solved, GENERATION)
    fitness = _facts((outcome for outcome in grid if not outcome.result.solved), FITNESS)
    return (
        100 * len(solved) / len(grid),
        _over(times, fmean), _over(times, pstdev),
        _over(generations, fmean),
        _over(fitness, fmean), _over(fitness, pstdev),
    )  # fmt: skip


def _facts(grid: Iterable[Outcome], fact: str) -> list[float]:
    values = [outcome.facts.get(fact) for outcome in grid]
    return [float(value) for value in values if value is not None]


def _over(values: Sequence[float], measure: Callable[[Sequence[float]], float]) -> float | None:
    return measure(values) if values else None


def beside(
    title: str, names: Sequence[str], grids: Sequence[Grid], exact: Sequence[Outcome]
) -> Table:
    """Our genetic algorithm and the exact search on the same grids."""
    rows = []
    for name, grid, proof in zip(names, grids, exact, strict=True):
        success, time, deviation, generation, fitness, _ = _performance(grid)
        evaluations = [float(outcome.result.evaluated) for outcome in grid if outcome.result.solved]
        rows.append(
            Row(
                name,
                (
                    Cell(TABLE_3[name].success if name in TABLE_3 else None, success),
                    Cell(None, time),
                    Cell(None, deviation),
                    Cell(None, generation),
                    Cell(None, _over(evaluations, fmean)),
                    Cell(None, fitness),
                    Cell(None, 1000 * proof.result.seconds if proof.result.solved else None),
                ),
            )
        )
    return Table(
        title,
        "grid",
        (
            Column("success %", ".0f"),
            Column("mean time ms", ",.2f"),
            Column("deviation of time ms", ",.2f"),
            Column("mean generation", ",.2f"),
            Column("mean evaluations", ",.0f"),
            Column("mean fitness, unsuccessful", ".2f"),
            Column("exact search ms", ",.2f"),
        ),
        tuple(rows),
        {"a": REMARKS["a"]},
    )


# --- the paper's own figures ------------------------------------------------------------------


def arithmetic() -> Table:
    """Section V recomputed from Table III."""
    small, large = _of_size("4x4"), _of_size("6x6")
    success = [fmean(row.success for row in rows) for rows in (small, large)]
    times = [fmean(row.mean_time for row in rows) for rows in (small, large)]
    drop = 100 * (1 - success[1] / success[0])
    rise = 100 * (times[1] / times[0] - 1)
    rows: list[tuple[str, Value, Value, str]] = [
        ("success from 4x4 to 6x6 drops by, %", 60, round(drop, 1), "a"),
        ("average time from 4x4 to 6x6 grows by, %", 3, round(rise), "b"),
        ("rows whose figures are no means over 50 runs", None, _no_means(), ""),
    ]
    return Table(
        "Section V: printed / recomputed from Table III",
        "figure",
        (Column("value", ","),),
        tuple(Row(label, (Cell(paper, ours, key),)) for label, paper, ours, key in rows),
        {
            "a": f"From {success[0]:.1f} to {success[1]:.1f} %: {success[0] - success[1]:.1f} "
            f"points, or {drop:.1f} % of it.",
            "b": f"From {times[0]:,.0f} to {times[1]:,.0f} ms: {times[1] / times[0]:.0f} times as "
            "long.",
        },
    )


def _of_size(size: str) -> list[Performance]:
    return [row for name, row in TABLE_3.items() if name.startswith(size)]


def _no_means() -> int:
    """Rows whose generation or fitness no whole numbers over their runs can have as their mean."""
    wrong = 0
    for row in TABLE_3.values():
        successes = round(row.success * 50 / 100)
        for mean, count in ((row.generation, successes), (row.fitness, 50 - successes)):
            total = round(mean * count)
            wrong += count > 0 and abs(total / count - mean) > 0.0051
    return wrong

"""J. Coldridge and M. Amos, Genetic algorithms and the art of Zen."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from puzzle_agents.agent import Budget, Status
from puzzle_agents.papers.report import Report
from puzzle_agents.papers.runs import Outcome, Run, Runner
from puzzle_agents.papers.settings import Settings
from puzzle_agents.papers.table import Cell, Claim, Column, Row, Table, Value

__all__ = ["BOARDS", "TABLE_1", "TABLE_2", "UNSOLVABLE", "Effort", "Quality", "reproduce"]

PAPER = f"{__doc__} arXiv 1005.4446, 2010"


class Quality(NamedTuple):
    """A row of Table I."""

    optimum: int
    best: int
    average: float
    excess: float
    """Per cent."""


class Effort(NamedTuple):
    """A row of Table II."""

    a_star: int
    genetic: int
    percent: float


TABLE_1 = {
    "T1": Quality(3, 3, 3.38, 12.67),
    "R1": Quality(4, 4, 4, 0),
    "R2": Quality(4, 4, 4, 0),
    "T2": Quality(4, 4, 4.12, 3.0),
    "T3": Quality(4, 4, 4, 0),
    "T4": Quality(4, 4, 4.62, 15.5),
    "T5": Quality(4, 4, 4.24, 6.0),
    "R3": Quality(5, 5, 5.14, 2.8),
    "R4": Quality(5, 5, 5, 0),
    "R5": Quality(5, 5, 5, 0),
    "R6": Quality(5, 5, 5, 0),
    "T6": Quality(5, 5, 5.06, 1.2),
    "T7": Quality(5, 5, 5.94, 18.8),
    "T8": Quality(5, 5, 5.88, 17.6),
    "T9": Quality(5, 5, 5.76, 15.2),
    "T10": Quality(5, 5, 6.36, 27.2),
    "T11": Quality(5, 5, 5.08, 1.6),
    "R7": Quality(6, 6, 11.41, 90.17),
    "R8": Quality(6, 6, 6.7, 11.67),
    "T12": Quality(6, 7, 8.98, 49.67),
    "T13": Quality(6, 6, 6.06, 1.0),
    "R9": Quality(6, 6, 6.22, 3.67),
    "T14": Quality(6, 9, 9.57, 59.5),
}
EXCESS_AVERAGE = 14.66

TABLE_2 = {
    "T1": Effort(903_634, 27_000, 2.99),
    "R1": Effort(123_084, 1_000, 0.81),
    "R2": Effort(152_265, 1_000, 0.66),
    "T2": Effort(77_272, 30_000, 38.82),
    "T3": Effort(109_284, 1_000, 0.92),
    "T4": Effort(2_962_349, 48_000, 1.62),
    "T5": Effort(956_861, 35_000, 3.66),
    "R3": Effort(30_759_145, 25_000, 0.08),
    "R4": Effort(2_983_478, 1_000, 0.03),
    "R5": Effort(2_983_134, 2_000, 0.07),
    "R6": Effort(912_676, 1_000, 0.11),
    "T6": Effort(1_137_751, 13_000, 1.14),
    "T7": Effort(158_756_106, 50_000, 0.03),
    "T8": Effort(15_092_790, 45_000, 0.3),
    "T9": Effort(33_414_980, 53_000, 0.16),
    "T10": Effort(128_639_420, 47_000, 0.04),
    "T11": Effort(9_896_968, 32_000, 0.32),
    "R7": Effort(5_888_672, 31_000, 0.53),
    "R8": Effort(15_728_328, 48_000, 0.31),
    "T13": Effort(22_742_096, 12_000, 0.05),
    "R9": Effort(5_888_672, 31_000, 0.53),
}
PERCENT_AVERAGE = 2.53
PERCENT_WITHOUT_T2 = 0.65

BOARDS = {
    "T1": "ornaments/1",
    "R1": "rocks/1",
    "R2": "ornaments/4",
    "T2": "leaves/3",
    "T3": "mixed/1",
    "T4": "rocks/2",
    "T5": "ornaments/5",
    "R3": "rocks/4",
    "R4": "ornaments/12",
    "R5": "leaves/7",
    "R6": "mixed/6",
    "T6": "rocks/6",
    "T7": "ornaments/13",
    "T8": "leaves/8",
    "T9": "mixed/7",
    "T10": "rocks/7",
    "T11": "ornaments/15",
    "R7": "rocks/8",
    "R8": "leaves/12",
    "T12": "rocks/12",
    "T13": "leaves/14",
    "R9": "rocks/13",
    "T14": "leaves/15",
}
"""For each of the paper's boards a bundled one with the same optimum.

They are taken from the sets rocks, ornaments, leaves and mixed in turn, in the order of the sets:
gardens of at most 8x8 with all switches at their defaults, on which the paper's A* evaluates at
most 100 million boards.
"""

UNSOLVABLE = "....\n.#.#\n.###\n....\n"
"""In place of the paper's board without a solution: nobody leaves the pocket between the rocks.

The bundled one (rocks/24) is too large to be searched through without detection of duplicates.
"""

ENVIRONMENT = "ZenGarden-v0"
A_STAR, GENETIC, OURS = "zen-astar-paper", "zen-ga-paper", "zen-ga"
RUNS, QUICK_RUNS = 50, 3
A_STAR_SECONDS, QUICK_A_STAR_SECONDS = 900.0, 4.0
GENETIC_SECONDS, QUICK_GENETIC_SECONDS = 60.0, 2.0
HARDEST = ("ornaments/10", "ornaments/18")
"""Beside the boards of the tables: many ornaments, so that a move has very many outcomes."""
EVALUATIONS_TO_BEST = "found_after"
"""The attribute of a genetic agent: the fitness evaluations up to the solution it returns."""

OTHER_BOARDS = (
    "The paper's boards are not public. Each row has one of ours with the same optimum: gardens of "
    "at most 8x8 from the sets rocks, ornaments, leaves, mixed in turn, on which A* evaluates at "
    "most 100 million boards. So only the optimum has to agree."
)


class Board(NamedTuple):
    """Everything that was run on one of our boards."""

    a_star: Outcome
    merging: Outcome
    genetic: Sequence[Outcome]
    ours: Sequence[Outcome]


def reproduce(settings: Settings, run: Runner) -> Report:
    """Run everything."""
    boards = _run_all(settings, run)
    left_out = []
    if settings.quick:
        left_out.append(
            f"runs: {_runs_of(settings)} instead of {RUNS} on each board; A* for "
            f"{QUICK_A_STAR_SECONDS:.0f} s instead of {A_STAR_SECONDS:.0f} s a board."
        )
    tables = (
        table_1(boards),
        table_2(boards),
        hardest(settings, run),
        unsolvable(settings, run),
        arithmetic(),
    )
    return Report("zen-garden", PAPER, tables, tuple(left_out))


def _runs_of(settings: Settings) -> int:
    return settings.runs or (QUICK_RUNS if settings.quick else RUNS)


def _run_all(settings: Settings, run: Runner) -> dict[str, Board]:
    """Run the two searches and the two genetic algorithms on every board."""
    quick = settings.quick
    exact = Budget(seconds=QUICK_A_STAR_SECONDS if quick else A_STAR_SECONDS)
    levels = list(BOARDS.values())

    def searched(duplicates: bool) -> list[Outcome]:
        arguments = {"duplicates": duplicates}
        what = "A*, equal boards merged" if duplicates else "the paper's A*"
        runs = [
            Run(ENVIRONMENT, level, A_STAR, exact, arguments, ("finished",)) for level in levels
        ]
        return run(what, runs, settings)

    columns = zip(
        searched(False),
        searched(True),
        _bred(GENETIC, "the paper's genetic algorithm", levels, settings, run),
        _bred(OURS, "our genetic algorithm", levels, settings, run),
        strict=True,
    )
    return {name: Board(*results) for name, results in zip(BOARDS, columns, strict=True)}


def _bred(
    agent: str, what: str, levels: Sequence[str], settings: Settings, run: Runner
) -> list[list[Outcome]]:
    """All runs of a genetic algorithm on each of some boards."""
    budget = Budget(seconds=QUICK_GENETIC_SECONDS if settings.quick else GENETIC_SECONDS)
    seeds = range(settings.seed, settings.seed + _runs_of(settings))
    runs = [
        Run(ENVIRONMENT, level, agent, budget, {"seed": seed}, (EVALUATIONS_TO_BEST,))
        for level in levels
        for seed in seeds
    ]
    found = run(what, runs, settings)
    return [found[index : index + len(seeds)] for index in range(0, len(found), len(seeds))]


# --- Table I ----------------------------------------------------------------------------------


def table_1(boards: dict[str, Board]) -> Table:
    """The solutions' lengths."""
    rows = []
    excesses = []
    for name, board in boards.items():
        optimum = board.a_star.result.moves
        best, average = _lengths(board.genetic)
        our_best, our_average = _lengths(board.ours)
        excess = None if average is None or not optimum else 100 * (average / optimum - 1)
        excesses.append(excess)
        paper = TABLE_1[name]
        rows.append(
            Row(
                f"{name}, {BOARDS[name]}",
                (
                    Cell(paper.optimum, optimum),
                    Cell(paper.best, best),
                    Cell(paper.average, average),
                    Cell(paper.excess, excess),
                    Cell(None, _percent(board.genetic, None)),
                    Cell(None, our_best),
                    Cell(None, our_average),
                    Cell(None, _percent(board.ours, optimum)),
                ),
            )
        )
    known = [excess for excess in excesses if excess is not None]
    average_row = [Cell()] * 8
    average_row[3] = Cell(EXCESS_AVERAGE, fmean(known) if known else None)
    rows.append(Row("Average", tuple(average_row)))
    return Table(
        "Table I, move count comparison for A* and GA",
        "board",
        (
            Column("optimum", claim=Claim.EQUAL),
            Column("GA best"),
            Column("GA av.", ".2f"),
            Column("GA excess %", ".2f"),
            Column("GA solved %", ".0f"),
            Column("our GA best"),
            Column("our GA av.", ".2f"),
            Column("our GA at optimum %", ".0f"),
        ),
        tuple(rows),
        {"a": OTHER_BOARDS},
    )


def _lengths(runs: Sequence[Outcome]) -> tuple[int | None, float | None]:
    """The best and the average length over the runs that solved the board."""
    lengths = [outcome.result.moves for outcome in runs if outcome.result.moves is not None]
    return (min(lengths), fmean(lengths)) if lengths else (None, None)


def _percent(runs: Sequence[Outcome], moves: int | None) -> float | None:
    """How many of the runs solved the board, in so many moves if that is given."""
    if not runs:
        return None
    hits = [outcome.result.solved and moves in (None, outcome.result.moves) for outcome in runs]
    return 100 * sum(hits) / len(hits)


# --- Table II ---------------------------------------------------------------------------------


def table_2(boards: dict[str, Board]) -> Table:
    """The evaluations."""
    rows = []
    percents = []
    for name, board in boards.items():
        paper = TABLE_2.get(name)
        optimum = board.a_star.result.moves
        searched, merged = _evaluations(board.a_star), _evaluations(board.merging)
        genetic, ours = (_to_optimum(runs, optimum) for runs in (board.genetic, board.ours))
        percent = 100 * genetic / searched if genetic is not None and searched else None
        percents.append(percent)
        rows.append(
            Row(
                f"{name}, {BOARDS[name]}",
                (
                    Cell(paper and paper.a_star, searched, "" if searched else "b"),
                    Cell(paper and paper.genetic, genetic),
                    Cell(paper and paper.percent, percent),
                    Cell(None, merged),
                    Cell(None, ours),
                ),
            )
        )
    known = [percent for percent in percents if percent is not None]
    average = Cell(PERCENT_AVERAGE, fmean(known) if known else None)
    rows.append(Row("Average", (Cell(), Cell(), average, Cell(), Cell())))
    return Table(
        "Table II, number of evaluations for A* and GA",
        "board",
        (
            Column("A* evals.", ","),
            Column("av. GA evals.", ",.0f"),
            Column("% of A*", ".2f"),
            Column("A* evals. with equal boards merged", ","),
            Column("our GA's av. evals.", ",.0f"),
        ),
        tuple(rows),
        {
            "a": OTHER_BOARDS,
            "b": "The time limit ended the search before all its boards were evaluated.",
            "c": "AreaFitness is less than 1 once a cell is raked, so f = g + h orders boards by "
            "their moves alone: the paper's A* is breadth-first search without detection of "
            "duplicates. Merging equal boards, which it leaves out, takes the next to last column.",
            "d": "Averages over the runs that reached the optimum.",
        },
    )


def _evaluations(outcome: Outcome) -> int | None:
    """All that the search evaluates, if it came to its end."""
    return outcome.result.evaluated if outcome.facts.get("finished") else None


def _to_optimum(runs: Sequence[Outcome], optimum: int | None) -> float | None:
    """The evaluations up to the optimum, over the runs that reached it."""
    counts = [
        outcome.facts.get(EVALUATIONS_TO_BEST) or outcome.result.evaluated
        for outcome in runs
        if outcome.result.solved and outcome.result.moves == optimum
    ]
    return fmean(counts) if counts else None


def hardest(settings: Settings, run: Runner) -> Table:
    """The gardens on which both genetic algorithms fail most, too large for the paper's A*."""
    exact = run("A* of ours", [Run(ENVIRONMENT, level, "astar") for level in HARDEST], settings)
    paper = _bred(GENETIC, "the paper's genetic algorithm, hard gardens", HARDEST, settings, run)
    ours = _bred(OURS, "our genetic algorithm, hard gardens", HARDEST, settings, run)
    rows = []
    for level, proof, *runs in zip(HARDEST, exact, paper, ours, strict=True):
        optimum = proof.result.moves if proof.result.proved_optimal else None
        cells = [Cell(None, optimum)]
        for found in runs:
            cells += [Cell(None, _percent(found, optimum)), Cell(None, _to_optimum(found, optimum))]
        rows.append(Row(level, tuple(cells)))
    return Table(
        "Gardens that are hard for both",
        "board",
        (
            Column("optimum, proved"),
            Column("GA at optimum %", ".0f"),
            Column("GA evals.", ",.0f"),
            Column("our GA at optimum %", ".0f"),
            Column("our GA's evals.", ",.0f"),
        ),
        tuple(rows),
    )


# --- the rest of section V --------------------------------------------------------------------


def unsolvable(settings: Settings, run: Runner) -> Table:
    """The board without a solution."""
    exact = Budget(seconds=QUICK_A_STAR_SECONDS)
    evolved = Budget(seconds=QUICK_GENETIC_SECONDS)
    runs = [
        Run(ENVIRONMENT, UNSOLVABLE, A_STAR, exact),
        Run(ENVIRONMENT, UNSOLVABLE, GENETIC, evolved, {"seed": settings.seed}),
        Run(ENVIRONMENT, UNSOLVABLE, OURS, evolved, {"seed": settings.seed}),
    ]
    found = [outcome.result for outcome in run("the board without a solution", runs, settings)]
    names = ("A*", "GA", "our GA")
    rows = [
        Row(
            name,
            (
                Cell(None if name == "our GA" else "none", _solution(result.status)),
                Cell(None, result.evaluated),
            ),
        )
        for name, result in zip(names, found, strict=True)
    ]
    columns = (Column("solution", claim=Claim.EQUAL), Column("evaluations", ","))
    return Table("Section V, the board without a solution", "method", columns, tuple(rows))


def _solution(status: Status) -> str:
    return "found" if status == Status.SOLVED else "none"


def arithmetic() -> Table:
    """The paper's own figures, recomputed from its tables."""
    excesses = [row.excess for row in TABLE_1.values()]
    percents = {name: row.percent for name, row in TABLE_2.items()}
    without = [percent for name, percent in percents.items() if name != "T2"]
    rows: list[tuple[str, Value, Value, str]] = [
        ("average excess %, Table I", EXCESS_AVERAGE, round(fmean(excesses), 2), ""),
        ("rows of Table I whose excess is not that of their average", None, _wrong_excesses(), ""),
        ("average % of A*, Table II", PERCENT_AVERAGE, round(fmean(percents.values()), 2), ""),
        ("the same without T2", PERCENT_WITHOUT_T2, round(fmean(without), 2), "a"),
        ("rows of Table II whose % is not that of their counts", None, _wrong_percents(), ""),
        ("boards, first count: 9 retail, 14 test, 1 without solution", 24, 9 + 14 + 1, "b"),
        ("boards, second count: 15 retail less 8 too large, 15 of their own", 24, 15 - 8 + 15, "b"),
        ("boards that share both counts of Table II with another", None, _twins(), "c"),
        ("averages over 50 runs that are no multiples of 1,000", None, _uneven(), "d"),
    ]
    return Table(
        "The paper's arithmetic: printed / recomputed from its tables",
        "figure",
        (Column("value"),),
        tuple(Row(label, (Cell(paper, ours, key),)) for label, paper, ours, key in rows),
        {
            "a": "It is printed in section V; the rows of Table II do not give it.",
            "b": "Section V counts its boards twice, and the counts do not agree: 24 with nine "
            "retail boards, or 30 of which eight retail boards are too large, which leaves seven.",
            "c": "R7 and R9 have the same 5,888,672 evaluations of A* and the same 31,000 of the "
            "genetic algorithm, and averages of 11.41 and 6.22 moves: one row seems to be a copy.",
            "d": "All averages are whole thousands, the size of the population: they are rounded "
            "to generations, or no averages.",
        },
    )


def _wrong_excesses() -> int:
    return sum(
        abs(100 * (row.average / row.optimum - 1) - row.excess) > 0.0051 for row in TABLE_1.values()
    )


def _wrong_percents() -> int:
    return sum(
        abs(100 * row.genetic / row.a_star - row.percent) > 0.0051 for row in TABLE_2.values()
    )


def _twins() -> int:
    counts = [(row.a_star, row.genetic) for row in TABLE_2.values()]
    return sum(counts.count(pair) > 1 for pair in counts)


def _uneven() -> int:
    return sum(row.genetic % 1000 != 0 for row in TABLE_2.values())

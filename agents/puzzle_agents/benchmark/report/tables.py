"""The tables of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from puzzle_agents.agent import Status
from puzzle_agents.benchmark.report.anomalies import anomaly_table
from puzzle_agents.benchmark.report.answers import answer_tables
from puzzle_agents.benchmark.report.cells import NONE, bad, by_puzzle, count, figure, median
from puzzle_agents.benchmark.report.contest import (
    CONTENDERS,
    RULE,
    contest_of,
    costs_of,
    times_search,
    winner,
)
from puzzle_agents.benchmark.report.faults import Faults
from puzzle_agents.benchmark.report.ladders import ladder_of
from puzzle_agents.benchmark.report.pairs import pair_tables
from puzzle_agents.benchmark.report.planners import planner_table, task_table
from puzzle_agents.benchmark.report.results import LevelKey, Results, holds
from puzzle_agents.benchmark.report.scores import (
    MEASURES,
    Measure,
    Score,
    chance_of,
    common_levels,
    evaluations,
    geometric_mean,
    score_of,
    transitions,
)
from puzzle_agents.benchmark.row import ERROR, Row
from puzzle_agents.table import Column, Table, counted


def all_scores(results: Results) -> list[Score]:
    """The scores of every agent on every puzzle that it ran on."""
    return [
        score_of(results, puzzle, agent)
        for puzzle in results.puzzles
        for agent in results.agents(puzzle)
    ]


def all_tables(results: Results, scores: Sequence[Score], faults: Faults) -> list[Table]:
    """The tables in the order of the report, without empty ones."""
    tables = [
        fault_table(results, faults),
        comparison_table(results, faults),
        *answer_tables(results),
        anomaly_table(results),
        status_table(results),
        track_table(scores),
        *pair_tables(results),
        log_score_table(scores),
        common_table(results),
        chance_table(results),
        training_table(scores),
        planner_table(results),
        task_table(results),
        contest_table(results),
        set_table(results),
        board_table(results),
    ]
    return [table for table in tables if table.rows]


def answers(results: Results, scores: Sequence[Score], faults: Faults) -> list[Table]:
    """The main tables, for a document."""
    tables = [
        fault_table(results, faults),
        *answer_tables(results),
        comparison_table(results, faults),
        track_table(scores),
        *pair_tables(results),
        planner_table(results),
        task_table(results),
        contest_table(results),
        set_table(results),
        chance_table(results),
        training_table(scores),
    ]
    return [table for table in tables if table.rows]


def fault_table(results: Results, faults: Faults) -> Table:
    """The faults that make the report fail."""
    heads = ("row", "puzzle", "level", "agent", "seed", "fault")
    table = Table(
        "Faults",
        [Column(head, "prose") for head in heads],
        remarks=("Rows are numbered as in rows.csv, from 1.",),
    )
    for number, sentences in faults.items():
        row = results.rows[number]
        for sentence in sentences:
            table.add(
                str(number + 1), results.level_of(row).puzzle, row.level, row.agent,
                NONE if row.seed is None else str(row.seed), bad(sentence),
            )  # fmt: skip
    return table


def comparison_table(results: Results, faults: Faults) -> Table:
    """Main figures of every agent on every puzzle."""
    table = by_puzzle(
        "Comparison of the agents",
        ("puzzle", "agent", "solved", "optimal", "moves / best", "transitions", "CPU s"),
        remarks=(
            "solved: levels with a verified solution, or correctly proved unsolvable, of all that "
            "were attempted; with several seeds, a level counts by the share of its runs.",
            "optimal: levels whose solution the agent proved to be optimal.",
            "moves / best: mean over solved runs of the moves found over the optimum, or the "
            "fewest found by any agent where no optimum is known.",
            "transitions (generated) and CPU s (cpu_seconds): medians over solved runs, and thus "
            "over different levels for each agent; a separate table has the commonly solved ones.",
        ),
    )
    wrong = {
        (results.level_of(results.rows[number]).puzzle, results.rows[number].agent)
        for number in faults
    }
    for puzzle in results.puzzles:
        for agent in results.agents(puzzle):
            by_level = results.runs(puzzle, agent)
            solved = [row for runs in by_level.values() for row in runs if holds(row)]
            score = score_of(results, puzzle, agent)
            table.add(
                puzzle,
                bad(agent) if (puzzle, agent) in wrong else agent,
                f"{count(score.coverage)}/{score.levels}",
                bad("void") if score.optimal is None else count(score.optimal),
                _mean_ratio(results, solved),
                median(transitions, solved, counts=score.generated_score is not None),
                median(lambda row: row.cpu_seconds, solved),
            )
    return table


def status_table(results: Results) -> Table:
    """Outcomes of the runs."""
    statuses = [*(str(status) for status in Status), ERROR]
    table = by_puzzle(
        "Outcomes of the runs",
        ("puzzle", "agent", "runs", *statuses, "not verified"),
        remarks=("Runs (level × agent × seed) by the status in rows.csv.",),
    )
    for puzzle in results.puzzles:
        for agent in results.agents(puzzle):
            rows = results.rows_of(puzzle, agent)
            counts = Counter(row.status for row in rows)
            doubtful = sum(row.solved and not holds(row) for row in rows)
            table.add(
                puzzle, agent, str(len(rows)), *(str(counts[status]) for status in statuses),
                bad(str(doubtful)) if doubtful else "0",
            )  # fmt: skip
    return table


def track_table(scores: Sequence[Score]) -> Table:
    """Coverage and the three tracks."""
    table = by_puzzle(
        "Coverage and tracks",
        (
            "puzzle", "agent", "kind", "coverage", "95 %", "limits", "IPC agile", "IPC satisficing",
            "optimal", "PAR2 s",
        ),
        names=3,
        remarks=(
            "95 %: Wilson interval of the share of levels solved.",
            "IPC agile: sum over levels of log(T / limit) / log(1 s / limit) with CPU seconds T; 1 "
            "if T is at most 1 s, 0 if unsolved. With a limit under 10 s, a tenth of the limit "
            "replaces the 1 s.",
            "IPC satisficing: sum over levels of the fewest known moves over the moves found.",
            "optimal: levels solved with a proof of optimality; void if a claim is wrong.",
            "PAR2: mean CPU seconds over levels, an unsolved one counted as twice the limit.",
        ),
    )  # fmt: skip
    for score in scores:
        table.add(
            score.puzzle, score.agent, score.kind, f"{count(score.coverage)}/{score.levels}",
            f"{100 * score.low:.0f}–{100 * score.high:.0f} %", _limits(score),
            f"{score.agile:.2f}", f"{score.satisficing:.2f}",
            bad("void") if score.optimal is None else count(score.optimal), figure(score.par2),
        )  # fmt: skip
    return table


def log_score_table(scores: Sequence[Score]) -> Table:
    """Log scores of counts and memory."""
    table = by_puzzle(
        "Log scores",
        ("puzzle", "agent", "levels", "expansions", "generated", "memory"),
        remarks=(
            "Sums over levels of log(x / high) / log(low / high), 0 if unsolved: from 100 to "
            "1,000,000 for expansions and generated, from 2 MB to the limit for memory "
            "(peak_rss, or peak_bytes where the system does not report it).",
            f"{NONE}: the agent does not count them.",
        ),
    )
    for score in scores:
        table.add(
            score.puzzle, score.agent, str(score.levels), _score(score.expansions_score),
            _score(score.generated_score), _score(score.memory_score),
        )  # fmt: skip
    return table


def common_table(results: Results) -> Table:
    """Geometric means over common levels."""
    table = by_puzzle(
        "Geometric means over commonly solved levels",
        ("puzzle", "agent", "common levels", *MEASURES),
        remarks=(
            "Over the levels that were solved, with every seed, by each agent that solved "
            "anything on this puzzle; agents that solved nothing are left out.",
            "Counts below 1 count as 1.",
        ),
    )
    for puzzle in results.puzzles:
        able, common = common_levels(results, puzzle)
        for agent in able:
            rows = results.rows_of(puzzle, agent)
            means = []
            for measure, least in MEASURES.values():
                levels = [
                    geometric_mean(map(measure, results.runs(puzzle, agent)[key]), least)
                    for key in common
                ]
                counts = common and any(map(measure, rows))
                means.append(figure(geometric_mean(levels, least)) if counts else NONE)
            table.add(puzzle, agent, f"{len(common)} of {len(results.levels(puzzle))}", *means)
    return table


def chance_table(results: Results) -> Table:
    """Randomised agents, over several seeds."""
    table = by_puzzle(
        "Randomised agents",
        (
            "puzzle", "agent", "levels × seeds", "solved", "95 %", "quality, IQM", "95 %",
            "agile, IQM", "95 %",
        ),
        remarks=(
            "solved: the share of runs. IQM: the mean of the middle half of all runs. "
            "quality: the fewest known moves over those found, 0 if unsolved. "
            "agile: the log score of the CPU seconds.",
            "95 %: stratified bootstrap over the seeds of each level, 2,000 resamples, fixed seed.",
        ),
    )  # fmt: skip
    for puzzle in results.puzzles:
        for agent in results.agents(puzzle):
            chance = chance_of(results, puzzle, agent)
            if chance is not None:
                cells = []
                for middle, low, high in (chance.solved, chance.quality, chance.agile):
                    cells += [f"{middle:.3f}", f"{low:.3f}–{high:.3f}"]
                table.add(puzzle, agent, f"{chance.levels} × {chance.seeds}", *cells)
    return table


AMORTISED = (1, 100, 10_000)
"""Numbers of levels over which training is amortised."""


def training_table(scores: Sequence[Score]) -> Table:
    """The cost of learning, training included."""
    heads = (f"s per level, {counted(levels, 'level')}" for levels in AMORTISED)
    table = by_puzzle(
        "Costs of training and testing",
        ("puzzle", "agent", "training steps", "training s", "test CPU s per level", *heads),
        remarks=(
            "s per level: training amortised over these levels, plus the test's CPU seconds.",
        ),
    )
    for score in scores:
        if score.train_steps is None and score.train_seconds is None:
            continue
        trained = score.train_seconds
        table.add(
            score.puzzle, score.agent,
            NONE if score.train_steps is None else f"{score.train_steps:,}",
            NONE if trained is None else figure(trained), figure(score.cpu_seconds),
            *(
                NONE if trained is None else figure(trained / levels + score.cpu_seconds)
                for levels in AMORTISED
            ),
        )  # fmt: skip
    return table


def contest_table(results: Results) -> Table:
    """Numbers of levels on which evolution or learning beats search."""
    table = by_puzzle(
        "Where evolution or learning beats search",
        ("puzzle", "measure", "levels", "evolution", "learning", "neither", "unsolved"),
        remarks=(
            RULE,
            "transitions: generated. evaluations: evaluated, or expanded for an agent that calls "
            "no heuristic; for evolution, those until it found its solution. unsolved: by none of "
            f"these kinds. {NONE}: no agent of this kind ran.",
        ),
    )
    measures: dict[str, Measure] = {"evaluations": evaluations, "transitions": transitions}
    for puzzle in results.puzzles:
        for name, measure in measures.items():
            if not _is_contested(results, puzzle):
                continue
            contest = contest_of(results, puzzle, measure)
            lists = {"evolution": contest.evolution, "learning": contest.learning}
            table.add(
                puzzle, name, str(len(results.levels(puzzle))),
                *(
                    _levels(results, keys) if kind in contest.kinds else NONE
                    for kind, keys in lists.items()
                ),
                str(len(contest.neither)), str(len(contest.unsolved)),
            )  # fmt: skip
    return table


def set_table(results: Results) -> Table:
    """The kind with the fewest evaluations, by sets of levels."""
    table = by_puzzle(
        "Fewest evaluations, by sets of levels",
        (
            "puzzle", "set", "levels", *(f"{kind} fewest" for kind in CONTENDERS), "unsolved",
            *(f"{kind} / search" for kind in CONTENDERS[1:]),
        ),
        remarks=(
            "fewest: levels on which this kind needs the fewest evaluations, by the costs of the "
            "table above; ties go to search. Level by level in the table below.",
            "/ search: geometric mean of the kind's evaluations relative to search, over levels "
            f"that both solved; {NONE}: none.",
        ),
    )  # fmt: skip
    for puzzle in filter(lambda puzzle: _is_contested(results, puzzle), results.puzzles):
        for name, keys in ladder_of(results, puzzle).levels.items():
            costs = [costs_of(results, key, evaluations) for key in keys]
            wins = Counter(map(winner, costs))
            times = [times_search(costs, kind) for kind in CONTENDERS[1:]]
            table.add(
                puzzle, name or NONE, str(len(keys)), *(str(wins[kind]) for kind in CONTENDERS),
                str(wins[None]), *(NONE if ratio is None else figure(ratio) for ratio in times),
            )  # fmt: skip
    return table


def board_table(results: Results) -> Table:
    """The fewest evaluations of each kind, level by level."""
    table = by_puzzle(
        "Fewest evaluations, level by level",
        ("puzzle", "level", *CONTENDERS, "fewest"),
        remarks=(f"By the costs of the tables above. {NONE}: no solution.",),
    )
    for puzzle in filter(lambda puzzle: _is_contested(results, puzzle), results.puzzles):
        for key in results.levels(puzzle):
            costs = costs_of(results, key, evaluations)
            cells = [
                f"{figure(costs[kind][0])} ({costs[kind][1]})" if kind in costs else NONE
                for kind in CONTENDERS
            ]
            table.add(puzzle, results.names[key], *cells, winner(costs) or NONE)
    return table


def _is_contested(results: Results, puzzle: str) -> bool:
    """Whether search and another of the contenders ran on a puzzle."""
    kinds = {results.kinds[agent] for agent in results.agents(puzzle)}
    return "search" in kinds and bool(kinds & set(CONTENDERS[1:]))


MOST_NAMES = 12


def _levels(results: Results, keys: list[LevelKey]) -> str:
    """Their number and names."""
    if not keys:
        return "0"
    names = [results.names[key] for key in keys[:MOST_NAMES]]
    more = [f"{len(keys) - MOST_NAMES} more"] if len(keys) > MOST_NAMES else []
    return f"{len(keys)}: {', '.join([*names, *more])}"


def _mean_ratio(results: Results, solved: Sequence[Row]) -> str:
    ratios = list(_ratios(results, solved))
    return f"{sum(ratios) / len(ratios):.2f}" if ratios else NONE


def _ratios(results: Results, solved: Iterable[Row]) -> Iterator[float]:
    for row in solved:
        best = results.best[results.level_of(row)]
        assert row.moves is not None
        yield row.moves / best if best else 1.0


def _limits(score: Score) -> str:
    parts = [f"{score.seconds_limit:g} s", f"{score.memory_limit / 2**30:.3g} GiB"]
    if score.transitions_limits:
        limits = " or ".join(f"{limit:,}" for limit in score.transitions_limits)
        parts.append(f"{limits} transitions")
    return ", ".join(parts)


def _score(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"

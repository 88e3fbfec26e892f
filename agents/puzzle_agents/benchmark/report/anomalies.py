"""Anomalous rows: runs to watch or replay before a table is believed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import log10
from statistics import fmean, median
from typing import NamedTuple

from puzzle_agents.agent import Status
from puzzle_agents.benchmark.report.cells import NONE
from puzzle_agents.benchmark.report.ladders import coverage_by_tier, ladder_of, tier_of
from puzzle_agents.benchmark.report.results import LevelKey, Results, decides, holds
from puzzle_agents.benchmark.report.scores import Measure, transitions
from puzzle_agents.benchmark.row import ERROR, Row
from puzzle_agents.table import Column, Table

MOST = 10
MOST_OF_A_RULE = 3
"""Rows of the table, so that one rule does not fill it."""
FACTOR = 5.0
"""Rates off by this factor from the agent's median are anomalous."""
LEAST_SECONDS, LEAST_BYTES = 0.1, 50_000_000
"""Shorter times and less memory are dominated by the system."""
LEAST_RUNS = 4
"""Minimum number of runs for a median."""
HALF = 0.5
OTHERS = 3
"""Minimum number of agents that tried a level that only one solved."""


class Anomaly(NamedTuple):
    """An anomalous row."""

    surprise: float
    """Compares rows of one rule only."""
    row: Row
    what: str


def anomaly_table(results: Results) -> Table:
    """The most anomalous rows, of each rule in turn."""
    table = Table(
        "Runs to look at",
        [Column("row"), Column("puzzle"), Column("level"), Column("agent"), Column("seed"),
         Column("why", "prose")],
        remarks=(
            f"At most {MOST} rows, and {MOST_OF_A_RULE} for one reason; numbered as in rows.csv, "
            "from 1. An unusual run need not be wrong: look at its replay in report.html, or "
            "repeat it with 'puzzle-envs watch ENV LEVEL --agent NAME'.",
        ),
    )  # fmt: skip
    for found in anomalies(results):
        row = found.row
        seed = NONE if row.seed is None else str(row.seed)
        table.add(
            str(results.numbers[id(row)]), results.level_of(row).puzzle, row.level, row.agent,
            seed, found.what,
        )  # fmt: skip
    return table


def anomalies(results: Results) -> list[Anomaly]:
    """The most anomalous rows: the first of each rule, then the second, up to a limit."""
    lists = []
    for rule in RULES:
        found = sorted(rule(results), key=lambda one: -one.surprise)
        lists.append(found[:MOST_OF_A_RULE])
    in_turn = [its[place] for place in range(MOST_OF_A_RULE) for its in lists if place < len(its)]
    once = {id(one.row): one for one in reversed(in_turn)}
    return sorted(once.values(), key=in_turn.index)[:MOST]


# --- the rules --------------------------------------------------------------------------------


def _errors(results: Results) -> Iterator[Anomaly]:
    for row in results.rows:
        if row.status == ERROR:
            yield Anomaly(1.0, row, f"ended with an error: {(row.error or '')[:120]}")


def _contradictions(results: Results) -> Iterator[Anomaly]:
    """Two agents prove different optima, or one proves unsolvable what another solved."""
    for rows in _by_level(results).values():
        proved = [row for row in rows if holds(row) and row.proved_optimal]
        for row in proved:
            least = min(other.moves or 0 for other in proved)
            if (row.moves or 0) > least:
                said = f"proved {row.moves} moves optimal, and another agent {least}"
                yield Anomaly((row.moves or 0) - least, row, said)
        for row in rows:
            if row.status == Status.UNSOLVABLE and any(map(holds, rows)):
                yield Anomaly(1e9, row, "proved unsolvable what another agent solved")


def _out_of_order(results: Results) -> Iterator[Anomaly]:
    """An agent misses what most others solve, and solves what fewer of them do."""
    for puzzle in results.puzzles:
        for tier, keys in ladder_of(results, puzzle).levels.items():
            shares = {
                key: {agent: fmean(map(decides, runs)) for agent, runs in _runs(results, key)}
                for key in keys
            }
            for agent in results.agents(puzzle):
                mine = {key: of[agent] for key, of in shares.items() if agent in of}
                ease = {
                    key: fmean(share for other, share in shares[key].items() if other != agent)
                    for key in mine
                    if len(shares[key]) > 1
                }
                solved = [key for key in ease if mine[key] == 1]
                missed = [key for key in ease if mine[key] == 0]
                if not solved or not missed:
                    continue
                hard, easy = min(solved, key=ease.__getitem__), max(missed, key=ease.__getitem__)
                if ease[easy] - ease[hard] > HALF:
                    row = results.runs(puzzle, agent)[easy][0]
                    said = (
                        f"missed a level of {tier or 'the suite'} that others solve in "
                        f"{ease[easy]:.0%} of their runs, but solved {results.names[hard]}, which "
                        f"they solve in {ease[hard]:.0%}"
                    )
                    yield Anomaly(ease[easy] - ease[hard], row, said)


def _slow_or_fast(results: Results) -> Iterator[Anomaly]:
    def seconds(row: Row) -> float:
        return row.cpu_seconds if row.cpu_seconds >= LEAST_SECONDS else 0.0

    return _off_its_median(results, seconds, "CPU seconds")


def _memory(results: Results) -> Iterator[Anomaly]:
    def memory(row: Row) -> float:
        taken = row.peak_rss or row.peak_bytes
        return taken if taken >= LEAST_BYTES else 0

    return _off_its_median(results, memory, "bytes of memory")


def _off_its_median(results: Results, measure: Measure, unit: str) -> Iterator[Anomaly]:
    """Rows whose amount per transition is far from the median of the agent on the tier."""
    for puzzle in results.puzzles:
        for keys in ladder_of(results, puzzle).levels.values():
            for agent in results.agents(puzzle):
                runs = results.runs(puzzle, agent)
                rows = [row for key in keys for row in runs.get(key, [])]
                rates = {
                    number: measure(row) / transitions(row)
                    for number, row in enumerate(rows)
                    if measure(row) > 0 and transitions(row) > 0
                }
                if len(rates) < LEAST_RUNS:
                    continue
                usual = median(rates.values())
                for number, rate in rates.items():
                    times = rate / usual
                    if max(times, 1 / times) > FACTOR:
                        said = f"takes {times:.2g} times its median of {unit} per transition"
                        yield Anomaly(abs(log10(times)), rows[number], said)


def _alone(results: Results) -> Iterator[Anomaly]:
    """One agent decides what no other does; the more others decide, the more anomalous."""
    for puzzle in results.puzzles:
        coverage = coverage_by_tier(results, puzzle)
        for key in results.levels(puzzle):
            runs, tier = _runs(results, key), tier_of(results.names[key])
            able = [(agent, rows) for agent, rows in runs if any(map(decides, rows))]
            if len(able) != 1 or len(runs) <= OTHERS:
                continue
            agent, rows = able[0]
            row = next(row for row in rows if decides(row))
            others = max(coverage[other][tier] for other, _ in runs if other != agent)
            said = f"the only one of {len(runs)} agents to decide this level"
            yield Anomaly(others - coverage[agent][tier], row, said)


def _starved(results: Results) -> Iterator[Anomaly]:
    for row in results.rows:
        share = row.cpu_seconds / row.budget.seconds
        if row.status == Status.OUT_OF_TIME and share < HALF:
            said = f"out of time after {row.cpu_seconds:.3g} CPU s of {row.budget.seconds:g} s"
            yield Anomaly(1 - share, row, said)


RULES: Sequence[Callable[[Results], Iterator[Anomaly]]] = (
    _errors, _contradictions, _out_of_order, _slow_or_fast, _memory, _starved, _alone,
)  # fmt: skip


def _by_level(results: Results) -> dict[LevelKey, list[Row]]:
    rows: dict[LevelKey, list[Row]] = defaultdict(list)
    for row in results.rows:
        rows[results.level_of(row)].append(row)
    return rows


def _runs(results: Results, key: LevelKey) -> list[tuple[str, list[Row]]]:
    """The runs of each agent on a level."""
    found = ((a, results.runs(key.puzzle, a).get(key, [])) for a in results.agents(key.puzzle))
    return [(agent, rows) for agent, rows in found if rows]

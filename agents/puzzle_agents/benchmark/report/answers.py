"""Answers in sentences, tier by tier, each with its figures and the row that would refute it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from math import ceil, inf, log
from statistics import fmean, median
from typing import NamedTuple

from puzzle_agents.benchmark.report.cells import NONE
from puzzle_agents.benchmark.report.ladders import ladder_of
from puzzle_agents.benchmark.report.results import LevelKey, Results, decides
from puzzle_agents.benchmark.report.scores import (
    Measure,
    cpu_seconds,
    evaluations,
    geometric_mean,
    penalized_seconds,
)
from puzzle_agents.benchmark.row import Row
from puzzle_agents.table import Column, Table, counted

WIDTH = frozenset({"novelty", "bfws", "segments", "stages", "types"})
"""Searches ordered by novelty or by groups of states."""
OF_BOTH = frozenset({"portfolio"})
"""Agents that run searches by width and by heuristic."""
OURS = ("search", "exact", "evolution", "learning")
ALL = "all"
EVEN = 1e-9

RULE = (
    "An agent decides a level by solving it or proving it unsolvable. A tier counts if agents of "
    "both kinds ran on all its levels; several seeds count as their mean. Each kind is "
    "represented by the agent that decides the most levels of the tier; ties go to the cheaper one."
)
REFUTED = (
    "refuted if: a result that would make the answer wrong; rows are numbered as in rows.csv, "
    "from 1."
)


class Claim(NamedTuple):
    """A sentence about a tier, or about all of a puzzle."""

    puzzle: str
    tier: str
    sentence: str
    refuted: str = NONE


class Entrant(NamedTuple):
    """The agent that represents its kind on a tier."""

    agent: str
    runs: Mapping[LevelKey, Sequence[Row]]
    """Its runs on the tier's levels."""

    @property
    def shares(self) -> dict[LevelKey, float]:
        """The share of runs on each level that decide it."""
        return {key: fmean(map(decides, rows)) for key, rows in self.runs.items()}

    def costs(self, measure: Measure) -> dict[LevelKey, float]:
        """The median of a measure over the runs on each level, infinite where undecided."""
        return {
            key: median(measure(row) if decides(row) else inf for row in rows)
            for key, rows in self.runs.items()
        }

    def means(self, measure: Measure) -> dict[LevelKey, float]:
        """The mean of a measure over the runs on each level."""
        return {key: fmean(map(measure, rows)) for key, rows in self.runs.items()}


class Duel(NamedTuple):
    """The best of two kinds of agents on a tier."""

    tier: str
    ours: Entrant
    theirs: Entrant

    @property
    def lead(self) -> dict[LevelKey, float]:
        """Our lead on each level, as a share of runs."""
        its = self.theirs.shares
        return {key: share - its[key] for key, share in self.ours.shares.items()}

    @property
    def counts(self) -> str:
        """Number of levels that each decides."""
        ours, theirs = (sum(one.shares.values()) for one in (self.ours, self.theirs))
        levels = len(self.ours.runs)
        return (
            f"{self.ours.agent} decides {_rounded(ours, 3)} of {counted(levels, 'level')}, "
            f"{self.theirs.agent} {_rounded(theirs, 3)}"
        )


def answer_tables(results: Results) -> list[Table]:
    """The answers to all questions that these rows can answer."""
    questions: list[tuple[str, str, Callable[[Results, str], Iterator[Claim]]]] = [
        (
            "Is evolution competitive with heuristic search?",
            "The claim of the Zen Puzzle Garden paper. It holds on a tier if evolution decides at "
            "least as many levels as search, and takes fewer evaluations than search on more "
            f"levels than it takes more. {RULE}",
            _evolution,
        ),
        (
            "When does learning pay?",
            "Learning pays on a tier if a trained agent decides more levels than any search, "
            "evolution or planner, or as many in fewer CPU seconds on the levels that both "
            "decide. In the second case it pays after as many levels as it takes to save the "
            f"seconds spent on training. {RULE}",
            _learning,
        ),
        ("Where does width search beat heuristic search?", RULE, _width),
        ("Where do planners win?", RULE, _planners),
        (
            "What does no agent solve?",
            "Levels that no run decided. A solution is verified and recorded by 'puzzle-envs "
            "submit ENV LEVEL FILE'; 'puzzle-envs list open' shows all levels whose optimum is "
            "not known.",
            _unsolved,
        ),
    ]
    tables = []
    for question, rule, answer in questions:
        heads = [Column("puzzle"), Column("tier"), Column("answer", "prose"),
                 Column("refuted if", "prose")]  # fmt: skip
        table = Table(question, heads, grouped=True, remarks=(rule, REFUTED))
        for puzzle in results.puzzles:
            for claim in answer(results, puzzle):
                table.add(*claim)
        if table.rows:
            tables.append(table)
    return tables


# --- the questions ----------------------------------------------------------------------------


def _evolution(results: Results, puzzle: str) -> Iterator[Claim]:
    ours, theirs = _of_kinds(results, puzzle, ("evolution",)), _informed(results, puzzle)
    duels = _duels(results, puzzle, ours, theirs, _log_evaluations)
    claims = [_compared(results, puzzle, duel) for duel in duels]
    if claims:
        held = sum(claim.sentence.startswith("holds") for claim in claims)
        yield Claim(puzzle, ALL, f"The claim holds on {held} of {counted(len(claims), 'tier')}.")
    yield from claims


def _compared(results: Results, puzzle: str, duel: Duel) -> Claim:
    if not any((*duel.ours.shares.values(), *duel.theirs.shares.values())):
        said, refuted = "undecided: neither decides a level.", _otherwise(results, duel.ours)
        return Claim(puzzle, duel.tier, said, refuted)
    ours, theirs = duel.ours.costs(evaluations), duel.theirs.costs(evaluations)
    saves = {key: float((ours[key] < theirs[key]) - (ours[key] > theirs[key])) for key in ours}
    fewer, more = (sum(sign == side for sign in saves.values()) for side in (1, -1))
    both = [key for key in ours if max(ours[key], theirs[key]) < inf]
    ratio = ""
    if both:
        moves = _ratio(duel.ours.costs(_moves), duel.theirs.costs(_moves), both)
        ratio = (
            f" (where both decide: {_times(_ratio(ours, theirs, both), 'evaluations')}, "
            f"{_times(moves, 'moves')})"
        )
    said = f"{duel.counts}; {duel.ours.agent} takes fewer evaluations on {fewer}, more on {more}"
    behind = -sum(duel.lead.values())
    if behind > EVEN:
        refuted = _decided(results, duel.ours, _negative(duel.lead))
        return Claim(puzzle, duel.tier, f"fails: {said}{ratio}.", refuted)
    word, loser, winner = ("holds", duel.theirs, ours) if fewer > more else ("fails", duel.ours,
                                                                          theirs)  # fmt: skip
    margin = saves if fewer > more else _negative(saves)
    if fewer == more:
        return Claim(puzzle, duel.tier, f"fails: {said}{ratio}.", _otherwise(results, duel.ours))
    key, others = decisive(margin)
    condition = f"took at most {winner[key]:,.0f} evaluations"
    refuted = _refuted(results, loser, key, condition, others)
    return Claim(puzzle, duel.tier, f"{word}: {said}{ratio}.", refuted)


def _ratio(
    ours: Mapping[LevelKey, float], theirs: Mapping[LevelKey, float], keys: Sequence[LevelKey]
) -> float:
    """The geometric mean of ratios on some levels; counts below 1 count as 1."""
    return geometric_mean((max(ours[key], 1) / max(theirs[key], 1) for key in keys), 0.0)


def _moves(row: Row) -> float:
    return row.moves or 0


def _learning(results: Results, puzzle: str) -> Iterator[Claim]:
    trained = [
        a for a in _of_kinds(results, puzzle, ("learning",)) if _training(results, puzzle, a)
    ]
    others = _of_kinds(results, puzzle, ("search", "evolution", "planner"))
    duels = _duels(results, puzzle, trained, others, penalized_seconds)
    claims = [_paid(results, puzzle, duel) for duel in duels]
    if claims:
        paying = sum(claim.sentence.startswith("pays") for claim in claims)
        yield Claim(puzzle, ALL, f"Learning pays on {paying} of {counted(len(claims), 'tier')}.")
    yield from claims


def _paid(results: Results, puzzle: str, duel: Duel) -> Claim:
    training = _training(results, puzzle, duel.ours.agent)
    said = f"{duel.counts}; {duel.ours.agent} was trained in {training:,.1f} s"
    lead = sum(duel.lead.values())
    if lead > EVEN:
        refuted = _decided(results, duel.theirs, duel.lead)
        return Claim(puzzle, duel.tier, f"pays: {said}.", refuted)
    if lead < -EVEN:
        refuted = _decided(results, duel.ours, _negative(duel.lead))
        return Claim(puzzle, duel.tier, f"does not pay: {said}.", refuted)
    ours, theirs = (one.costs(cpu_seconds) for one in (duel.ours, duel.theirs))
    saved = {key: theirs[key] - ours[key] for key in ours if max(ours[key], theirs[key]) < inf}
    if not saved:
        refuted = _otherwise(results, duel.ours)
        return Claim(puzzle, duel.tier, f"does not pay: {said}.", refuted)
    means = [fmean(values[key] for key in saved) for values in (ours, theirs)]
    said += (
        f" and takes {_rounded(means[0], 3)} CPU s per level where both decide, "
        f"{duel.theirs.agent} {_rounded(means[1], 3)}"
    )
    total = sum(saved.values())
    if total <= 0:
        word, loser, its, margin = "does not pay", duel.ours, theirs, _negative(saved)
    else:
        after = counted(ceil(training * len(saved) / total), "level")
        word, loser, its, margin = f"pays after {after}", duel.theirs, ours, saved
    if total == 0:
        refuted = _otherwise(results, duel.ours)
    else:
        key, more = decisive(margin)
        refuted = _refuted(results, loser, key, f"took at most {_rounded(its[key], 3)} CPU s", more)
    return Claim(puzzle, duel.tier, f"{word}: {said}.", refuted)


def _width(results: Results, puzzle: str) -> Iterator[Claim]:
    width = [a for a in results.agents(puzzle) if _name(results, puzzle, a) in WIDTH]
    yield from _ahead(
        results, puzzle, ("width search", width), ("heuristic search", _informed(results, puzzle))
    )


def _planners(results: Results, puzzle: str) -> Iterator[Claim]:
    yield from _ahead(
        results,
        puzzle,
        ("the best planner", _of_kinds(results, puzzle, ("planner",))),
        ("the best agent of this package", _of_kinds(results, puzzle, OURS)),
    )


def _ahead(
    results: Results,
    puzzle: str,
    ours: tuple[str, Sequence[str]],
    theirs: tuple[str, Sequence[str]],
) -> Iterator[Claim]:
    """On which tiers one kind decides more levels than the other."""
    claims, leads, behind = [], 0, 0
    for duel in _duels(results, puzzle, ours[1], theirs[1], penalized_seconds):
        total = sum(duel.lead.values())
        if abs(total) <= EVEN:
            said, refuted = f"even: {duel.counts}.", _otherwise(results, duel.ours)
        elif total > 0:
            leads += 1
            said = f"{ours[0]} leads: {duel.counts}."
            refuted = _decided(results, duel.theirs, duel.lead)
        else:
            behind += 1
            said = f"{theirs[0]} leads: {duel.counts}."
            refuted = _decided(results, duel.ours, _negative(duel.lead))
        claims.append(Claim(puzzle, duel.tier, said, refuted))
    if claims:
        said = (
            f"Of {counted(len(claims), 'tier')}, {ours[0]} leads on {leads}, {theirs[0]} on "
            f"{behind}; even: {len(claims) - leads - behind}."
        )
        yield Claim(puzzle, ALL, said)
    yield from claims


def _unsolved(results: Results, puzzle: str) -> Iterator[Claim]:
    runs: dict[LevelKey, list[Row]] = {}
    for agent in results.agents(puzzle):
        for key, rows in results.runs(puzzle, agent).items():
            runs.setdefault(key, []).extend(rows)
    tiers = ladder_of(results, puzzle).levels
    left = [key for keys in tiers.values() for key in keys if not any(map(decides, runs[key]))]
    yield Claim(puzzle, ALL, f"{len(left)} of {counted(len(runs), 'level')}.")
    for key in left:
        rows = runs[key]
        best = results.best.get(key)
        known = "no solution is known" if best is None else f"{best} moves are known to suffice"
        if rows[0].solvable is False:
            known = "it is known to be unsolvable"
        agents = len({row.agent for row in rows})
        refuted = _said(results, rows[0], "decided it, or a solution is submitted")
        yield Claim(
            puzzle, results.names[key], f"tried by {counted(agents, 'agent')}; {known}.", refuted
        )


# --- kinds of agents --------------------------------------------------------------------------


def _of_kinds(results: Results, puzzle: str, kinds: Collection[str]) -> list[str]:
    return [agent for agent in results.agents(puzzle) if results.kinds[agent] in kinds]


def _informed(results: Results, puzzle: str) -> list[str]:
    """Searches ordered by a heuristic: they evaluate one, and are of no other kind."""
    return [
        agent
        for agent in _of_kinds(results, puzzle, ("search",))
        if _name(results, puzzle, agent) not in WIDTH | OF_BOTH
        and any(row.evaluated for row in results.rows_of(puzzle, agent))
    ]


def _name(results: Results, puzzle: str, agent: str) -> str:
    """The agent's name in the registry."""
    return results.rows_of(puzzle, agent)[0].name


def _training(results: Results, puzzle: str, agent: str) -> float:
    """The seconds that its training took; 0 if unknown or none."""
    rows = results.rows_of(puzzle, agent)
    return max((row.train_seconds or 0.0 for row in rows), default=0.0)


def _log_evaluations(row: Row) -> float:
    return log(max(1.0, evaluations(row))) if decides(row) else log(1e18)


def _duels(
    results: Results,
    puzzle: str,
    ours: Sequence[str],
    theirs: Sequence[str],
    cost: Measure,
) -> Iterator[Duel]:
    """The tiers on which both kinds ran completely, with the best agent of each.

    Args:
        results: The rows.
        puzzle: The puzzle.
        ours: Agents of one kind.
        theirs: Agents of the other kind.
        cost: What decides among agents that decide equally many levels.
    """

    def best(keys: Sequence[LevelKey], agents: Sequence[str]) -> Entrant | None:
        entrants = []
        for agent in agents:
            runs = results.runs(puzzle, agent)
            if all(key in runs for key in keys):
                entrants.append(Entrant(agent, {key: runs[key] for key in keys}))
        return min(
            entrants,
            key=lambda one: (
                -round(sum(one.shares.values()), 9),
                fmean(one.means(cost).values()),
            ),
            default=None,
        )

    for tier, keys in ladder_of(results, puzzle).levels.items():
        one, other = best(keys, ours), best(keys, theirs)
        if one is not None and other is not None:
            yield Duel(tier or NONE, one, other)


# --- what would refute a claim ----------------------------------------------------------------


def decisive(margin: Mapping[LevelKey, float]) -> tuple[LevelKey, int]:
    """The level that contributes most to a positive sum, and how many more would have to be even.

    Args:
        margin: How much each level adds to the sum.
    """
    ordered = sorted(margin, key=lambda key: -margin[key])
    left, more = sum(margin.values()), -1
    if left <= EVEN:
        raise ValueError("The sum of the margins is not positive.")
    while left > EVEN:
        more += 1
        left -= margin[ordered[more]]
    return ordered[0], more


def _rounded(value: float, digits: int) -> str:
    """Round to significant digits, without an exponent."""
    return f"{Decimal(f'{value:.{digits}g}'):,f}"


def _times(ratio: float, noun: str) -> str:
    """A ratio of counts in words, of two digits."""
    said = _rounded(ratio, 2)
    return f"equally many {noun}" if said in ("1", "1.0") else f"{said} times as many {noun}"


def _negative(values: Mapping[LevelKey, float]) -> dict[LevelKey, float]:
    return {key: -value for key, value in values.items()}


def _decided(results: Results, loser: Entrant, margin: Mapping[LevelKey, float]) -> str:
    key, more = decisive(margin)
    return _refuted(results, loser, key, "decided it", more)


def _otherwise(results: Results, one: Entrant) -> str:
    """For two that are even: a run that did not decide its level, or the first."""
    rows = [row for rows in one.runs.values() for row in rows]
    row = next((row for row in rows if not decides(row)), rows[0])
    return _said(results, row, "ended otherwise")


def _refuted(results: Results, one: Entrant, key: LevelKey, condition: str, more: int) -> str:
    rows = one.runs[key]
    row = next((row for row in rows if not decides(row)), rows[0])
    said = _said(results, row, condition)
    return said if more == 0 else f"{said}, and so did {counted(more, 'more such row')}"


def _said(results: Results, row: Row, condition: str) -> str:
    seed = NONE if row.seed is None else row.seed
    number = results.numbers[id(row)]
    return f"row {number} ({row.suite}, {row.level}, {row.agent}, seed {seed}) {condition}"

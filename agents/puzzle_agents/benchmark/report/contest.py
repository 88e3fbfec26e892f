"""The first paper's question: where does evolution beat search, and where learning?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from statistics import median

from puzzle_agents.benchmark.report.results import LevelKey, Results, holds
from puzzle_agents.benchmark.report.scores import Measure, geometric_mean

CONTENDERS = ("search", "evolution", "learning")

RULE = (
    "An agent's cost on a level is the median over its seeds; a run without a verified solution "
    "has infinite cost. A kind's cost is the least cost of its agents on that level. Evolution "
    "(learning) beats search where its cost is finite and less than the cost of search; training "
    "does not count. Solvers of one puzzle (kind 'exact') and random play are excluded."
)


@dataclass(frozen=True)
class Contest:
    """A puzzle's levels by the kind of agent that beats search; the first two lists may overlap."""

    puzzle: str
    evolution: list[LevelKey]
    learning: list[LevelKey]
    neither: list[LevelKey]
    unsolved: list[LevelKey]
    """Levels that no kind solved; they are in no other list."""
    kinds: frozenset[str]
    """The kinds that ran."""


def costs_of(results: Results, key: LevelKey, measure: Measure) -> dict[str, tuple[float, str]]:
    """The finite costs of the kinds on a level, each with the agent that achieves it."""
    costs: dict[str, tuple[float, str]] = {}
    for agent, kind in results.kinds.items():
        runs = results.runs(key.puzzle, agent).get(key, [])
        if not runs:
            continue
        cost = median(measure(row) if holds(row) else inf for row in runs)
        if cost < costs.get(kind, (inf, ""))[0]:
            costs[kind] = cost, agent
    return costs


def contest_of(results: Results, puzzle: str, measure: Measure) -> Contest:
    """Sort the levels of a puzzle by the rule."""
    contest = Contest(
        puzzle, [], [], [], [], frozenset(results.kinds[a] for a in results.agents(puzzle))
    )
    for key in results.levels(puzzle):
        costs = {kind: cost for kind, (cost, _) in costs_of(results, key, measure).items()}
        contenders = {kind: costs.get(kind, inf) for kind in CONTENDERS}
        winners = [
            kind for kind in ("evolution", "learning") if contenders[kind] < contenders["search"]
        ]
        if "evolution" in winners:
            contest.evolution.append(key)
        if "learning" in winners:
            contest.learning.append(key)
        if not winners:
            lists = contest.unsolved if contenders["search"] == inf else contest.neither
            lists.append(key)
    return contest


def winner(costs: Mapping[str, tuple[float, str]]) -> str | None:
    """The kind with the least cost, the first among equals; None if none solved the level."""
    able = [kind for kind in CONTENDERS if kind in costs]
    return min(able, key=lambda kind: costs[kind][0], default=None)


def times_search(all_costs: Iterable[Mapping[str, tuple[float, str]]], kind: str) -> float | None:
    """Geometric mean of a kind's cost relative to search, over levels that both solved."""
    ratios = [
        max(costs[kind][0], 1) / max(costs["search"][0], 1)
        for costs in all_costs
        if kind in costs and "search" in costs
    ]
    return geometric_mean(ratios, 0.0) if ratios else None

"""Whether agents rank the same on validation levels of the ladders as on test levels, or by seeds.

    sed s,test/,validation/,g agents/puzzle_agents/benchmark/suites/standard.toml > validation.toml
    puzzle-envs bench standard
    puzzle-envs bench validation.toml
    python -m benchmarks.agreement results/standard results/validation
    python -m benchmarks.agreement results/standard --seeds 0 1    # runs of one seed, of another

`--keep` writes the numbers to docs/measured/agreement.json, with `--seeds` agreement-seeds.json.

For each puzzle, Kendall's tau-b of the agents' coverage over the tiers that both sides have: 1
means the same order, 0 no relation, -1 the reverse. Agents that did not run on all these tiers are
left out. Runs of agents without seeds count for every seed.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

from benchmarks.measuring import add_keep, keep
from puzzle_agents.benchmark.report.folders import rows_of
from puzzle_agents.benchmark.report.ladders import coverage_by_tier
from puzzle_agents.benchmark.report.results import Results

__all__ = ["kendall", "main", "over_the_ladder"]

SPLITS = ("validation", "test")
Coverage: TypeAlias = Mapping[str, Mapping[str, float]]
"""The share of levels decided, by agent and tier."""


def kendall(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau-b of two rankings; None if one of them ranks all equal."""
    agreement = ordered = ordered_otherwise = 0
    for (a, b), (c, d) in itertools.combinations(zip(one, other, strict=True), 2):
        first, second = (a > c) - (a < c), (b > d) - (b < d)
        agreement += first * second
        ordered += first != 0
        ordered_otherwise += second != 0
    if not ordered or not ordered_otherwise:
        return None
    return agreement / sqrt(ordered * ordered_otherwise)


def over_the_ladder(one: Coverage, other: Coverage) -> dict[str, tuple[float, float]]:
    """Each agent's mean coverage, on both sides, of the tiers that both have."""
    tiers = set.intersection(
        *({tier for of in side.values() for tier in of} for side in (one, other))
    )
    return {
        agent: (_mean(one[agent], tiers), _mean(other[agent], tiers))
        for agent in one.keys() & other.keys()
        if tiers and tiers <= one[agent].keys() & other[agent].keys()
    }


def _mean(shares: Mapping[str, float], tiers: Iterable[str]) -> float:
    return fmean(shares[tier] for tier in tiers)


def of_split(results: Results, id: str, split: str) -> Coverage:
    """The agents' coverage of the tiers of a split, by the tiers' names without it."""
    return {
        agent: {
            name.removeprefix(f"{split}/"): share
            for name, share in shares.items()
            if name.startswith(f"{split}/")
        }
        for agent, shares in coverage_by_tier(results, id).items()
    }


def of_seed(results: Results, seed: int) -> Results:
    """The runs with this seed, and those of agents without seeds."""
    return Results(row for row in results.rows if row.seed in (None, seed))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each puzzle; exit code 1 if no order can be compared."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, help="results")
    parser.add_argument("--seeds", nargs=2, type=int, help="compare these two, not the splits")
    add_keep(parser, "agreement")
    said = parser.parse_args(arguments)
    try:
        results = Results(row for folder in said.folders for row in rows_of([folder]))
    except ValueError as error:
        parser.error(str(error))
    console, kept = Console(), Table("puzzle", "Kendall's tau", "agents")
    for id in results.puzzles:
        if said.seeds:
            heads = tuple(f"seed {seed}" for seed in said.seeds)
            sides = [of_split(of_seed(results, seed), id, "test") for seed in said.seeds]
        else:
            heads, sides = SPLITS, [of_split(results, id, split) for split in SPLITS]
        coverage = over_the_ladder(*sides)
        pairs = list(coverage.values())
        tau = kendall([one for one, _ in pairs], [other for _, other in pairs])
        if tau is None:
            both = " and ".join(heads)
            console.print(f"{id}: no two agents differ in coverage on {both}.", markup=False)
            continue
        kept.add_row(id, f"{tau:.2f}", str(len(coverage)))
        table = Table("agent", *heads)
        for agent, shares in sorted(coverage.items(), key=lambda item: -item[1][1]):
            table.add_row(agent, *(f"{share:.3f}" for share in shares))
        console.print(f"{id}: Kendall's tau {tau:.2f}")
        console.print(table)
    if said.keep:
        folders = " ".join(folder.as_posix() for folder in said.folders)
        if said.seeds:
            seeds = " ".join(map(str, said.seeds))
            keep("agreement-seeds", [kept], f"{folders} --seeds {seeds}")
        else:
            keep("agreement", [kept], folders)
    return 0 if kept.row_count else 1


if __name__ == "__main__":
    sys.exit(main())

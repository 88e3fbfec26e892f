"""Whether agents rank the same on validation levels of the ladders as on test levels.

    sed s,test/,validation/,g agents/puzzle_agents/benchmark/suites/standard.toml > validation.toml
    puzzle-envs bench standard
    puzzle-envs bench validation.toml
    python -m benchmarks.agreement results/standard results/validation

For each puzzle, Kendall's tau-b of the agents' coverage over the tiers that both splits have: 1
means the same order, 0 no relation, -1 the reverse. Agents that did not run on all these tiers are
left out.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.table import Table

from puzzle_agents.benchmark.report.folders import rows_of
from puzzle_agents.benchmark.report.ladders import coverage_by_tier
from puzzle_agents.benchmark.report.results import Results

__all__ = ["kendall", "main", "over_the_ladder"]

SPLITS = ("validation", "test")


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


def over_the_ladder(results: Results, id: str) -> dict[str, tuple[float, float]]:
    """Each agent's mean coverage of the tiers that both splits have: on validation and on test."""
    coverage = coverage_by_tier(results, id)
    found = {name for shares in coverage.values() for name in shares}
    bins = [{name.partition("/")[2] for name in found if name.startswith(f"{split}/")}
            for split in SPLITS]  # fmt: skip
    tiers = sorted(set.intersection(*bins))
    wanted = {f"{split}/{tier}" for split in SPLITS for tier in tiers}
    return {
        agent: (_mean(shares, SPLITS[0], tiers), _mean(shares, SPLITS[1], tiers))
        for agent, shares in coverage.items()
        if tiers and wanted <= shares.keys()
    }


def _mean(shares: Mapping[str, float], split: str, tiers: Sequence[str]) -> float:
    return fmean(shares[f"{split}/{tier}"] for tier in tiers)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each puzzle; exit code 1 if no order can be compared."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, help="results, of both splits")
    said = parser.parse_args(arguments)
    try:
        results = Results(row for folder in said.folders for row in rows_of([folder]))
    except ValueError as error:
        parser.error(str(error))
    console, compared = Console(), False
    for id in results.puzzles:
        coverage = over_the_ladder(results, id)
        pairs = list(coverage.values())
        tau = kendall([one for one, _ in pairs], [other for _, other in pairs])
        if tau is None:
            console.print(f"{id}: no two agents of both splits differ in coverage.", markup=False)
            continue
        compared = True
        table = Table("agent", *SPLITS)
        for agent, shares in sorted(coverage.items(), key=lambda item: -item[1][1]):
            table.add_row(agent, *(f"{share:.3f}" for share in shares))
        console.print(f"{id}: Kendall's tau {tau:.2f}")
        console.print(table)
    return 0 if compared else 1


if __name__ == "__main__":
    sys.exit(main())

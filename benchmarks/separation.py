"""How far apart agents are on the tiers of the ladders: coverage of the best and the median agent.

    python -m benchmarks.separation docs/results/standard --keep

Coverage is the share of a tier's levels that an agent solves or proves unsolvable. Tiers on which
the best agent is fewer than POINTS percentage points ahead of the median are not shown.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.measuring import add_keep, keep
from puzzle_agents.benchmark.report.folders import rows_of
from puzzle_agents.benchmark.report.ladders import ladder_of
from puzzle_agents.benchmark.report.results import Results

__all__ = ["main", "separation"]

POINTS = 30


def separation(results: Results) -> Table:
    """The tiers that separate agents, in the order of the ladders."""
    table = Table("tier", "puzzle", "best, %", "median, %", "points", "best agents")
    for id in results.puzzles:
        ladder = ladder_of(results, id)
        for tier in ladder.tiers:
            of = {
                agent: shares[tier] for agent, shares in ladder.coverage.items() if tier in shares
            }
            best, middle = 100 * max(of.values()), 100 * median(of.values())
            if best - middle >= POINTS:
                ahead = ", ".join(sorted(agent for agent in of if 100 * of[agent] == best))
                shown = (f"{figure:.0f}" for figure in (best, middle, best - middle))
                table.add_row(tier, id, *shown, ahead)
    return table


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="results")
    add_keep(parser, "separation")
    chosen = parser.parse_args()
    table = separation(Results(rows_of([chosen.folder])))
    Console(width=140).print(table)
    if chosen.keep:
        keep("separation", [table], chosen.folder.as_posix())


if __name__ == "__main__":
    main()

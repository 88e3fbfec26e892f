"""Expansions per second of PHS*, guided by the models in the package.

python -m benchmarks.guided

CPU time of the searches alone, on one core: the best of several rounds over the levels of a set.
Constructing a search (its tables, and what the heuristic looks up about the level) is not counted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.measuring import add_keep, keep
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.search.learned.agents import PHS

__all__ = ["main", "rate"]

LAYOUTS_AND_GRIDS, GARDENS_AND_FLOORS = 500_000, 100_000
SETS = {
    "HuaRongDao-v0/test/81-138": LAYOUTS_AND_GRIDS,
    "HuaRongDao-v0/test/6x6": LAYOUTS_AND_GRIDS,
    "ZenGarden-v0/test/8x8": GARDENS_AND_FLOORS,
    "ZenGarden-v0/test/12x12": GARDENS_AND_FLOORS,
    "Kwirk-v0/test/7-9": GARDENS_AND_FLOORS,
    "Kwirk-v0/test/10-19": GARDENS_AND_FLOORS,
    "Kwirk-v0/test/20-39": GARDENS_AND_FLOORS,
    "Skyscraper-v0/test/6x6": LAYOUTS_AND_GRIDS,
    "Skyscraper-v0/test/8x8": LAYOUTS_AND_GRIDS,
}
"""Sets and the rates wanted."""
LEVELS, EXPANSIONS, ROUNDS = 30, 20_000, 3


def rate(id: str, name: str, levels: int = LEVELS, rounds: int = ROUNDS) -> tuple[int, float]:
    """Expansions on the first levels of a set, and expansions per CPU second."""
    agent, best = PHS(), 0.0
    for _ in range(1 + rounds):  # the first compiles
        expanded, seconds = 0, 0.0
        for level in puzzle_of(id).format.find_all(name)[:levels]:
            search = agent.begin(make_env(id, level=level))
            begun = time.process_time()
            search.run(EXPANSIONS)
            seconds += time.process_time() - begun
            expanded += search.progress().expanded
        best = max(best, expanded / seconds)
    return expanded, best


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table of rates."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_keep(parser, "guided")
    said = parser.parse_args(arguments)
    table = Table("set", "expansions", "per second", "wanted")
    for where, wanted in SETS.items():
        id, _, name = where.partition("/")
        expanded, found = rate(id, name)
        table.add_row(where, f"{expanded:,}", f"{found:,.0f}", f"{wanted:,}")
    Console().print(table)
    if said.keep:
        keep("guided", [table])


if __name__ == "__main__":
    main()

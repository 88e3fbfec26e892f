"""How many levels of each bin the generators draw per CPU second, on one core.

python -m benchmarks.generation                     # all bins, ten seconds each at most
python -m benchmarks.generation --only Skyscraper-v0/7x7 ZenGarden-v0
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.measuring import add_keep, keep
from puzzle_agents.environments import ids, puzzle_of
from puzzle_envs.generation import bins_of
from puzzle_envs.puzzle import Puzzle

__all__ = ["main", "rate"]

SECONDS, MOST = 10.0, 300
"""Maximum seconds and number of levels per bin."""


def rate(puzzle: Puzzle, bin: str, seconds: float = SECONDS, most: int = MOST) -> float:
    """Levels per CPU second, after a first one that compiles the generator."""
    generator = puzzle.generator
    assert generator is not None
    np_random = np.random.default_rng(1)
    generator.draw(np_random, bin)
    count, begun = 0, time.process_time()
    while count < most and time.process_time() - begun < seconds:
        generator.draw(np_random, bin)
        count += 1
    return count / (time.process_time() - begun)


def _wanted(only: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The ids and bins of all puzzles, or below the given names; of a puzzle's ids the first."""
    packages: set[str] = set()
    for id in ids():
        puzzle = puzzle_of(id)
        if puzzle.package in packages:
            continue
        packages.add(puzzle.package)
        for bin in bins_of(puzzle):
            if not only or any(f"{id}/{bin}/".startswith(f"{one}/") for one in only):
                yield id, bin


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table of rates."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="ID/BIN", help="only these")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each bin")
    add_keep(parser, "generation")
    said = parser.parse_args(arguments)
    if said.keep and said.only:
        parser.error("--keep writes all bins; leave out --only.")
    table = Table("bin", "levels/s")
    for id, bin in _wanted(said.only):
        drawn = rate(puzzle_of(id), bin, said.seconds)
        table.add_row(f"{id}, {bin}", f"{drawn:,.0f}" if drawn >= 10 else f"{drawn:.2g}")
    Console().print(table)
    if said.keep:
        keep("generation", [table])


if __name__ == "__main__":
    main()

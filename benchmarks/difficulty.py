"""How hard the bundled levels are, written to levels/difficulty.json.

    python -m benchmarks.difficulty                       # new and changed sets
    python -m benchmarks.difficulty --only ZenGarden-v0/test/12x12 Kwirk-v0
    python -m benchmarks.difficulty --levels 30 --again   # more of each set, all again
    python -m benchmarks.difficulty --rows results/standard

The file is written after each set, so that an interrupted measurement resumes where it stopped.
Training sets are left out: they are generated like the others of their tier. The last command only
updates the coverage of agents, from a benchmark's results. docs/levels.md defines the figures.
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from puzzle_agents.benchmark.report.folders import rows_of
from puzzle_agents.benchmark.report.ladders import coverage_by_tier
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.difficulty.figures import FILE, Difficulty, Measured, published, write
from puzzle_agents.difficulty.measuring import Limits, measure
from puzzle_agents.environments import ids, puzzle_of
from puzzle_envs.level import Level, LevelFormat

__all__ = ["covered", "main", "measured"]

LEVELS = 10
"""Number of levels measured per set."""


def measured(id: str, name: str, before: Measured | None, count: int, limits: Limits) -> Measured:
    """The figures of a set; the previous ones if neither the set nor the limits have changed."""
    form = puzzle_of(id).format
    levels = sample(form.find(name), count)
    checksum = _checksum(form, levels, limits)
    if before is not None and before.checksum == checksum:
        return before
    figures = {level.name_in_file: measure(id, level, limits) for level in levels}
    return Measured(checksum, figures)


def sample(levels: Sequence[Level], count: int) -> list[Level]:
    """This many levels, evenly spaced from the first to the last; of pairs both kinds."""
    chosen = np.linspace(0, len(levels) - 1, min(count, len(levels))).round()
    return [levels[index] for index in chosen.astype(int)]


def _checksum(form: LevelFormat, levels: Sequence[Level], limits: Limits) -> str:
    texts = "".join(form.text(level) for level in levels)
    return f"{zlib.crc32(f'{limits}{texts}'.encode()):08x}"


def covered(difficulty: Difficulty, folders: Sequence[Path]) -> Difficulty:
    """The same figures with the coverage of the agents in a benchmark's results."""
    results = Results(rows_of(folders))
    for id in results.puzzles:
        sets = difficulty.get(id, {})
        by_set: dict[str, dict[str, float]] = defaultdict(dict)
        for agent, shares in coverage_by_tier(results, id).items():
            for name, share in shares.items():
                by_set[name][agent] = round(share, 4)
        for name in by_set.keys() & sets.keys():
            sets[name] = replace(sets[name], coverage=by_set[name])
    return difficulty


def _wanted(only: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The ids and sets to measure, of all or below the given names."""
    for id in ids():
        for name in puzzle_of(id).format.sets():
            said = f"{id}/{name}/"
            if any(said.startswith(f"{one}/") for one in only) or not (
                only or name.startswith("train/")
            ):
                yield id, name


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure; write the file after each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="ID/SET", help="only these")
    parser.add_argument("--levels", type=int, default=LEVELS, help="levels of a set")
    parser.add_argument(
        "--expansions", type=int, default=Limits().expansions, help="limit of each search"
    )
    parser.add_argument("--seconds", type=float, help="begin no set after so much CPU time")
    parser.add_argument("--again", action="store_true", help="also what has not changed")
    parser.add_argument("--rows", nargs="+", type=Path, metavar="FOLDER", help="benchmark results")
    parser.add_argument("--output", type=Path, default=FILE, help="the file")
    said = parser.parse_args(arguments)
    if said.levels < 1 or said.expansions < 1:
        parser.error("--levels and --expansions have to be at least 1.")
    difficulty = {id: dict(sets) for id, sets in published(said.output).items()}
    if said.rows:
        write(covered(difficulty, said.rows), said.output)
        return
    wanted = list(_wanted(said.only))
    if not wanted:
        parser.error(f"There is no set {' or '.join(said.only)}.")
    for number, (id, name) in enumerate(wanted, start=1):
        if said.seconds is not None and time.process_time() > said.seconds:
            print(f"{len(wanted) - number + 1} sets are left; the same command goes on.")
            return
        begun = time.process_time()
        sets = difficulty.setdefault(id, {})
        before = None if said.again else sets.get(name)
        limits = Limits(expansions=said.expansions)
        sets[name] = measured(id, name, before, said.levels, limits)
        write(difficulty, said.output)
        seconds = time.process_time() - begun
        print(f"{number}/{len(wanted)} {id} {name}: {seconds:.1f} CPU s", flush=True)


if __name__ == "__main__":
    main()

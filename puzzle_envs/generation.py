"""New levels from any puzzle's generator, and the bundled sets that it has written.

    python -m puzzle_envs.kwirk.generator levels/kwirk

writes a puzzle's generated sets below a folder, the same ones each time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from puzzle_envs.common.arguments import whole
from puzzle_envs.level import Level, LevelError, LevelFormat, save_levels

if TYPE_CHECKING:
    from puzzle_envs.puzzle import Puzzle

__all__ = [
    "MEASURED",
    "Generator",
    "bins_of",
    "bundled_before",
    "check_bin",
    "measured",
    "new_levels",
    "write_sets",
]

KEPT_APART = ("validation", "test")

MOST_REPEATED = 10_000
"""Draws in a row that bring nothing new, after which nothing new is expected any more."""

Sets: TypeAlias = Mapping[str, Sequence[Level]]
"""Levels by the names of the sets that they are bundled in."""


@dataclass(frozen=True)
class Generator:
    """How new levels of a puzzle come about: GENERATOR of its module `generator`."""

    bins: tuple[str, ...]
    """The kinds of levels that it draws."""
    draw: Callable[[np.random.Generator, str], Level]
    """A level of one of the bins, all chance from the argument."""
    canonical: Callable[[Level], Hashable]
    """The same for a level however it is turned or mirrored, and different for all others."""
    parts: Mapping[str, Callable[[], Sets]] = field(default_factory=dict)
    """The bundled sets that it has written, in parts that are written together."""
    head: Callable[[str], str] = lambda name: ""
    """What the file of a set says of it at its top."""
    from_all_sides: Callable[[Level], list[Level]] | None = None
    """A level with its rotations and reflections, where these are worth learning from."""
    begun: Callable[[np.random.Generator, Level, int], Level] | None = None
    """A level with all but so many of its cells filled as in its solution."""


def bins_of(puzzle: Puzzle) -> list[str]:
    """What kinds of levels the puzzle's generator draws; none where it has no generator."""
    return [] if puzzle.generator is None else list(puzzle.generator.bins)


def check_bin(puzzle: Puzzle, bin: str) -> None:
    """Refuse a kind of levels that the puzzle's generator does not draw."""
    _drawing(puzzle, bin)


def _drawing(puzzle: Puzzle, bin: str) -> Generator:
    """The generator that draws such levels."""
    generator, bins = puzzle.generator, bins_of(puzzle)
    if generator is None or bin not in bins:
        there = f"it has {', '.join(bins)}" if bins else "it has none"
        raise LevelError(f"The generator of {puzzle.title} has no levels '{bin}'; {there}.")
    return generator


def new_levels(puzzle: Puzzle, bin: str, count: int, seed: int) -> Iterator[Level]:
    """New levels of one of the generator's bins, the same ones each time, as they are drawn.

    None of them is the same, or the same turned or mirrored, as another or as one of the splits
    for validation and test.
    """
    count, seed = whole("count", count, 0), whole("seed", seed, 0)
    return _drawn(puzzle, _drawing(puzzle, bin), bin, count, seed)


def _drawn(
    puzzle: Puzzle, generator: Generator, bin: str, count: int, seed: int
) -> Iterator[Level]:
    np_random = np.random.default_rng((seed, len(bin), *bin.encode()))
    seen = {generator.canonical(level) for level in _kept_apart(puzzle, generator)}
    number = repeated = 0
    while number < count:
        level = generator.draw(np_random, bin)
        key = generator.canonical(level)
        repeated = repeated + 1 if key in seen else 0
        if repeated == MOST_REPEATED:
            raise LevelError(
                f"After {number} new levels '{bin}' of {puzzle.title} the generator draws nothing "
                "new; ask for fewer, or for others."
            )
        if not repeated:
            seen.add(key)
            number += 1
            yield replace(_as_played(puzzle, level), name=f"new/{bin}/{number}")


def _as_played(puzzle: Puzzle, level: Level) -> Level:
    """A level of the generator as the puzzle reads it, whose moves may be others."""
    if not puzzle.options:
        return level
    plain: Puzzle = import_module(puzzle.package).PUZZLE
    return puzzle.format.parse(plain.format.text(level), "generated")[0]


def _kept_apart(puzzle: Puzzle, generator: Generator) -> Iterator[Level]:
    """The bundled levels that are there to measure on."""
    for name in puzzle.format.sets():
        split, _, bin = name.partition("/")
        if split in KEPT_APART and bin in generator.bins:
            yield from puzzle.format.find_all(name)


MEASURED = {"validation": 30, "test": 100}
"""The levels of the sets to measure on, of bins whose levels for training are drawn."""


def measured(
    bin: str,
    np_random: np.random.Generator,
    draw: Callable[[np.random.Generator], Sequence[Level]],
    canonical: Callable[[Level], Hashable],
    apart: Iterable[Level],
) -> dict[str, list[Level]]:
    """The sets to measure on of one bin, no level the same as another turned or mirrored.

    Args:
        bin: Which one.
        np_random: The only source of chance.
        draw: Draws levels that stand one after the other, such as twins.
        canonical: What is the same for a level however it is turned or mirrored.
        apart: Levels of other bins that none may be the same as.
    """
    seen = {canonical(level) for level in apart}
    sets: dict[str, list[Level]] = {}
    for split, count in MEASURED.items():
        levels = sets[f"{split}/{bin}"] = []
        while len(levels) < count:
            new = draw(np_random)
            keys = {canonical(level) for level in new}
            if keys & seen:
                continue
            seen |= keys
            for level in new:
                levels.append(replace(level, name=str(len(levels) + 1), notes={}))
    return sets


def bundled_before(format: LevelFormat, bin: str, bins: Sequence[str]) -> Iterator[Level]:
    """The bundled levels of the bins that come before one."""
    earlier = bins[: bins.index(bin)]
    for name in format.sets():
        if name.partition("/")[2] in earlier:
            yield from format.find(name)


def write_sets(puzzle: Puzzle, arguments: Sequence[str] | None = None) -> None:
    """Write the sets of a puzzle's generator below a folder: what its module does as a command."""
    generator = puzzle.generator
    assert generator is not None
    parser = argparse.ArgumentParser(
        prog=f"python -m {puzzle.package}.generator",
        description=f"Write the generated levels of {puzzle.title}, the same ones each time.",
    )
    folder = puzzle.format.puzzle
    parser.add_argument("folder", type=Path, help=f"where to put them, such as levels/{folder}")
    chosen: dict[str, Any] = {"nargs": "+", "choices": tuple(generator.parts)}
    parser.add_argument(
        "--part", **chosen, default=list(generator.parts), help="which of them (default: all)"
    )
    said = parser.parse_args(arguments)
    for part in said.part:
        for name, levels in generator.parts[part]().items():
            path = said.folder / f"{name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            save_levels(path, puzzle.format, levels, generator.head(name))
            print(f"{path}: {len(levels)} levels")

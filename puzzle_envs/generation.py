"""New levels from any puzzle's generator, and its bundled sets.

    python -m puzzle_envs.kwirk.generator levels/kwirk

writes a puzzle's generated sets to a folder, reproducibly.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
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
    "distinct",
    "kept_apart",
    "measured",
    "new_levels",
    "write_sets",
]

KEPT_APART = ("validation", "test")

MOST_REPEATED = 10_000
"""Consecutive repeated draws after which the generator counts as exhausted."""

Sets: TypeAlias = Mapping[str, Sequence[Level]]
"""Levels by the names of their bundled sets."""


@dataclass(frozen=True)
class Generator:
    """A puzzle's level generator: GENERATOR of its module `generator`."""

    bins: tuple[str, ...]
    """The kinds of levels it draws."""
    draw: Callable[[np.random.Generator, str], Level]
    """Draws a level of a bin with a random number generator."""
    canonical: Callable[[Level], Hashable]
    """The canonical form of a level under rotations and reflections."""
    parts: Mapping[str, Callable[[], Sets]] = field(default_factory=dict)
    """Its bundled sets, in parts that are written together."""
    head: Callable[[str], str] = lambda name: ""
    """The header of a set's file."""
    from_all_sides: Callable[[Level], list[Level]] | None = None
    """A level with its rotations and reflections, if these are useful for learning."""
    begun: Callable[[np.random.Generator, Level, int], Level] | None = None
    """A level with all but a number of its cells filled as in its solution."""


def bins_of(puzzle: Puzzle) -> list[str]:
    """The kinds of levels of the puzzle's generator; empty without a generator."""
    return [] if puzzle.generator is None else list(puzzle.generator.bins)


def check_bin(puzzle: Puzzle, bin: str) -> None:
    """Reject a kind of levels that the puzzle's generator does not draw."""
    _drawing(puzzle, bin)


def _drawing(puzzle: Puzzle, bin: str) -> Generator:
    """The generator, if it draws such levels."""
    generator, bins = puzzle.generator, bins_of(puzzle)
    if generator is None or bin not in bins:
        if not bins:
            raise LevelError(f"{puzzle.title} has no generator.")
        raise LevelError(
            f"The generator of {puzzle.title} has no levels '{bin}'; it has {', '.join(bins)}."
        )
    return generator


def new_levels(
    puzzle: Puzzle, bin: str, count: int, seed: int, apart: Collection[Hashable] | None = None
) -> Iterator[Level]:
    """Draw new levels of one of the generator's bins, lazily and reproducibly.

    They are distinct up to symmetry, from each other and from those of the validation and test
    splits.

    Args:
        puzzle: The puzzle.
        bin: One of the generator's bins.
        count: Number of levels.
        seed: Random seed.
        apart: The result of `kept_apart`, to avoid repeated calls; by default it is called.
    """
    count, seed = whole("count", count, 0), whole("seed", seed, 0)
    generator = _drawing(puzzle, bin)
    return _drawn(puzzle, generator, bin, count, seed, apart)


def _drawn(
    puzzle: Puzzle,
    generator: Generator,
    bin: str,
    count: int,
    seed: int,
    apart: Collection[Hashable] | None,
) -> Iterator[Level]:
    np_random = np.random.default_rng((seed, len(bin), *bin.encode()))
    seen = set(kept_apart(puzzle) if apart is None else apart)
    number = repeated = 0
    while number < count:
        level = generator.draw(np_random, bin)
        key = generator.canonical(level)
        repeated = repeated + 1 if key in seen else 0
        if repeated == MOST_REPEATED:
            raise LevelError(
                f"Only {number} new levels '{bin}' of {puzzle.title} could be drawn; more would be "
                "repeats. Ask for fewer, or for other levels."
            )
        if not repeated:
            seen.add(key)
            number += 1
            yield replace(_as_played(puzzle, level), name=f"new/{bin}/{number}")


def _as_played(puzzle: Puzzle, level: Level) -> Level:
    """A generator's level as read by the puzzle, which may count moves differently."""
    if not puzzle.options:
        return level
    plain: Puzzle = import_module(puzzle.package).PUZZLE
    return puzzle.format.parse(plain.format.text(level), "generated")[0]


def kept_apart(puzzle: Puzzle) -> frozenset[Hashable]:
    """The bundled levels reserved for evaluation, in the generator's canonical form."""
    generator = puzzle.generator
    if generator is None:
        return frozenset()
    sets = (name.partition("/") for name in puzzle.format.sets())
    names = [f"{split}/{bin}" for split, _, bin in sets if split in KEPT_APART]
    return frozenset(
        generator.canonical(level)
        for name in names
        if name.partition("/")[2] in generator.bins
        for level in puzzle.format.find_all(name)
    )


MEASURED = {"validation": 30, "test": 100}
"""The number of levels of each evaluation split, for bins whose training levels are generated."""


def measured(
    bin: str,
    np_random: np.random.Generator,
    draw: Callable[[np.random.Generator], Sequence[Level]],
    canonical: Callable[[Level], Hashable],
    apart: Iterable[Level] = (),
) -> dict[str, list[Level]]:
    """The evaluation sets of one bin, whose levels are distinct up to symmetry.

    Args:
        bin: The bin.
        np_random: Random number generator.
        draw: Draws levels that stay next to each other, such as twins.
        canonical: The canonical form of a level under rotations and reflections.
        apart: Levels of other bins to differ from.
    """
    kept = list(apart)
    sets: dict[str, list[Level]] = {}
    for split, count in MEASURED.items():
        levels = distinct(count, lambda: draw(np_random), canonical, kept)
        sets[f"{split}/{bin}"] = levels
        kept += levels
    return sets


def distinct(
    count: int,
    draw: Callable[[], Sequence[Level]],
    canonical: Callable[[Level], Hashable],
    apart: Iterable[Level],
) -> list[Level]:
    """This many numbered levels, distinct from each other and from those kept apart."""
    seen = {canonical(level) for level in apart}
    levels: list[Level] = []
    repeated = 0
    while len(levels) < count:
        new = draw()
        keys = {canonical(level) for level in new}
        repeated = repeated + 1 if keys & seen else 0
        if repeated == MOST_REPEATED:
            raise LevelError(
                f"Only {len(levels)} of {count} levels could be drawn; more would be repeats."
            )
        if repeated:
            continue
        seen |= keys
        for level in new:
            levels.append(replace(level, name=str(len(levels) + 1), notes={}))
    return levels


def bundled_before(format: LevelFormat, bin: str, bins: Sequence[str]) -> Iterator[Level]:
    """The bundled levels of the bins before this one."""
    earlier = bins[: bins.index(bin)]
    for name in format.sets():
        if name.partition("/")[2] in earlier:
            yield from format.find(name)


def write_sets(puzzle: Puzzle, arguments: Sequence[str] | None = None) -> None:
    """Write the sets of a puzzle's generator to a folder: the command of its module."""
    generator = puzzle.generator
    assert generator is not None
    parser = argparse.ArgumentParser(
        prog=f"python -m {puzzle.package}.generator",
        description=f"Write the generated levels of {puzzle.title}, reproducibly.",
    )
    folder = puzzle.format.puzzle
    parser.add_argument("folder", type=Path, help=f"output folder, such as levels/{folder}")
    chosen: dict[str, Any] = {"nargs": "+", "choices": tuple(generator.parts)}
    parser.add_argument(
        "--part", **chosen, default=list(generator.parts), help="part to write (default: all)"
    )
    said = parser.parse_args(arguments)
    for part in said.part:
        for name, levels in generator.parts[part]().items():
            path = said.folder / f"{name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            save_levels(path, puzzle.format, levels, generator.head(name))
            print(f"{path}: {len(levels)} levels")

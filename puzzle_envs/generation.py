"""New levels from any puzzle's generator, no two of them the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from puzzle_envs.common.arguments import whole
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle

__all__ = ["bins_of", "check_bin", "new_levels"]

KEPT_APART = ("validation", "test")

MOST_REPEATED = 10_000
"""Draws in a row that bring nothing new, after which nothing new is expected any more."""


def bins_of(puzzle: Puzzle) -> list[str]:
    """What kinds of levels the puzzle's generator draws; none where it has no generator."""
    module = f"{puzzle.package}.generator"
    return [] if find_spec(module) is None else list(import_module(module).BINS)


def check_bin(puzzle: Puzzle, bin: str) -> None:
    """Refuse a kind of levels that the puzzle's generator does not draw."""
    bins = bins_of(puzzle)
    if bin not in bins:
        there = f"it has {', '.join(bins)}" if bins else "it has none"
        raise LevelError(f"The generator of {puzzle.title} has no levels '{bin}'; {there}.")


def new_levels(puzzle: Puzzle, bin: str, count: int, seed: int) -> Iterator[Level]:
    """New levels of one of the generator's bins, the same ones each time, as they are drawn.

    None of them is the same, or the same turned or mirrored, as another or as one of the splits
    for validation and test.
    """
    count, seed = whole("count", count, 0), whole("seed", seed, 0)
    check_bin(puzzle, bin)
    generator: Any = import_module(f"{puzzle.package}.generator")
    return _drawn(puzzle, generator, bin, count, seed)


def _drawn(puzzle: Puzzle, generator: Any, bin: str, count: int, seed: int) -> Iterator[Level]:
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


def _kept_apart(puzzle: Puzzle, generator: Any) -> Iterator[Level]:
    """The bundled levels that are there to measure on."""
    for name in puzzle.format.sets():
        split, _, bin = name.partition("/")
        if split in KEPT_APART and bin in generator.BINS:
            yield from puzzle.format.find_all(name)

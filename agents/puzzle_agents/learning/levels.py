"""Levels to train on: bundled sets, and new ones that no test has seen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from puzzle_envs import generation
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle

__all__ = ["levels_of", "new_levels"]

FROM_ALL_SIDES = " from all sides"
NEW = re.compile(r"(?P<count>\d+) new (?P<bin>\S+)(?: with (?P<empty>\d+) empty)?")


def levels_of(puzzle: Puzzle, stage: str, seed: int) -> list[Level]:
    """The levels that a stage of a curriculum names.

    Args:
        puzzle: Whose levels.
        stage: A set, such as "train/5x5"; or how many new levels of which bin of the generator,
            such as "5000 new 5x5"; or, for grids, "5000 new 5x5 with 8 empty", where the other
            cells are given; or several of these with "+" between them. With "from all sides"
            behind one of them, each of its floors of Kwirk comes turned and mirrored as well.
        seed: What new levels depend on.
    """
    found: list[Level] = []
    for part in map(str.strip, stage.split("+")):
        levels = _named(puzzle, part.removesuffix(FROM_ALL_SIDES), seed)
        found += _from_all_sides(puzzle, levels) if part.endswith(FROM_ALL_SIDES) else levels
    return found


def _named(puzzle: Puzzle, part: str, seed: int) -> list[Level]:
    new = NEW.fullmatch(part)
    if new is None:
        return puzzle.format.find_all(part)
    levels = new_levels(puzzle, new["bin"], int(new["count"]), seed)
    return _begun(puzzle, levels, int(new["empty"]), seed) if new["empty"] else levels


def _from_all_sides(puzzle: Puzzle, levels: Sequence[Level]) -> list[Level]:
    generator: Any = import_module(f"{puzzle.package}.generator")
    if not hasattr(generator, "from_all_sides"):
        raise LevelError(f"Levels of {puzzle.title} are not turned: leave '{FROM_ALL_SIDES}' out.")
    return [side for level in levels for side in generator.from_all_sides(level)]


def _begun(puzzle: Puzzle, levels: Sequence[Level], empty: int, seed: int) -> list[Level]:
    """The same levels, near their end."""
    generator: Any = import_module(f"{puzzle.package}.generator")
    if not hasattr(generator, "begun"):
        raise LevelError(f"{puzzle.title} has no cells to leave empty: leave 'with' out.")
    np_random = np.random.default_rng((seed, empty))
    return [generator.begun(np_random, level, empty) for level in levels]


def new_levels(puzzle: Puzzle, bin: str, count: int, seed: int) -> list[Level]:
    """New levels of one of the generator's bins, the same ones each time."""
    return list(generation.new_levels(puzzle, bin, count, seed))

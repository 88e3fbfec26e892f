"""Levels for training: bundled sets, and new ones that are not in the test sets."""

from __future__ import annotations

import re

import numpy as np

from puzzle_envs import generation
from puzzle_envs.generation import check_bin
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle

FROM_ALL_SIDES = " from all sides"
NEW = re.compile(r"(?P<count>[0-9]+) new (?P<bin>\S+)(?: with (?P<empty>[0-9]+) empty)?")
MOST = 10**6
"""Maximum number of new levels of a part, and of cells to leave empty."""


def levels_of(puzzle: Puzzle, stage: str, seed: int) -> list[Level]:
    """The levels of a stage of a curriculum.

    Args:
        puzzle: The puzzle of the levels.
        stage: A set, such as "train/5x5"; or a number of new levels of a bin of the generator, such
            as "5000 new 5x5"; or "5000 new 5x5 with 8 empty", where the other cells are given; or
            several of these joined by "+". With the suffix "from all sides", levels also come
            rotated and reflected.
        seed: Random seed of new levels.
    """
    check_stage(puzzle, stage)
    generator, found = puzzle.generator, list[Level]()
    for part in _parts(stage):
        levels = _named(puzzle, part.removesuffix(FROM_ALL_SIDES), seed)
        if part.endswith(FROM_ALL_SIDES) and generator and generator.from_all_sides:
            levels = [side for one in levels for side in generator.from_all_sides(one)]
        found += levels
    return found


def check_stage(puzzle: Puzzle, stage: str) -> None:
    """Reject a stage whose levels do not exist or cannot be generated, without generating any."""
    generator = puzzle.generator
    for part in _parts(stage):
        named = part.removesuffix(FROM_ALL_SIDES)
        if named != part and not (generator and generator.from_all_sides):
            raise LevelError(
                f"Levels of {puzzle.title} are not rotated; leave out '{FROM_ALL_SIDES}'."
            )
        new = NEW.fullmatch(named)
        if new is None:
            puzzle.format.find_all(named)
            continue
        check_bin(puzzle, new["bin"])
        for number, least in ((new["count"], 1), (new["empty"] or "0", 0)):
            if len(number) > len(str(MOST)) or not least <= int(number) <= MOST:
                raise LevelError(f"'{named[:60]}': numbers are from {least} to {MOST:,}.")
        if new["empty"] and not (generator and generator.begun):
            raise LevelError(f"{puzzle.title} has no cells to leave empty; leave out 'with'.")


def _parts(stage: str) -> list[str]:
    return [part.strip() for part in stage.split("+")]


def _named(puzzle: Puzzle, part: str, seed: int) -> list[Level]:
    new = NEW.fullmatch(part)
    if new is None:
        return puzzle.format.find_all(part)
    levels, generator = new_levels(puzzle, new["bin"], int(new["count"]), seed), puzzle.generator
    if not new["empty"] or generator is None or generator.begun is None:
        return levels
    np_random = np.random.default_rng((seed, int(new["empty"])))
    return [generator.begun(np_random, one, int(new["empty"])) for one in levels]


def new_levels(puzzle: Puzzle, bin: str, count: int, seed: int) -> list[Level]:
    """New levels of one of the generator's bins, reproducibly."""
    return list(generation.new_levels(puzzle, bin, count, seed))

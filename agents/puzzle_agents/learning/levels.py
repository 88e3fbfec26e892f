"""Levels to train on: bundled sets, and new ones that no test has seen."""

from __future__ import annotations

import re

import numpy as np

from puzzle_envs import generation
from puzzle_envs.generation import check_bin
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle

__all__ = ["check_stage", "levels_of", "new_levels"]

FROM_ALL_SIDES = " from all sides"
NEW = re.compile(r"(?P<count>[0-9]+) new (?P<bin>\S+)(?: with (?P<empty>[0-9]+) empty)?")
MOST = 10**6
"""New levels of a part, and cells to leave empty."""


def levels_of(puzzle: Puzzle, stage: str, seed: int) -> list[Level]:
    """The levels that a stage of a curriculum names.

    Args:
        puzzle: Whose levels.
        stage: A set, such as "train/5x5"; or how many new levels of which bin of the generator,
            such as "5000 new 5x5"; or "5000 new 5x5 with 8 empty", where the other cells are
            given; or several of these with "+" between them. With "from all sides" behind one
            of them, each of its levels comes turned and mirrored as well.
        seed: What new levels depend on.
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
    """Refuse a stage whose levels are not there, or could not be made; makes none."""
    generator = puzzle.generator
    for part in _parts(stage):
        named = part.removesuffix(FROM_ALL_SIDES)
        if named != part and not (generator and generator.from_all_sides):
            raise LevelError(
                f"Levels of {puzzle.title} are not turned: leave '{FROM_ALL_SIDES}' out."
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
            raise LevelError(f"{puzzle.title} has no cells to leave empty: leave 'with' out.")


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
    """New levels of one of the generator's bins, the same ones each time."""
    return list(generation.new_levels(puzzle, bin, count, seed))

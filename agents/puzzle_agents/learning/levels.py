"""Training levels: bundled sets, new levels, and new levels that are replaced during training."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable
from dataclasses import replace
from functools import cached_property

import numpy as np

from puzzle_envs import generation
from puzzle_envs.generation import check_bin, kept_apart
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle

FROM_ALL_SIDES = " from all sides"
NEW = re.compile(
    r"(?P<count>[0-9]+) (?P<kind>new|fresh) (?P<bin>\S+)(?: with (?P<empty>[0-9]+) empty)?"
)
MOST = 10**6
"""Maximum number of new levels of a part, and of cells to leave empty."""
BLOCKS = 8
"""The parts in which fresh levels are replaced."""
PERIOD = 8_192
"""Number of actions after which one part is replaced."""


class Stage:
    """A stage of a curriculum: the levels to draw from, by the number of actions so far."""

    def __init__(self, puzzle: Puzzle, text: str, seed: int) -> None:
        """Check the text; levels are read and generated when they are asked for.

        Args:
            puzzle: The puzzle of the levels.
            text: A set, such as "train/5x5"; or a number of new levels of a bin of the generator,
                such as "5000 new 5x5"; or "5000 new 5x5 with 8 empty", where the other cells are
                given; or several of these joined by "+". With the suffix "from all sides", levels
                also come rotated and reflected. "5000 fresh 5x5" are new ones of which an eighth
                is replaced by others every PERIOD actions.
            seed: Random seed of new levels.
        """
        check_stage(puzzle, text)
        self.text = text
        self._puzzle, self._seed = puzzle, seed
        self._blocks: dict[tuple[str, int], list[Level]] = {}

    @property
    def climbed(self) -> str:
        """The bin of its last part, the main one."""
        return _bin_of(_parts(self.text)[-1])

    @property
    def moves(self) -> bool:
        """Whether its levels are replaced."""
        return any(_is_fresh(part) for part in _parts(self.text))

    def levels(self, steps: int) -> list[Level]:
        """The levels to draw from after this many actions; they do not depend on earlier calls."""
        first = steps // PERIOD
        kept, found = self._blocks, list[Level]()
        self._blocks = {}
        for part in _parts(self.text):
            for block in range(first, first + BLOCKS) if _is_fresh(part) else (0,):
                key = part, block
                levels = kept[key] if key in kept else self._part(part, block)
                self._blocks[key] = levels
                found += levels
        return found

    def _part(self, part: str, block: int) -> list[Level]:
        named = part.removesuffix(FROM_ALL_SIDES)
        generator, levels = self._puzzle.generator, self._named(named, block)
        if named == part or generator is None or generator.from_all_sides is None:
            return levels
        return [side for one in levels for side in generator.from_all_sides(one)]

    def _named(self, part: str, block: int) -> list[Level]:
        new = NEW.fullmatch(part)
        if new is None:
            return self._puzzle.format.find_all(part)
        seed, count = self._seed, int(new["count"])
        if _is_fresh(part):
            seed = int(np.random.SeedSequence((seed, block)).generate_state(1)[0])
            count = -(-count // BLOCKS)
        drawn = generation.new_levels(self._puzzle, new["bin"], count, seed, self._apart)
        levels = list(drawn)
        if _is_fresh(part):
            home = f"new/{new['bin']}/{block}"
            levels = [replace(one, name=f"{home}/{n}") for n, one in enumerate(levels, start=1)]
        generator = self._puzzle.generator
        if not new["empty"] or generator is None or generator.begun is None:
            return levels
        np_random = np.random.default_rng((seed, int(new["empty"])))
        return [generator.begun(np_random, one, int(new["empty"])) for one in levels]

    @cached_property
    def _apart(self) -> Collection[Hashable]:
        return kept_apart(self._puzzle)


UNSEEN = 2**32
"""The seed of new levels for evaluation: no training has one as large."""


def unseen_levels(puzzle: Puzzle, name: str) -> list[Level]:
    """The levels of a set, or new ones, such as "200 new 6x6"."""
    if NEW.fullmatch(name):
        return levels_of(puzzle, name, UNSEEN)
    return puzzle.format.find_all(name)


def levels_of(puzzle: Puzzle, stage: str, seed: int) -> list[Level]:
    """The levels of a stage at its beginning."""
    return Stage(puzzle, stage, seed).levels(0)


def _is_fresh(part: str) -> bool:
    new = NEW.fullmatch(part.removesuffix(FROM_ALL_SIDES))
    return new is not None and new["kind"] == "fresh"


def _bin_of(part: str) -> str:
    named = part.removesuffix(FROM_ALL_SIDES)
    new = NEW.fullmatch(named)
    return named.partition("/")[2] if new is None else new["bin"]


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


def new_levels(puzzle: Puzzle, bin: str, count: int, seed: int) -> list[Level]:
    """New levels of one of the generator's bins, reproducibly."""
    return list(generation.new_levels(puzzle, bin, count, seed))

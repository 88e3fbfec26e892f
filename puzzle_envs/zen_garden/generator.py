"""Generator of gardens by kind, and of the bundled training, validation and test sets.

    python -m puzzle_envs.zen_garden.generator levels/zen_garden

writes the training, validation and test sets below that folder, the same ones each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from puzzle_envs.generation import Generator, bundled_before, measured, write_sets
from puzzle_envs.level import Level
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.evolved import evolved, twins
from puzzle_envs.zen_garden.leaves import ornamented, strewn
from puzzle_envs.zen_garden.level import FORMAT
from puzzle_envs.zen_garden.planted import Terms, plant
from puzzle_envs.zen_garden.scattered import (
    ANY_MOVES,
    MOST_STATES,
    canonical,
    empty,
    generate,
    scattered,
)

__all__ = ["BINS", "GENERATOR", "draw", "split_levels"]

# --- scattered: small boards, each with its optimum -------------------------------------------


class Mix(NamedTuple):
    """The mix of boards of one size."""

    boards: int
    rocks: range
    ornaments: float
    """The share of boards with one or two ornaments."""
    leaves: float
    """The share of boards with leaves: at most one of each colour."""


MIXES = {
    4: Mix(1400, range(6), ornaments=0.4, leaves=0.4),
    5: Mix(1400, range(1, 7), ornaments=0.4, leaves=0.4),
    6: Mix(1400, range(2, 9), ornaments=0.4, leaves=0.4),
    8: Mix(350, range(5, 11), ornaments=0.2, leaves=0.4),
}
"""By the length of a side."""

SCATTERED = {f"{size}x{size}": size for size in MIXES}
"""The sizes by the names of their files."""

DEAL = (*["train"] * 5, "validation", "test")
"""Each new board goes to the next of these splits, so all three are alike."""

SEED = 20


def split_levels(size: int) -> Iterator[tuple[str, Level]]:
    """The boards of one size, distinct up to symmetry, and the split of each.

    They are drawn one after the other, so the first ones cost little.
    """
    mix, np_random = MIXES[size], np.random.default_rng((SEED, size))
    seen: set[bytes] = set()
    names: Counter[str] = Counter()
    while len(seen) < mix.boards:
        level = _draw_scattered(np_random, size)
        if (key := canonical(level)) in seen:
            continue
        split = DEAL[len(seen) % len(DEAL)]
        seen.add(key)
        names[split] += 1
        yield split, replace(level, name=str(names[split]), notes={})


def _draw_scattered(np_random: np.random.Generator, size: int) -> Level:
    mix = MIXES[size]
    rocks = int(np_random.choice(mix.rocks))
    ornaments = int(np_random.integers(1, 3)) if np_random.random() < mix.ornaments else 0
    yellow, orange, red = np_random.integers(0, 2, 3) * (np_random.random() < mix.leaves)
    return generate(
        np_random,
        size,
        size,
        rocks=rocks,
        ornaments=ornaments,
        leaves=(int(yellow), int(orange), int(red)),
        optimum=ANY_MOVES,
        attempts=10_000,
        most_states=20 * MOST_STATES,
    )


def _splits(size: int) -> dict[str, list[Level]]:
    """The sets of one size."""
    dealt: dict[str, list[Level]] = {f"{split}/{size}x{size}": [] for split in DEAL}
    for split, level in split_levels(size):
        dealt[f"{split}/{size}x{size}"].append(level)
    return dealt


# --- planted: boards of any size, each with a plan ---------------------------------------------


class Bed(NamedTuple):
    """The objects scattered before a solution is played, and the terms of the play."""

    size: int
    rocks: range
    terms: Terms
    ornaments: range = range(1)
    leaves: range = range(1)
    """Leaves of each colour."""


BEDS = {
    "10x10": Bed(10, range(4, 11), Terms(left=3, tries=20_000)),
    "12x12": Bed(12, range(6, 13), Terms(left=6, tries=40_000)),
    "14x14": Bed(14, range(9, 17), Terms(left=9, tries=60_000)),
    "16x16": Bed(16, range(9, 17), Terms(left=12, tries=100_000)),
    "10x10-mixed": Bed(10, range(3, 8), Terms(3, 20_000), range(1, 3), range(1, 3)),
    "12x12-mixed": Bed(12, range(5, 10), Terms(8, 40_000), range(2, 4), range(1, 3)),
    "14x14-mixed": Bed(14, range(6, 12), Terms(14, 60_000), range(2, 5), range(1, 4)),
    "16x16-mixed": Bed(16, range(8, 14), Terms(18, 100_000), range(3, 6), range(2, 4)),
}
"""The terms determine how hard a board is: if a play may leave many cells, these become large
groups of rocks with narrow gardens between them."""

SOWN_8X8 = Bed(8, range(4, 9), Terms(left=2, tries=3_000), range(2), range(2))
"""8x8 training boards: like those of the splits, but without proved optima."""


def _draw_planted(np_random: np.random.Generator, bed: Bed) -> Level:
    while True:
        rocks, ornaments = int(np_random.choice(bed.rocks)), int(np_random.choice(bed.ornaments))
        counts = (rocks, ornaments, *np_random.choice(bed.leaves, 3).tolist())
        records = scattered(np_random, empty(bed.size, bed.size, counts, {}), counts)
        level = plant(np_random, records, bed.terms)
        if level is not None:
            return level


STREWN = 12
"""Leaves of each colour in a 16x16-leaves garden: fewer hardly constrain, more reveal the order."""


def _draw_strewn(np_random: np.random.Generator) -> Level:
    while True:
        level = strewn(np_random, _draw_planted(np_random, BEDS["16x16"]), STREWN)
        if level is not None:
            return level


ORNAMENTED = Bed(16, range(1), Terms(left=40, tries=100_000, laid=0.12))
"""Bare sand, on which rocks are laid in the monk's way."""


def _draw_ornamented(np_random: np.random.Generator) -> Level:
    while True:
        bare = ornamented(_draw_planted(np_random, ORNAMENTED))
        level = None if bare is None else strewn(np_random, bare, STREWN)
        if level is not None:
            return level


# --- evolved, and twins ------------------------------------------------------------------------


def _draw_evolved(np_random: np.random.Generator, size: int, changes: int, states: int) -> Level:
    return evolved(np_random, size, size, changes=changes, most_states=states)


def _draw_twins(np_random: np.random.Generator) -> tuple[Level, Level]:
    rocks = int(np_random.integers(4, 9))
    return twins(np_random, 6, rocks, states=range(300, 50_000), most_states=100_000)


def _draw_twin(np_random: np.random.Generator) -> Level:
    return _draw_twins(np_random)[int(np_random.integers(2))]


# --- bins and sets -----------------------------------------------------------------------------

DRAWN: dict[str, Callable[[np.random.Generator], Level]] = {
    **{f"{size}x{size}": partial(_draw_scattered, size=size) for size in (4, 5, 6)},
    "8x8": partial(_draw_planted, bed=SOWN_8X8),
    **{bin: partial(_draw_planted, bed=bed) for bin, bed in BEDS.items()},
    "16x16-leaves": _draw_strewn,
    "16x16-ornaments": _draw_ornamented,
    "6x6-evolved": partial(_draw_evolved, size=6, changes=60, states=200_000),
    "8x8-evolved": partial(_draw_evolved, size=8, changes=20, states=200_000),
    "6x6-twins": _draw_twin,
}

BINS = tuple(DRAWN)
"""The kinds of boards, named like the files of their sets."""


def draw(np_random: np.random.Generator, bin: str) -> Level:
    """A new board of one of the BINS, like those of the splits."""
    return DRAWN[bin](np_random)


def _measured(bin: str) -> dict[str, list[Level]]:
    """The evaluation sets of a bin; twins stay next to each other."""

    def drawn(np_random: np.random.Generator) -> tuple[Level, ...]:
        return _draw_twins(np_random) if bin == "6x6-twins" else (draw(np_random, bin),)

    np_random = np.random.default_rng((SEED, *bin.encode()))
    return measured(bin, np_random, drawn, canonical, bundled_before(FORMAT, bin, BINS))


HEADS = {
    "mixed": "with ornaments and leaves, each planted with a plan",
    "leaves": "with leaves in the order of a plan",
    "ornaments": "with ornaments for rocks, and leaves in the order of a plan",
    "evolved": "changed until chance hardly solves them, with the fewest moves proved",
    "twins": "in pairs that differ in a cell, one with its fewest moves and one proved unsolvable",
    "": "each planted with a plan",
}
"""Descriptions of evaluation sets for file headers, by the end of the name."""


def _head(name: str) -> str:
    """The header of a set's file."""
    bin = name.partition("/")[2]
    if bin in SCATTERED:
        said = "Solvable boards with the fewest moves proved"
    else:
        said = f"Boards {HEADS[bin.partition('-')[2]]}"
    return f"""; {said}; no two are the same turned or mirrored.
; Written by python -m puzzle_envs.zen_garden.generator"""


GENERATOR = Generator(
    bins=BINS,
    draw=draw,
    canonical=canonical,
    parts={
        **{bin: partial(_splits, size) for bin, size in SCATTERED.items()},
        **{bin: partial(_measured, bin) for bin in BINS if bin not in SCATTERED},
    },
    head=_head,
)

if __name__ == "__main__":
    write_sets(PUZZLE)

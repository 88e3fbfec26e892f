"""Boards of 3 by 3, some random slides away from the solved one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from puzzle_envs.generation import Generator
from puzzle_envs.level import Level
from tests.sliding_tiles.level import FORMAT

GOAL = "12345678."
BINS = {"near": range(1, 5), "far": range(5, 10)}
"""Number of slides, none of which undoes the previous one."""


def draw(np_random: np.random.Generator, bin: str) -> Level:
    cells, before = GOAL, ""
    for _ in range(int(np_random.choice(BINS[bin]))):
        others = [other for other in _slid(cells) if other != before]
        cells, before = others[np_random.integers(len(others))], cells
    return FORMAT.find("/".join([cells[:3], cells[3:6], cells[6:]]))[0]


def _slid(cells: str) -> Iterator[str]:
    gap = cells.index(".")
    row, column = divmod(gap, 3)
    beside = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
    for down, right in beside:
        if 0 <= down < 3 and 0 <= right < 3:
            tile = cells[3 * down + right]
            yield cells.translate({ord("."): tile, ord(tile): "."})


def canonical(level: Level) -> int:
    return int(level.record["start"])


GENERATOR = Generator(tuple(BINS), draw, canonical)

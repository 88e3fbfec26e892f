"""Grids evolved to take many guesses: all clues of a full square, and nothing given.

Clues that are large leave few squares, none of which is near another, but single lines they hardly
bind. So a square is first annealed until its clues are large, by steps from one Latin square to the
next; then it is changed step by step as long as the exact search needs no fewer guesses for it. It
has been filled before its clues were read, so that a solution is known at any size: any takes a
write for each cell.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.skyscraper.exact import ExactSearch

__all__ = ["EVOLVED", "Evolution", "evolve", "seen_from_edges"]

Numbers = npt.NDArray[np.int64]


class Evolution(NamedTuple):
    """How grids of a size are evolved."""

    size: int
    annealed: int
    """Steps towards large clues."""
    changes: int
    """Steps towards more guesses."""
    enough: int
    """Guesses after which a grid is hard enough."""
    least: int
    """Grids that take fewer are given up."""


EVOLVED = {
    "8x8": Evolution(8, 300, 40, 100, 5),
    "10x10": Evolution(10, 2000, 30, 400, 20),
    "12x12": Evolution(12, 12_000, 10, 1000, 100),
    "16x16": Evolution(16, 12_000, 0, 300, 300),
}

HOT = 1.0
"""The temperature in the beginning, in clues; it goes down to nothing."""


def evolve(np_random: np.random.Generator, evolution: Evolution) -> Numbers:
    """A full square whose clues leave the exact search much to guess."""
    search = ExactSearch(evolution.size)
    while True:
        square = _annealed(np_random, evolution)
        guesses = _guesses(search, square, evolution.enough)
        for _ in range(evolution.changes):
            if guesses >= evolution.enough:
                break
            changed = _switched(np_random, square)
            if (now := _guesses(search, changed, evolution.enough)) >= guesses:
                square, guesses = changed, now
        if guesses >= evolution.least:
            return square


def seen_from_edges(square: Numbers) -> Numbers:
    """All clues of a full grid, in the order of a clue line."""
    lines = np.concatenate((square.T, square.T[:, ::-1], square, square[:, ::-1]))
    tallest = np.maximum.accumulate(lines, axis=1)
    seen: Numbers = 1 + np.count_nonzero(np.diff(tallest, axis=1), axis=1)
    return seen


def _guesses(search: ExactSearch, square: Numbers, enough: int) -> int:
    """How many guesses the first solution takes, as far as they are counted."""
    search.load(seen_from_edges(square), np.zeros(square.size, np.int64))
    search.run(1, enough)
    return search.nodes


def _annealed(np_random: np.random.Generator, evolution: Evolution) -> Numbers:
    """A square whose clues are large in sum."""
    size, steps = evolution.size, evolution.annealed
    orders = [np_random.permutation(size) for _ in range(3)]
    square: Numbers = 1 + orders[2][(orders[0][:, None] + orders[1]) % size]
    total = int(seen_from_edges(square).sum())
    for step in range(steps):
        changed = _switched(np_random, square)
        now = int(seen_from_edges(changed).sum())
        temperature = HOT * (1 - step / steps)
        if now >= total or np_random.random() < math.exp((now - total) / temperature):
            square, total = changed, now
    return square


def _switched(np_random: np.random.Generator, square: Numbers) -> Numbers:
    """Another Latin square: two rows, or columns, exchange the heights of one of their cycles."""
    changed = square.copy()
    lines = changed if np_random.random() < 0.5 else changed.T
    size = len(square)
    one = int(np_random.integers(size))
    other = (one + 1 + int(np_random.integers(size - 1))) % size
    places = np.argsort(lines[one])  # by height
    cycle = [int(np_random.integers(size))]
    while (place := int(places[lines[other, cycle[-1]] - 1])) != cycle[0]:
        cycle.append(place)
    lines[[one, other], np.array(cycle)[:, None]] = lines[[other, one], np.array(cycle)[:, None]]
    return changed

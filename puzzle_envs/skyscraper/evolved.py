"""Grids evolved to need many guesses: all clues of a full square, and no givens.

Large clues allow few squares, which differ widely, but hardly constrain single lines. So a square
is first annealed until its clues are large, by steps from one Latin square to the next; then it is
mutated, and a mutation is kept if the exact search needs no fewer guesses. The clues are read off a
full square, so a solution is known at any size: it takes one write per cell.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.skyscraper.exact import ExactSearch
from puzzle_envs.states.chance import below, happens, new_chance

__all__ = ["EVOLVED", "Evolution", "evolve", "seen_from_edges"]

Numbers = npt.NDArray[np.int64]


class Evolution(NamedTuple):
    """How grids of a size are evolved."""

    size: int
    annealed: int
    """Number of annealing steps towards large clues."""
    changes: int
    """Number of mutations towards more guesses."""
    enough: int
    """Number of guesses at which a grid is hard enough."""
    least: int
    """Grids that need fewer guesses are rejected."""
    unclear: int = 0
    """So are those for which propagation leaves fewer candidates."""


EVOLVED = {
    "8x8": Evolution(8, 300, 40, 100, 5),
    "10x10": Evolution(10, 2000, 30, 400, 20),
    "12x12": Evolution(12, 12_000, 20, 1000, 200),
    "16x16": Evolution(16, 400_000, 0, 500, 500),
    "16x16-hard": Evolution(16, 1_000_000, 0, 100, 100, unclear=2850),
}

HOT = 2.0
"""The initial temperature, in clues; it falls to 0."""


def evolve(np_random: np.random.Generator, evolution: Evolution) -> Numbers:
    """A full square for whose clues the exact search needs many guesses."""
    search = ExactSearch(evolution.size)
    chance = new_chance(int(np_random.integers(2**63)))
    cycle = np.zeros(evolution.size, np.int64)
    while True:
        square = _cyclic(np_random, evolution.size)
        anneal(square, evolution.annealed, HOT, chance, cycle)
        if evolution.unclear and _left_open(search, square) < evolution.unclear:
            continue
        guesses = _guesses(search, square, evolution.enough)
        for _ in range(evolution.changes):
            if guesses >= evolution.enough:
                break
            changed = square.copy()
            anneal(changed, 1, math.inf, chance, cycle)
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
    """The guesses up to the first solution, counted up to `enough`."""
    search.load(seen_from_edges(square), np.zeros(square.size, np.int64))
    search.run(1, enough)
    return search.nodes


def _left_open(search: ExactSearch, square: Numbers) -> int:
    """The number of candidates left before the first guess."""
    _guesses(search, square, 0)
    return search.candidates


def _cyclic(np_random: np.random.Generator, size: int) -> Numbers:
    """A cyclic Latin square with rows, columns and heights shuffled."""
    rows, columns, heights = (np_random.permutation(size) for _ in range(3))
    square: Numbers = 1 + heights[(rows[:, None] + columns) % size]
    return square


# --- steps from one Latin square to the next ----------------------------------------------------


@kernel
def anneal(square: Numbers, steps: int, hot: float, chance: Any, cycle: Numbers) -> None:
    """Anneal a square in place, to maximise the sum of its clues.

    In a step two rows, or two columns, exchange the heights of one of their cycles: the smallest
    set of places where both have the same heights. `cycle` is scratch, of a square's side.
    """
    size = len(square)
    for step in range(steps):
        temperature = hot * (1.0 - step / steps)
        across = below(chance, 2) == 0
        one = below(chance, size)
        other = (one + 1 + below(chance, size - 1)) % size
        count = _find_cycle(square, across, (one, other), below(chance, size), cycle)
        before = _seen_beside(square, across, (one, other), cycle, count)
        _exchange(square, across, (one, other), cycle, count)
        gain = _seen_beside(square, across, (one, other), cycle, count) - before
        if gain < 0 and not happens(chance, math.exp(gain / temperature)):
            _exchange(square, across, (one, other), cycle, count)


@compiled
def _height(square: Numbers, across: Any, line: Any, place: Any) -> Any:
    """The height at a place of a row (across) or of a column."""
    return square[line, place] if across else square[place, line]


@compiled
def _find_cycle(square: Numbers, across: Any, pair: Any, start: Any, cycle: Numbers) -> Any:
    """Write the places of a cycle of two lines; return their number."""
    one, other = pair
    place, count = start, 0
    while True:
        cycle[count] = place
        count += 1
        wanted, place = _height(square, across, other, place), 0
        while _height(square, across, one, place) != wanted:
            place += 1
        if place == start:
            return count


@compiled
def _exchange(square: Numbers, across: Any, pair: Any, cycle: Numbers, count: Any) -> None:
    """Exchange the heights of two lines at these places."""
    one, other = pair
    for index in range(count):
        place = cycle[index]
        if across:
            square[one, place], square[other, place] = square[other, place], square[one, place]
        else:
            square[place, one], square[place, other] = square[place, other], square[place, one]


@compiled
def _seen_beside(square: Numbers, across: Any, pair: Any, cycle: Numbers, count: Any) -> Any:
    """The sum of the clues that an exchange at these places may change."""
    total = _seen(square, across, pair[0]) + _seen(square, across, pair[1])
    for index in range(count):
        total += _seen(square, not across, cycle[index])
    return total


@compiled
def _seen(square: Numbers, across: Any, line: Any) -> Any:
    """The sum of both clues of a line."""
    size, total, first, last = len(square), 0, 0, 0
    for place in range(size):
        height = _height(square, across, line, place)
        total += height > first
        first = max(first, height)
        height = _height(square, across, line, size - 1 - place)
        total += height > last
        last = max(last, height)
    return total

"""Counting the ways to fill the rest of a line, compiled.

Whether a building is visible depends only on sets: from the front if it is taller than all placed
before it, from behind if it is taller than all still to be placed. So fillings are counted by
dynamic programming over the sets of heights placed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, count_bits, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch

__all__ = ["ANY", "MOST", "class_of", "fillings", "highest"]

MOST = 6
"""Maximum number of empty cells in a line; with more, fillings are not counted."""
ANY = -1
"""Stands for any number of visible buildings."""
SEEN = MOST + 1
"""How many numbers of visible buildings there are, from 0 on."""
ROOM = SEEN * SEEN << MOST
ZERO = np.uint64(0)


@compiled
def fillings(missing: Any, tallest: Any, before: int, behind: int, free: Any) -> Any:
    """The number of orders of the missing heights in the empty cells of a line.

    Args:
        missing: A bit for each missing height, at most MOST of them.
        tallest: The tallest height placed.
        before: How many of them must be visible from the front, or ANY; below ANY, impossible.
        behind: How many must be visible from behind.
        free: The heights that each empty cell can have.
    """
    if min(before, behind) < ANY or max(before, behind) > MOST:
        return ZERO
    left, heights, rest = 0, scratch(MOST), missing
    while rest != ZERO:
        heights[left] = np.uint64(number_of(rest & (~rest + ONE)))
        rest &= rest - ONE
        left += 1
    counts, full = scratch(ROOM), (1 << left) - 1
    fronts, backs = max(before, 0) + 1, max(behind, 0) + 1  # more than these never become fewer
    for place in range(fronts * backs << left):
        counts[place] = ZERO
    counts[0] = ONE
    for placed in range(full):
        cell, top = count_bits(np.uint64(placed)), tallest
        for index in range(left):
            if placed >> index & 1:
                top = max(top, heights[index])
        for index in range(left):
            if placed >> index & 1 or (free[cell] >> heights[index]) & ONE == ZERO:
                continue
            rises = int(before != ANY and heights[index] > top)
            shows = int(behind != ANY and placed | ((1 << index + 1) - 1) == full)
            _add(counts, (fronts, backs), placed, placed | 1 << index, rises, shows)
    return counts[(full + 1) * fronts * backs - 1]


@compiled
def _add(counts: Any, seen: Any, placed: int, larger: int, rises: int, shows: int) -> None:
    """Add the counts of a set to those of a larger one, with this many more visible.

    `seen` are how many numbers of visible buildings there are, from the front and from behind.
    """
    fronts, backs = seen
    for front in range(fronts - rises):
        for back in range(backs - shows):
            count = counts[(placed * fronts + front) * backs + back]
            if count != ZERO:
                counts[(larger * fronts + front + rises) * backs + back + shows] += count


@compiled
def highest(bits: Any) -> Any:
    """The index of the highest bit; 0 without bits."""
    number = 0
    while bits >> np.uint64(number + 1) != ZERO:
        number += 1
    return np.uint64(number)


@compiled
def class_of(count: Any) -> int:
    """1 for none, then a class for each half of an octave."""
    if count == ZERO:
        return 1
    octave = highest(count)
    half = (count >> (octave - ONE)) & ONE if octave > ZERO else ZERO
    return 2 + 2 * int(octave) + int(half)

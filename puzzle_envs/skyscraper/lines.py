"""Pruning one line of a skyscraper grid by the clues at its two ends.

Heights are placed from the tallest down. A height is visible from an end exactly if it is placed
beyond all placed before, so the future of a line depends only on the set of positions taken and the
two numbers visible. A word for each set holds the pairs of numbers it is reached with. One forward
and one backward pass (dynamic programming) find exactly the positions in complete fillings of the
line, with distinct heights and both clues met. Heights and positions count from 0 here.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Words

__all__ = ["Lines", "in_one_word", "lines_of", "lowest", "prune_line"]

ZERO = np.uint64(0)


class Lines(NamedTuple):
    """Tables for all lines of n cells, and scratch memory for one call at a time.

    The pair "i seen from the left, j from the right" is bit (i - 1) + (j - 1) * stride of a word;
    the stride is the left clue. Without a clue at an end nothing is counted there: its number
    stays 1, and so does the stride. The clues of a line that can be filled add up to n + 1 at
    most, so that a word is enough up to n = 15, and for most clues at 16 (`in_one_word`).
    """

    n: int

    left: Words
    """[left clue, right clue, leftmost position taken], flat: pairs that can meet the clue."""

    right: Words
    """The same for the right clue, with the rightmost position taken."""

    openings: Words
    """[left clue, right clue, height]: allowed positions if nothing else is known."""

    kept: Words
    """[height]: the positions left, written by `prune_line`."""

    pairs: Words
    """[set of positions taken]: the pairs it is reached with; zero between calls."""

    order: npt.NDArray[np.uint16]
    """The sets reached, in order."""

    layers: npt.NDArray[np.int64]
    """[height]: start in `order` of the sets with this height placed last."""


@compiled
def in_one_word(left_clue: Any, right_clue: Any) -> Any:
    """Whether the pairs of numbers seen that these clues leave fit into a word."""
    return left_clue * right_clue <= 64


@functools.cache
def lines_of(n: int) -> Lines:
    """The tables for lines of n cells; copy `kept` and those after it for concurrent use."""
    by_clues = (n + 1, n + 1, n)
    left, right = np.zeros(by_clues, np.uint64), np.zeros(by_clues, np.uint64)
    for clues in np.ndindex(n + 1, n + 1):
        if sum(clues) > n + 1 or not in_one_word(*clues):
            continue  # no line has such clues, or their pairs do not fit into a word
        stride, height = max(clues[0], 1), max(clues[1], 1)
        for position in range(n):
            for i, j in np.ndindex(stride, height):
                pair = np.uint64(1 << (i + j * stride))
                if _can_meet(clues[0], i + 1, position):
                    left[*clues, position] |= pair
                if _can_meet(clues[1], j + 1, n - 1 - position):
                    right[*clues, position] |= pair
    lines = Lines(
        n=n,
        left=left.ravel(),
        right=right.ravel(),
        openings=np.zeros(by_clues, np.uint64),
        kept=np.zeros(n, np.uint64),
        pairs=np.zeros(1 << n, np.uint64),
        order=np.zeros((1 << n) + 1, np.uint16),
        layers=np.zeros(n, np.int64),
    )
    find_openings(np.full(n, (1 << n) - 1, np.uint16), lines)
    return lines


def _can_meet(clue: int, seen: int, before: int) -> bool:
    """Whether the clue can be met with these numbers visible and free positions before them.

    The first position of a line is always visible: while it is free, one more is certain.
    """
    if clue == 0:
        return True
    return clue == seen if before == 0 else seen < clue <= seen + before


@kernel
def find_openings(state: Any, lines: Lines) -> None:
    """Write `openings`; in `state`, all positions are free for every height."""
    for left_clue in range(lines.n + 1):
        for right_clue in range(lines.n + 1):
            if left_clue + right_clue > lines.n + 1:
                continue
            if not in_one_word(left_clue, right_clue):
                for height in range(lines.n):
                    one, other = lines.openings[left_clue, 0], lines.openings[0, right_clue]
                    lines.openings[left_clue, right_clue, height] = one[height] & other[height]
            elif prune_line(state, 0, left_clue, right_clue, lines):
                for height in range(lines.n):
                    lines.openings[left_clue, right_clue, height] = lines.kept[height]


@compiled
def lowest(bits: Any) -> Any:
    """The lowest bit of a nonzero word."""
    return bits & (~bits + ONE)


@compiled
def prune_line(state: Any, first: Any, left_clue: Any, right_clue: Any, lines: Lines) -> Any:
    """Write the possible positions of each height to `kept`; return whether the line can be filled.

    The current candidates are the words of `state` from `first` on.
    """
    pairs, order = lines.pairs, lines.order
    count = _lay(state, first, left_clue, right_clue, lines)
    possible = pairs[pairs.size - 1] != 0
    if possible:
        _trace(state, first, count, left_clue, right_clue, lines)
    for index in range(count):
        pairs[order[index]] = ZERO
    return possible


@compiled
def _steps(left_clue: Any, right_clue: Any) -> Any:
    """Shifts of the pair bits for one more visible from the left and from the right."""
    left_step = np.uint64(min(left_clue, 1))
    right_step = np.uint64(max(left_clue, 1) if right_clue > 0 else 0)
    return left_step, right_step


@compiled
def _lay(state: Any, first: Any, left_clue: Any, right_clue: Any, lines: Lines) -> Any:
    """Forward pass: write the reachable sets, height by height, with their pairs; return the count.

    The innermost loop is free of unpredictable branches.
    """
    pairs, order, layers, tallest = lines.pairs, lines.order, lines.layers, lines.n - 1
    left_step, right_step = _steps(left_clue, right_clue)
    clues = np.uint64((left_clue * (lines.n + 1) + right_clue) * lines.n)
    count = ZERO
    places = np.uint64(state[np.uint64(first + tallest)])
    while places != 0:  # the tallest building is visible from both ends
        place = lowest(places)
        places ^= place
        position = clues + np.uint64(number_of(place))
        if lines.left[position] & lines.right[position] & ONE != 0:
            pairs[place] = ONE
            order[count] = place
            count += ONE
    layers[tallest] = begin = np.int64(0)
    for height in range(tallest - 1, -1, -1):
        layers[height] = end = np.int64(count)
        places = np.uint64(state[np.uint64(first + height)])
        while places != 0:
            place = lowest(places)
            places ^= place
            position = clues + np.uint64(number_of(place))
            fits_left, fits_right = lines.left[position], lines.right[position]
            for index in range(begin, end):
                taken = np.uint64(order[np.uint64(index)])
                after = pairs[taken]
                if place < lowest(taken):
                    after = (after << left_step) & fits_left
                if place > taken:
                    after = (after << right_step) & fits_right
                if place & taken != 0:
                    after = ZERO
                known = pairs[taken | place]
                pairs[taken | place] = known | after
                order[count] = taken | place
                count += ONE if (known == 0) & (after != 0) else ZERO
        begin = end
    return np.int64(count)


@compiled
def _trace(
    state: Any, first: Any, count: Any, left_clue: Any, right_clue: Any, lines: Lines
) -> None:
    """Backward pass: write the positions of each height on ways to the full line.

    Only pairs on such ways are kept.
    """
    pairs, order, layers, kept = lines.pairs, lines.order, lines.layers, lines.kept
    left_step, right_step = _steps(left_clue, right_clue)
    end = count - 1
    for height in range(lines.n - 1):
        begin, places, found = layers[height + 1], np.uint64(state[np.uint64(first + height)]), ZERO
        for index in range(begin, end):
            taken = np.uint64(order[np.uint64(index)])
            here, alive = pairs[taken], ZERO
            free = places & ~taken
            while free != 0:
                place = lowest(free)
                free ^= place
                before = pairs[taken | place]
                if place < lowest(taken):
                    before >>= left_step
                elif place > taken:
                    before >>= right_step
                before &= here
                alive |= before
                found |= place if before != 0 else ZERO
            pairs[taken] = alive
        kept[np.uint64(height)] = found
        end = begin
    found = ZERO
    for index in range(layers[lines.n - 2]):
        found |= np.uint64(order[index]) if pairs[order[index]] != 0 else ZERO
    kept[lines.n - 1] = found

"""Branching heuristics of the search: which candidate to guess next.

A word holds the candidates of one cell, or of one height in one row or column. Initially the
candidate comes from the smallest word (fewest candidates first). After many failures, words are
also weighted by how often the search failed at them ("weighted degree"): those that fail most are
decided first, so that a wrong guess is refuted early.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE, count_bits, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.skyscraper.candidates import Grid, code_of
from puzzle_envs.skyscraper.lines import lowest

Weights = npt.NDArray[np.float64]
"""One weight per word, in the order of a state, then one per line."""

GROWTH = 1.01
"""Growth factor of the weight of failures."""

MOST = 1e100
"""Weights are rescaled when a failure's weight exceeds this."""


def new_weights(n: int) -> Weights:
    """Allocate weights for an n x n grid."""
    return np.zeros(3 * n * n + 2 * n)


@compiled
def fewest(n: Any, state: Any) -> Any:
    """The candidate to guess; -1 if everything is placed.

    It comes from the word with the fewest candidates; ties are broken by the tallest height in a
    row or column, since tall buildings hide others; cells come last.
    """
    least, chosen = n + 1, -1
    for height in range(n - 1, -1, -1):
        for line in range(2 * n):
            places = np.uint64(state[(n + line) * n + height])
            size = count_bits(places)
            if 1 < size < least:
                position = number_of(lowest(places))
                row, column = (line, position) if line < n else (position, line - n)
                least, chosen = size, code_of(row, column, height)
                if size == 2:
                    return chosen
    for cell in range(n * n):
        heights = np.uint64(state[cell])
        size = count_bits(heights)
        if 1 < size < least:
            least, chosen = size, code_of(cell // n, cell % n, number_of(lowest(heights)))
    return chosen


@compiled
def heaviest(grid: Grid, state: Any, weights: Weights) -> Any:
    """The candidate to guess by weight; -1 if everything is placed.

    It comes from the word with the greatest weight, including its lines', per candidate; the choice
    within the word is pseudo-random.
    """
    n, most, chosen = grid.n, -1.0, -1  # old weights decay to 0
    for word in range(3 * n * n):
        size = count_bits(np.uint64(state[word]))
        if size > 1:
            view = word // n
            line, crossing = (view, n + word % n) if view < n else (view - n, view - n)
            weight = weights[word] + weights[3 * n * n + line] + weights[3 * n * n + crossing]
            worth = weight / (size * size * size)  # the cube gave the shortest searches
            if worth > most:
                most, chosen = worth, word
    if chosen < 0:
        return -1
    view, index = chosen // n, chosen % n
    drawn = _one_of(np.uint64(state[chosen]), grid.progress[0].nodes)
    if view < n:
        return code_of(view, index, drawn)
    return code_of(view - n, drawn, index) if view < 2 * n else code_of(drawn, view - 2 * n, index)


@compiled
def _one_of(bits: Any, number: Any) -> Any:
    """A pseudo-random one of the bits."""
    for _ in range((number * 2654435761 >> 16) % count_bits(bits)):
        bits &= bits - ONE
    return number_of(lowest(bits))


@compiled
def forget(grid: Grid, weights: Weights) -> None:
    """Reset the weights: tall heights in a row or column start with more."""
    n = grid.n
    for word in range(3 * n * n):
        weights[word] = 1 if word < n * n else 1 + 2 * (word % n)
    for line in range(2 * n):
        weights[3 * n * n + line] = 0
    grid.progress[0].failure = 1


@compiled
def blame(grid: Grid, state: Any, weights: Weights) -> None:
    """Add weight at a contradiction: to a word without candidates, or else to a line."""
    n, progress = grid.n, grid.progress[0]
    at = 0
    while at < 3 * n * n and state[at] != 0:
        at += 1
    if at == 3 * n * n:  # the line pruned last has no filling
        at += progress.next - 1
    weights[at] += progress.failure
    progress.failure *= GROWTH
    if progress.failure > MOST:
        for index in range(weights.size):
            weights[index] /= MOST
        progress.failure /= MOST

"""The operators of the Skyscraper paper (section III.C), with the readings that it leaves open.

A genome is the heights of the cells, row by row. Where `givens` has a height it stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_agents.evolution.chance import below, happens
from puzzle_envs.kernels.compiled import compiled, kernel

__all__ = ["HIGHEST", "cross_at_row", "draw_grids", "mutate_cells"]

HIGHEST = 15
"""Of a gene, however much is added to it."""


@compiled
def _draw(grid: Any, individual: int, size: int, givens: Any, chance: Any) -> None:
    for cell in range(givens.size):
        height = np.int64(givens[cell])
        grid[individual, cell] = height if height != 0 else 1 + below(chance, size)


@kernel
def draw_grids(genomes: Any, size: int, givens: Any, chance: Any) -> None:
    """Write grids of random heights."""
    for individual in range(genomes.shape[0]):
        _draw(genomes, individual, size, givens, chance)


@kernel
def cross_at_row(
    genomes: Any,
    parents: Any,
    size: int,
    rate: float,
    lowest: int,
    kept: int,
    anew: bool,
    givens: Any,
    chance: Any,
    children: Any,
) -> None:
    """Write one or two children of each two parents (Algorithm 5).

    With this probability the rows from a point on are exchanged, `lowest` being the first point
    there is; otherwise the children are copies, or, with `anew`, random grids.
    """
    count = children.shape[0]
    pairs = (count + kept - 1) // kept
    for pair in range(pairs):
        first = pair * kept
        crossed = happens(chance, rate)
        if anew and not crossed:
            for child in range(first, min(first + kept, count)):
                _draw(children, child, size, givens, chance)
            continue
        one, other = parents[2 * pair], parents[2 * pair + 1]
        point = givens.size
        if crossed:
            point = size * (lowest + below(chance, size - lowest))
        for cell in range(givens.size):
            children[first, cell] = genomes[one if cell < point else other, cell]
        if kept == 2 and first + 1 < count:
            for cell in range(givens.size):
                children[first + 1, cell] = genomes[other if cell < point else one, cell]


@kernel
def mutate_cells(
    children: Any, size: int, rate: float, adds: bool, givens: Any, chance: Any
) -> None:
    """Write a random height into each cell with this probability, or add one to it.

    A sum may be out of range, which the fitness counts; it is 15 at most.
    """
    for child in range(children.shape[0]):
        for cell in range(givens.size):
            if happens(chance, rate) and givens[cell] == 0:
                height = 1 + below(chance, size)
                if adds:
                    height = min(height + np.int64(children[child, cell]), HIGHEST)
                children[child, cell] = height

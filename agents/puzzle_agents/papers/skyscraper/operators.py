"""The operators of the Skyscraper paper (section III.C), compiled.

A genome is the heights of the cells, row by row. Where `givens` has a height it stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.states.chance import below, happens


@kernel
def draw_grids(genomes: Any, size: int, givens: Any, chance: Any) -> None:
    """Write grids of random heights."""
    for individual in range(genomes.shape[0]):
        for cell in range(givens.size):
            height = np.int64(givens[cell])
            genomes[individual, cell] = height if height != 0 else 1 + below(chance, size)


@kernel
def cross_at_row(
    genomes: Any, parents: Any, size: int, rate: float, chance: Any, children: Any
) -> None:
    """Write two children of each two parents (Algorithm 5).

    With this probability the rows from a random one on are exchanged; otherwise they are copies.
    """
    count, cells = children.shape
    for first in range(0, count, 2):
        one, other = parents[first], parents[first + 1]
        point = cells
        if happens(chance, rate):
            point = size * below(chance, size)
        for cell in range(cells):
            children[first, cell] = genomes[one if cell < point else other, cell]
            if first + 1 < count:
                children[first + 1, cell] = genomes[other if cell < point else one, cell]


@kernel
def mutate_cells(children: Any, size: int, rate: float, givens: Any, chance: Any) -> None:
    """Write a random height into each cell with this probability (Algorithm 6)."""
    for child in range(children.shape[0]):
        for cell in range(givens.size):
            if happens(chance, rate) and givens[cell] == 0:
                children[child, cell] = 1 + below(chance, size)

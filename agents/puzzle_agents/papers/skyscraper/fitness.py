"""The fitness of the Skyscraper paper, for whole populations of grids, compiled.

A genome is the heights of the cells, row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, count_bits
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.skyscraper.rules import BOTTOM, LEFT, RIGHT, TOP, scan_line

ZERO = np.uint64(0)
FOUR = np.uint64(4)


@compiled
def _line_faults(line: Any, size: int, heights: Any, clue_before: int, clue_behind: int) -> int:
    """Cells out of range or with a height met before (Algorithm 3), and clues not met.

    The line is a word, four bits a cell from its low end: the heights less one, as no cell is
    empty. `heights` has a bit for each height of the grid. Heights above the grid's are seen as
    any others are (Algorithm 4).
    """
    all_heights, before, behind = scan_line(line, ZERO, size)
    faults = size - count_bits(all_heights & heights)
    faults += (clue_before != 0) & (count_bits(before) != clue_before)
    return faults + ((clue_behind != 0) & (count_bits(behind) != clue_behind))


@kernel
def rate(genomes: Any, size: int, clues: Any, scores: Any) -> None:
    """Write the fitness of each genome: 0 for a solution, one less for each fault (section III.A).

    A clue not met counts once, as the text has it; Algorithm 4 prints the test of the clue inside
    the loop over the cells of its line.
    """
    columns = scratch(16)
    heights = (ONE << np.uint64(size)) - ONE
    for individual in range(genomes.shape[0]):
        for column in range(size):
            columns[column] = ZERO
        faults = 0
        cell = 0
        for row in range(size):
            line, down = ZERO, FOUR * np.uint64(row)
            for column in range(size):
                height = np.uint64(genomes[individual, cell] - 1) & np.uint64(15)
                line |= height << (FOUR * np.uint64(column))
                columns[column] |= height << down
                cell += 1
            faults += _line_faults(line, size, heights, clues[LEFT, row], clues[RIGHT, row])
        for column in range(size):
            faults += _line_faults(
                columns[column], size, heights, clues[TOP, column], clues[BOTTOM, column]
            )
        scores[individual] = -faults

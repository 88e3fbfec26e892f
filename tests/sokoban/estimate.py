"""The pushes that bring each box to its own goal, ignoring other boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import bit
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.level import Record
from puzzle_envs.verbs import NEVER
from tests.sokoban.level import CELLS, MOST_BOXES
from tests.sokoban.rules import rules

SETS = 1 << MOST_BOXES


@rules
def estimate(level: Any, findings: Any, state: Any) -> int:
    """The cheapest assignment: box after box, for all sets of goals taken."""
    costs, boxes = scratch(SETS), level.boxes
    for taken in range(1, 1 << boxes):
        costs[taken] = np.uint64(NEVER)
    costs[0] = np.uint64(0)
    cell = -1
    for box in range(boxes):
        cell += 1
        while not bit(state, cell):
            cell += 1
        for taken in range((1 << boxes) - 1, -1, -1):
            count, rest = 0, taken
            while rest != 0:
                rest &= rest - 1
                count += 1
            if count != box + 1:
                continue
            best = np.uint64(NEVER)
            for goal in range(boxes):
                if taken >> goal & 1:
                    cost = costs[taken ^ 1 << goal] + findings[goal * CELLS + cell]
                    best = min(best, cost)
            costs[taken] = best
    return min(np.int64(costs[(1 << boxes) - 1]), NEVER)


def pushes(record: Record) -> npt.NDArray[np.uint64]:
    """For each goal, the pushes to it from every cell, of a single box."""
    width = int(record["width"])
    floor = _cells(record["floor"])
    table = np.full((MOST_BOXES, CELLS), NEVER, np.uint64)
    for number, goal in enumerate(sorted(_cells(record["goals"]))):
        table[number, goal], found = 0, [goal]
        for cell in found:
            for step in (-width, 1, width, -1):
                before, player = cell - step, cell - 2 * step
                if {before, player} <= floor and table[number, before] == NEVER:
                    table[number, before] = table[number, cell] + np.uint64(1)
                    found.append(before)
    return table.ravel()


def _cells(words: Any) -> set[int]:
    total = int(words[0]) | int(words[1]) << 64
    return {cell for cell in range(CELLS) if total >> cell & 1}


ESTIMATES = {"matching": pushes}

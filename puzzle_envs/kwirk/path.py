"""The cheapest path to the exit through all obstacles: the number of holes on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import add, bit
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.level import CELLS
from puzzle_envs.kwirk.pieces import GONE, add_arms, open_holes, place, things
from puzzle_envs.kwirk.walking import BOARD, clear
from puzzle_envs.verbs import NEVER

HOLE, BLOCK, ARM, STEP = 100, 6, 3, 1
"""The cost of entering a cell, by what is on it."""
SPAN = 128
"""Number of buckets of the queue: a power of two above the cost of any cell."""
ENTRIES = 4 * CELLS
UNSEEN = 2**62


@compiled
def holes_on_the_way(level: Any, state: Any) -> int:
    """The holes on the characters' cheapest paths to the exit; NEVER without a path.

    Paths go through holes, blocks and arms, at a cost, even if these cannot be moved away.
    """
    costs, holes, awaited = scratch(CELLS), scratch(CELLS), scratch(BOARD)
    clear(level, awaited)
    count = 0
    for character in range(level.characters):
        cell = place(state, character)
        if cell != GONE:
            add(awaited, cell)
            count += 1
    _spread(level, state, costs, holes, awaited, count)
    total = 0
    for character in range(level.characters):
        cell = place(state, character)
        if cell == GONE:
            continue
        if costs[cell] == UNSEEN:
            return NEVER
        total += np.int64(holes[cell])
    return total


@compiled
def _spread(level: Any, state: Any, costs: Any, holes: Any, awaited: Any, count: int) -> None:
    """Write each cell's cost from the exit, and the number of holes on its path.

    It ends when the cells awaited, this many, have their costs.
    """
    blocked, unfilled, arms_there = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, unfilled)
    clear(level, arms_there)
    for turnstile in range(level.turnstiles):
        add_arms(level, state, turnstile, arms_there)
    heads, cells, nexts = scratch(SPAN), scratch(ENTRIES), scratch(ENTRIES)
    for cell in range(level.width * level.height):
        costs[cell] = np.uint64(UNSEEN)
    for cost in range(SPAN):
        heads[cost] = np.uint64(0)
    costs[level.exit] = holes[level.exit] = np.uint64(0)
    cells[1], nexts[1] = np.uint64(level.exit), np.uint64(0)
    heads[0] = np.uint64(1)
    used, waiting, cost = 2, 1, 0
    while waiting > 0:
        while heads[cost & (SPAN - 1)] == 0:
            cost += 1
        entry = heads[cost & (SPAN - 1)]
        heads[cost & (SPAN - 1)] = nexts[entry]
        waiting -= 1
        cell = np.int64(cells[entry])
        if np.int64(costs[cell]) != cost:
            continue
        count -= bit(awaited, cell)
        if count == 0:
            return
        for direction in range(4):
            near = cell + level.ways[direction]
            if not bit(level.ground, near) or bit(level.solid, near):
                continue
            own = STEP
            if bit(unfilled, near):
                own = HOLE
            elif bit(arms_there, near):
                own = ARM
            elif bit(blocked, near):
                own = BLOCK
            if np.uint64(cost + own) >= costs[near]:
                continue
            costs[near] = np.uint64(cost + own)
            holes[near] = holes[cell] + np.uint64(own == HOLE)
            cells[used], nexts[used] = np.uint64(near), heads[(cost + own) & (SPAN - 1)]
            heads[(cost + own) & (SPAN - 1)] = np.uint64(used)
            used += 1
            waiting += 1

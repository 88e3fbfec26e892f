"""The rules: a tile beside the gap slides into it."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.verbs import Rules
from tests.sliding_tiles.level import TILES

rules = Rules(TILES)

NIBBLE = np.uint64(15)
ENDS = np.uint64(0x1111111111111111)
"""The lowest bit of each cell."""


@compiled
def tile_at(word: Any, cell: Any) -> Any:
    return (word >> np.uint64(4 * cell)) & NIBBLE


@compiled
def gap_of(word: Any) -> int:
    """The lowest cell without a tile."""
    tiles = word | word >> np.uint64(1)
    tiles |= tiles >> np.uint64(2)
    gaps = ~tiles & ENDS
    return number_of(gaps & (~gaps + ONE)) >> 2


@compiled
def _slid(word: Any, gap: int, cell: int) -> Any:
    tile = tile_at(word, cell)
    return word ^ (tile << np.uint64(4 * cell)) ^ (tile << np.uint64(4 * gap))


@rules
def start(level: Any, state: Any) -> None:
    state[:] = 0
    state[0] = level.start


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    count = 0
    mask[:] = 0
    if state[0] == level.goal:
        return 0
    for action in range(4):
        may = np.int64(level.beside[gap_of(state[0]), action]) >= 0
        mask[action] = may
        count += may
    return count


@rules
def apply(level: Any, state: Any, action: int) -> int:
    gap = gap_of(state[0])
    cell = np.int64(level.beside[gap, action])
    if cell < 0 or state[0] == level.goal:
        return -1
    state[0] = _slid(state[0], gap, cell)
    return 1


@rules
def solved(level: Any, state: Any) -> bool:
    return state[0] == level.goal


@rules
def fitness(level: Any, state: Any) -> float:
    placed = 0
    for cell in range(level.side * level.side):
        placed += tile_at(state[0], cell) == tile_at(level.goal, cell)
    return placed / (level.side * level.side)


@rules
def forfeit(level: Any) -> int:
    return 0


@rules
def valid(level: Any, state: Any) -> bool:
    seen = np.uint64(0)
    cells = level.side * level.side
    for cell in range(cells):
        seen |= np.uint64(1) << tile_at(state[0], cell)
    for word in range(1, state.size):
        if state[word] != 0:
            return False
    above = state[0] >> np.uint64(4 * cells) if cells < 16 else np.uint64(0)
    return seen == (np.uint64(1) << np.uint64(cells)) - np.uint64(1) and above == 0


@rules
def scenery(level: Any, planes: Any) -> None:
    planes[:] = 0


@rules
def observe(level: Any, state: Any, planes: Any) -> None:
    cells = level.side * level.side
    for cell in range(cells):
        planes[np.int64(tile_at(state[0], cell)) * cells + cell] = 1


@rules
@compiled  # small enough to be part of each search
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    if rows.shape[0] < 4:
        return -1
    gap = gap_of(state[0])
    count = 0
    for action in range(4):
        cell = np.int64(level.beside[gap, action])
        if cell >= 0:
            rows[count, 0] = _slid(state[0], gap, cell)
            costs[count] = 1
            count += 1
    return count


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    for action in range(4):
        cell = np.int64(level.beside[gap_of(state[0]), action])
        if cell >= 0 and _slid(state[0], gap_of(state[0]), cell) == target[0]:
            actions[0] = action
            return 1
    return -1

"""The rules: a tile beside the gap slides into it."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.compiled import compiled
from puzzle_envs.verbs import Rules
from tests.sliding_tiles.level import TILES

rules = Rules(TILES)

NIBBLE = np.uint64(15)


@compiled
def _tile(word: Any, cell: int) -> Any:
    return (word >> np.uint64(4 * cell)) & NIBBLE


@compiled
def _gap(level: Any, word: Any) -> int:
    cell = 0
    while _tile(word, cell) != 0:
        cell += 1
    return cell


@compiled
def _neighbour(level: Any, gap: int, action: int) -> int:
    """The cell north, east, south or west of the gap; -1 beyond the edge."""
    side = level.side
    row, column = gap // side, gap % side
    row += (action == 2) - (action == 0)
    column += (action == 1) - (action == 3)
    return row * side + column if 0 <= row < side and 0 <= column < side else -1


@compiled
def _slid(word: Any, gap: int, cell: int) -> Any:
    tile = _tile(word, cell)
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
        may = _neighbour(level, _gap(level, state[0]), action) >= 0
        mask[action] = may
        count += may
    return count


@rules
def apply(level: Any, state: Any, action: int) -> int:
    gap = _gap(level, state[0])
    cell = _neighbour(level, gap, action)
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
        placed += _tile(state[0], cell) == _tile(level.goal, cell)
    return placed / (level.side * level.side)


@rules
def forfeit(level: Any) -> int:
    return 0


@rules
def valid(level: Any, state: Any) -> bool:
    seen = np.uint64(0)
    cells = level.side * level.side
    for cell in range(cells):
        seen |= np.uint64(1) << _tile(state[0], cell)
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
        planes[np.int64(_tile(state[0], cell)) * cells + cell] = 1


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    if rows.shape[0] < 4:
        return -1
    gap = _gap(level, state[0])
    count = 0
    for action in range(4):
        cell = _neighbour(level, gap, action)
        if cell >= 0:
            rows[count, 0] = _slid(state[0], gap, cell)
            costs[count] = 1
            count += 1
    return count


@rules
def hopeless(level: Any, state: Any) -> bool:
    return False


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    for action in range(4):
        cell = _neighbour(level, _gap(level, state[0]), action)
        if cell >= 0 and _slid(state[0], _gap(level, state[0]), cell) == target[0]:
            actions[0] = action
            return 1
    return -1

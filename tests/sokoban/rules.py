"""The rules: a box is pushed by one cell, away from a cell to which the player can walk.

A state is the boxes, as bits of cells in two words, and the lowest cell to which the player can
walk. A push costs 1, walking nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.codec import at_cell, cell_and_way
from puzzle_envs.kernels.bitboards import ONE, bit, copy_words, count_bits, number_of, same_words
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.verbs import Rules
from tests.sokoban.codec import BOX, FLOOR, GOAL, REACHED
from tests.sokoban.level import FLOOR as RECORD

rules = Rules(RECORD)

at, parted = compiled(at_cell), compiled(cell_and_way)
ZERO, WORD = np.uint64(0), np.uint64(64)
PLAYER = 2
"""The word of the player's cell."""


@compiled
def shifted(low: Any, high: Any, step: int) -> tuple[Any, Any]:
    """The cells shifted by a number of cells; those outside the two words are dropped."""
    shift = np.uint64(abs(step))
    if step > 0:
        return low << shift, (high << shift) | (low >> (WORD - shift))
    return (low >> shift) | (high << (WORD - shift)), high >> shift


@compiled
def step_of(level: Any, way: int) -> int:
    """The offset of a step up, right, down or left."""
    step = level.width if way % 2 == 0 else 1
    return step if way in (1, 2) else -step


@compiled
def single(cell: int) -> tuple[Any, Any]:
    index = np.uint64(cell)
    return (ONE << index, ZERO) if cell < 64 else (ZERO, ONE << (index - WORD))


@compiled
def reached_from(level: Any, state: Any, cell: int) -> tuple[Any, Any]:
    """Where the player can walk from a cell."""
    low, high = single(cell)
    free_low, free_high = level.floor[0] & ~state[0], level.floor[1] & ~state[1]
    before = ZERO, ZERO
    while (low, high) != before:
        before = low, high
        for way in range(4):
            more = shifted(low, high, step_of(level, way))
            low, high = low | (more[0] & free_low), high | (more[1] & free_high)
    return low, high


@compiled
def _settle(level: Any, state: Any, cell: int) -> None:
    """Move the player to the lowest cell that he can walk to."""
    low, high = reached_from(level, state, cell)
    lowest = low & (~low + ONE) if low != 0 else high & (~high + ONE)
    state[PLAYER] = np.uint64(number_of(lowest)) + (ZERO if low != 0 else WORD)


@compiled
def pushable(level: Any, state: Any, way: int) -> tuple[Any, Any]:
    """The boxes that can be pushed."""
    step = step_of(level, way)
    low, high = shifted(*reached_from(level, state, np.int64(state[PLAYER])), step)
    ahead = shifted(level.floor[0] & ~state[0], level.floor[1] & ~state[1], -step)
    return low & state[0] & ahead[0], high & state[1] & ahead[1]


@compiled
def _push(level: Any, state: Any, cell: int, way: int) -> None:
    old, new = single(cell), single(cell + step_of(level, way))
    state[0] = (state[0] & ~old[0]) | new[0]
    state[1] = (state[1] & ~old[1]) | new[1]
    _settle(level, state, cell)


@rules
def start(level: Any, state: Any) -> None:
    state[:] = 0
    state[0], state[1] = level.start[0], level.start[1]
    _settle(level, state, level.player)


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    count = 0
    mask[:] = 0
    if solved(level, state):
        return 0
    for way in range(4):
        boxes = pushable(level, state, way)
        for cell in range(level.height * level.width):
            if bit(boxes, cell):
                mask[at(cell, way)] = 1
                count += 1
    return count


@rules
def apply(level: Any, state: Any, action: int) -> int:
    cell, way = parted(action)
    if solved(level, state) or not bit(pushable(level, state, way), cell):
        return -1
    _push(level, state, cell, way)
    return 1


@rules
def solved(level: Any, state: Any) -> bool:
    return state[0] == level.goals[0] and state[1] == level.goals[1]


@rules
def fitness(level: Any, state: Any) -> float:
    return count_bits(state[0] & level.goals[0]) + count_bits(state[1] & level.goals[1])


@rules
def forfeit(level: Any) -> int:
    return 0


@rules
def valid(level: Any, state: Any) -> bool:
    for word in range(PLAYER + 1, state.size):
        if state[word] != 0:
            return False
    if (state[0] & ~level.floor[0]) | (state[1] & ~level.floor[1]) != 0:
        return False
    if count_bits(state[0]) + count_bits(state[1]) != level.boxes:
        return False
    cell = np.int64(state[PLAYER])
    if cell < 0 or cell >= level.height * level.width:
        return False
    if not bit(level.floor, cell) or bit(state, cell):
        return False
    low, high = reached_from(level, state, cell)
    here = single(cell)
    if here[0] != 0:
        return low & (here[0] - ONE) == 0
    return low == 0 and high & (here[1] - ONE) == 0


@rules
def scenery(level: Any, planes: Any) -> None:
    cells = level.height * level.width
    planes[:] = 0
    for cell in range(cells):
        planes[FLOOR * cells + cell] = bit(level.floor, cell)
        planes[GOAL * cells + cell] = bit(level.goals, cell)


@rules
def observe(level: Any, state: Any, planes: Any) -> None:
    cells = level.height * level.width
    reached = reached_from(level, state, np.int64(state[PLAYER]))
    for cell in range(cells):
        planes[BOX * cells + cell] = bit(state, cell)
        planes[REACHED * cells + cell] = bit(reached, cell)


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    count = 0
    for way in range(4):
        low, high = pushable(level, state, way)
        while (low | high) != 0:
            if count == rows.shape[0]:
                return -1
            if low != 0:
                cell = number_of(low & (~low + ONE))
                low &= low - ONE
            else:
                cell = 64 + number_of(high & (~high + ONE))
                high &= high - ONE
            copy_words(state, rows[count])
            _push(level, rows[count], cell, way)
            costs[count] = 1
            count += 1
    return count


@rules
def hopeless(level: Any, state: Any) -> bool:
    """Whether a box off its goal is blocked for good by walls and boxes."""
    low, high = state[0], state[1]
    before = ZERO, ZERO
    while (low, high) != before:
        before = low, high
        firm = low | ~level.floor[0], high | ~level.floor[1]
        up, down = shifted(*firm, -level.width), shifted(*firm, level.width)
        left, right = shifted(*firm, -1), shifted(*firm, 1)
        low &= (up[0] | down[0]) & (left[0] | right[0])
        high &= (up[1] | down[1]) & (left[1] | right[1])
    return (low & ~level.goals[0]) | (high & ~level.goals[1]) != 0


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    for way in range(4):
        boxes = pushable(level, state, way)
        for cell in range(level.height * level.width):
            if bit(boxes, cell):
                copy_words(state, rows[0])
                _push(level, rows[0], cell, way)
                if same_words(rows[0], target):
                    actions[0] = at(cell, way)
                    return 1
    return -1

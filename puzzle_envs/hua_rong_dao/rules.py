"""The rules of Hua Rong Dao, compiled, for any box up to 8 by 8.

A state is a bitboard per shape, one after the other: the upper left cells of its blocks. The goal
piece has its own shape; other blocks of one shape are interchangeable, so a layout is one state.
The nine highest bits of the last word hold the block that moved last: 0 none, else 1 + 4 * cell +
direction, for the block now at that cell. If those bits are occupied, a word is added.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs import codec
from puzzle_envs.hua_rong_dao.codec import BLOCK, GOAL, GOAL_PIECE, JOINED, LAST, WENT
from puzzle_envs.hua_rong_dao.codec import BOX as INSIDE
from puzzle_envs.hua_rong_dao.level import BOX, LAST_SHIFT
from puzzle_envs.kernels.bitboards import ONE, bits_from, copy_words, count_bits, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.planes import spread
from puzzle_envs.verbs import Rules

rules = Rules(BOX)

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
at_cell, cell_and_way = compiled(codec.at_cell), compiled(codec.cell_and_way)

MOVE, STRAIGHT, STEP = 0, 1, 2
"""The metrics."""

NOBODY = -1
"""No block has moved."""

SIX, LOW_SIX = np.uint64(6), np.uint64(63)
SHIFT = np.uint64(LAST_SHIFT)
BELOW_LAST = np.uint64((1 << LAST_SHIFT) - 1)


# --- blocks -----------------------------------------------------------------------------------


@compiled
def _cells(level: Any) -> int:
    return level.width * level.height


@compiled
def _inside(level: Any) -> Any:
    """Bits of all cells of the box."""
    return ~np.uint64(0) >> np.uint64(64 - _cells(level))


@compiled
def _blocks(level: Any, state: Any, shape: int) -> Any:
    """The upper left cells of the blocks of a shape."""
    first = np.uint64(shape * _cells(level))
    word, shift = first >> SIX, first & LOW_SIX
    behind = min(word + ONE, np.uint64(state.size - 1))  # excess bits are masked off below
    bits = (state[word] >> shift) | (state[behind] << ONE << (LOW_SIX - shift))
    return bits & _inside(level)


@compiled
def _covered(level: Any, blocks: Any, shape: int) -> Any:
    """The cells under these blocks: they do not overlap, so one product adds them up."""
    return blocks * level.under[np.uint64(shape)]


@compiled
def _empty(level: Any, state: Any) -> Any:
    covered = np.uint64(0)
    for shape in range(level.shapes):
        covered |= _covered(level, _blocks(level, state, shape), shape)
    return ~covered & _inside(level)


@compiled
def _lines(level: Any, empty: Any, shape: int) -> tuple[Any, Any]:
    """Where runs of empty cells as long as a block's sides begin, in rows and columns."""
    row, column = empty, empty
    for index in range(1, level.widths[shape]):
        row &= empty >> np.uint64(index)
    for index in range(1, level.heights[shape]):
        column &= empty >> np.uint64(index * level.width)
    return row, column


@compiled
def _movable(level: Any, row: Any, column: Any, blocks: Any, shape: int, direction: int) -> Any:
    """The blocks that can move by one cell: the cells newly covered are inside and empty.

    `row` and `column` are the shape's `_lines`.
    """
    blocks &= level.home[shape, direction]
    if direction == UP:
        return blocks & (row << np.uint64(level.width))
    if direction == RIGHT:
        return blocks & (column >> np.uint64(level.widths[shape]))
    if direction == DOWN:
        return blocks & (row >> np.uint64(level.heights[shape] * level.width))
    return blocks & (column << ONE)


@compiled
def _shape_at(level: Any, state: Any, cell: int) -> int:
    """The shape of the block whose upper left cell this is; -1 if none."""
    found = -1
    for shape in range(level.shapes):
        is_there = (_blocks(level, state, shape) >> np.uint64(cell)) & ONE != 0
        found = shape if is_there else found
    return found


@compiled
def _way(level: Any, direction: int) -> int:
    if direction & 1:
        return 1 if direction == RIGHT else -1
    return level.width if direction == DOWN else -level.width


@compiled
def _flip(level: Any, state: Any, shape: int, cell: int) -> None:
    """Place a block, or remove it."""
    place = shape * _cells(level) + cell
    state[place >> 6] ^= ONE << np.uint64(place & 63)


@compiled
def _last(state: Any) -> int:
    """4 * cell + direction of the block that moved last."""
    return np.int64(state[state.size - 1] >> SHIFT) - 1


@compiled
def _set_last(state: Any, last: int) -> None:
    word = state.size - 1
    state[word] = (state[word] & BELOW_LAST) | (np.uint64(last + 1) << SHIFT)


@compiled
def _cost(level: Any, last: int, cell: int, direction: int) -> int:
    """The cost of a step: 0 if it continues the last move."""
    if level.metric == STEP or last < 0 or last >> 2 != cell:
        return 1
    if level.metric == STRAIGHT and last & 3 != direction:
        return 1
    return 0


# --- the verbs --------------------------------------------------------------------------------


@rules
def start(level: Any, state: Any) -> None:
    for word in range(state.size):
        state[word] = level.start[word] if word < level.start.size else np.uint64(0)


@rules
def solved(level: Any, state: Any) -> bool:
    place = level.goal_shape * _cells(level) + level.goal_cell
    return (state[place >> 6] >> np.uint64(place & 63)) & ONE != 0


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    if solved(level, state):
        mask[:] = 0
        return 0
    empty = _empty(level, state)
    up, right, down, left = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    for shape in range(level.shapes):
        blocks = _blocks(level, state, shape)
        row, column = _lines(level, empty, shape)
        up |= _movable(level, row, column, blocks, shape, UP)
        right |= _movable(level, row, column, blocks, shape, RIGHT)
        down |= _movable(level, row, column, blocks, shape, DOWN)
        left |= _movable(level, row, column, blocks, shape, LEFT)
    if level.plane == _cells(level):
        _mark(up, right, down, left, mask, 0, _cells(level))
    else:
        mask[:] = 0
        for row in range(level.height):
            first = np.uint64(row * level.width)
            _mark(
                up >> first, right >> first, down >> first, left >> first,
                mask, row * level.stride, level.width,
            )  # fmt: skip
    return count_bits(up) + count_bits(right) + count_bits(down) + count_bits(left)


@compiled
def _mark(up: Any, right: Any, down: Any, left: Any, mask: Any, place: int, count: int) -> None:
    """Write the actions of this many cells, four each."""
    for index in range(count):
        cell, first = np.uint64(index), np.uint64(at_cell(place + index, UP))
        mask[first] = (up >> cell) & ONE
        mask[first + np.uint64(RIGHT)] = (right >> cell) & ONE
        mask[first + np.uint64(DOWN)] = (down >> cell) & ONE
        mask[first + np.uint64(LEFT)] = (left >> cell) & ONE


@rules
def apply(level: Any, state: Any, action: int) -> int:
    cell, direction = cell_and_way(action)
    if level.stride != level.width:
        row, column = cell // level.stride, cell % level.stride
        cell = row * level.width + column if column < level.width else -1
    if not 0 <= cell < _cells(level) or solved(level, state):
        return -1
    shape = _shape_at(level, state, cell)
    if shape < 0 or (level.home[shape, direction] >> np.uint64(cell)) & ONE == 0:
        return -1
    there = cell + _way(level, direction)
    body = level.under[shape] << np.uint64(cell)
    if (level.under[shape] << np.uint64(there)) & ~(body | _empty(level, state)) != 0:
        return -1
    cost = _cost(level, _last(state), cell, direction)
    _flip(level, state, shape, cell)
    _flip(level, state, shape, there)
    _set_last(state, 4 * there + direction)
    return cost


@rules
def fitness(level: Any, state: Any) -> float:
    """Our fitness (the paper has none): minus the goal piece's distance from its goal."""
    return -float(level.away[number_of(_blocks(level, state, level.goal_shape))])


@rules
def forfeit(level: Any) -> int:
    """A state is lost only if no block can move; no solution is longer than this."""
    return 1000


@rules
def valid(level: Any, state: Any) -> bool:
    """The level's blocks without overlaps, and a consistent last move."""
    cells = _cells(level)
    covered = np.uint64(0)
    for shape in range(level.shapes):
        blocks = _blocks(level, state, shape)
        if count_bits(blocks) != count_bits(bits_from(level.start, shape * cells) & _inside(level)):
            return False
        if blocks & ~level.stands[shape] != 0:
            return False
        while blocks != 0:
            lowest = blocks & (~blocks + ONE)
            blocks ^= lowest
            under = _covered(level, lowest, shape)
            if under & covered != 0:
                return False
            covered |= under
    used = level.shapes * cells
    for place in range(used, 64 * state.size):
        if place >> 6 == state.size - 1 and (place & 63) >= LAST_SHIFT:
            break
        if (state[place >> 6] >> np.uint64(place & 63)) & ONE != 0:
            return False
    last = _last(state)
    return last < 4 * cells and (last < 0 or _shape_at(level, state, last >> 2) >= 0)


# --- observation ------------------------------------------------------------------------------


@compiled
def _paint(level: Any, bits: Any, planes: Any, number: int) -> None:
    """Write a bitboard into a plane, whose rows may be longer than the box's."""
    at = number * level.plane
    if level.width == level.stride:
        spread(bits, planes, at, _cells(level))
        return
    for row in range(level.height):
        spread(bits >> np.uint64(row * level.width), planes, at, level.width)
        at += level.stride


@rules
def scenery(level: Any, planes: Any) -> None:
    planes[:] = 0
    _paint(level, _inside(level), planes, INSIDE)
    goal = _covered(level, ONE << np.uint64(level.goal_cell), level.goal_shape)
    _paint(level, goal, planes, GOAL)


@rules
def observe(level: Any, state: Any, planes: Any) -> None:
    last = _last(state)
    corner = ONE << np.uint64(last >> 2) if last >= 0 else np.uint64(0)
    blocked, goal, moved = np.uint64(0), np.uint64(0), np.uint64(0)
    above, right, below, left = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    for number in range(level.shapes):
        shape = np.uint64(number)
        blocks = _blocks(level, state, number)
        covered = _covered(level, blocks, number)
        blocked |= covered
        goal |= covered if number == level.goal_shape else np.uint64(0)
        moved |= _covered(level, blocks & corner, number)
        above |= blocks * level.joined[shape, UP]
        right |= blocks * level.joined[shape, RIGHT]
        below |= blocks * level.joined[shape, DOWN]
        left |= blocks * level.joined[shape, LEFT]
    _paint(level, moved, planes, WENT + (max(last, 0) & 3))
    size = np.uint64(level.plane)
    if level.plane == _cells(level) and level.plane <= 21:  # three planes in one word
        spread(blocked | (goal << size), planes, BLOCK * level.plane, 2 * level.plane)
        three = above | (right << size) | (below << size << size)
        spread(three, planes, JOINED * level.plane, 3 * level.plane)
        spread(left | (moved << size), planes, (JOINED + LEFT) * level.plane, 2 * level.plane)
        return
    _paint(level, blocked, planes, BLOCK)
    _paint(level, goal, planes, GOAL_PIECE)
    _paint(level, above, planes, JOINED + UP)
    _paint(level, right, planes, JOINED + RIGHT)
    _paint(level, below, planes, JOINED + DOWN)
    _paint(level, left, planes, JOINED + LEFT)
    _paint(level, moved, planes, LAST)


# --- whole moves ------------------------------------------------------------------------------


@compiled
def _next(level: Any, cells: Any, shape: int, direction: int) -> Any:
    """Where blocks at these cells move by one step, ignoring obstacles."""
    cells &= level.home[shape, direction]
    if direction == UP:
        return cells >> np.uint64(level.width)
    if direction == RIGHT:
        return cells << ONE
    if direction == DOWN:
        return cells << np.uint64(level.width)
    return cells >> ONE


@compiled
def _free(level: Any, empty: Any, shape: int) -> Any:
    """The upper left cells at which a block of this shape covers only these cells."""
    free = level.stands[shape]
    for row in range(level.heights[shape]):
        for column in range(level.widths[shape]):
            free &= empty >> np.uint64(row * level.width + column)
    return free


@compiled
def _leaving(level: Any, cells: Any, shape: int) -> Any:
    """The cells from which a block may continue: a goal piece at its goal stops."""
    if shape == level.goal_shape:
        return cells & ~(ONE << np.uint64(level.goal_cell))
    return cells


@compiled
def _around(level: Any, cells: Any, shape: int, free: Any) -> Any:
    """The cells one step away from these, without leaving goals."""
    cells = _leaving(level, cells, shape)
    reached = np.uint64(0)
    for direction in range(4):
        reached |= _next(level, cells, shape, direction)
    return reached & free


@compiled
def _reached(level: Any, here: Any, shape: int, free: Any, metric: int, direction: int) -> Any:
    """Where one whole move in this direction (metric MOVE: any path) takes the block."""
    if metric == STEP:
        return _next(level, here, shape, direction) & free
    reached = here
    while True:
        if metric == MOVE:
            more = reached | _around(level, reached, shape, free)
        else:
            leaving = _leaving(level, reached, shape)
            more = reached | (_next(level, leaving, shape, direction) & free)
        if more == reached:
            return reached & ~here
        reached = more


@rules
def canonical(level: Any, state: Any) -> None:
    """Which block moved last only tells whether its next move is free."""
    _set_last(state, NOBODY)


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    if solved(level, state):
        return 0
    empty = _empty(level, state)
    last = _last(state)
    found = 0
    for shape in range(level.shapes):
        blocks = _blocks(level, state, shape)
        while blocks != 0:
            here = blocks & (~blocks + ONE)
            blocks ^= here
            cell = number_of(here)
            free = _free(level, empty | _covered(level, here, shape), shape)
            for direction in range(1 if level.metric == MOVE else 4):
                reached = _reached(level, here, shape, free, level.metric, direction)
                while reached != 0:
                    if found == rows.shape[0]:
                        return -1
                    there = reached & (~reached + ONE)
                    reached ^= there
                    copy_words(state, rows[found])
                    _set_last(rows[found], NOBODY)
                    _flip(level, rows[found], shape, cell)
                    _flip(level, rows[found], shape, number_of(there))
                    costs[found] = _cost(level, last, cell, direction)
                    found += 1
    return found


@rules
def predecessors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    """Moves are reversible; the last move into a solved state was the goal piece's."""
    if not solved(level, state):
        return successors(level, state, rows, costs)
    shape, goal = level.goal_shape, ONE << np.uint64(level.goal_cell)
    free = _free(level, _empty(level, state) | _covered(level, goal, shape), shape)
    found = 0
    for direction in range(4):
        near = _next(level, goal, shape, direction) & free
        came = near
        if near != 0 and level.metric != STEP:
            came |= _reached(level, near, shape, free & ~goal, level.metric, direction)
        while came != 0:
            if found == rows.shape[0]:
                return -1
            there = came & (~came + ONE)
            came ^= there
            copy_words(state, rows[found])
            _set_last(rows[found], NOBODY)
            _flip(level, rows[found], shape, level.goal_cell)
            _flip(level, rows[found], shape, number_of(there))
            costs[found] = 1
            found += 1
    return found


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """The shortest path of the one block that has moved."""
    for shape in range(level.shapes):
        before, after = _blocks(level, state, shape), _blocks(level, target, shape)
        here, there = before & ~after, after & ~before
        if here != 0:
            free = _free(level, _empty(level, state) | _covered(level, here, shape), shape)
            return _way_of_one(level, shape, here, there, free, rows, actions)
    return -1


@compiled
def _way_of_one(
    level: Any, shape: int, here: Any, there: Any, free: Any, rows: Any, actions: Any
) -> int:
    """Steps from one cell to another: forward in layers, back from layer to layer."""
    rows[0, 0] = here
    steps = 0
    while rows[steps, 0] & there == 0:
        rows[steps + 1, 0] = rows[steps, 0] | _around(level, rows[steps, 0], shape, free)
        if rows[steps + 1, 0] == rows[steps, 0]:
            return -1
        steps += 1
    for step in range(steps - 1, -1, -1):
        for direction in range(4):
            leaving = _leaving(level, rows[step, 0], shape)
            if _next(level, leaving, shape, direction) & there != 0:
                there = _next(level, there, shape, (direction + 2) & 3)
                row = number_of(there) // level.width
                column = number_of(there) % level.width
                actions[step] = at_cell(row * level.stride + column, direction)
                break
    return steps

"""A relaxed plan: steps that bring the goal block to its goal if no fact is ever deleted.

A cell once empty stays empty, and a place once taken by a block of a shape stays taken. Layer by
layer, every step that the facts so far allow adds the cells that it leaves and the place that it
reaches, for all places of a shape at once. Traced back from the goal, the steps that were first to
reach what is needed are a plan. Its length is inadmissible; without a plan there is no solution.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.hua_rong_dao.level import SHAPES
from puzzle_envs.hua_rong_dao.rules import (
    DOWN,
    RIGHT,
    UP,
    _blocks,
    _empty,
    _lines,
    _movable,
    _next,
    _way,
)
from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import compiled, inlined, separate
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.verbs import NEVER

WAYS = 4 * SHAPES
"""Bitboards for each shape and direction."""
LONGEST = WAYS * 64
"""A plan has each step at most once: 64 times the number of its shape and direction, and the cell
from which it starts."""


class Facts(NamedTuple):
    """The facts so far, and the steps that first reached them."""

    places: Any
    """For each shape, the upper left cells that its blocks can reach."""
    came: Any
    """For each shape and direction, the places first reached in that direction."""
    done: Any
    """The places from which such steps have been taken; later, those that the plan takes."""
    causes: Any
    """For each cell, the step that first left it."""


@separate
def relaxed_plan(level: Any, state: Any) -> int:
    """The number of steps of a relaxed plan; NEVER if there is none."""
    facts = Facts(scratch(SHAPES), scratch(WAYS), scratch(WAYS), scratch(64))
    for shape in range(level.shapes):
        facts.places[shape] = _blocks(level, state, shape)
    for way in range(4 * level.shapes):
        facts.came[way] = facts.done[way] = np.uint64(0)
    goal = ONE << np.uint64(level.goal_cell)
    empty = _empty(level, state)
    while facts.places[level.goal_shape] & goal == 0:
        more = _layer(level, facts, empty)
        if more == empty and not _anything_new(level, facts, empty):
            return NEVER
        empty = more
    return _trace(level, state, facts, scratch(LONGEST))


@inlined
def _anything_new(level: Any, facts: Facts, empty: Any) -> bool:
    """Whether another step is possible, though no further cell became empty."""
    for shape in range(level.shapes):
        row, column = _lines(level, empty, shape)
        for direction in range(4):
            waiting = facts.places[shape] & ~facts.done[4 * shape + direction]
            if _movable(level, row, column, waiting, shape, direction) != 0:
                return True
    return False


@inlined
def _layer(level: Any, facts: Facts, empty: Any) -> Any:
    """Take all steps that are possible; return the cells that are empty after them."""
    after = empty
    for shape in range(level.shapes):
        row, column = _lines(level, empty, shape)
        places = facts.places[shape]
        for direction in range(4):
            way = 4 * shape + direction
            going = _movable(level, row, column, places & ~facts.done[way], shape, direction)
            if going == 0:
                continue
            facts.done[way] |= going
            came = _next(level, going, shape, direction) & ~facts.places[shape]
            facts.came[way] |= came
            facts.places[shape] |= came
            first, along, count = _rear(level, shape, direction)
            for index in range(count):
                offset = first + index * along
                left = (going << np.uint64(offset)) & ~after
                after |= left
                while left != 0:
                    lowest = left & (~left + ONE)
                    left ^= lowest
                    cell = number_of(lowest)
                    facts.causes[cell] = np.uint64(64 * way + cell - offset)
    return after


@compiled
def _rear(level: Any, shape: int, direction: int) -> tuple[int, int, int]:
    """The cells that a step leaves: offset of the first from the block, distance, number."""
    width, height = level.widths[shape], level.heights[shape]
    if direction == UP:
        return (height - 1) * level.width, 1, width
    if direction == RIGHT:
        return 0, level.width, height
    if direction == DOWN:
        return 0, 1, width
    return width - 1, level.width, height


@compiled
def _front(level: Any, shape: int, direction: int) -> Any:
    """The offset of the first cell that a step newly covers; the rest as in `_rear`."""
    if direction == RIGHT:
        return np.int64(level.widths[shape])
    if direction == DOWN:
        return np.int64(level.heights[shape] * level.width)
    return _way(level, direction)


@inlined
def _trace(level: Any, state: Any, facts: Facts, steps: Any) -> int:
    """The length of the plan; `steps` is its memory."""
    for way in range(4 * level.shapes):
        facts.done[way] = np.uint64(0)
    empty = _empty(level, state)
    count = _demand_place(level, state, facts, steps, 0, level.goal_shape, level.goal_cell)
    taken = 0
    while taken < count:
        step: Any = np.int64(steps[taken])
        taken += 1
        shape, direction, cell = step >> 8, step >> 6 & 3, step & 63
        count = _demand_place(level, state, facts, steps, count, shape, cell)
        _, along, number = _rear(level, shape, direction)
        covered = cell + _front(level, shape, direction)
        for _ in range(number):
            if (empty >> np.uint64(covered)) & ONE == 0:
                cause: Any = np.int64(facts.causes[covered])
                count = _demand(facts, steps, count, cause)
            covered += along
    return count


@inlined
def _demand_place(
    level: Any, state: Any, facts: Facts, steps: Any, count: int, shape: int, cell: int
) -> int:
    """Add the step that first brought a block of a shape to a cell, unless one starts there."""
    if (_blocks(level, state, shape) >> np.uint64(cell)) & ONE != 0:
        return count
    for direction in range(4):
        if (facts.came[4 * shape + direction] >> np.uint64(cell)) & ONE != 0:
            step = 64 * (4 * shape + direction) + cell - _way(level, direction)
            return _demand(facts, steps, count, step)
    return count


@inlined
def _demand(facts: Facts, steps: Any, count: int, step: int) -> int:
    """Add a step to the plan, once; return the number of its steps."""
    bit = ONE << np.uint64(step & 63)
    if facts.done[step >> 6] & bit != 0:
        return count
    facts.done[step >> 6] |= bit
    steps[count] = np.uint64(step)
    return count + 1

"""A single step of a character: obstacles, pushes, and the final place."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import add, bit
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kwirk.pieces import (
    DOWN,
    GONE,
    NOBODY,
    RIGHT,
    UP,
    active,
    arms,
    arms_after,
    block_at,
    body_at,
    fill,
    following,
    over_holes_alone,
    place,
    put,
    put_block,
    set_active,
    turn_by,
    turnstile_at,
)

ILLEGAL, WALK, LEAVE, PUSH, TURN = -1, 0, 1, 2, 3
"""Kinds of steps."""


@compiled
def add_characters(level: Any, state: Any, board: Any, mover: int) -> None:
    """Rule 9: add the characters except the mover."""
    for character in range(level.characters):
        if character != mover and place(state, character) != GONE:
            add(board, place(state, character))


@compiled
def judge(level: Any, state: Any, blocked: Any, holes: Any, cell: int, direction: int) -> int:
    """Classify a step from a cell.

    `blocked` holds the obstacles and the other characters, `holes` the unfilled holes.
    """
    way = level.ways[direction]
    target = cell + way
    if target == level.exit:
        return LEAVE
    if bit(holes, target):  # rule 2, whatever lies over it
        return ILLEGAL
    if not bit(blocked, target):
        return WALK
    if bit(level.solid, target):
        return ILLEGAL
    block = block_at(level, state, target)
    if block != NOBODY:
        corner = place(state, level.characters + block)
        return PUSH if block_can_go(level, blocked, block, corner, direction) else ILLEGAL
    lying = turnstile_at(level, state, target)
    if lying != NOBODY and arm_can_go(level, state, blocked, holes, lying, direction):
        return TURN
    return ILLEGAL


@compiled
def block_can_go(level: Any, blocked: Any, block: int, corner: int, direction: int) -> bool:
    """Rule 4: every newly covered cell is free; holes are."""
    if level.words == 1:
        cells = body_at(level, block, corner)
        return moved(level, cells, direction) & blocked[0] & ~cells == 0
    width, height = level.widths[block], level.heights[block]
    first, along, count = corner - 1, level.width, height
    if direction == UP:
        first, along, count = corner - level.width, 1, width
    elif direction == RIGHT:
        first = corner + width
    elif direction == DOWN:
        first, along, count = corner + height * level.width, 1, width
    for index in range(count):
        if bit(blocked, first + index * along):
            return False
    return True


@compiled
def moved(level: Any, cells: Any, direction: int) -> Any:
    """Cells of a one-word floor, moved by one cell."""
    way = level.ways[direction]
    return cells << np.uint64(way) if way > 0 else cells >> np.uint64(-way)


@compiled
def sense(lying: int, direction: int) -> int:
    """Quarter turns clockwise of an arm pushed in a direction: 1, -1, or 0 if pushed head-on."""
    turned = (direction - lying) & 3
    if turned & 1 == 0:
        return 0
    return 1 if turned == 1 else -1


@compiled
def carries(level: Any, state: Any, lying: int, direction: int) -> bool:
    """Rule 7: whether another arm swings to where the pushed one was."""
    turned = arms_after(arms(level, state, lying >> 2), sense(lying & 3, direction))
    return turned >> (lying & 3) & 1 != 0


@compiled
def arm_can_go(
    level: Any, state: Any, blocked: Any, holes: Any, lying: int, direction: int
) -> bool:
    """Rules 6 and 7, for the arm `lying` = 4 * turnstile + direction.

    The pusher stands on one of the diagonals, which `blocked` does not contain.
    """
    turn = sense(lying & 3, direction)
    if turn == 0:
        return False
    turnstile = lying >> 2
    pivot, before = level.pivots[turnstile], arms(level, state, turnstile)
    after = arms_after(before, turn)
    swept = before if turn > 0 else after  # an arm sweeps the corner clockwise of its lower end
    stopped = 0
    for arm in range(4):
        side = pivot + level.ways[arm]
        corner = side + level.ways[(arm + 1) & 3]
        stopped |= (swept >> arm) & bit(blocked, corner)
        stopped |= ((after & ~before) >> arm) & bit(blocked, side)
    if stopped & 1:
        return False
    landing = pivot + level.ways[lying & 3] + level.ways[direction]
    return not (carries(level, state, lying, direction) and bit(holes, landing))


@compiled
def step(
    level: Any, state: Any, holes: Any, character: int, cell: int, direction: int, kind: int
) -> None:
    """Move a character from a cell; `kind` is the result of `judge`."""
    target = cell + level.ways[direction]
    if kind == PUSH:
        push_block(level, state, holes, block_at(level, state, target), direction)
    elif kind == TURN:
        lying = turnstile_at(level, state, target)
        if carries(level, state, lying, direction):
            target += level.ways[direction]
        turn_by(level, state, lying >> 2, sense(lying & 3, direction))
    if kind != LEAVE:
        put(state, character, target)
        return
    put(state, character, GONE)  # rule 10
    if active(state) == character:
        set_active(state, following(level, state, character))


@compiled
def push_block(level: Any, state: Any, holes: Any, block: int, direction: int) -> None:
    """Rules 4 and 5: move the block by one cell; it may fall."""
    corner = place(state, level.characters + block) + level.ways[direction]
    if not over_holes_alone(level, block, corner, holes):
        put_block(level, state, block, corner)
        return
    put_block(level, state, block, GONE)
    for down in range(level.heights[block]):
        for right in range(level.widths[block]):
            fill(level, state, corner + down * level.width + right)

"""The dead end of Figure 5 (4.3.2), compiled: a block that cannot be pushed towards its hole."""

from __future__ import annotations

from typing import Any

from puzzle_envs.kernels.bitboards import bit
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kwirk.pieces import DOWN, GONE, LEFT, NOBODY, RIGHT, UP, place
from puzzle_envs.kwirk.walking import lowest


@compiled
def is_deadlock(level: Any, aim: Any, state: Any, corner: int) -> bool:
    """Whether the block with this corner can never be pushed in a direction that its hole lies in.

    Such a state is a dead end: the block comes no nearer to the hole.
    """
    if corner == GONE:
        return False
    block, goal = NOBODY, lowest(level, aim.goals)
    for other in range(level.blocks):
        if place(state, level.characters + other) == corner:
            block = other
    if block == NOBODY:
        return False
    rows = goal // level.width - corner // level.width
    columns = goal % level.width - corner % level.width
    if rows != 0 and _never_pushed(level, block, corner, UP if rows < 0 else DOWN):
        return True
    return columns != 0 and _never_pushed(level, block, corner, LEFT if columns < 0 else RIGHT)


@compiled
def _never_pushed(level: Any, block: int, corner: int, direction: int) -> bool:
    """Whether there are only walls behind the block, wherever it slides across the direction."""
    width, height = level.widths[block], level.heights[block]
    side = level.ways[(direction + 1) & 3]
    for way in (side, -side):
        there = corner
        while _walls(level, there, width, height) == 0:
            if direction == UP:
                behind = width - _walls(level, there + height * level.width, width, 1)
            elif direction == DOWN:
                behind = width - _walls(level, there - level.width, width, 1)
            elif direction == LEFT:
                behind = height - _walls(level, there + width, 1, height)
            else:
                behind = height - _walls(level, there - 1, 1, height)
            if behind > 0:
                return False
            there += way
    return True


@compiled
def _walls(level: Any, corner: int, width: int, height: int) -> int:
    """How many cells of a rectangle are walls."""
    walls = 0
    for down in range(height):
        for right in range(width):
            walls += bit(level.solid, corner + down * level.width + right)
    return walls

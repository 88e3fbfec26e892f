"""The deadlock of Figure 5 (4.3.2), compiled: a block that cannot be pushed towards its hole."""

from __future__ import annotations

from typing import Any

from puzzle_envs.kernels.bitboards import bit
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.kwirk.pieces import DOWN, GONE, LEFT, NOBODY, RIGHT, UP, place
from puzzle_envs.kwirk.walking import lowest

__all__ = ["deadlocked", "is_deadlock"]


@compiled
def is_deadlock(level: Any, aim: Any, state: Any, corner: int) -> bool:
    """Whether the block with this corner cannot be pushed in a direction in which its hole lies."""
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
    """Whether walls are behind the block wherever it can slide across the direction."""
    side = level.ways[(direction + 1) & 3]
    for way in (side, -side):
        place_there = corner
        while not _on_wall(level, block, place_there):
            if _room_behind(level, block, place_there, direction):
                return False
            place_there += way
    return True


@compiled
def _on_wall(level: Any, block: int, corner: int) -> bool:
    for down in range(level.heights[block]):
        for right in range(level.widths[block]):
            if bit(level.solid, corner + down * level.width + right):
                return True
    return False


@compiled
def _room_behind(level: Any, block: int, corner: int, direction: int) -> bool:
    """Whether some cell from which to push in a direction is no wall."""
    width, height = level.widths[block], level.heights[block]
    if direction == UP or direction == DOWN:
        first = corner + (height * level.width if direction == UP else -level.width)
        for index in range(width):
            if not bit(level.solid, first + index):
                return True
        return False
    first = corner + (width if direction == LEFT else -1)
    for index in range(height):
        if not bit(level.solid, first + index * level.width):
            return True
    return False


@kernel
def deadlocked(levels: Any, aims: Any, state: Any, corner: int) -> bool:
    """The same, from Python."""
    return is_deadlock(levels[0], aims[0], state, corner)

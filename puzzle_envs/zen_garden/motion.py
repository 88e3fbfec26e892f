"""Where the monk may go and what each step does to the board, compiled (state: see rules.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import (
    ONE,
    add,
    count_bits,
    has,
    remove,
)
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.zen_garden import codec
from puzzle_envs.zen_garden.level import MONK_SHIFT

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
AHEAD, LEFT, RIGHT = 0, 1, 2
"""The choices on sand, as the codec orders them."""
CHOICES = len(codec.CHOICES)

choosing, choice_of = compiled(codec.choosing), compiled(codec.choice_of)

ON_PERIMETER = -1
"""The place of a monk on the perimeter."""

WIDE = 4
"""Words of the largest bitboard."""

SHIFT = np.uint64(MONK_SHIFT)
BELOW_MONK = np.uint64((1 << MONK_SHIFT) - 1)

# --- the board --------------------------------------------------------------------------------


@compiled
def board_words(level: Any) -> int:
    """Number of words of a bitboard."""
    return (level.width * level.height + 63) >> 6


@compiled
def has_ornament(level: Any, state: Any, cell: int) -> bool:
    """Whether an ornament is on this cell."""
    return level.has_ornaments and has(state[board_words(level) :], cell)


# --- the monk ---------------------------------------------------------------------------------
# His place is one number, 64 * row + 4 * column + heading, which avoids divisions.


@compiled
def monk_at(state: Any) -> int:
    """The monk's packed row, column and heading; -1 on the perimeter."""
    return np.int64(state[state.size - 1] >> SHIFT) - 1


@compiled
def _place_monk(state: Any, monk: int) -> None:
    last = state.size - 1
    state[last] = (state[last] & BELOW_MONK) | (np.uint64(monk + 1) << SHIFT)


@compiled
def _packed(row: int, column: int, heading: int) -> int:
    return 64 * row + 4 * column + heading


@compiled
def room_ahead(level: Any, row: int, column: int, heading: int) -> tuple[int, int]:
    """Number of cells ahead before the perimeter, and the step from one to the next."""
    upright = heading & 1 == 0
    forward = heading == EAST or heading == SOUTH
    place = row if upright else column
    extent = level.height if upright else level.width
    way = level.width if upright else 1
    return extent - 1 - place if forward else place, way if forward else -way


@compiled
def entrance(level: Any, face: int) -> tuple[int, int, int]:
    """Row and column behind a face (counted from 0), and the heading of entry."""
    width, height = level.width, level.height
    turns = (face >= width) + (face >= width + height) + (face >= 2 * width + height)
    place = np.int64(level.thresholds[face])
    return place >> 4, place & 15, (SOUTH + turns) & 3


# --- entering and pushing -----------------------------------------------------------------------


@compiled
def _any_left(state: Any, leaves: Any, words: int) -> bool:
    left = np.uint64(0)
    for word in range(words):
        left |= state[word] & leaves[word]
    return left != 0


@compiled
def lock_of(level: Any, state: Any) -> int:
    """Rule 8: which leaves are locked: 2 orange and red, 1 red, 0 none."""
    if not level.has_leaves:
        return 0
    words = board_words(level)
    if _any_left(state, level.yellow, words):
        return 2
    return 1 if _any_left(state, level.orange, words) else 0


@compiled
def open_bits(level: Any, state: Any, word: int, lock: int) -> Any:
    """Rule 3: the cells of a word that may be entered: unraked, and not under a locked leaf."""
    bits = state[word]
    if lock > 0:
        bits &= ~level.red[word]
    if lock == 2:
        bits &= ~level.orange[word]
    return bits


@compiled
def is_open(level: Any, state: Any, cell: int, lock: int) -> Any:
    """Rule 3 for one cell."""
    index = np.uint64(cell)
    bits = open_bits(level, state, index >> np.uint64(6), lock)
    return (bits >> (index & np.uint64(63))) & ONE != 0


@compiled
def is_leaf(level: Any, cell: int) -> bool:
    """Whether a leaf lay on this cell at the start."""
    return has(level.yellow, cell) or has(level.orange, cell) or has(level.red, cell)


@compiled
def _pushable(level: Any, state: Any, cell: int, way: int, room: int) -> bool:
    """Rule 6: whether an ornament stands here and the cell behind it, if any, accepts it."""
    if room < 1 or not has_ornament(level, state, cell):
        return False
    behind = cell + way
    if not has(state, behind):
        return False
    return level.push_onto_leaf or not (level.has_leaves and is_leaf(level, behind))


# --- motion -----------------------------------------------------------------------------------


@compiled
def _slide(level: Any, state: Any, row: int, column: int, heading: int) -> None:
    """Rule 4: walk straight on from this open cell, to the perimeter or until blocked."""
    room, way = room_ahead(level, row, column, heading)
    cell = row * level.width + column
    if level.has_leaves or board_words(level) > 1:
        slid = _rake(level, state, cell, way, room)
    else:
        slid = _rake_at_once(level, state, cell, heading, room)
    forward = heading == EAST or heading == SOUTH
    moved = slid if forward else -slid
    upright = heading & 1 == 0
    row += moved if upright else 0
    column += 0 if upright else moved
    _place_monk(state, _packed(row, column, heading) if slid < room else ON_PERIMETER)


@compiled
def _rake(level: Any, state: Any, cell: int, way: int, room: int) -> int:
    """Rake cell after cell; return the number of steps."""
    remove(state, cell)
    for slid in range(room):
        cell += way
        if not is_open(level, state, cell, lock_of(level, state)):
            return slid
        remove(state, cell)
    return room


@compiled
def _rake_at_once(level: Any, state: Any, cell: int, heading: int, room: int) -> int:
    """The same without leaves and with one word per board: all cells in a few operations."""
    here = ONE << np.uint64(cell)
    upright = heading & 1 == 0
    line = level.column if upright else level.row
    forward = heading == EAST or heading == SOUTH
    reach = np.uint64(room * (level.width if upright else 1))
    start = np.uint64(cell) if forward else np.uint64(cell) - reach
    ahead = (line << start) & ((here << reach << ONE) - ONE if forward else here - ONE) & ~here
    blocked = ahead & ~state[0]
    below = blocked | (blocked >> ONE)
    below |= below >> np.uint64(2)
    below |= below >> np.uint64(4)
    below |= below >> np.uint64(8)
    below |= below >> np.uint64(16)
    below |= below >> np.uint64(32)
    passed = ahead & ((blocked & (~blocked + ONE)) - ONE if forward else ~below)
    state[0] &= ~(passed | here)
    return count_bits(passed)


@compiled
def _push(level: Any, state: Any, row: int, column: int, heading: int) -> None:
    """Rule 6: push the ornament on this cell by one; the monk takes its place."""
    _, way = room_ahead(level, row, column, heading)
    cell = row * level.width + column
    ornaments = state[board_words(level) :]
    remove(ornaments, cell)
    add(ornaments, cell + way)
    remove(state, cell + way)
    _place_monk(state, _packed(row, column, heading))


@compiled
def can_enter(level: Any, state: Any, face: int) -> Any:
    """Rule 3, and pushes from the perimeter where the board allows them."""
    row, column, heading = entrance(level, face)
    cell = row * level.width + column
    if is_open(level, state, cell, lock_of(level, state)):
        return True
    if not level.push_from_perimeter:
        return False
    room, way = room_ahead(level, row, column, heading)
    return _pushable(level, state, cell, way, room)


@compiled
def turned(heading: int, choice: int) -> int:
    """The heading after a choice."""
    return (heading + (choice == RIGHT) - (choice == LEFT)) & 3


@compiled
def may_go(level: Any, state: Any, monk: int, choice: int, lock: int) -> Any:
    """Rule 5: whether the monk, stopped on sand, has this choice."""
    row, column, heading = monk >> 6, (monk >> 2) & 15, turned(monk & 3, choice)
    room, way = room_ahead(level, row, column, heading)
    if room == 0:
        return level.turning_out and choice != AHEAD
    neighbour = row * level.width + column + way
    if choice == AHEAD:
        return _pushable(level, state, neighbour, way, room - 1)
    if is_open(level, state, neighbour, lock):
        return True
    return level.sideways_push and _pushable(level, state, neighbour, way, room - 1)


@compiled
def enter_cell(level: Any, state: Any, row: int, column: int, heading: int) -> None:
    """Enter a cell that is open or holds a pushable ornament."""
    if has(state, row * level.width + column):
        _slide(level, state, row, column, heading)
    else:
        _push(level, state, row, column, heading)


@compiled
def go(level: Any, state: Any, monk: int, choice: int) -> None:
    """Carry out a legal choice."""
    row, column, heading = monk >> 6, (monk >> 2) & 15, turned(monk & 3, choice)
    room, _ = room_ahead(level, row, column, heading)
    if room == 0:
        _place_monk(state, ON_PERIMETER)
        return
    row += (heading == SOUTH) - (heading == NORTH)
    column += (heading == EAST) - (heading == WEST)
    enter_cell(level, state, row, column, heading)

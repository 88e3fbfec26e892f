"""The rules of Zen Puzzle Garden, compiled.

A state is bitboards over the cells of the board, row by row: first the unraked sand, then, on
boards that have any, the ornaments; each takes as many whole words as the cells need. The eleven
highest bits of the last word hold the monk's place: 0 on the perimeter, else 1 + 64 * row + 4 *
column + heading. If cells occupy those bits, a word is added for him.

Sand is cleared when the monk steps on it, so a cell is open to him when its bit is set. Leaves need
no bits of their own: a leaf is there as long as its cell's sand is (a collected one was stepped on,
a buried one has an ornament on it). The position on the perimeter is not part of the state: walking
there is free.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import (
    ONE,
    add,
    bits_from,
    copy_words,
    count_bits,
    earlier,
    has,
    later,
    number_of,
    remove,
    same_words,
)
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.planes import spread
from puzzle_envs.verbs import Rules
from puzzle_envs.zen_garden import codec
from puzzle_envs.zen_garden.codec import LEAVES, MONK, ORNAMENT, ROCK, SAND
from puzzle_envs.zen_garden.level import GARDEN, MONK_SHIFT

rules = Rules(GARDEN)

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
AHEAD, LEFT, RIGHT = 0, 1, 2
"""The choices on sand, as the codec orders them."""
CHOICES = len(codec.CHOICES)

choosing, choice_of = compiled(codec.choosing), compiled(codec.choice_of)

ON_PERIMETER = -1
"""The place of a monk on the perimeter."""

SHIFT = np.uint64(MONK_SHIFT)
BELOW_MONK = np.uint64((1 << MONK_SHIFT) - 1)

# --- the board --------------------------------------------------------------------------------


@compiled
def _board_words(level: Any) -> int:
    """Number of words of a bitboard."""
    return (level.width * level.height + 63) >> 6


@compiled
def _ornament(level: Any, state: Any, cell: int) -> bool:
    return level.has_ornaments and has(state[_board_words(level) :], cell)


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
def _entrance(level: Any, face: int) -> tuple[int, int, int]:
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
    words = _board_words(level)
    if _any_left(state, level.yellow, words):
        return 2
    return 1 if _any_left(state, level.orange, words) else 0


@compiled
def _open_bits(level: Any, state: Any, word: int, lock: int) -> Any:
    """Rule 3: the cells of a word that may be entered: unraked, and not under a locked leaf."""
    bits = state[word]
    if lock > 0:
        bits &= ~level.red[word]
    if lock == 2:
        bits &= ~level.orange[word]
    return bits


@compiled
def _open(level: Any, state: Any, cell: int, lock: int) -> Any:
    """Rule 3 for one cell."""
    index = np.uint64(cell)
    bits = _open_bits(level, state, index >> np.uint64(6), lock)
    return (bits >> (index & np.uint64(63))) & ONE != 0


@compiled
def _is_leaf(level: Any, cell: int) -> bool:
    return has(level.yellow, cell) or has(level.orange, cell) or has(level.red, cell)


@compiled
def _pushable(level: Any, state: Any, cell: int, way: int, room: int) -> bool:
    """Rule 6: whether an ornament stands here and the cell behind it, if any, accepts it."""
    if room < 1 or not _ornament(level, state, cell):
        return False
    behind = cell + way
    if not has(state, behind):
        return False
    return level.push_onto_leaf or not (level.has_leaves and _is_leaf(level, behind))


# --- motion -----------------------------------------------------------------------------------


@compiled
def _slide(level: Any, state: Any, row: int, column: int, heading: int) -> None:
    """Rule 4: walk straight on from this open cell, to the perimeter or until blocked."""
    room, way = room_ahead(level, row, column, heading)
    cell = row * level.width + column
    if level.has_leaves or _board_words(level) > 1:
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
        if not _open(level, state, cell, lock_of(level, state)):
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
    ornaments = state[_board_words(level) :]
    remove(ornaments, cell)
    add(ornaments, cell + way)
    remove(state, cell + way)
    _place_monk(state, _packed(row, column, heading))


@compiled
def _can_enter(level: Any, state: Any, face: int) -> Any:
    """Rule 3, and pushes from the perimeter where the board allows them."""
    row, column, heading = _entrance(level, face)
    cell = row * level.width + column
    if _open(level, state, cell, lock_of(level, state)):
        return True
    if not level.push_from_perimeter:
        return False
    room, way = room_ahead(level, row, column, heading)
    return _pushable(level, state, cell, way, room)


@compiled
def turned(heading: int, choice: int) -> int:
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
    if _open(level, state, neighbour, lock):
        return True
    return level.sideways_push and _pushable(level, state, neighbour, way, room - 1)


@compiled
def _enter_cell(level: Any, state: Any, row: int, column: int, heading: int) -> None:
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
    _enter_cell(level, state, row, column, heading)


# --- the verbs --------------------------------------------------------------------------------


@rules
def start(level: Any, state: Any) -> None:
    words = _board_words(level)
    state[:] = 0
    for word in range(words):
        state[word] = level.sand[word]
        if level.has_ornaments:
            state[words + word] = level.ornaments[word]


@rules
def apply(level: Any, state: Any, action: int) -> int:
    monk = monk_at(state)
    if monk < 0:
        faces = 2 * (level.width + level.height)
        if not (0 <= action < faces and _can_enter(level, state, action)):
            return -1
        row, column, heading = _entrance(level, action)
        _enter_cell(level, state, row, column, heading)
        return 1
    choice = choice_of(level.entrances, action)
    if not (0 <= choice < CHOICES and may_go(level, state, monk, choice, lock_of(level, state))):
        return -1
    go(level, state, monk, choice)
    return 0


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    mask[:] = 0
    monk, lock = monk_at(state), lock_of(level, state)
    count = _mark_doors(level, state, mask, monk, lock)
    if not level.has_ornaments:
        return count + _mark_turns(level, state, mask, monk, lock)
    if monk >= 0:
        for choice in range(CHOICES):
            may = may_go(level, state, monk, choice, lock)
            mask[choosing(level.entrances, choice)] = may
            count += may
    elif level.push_from_perimeter:
        for face in range(2 * (level.width + level.height)):
            if mask[face] == 0 and _can_enter(level, state, face):
                mask[face] = 1
                count += 1
    return count


@compiled
def _mark_doors(level: Any, state: Any, mask: Any, monk: int, lock: int) -> int:
    """Mark the faces with open sand behind them; none while the monk is on sand."""
    outside = np.int64(monk < 0)
    faces = 2 * (level.width + level.height)
    if _board_words(level) == 1:
        bits = _open_bits(level, state, 0, lock)
        for face in range(faces):
            mask[face] = np.int64((bits >> np.uint64(level.doors[face])) & ONE) & outside
    else:
        for face in range(faces):
            mask[face] = np.int64(_open(level, state, level.doors[face], lock)) & outside
    count = 0
    for face in range(faces):
        count += mask[face]
    return count


@compiled
def _mark_turns(level: Any, state: Any, mask: Any, monk: int, lock: int) -> int:
    """Mark the turns on a board without ornaments, without unpredictable branches."""
    inside = np.int64(monk >= 0)
    place = max(monk, 0)
    row, column = place >> 6, (place >> 2) & 15
    cell = row * level.width + column
    count = 0
    for choice in (LEFT, RIGHT):
        room, way = room_ahead(level, row, column, turned(place & 3, choice))
        ahead = np.int64(_open(level, state, cell + (way if room > 0 else 0), lock))
        may = (ahead if room > 0 else level.turning_out) & inside
        mask[choosing(level.entrances, choice)] = may
        count += may
    return count


@rules
def solved(level: Any, state: Any) -> bool:
    left = np.uint64(monk_at(state) + 1)
    for word in range(_board_words(level)):
        left |= state[word]
    return left == 0


@compiled
def _left_to_rake(level: Any, state: Any) -> int:
    """Unraked cells, the monk's own included (rule 7)."""
    left = 1 if monk_at(state) >= 0 else 0
    for word in range(_board_words(level)):
        left += count_bits(state[word] & BELOW_MONK if word == state.size - 1 else state[word])
    return left


@rules
def fitness(level: Any, state: Any) -> float:
    """1 - AreaFitness (paper, IV-B): the share of the sand that is raked."""
    return 1.0 - _left_to_rake(level, state) / level.area


@rules
def forfeit(level: Any) -> int:
    """Every move rakes a cell, so no solution takes more moves than there are cells to rake."""
    return level.area


@rules
def milestones(level: Any, state: Any) -> int:
    """The leaves that are gone, and the sand that is raked, eight cells at a time."""
    gone = 0
    for word in range(_board_words(level)):
        leaves = level.yellow[word] | level.orange[word] | level.red[word]
        gone += count_bits(leaves & ~state[word])
    return (level.area - _left_to_rake(level, state)) // 8 << 10 | gone


@rules
def valid(level: Any, state: Any) -> bool:
    monk = monk_at(state)
    if monk >= 0:
        row, column = monk >> 6, (monk >> 2) & 15
        if row >= level.height or column >= level.width:
            return False
        if has(state, row * level.width + column):
            return False
    words = _board_words(level)
    missing = 0
    for word in range(state.size):
        bits = state[word] & BELOW_MONK if word == state.size - 1 else state[word]
        if word < words:
            if bits & ~level.sand[word] != 0:
                return False
        elif level.has_ornaments and word < 2 * words:
            place = word - words
            ground = level.sand[place] | level.ornaments[place]
            if bits & (~ground | state[place]) != 0:
                return False
            missing += count_bits(level.ornaments[place]) - count_bits(bits)
        elif bits != 0:
            return False
    return missing == 0


@compiled
def _fill(level: Any, words: Any, planes: Any, number: int) -> None:
    """Write a bitboard into a plane, whose rows may be longer than the board's."""
    width, cells, at = level.width, level.width * level.height, number * level.plane
    if width == level.stride:
        for word in range(_board_words(level)):
            spread(words[word], planes, at + 64 * word, min(64, cells - 64 * word))
    else:
        for row in range(level.height):
            spread(bits_from(words, row * width), planes, at, width)
            at += level.stride


@compiled
def _fill_leaves(level: Any, state: Any, leaves: Any, planes: Any, number: int) -> None:
    """Write the leaves that lie on unraked sand."""
    for word in range(_board_words(level)):
        left = state[word] & leaves[word]
        while left != 0:
            lowest = left & (~left + ONE)
            left ^= lowest
            cell = 64 * word + number_of(lowest)
            row, column = cell // level.width, cell % level.width
            planes[number * level.plane + row * level.stride + column] = 1


@rules
def scenery(level: Any, planes: Any) -> None:
    planes[:] = 0
    for row in range(level.height):
        planes[row * level.stride : row * level.stride + level.width] = 1
    _fill(level, level.rocks, planes, ROCK)


@rules
def observe(level: Any, state: Any, planes: Any) -> None:
    _fill(level, state, planes, SAND)
    if level.has_ornaments:
        _fill(level, state[_board_words(level) :], planes, ORNAMENT)
    if level.has_leaves:
        _fill_leaves(level, state, level.yellow, planes, LEAVES)
        _fill_leaves(level, state, level.orange, planes, LEAVES + 1)
        _fill_leaves(level, state, level.red, planes, LEAVES + 2)
    monk = monk_at(state)
    place = max(monk, 0)  # a monk on the perimeter overwrites a 0 with 0: no branch
    cell = (place >> 6) * level.stride + ((place >> 2) & 15)
    planes[(MONK + (place & 3)) * level.plane + cell] = monk >= 0


# --- whole moves ------------------------------------------------------------------------------


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    """Generate all walks; unfinished ones wait for their choices at the far end of `rows`."""
    waiting = rows.shape[0]
    found = 0
    cost = 0
    if monk_at(state) >= 0:
        waiting -= 1
        copy_words(state, rows[waiting])
    else:
        cost = 1
        for face in range(2 * (level.width + level.height)):
            if not _can_enter(level, state, face):
                continue
            if found == waiting:
                return -1
            row, column, heading = _entrance(level, face)
            copy_words(state, rows[found])
            _enter_cell(level, rows[found], row, column, heading)
            if monk_at(rows[found]) < 0:
                found += 1
            else:
                waiting -= 1
                copy_words(rows[found], rows[waiting])
    while waiting < rows.shape[0]:
        place = waiting
        monk = monk_at(rows[place])
        for choice in range(CHOICES):
            if not may_go(level, rows[place], monk, choice, lock_of(level, rows[place])):
                continue
            if found == waiting:
                return -1
            copy_words(rows[place], rows[found])
            go(level, rows[found], monk, choice)
            if monk_at(rows[found]) < 0:
                found += 1
            else:
                waiting -= 1
                copy_words(rows[found], rows[waiting])
        copy_words(rows[waiting], rows[place])
        waiting += 1
    for index in range(found):
        costs[index] = cost
    return found


@compiled
def _within(state: Any, target: Any, words: int) -> bool:
    """Whether all of the target's sand is still unraked here. The target is on the perimeter."""
    for word in range(words):
        if target[word] & ~state[word] != 0:
            return False
    return True


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """Depth-first search over the choices, without raking anything the target leaves."""
    words = _board_words(level)
    depth = 0
    copy_words(state, rows[0])
    actions[0] = -1
    while depth >= 0:
        on_sand = monk_at(rows[depth]) >= 0
        first = choosing(level.entrances, 0) if on_sand else 0
        last = choosing(level.entrances, CHOICES) if on_sand else 2 * (level.width + level.height)
        action = max(actions[depth] + 1, first)
        if action >= last:
            depth -= 1
            continue
        actions[depth] = action
        child = rows[depth + 1]
        copy_words(rows[depth], child)
        if apply(level, child, action) < 0:
            continue
        if monk_at(child) < 0:
            if same_words(child, target):
                return depth + 1
        elif _within(child, target, words):
            depth += 1
            actions[depth] = -1
    return -1


@compiled
def _takes_ornament(level: Any, state: Any, cell: int) -> bool:
    """Whether an ornament might yet be pushed onto this sand.

    It would come from a neighbour, pushed by the monk from the cell behind that. Neither may be
    raked by now, since raked cells stay raked.
    """
    if not level.has_ornaments:
        return False
    if level.has_leaves and not level.push_onto_leaf and _is_leaf(level, cell):
        return False
    row, column = cell // level.width, cell % level.width
    for heading in range(4):
        room, way = room_ahead(level, row, column, heading)
        if room == 0 or not (has(state, cell + way) or _ornament(level, state, cell + way)):
            continue
        behind = cell + 2 * way
        if room == 1:
            if level.push_from_perimeter:
                return True
        elif has(state, behind) or _ornament(level, state, behind):
            return True
    return False


@rules
def hopeless(level: Any, state: Any) -> bool:
    """Dead end: a cell to rake needs two open sides, one in and one out, or an ornament on it.

    Open are unraked cells, the perimeter, and ornaments, which might be pushed away.
    """
    if monk_at(state) >= 0:
        return False
    words, width = _board_words(level), level.width
    last = words - 1
    for word in range(words):
        north = earlier(state, word, width) | level.edges[0, word]
        east = later(state, word, last, 1) | level.edges[1, word]
        south = later(state, word, last, width) | level.edges[2, word]
        west = earlier(state, word, 1) | level.edges[3, word]
        if level.has_ornaments:
            ornaments = state[words:]
            north |= earlier(ornaments, word, width)
            east |= later(ornaments, word, last, 1)
            south |= later(ornaments, word, last, width)
            west |= earlier(ornaments, word, 1)
        two_open = (north & south) | (east & west) | ((north | south) & (east | west))
        narrow = state[word] & ~two_open
        while narrow != 0:
            lowest = narrow & (~narrow + ONE)
            narrow ^= lowest
            if not _takes_ornament(level, state, 64 * word + number_of(lowest)):
                return True
    return False

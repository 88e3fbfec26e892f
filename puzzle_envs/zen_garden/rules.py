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
    bits_from,
    copy_words,
    count_bits,
    earlier,
    has,
    later,
    number_of,
    same_words,
)
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.planes import spread
from puzzle_envs.verbs import Rules
from puzzle_envs.zen_garden.codec import LEAVES, MONK, ORNAMENT, ROCK, SAND
from puzzle_envs.zen_garden.level import GARDEN
from puzzle_envs.zen_garden.motion import (
    BELOW_MONK,
    CHOICES,
    LEFT,
    RIGHT,
    board_words,
    can_enter,
    choice_of,
    choosing,
    enter_cell,
    entrance,
    go,
    has_ornament,
    is_leaf,
    is_open,
    lock_of,
    may_go,
    monk_at,
    open_bits,
    room_ahead,
    turned,
)

rules = Rules(GARDEN)


# --- the verbs --------------------------------------------------------------------------------


@rules
def start(level: Any, state: Any) -> None:
    words = board_words(level)
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
        if not (0 <= action < faces and can_enter(level, state, action)):
            return -1
        row, column, heading = entrance(level, action)
        enter_cell(level, state, row, column, heading)
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
            if mask[face] == 0 and can_enter(level, state, face):
                mask[face] = 1
                count += 1
    return count


@compiled
def _mark_doors(level: Any, state: Any, mask: Any, monk: int, lock: int) -> int:
    """Mark the faces with open sand behind them; none while the monk is on sand."""
    outside = np.int64(monk < 0)
    faces = 2 * (level.width + level.height)
    if board_words(level) == 1:
        bits = open_bits(level, state, 0, lock)
        for face in range(faces):
            mask[face] = np.int64((bits >> np.uint64(level.doors[face])) & ONE) & outside
    else:
        for face in range(faces):
            mask[face] = np.int64(is_open(level, state, level.doors[face], lock)) & outside
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
        ahead = np.int64(is_open(level, state, cell + (way if room > 0 else 0), lock))
        may = (ahead if room > 0 else level.turning_out) & inside
        mask[choosing(level.entrances, choice)] = may
        count += may
    return count


@rules
def solved(level: Any, state: Any) -> bool:
    left = np.uint64(monk_at(state) + 1)
    for word in range(board_words(level)):
        left |= state[word]
    return left == 0


@compiled
def _left_to_rake(level: Any, state: Any) -> int:
    """Unraked cells, the monk's own included (rule 7)."""
    left = 1 if monk_at(state) >= 0 else 0
    for word in range(board_words(level)):
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
    for word in range(board_words(level)):
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
    words = board_words(level)
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
        for word in range(board_words(level)):
            spread(words[word], planes, at + 64 * word, min(64, cells - 64 * word))
    else:
        for row in range(level.height):
            spread(bits_from(words, row * width), planes, at, width)
            at += level.stride


@compiled
def _fill_leaves(level: Any, state: Any, leaves: Any, planes: Any, number: int) -> None:
    """Write the leaves that lie on unraked sand."""
    for word in range(board_words(level)):
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
        _fill(level, state[board_words(level) :], planes, ORNAMENT)
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
            if not can_enter(level, state, face):
                continue
            if found == waiting:
                return -1
            row, column, heading = entrance(level, face)
            copy_words(state, rows[found])
            enter_cell(level, rows[found], row, column, heading)
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
    words = board_words(level)
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
    if level.has_leaves and not level.push_onto_leaf and is_leaf(level, cell):
        return False
    row, column = cell // level.width, cell % level.width
    for heading in range(4):
        room, way = room_ahead(level, row, column, heading)
        if room == 0 or not (has(state, cell + way) or has_ornament(level, state, cell + way)):
            continue
        behind = cell + 2 * way
        if room == 1:
            if level.push_from_perimeter:
                return True
        elif has(state, behind) or has_ornament(level, state, behind):
            return True
    return False


@rules
def hopeless(level: Any, state: Any) -> bool:
    """Dead end: a cell to rake needs two open sides, one in and one out, or an ornament on it.

    Open are unraked cells, the perimeter, and ornaments, which might be pushed away.
    """
    if monk_at(state) >= 0:
        return False
    words, width = board_words(level), level.width
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

"""The rules of Skyscraper, compiled.

A state holds four bits for each cell of the grid, sixteen cells to a word, 0 where nothing is
built. In a grid of 16x16 the fifth bits of the heights follow, a row of them in a quarter of a
word. One more word holds what would be slow to count anew at each step: in its low half how many
constraints are broken (minus the paper's fitness), in its high half how many cells, row by row,
a planner has decided; a player has decided none but the givens.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, bit, copy_words, count_bits
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.skyscraper import codec
from puzzle_envs.skyscraper.codec import GIVEN, GRID, HEIGHTS
from puzzle_envs.skyscraper.level import FIVE_BITS, SQUARE
from puzzle_envs.verbs import Rules

rules = Rules(SQUARE)

TOP, BOTTOM, LEFT, RIGHT = 0, 1, 2, 3
"""The sides, in the order of a level's clues."""

clue_plane = compiled(codec.clue_plane)
writing, place_and_height = compiled(codec.writing), compiled(codec.place_and_height)

FOUR, FOUR_BITS = np.uint64(4), np.uint64(15)
SIX, LOW_SIX = np.uint64(6), np.uint64(63)
FIFTHS = 16
"""The word in which the fifth bits begin."""
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)

FROM_HEIGHTS = np.uint64(HEIGHTS - 1)
"""From a height to its plane."""

STATE_WORDS = 21
"""Words of a state of the largest grid."""


# --- cells ------------------------------------------------------------------------------------


@compiled
def _value(level: Any, state: Any, cell: int) -> Any:
    """The height at a cell; 0 if empty."""
    index = np.uint64(cell)
    height = (state[index >> FOUR] >> (FOUR * (index & FOUR_BITS))) & FOUR_BITS
    if level.size >= FIVE_BITS:
        height |= ((state[FIFTHS + (cell >> 6)] >> (index & LOW_SIX)) & ONE) << FOUR
    return height


@compiled
def _write(level: Any, state: Any, cell: int, value: int) -> None:
    index, height = np.uint64(cell), np.uint64(value)
    shift = FOUR * (index & FOUR_BITS)
    word = index >> FOUR
    state[word] = (state[word] & ~(FOUR_BITS << shift)) | ((height & FOUR_BITS) << shift)
    if level.size >= FIVE_BITS:
        word, shift = np.uint64(FIFTHS) + (index >> SIX), index & LOW_SIX
        state[word] = (state[word] & ~(ONE << shift)) | ((height >> FOUR) << shift)


@compiled
def _notes(level: Any) -> int:
    """The index of the word of counters."""
    words = (level.size * level.size + 15) >> 4
    return words + 4 if level.size >= FIVE_BITS else words


@compiled
def _broken(level: Any, state: Any) -> int:
    return np.int64(state[_notes(level)] & LOW_HALF)


@compiled
def _decided(level: Any, state: Any) -> int:
    return np.int64(state[_notes(level)] >> HALF)


@compiled
def _note(level: Any, state: Any, broken: int, decided: int) -> None:
    state[_notes(level)] = np.uint64(broken) | (np.uint64(decided) << HALF)


# --- lines ------------------------------------------------------------------------------------
# A line is looked at as a word with four bits a cell from its low end, and one of the fifth bits.


@compiled
def _row(level: Any, state: Any, row: int) -> tuple[Any, Any]:
    """The cells of a row, followed by further bits of the state."""
    first = np.uint64(4 * row * level.size)
    word, shift = first >> SIX, first & LOW_SIX
    # There is always a word behind: the counters.
    line = (state[word] >> shift) | (state[word + ONE] << ONE << (LOW_SIX - shift))
    if level.size < FIVE_BITS:
        return line, np.uint64(0)
    return line, state[FIFTHS + (row >> 2)] >> np.uint64(FIVE_BITS * (row & 3))


@compiled
def _column(level: Any, state: Any, column: int) -> tuple[Any, Any]:
    """The cells of a column."""
    line, fifths, cell = np.uint64(0), np.uint64(0), np.uint64(column)
    for index in range(level.size):
        height = _value(level, state, np.int64(cell))
        line |= (height & FOUR_BITS) << (FOUR * np.uint64(index))
        fifths |= (height >> FOUR) << np.uint64(index)
        cell += np.uint64(level.size)
    return line, fifths


@compiled
def _changed(line: Any, fifths: Any, place: int, change: Any) -> tuple[Any, Any]:
    """A line in which these bits of the height at a place are turned."""
    at = np.uint64(place)
    return line ^ ((change & FOUR_BITS) << (FOUR * at)), fifths ^ ((change >> FOUR) << at)


@compiled
def scan_line(line: Any, fifths: Any, size: int) -> tuple[Any, Any, Any]:
    """The heights of a line, those seen from its low end and from its high end: a bit for each.

    In one pass: from the high end, a building hides all before it that are not taller.
    """
    heights, before, behind = np.uint64(0), np.uint64(0), np.uint64(0)
    for _ in range(size):
        height = ONE << ((line & FOUR_BITS) | ((fifths & ONE) << FOUR))
        line >>= FOUR
        fifths >>= ONE
        heights |= height
        before |= height if height > before else np.uint64(0)
        behind = (behind & ~((height << ONE) - ONE)) | height
    return heights, before, behind


@compiled
def _faults(line: Any, fifths: Any, size: int, clue_before: int, clue_behind: int) -> int:
    """Cells that are empty or repeat a height, and the clues that are not met.

    Which clues exist differs from line to line, so an unpredictable branch is avoided.
    """
    heights, before, behind = scan_line(line, fifths, size)
    faults = size - count_bits(heights >> ONE)  # all other cells have distinct heights
    faults += (clue_before != 0) & (count_bits(before >> ONE) != clue_before)
    return faults + ((clue_behind != 0) & (count_bits(behind >> ONE) != clue_behind))


@compiled
def _row_faults(level: Any, line: Any, fifths: Any, row: int) -> int:
    return _faults(line, fifths, level.size, level.clues[LEFT, row], level.clues[RIGHT, row])


@compiled
def _column_faults(level: Any, line: Any, fifths: Any, column: int) -> int:
    clue_before, clue_behind = level.clues[TOP, column], level.clues[BOTTOM, column]
    return _faults(line, fifths, level.size, clue_before, clue_behind)


@compiled
def _all_faults(level: Any, state: Any) -> int:
    faults = 0
    for index in range(level.size):
        faults += _row_faults(level, *_row(level, state, index), index)
        faults += _column_faults(level, *_column(level, state, index), index)
    return faults


@compiled
def _build(level: Any, state: Any, row: int, column: int, value: int) -> None:
    """Write a height and update its two lines' faults."""
    cell = row * level.size + column
    along, down = _row(level, state, row), _column(level, state, column)
    broken = _broken(level, state)
    broken -= _row_faults(level, *along, row) + _column_faults(level, *down, column)
    change = _value(level, state, cell) ^ np.uint64(value)
    along, down = _changed(*along, column, change), _changed(*down, row, change)
    broken += _row_faults(level, *along, row) + _column_faults(level, *down, column)
    _write(level, state, cell, value)
    _note(level, state, broken, 0)


# --- legal writes -----------------------------------------------------------------------------


@compiled
def _used(level: Any, state: Any, used: Any) -> None:
    """Write the heights in each row and, from 16 on, in each column, as bits."""
    for index in range(32):
        used[index] = np.uint64(0)
    for row in range(level.size):
        for column in range(level.size):
            height = ONE << _value(level, state, row * level.size + column)
            used[row] |= height
            used[16 + column] |= height


@compiled
def _mark_writes(level: Any, state: Any, mask: Any) -> int:
    """Mark every write that changes something: not givens, and not the present height."""
    cells, largest = level.size * level.size, np.uint64(level.largest)
    for action in range(mask.size):
        mask[action] = level.writes[action]
    built = np.uint64(0)
    for cell in range(cells):
        height = _value(level, state, cell)
        stands = np.uint64(height != 0)
        lowest = np.uint64(level.places[cell]) * largest
        mask[lowest + height - stands] = stands ^ ONE  # empty: the lowest height, unchanged
        built += stands
    return _writes(level, built)


@compiled
def _writes(level: Any, built: Any) -> int:
    """How many writes change something, with this many cells built on."""
    givens = level.size * level.size - level.free
    return level.free * level.size - (np.int64(built) - givens)


@compiled
def _mark_consistent(level: Any, state: Any, mask: Any, only_empty: bool) -> int:
    """Mark the writes of heights that are nowhere else in the row and the column."""
    used = scratch(32)
    _used(level, state, used)
    mask[:] = 0
    count = 0
    for row in range(level.size):
        for column in range(level.size):
            cell = row * level.size + column
            if bit(level.given, cell) or (only_empty and _value(level, state, cell) != 0):
                continue
            taken = used[row] | used[16 + column]
            first = (row * level.largest + column) * level.largest
            for value in range(1, level.size + 1):
                free = np.int64(((taken >> np.uint64(value)) & ONE) ^ ONE)
                mask[first + value - 1] = free
                count += free
    return count


# --- the verbs --------------------------------------------------------------------------------


@rules
def start(level: Any, state: Any) -> None:
    for word in range(state.size):
        state[word] = level.start[word] if word < level.start.size else np.uint64(0)
    _note(level, state, _all_faults(level, state), 0)


@rules
def solved(level: Any, state: Any) -> bool:
    return _broken(level, state) == 0


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    if solved(level, state):
        mask[:] = 0
        return 0
    for only_empty in range(level.mask - 1, -1, -1):
        count = _mark_consistent(level, state, mask, only_empty == 1)
        if count > 0:
            return count
    return _mark_writes(level, state, mask)


@rules
def apply(level: Any, state: Any, action: int) -> int:
    largest = np.uint64(level.largest)
    place, height = place_and_height(largest, np.uint64(action))
    row, column = np.int64(place // largest), np.int64(place % largest)
    value = np.int64(height) + 1
    if row >= level.size or column >= level.size or value > level.size or solved(level, state):
        return -1
    cell = row * level.size + column
    if bit(level.given, cell) or _value(level, state, cell) == np.uint64(value):
        return -1
    _build(level, state, row, column, value)
    return 1


@rules
def fitness(level: Any, state: Any) -> float:
    """The paper's fitness: minus the number of broken constraints."""
    return -float(_broken(level, state))


@rules
def forfeit(level: Any) -> int:
    """The number of cells: no solution needs more writes."""
    return level.size * level.size


@rules
def valid(level: Any, state: Any) -> bool:
    """Check the range of heights, the givens, the counters, and that no extra bits are set."""
    rebuilt = scratch(STATE_WORDS)
    notes = _notes(level)
    for word in range(notes):
        rebuilt[word] = np.uint64(0)
    for cell in range(level.size * level.size):
        value = _value(level, state, cell)
        if value > level.size or (
            bit(level.given, cell) and value != _value(level, level.start, cell)
        ):
            return False
        _write(level, rebuilt, cell, np.int64(value))
    for word in range(notes):
        if rebuilt[word] != state[word]:
            return False
    for word in range(notes + 1, state.size):
        if state[word] != 0:
            return False
    if _decided(level, state) > level.size * level.size:
        return False
    return _broken(level, state) == _all_faults(level, state)


# --- observation ------------------------------------------------------------------------------


@rules
def scenery(level: Any, planes: Any) -> None:
    planes[:] = 0
    size, largest = level.size, level.largest
    for row in range(size):
        for column in range(size):
            place = row * largest + column
            planes[GRID * level.plane + place] = 1
            planes[GIVEN * level.plane + place] = bit(level.given, row * size + column)
            for side in range(4):
                clue = level.clues[side, column if side < LEFT else row]
                if clue != 0:
                    planes[clue_plane(largest, side, clue) * level.plane + place] = 1


@rules
def observe(level: Any, state: Any, planes: Any) -> None:
    plane = np.uint64(level.plane)
    for cell in range(level.size * level.size):
        height = _value(level, state, cell)
        # For an empty cell, the plane of the grid's cells is written again.
        number = height + FROM_HEIGHTS * np.uint64(height != 0)
        planes[number * plane + level.places[cell]] = 1


@rules
def show(level: Any, unchanging: Any, state: Any, planes: Any, mask: Any) -> int:
    """If every write is legal, planes and mask are written in one pass over the cells."""
    for place in range(planes.size):
        planes[place] = unchanging[place]
    if level.mask != 0 or solved(level, state):
        observe(level, state, planes)
        return legal(level, state, mask)
    for action in range(mask.size):
        mask[action] = level.writes[action]
    plane, largest, built = np.uint64(level.plane), np.uint64(level.largest), np.uint64(0)
    for cell in range(level.size * level.size):
        height, place = _value(level, state, cell), np.uint64(level.places[cell])
        stands = np.uint64(height != 0)
        planes[(height + FROM_HEIGHTS * stands) * plane + place] = 1
        mask[place * largest + height - stands] = stands ^ ONE
        built += stands
    return _writes(level, built)


# --- whole moves ------------------------------------------------------------------------------


@compiled
def _fits_decided(level: Any, state: Any, cell: int, value: int) -> bool:
    """Whether a height repeats no given and no decided cell."""
    size, height = level.size, np.uint64(value)
    row, column = cell // size, cell % size
    for index in range(size):
        other = row * size + index
        known = other < cell or (other > cell and bit(level.given, other))
        if known and _value(level, state, other) == height:
            return False
        other = index * size + column
        known = other < cell or (other > cell and bit(level.given, other))
        if known and _value(level, state, other) == height:
            return False
    return True


@compiled
def _clues_hold(level: Any, state: Any, cell: int) -> bool:
    """Whether the lines that the cell completes meet their clues."""
    size = level.size
    row, column = cell // size, cell % size
    complete = True
    for other in range(cell + 1, (row + 1) * size):
        complete &= bit(level.given, other) != 0
    if complete and _row_faults(level, *_row(level, state, row), row) > 0:
        return False
    complete = True
    for other in range(cell + size, size * size, size):
        complete &= bit(level.given, other) != 0
    return not (complete and _column_faults(level, *_column(level, state, column), column) > 0)


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    """Decide the next cell in reading order: keep its height for free, or write another.

    So every grid is reached in exactly one way, with each cell written at most once, wherever a
    player has started.
    """
    if solved(level, state):
        return 0
    cells, cell = level.size * level.size, _decided(level, state)
    while cell < cells and bit(level.given, cell):
        cell += 1
    if cell == cells:
        return 0
    found = 0
    for value in range(1, level.size + 1):
        if not _fits_decided(level, state, cell, value):
            continue
        if found == rows.shape[0]:
            return -1
        copy_words(state, rows[found])
        costs[found] = np.int64(_value(level, state, cell) != np.uint64(value))
        if costs[found]:
            _build(level, rows[found], cell // level.size, cell % level.size, value)
        _note(level, rows[found], _broken(level, rows[found]), cell + 1)
        found += _clues_hold(level, rows[found], cell)
    return found


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """Write the cells that differ."""
    count = 0
    for row in range(level.size):
        for column in range(level.size):
            cell = row * level.size + column
            value = _value(level, target, cell)
            if value != 0 and value != _value(level, state, cell):
                place = row * level.largest + column
                actions[count] = writing(level.largest, place, np.int64(value))
                count += 1
    return count

"""Lower bounds on the moves of a layout, and its mirror symmetry; compiled.

"plain" is a pattern database of the goal block and the empty cells: one pattern leads to another if
any block of the level, placed anywhere, could make that move. Every real move is kept, so distances
between patterns are admissible. There are few patterns if few cells are empty (1,440 in the box of
4 by 5 with two), which is where they matter: the empty cells have to come round the goal block for
each of its steps. If there are too many, the estimate counts the moves that the goal block alone
needs, and the blocks that stand in its goal.

"oracle" is a perfect heuristic: the distances of all layouts of the piece set.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.hua_rong_dao.keys import PieceSet, has_key, key_of_pieces, piece_set_of
from puzzle_envs.hua_rong_dao.level import METRICS, SHAPES, pieces_of
from puzzle_envs.hua_rong_dao.oracle import NEVER as NO_WAY
from puzzle_envs.hua_rong_dao.oracle import layouts, shared
from puzzle_envs.hua_rong_dao.rules import (
    DOWN,
    LEFT,
    MOVE,
    NOBODY,
    RIGHT,
    STEP,
    UP,
    _blocks,
    _cells,
    _covered,
    _empty,
    _free,
    _inside,
    _last,
    _lines,
    _movable,
    _next,
    rules,
)
from puzzle_envs.hua_rong_dao.whole_moves import canonical
from puzzle_envs.kernels.bitboards import ONE, bits_from, count_bits, number_of
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.level import Record, Words
from puzzle_envs.states.tables import mixed
from puzzle_envs.verbs import NEVER

PLAIN, ORACLE = np.uint64(0), np.uint64(1)
"""First word of the findings."""

MOST_PATTERNS = 1 << 17
"""Larger tables take longer to compute than they save."""

LONGEST = 254
"""Distances between patterns are stored in a byte; longer ones are capped."""

BYTE, EIGHT_BITS = np.uint64(3), np.uint64(255)


# --- findings of "plain" ----------------------------------------------------------------------
# Word 1: number of empty cells, 0 if patterns are not used. Then for each cell the moves that the
# goal block would need alone; then for each shape the cells at which a block stands in the goal.
# With patterns: a table of binomials, and the distances, eight per word.

NEEDS = 2


@compiled
def _rank(level: Any, binomials: Any, first: int, empty: Any) -> int:
    """The rank of a set of empty cells among all sets of its size."""
    rank, row = 0, first
    while empty != 0:
        lowest = empty & (~empty + ONE)
        empty ^= lowest
        rank += np.int64(binomials[row + number_of(lowest)])
        row += _cells(level)
    return rank


@compiled
def _place(level: Any, goal: Any) -> int:
    """The rank of a cell among those where the goal block can stand."""
    return count_bits(level.stands[level.goal_shape] & (goal - ONE))


@compiled
def _anywhere(level: Any, here: Any, shape: int, free: Any, direction: int) -> Any:
    """Where a block can move, ignoring the goal; direction 4: any direction."""
    reached = here
    while True:
        more = reached
        for way in range(4):
            if direction == 4 or direction == way:
                more |= _next(level, reached, shape, way) & free
        if more == reached or level.metric == STEP:
            return more & ~here
        reached = more


@compiled
def _movable_any_way(level: Any, empty: Any, blocks: Any, shape: int) -> Any:
    row, column = _lines(level, empty, shape)
    found = np.uint64(0)
    for direction in (UP, RIGHT, DOWN, LEFT):
        found |= _movable(level, row, column, blocks, shape, direction)
    return found


class Patterns(NamedTuple):
    """The queue of patterns, and their distances."""

    empties: Words
    """Empty cells of each pattern."""
    goals: Words
    """Cell of its goal block."""
    distances: npt.NDArray[np.uint8]
    """Distances by pattern number; initially NO_WAY."""


@kernel
def measure_patterns(levels: Any, count: int, binomials: Any, patterns: Patterns) -> None:
    """Compute the distance of every pattern, backwards from all solved ones."""
    level = levels[0]
    shape = level.goal_shape
    places = count_bits(level.stands[shape])
    there = ONE << np.uint64(level.goal_cell)
    under = _covered(level, there, shape)
    tail = 0
    empty = (ONE << np.uint64(count)) - ONE
    while empty != 0 and empty & ~_inside(level) == 0:
        if empty & under == 0:
            index = _rank(level, binomials, 0, empty) * places + _place(level, there)
            patterns.distances[index] = 0
            patterns.empties[tail], patterns.goals[tail] = empty, there
            tail += 1
        lowest = empty & (~empty + ONE)  # the next larger word with as many bits (Gosper's hack)
        carried = empty + lowest
        empty = carried | (((empty ^ carried) >> np.uint64(2)) >> np.uint64(number_of(lowest)))
        if carried == 0:
            break
    head = 0
    while head < tail:
        empty, goal = patterns.empties[head], patterns.goals[head]
        head += 1
        tail = _spread(level, empty, goal, places, binomials, patterns, tail)


@compiled
def _spread(
    level: Any,
    empty: Any,
    goal: Any,
    places: int,
    binomials: Any,
    patterns: Patterns,
    tail: int,
) -> int:
    """Enqueue the patterns one move away; return the end of the queue."""
    distances = patterns.distances
    index = _rank(level, binomials, 0, empty) * places + _place(level, goal)
    further = min(distances[index] + 1, LONGEST)
    under = _covered(level, goal, level.goal_shape)
    for shape in range(level.shapes):
        if shape == level.goal_shape:
            blocks = goal
        else:
            blocks = _free(level, _inside(level) & ~(empty | under), shape)
        blocks = _movable_any_way(level, empty, blocks, shape)
        while blocks != 0:
            here = blocks & (~blocks + ONE)
            blocks ^= here
            left = empty | _covered(level, here, shape)
            free = _free(level, left, shape)
            reached = np.uint64(0)
            if level.metric == MOVE:
                reached = _anywhere(level, here, shape, free, 4)
            else:
                for direction in range(4):
                    reached |= _anywhere(level, here, shape, free, direction)
            while reached != 0:
                there = reached & (~reached + ONE)
                reached ^= there
                emptied = left & ~_covered(level, there, shape)
                now = there if shape == level.goal_shape else goal
                index = _rank(level, binomials, 0, emptied) * places + _place(level, now)
                if distances[index] == NO_WAY:
                    distances[index] = further
                    patterns.empties[tail], patterns.goals[tail] = emptied, now
                    tail += 1
    return tail


def find_plain(record: Record) -> Words:
    """The findings of the plain estimate."""
    levels = np.array([record])
    cells = int(record["width"] * record["height"])
    empty = cells - sum(piece.width * piece.height for piece in pieces_of(record))
    head = np.zeros(NEEDS + cells + SHAPES, np.uint64)
    head[NEEDS : NEEDS + cells] = _needs(record, empty)
    head[NEEDS + cells :] = _in_goal(record)
    places = int(record["stands"][record["goal_shape"]]).bit_count()
    count = comb(cells, empty) * places
    if count > MOST_PATTERNS:
        return head
    binomials = np.array(
        [comb(cell, size) for size in range(1, empty + 1) for cell in range(cells)], np.uint64
    )
    distances = np.full(-(-count // 8) * 8, NO_WAY, np.uint8)
    patterns = Patterns(np.empty(count, np.uint64), np.empty(count, np.uint64), distances)
    measure_patterns(levels, empty, binomials, patterns)
    head[1] = empty
    return np.concatenate((head, binomials, distances.view(np.uint64)))


def has_patterns(findings: Words) -> bool:
    """Whether findings of the plain estimate hold a pattern database."""
    return bool(findings[1])


def _needs(record: Record, empty: int) -> Words:
    """Moves that the goal block needs from each cell; NEVER if it cannot move on.

    Each move covers cells that were empty: its height per column, its width per row.
    """
    shape = int(record["goal_shape"])
    width, height = int(record["widths"][shape]), int(record["heights"][shape])
    metric = METRICS[int(record["metric"])]
    goal_row, goal_column = divmod(int(record["goal_cell"]), int(record["width"]))
    cells = int(record["width"] * record["height"])
    away = (divmod(cell, int(record["width"])) for cell in range(cells))
    found = (
        _moves_alone(abs(row - goal_row), abs(column - goal_column), width, height, empty, metric)
        for row, column in away
    )
    return np.fromiter(found, np.uint64, cells)


@functools.lru_cache(maxsize=1024)
def _moves_alone(down: int, across: int, width: int, height: int, empty: int, metric: str) -> int:
    """Moves of a block over a distance, given how many cells it may cover in each."""
    if (down and width > empty) or (across and height > empty):
        return NEVER
    if metric == "step":
        return down + across
    if metric == "straight":
        rows_at_once, columns_at_once = max(1, empty // width), max(1, empty // height)
        return -(-down // rows_at_once) - (-across // columns_at_once)
    at_once = max(
        rows * width + (empty - rows * width) // height * height
        for rows in range(empty // width + 1)
    )
    return -(-(width * down + height * across) // max(1, at_once))


def _in_goal(record: Record) -> Words:
    """For each shape the cells at which a block other than the goal block stands in the goal."""
    width, goal_shape = int(record["width"]), int(record["goal_shape"])
    row, column = divmod(int(record["goal_cell"]), width)
    below = row + int(record["heights"][goal_shape])
    beyond = column + int(record["widths"][goal_shape])
    found = np.zeros(SHAPES, np.uint64)
    for shape in range(int(record["shapes"])):
        rows = range(max(0, row - int(record["heights"][shape]) + 1), below)
        columns = range(max(0, column - int(record["widths"][shape]) + 1), beyond)
        bits = sum(1 << one * width + other for one in rows for other in columns)
        if shape != goal_shape:
            found[shape] = np.uint64(bits & int(record["stands"][shape]))
    return found


# --- findings of "oracle" ---------------------------------------------------------------------
# A hash table of a power of two of slots, from word 1 on. A layout's key has unused bits, since no
# upright block begins in the lowest row and no flat one in the last column; they hold its distance.
# Unsolvable layouts are left out.

LOW, HIGH = np.uint64(36), np.uint64(43)
LOW_FOUR = np.uint64(15)
FREE_BITS = np.uint64((15 << 36) | (1 << 43) | (1 << 47) | (1 << 51) | (1 << 55))


@compiled
def _with_distance(key: Any, distance: Any) -> Any:
    key |= (distance & LOW_FOUR) << LOW
    for bit in range(4):
        key |= ((distance >> np.uint64(4 + bit)) & ONE) << (HIGH + np.uint64(4 * bit))
    return key


@compiled
def _distance_of(entry: Any) -> int:
    distance = (entry >> LOW) & LOW_FOUR
    for bit in range(4):
        distance |= ((entry >> (HIGH + np.uint64(4 * bit))) & ONE) << np.uint64(4 + bit)
    return np.int64(distance)


@compiled
def _slot(findings: Any, key: Any) -> Any:
    """The slot of a layout, existing or free; slots begin at word 1."""
    last = np.uint64(findings.size - 2)
    slot = mixed(key) & last
    while findings[slot + ONE] != 0 and findings[slot + ONE] & ~FREE_BITS != key:
        slot = (slot + ONE) & last
    return slot + ONE


@kernel
def fill_slots(keys: Any, distances: Any, findings: Any) -> None:
    """Insert the solvable layouts into empty slots."""
    for index in range(keys.size):
        if distances[index] != NO_WAY:
            slot = _slot(findings, keys[index])
            findings[slot] = _with_distance(keys[index], np.uint64(distances[index]))


def find_distances(record: Record) -> Words:
    """The distances of all layouts of the level's pieces, from the oracle."""
    if not has_key(record):
        raise ValueError(
            "The oracle supports only the 4 by 5 box with its usual pieces and goal; "
            "use the estimate 'plain' for this level."
        )
    pieces = piece_set_of(key_of_pieces(pieces_of(record)))
    return _oracle_table(pieces, METRICS[int(record["metric"])])


@functools.lru_cache(maxsize=4)
def _oracle_table(pieces: PieceSet, metric: str) -> Words:
    """At most 8 MB per piece set and metric."""
    distances = shared(metric).distances(pieces)
    known = int(np.count_nonzero(distances != NO_WAY))
    findings = np.zeros(1 + (1 << max(1, (3 * known // 2).bit_length())), np.uint64)
    findings[0] = ORACLE
    fill_slots(layouts(pieces), distances, findings)
    return findings


@compiled
def _key(level: Any, state: Any) -> Any:
    """The layout's key; see keys.py."""
    key = np.uint64(0)
    for shape in range(level.shapes):
        blocks = _blocks(level, state, shape)
        if shape == level.goal_shape:
            key |= np.uint64(number_of(blocks)) << np.uint64(60)
        else:
            first = 40 if level.widths[shape] == 2 else 20 * (level.heights[shape] - 1)
            key |= blocks << np.uint64(first)
    return key


# --- the verbs --------------------------------------------------------------------------------


@rules
def estimate(level: Any, findings: Any, state: Any) -> int:
    if findings[0] == ORACLE:
        entry = findings[_slot(findings, canonical(_key(level, state)))]
        found = _distance_of(entry) if entry != 0 else NEVER
    else:
        found = _without_oracle(level, findings, state)
    if 0 < found < NEVER and level.metric != STEP and _last(state) != NOBODY:
        found -= 1  # continuing the last move is free
    return found


@compiled
def _without_oracle(level: Any, findings: Any, state: Any) -> int:
    cells, empties = _cells(level), np.int64(findings[1])
    goal = _blocks(level, state, level.goal_shape)
    if empties == 0:
        found = np.int64(findings[NEEDS + number_of(goal)])
        for shape in range(level.shapes):
            found += count_bits(_blocks(level, state, shape) & findings[NEEDS + cells + shape])
        return found
    first = NEEDS + cells + SHAPES
    places = count_bits(level.stands[level.goal_shape])
    rank = _rank(level, findings, first, _empty(level, state))
    index = np.uint64(rank * places + _place(level, goal))
    packed = findings[np.uint64(first + cells * empties) + (index >> BYTE)]
    distance = np.int64((packed >> ((index & np.uint64(7)) << BYTE)) & EIGHT_BITS)
    return NEVER if distance == NO_WAY else distance


@compiled
def _mirrored(level: Any, blocks: Any, shape: int, column: Any) -> Any:
    """The blocks of a shape in the mirror image; `column` has the bits of the first column."""
    turned = np.uint64(0)
    for index in range(level.width):
        turned = (turned << ONE) | ((blocks >> np.uint64(index)) & column)
    return turned >> np.uint64(level.widths[shape] - 1)


@rules
def representative(level: Any, findings: Any, state: Any) -> None:
    """The canonical form of a layout and its mirror image, if the goal is symmetric.

    It has its goal block on the left; if that is in the middle, the first shape with an asymmetric
    placement decides.
    """
    width, goal_width = level.width, level.widths[level.goal_shape]
    if 2 * (level.goal_cell % width) + goal_width != width or _last(state) != NOBODY:
        return
    goal_column = number_of(_blocks(level, state, level.goal_shape)) % width
    side = 2 * goal_column + goal_width - width
    if side < 0:
        return
    column = np.uint64(0)
    for row in range(level.height):
        column |= ONE << np.uint64(row * width)
    for shape in range(level.shapes):
        if side != 0:
            break
        blocks = _blocks(level, state, shape)
        turned = _mirrored(level, blocks, shape, column)
        side = np.int64(turned < blocks) - np.int64(turned > blocks)
    if side > 0:
        _turn(level, state, column)


@compiled
def _turn(level: Any, state: Any, column: Any) -> None:
    """Replace a layout by its mirror image."""
    cells = _cells(level)
    for shape in range(level.shapes):
        blocks = _blocks(level, state, shape)
        change = blocks ^ _mirrored(level, blocks, shape, column)
        place = shape * cells
        state[place >> 6] ^= change << np.uint64(place & 63)
        if (place & 63) + cells > 64:
            state[(place >> 6) + 1] ^= change >> np.uint64(64 - (place & 63))


@rules
def goals(level: Any, rows: Any) -> int:
    """Enumerate the solved layouts by backtracking, cell by cell."""
    cells = _cells(level)
    chosen, left = scratch(64), scratch(16)
    empty = cells
    for shape in range(level.shapes):
        count = count_bits(bits_from(level.start, shape * cells) & _inside(level))
        left[shape] = np.uint64(count)
        empty -= count * level.widths[shape] * level.heights[shape]
    left[level.goal_shape] = np.uint64(0)
    left[level.shapes] = np.uint64(empty)
    return _lay(level, rows, chosen, left)


@compiled
def _lay(level: Any, rows: Any, chosen: Any, left: Any) -> int:
    """Place the remaining blocks around the goal block at its goal.

    `chosen` holds for each cell the shape that begins there, `level.shapes` for an empty cell, and
    one more for a cell already covered.
    """
    cells, none = _cells(level), level.shapes
    covered = _covered(level, ONE << np.uint64(level.goal_cell), level.goal_shape)
    found, cell = 0, 0
    choice = 0
    while cell >= 0:
        if cell == cells:
            if found == rows.shape[0]:
                return -1
            _write_row(level, chosen, rows[found])
            found += 1
        else:
            here = ONE << np.uint64(cell)
            if choice == 0 and covered & here != 0:
                chosen[cell] = np.uint64(none + 1)
                cell += 1
                continue
            while choice < none and not _fits(level, covered, left, here, choice):
                choice += 1
            if choice < none or (choice == none and left[none] != 0):
                left[choice] -= ONE
                if choice < none:
                    covered |= _covered(level, here, choice)
                chosen[cell] = np.uint64(choice)
                cell += 1
                choice = 0
                continue
        cell -= 1  # backtrack to the last cell with a choice
        while cell >= 0 and chosen[cell] == np.uint64(none + 1):
            cell -= 1
        if cell >= 0:
            choice = np.int64(chosen[cell])
            left[choice] += ONE
            if choice < none:
                covered &= ~_covered(level, ONE << np.uint64(cell), choice)
            choice += 1
    return found


@compiled
def _fits(level: Any, covered: Any, left: Any, here: Any, shape: int) -> bool:
    return (
        left[shape] != 0
        and level.stands[shape] & here != 0
        and _covered(level, here, shape) & covered == 0
    )


@compiled
def _write_row(level: Any, chosen: Any, row: Any) -> None:
    cells = _cells(level)
    for word in range(row.size):
        row[word] = np.uint64(0)
    place = level.goal_shape * cells + level.goal_cell
    row[place >> 6] |= ONE << np.uint64(place & 63)
    for cell in range(cells):
        if chosen[cell] < level.shapes:
            place = np.int64(chosen[cell]) * cells + cell
            row[place >> 6] |= ONE << np.uint64(place & 63)


ESTIMATES: Mapping[str, Callable[[Record], Words]] = {
    "plain": find_plain,
    "oracle": find_distances,
}

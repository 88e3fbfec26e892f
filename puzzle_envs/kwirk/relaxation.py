"""The delete relaxation of a floor: all facts that can become true if no fact is ever deleted.

Each layer applies every push that the facts so far allow and adds its effects. Nothing is deleted:
a cell once free stays free, and a block is at all its places at once. Facts are the free cells, the
cells that the characters of each room can reach, the filled holes, the places of each block and the
positions of each turnstile. When a layer adds nothing, all facts that can become true are known.

A block that lies only over holes fills them and is gone; the relaxation pushes it further only if
another block can have filled one of these holes first. Otherwise one block would fill all holes.

All places of a block are handled at once: a bitboard holds its possible upper left cells, and a few
shifts show from which of them it can be pushed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, bits_from, number_of
from puzzle_envs.kernels.compiled import compiled, inlined, kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.level import BLOCKS, CELLS, CHARACTERS
from puzzle_envs.kwirk.pieces import (
    DOWN,
    GONE,
    LEFT,
    RIGHT,
    arms,
    arms_after,
    open_holes,
    place,
    quarter,
    things,
)
from puzzle_envs.kwirk.walking import BOARD, around, behind, clear, flood, touches_exit
from puzzle_envs.level import Record, Words

PADDED = 3 * BOARD + 1
"""Words of a bitboard padded on both sides, which can be read with any shift."""

PLACES, MET, CAME, DONE, FIRST_FILLED, HOLLOW, EACH = 0, 1, 2, 6, 10, 11, 12
"""Bitboards of a block: its places; all places it ever reached; those it first reached in each
direction; those from which it was pushed in each direction, or never can be; the holes that it
filled first; its places over holes only. The last name is their number."""

TURNS = np.int64(4 * BLOCKS * CELLS)
"""Operators: a push is (4 * block + direction) * CELLS + place; turns follow after all pushes, as
32 * turnstile + 8 * position + 4 * (1 if counterclockwise) + arm."""

ALL = CHARACTERS
"""The index of the board of all rooms together, after those of the rooms."""
FREED, FILLED, REFILLED, TURNED, CARRIED = 0, CELLS, 2 * CELLS, 3 * CELLS, 4 * CELLS
"""The offsets of the kinds of causes."""
FILL_TIMES = CHARACTERS * CELLS
LONG_AGO, NEVER_YET = 0, 2**30
FREE_BEGAN, OPEN_BEGAN = CHARACTERS * BOARD, (CHARACTERS + 1) * BOARD
REACH_WORDS, LANDED_WORDS, BEGAN_WORDS = 5 * BOARD, 4 * BOARD, 6 * BOARD
BLOCK_WORDS, CAUSE_WORDS, TIME_WORDS = EACH * BLOCKS * BOARD, 8 * CELLS, 5 * CELLS
"""The words of the fields of Facts."""
FOUR_BOARDS, FOUR_PADDED = 4 * BOARD, 4 * PADDED
TWO_EACH = 64
"""Words for two of each turnstile."""

PUSHED, FELL = 1, 2
"""What happened to a block in a layer."""


class Facts(NamedTuple):
    """The facts so far, when each was reached, and the operator that first reached it."""

    free: Any
    """Cells that can be free of blocks and arms; a padded board."""
    firm: Any
    """Cells that are not a hole, or a filled one."""
    refilled: Any
    """Holes that two blocks can have filled."""
    reach: Any
    """The cells that each room's characters can reach, and then those of all rooms together."""
    landed: Any
    """For each room, the cells first reached on a moving arm."""
    blocks: Any
    """The bitboards of each block."""
    turnstiles: Any
    """For each, a word with its possible positions, and from the ninth bit on the turns done; after
    all of these, for each the cells around it in the last layer."""
    causes: Any
    """The operators that first freed cells, filled holes, filled them again, turned turnstiles, and
    carried characters."""
    times: Any
    """When each room reached each cell, and then when each hole was filled."""
    began: Any
    """At the start: the cells that rooms can reach, the free cells, and the open holes."""


class Layer(NamedTuple):
    """Working memory of a layer."""

    freed: Any
    walkable: Any
    """Cells that were free and firm before the layer."""
    pushable: Any
    """For each direction, a padded board: firm cells behind which a character can stand."""
    pushed: Any
    """For each direction, the places from which a block is pushed in this layer."""


@compiled
def begin(level: Any, findings: Any, state: Any, facts: Facts) -> int:
    """Write the facts of a state; return the number of rooms with characters.

    `findings` has one word, and then for each block and direction the places from which it can
    never be pushed.
    """
    blocked, walkable, words = scratch(BOARD), scratch(BOARD), level.words
    things(level, state, blocked)
    open_holes(level, state, facts.began[OPEN_BEGAN:])
    facts.free[:] = np.uint64(0)
    for word in range(words):
        free, holes = level.ground[word] & ~blocked[word], facts.began[OPEN_BEGAN + word]
        facts.free[BOARD + word] = facts.began[FREE_BEGAN + word] = free
        facts.firm[word] = ~holes
        facts.refilled[word] = np.uint64(0)
        facts.reach[ALL * BOARD + word] = np.uint64(0)
        walkable[word] = free & ~holes
    _begin_blocks(level, findings, state, facts)
    for turnstile in range(level.turnstiles):
        facts.turnstiles[turnstile] = ONE << np.uint64(quarter(level, state, turnstile))
        facts.turnstiles[level.turnstiles + turnstile] = np.uint64(0)
    rooms = 0
    for character in range(level.characters):
        cell = place(state, character)
        if cell == GONE or bit(facts.reach[ALL * BOARD :], cell):
            continue
        room = facts.reach[rooms * BOARD :]
        clear(level, room)
        add(room, cell)
        flood(level, walkable, room)
        for word in range(words):
            facts.reach[ALL * BOARD + word] |= room[word]
            facts.began[rooms * BOARD + word] = room[word]
            facts.landed[rooms * BOARD + word] = np.uint64(0)
        rooms += 1
    return rooms


@compiled
def _begin_blocks(level: Any, findings: Any, state: Any, facts: Facts) -> None:
    words, holes = level.words, facts.began[OPEN_BEGAN:]
    padded = scratch(PADDED)
    padded[:] = np.uint64(0)
    for word in range(words):
        padded[BOARD + word] = holes[word]
    for block in range(level.blocks):
        boards = facts.blocks[block * EACH * words :]
        for word in range(words):
            boards[PLACES * words + word] = boards[MET * words + word] = np.uint64(0)
            boards[FIRST_FILLED * words + word] = np.uint64(0)
            boards[HOLLOW * words + word] = _hollows(level, padded, block, word)
        for index in range(4 * words):
            boards[CAME * words + index] = np.uint64(0)
            boards[DONE * words + index] = findings[1 + 4 * words * block + index]
        corner = place(state, level.characters + block)
        if corner != GONE:
            add(boards, corner)
            add(boards[MET * words :], corner)


@compiled
def _hollows(level: Any, holes: Any, block: int, word: int) -> Any:
    """A word of the places where a block lies only over open holes."""
    left = holes[BOARD + word]
    for down in range(level.heights[block]):
        for right in range(level.widths[block]):
            if left == 0:
                return left
            left &= read(holes, word, down * level.width + right)
    return left


@compiled
def relax(level: Any, state: Any, facts: Facts, rooms: int) -> bool:
    """Add layers until all characters can leave; False if they never can."""
    freed, walkable = scratch(BOARD), scratch(BOARD)
    pushable, pushed = scratch(FOUR_PADDED), scratch(FOUR_BOARDS)
    layer = Layer(freed, walkable, pushable, pushed)
    pushable[:] = np.uint64(0)
    time = 1
    while not _all_leave(level, facts, rooms):
        for word in range(level.words):
            freed[word] = np.uint64(0)
            walkable[word] = facts.free[BOARD + word] & facts.firm[word]
        for direction in range(4):
            for word in range(level.words):
                ahead = behind(level, facts.reach[ALL * BOARD :], word, (direction + 2) & 3)
                pushable[direction * PADDED + BOARD + word] = facts.firm[word] & ahead
        became, turned = 0, False
        for block in range(level.blocks):
            became |= _push(level, facts, layer, block, time)
        for turnstile in range(level.turnstiles):
            turned |= _turn(level, state, facts, layer, turnstile, rooms)
        if became == 0 and not turned:
            return False
        if became & FELL:
            for block in range(level.blocks):
                _push_on(level, facts, block)
        for word in range(level.words):
            facts.free[BOARD + word] |= freed[word]
        time = _walk(level, facts, layer, rooms, time + 1)
    return True


@inlined
def _all_leave(level: Any, facts: Facts, rooms: int) -> bool:
    for room in range(rooms):
        if not touches_exit(level, facts.reach[room * BOARD :]):
            return False
    return True


@inlined
def read(padded: Any, word: int, cells: int) -> Any:
    """A word of a board shifted by this many cells."""
    begin = 64 * (BOARD + word) + cells
    index, shift = np.uint64(begin) >> np.uint64(6), np.uint64(begin) & np.uint64(63)
    return (padded[index] >> shift) | (padded[index + ONE] << ONE << (np.uint64(63) - shift))


@inlined
def is_free(facts: Facts, cell: int) -> bool:
    """Whether a cell can be free."""
    return bit(facts.free, 64 * BOARD + cell) != 0


# --- blocks -----------------------------------------------------------------------------------


@inlined
def rear(level: Any, block: int, direction: int) -> tuple[int, int, int]:
    """The cells that a pushed block leaves: offset of the first from its place, step, number."""
    width, height = level.widths[block], level.heights[block]
    if direction == RIGHT:
        return 0, level.width, height
    if direction == DOWN:
        return 0, 1, width
    if direction == LEFT:
        return width - 1, level.width, height
    return (height - 1) * level.width, 1, width


@inlined
def front(level: Any, block: int, direction: int) -> int:
    """The offset of the first cell that a pushed block newly covers; the rest as in `rear`."""
    if direction == RIGHT:
        return np.int64(level.widths[block])
    if direction == DOWN:
        return np.int64(level.heights[block] * level.width)
    return np.int64(level.ways[direction])


@inlined
def _push(level: Any, facts: Facts, layer: Layer, block: int, time: int) -> int:
    """Push a block from all its places; return what happened to it."""
    words = level.words
    boards, pushed = facts.blocks[block * EACH * words :], layer.pushed
    total = np.uint64(0)
    for direction in range(4):
        for word in range(words):
            index = (DONE + direction) * words + word
            now = boards[word] & ~boards[index]
            if now != 0:
                now = _allowed(level, facts, layer, block, direction, word, now)
                boards[index] |= now
            pushed[direction * BOARD + word] = now
            total |= now
    if total == 0:
        return 0
    became = PUSHED
    for direction in range(4):
        for word in range(words):
            left = pushed[direction * BOARD + word]
            while left != 0:
                single = left & (~left + ONE)
                left ^= single
                corner = 64 * word + number_of(single)
                _leave(level, facts, layer, block, corner, direction)
                became |= _come(level, facts, layer, block, corner, direction, time)
    return became


@inlined
def _allowed(
    level: Any, facts: Facts, layer: Layer, block: int, direction: int, word: int, places: Any
) -> Any:
    """The places, among the given ones, from which a block can be pushed."""
    first, along, count = rear(level, block, direction)
    ahead = front(level, block, direction)
    for index in range(count):
        places &= read(facts.free, word, ahead + index * along)
        if places == 0:
            return places
    pushers, pushable = np.uint64(0), layer.pushable[direction * PADDED :]
    for index in range(count):
        pushers |= read(pushable, word, first + index * along)
    return places & pushers


@inlined
def _free_cell(facts: Facts, layer: Layer, cell: int, operator: int) -> None:
    if not is_free(facts, cell) and not bit(layer.freed, cell):
        add(layer.freed, cell)
        facts.causes[FREED + cell] = np.uint64(operator)


@inlined
def _leave(level: Any, facts: Facts, layer: Layer, block: int, corner: int, direction: int) -> None:
    """Free the cells that a block leaves when it is pushed from a place."""
    first, along, count = rear(level, block, direction)
    operator = (4 * block + direction) * CELLS + corner
    for index in range(count):
        _free_cell(facts, layer, corner + first + index * along, operator)


@inlined
def _come(
    level: Any, facts: Facts, layer: Layer, block: int, corner: int, direction: int, time: int
) -> int:
    """Add the place to which a block is pushed; return FELL if it lies only over holes."""
    words = level.words
    boards, target = facts.blocks[block * EACH * words :], corner + level.ways[direction]
    if bit(boards[MET * words :], target):
        return 0
    add(boards[MET * words :], target)
    add(boards[(CAME + direction) * words :], target)
    if not bit(boards[HOLLOW * words :], target):
        add(boards, target)
        return 0
    _fall(level, facts, layer, block, target, (4 * block + direction) * CELLS + corner, time)
    return FELL


@inlined
def _fall(
    level: Any, facts: Facts, layer: Layer, block: int, corner: int, operator: int, time: int
) -> None:
    """Fill the holes at a place to which an operator pushed a block."""
    own = facts.blocks[(block * EACH + FIRST_FILLED) * level.words :]
    for _ in range(level.heights[block]):
        for cell in range(corner, corner + level.widths[block]):
            _free_cell(facts, layer, cell, operator)
            if not bit(facts.firm, cell):
                add(facts.firm, cell)
                add(own, cell)
                facts.causes[FILLED + cell] = np.uint64(operator)
                facts.times[FILL_TIMES + cell] = np.uint64(time)
            elif not bit(own, cell) and not bit(facts.refilled, cell):
                add(facts.refilled, cell)
                facts.causes[REFILLED + cell] = np.uint64(operator)
        corner += level.width


@inlined
def _push_on(level: Any, facts: Facts, block: int) -> None:
    """Add a place only over holes, if another block can have filled one of them before."""
    words = level.words
    boards = facts.blocks[block * EACH * words :]
    own = boards[FIRST_FILLED * words :]
    for word in range(words):
        waiting = boards[HOLLOW * words + word] & boards[MET * words + word] & ~boards[word]
        while waiting != 0:
            single = waiting & (~waiting + ONE)
            waiting ^= single
            corner, stays = 64 * word + number_of(single), 0
            for down in range(level.heights[block]):
                for right in range(level.widths[block]):
                    cell = corner + down * level.width + right
                    by_another = bit(facts.firm, cell) & (bit(own, cell) ^ 1)
                    stays |= by_another | bit(facts.refilled, cell)
            if stays:
                boards[word] |= single


# --- turnstiles -------------------------------------------------------------------------------


@compiled
def side_of(level: Any, turnstile: int, arm: int) -> int:
    """The cell of an arm."""
    return np.int64(level.pivots[turnstile] + level.ways[arm & 3])


@compiled
def corner_of(level: Any, turnstile: int, arm: int) -> int:
    """The cell between an arm and the one clockwise of it."""
    return np.int64(side_of(level, turnstile, arm) + level.ways[(arm + 1) & 3])


@compiled
def pusher_of(level: Any, turnstile: int, sense: int, arm: int) -> int:
    """The cell from which an arm is pushed; sense 0 is clockwise, 1 counterclockwise."""
    return corner_of(level, turnstile, arm if sense else arm + 3)


@compiled
def landing_of(level: Any, turnstile: int, sense: int, arm: int) -> int:
    """The cell to which the pusher is carried if another arm follows."""
    return corner_of(level, turnstile, arm + 3 if sense else arm)


@inlined
def _ring(level: Any, board: Any, turnstile: int) -> int:
    """The cells around a pivot: a bit for each side, and from the fifth on for each corner."""
    pivot, width = level.pivots[turnstile], level.width
    above = np.int64(bits_from(board, pivot - width - 1))
    beside = np.int64(bits_from(board, pivot - 1))
    below = np.int64(bits_from(board, pivot + width - 1))
    sides = above >> 1 & 1 | beside >> 1 & 2 | below << 1 & 4 | beside << 3 & 8
    return sides | above << 2 & 16 | below << 3 & 32 | below << 6 & 64 | above << 7 & 128


@inlined
def _turn(level: Any, state: Any, facts: Facts, layer: Layer, turnstile: int, rooms: int) -> bool:
    """Turn a turnstile in every possible way; return whether that added a fact."""
    reached = _ring(level, facts.reach[ALL * BOARD :], turnstile) >> 4
    if reached == 0:
        return False
    free = _ring(level, facts.free[BOARD:], turnstile) | arms(level, state, turnstile)
    firm = _ring(level, facts.firm, turnstile)
    positions = np.int64(facts.turnstiles[turnstile]) & 15
    seen = (positions << 8 | free) << 8 | firm
    for room in range(rooms):
        seen = seen << 4 | _ring(level, facts.reach[room * BOARD :], turnstile) >> 4
    before = level.turnstiles + turnstile
    if facts.turnstiles[before] == np.uint64(seen):
        return False
    facts.turnstiles[before] = np.uint64(seen)
    busy = False
    for position in range(4):
        if positions >> position & 1 == 0:
            continue
        lying = arms_after(level.arms[turnstile], position)
        for sense in range(2):
            after = arms_after(lying, 3 if sense else 1)
            swept = after if sense else lying
            if swept & ~(free >> 4) | after & ~lying & ~free:
                continue
            for arm in range(4):
                pusher, landing = (arm, arm + 3) if sense else (arm + 3, arm)
                carries = after >> arm & 1
                if (lying >> arm & firm >> arm & reached >> (pusher & 3) & 1) == 0:
                    continue
                if carries and not firm >> 4 + (landing & 3) & 1:
                    continue
                turn = 32 * turnstile + 8 * position + 4 * sense + arm
                if carries:
                    busy |= _carry(level, facts, turn, rooms)
                busy |= _do_turn(level, facts, layer, turn, lying & ~after)
    return busy


@inlined
def _do_turn(level: Any, facts: Facts, layer: Layer, turn: int, vacated: int) -> bool:
    """Add the effects of a turn; return whether any is new."""
    turnstile, position, sense = turn >> 5, turn >> 3 & 3, turn >> 2 & 1
    done = ONE << np.uint64(8 + (turn & 31))
    if facts.turnstiles[turnstile] & done != 0:
        return False
    result = (position + (3 if sense else 1)) & level.turns[turnstile]
    if facts.turnstiles[turnstile] >> np.uint64(result) & ONE == 0:
        facts.causes[TURNED + 4 * turnstile + result] = np.uint64(TURNS + turn)
    facts.turnstiles[turnstile] |= done | ONE << np.uint64(result)
    for arm in range(4):
        if vacated >> arm & 1:
            _free_cell(facts, layer, side_of(level, turnstile, arm), TURNS + turn)
    return True


@inlined
def _carry(level: Any, facts: Facts, turn: int, rooms: int) -> bool:
    """Carry characters that push an arm followed by another; return whether that added a fact."""
    turnstile, sense, arm = turn >> 5, turn >> 2 & 1, turn & 3
    pusher = pusher_of(level, turnstile, sense, arm)
    landing = landing_of(level, turnstile, sense, arm)
    carried = False
    for room in range(rooms):
        reach, landed = facts.reach[room * BOARD :], facts.landed[room * BOARD :]
        if bit(reach, pusher) and not bit(reach, landing) and not bit(landed, landing):
            add(landed, landing)
            facts.causes[CARRIED + room * CELLS + landing] = np.uint64(TURNS + turn)
            carried = True
    return carried


# --- walking ----------------------------------------------------------------------------------


@inlined
def _walk(level: Any, facts: Facts, layer: Layer, rooms: int, time: int) -> int:
    """Add all cells that characters can walk to; return the time after that."""
    new, opened = scratch(BOARD), scratch(BOARD)
    any_opened = np.uint64(0)
    for word in range(level.words):
        walkable = facts.free[BOARD + word] & facts.firm[word]
        opened[word] = walkable & ~layer.walkable[word]
        layer.walkable[word] = walkable
        any_opened |= opened[word]
    for room in range(rooms):
        reach, landed = facts.reach[room * BOARD :], facts.landed[room * BOARD :]
        grown = False
        for word in range(level.words):
            arrived = landed[word] & ~reach[word]
            if opened[word] | arrived:
                arrived |= opened[word] & around(level, reach, word) & ~reach[word]
            new[word] = arrived
            grown |= arrived != 0
        while grown:
            _arrive(level, facts, room, new, time)
            time += 1
            grown = False
            for word in range(level.words):
                new[word] = around(level, reach, word) & layer.walkable[word] & ~reach[word]
                grown |= new[word] != 0
    return time


@inlined
def _arrive(level: Any, facts: Facts, room: int, new: Any, time: int) -> None:
    """Add cells that a room's characters reach."""
    for word in range(level.words):
        left = new[word]
        facts.reach[room * BOARD + word] |= left
        facts.reach[ALL * BOARD + word] |= left
        while left != 0:
            single = left & (~left + ONE)
            left ^= single
            facts.times[room * CELLS + 64 * word + number_of(single)] = np.uint64(time)


# --- constants of a level ------------------------------------------------------------------------


@kernel
def list_impossible(levels: Any, boards: Any) -> None:
    """Write for each block and direction the places from which walls always prevent a push."""
    level = levels[0]
    for block in range(level.blocks):
        for direction in range(4):
            first, along, count = rear(level, block, direction)
            ahead = front(level, block, direction)
            board = boards[block, direction]
            for corner in range(level.width * level.height):
                room, behind_it = True, False
                for index in range(count):
                    covered = corner + ahead + index * along
                    pusher = corner + first + index * along - level.ways[direction]
                    room &= _is_open(level, covered)
                    behind_it |= _is_open(level, pusher)
                if not (room and behind_it):
                    add(board, corner)


@compiled
def _is_open(level: Any, cell: int) -> bool:
    """Whether a cell is on the board, and not a wall, pivot or exit."""
    if not 0 <= cell < level.width * level.height:
        return False
    return bit(level.ground, cell) != 0 and not bit(level.solid, cell)


def impossible_pushes(record: Record) -> Words:
    """The same as one row, for findings."""
    blocks, words = int(record["blocks"]), int(record["words"])
    boards = np.zeros((blocks, 4, words), np.uint64)
    list_impossible(np.array([record]), boards)
    return boards.ravel()

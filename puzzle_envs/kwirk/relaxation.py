"""What can ever come about on a floor if nothing that has been is lost again: its delete relaxation.

A layer does every push that the facts so far allow; what it leads to is added, and nothing is taken
away: a cell once free stays free, a block is at all its places at once. Facts are the free cells,
the cells that the characters of each room can reach, the filled holes, the places of each block and
the positions of each turnstile. What has not come about when a layer does nothing never will.

A block over holes alone fills them, and would be gone; it is pushed on from there only if another
block can have filled one of these holes first. Otherwise one block would fill all holes.

Places are worked on side by side: a bitboard holds the upper left cells that a block can have, so
that a few shifts tell from which of them it can be pushed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.level import BLOCKS, CELLS, CHARACTERS, TURNSTILES
from puzzle_envs.kwirk.pieces import (
    DOWN,
    GONE,
    LEFT,
    RIGHT,
    UP,
    arms,
    arms_after,
    open_holes,
    place,
    quarter,
    things,
)
from puzzle_envs.kwirk.walking import BOARD, around, behind, clear, flood, touches_exit

PADDED = 3 * BOARD + 1
"""Words of a bitboard with nothing before and behind it, which can be read any number of cells
further on or back."""

PLACES, MET, CAME, DONE, FIRST_FILLED, HOLLOW, EACH = 0, 1, 2, 6, 10, 11, 12
"""Bitboards of a block: the places that it can be pushed from; all that it can ever have; those to
which each direction brought it first; those from which it has been pushed in each; the holes that
it was first to fill; the places over holes alone. The last is how many there are."""

TURNS = np.int64(4 * BLOCKS * CELLS)
"""Actions: a push is (4 * block + direction) * CELLS + place, a turn comes behind all pushes and
is 32 * turnstile + 8 * position + 4 * (1 if counterclockwise) + arm."""

ALL = CHARACTERS
"""Behind the boards of the rooms: that of all together."""
FREED, FILLED, REFILLED, TURNED, CARRIED = 0, CELLS, 2 * CELLS, 3 * CELLS, 4 * CELLS
"""Where causes begin."""
FILL_TIMES = CHARACTERS * CELLS
LONG_AGO, NEVER_YET = 0, 2**30


class Facts(NamedTuple):
    """What has come about so far, when, and the action that first brought it about."""

    free: Any
    """Cells from which blocks and arms can be gone."""
    firm: Any
    """Cells that are no hole, or a filled one."""
    refilled: Any
    """Holes that two blocks can have filled."""
    reach: Any
    """What the characters of each room can reach, room after room, and then all of them."""
    landed: Any
    """For each room the cells to which an arm carried somebody first."""
    blocks: Any
    """The bitboards of each block."""
    turnstiles: Any
    """For each the positions that it can have, and from the ninth bit on which turns are done."""
    causes: Any
    """The actions that freed cells, filled holes, filled them again, turned turnstiles, carried."""
    times: Any
    """When each room reached each cell, and then when each hole was filled."""
    began: Any
    """What rooms could reach at first, then which cells were free and which open holes."""


class Layer(NamedTuple):
    """Scratch: what one layer does."""

    freed: Any
    run: Any
    """A padded board."""
    pushable: Any
    """For each direction a padded board: pushed cells, by somebody behind them."""
    allowed: Any
    """For each direction the places from which blocks of a size can be pushed."""
    leaving: Any
    """And those where they leave a cell that was not free yet."""
    pushed: Any
    """For each direction the places from which a block is pushed now."""


FREE_BEGAN, OPEN_BEGAN = CHARACTERS * BOARD, (CHARACTERS + 1) * BOARD
REACH_WORDS, LANDED_WORDS, BEGAN_WORDS = 5 * BOARD, 4 * BOARD, 6 * BOARD
BLOCK_WORDS, CAUSE_WORDS, TIME_WORDS = EACH * BLOCKS * BOARD, 8 * CELLS, 5 * CELLS
"""The words of the fields of Facts."""
FOUR, FOUR_PADDED = 4 * BOARD, 4 * PADDED


@compiled
def begin(level: Any, state: Any, facts: Facts) -> int:
    """Write the facts of a state; return how many rooms hold characters."""
    blocked, walkable, words = scratch(BOARD), scratch(BOARD), level.words
    things(level, state, blocked)
    open_holes(level, state, facts.began[OPEN_BEGAN:])
    for word in range(words):
        free, holes = level.ground[word] & ~blocked[word], facts.began[OPEN_BEGAN + word]
        facts.free[word] = facts.began[FREE_BEGAN + word] = free
        facts.firm[word] = ~holes
        facts.refilled[word] = np.uint64(0)
        facts.reach[ALL * BOARD + word] = np.uint64(0)
        walkable[word] = free & ~holes
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
    for index in range(level.blocks * EACH * words):
        facts.blocks[index] = np.uint64(0)
    for block in range(level.blocks):
        corner = place(state, level.characters + block)
        if corner != GONE:
            first = block * EACH * words
            add(facts.blocks[first + PLACES * words :], corner)
            add(facts.blocks[first + MET * words :], corner)
    for turnstile in range(level.turnstiles):
        facts.turnstiles[turnstile] = ONE << np.uint64(quarter(level, state, turnstile))
    return rooms


@compiled
def relax(level: Any, state: Any, facts: Facts, rooms: int) -> bool:
    """Do layer after layer until everybody can leave; False: that never comes about."""
    freed, run, pushable = scratch(BOARD), scratch(PADDED), scratch(FOUR_PADDED)
    allowed, leaving, pushed = scratch(FOUR), scratch(FOUR), scratch(FOUR)
    layer = Layer(freed, run, pushable, allowed, leaving, pushed)
    run[:] = np.uint64(0)
    pushable[:] = np.uint64(0)
    _find_hollows(level, facts, layer)
    time = 1
    while not _all_leave(level, facts, rooms):
        clear(level, freed)
        for direction in range(4):
            for word in range(level.words):
                pushed_from = behind(level, facts.reach[ALL * BOARD :], word, (direction + 2) & 3)
                pushable[direction * PADDED + BOARD + word] = facts.firm[word] & pushed_from
        busy = False
        for block in range(level.blocks):
            if block == 0 or not _same_size(level, block):
                _allow(level, facts, layer, block)
            busy |= _push(level, facts, layer, block, time)
        for turnstile in range(level.turnstiles):
            busy |= _turn(level, state, facts, layer, turnstile, rooms)
        if not busy:
            return False
        for block in range(level.blocks):
            _push_on(level, facts, layer, block)
        for word in range(level.words):
            facts.free[word] |= freed[word]
        time = _walk(level, facts, rooms, time + 1)
    return True


@compiled
def _same_size(level: Any, block: int) -> bool:
    """Whether a block is as large as the one before."""
    before = block - 1
    same = level.widths[block] == level.widths[before]
    return same and level.heights[block] == level.heights[before]


@compiled
def _all_leave(level: Any, facts: Facts, rooms: int) -> bool:
    for room in range(rooms):
        if not touches_exit(level, facts.reach[room * BOARD :]):
            return False
    return True


# --- padded boards ----------------------------------------------------------------------------


@compiled
def _read(padded: Any, word: int, cells: int) -> Any:
    """A word in which each cell has the bit of the cell so many further on."""
    begin = 64 * (BOARD + word) + cells
    index, shift = begin >> 6, np.uint64(begin & 63)
    return (padded[index] >> shift) | (padded[index + 1] << ONE << (np.uint64(63) - shift))


@compiled
def _load(level: Any, padded: Any, board: Any) -> None:
    for word in range(level.words):
        padded[BOARD + word] = board[word]


@compiled
def _all_of(level: Any, padded: Any, along: int, count: int) -> None:
    """Leave the cells from which on so many in a line are in the set."""
    done = 1
    while done < count:
        more = min(done, count - done)
        for word in range(level.words):
            padded[BOARD + word] &= _read(padded, word, more * along)
        done += more


@compiled
def _any_of(level: Any, padded: Any, along: int, count: int) -> None:
    """Add the cells from which on one of so many in a line is in the set."""
    done = 1
    while done < count:
        more = min(done, count - done)
        for word in range(level.words):
            padded[BOARD + word] |= _read(padded, word, more * along)
        done += more


# --- blocks -----------------------------------------------------------------------------------


@compiled
def rear(level: Any, block: int, direction: int) -> tuple[int, int, int]:
    """The cells that a pushed block leaves: from its place to the first, to the next, how many."""
    width, height = level.widths[block], level.heights[block]
    if direction == RIGHT:
        return 0, level.width, height
    if direction == DOWN:
        return 0, 1, width
    if direction == LEFT:
        return width - 1, level.width, height
    return (height - 1) * level.width, 1, width


@compiled
def front(level: Any, block: int, direction: int) -> int:
    """From a block's place to the first cell that it newly covers; the others as in the rear."""
    if direction == RIGHT:
        return np.int64(level.widths[block])
    if direction == DOWN:
        return np.int64(level.heights[block] * level.width)
    return np.int64(level.ways[direction])


@compiled
def _find_hollows(level: Any, facts: Facts, layer: Layer) -> None:
    """Write for each block where it lies over open holes alone."""
    words = level.words
    holes = facts.began[OPEN_BEGAN:]
    for block in range(level.blocks):
        hollow = facts.blocks[(block * EACH + HOLLOW) * words :]
        if block > 0 and _same_size(level, block):
            before = facts.blocks[((block - 1) * EACH + HOLLOW) * words :]
            for word in range(words):
                hollow[word] = before[word]
            continue
        _load(level, layer.run, holes)
        _all_of(level, layer.run, 1, level.widths[block])
        _all_of(level, layer.run, level.width, level.heights[block])
        for word in range(words):
            hollow[word] = layer.run[BOARD + word]


@compiled
def _allow(level: Any, facts: Facts, layer: Layer, block: int) -> None:
    """Write from where a block of this size can be pushed, and from where that frees a cell."""
    run, words = layer.run, level.words
    for axis in range(2):
        _, along, count = rear(level, block, axis)
        _load(level, run, facts.free)
        _all_of(level, run, along, count)
        for direction in (axis, axis + 2):
            first, _, _ = rear(level, block, direction)
            ahead = front(level, block, direction)
            somebody = layer.pushable[direction * PADDED : (direction + 1) * PADDED]
            for word in range(words):
                index = direction * BOARD + word
                layer.allowed[index] = _read(run, word, ahead)
                layer.leaving[index] = ~_read(run, word, first)
                pushers = np.uint64(0)
                for cell in range(count):
                    pushers |= _read(somebody, word, first + cell * along)
                layer.allowed[index] &= pushers


@compiled
def _push(level: Any, facts: Facts, layer: Layer, block: int, time: int) -> bool:
    """Push a block from wherever it can be; return whether anything was pushed."""
    words, first = level.words, block * EACH * level.words
    boards, pushed = facts.blocks, layer.pushed
    total = np.uint64(0)
    for direction in range(4):
        done = first + (DONE + direction) * words
        for word in range(words):
            now = boards[first + word] & layer.allowed[direction * BOARD + word]
            now &= ~boards[done + word]
            pushed[direction * BOARD + word] = now
            boards[done + word] |= now
            total |= now
    if total == 0:
        return False
    for direction in range(4):
        came = first + (CAME + direction) * words
        for word in range(words):
            left = pushed[direction * BOARD + word] & layer.leaving[direction * BOARD + word]
            while left != 0:
                single = left & (~left + ONE)
                left ^= single
                _leave(level, facts, layer, block, 64 * word + number_of(single), direction)
            new = behind(level, pushed[direction * BOARD :], word, (direction + 2) & 3)
            new &= ~boards[first + MET * words + word]
            if new == 0:
                continue
            boards[came + word] |= new
            boards[first + MET * words + word] |= new
            falling = new & boards[first + HOLLOW * words + word]
            boards[first + PLACES * words + word] |= new & ~falling
            while falling != 0:
                single = falling & (~falling + ONE)
                falling ^= single
                _fall(level, facts, layer, block, 64 * word + number_of(single), direction, time)
    return True


@compiled
def _free_cell(facts: Facts, layer: Layer, cell: int, action: int) -> None:
    if not bit(facts.free, cell) and not bit(layer.freed, cell):
        add(layer.freed, cell)
        facts.causes[FREED + cell] = np.uint64(action)


@compiled
def _leave(
    level: Any, facts: Facts, layer: Layer, block: int, corner: int, direction: int
) -> None:
    """Free the cells that a block leaves when it is pushed from a place."""
    first, along, count = rear(level, block, direction)
    action = (4 * block + direction) * CELLS + corner
    for index in range(count):
        _free_cell(facts, layer, corner + first + index * along, action)


@compiled
def _fall(
    level: Any,
    facts: Facts,
    layer: Layer,
    block: int,
    corner: int,
    direction: int,
    time: int,
) -> None:
    """Fill the holes at a place to which a block was pushed."""
    action = (4 * block + direction) * CELLS + corner - level.ways[direction]
    own = facts.blocks[(block * EACH + FIRST_FILLED) * level.words :]
    for down in range(level.heights[block]):
        for cell in range(corner, corner + level.widths[block]):
            _free_cell(facts, layer, cell, action)
            if not bit(facts.firm, cell):
                add(facts.firm, cell)
                add(own, cell)
                facts.causes[FILLED + cell] = np.uint64(action)
                facts.times[FILL_TIMES + cell] = np.uint64(time)
            elif not bit(own, cell) and not bit(facts.refilled, cell):
                add(facts.refilled, cell)
                facts.causes[REFILLED + cell] = np.uint64(action)
        corner += level.width


@compiled
def _push_on(level: Any, facts: Facts, layer: Layer, block: int) -> None:
    """Let a block stay where it would have fallen, if another one can have been there before."""
    words, first = level.words, block * EACH * level.words
    boards, run = facts.blocks, layer.run
    waiting = np.uint64(0)
    for word in range(words):
        hollow = boards[first + HOLLOW * words + word] & boards[first + MET * words + word]
        waiting |= hollow & ~boards[first + PLACES * words + word]
    if waiting == 0:
        return
    for word in range(words):
        by_others = facts.firm[word] & ~boards[first + FIRST_FILLED * words + word]
        filled = facts.began[OPEN_BEGAN + word] & by_others
        run[BOARD + word] = filled | facts.refilled[word]
    _any_of(level, run, 1, level.widths[block])
    _any_of(level, run, level.width, level.heights[block])
    for word in range(words):
        stays = boards[first + HOLLOW * words + word] & boards[first + MET * words + word]
        boards[first + PLACES * words + word] |= stays & run[BOARD + word]


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
    """Where somebody stands who pushes an arm; sense 0 is clockwise, 1 is not."""
    return corner_of(level, turnstile, arm if sense else arm + 3)


@compiled
def landing_of(level: Any, turnstile: int, sense: int, arm: int) -> int:
    """Where he is carried if another arm follows."""
    return corner_of(level, turnstile, arm + 3 if sense else arm)


@compiled
def _turn(
    level: Any, state: Any, facts: Facts, layer: Layer, turnstile: int, rooms: int
) -> bool:
    """Turn a turnstile in every way that it can be; return whether anything came of it."""
    busy, everywhere = False, facts.reach[ALL * BOARD :]
    corners, free_corners, free_sides = 0, 0, arms(level, state, turnstile)
    for arm in range(4):
        corner = corner_of(level, turnstile, arm)
        corners |= bit(everywhere, corner) << arm
        free_corners |= bit(facts.free, corner) << arm
        free_sides |= bit(facts.free, side_of(level, turnstile, arm)) << arm
    if corners == 0:
        return False
    for position in range(4):
        if facts.turnstiles[turnstile] >> np.uint64(position) & ONE == 0:
            continue
        before = arms_after(level.arms[turnstile], position)
        for sense in range(2):
            after = arms_after(before, 3 if sense else 1)
            swept = after if sense else before
            if swept & ~free_corners | after & ~before & ~free_sides:
                continue
            for arm in range(4):
                if before >> arm & 1 == 0 or not bit(
                    facts.firm, side_of(level, turnstile, arm)
                ):
                    continue
                action = 32 * turnstile + 8 * position + 4 * sense + arm
                if after >> arm & 1:
                    busy |= _carry(level, facts, layer, action, rooms)
                if not bit(everywhere, pusher_of(level, turnstile, sense, arm)):
                    continue
                if after >> arm & 1 and not bit(
                    facts.firm, landing_of(level, turnstile, sense, arm)
                ):
                    continue
                done = ONE << np.uint64(8 + (action & 31))
                if facts.turnstiles[turnstile] & done != 0:
                    continue
                busy = True
                result = (position + (3 if sense else 1)) & level.turns[turnstile]
                if facts.turnstiles[turnstile] >> np.uint64(result) & ONE == 0:
                    facts.causes[TURNED + 4 * turnstile + result] = np.uint64(TURNS + action)
                facts.turnstiles[turnstile] |= done | ONE << np.uint64(result)
                for other in range(4):
                    if before & ~after & 1 << other:
                        cell = side_of(level, turnstile, other)
                        _free_cell(facts, layer, cell, TURNS + action)
    return busy


@compiled
def _carry(level: Any, facts: Facts, layer: Layer, action: int, rooms: int) -> bool:
    """Carry those who can push an arm that another one follows; return whether somebody was."""
    turnstile, sense, arm = action >> 5, action >> 2 & 1, action & 3
    pusher = pusher_of(level, turnstile, sense, arm)
    landing = landing_of(level, turnstile, sense, arm)
    carried = False
    for room in range(rooms):
        reach, landed = facts.reach[room * BOARD :], facts.landed[room * BOARD :]
        new = bit(reach, pusher) and not bit(reach, landing) and not bit(landed, landing)
        if new and bit(facts.firm, landing):
            add(landed, landing)
            facts.causes[CARRIED + room * CELLS + landing] = np.uint64(TURNS + action)
            carried = True
    return carried


# --- walking ----------------------------------------------------------------------------------


@compiled
def _walk(level: Any, facts: Facts, rooms: int, time: int) -> int:
    """Let everybody walk as far as they can; return the time after that."""
    new = scratch(BOARD)
    for room in range(rooms):
        reach = facts.reach[room * BOARD :]
        grown = True
        while grown:
            grown = False
            for word in range(level.words):
                near = around(level, reach, word) | facts.landed[room * BOARD + word]
                new[word] = near & facts.free[word] & facts.firm[word] & ~reach[word]
            for word in range(level.words):
                left = new[word]
                grown |= left != 0
                reach[word] |= left
                facts.reach[ALL * BOARD + word] |= left
                while left != 0:
                    single = left & (~left + ONE)
                    left ^= single
                    cell = 64 * word + number_of(single)
                    facts.times[room * CELLS + cell] = np.uint64(time)
            time += 1
    return time

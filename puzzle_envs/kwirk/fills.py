"""Which holes blocks can fill, and in which order: every block in its exact game alone.

In the game of one block, a single character walks around the block and pushes it; all other blocks
and all arms are removed, and holes that other blocks can have filled are floor. What is reachable
without such holes is the first layer; what needs holes of the first layer is the second, and so on.
A block falls only once: over holes it can be pushed on only if another block can have filled one of
them, and the holes that it fills itself are not floor for its pusher.

Everything that can happen to a block on the real floor can happen in its game, as long as there is
one character. So if the character cannot leave in the game of some block, there is no solution.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, number_of, remove
from puzzle_envs.kernels.compiled import compiled, inlined
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.pieces import DOWN, GONE, RIGHT, UP, add_block, over_holes_alone, place
from puzzle_envs.kwirk.walking import BOARD, clear, room_of, touches_exit

FILLERS = 16
"""Number of blocks stored for a hole: those that can fill it first."""
NOT_YET = 2**20
"""The layer of what is not reachable."""
MOST_LAYERS = 100


class Fills(NamedTuple):
    """Which holes can be filled, by which blocks, in which layer."""

    open: Any
    """The bitboard of the unfilled holes."""
    counts: Any
    """The number of fillers stored for each hole."""
    fillers: Any
    """The fillers of each hole, by layer; see `filler`."""
    out: Any
    """The layer in which the character can leave in the game of each block."""
    reach: Any
    """Working memory: a bitboard for each cell."""


@compiled
def filler(layer: int, block: int, corner: int) -> int:
    """A block that falls at a place in a layer, as one number."""
    return (layer << 16 | block) << 16 | corner


@compiled
def layer_of(known: Any) -> int:
    """The layer of a filler."""
    return np.int64(known >> np.uint64(32))


@compiled
def block_of(known: Any) -> int:
    """The block of a filler."""
    return np.int64(known >> np.uint64(16) & np.uint64(0xFFFF))


@compiled
def corner_of_fall(known: Any) -> int:
    """The place at which a filler falls."""
    return np.int64(known & np.uint64(0xFFFF))


@inlined
def is_floor(fills: Fills, cell: int, block: int, layer: int) -> bool:
    """Whether another block can have filled a hole before a layer."""
    count = fills.counts[cell]
    if count == 0:
        return False
    first = fills.fillers[FILLERS * cell]
    if block_of(first) != block:
        return layer_of(first) < layer
    return count > 1 and layer_of(fills.fillers[FILLERS * cell + 1]) < layer


@inlined
def firm_cells(level: Any, fills: Fills, block: int, layer: int, firm: Any) -> None:
    """Write the cells on which a character can stand in the game of a block, ignoring the block."""
    for word in range(level.words):
        firm[word] = level.ground[word] & ~level.solid[word]
        left = fills.open[word] & firm[word]
        firm[word] ^= left
        while left != 0:
            single = left & (~left + ONE)
            left ^= single
            if is_floor(fills, 64 * word + number_of(single), block, layer):
                firm[word] |= single


@compiled
def pusher_cell(level: Any, block: int, corner: int, direction: int, index: int) -> int:
    """One of the cells from which a block at a place can be pushed."""
    if direction == UP:
        return np.int64(corner + level.heights[block] * level.width + index)
    if direction == DOWN:
        return np.int64(corner - level.width + index)
    if direction == RIGHT:
        return np.int64(corner + index * level.width - 1)
    return np.int64(corner + level.widths[block] + index * level.width)


@compiled
def side_length(level: Any, block: int, direction: int) -> int:
    """The number of such cells."""
    if direction == UP or direction == DOWN:
        return np.int64(level.widths[block])
    return np.int64(level.heights[block])


@compiled
def has_room(level: Any, block: int, corner: int, direction: int) -> bool:
    """Whether no wall, pivot or exit stops a block at a place."""
    ahead = corner + level.ways[direction]
    if direction == DOWN:
        ahead += (level.heights[block] - 1) * level.width
    elif direction == RIGHT:
        ahead += level.widths[block] - 1
    along = 1 if direction == UP or direction == DOWN else level.width
    for index in range(side_length(level, block, direction)):
        if bit(level.solid, ahead + index * along):
            return False
    return True


class Game(NamedTuple):
    """A block in its game."""

    firm: Any
    """The cells that are floor in this game."""
    reach: Any
    """For each place of the block, a bitboard of the cells that the character can reach."""
    waiting: Any
    """The places from which pushes have not been tried yet."""


@compiled
def find_fills(level: Any, state: Any, cell: int, fills: Fills) -> bool:
    """Write what can be filled, until the character can leave in the game of each block.

    Returns False if it never can in one of them, which proves that there is no solution.
    """
    for other in range(level.width * level.height):
        fills.counts[other] = np.uint64(0)
    shut_in = False
    for block in range(level.blocks):
        there = place(state, level.characters + block) != GONE
        fills.out[block] = np.uint64(NOT_YET if there else 0)
        shut_in |= there
    if not shut_in:
        return _walks_out(level, fills, cell)
    for layer in range(MOST_LAYERS):
        grown, shut_in = False, False
        for block in range(level.blocks):
            corner = place(state, level.characters + block)
            if corner != GONE:
                grown |= _play_alone(level, block, corner, cell, layer, fills)
                shut_in |= fills.out[block] == NOT_YET
        if not shut_in:
            return True
        if not grown:
            return False
    return True


@compiled
def _walks_out(level: Any, fills: Fills, cell: int) -> bool:
    """Whether the character can walk out without crossing holes, with all obstacles removed."""
    firm, reach = scratch(BOARD), scratch(BOARD)
    for word in range(level.words):
        firm[word] = level.ground[word] & ~(level.solid[word] | fills.open[word])
    room_of(level, firm, cell, reach)
    return touches_exit(level, reach)


@compiled
def _play_alone(level: Any, block: int, corner: int, cell: int, layer: int, fills: Fills) -> bool:
    """Push a block to all places it can reach; return whether it fills a new hole."""
    words = level.words
    game = Game(scratch(BOARD), fills.reach, scratch(BOARD))
    firm_cells(level, fills, block, layer, game.firm)
    clear(level, game.waiting)
    for index in range(level.width * level.height * words):
        game.reach[index] = np.uint64(0)
    _arrive(level, game, block, corner, cell)
    grown, busy = False, True
    while busy:
        busy = False
        for word in range(words):
            while game.waiting[word] != 0:
                busy = True
                here = 64 * word + number_of(game.waiting[word] & (~game.waiting[word] + ONE))
                remove(game.waiting, here)
                if touches_exit(level, game.reach[here * words :]):
                    fills.out[block] = min(fills.out[block], np.uint64(layer))
                for direction in range(4):
                    if has_room(level, block, here, direction):
                        grown |= _push(level, game, fills, block, here, direction, layer)
    return grown


@compiled
def _arrive(level: Any, game: Game, block: int, corner: int, cell: int) -> None:
    """Add the cells that the character reaches from a cell while the block is at a place."""
    reach = game.reach[corner * level.words :]
    if bit(reach, cell):
        return
    covered, room = scratch(BOARD), scratch(BOARD)
    clear(level, covered)
    add_block(level, block, corner, covered)
    for word in range(level.words):
        covered[word] = game.firm[word] & ~covered[word]
    room_of(level, covered, cell, room)
    for word in range(level.words):
        reach[word] |= room[word]
    add(game.waiting, corner)


@compiled
def _push(
    level: Any, game: Game, fills: Fills, block: int, corner: int, direction: int, layer: int
) -> bool:
    """Push a block by one cell in all possible ways; return whether it fills a new hole."""
    reach, step = game.reach[corner * level.words :], level.ways[direction]
    target, grown = corner + step, False
    falls = over_holes_alone(level, block, target, fills.open)
    stays = not falls or pushed_on(level, fills, block, target, layer)
    for index in range(side_length(level, block, direction)):
        pusher = pusher_cell(level, block, corner, direction, index)
        if not bit(reach, pusher) or not bit(game.firm, pusher + step):
            continue
        if falls:
            grown |= _fall(level, fills, block, target, layer)
            if fills.out[block] == NOT_YET and _leaves(level, game, block, target, pusher + step):
                fills.out[block] = np.uint64(layer)
        if stays:
            _arrive(level, game, block, target, pusher + step)
    return grown


@compiled
def pushed_on(level: Any, fills: Fills, block: int, corner: int, layer: int) -> bool:
    """Whether another block can have filled one of the holes below a place."""
    for _ in range(level.heights[block]):
        for cell in range(corner, corner + level.widths[block]):
            if is_floor(fills, cell, block, layer):
                return True
        corner += level.width
    return False


@compiled
def _fall(level: Any, fills: Fills, block: int, corner: int, layer: int) -> bool:
    """Record that a block can fill the holes at a place; return whether that is new for any."""
    grown, below = False, corner
    for _ in range(level.heights[block]):
        for cell in range(below, below + level.widths[block]):
            count, known = np.int64(fills.counts[cell]), False
            for index in range(count):
                known |= block_of(fills.fillers[FILLERS * cell + index]) == block
            if not known and count < FILLERS:
                fills.fillers[FILLERS * cell + count] = np.uint64(filler(layer, block, corner))
                fills.counts[cell] = np.uint64(count + 1)
                grown = True
        below += level.width
    return grown


@compiled
def _leaves(level: Any, game: Game, block: int, corner: int, cell: int) -> bool:
    """Whether the character can leave once the block has fallen."""
    firm, room = scratch(BOARD), scratch(BOARD)
    for word in range(level.words):
        firm[word] = game.firm[word]
    add_block(level, block, corner, firm)
    room_of(level, firm, cell, room)
    return touches_exit(level, room)

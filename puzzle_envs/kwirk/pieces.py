"""Encoding of Kwirk states, and the bitboards of their pieces.

A state begins with cells of ten bits, six to a word: the characters' in the order of their numbers,
then those of the blocks' upper left cells, interchangeable blocks of one size in ascending order.
The highest bits of the first word hold the active character. Then come two bits for each turnstile,
the quarter turns it has made, and one bit for each hole, set when it is filled. Cell 0, always a
wall, stands for a character that has left or a block that is gone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, number_of, remove
from puzzle_envs.kernels.compiled import compiled, inlined
from puzzle_envs.kwirk.level import ACTIVE_SHIFT, CELLS, PLACE_BITS, PLACES

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
SWITCH = 4
"""The fifth key."""
GONE = 0
NOBODY = -1
NOTHING = np.uint64(0)

_ACTIVE = np.uint64(ACTIVE_SHIFT)
_PLACE = np.uint64(CELLS - 1)
_BITS, _PLACES = np.uint64(PLACE_BITS), np.uint64(PLACES)


# --- characters and blocks --------------------------------------------------------------------


@compiled
def place(state: Any, index: int) -> int:
    """The cell of a character or, with an index after those, of a block."""
    number = np.uint64(index)
    word = number // _PLACES
    return np.int64((state[word] >> (_BITS * (number - _PLACES * word))) & _PLACE)


@compiled
def put(state: Any, index: int, cell: int) -> None:
    """Set the cell of a character or block."""
    number = np.uint64(index)
    word = number // _PLACES
    shift = _BITS * (number - _PLACES * word)
    state[word] = (state[word] & ~(_PLACE << shift)) | (np.uint64(cell) << shift)


@compiled
def active(state: Any) -> int:
    """The number of the active character, from 0."""
    return np.int64(state[0] >> _ACTIVE)


@compiled
def set_active(state: Any, character: int) -> None:
    """Set the active character."""
    state[0] = (state[0] & ((ONE << _ACTIVE) - ONE)) | (np.uint64(character) << _ACTIVE)


@compiled
def after(level: Any, character: int, turns: int) -> int:
    """The character a number of places after another one, cyclically."""
    number = character + turns
    return number - level.characters if number >= level.characters else number


@compiled
def following(level: Any, state: Any, character: int) -> int:
    """Rule 11: the next character still there; the same one if alone."""
    for turns in range(1, level.characters + 1):
        other = after(level, character, turns)
        if place(state, other) != GONE:
            return other
    return character


@compiled
def character_at(level: Any, state: Any, cell: int) -> int:
    """The character on a cell."""
    for character in range(level.characters):
        if place(state, character) == cell:
            return character
    return NOBODY


@compiled
def body(level: Any, state: Any, block: int) -> Any:
    """The cells of a block on a one-word floor; empty if it is gone."""
    corner = place(state, level.characters + block)
    return body_at(level, block, corner) if corner != GONE else np.uint64(0)


@compiled
def body_at(level: Any, block: int, corner: int) -> Any:
    """The cells of a block whose upper left cell is given, on a one-word floor."""
    return level.bodies[level.characters + block] << np.uint64(corner)


@compiled
def body_of(level: Any, state: Any, word: int, number: int) -> Any:
    """The cells of the piece in a place of a word of the state; none for a character."""
    corner = (state[word] >> np.uint64(PLACE_BITS * number)) & _PLACE
    return level.bodies[PLACES * word + number] << corner if corner != 0 else NOTHING


@inlined
def holds_blocks(level: Any, word: int) -> bool:
    """Whether to look for blocks in a word of the state, on a one-word floor.

    The first word may hold none. This tests the bodies, since LLVM would generate a second,
    vectorised version of a loop over a number of words.
    """
    return word == 0 or level.bodies[PLACES * word] != 0


@compiled
def seen_blocks(level: Any, state: Any) -> tuple[Any, Any, Any]:
    """The cells of all blocks on a one-word floor; those that go on to the right, and below."""
    cells, on_right, below, word = NOTHING, NOTHING, NOTHING, 0
    width = np.uint64(level.width)
    while holds_blocks(level, word):
        for number in range(PLACES):
            body = body_of(level, state, word, number)
            cells |= body
            on_right |= body & (body >> ONE)
            below |= body & (body >> width)
        word += 1
    return cells, on_right, below


@compiled
def block_at(level: Any, state: Any, cell: int) -> int:
    """The block that covers a cell."""
    if level.words == 1:
        found, single = level.characters + NOBODY, ONE << np.uint64(cell)
        word = 0
        while holds_blocks(level, word):
            for number in range(PLACES):
                covers = body_of(level, state, word, number) & single != 0
                found = PLACES * word + number if covers else found
            word += 1
        return found - level.characters
    for block in range(level.blocks):
        corner = place(state, level.characters + block)
        if corner == GONE:
            continue
        for _ in range(level.heights[block]):
            if corner <= cell < corner + level.widths[block]:
                return block
            corner += level.width
    return NOBODY


@compiled
def put_block(level: Any, state: Any, block: int, cell: int) -> None:
    """Set a block's cell and restore the order of blocks of its size."""
    index = level.characters + block
    while block > 0 and _same_size(level, block, block - 1) and place(state, index - 1) > cell:
        put(state, index, place(state, index - 1))
        block, index = block - 1, index - 1
    last = level.blocks - 1
    while block < last and _same_size(level, block, block + 1) and place(state, index + 1) < cell:
        put(state, index, place(state, index + 1))
        block, index = block + 1, index + 1
    put(state, index, cell)


@compiled
def _same_size(level: Any, one: int, other: int) -> bool:
    return level.widths[one] == level.widths[other] and level.heights[one] == level.heights[other]


# --- turnstiles and holes ---------------------------------------------------------------------


@compiled
def quarter(level: Any, state: Any, turnstile: int) -> int:
    """Number of quarter turns clockwise that a turnstile has made."""
    word, shift = level.bits_word + (turnstile >> 5), np.uint64(2 * turnstile & 63)
    return np.int64((state[word] >> shift) & np.uint64(3))


@compiled
def turn_by(level: Any, state: Any, turnstile: int, quarters: int) -> None:
    """Turn a turnstile, modulo its rotational symmetry."""
    new = (quarter(level, state, turnstile) + quarters) & level.turns[turnstile]
    word, shift = level.bits_word + (turnstile >> 5), np.uint64(2 * turnstile & 63)
    state[word] = (state[word] & ~(np.uint64(3) << shift)) | (np.uint64(new) << shift)


@compiled
def arms_after(arms: int, quarters: int) -> int:
    """Rotate arms clockwise."""
    turned = arms << (quarters & 3)
    return (turned | turned >> 4) & 15


@compiled
def arms(level: Any, state: Any, turnstile: int) -> int:
    """Bits of a turnstile's arms: up, right, down, left."""
    return arms_after(level.arms[turnstile], quarter(level, state, turnstile))


@compiled
def turnstile_at(level: Any, state: Any, cell: int) -> int:
    """The arm on a cell, as 4 * turnstile + direction."""
    for turnstile in range(level.turnstiles):
        away = cell - level.pivots[turnstile]
        direction = (RIGHT if away == 1 else UP) + (DOWN if away == level.width else UP)
        direction += LEFT if away == -1 else UP
        lies = arms(level, state, turnstile) >> direction & 1
        if (away == level.ways[direction]) & (lies != 0):
            return 4 * turnstile + direction
    return NOBODY


@compiled
def fill(level: Any, state: Any, cell: int) -> None:
    """Fill the hole at a cell."""
    number = 0
    while level.hole_cells[number] != cell:
        number += 1
    add(state[level.bits_word :], 2 * level.turnstiles + number)


@compiled
def filled_holes(level: Any, state: Any, word: int) -> Any:
    """The bits of filled holes in a word of the state, which may hold turnstiles too."""
    first = 2 * level.turnstiles - 64 * (word - level.bits_word)
    if first <= 0:
        return state[word]
    return state[word] >> np.uint64(first) << np.uint64(first)


@compiled
def open_holes(level: Any, state: Any, board: Any) -> None:
    """Write the cells with unfilled holes, whatever lies over them."""
    if level.words == 1:
        board[0] = level.holes[0]
    else:
        for word in range(level.words):
            board[word] = level.holes[word]
    first = 2 * level.turnstiles
    for word in range(level.bits_word + (first >> 6), state.size):
        filled = filled_holes(level, state, word)
        while filled != 0:
            lowest = filled & (~filled + ONE)
            filled ^= lowest
            number = 64 * (word - level.bits_word) - first + number_of(lowest)
            remove(board, level.hole_cells[number])


@compiled
def is_open_hole(level: Any, state: Any, cell: int) -> bool:
    """Whether a cell has an unfilled hole."""
    if not bit(level.holes, cell):
        return False
    number = 0
    while level.hole_cells[number] != cell:
        number += 1
    return not bit(state[level.bits_word :], 2 * level.turnstiles + number)


@compiled
def spot(level: Any, cell: int) -> int:
    """A cell's index in planes and actions, whose rows may be longer than the floor's."""
    if level.stride == level.width:
        return cell
    return cell // level.width * level.stride + cell % level.width


# --- bitboards --------------------------------------------------------------------------------


@compiled
def add_block(level: Any, block: int, corner: int, board: Any) -> None:
    """Add the cells of a block whose upper left cell is given."""
    run = (ONE << np.uint64(level.widths[block])) - ONE
    for _ in range(level.heights[block]):
        word, shift = corner >> 6, np.uint64(corner & 63)
        board[word] |= run << shift
        if (corner & 63) + level.widths[block] > 64:
            board[word + 1] |= run >> (np.uint64(64) - shift)
        corner += level.width


@compiled
def add_arms(level: Any, state: Any, turnstile: int, board: Any) -> None:
    """Add the arms of a turnstile, without an unpredictable branch."""
    lying = arms(level, state, turnstile)
    for direction in range(4):
        cell = np.uint64(level.pivots[turnstile] + level.ways[direction])
        arm = np.uint64(lying >> direction & 1)
        board[cell >> np.uint64(6)] |= arm << (cell & np.uint64(63))


@compiled
def seen_arms(level: Any, state: Any) -> tuple[Any, Any, Any, Any]:
    """The cells of arms that lie up, right, down and left of their pivots, on a one-word floor."""
    up, right, down, left, turnstile = NOTHING, NOTHING, NOTHING, NOTHING, 0
    width = np.uint64(level.width)
    while level.arms[turnstile] != 0:
        lying, pivot = arms(level, state, turnstile), ONE << np.uint64(level.pivots[turnstile])
        up |= pivot >> width if lying & 1 else NOTHING
        right |= pivot << ONE if lying & 2 else NOTHING
        down |= pivot << width if lying & 4 else NOTHING
        left |= pivot >> ONE if lying & 8 else NOTHING
        turnstile += 1
    return up, right, down, left


@compiled
def things(level: Any, state: Any, board: Any) -> None:
    """Write the obstacles of blocks: walls, pivots, the exit, blocks and arms; not characters."""
    if level.words == 1:
        cells, _, _ = seen_blocks(level, state)
        up, right, down, left = seen_arms(level, state)
        board[0] = level.solid[0] | cells | up | right | down | left
    else:
        for word in range(level.words):
            board[word] = level.solid[word]
        for block in range(level.blocks):
            corner = place(state, level.characters + block)
            if corner != GONE:
                add_block(level, block, corner, board)
        for turnstile in range(level.turnstiles):
            add_arms(level, state, turnstile, board)


@compiled
def over_holes_alone(level: Any, block: int, corner: int, holes: Any) -> bool:
    """Rule 5: whether a block there falls."""
    if level.words == 1:
        return body_at(level, block, corner) & ~holes[0] == 0
    for _ in range(level.heights[block]):
        for cell in range(corner, corner + level.widths[block]):
            if not bit(holes, cell):
                return False
        corner += level.width
    return True

"""Floors whose cells fit into one word: all steps and pushes at once, by bits.

Instead of a loop over pieces, bit operations handle all cells at once, without unpredictable
branches. The rules are those of motion.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import compiled, inlined
from puzzle_envs.kwirk.level import PLACES
from puzzle_envs.kwirk.pieces import GONE, NOTHING, arms, arms_after, body_of, holds_blocks, place


class Ways(NamedTuple):
    """Four sets of cells: those from which something is done upwards, to the right, and so on."""

    up: Any
    right: Any
    down: Any
    left: Any


@inlined
def _bit(bits: Any, cell: int) -> Any:
    return (bits >> np.uint64(cell)) & ONE


@inlined
def obstacles(level: Any, state: Any, things: Any, mover: int) -> Any:
    """The obstacles of a character: pieces and the other characters."""
    for character in range(level.characters):
        cell = place(state, character)
        if character != mover and cell != GONE:
            things |= ONE << np.uint64(cell)
    return things


@inlined
def towards(cells: Any, width: Any) -> Ways:
    """The cells from which a step leads into a set."""
    return Ways(cells << width, cells >> ONE, cells >> width, cells << ONE)


@inlined
def pushing(level: Any, state: Any, blocked: Any, holes: Any) -> Ways:
    """The cells from which a block or an arm can be pushed.

    `blocked` holds the obstacles and all characters but the pusher, `holes` the unfilled holes.
    """
    up, right, down, left = _pushing_blocks(level, state, blocked, holes)
    for turnstile in range(level.turnstiles):
        more = _pushing_arms(level, state, turnstile, blocked, holes)
        up, right, down, left = up | more[0], right | more[1], down | more[2], left | more[3]
    return Ways(up, right, down, left)


@compiled
def _pushing_blocks(level: Any, state: Any, blocked: Any, holes: Any) -> tuple[Any, Any, Any, Any]:
    """Rules 2 and 4."""
    width, word = np.uint64(level.width), 0
    up, right, down, left = NOTHING, NOTHING, NOTHING, NOTHING
    while holds_blocks(level, word):
        for number in range(PLACES):
            cells = body_of(level, state, word, number)
            others, entered = blocked & ~cells, cells & ~holes
            up |= entered << width if (cells >> width) & others == 0 else NOTHING
            right |= entered >> ONE if (cells << ONE) & others == 0 else NOTHING
            down |= entered >> width if (cells << width) & others == 0 else NOTHING
            left |= entered << ONE if (cells >> ONE) & others == 0 else NOTHING
        word += 1
    return up, right, down, left


@compiled
def _pushing_arms(
    level: Any, state: Any, turnstile: int, blocked: Any, holes: Any
) -> tuple[Any, Any, Any, Any]:
    """Rules 2, 6 and 7, for the arms of a turnstile; a corner is clockwise of its side."""
    pivot, width = level.pivots[turnstile], level.width
    lying = arms(level, state, turnstile)
    entered = lying & ~_sides(holes, pivot, width)
    stops, pits = _corners(blocked, pivot, width), _corners(holes, pivot, width)
    taken = _sides(blocked, pivot, width) & ~lying
    clockwise, back = arms_after(lying, 1), arms_after(lying, -1)
    forth = entered & ~(clockwise & pits) if (lying & stops) | (clockwise & taken) == 0 else 0
    over = arms_after(pits, 1)
    turned = entered & ~(back & over) if (back & stops) | (back & taken) == 0 else 0
    upper_right, lower_right = pivot - width + 1, pivot + width + 1
    lower_left, upper_left = pivot + width - 1, pivot - width - 1
    up = _set(forth >> 3, lower_left) | _set(turned >> 1, lower_right)
    right = _set(forth, upper_left) | _set(turned >> 2, lower_left)
    down = _set(forth >> 1, upper_right) | _set(turned >> 3, upper_left)
    left = _set(forth >> 2, lower_right) | _set(turned, upper_right)
    return up, right, down, left


@inlined
def _set(flags: int, cell: int) -> Any:
    """A set of one cell, if the lowest flag is set."""
    return np.uint64(flags & 1) << np.uint64(cell)


@inlined
def _sides(bits: Any, pivot: int, width: int) -> Any:
    """The bits of the cells above, to the right of, below and to the left of a pivot."""
    return np.int64(
        _bit(bits, pivot - width)
        | _bit(bits, pivot + 1) << np.uint64(1)
        | _bit(bits, pivot + width) << np.uint64(2)
        | _bit(bits, pivot - 1) << np.uint64(3)
    )


@inlined
def _corners(bits: Any, pivot: int, width: int) -> Any:
    """The bits of the cells at the corners of a pivot, clockwise from the upper right."""
    return np.int64(
        _bit(bits, pivot - width + 1)
        | _bit(bits, pivot + width + 1) << np.uint64(1)
        | _bit(bits, pivot + width - 1) << np.uint64(2)
        | _bit(bits, pivot - width - 1) << np.uint64(3)
    )

"""The observation of a state: blocks, arms, characters and holes in the planes."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import compiled, inlined
from puzzle_envs.kernels.planes import spread_planes
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.codec import (
    ARM,
    BLOCK,
    CHARACTER,
    EXIT,
    GOES_DOWN,
    GOES_RIGHT,
    GROUND,
    HOLE,
    PIVOT,
    PLANES,
)
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOTHING,
    active,
    after,
    arms,
    filled_holes,
    open_holes,
    place,
    seen_arms,
    seen_blocks,
    spot,
)

SEEN = len(PLANES)


# --- piece by piece ---------------------------------------------------------------------------


@compiled
def show_piece_by_piece(level: Any, unchanging: Any, state: Any, planes: Any) -> None:
    """Write all planes: the scenery and the pieces."""
    for cell in range(planes.size):
        planes[cell] = unchanging[cell]
    show_pieces(level, state, planes)


@compiled
def show_pieces(level: Any, state: Any, planes: Any) -> None:
    """Write everything but the scenery."""
    _show_filled_holes(level, state, planes)
    _show_blocks(level, state, planes)
    _show_arms(level, state, planes)
    _show_characters(level, state, planes)


@compiled
def _show_arms(level: Any, state: Any, planes: Any) -> None:
    """Write the arms of all turnstiles."""
    for turnstile in range(level.turnstiles):
        lying, pivot = arms(level, state, turnstile), spot(level, level.pivots[turnstile])
        planes[(ARM + 0) * level.plane + pivot - level.stride] = lying & 1
        planes[(ARM + 1) * level.plane + pivot + 1] = lying >> 1 & 1
        planes[(ARM + 2) * level.plane + pivot + level.stride] = lying >> 2 & 1
        planes[(ARM + 3) * level.plane + pivot - 1] = lying >> 3 & 1


@compiled
def _show_characters(level: Any, state: Any, planes: Any) -> None:
    """Write the characters still there, the active one first."""
    who, plane = active(state), CHARACTER
    for turn in range(level.characters):
        cell = place(state, after(level, who, turn))
        if cell != GONE:
            planes[plane * level.plane + spot(level, cell)] = 1
            plane += 1


@compiled
def _show_blocks(level: Any, state: Any, planes: Any) -> None:
    """Write the blocks."""
    for block in range(level.blocks):
        corner = place(state, level.characters + block)
        if corner != GONE:
            _show_block(level, block, spot(level, corner), planes)


@compiled
def _show_block(level: Any, block: int, corner: int, planes: Any) -> None:
    width, height = level.widths[block], level.heights[block]
    for down in range(height):
        for right in range(width):
            cell = corner + down * level.stride + right
            planes[BLOCK * level.plane + cell] = 1
            planes[GOES_RIGHT * level.plane + cell] = right + 1 < width
            planes[GOES_DOWN * level.plane + cell] = down + 1 < height


@compiled
def _show_filled_holes(level: Any, state: Any, planes: Any) -> None:
    """Clear the holes that are filled."""
    first = 2 * level.turnstiles
    for word in range(level.bits_word + (first >> 6), state.size):
        filled = filled_holes(level, state, word)
        while filled != 0:
            single = filled & (~filled + ONE)
            filled ^= single
            cell = level.hole_cells[64 * (word - level.bits_word) - first + number_of(single)]
            planes[HOLE * level.plane + spot(level, cell)] = 0


# --- all at once ------------------------------------------------------------------------------


@inlined
def fills_planes(level: Any) -> Any:
    """Whether the cells of a floor fit into one word, and fill a plane."""
    return level.words == 1 and level.plane == level.width * level.height


@compiled
def show_at_once(level: Any, state: Any, planes: Any, holes: Any) -> Any:
    """Write all planes of such a floor, whatever they held before.

    Writes the open holes, too, and returns the obstacles of blocks, as `things` does.
    """
    seen = scratch(SEEN)
    for plane in range(SEEN):
        seen[plane] = NOTHING
    open_holes(level, state, holes)
    cells, on_right, below = seen_blocks(level, state)
    up, right, down, left = seen_arms(level, state)
    seen[GROUND], seen[HOLE], seen[BLOCK] = level.ground[0], holes[0], cells
    seen[GOES_RIGHT], seen[GOES_DOWN] = on_right, below
    seen[EXIT] = ONE << np.uint64(level.exit)
    seen[PIVOT] = level.ground[0] & level.solid[0] & ~seen[EXIT]
    seen[ARM], seen[ARM + 1], seen[ARM + 2], seen[ARM + 3] = up, right, down, left
    who, plane = active(state), CHARACTER
    for turn in range(level.characters):
        cell = place(state, after(level, who, turn))
        if cell != GONE:
            seen[plane] = ONE << np.uint64(cell)
            plane += 1
    spread_planes(seen, planes, level.plane)
    return level.solid[0] | cells | up | right | down | left

"""The rules of Kwirk, compiled: what playing by pushes and playing by keys have in common.

The verbs that differ are in by_pushes.py and by_keys.py, so that whoever plays one way compiles
nothing of the other. The rules of steps are in motion.py, walking in walking.py, the paper's pushes
in pushes.py, and what a state is in pieces.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk import by_keys, by_pushes
from puzzle_envs.kwirk.codec import (
    EXIT,
    GROUND,
    HOLE,
    PIVOT,
)
from puzzle_envs.kwirk.level import LONGEST
from puzzle_envs.kwirk.pieces import (
    GONE,
    active,
    add_block,
    arms,
    open_holes,
    over_holes_alone,
    place,
    put,
    quarter,
    set_active,
    spot,
    turn_by,
)
from puzzle_envs.kwirk.seen import fills_planes, show_at_once, show_pieces
from puzzle_envs.kwirk.walking import BOARD


def rules(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a function as the verb of its name, for both ways of playing."""
    return by_pushes.rules(by_keys.rules(function))


# --- the verbs --------------------------------------------------------------------------------


@rules
def start(level: Any, state: Any) -> None:
    for word in range(state.size):
        state[word] = level.start[word] if word < level.start.size else np.uint64(0)


@rules
def solved(level: Any, state: Any) -> bool:
    return state[0] & level.everyone == 0


@rules
def fitness(level: Any, state: Any) -> float:
    """Minus the characters' mean distance to the exit (paper, 5.1)."""
    away = 0
    for character in range(level.characters):
        away += level.away[place(state, character)]
    return -away / level.characters


@rules
def forfeit(level: Any) -> int:
    """The step limit of the registered ids."""
    return 1000


@rules
def valid(level: Any, state: Any) -> bool:
    """Check for legal places, no overlaps, sorted blocks and no extra bits."""
    rebuilt, board, holes = scratch(LONGEST), scratch(BOARD), scratch(BOARD)
    for word in range(state.size):
        rebuilt[word] = np.uint64(0)
    _rebuild(level, state, rebuilt)
    for word in range(state.size):
        if rebuilt[word] != state[word]:
            return False
    for word in range(level.words):
        board[word] = level.solid[word]
    open_holes(level, state, holes)
    if not (_blocks_fit(level, state, board, holes) and _arms_fit(level, state, board)):
        return False
    return _characters_fit(level, state, board, holes)


@compiled
def _rebuild(level: Any, state: Any, rebuilt: Any) -> None:
    """Re-encode the content of a state."""
    for index in range(level.characters + level.blocks):
        put(rebuilt, index, place(state, index))
    set_active(rebuilt, active(state))
    for turnstile in range(level.turnstiles):
        turn_by(level, rebuilt, turnstile, quarter(level, state, turnstile))
    first, number = 2 * level.turnstiles, 0
    for word in range(level.words):
        holes = level.holes[word]
        while holes != 0:
            holes &= holes - ONE
            if bit(state[level.bits_word :], first + number):
                add(rebuilt[level.bits_word :], first + number)
            number += 1


@compiled
def _blocks_fit(level: Any, state: Any, board: Any, holes: Any) -> bool:
    for block in range(level.blocks):
        corner = place(state, level.characters + block)
        if block > 0 and level.widths[block] == level.widths[block - 1]:
            before = place(state, level.characters + block - 1)
            if level.heights[block] == level.heights[block - 1] and before > corner:
                return False
        if corner == GONE:
            continue
        row, column = corner // level.width, corner % level.width
        if row + level.heights[block] > level.height or column + level.widths[block] > level.width:
            return False
        for down in range(level.heights[block]):
            for right in range(level.widths[block]):
                if bit(board, corner + down * level.width + right):
                    return False
        if over_holes_alone(level, block, corner, holes):
            return False
        add_block(level, block, corner, board)
    return True


@compiled
def _arms_fit(level: Any, state: Any, board: Any) -> bool:
    for turnstile in range(level.turnstiles):
        lying = arms(level, state, turnstile)
        for direction in range(4):
            cell = level.pivots[turnstile] + level.ways[direction]
            if lying >> direction & 1:
                if bit(board, cell):
                    return False
                add(board, cell)
    return True


@compiled
def _characters_fit(level: Any, state: Any, board: Any, holes: Any) -> bool:
    for character in range(level.characters):
        cell = place(state, character)
        if cell == GONE:
            continue
        if cell >= level.width * level.height or bit(board, cell) or bit(holes, cell):
            return False
        add(board, cell)
    who = active(state)
    if solved(level, state):
        return who < level.characters
    return who < level.characters and place(state, who) != GONE


# --- what is seen -----------------------------------------------------------------------------


@rules
def scenery(level: Any, planes: Any) -> None:
    planes[:] = 0
    for cell in range(level.width * level.height):
        place_in_plane = spot(level, cell)
        planes[GROUND * level.plane + place_in_plane] = bit(level.ground, cell)
        planes[HOLE * level.plane + place_in_plane] = bit(level.holes, cell)
    planes[EXIT * level.plane + spot(level, level.exit)] = 1
    for turnstile in range(level.turnstiles):
        planes[PIVOT * level.plane + spot(level, level.pivots[turnstile])] = 1


@rules
def observe(level: Any, state: Any, planes: Any) -> None:
    if fills_planes(level):
        show_at_once(level, state, planes, scratch(1))
        return
    show_pieces(level, state, planes)


@rules
def hopeless(level: Any, state: Any) -> bool:
    """Never: proofs need tables of the level, which only an estimate has (estimate.py)."""
    return False

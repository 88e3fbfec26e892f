"""The game's own keys, compiled: the verbs that make one key an action and one step a move."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import bit, copy_words, same_words
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.planes import erase
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.level import FLOOR_BY_KEYS
from puzzle_envs.kwirk.motion import ILLEGAL, LEAVE, WALK, add_characters, judge, step
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOBODY,
    SWITCH,
    active,
    block_at,
    character_at,
    following,
    is_open_hole,
    open_holes,
    place,
    set_active,
    things,
    turnstile_at,
)
from puzzle_envs.kwirk.seen import fills_planes, show_at_once, show_piece_by_piece
from puzzle_envs.kwirk.strides import list_strides, unfold_stride
from puzzle_envs.kwirk.walking import BOARD
from puzzle_envs.kwirk.whole_moves import sort_characters
from puzzle_envs.verbs import Rules, solved

rules = Rules(FLOOR_BY_KEYS)


@compiled
def _key_kind(level: Any, state: Any, key: int, holes: Any) -> int:
    """The kind of step of a key; writes `holes` only for a push."""
    cell = place(state, active(state))
    target = cell + level.ways[key]
    if target == level.exit:
        return LEAVE
    if bit(level.solid, target) or is_open_hole(level, state, target):
        return ILLEGAL
    if character_at(level, state, target) != NOBODY:
        return ILLEGAL
    if not _pushable_at(level, state, target):
        return WALK
    blocked = scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    add_characters(level, state, blocked, active(state))
    return judge(level, state, blocked, holes, cell, key)


@compiled
def _pushable_at(level: Any, state: Any, cell: int) -> bool:
    """Whether a cell holds a block or an arm."""
    return block_at(level, state, cell) != NOBODY or turnstile_at(level, state, cell) != NOBODY


@compiled
def _press(level: Any, state: Any, key: int) -> tuple[int, int]:
    """Press a key; return its cost, -1 if it does nothing, and whether it pushes."""
    who = active(state)
    if key == SWITCH:
        set_active(state, following(level, state, who))
        return 0 if active(state) != who else -1, 0
    holes = scratch(BOARD)
    kind = _key_kind(level, state, key, holes)
    if kind == ILLEGAL:
        return -1, 0
    step(level, state, holes, who, place(state, who), key, kind)
    return 1, np.int64(kind > LEAVE)


@compiled
def _mark_keys(level: Any, state: Any, blocked: Any, holes: Any, mask: Any) -> int:
    """Mark the legal keys; `blocked` holds the obstacles without characters."""
    who, count = active(state), 0
    add_characters(level, state, blocked, who)
    cell, pushing = place(state, who), 0
    for key in range(4):
        target = cell + level.ways[key]
        stopped, hole = bit(blocked, target), bit(holes, target)
        free = ((stopped | hole) ^ 1) | (target == level.exit)
        mask[key] = free
        count += free
        pushing |= (stopped & ~hole & ~bit(level.solid, target) & 1) << key
    for key in range(4):
        if pushing >> key & 1 and judge(level, state, blocked, holes, cell, key) != ILLEGAL:
            mask[key] = 1
            count += 1
    mask[SWITCH] = following(level, state, who) != who
    return count + mask[SWITCH]


@compiled
def _key_successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    """One step of any character; switching is free, and the active character does not matter."""
    blocked, holes = scratch(BOARD), scratch(BOARD)
    open_holes(level, state, holes)
    found = 0
    for who in range(level.characters):
        cell = place(state, who)
        if cell == GONE:
            continue
        things(level, state, blocked)
        add_characters(level, state, blocked, who)
        for key in range(4):
            kind = judge(level, state, blocked, holes, cell, key)
            if kind == ILLEGAL:
                continue
            if found == rows.shape[0]:
                return -1
            copy_words(state, rows[found])
            step(level, rows[found], holes, who, cell, key, kind)
            sort_characters(level, rows[found])
            costs[found] = 1
            found += 1
    return found


@compiled
def _unfold_step(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """Switch to the character whose step it is."""
    copy_words(state, rows[0])
    for switches in range(level.characters):
        for key in range(4):
            copy_words(rows[0], rows[1])
            cost, _ = _press(level, rows[1], key)
            if cost < 0:
                continue
            sort_characters(level, rows[1])
            if same_words(rows[1], target):
                actions[switches] = key
                return switches + 1
        actions[switches] = SWITCH
        cost, _ = _press(level, rows[0], SWITCH)
        if cost < 0:
            break
    return -1


# --- the verbs --------------------------------------------------------------------------------


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    if solved(level, state):
        erase(mask)
        return 0
    blocked, holes = scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    return _mark_keys(level, state, blocked, holes, mask)


@rules
def show(level: Any, unchanging: Any, state: Any, planes: Any, mask: Any) -> int:
    """If all planes are written at once, the mask reuses the obstacles and holes."""
    blocked, holes = scratch(BOARD), scratch(BOARD)
    if fills_planes(level):
        blocked[0] = show_at_once(level, state, planes, holes)
    else:
        show_piece_by_piece(level, unchanging, state, planes)
        things(level, state, blocked)
        open_holes(level, state, holes)
    if solved(level, state):
        erase(mask)
        return 0
    return _mark_keys(level, state, blocked, holes, mask)


@rules
def apply(level: Any, state: Any, action: int) -> int:
    cost, _ = play(level, state, action)
    return cost


@rules
def play(level: Any, state: Any, action: int) -> tuple[int, int]:
    """The second count is that of pushes."""
    return (-1, 0) if solved(level, state) else _press(level, state, action)


@rules
def canonical(level: Any, state: Any) -> None:
    sort_characters(level, state)


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    if solved(level, state):
        return 0
    if level.strides:
        return list_strides(level, state, rows, costs, False)
    return _key_successors(level, state, rows, costs)


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    if level.strides:
        return unfold_stride(level, state, target, rows, actions)
    return _unfold_step(level, state, target, rows, actions)

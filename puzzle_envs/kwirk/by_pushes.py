"""The paper's pushes, compiled: the verbs that make a push an action and a move."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, count_bits, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.planes import erase, spread, spread_side_by_side
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.level import FLOOR
from puzzle_envs.kwirk.motion import WALK, judge
from puzzle_envs.kwirk.one_word import obstacles, pushing, towards
from puzzle_envs.kwirk.pieces import GONE, NOTHING, open_holes, place, things
from puzzle_envs.kwirk.pushes import (
    aside,
    aside_action,
    aside_of,
    cell_and_way,
    is_push,
    push,
    push_action,
    reach_of,
)
from puzzle_envs.kwirk.seen import fills_planes, show_at_once, show_piece_by_piece
from puzzle_envs.kwirk.walking import BOARD, behind, filled
from puzzle_envs.kwirk.whole_moves import push_successors, settle, unfold_push
from puzzle_envs.verbs import Rules, solved

rules = Rules(FLOOR)


@compiled
def cell_of(level: Any, place_in_plane: int) -> int:
    """The cell at an index of planes and actions; -1 off the floor."""
    if level.stride == level.width:
        return place_in_plane if place_in_plane < level.width * level.height else -1
    row, column = place_in_plane // level.stride, place_in_plane % level.stride
    if row >= level.height or column >= level.width:
        return -1
    return row * level.width + column


@compiled
def _walls_around(level: Any, cell: int) -> bool:
    """Whether a cell is off the floor or a wall."""
    return cell < 0 or not bit(level.ground, cell)


@compiled
def _choose(level: Any, state: Any, action: int) -> tuple[int, int]:
    """Apply an action by pushes; return its cost, -1 if illegal, and its steps."""
    if is_push(level.plane, action):
        place_in_plane, direction = cell_and_way(action)
        cell = cell_of(level, place_in_plane)
        return (-1, 0) if _walls_around(level, cell) else push(level, state, cell, direction)
    who, place_in_plane = aside_of(level.plane, action)
    cell = cell_of(level, place_in_plane)
    if who >= level.characters or _walls_around(level, cell):
        return -1, 0
    return aside(level, state, who, cell)


@compiled
def _mark_at_once(level: Any, state: Any, things_there: Any, holes: Any, mask: Any) -> int:
    """Mark the legal actions on a floor in one word, which fills a plane."""
    cells, width = level.width * level.height, np.uint64(level.width)
    if mask.size > 4 * cells:
        erase(mask)
    leaving, count = towards(ONE << np.uint64(level.exit), width), 0
    up, right, down, left = NOTHING, NOTHING, NOTHING, NOTHING
    for who in range(level.characters):
        if place(state, who) == GONE:
            continue
        blocked = obstacles(level, state, things_there, who)
        here = ONE << np.uint64(place(state, who))
        reach = filled(here, level.ground[0] & ~(blocked | holes), width)
        pushes = pushing(level, state, blocked, holes)
        up |= (pushes.up | leaving.up) & reach
        right |= (pushes.right | leaving.right) & reach
        down |= (pushes.down | leaving.down) & reach
        left |= (pushes.left | leaving.left) & reach
        if level.characters > 1:
            spread(reach ^ here, mask, aside_action(level, who, 0), cells)
            count += count_bits(reach ^ here)
    spread_side_by_side(up, right, down, left, mask, 0, cells)
    return count + count_bits(up) + count_bits(right) + count_bits(down) + count_bits(left)


@compiled
def _mark_pushes(level: Any, state: Any, mask: Any) -> int:
    """Mark the legal actions of all characters."""
    solid, holes, pushable = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    blocked, reach = scratch(BOARD), scratch(BOARD)
    things(level, state, solid)
    open_holes(level, state, holes)
    for word in range(level.words):
        pushable[word] = solid[word] & ~level.solid[word] & ~holes[word]
    add(pushable, level.exit)
    erase(mask)
    count = 0
    for who in range(level.characters):
        if place(state, who) == GONE:
            continue
        reach_of(level, state, solid, holes, who, blocked, reach)
        for word in range(level.words):
            for direction in range(4):
                left = reach[word] & behind(level, pushable, word, direction)
                while left != 0:
                    single = left & (~left + ONE)
                    left ^= single
                    cell = 64 * word + number_of(single)
                    action = push_action(level, cell, direction)
                    if mask[action] != 0:  # another character can do it
                        continue
                    if judge(level, state, blocked, holes, cell, direction) > WALK:
                        mask[action] = 1
                        count += 1
            if level.characters > 1:
                count += _mark_asides(level, state, who, reach, word, mask)
    return count


@compiled
def _mark_asides(level: Any, state: Any, who: int, reach: Any, word: int, mask: Any) -> int:
    count = 0
    left = reach[word]
    while left != 0:
        single = left & (~left + ONE)
        left ^= single
        cell = 64 * word + number_of(single)
        if cell != place(state, who):
            mask[aside_action(level, who, cell)] = 1
            count += 1
    return count


# --- the verbs --------------------------------------------------------------------------------


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    if solved(level, state):
        erase(mask)
        return 0
    if fills_planes(level):
        blocked, holes = scratch(1), scratch(1)
        things(level, state, blocked)
        open_holes(level, state, holes)
        return _mark_at_once(level, state, blocked[0], holes[0], mask)
    return _mark_pushes(level, state, mask)


@rules
def show(level: Any, unchanging: Any, state: Any, planes: Any, mask: Any) -> int:
    """If all planes are written at once, the mask reuses the obstacles and holes."""
    holes, things_there, at_once = scratch(1), NOTHING, fills_planes(level)
    if at_once:
        things_there = show_at_once(level, state, planes, holes)
    else:
        show_piece_by_piece(level, unchanging, state, planes)
    if solved(level, state):
        erase(mask)
        return 0
    if at_once:
        return _mark_at_once(level, state, things_there, holes[0], mask)
    return _mark_pushes(level, state, mask)


@rules
def apply(level: Any, state: Any, action: int) -> int:
    cost, _ = play(level, state, action)
    return cost


@rules
def play(level: Any, state: Any, action: int) -> tuple[int, int]:
    """The second count is that of steps."""
    return (-1, 0) if solved(level, state) else _choose(level, state, action)


@rules
def canonical(level: Any, state: Any) -> None:
    if not solved(level, state):
        settle(level, state)


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    return 0 if solved(level, state) else push_successors(level, state, rows, costs)


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    return unfold_push(level, state, target, rows, actions)

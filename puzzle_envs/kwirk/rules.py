"""The rules of Kwirk, compiled: one engine for the paper's pushes and for the game's keys.

Single steps are in motion.py, walking in walking.py, the paper's pushes in pushes.py, the encoding
of states in pieces.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, copy_words, number_of, same_words
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.planes import spread
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
)
from puzzle_envs.kwirk.level import FLOOR, LONGEST
from puzzle_envs.kwirk.motion import (
    ILLEGAL,
    LEAVE,
    WALK,
    add_characters,
    judge,
    step,
)
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOBODY,
    SWITCH,
    active,
    add_block,
    after,
    arms,
    block_at,
    body,
    character_at,
    filled_holes,
    following,
    is_open_hole,
    open_holes,
    over_holes_alone,
    place,
    put,
    quarter,
    set_active,
    spot,
    things,
    turn_by,
    turnstile_at,
)
from puzzle_envs.kwirk.pushes import (
    aside,
    aside_action,
    aside_of,
    cell_and_way,
    is_push,
    push,
    push_action,
    reach_of,
    steps_to_push,
    walk_of,
)
from puzzle_envs.kwirk.strides import list_strides, unfold_stride
from puzzle_envs.kwirk.walking import BOARD, behind
from puzzle_envs.kwirk.whole_moves import (
    push_successors,
    settle,
    sort_characters,
    unfold_push,
)
from puzzle_envs.verbs import Rules

rules = Rules(FLOOR)


# --- playing by keys --------------------------------------------------------------------------


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
def _press(level: Any, state: Any, key: int) -> int:
    """Press a key; return its cost, -1 if it does nothing."""
    who = active(state)
    if key == SWITCH:
        set_active(state, following(level, state, who))
        return 0 if active(state) != who else -1
    holes = scratch(BOARD)
    kind = _key_kind(level, state, key, holes)
    if kind == ILLEGAL:
        return -1
    step(level, state, holes, who, place(state, who), key, kind)
    return 1


@compiled
def _mark_keys(level: Any, state: Any, mask: Any) -> int:
    blocked, holes = scratch(BOARD), scratch(BOARD)
    who, count = active(state), 0
    things(level, state, blocked)
    open_holes(level, state, holes)
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
            if _press(level, rows[1], key) < 0:
                continue
            sort_characters(level, rows[1])
            if same_words(rows[1], target):
                actions[switches] = key
                return switches + 1
        actions[switches] = SWITCH
        if _press(level, rows[0], SWITCH) < 0:
            break
    return -1


# --- playing by pushes ------------------------------------------------------------------------


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
def _choose(level: Any, state: Any, action: int) -> int:
    """Do an action by pushes; return its cost, -1 if illegal."""
    if is_push(level.plane, action):
        place_in_plane, direction = cell_and_way(action)
        cell = cell_of(level, place_in_plane)
        return -1 if _walls_around(level, cell) else push(level, state, cell, direction)
    who, place_in_plane = aside_of(level.plane, action)
    cell = cell_of(level, place_in_plane)
    if who >= level.characters or _walls_around(level, cell):
        return -1
    return aside(level, state, who, cell)


@compiled
def _keys_pressed(level: Any, state: Any, action: int) -> int:
    """The steps of an action by pushes."""
    if not is_push(level.plane, action):
        who, place_in_plane = aside_of(level.plane, action)
        cell = cell_of(level, place_in_plane)
        if who >= level.characters or _walls_around(level, cell) or place(state, who) == GONE:
            return 0
        return max(walk_of(level, state, who, cell), 0)
    place_in_plane, direction = cell_and_way(action)
    cell = cell_of(level, place_in_plane)
    if _walls_around(level, cell):
        return 0
    return steps_to_push(level, state, cell, direction)


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
    mask[:] = 0
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
def start(level: Any, state: Any) -> None:
    for word in range(state.size):
        state[word] = level.start[word] if word < level.start.size else np.uint64(0)


@rules
def solved(level: Any, state: Any) -> bool:
    return state[0] & level.everyone == 0


@rules
def legal(level: Any, state: Any, mask: Any) -> int:
    if solved(level, state):
        mask[:] = 0
        return 0
    if level.keys:
        return _mark_keys(level, state, mask)
    return _mark_pushes(level, state, mask)


@rules
def apply(level: Any, state: Any, action: int) -> int:
    if solved(level, state):
        return -1
    return _press(level, state, action) if level.keys else _choose(level, state, action)


@rules
def effort(level: Any, state: Any, action: int) -> int:
    """By keys: whether a key pushes. By pushes: the steps of an action."""
    if solved(level, state):
        return 0
    if not level.keys:
        return _keys_pressed(level, state, action)
    return action != SWITCH and _pushable_at(
        level, state, place(state, active(state)) + level.ways[action]
    )


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


# --- observation ------------------------------------------------------------------------------


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
    _show_filled_holes(level, state, planes)
    _show_blocks(level, state, planes)
    for turnstile in range(level.turnstiles):
        lying, pivot = arms(level, state, turnstile), spot(level, level.pivots[turnstile])
        planes[(ARM + 0) * level.plane + pivot - level.stride] |= lying & 1
        planes[(ARM + 1) * level.plane + pivot + 1] |= lying >> 1 & 1
        planes[(ARM + 2) * level.plane + pivot + level.stride] |= lying >> 2 & 1
        planes[(ARM + 3) * level.plane + pivot - 1] |= lying >> 3 & 1
    if solved(level, state):
        return
    who, plane = active(state), CHARACTER
    for turn in range(level.characters):
        cell = place(state, after(level, who, turn))
        if cell != GONE:
            planes[plane * level.plane + spot(level, cell)] = 1
            plane += 1


@compiled
def _show_blocks(level: Any, state: Any, planes: Any) -> None:
    if level.blocks > 0 and level.words == 1 and level.stride == level.width:
        covered, on_right, below = np.uint64(0), np.uint64(0), np.uint64(0)
        for block in range(level.blocks):
            cells = body(level, state, block)
            covered |= cells
            on_right |= cells & (cells >> ONE)
            below |= cells & (cells >> np.uint64(level.width))
        count = level.width * level.height
        spread(covered, planes, BLOCK * level.plane, count)
        spread(on_right, planes, GOES_RIGHT * level.plane, count)
        spread(below, planes, GOES_DOWN * level.plane, count)
        return
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
    first = 2 * level.turnstiles
    for word in range(level.bits_word + (first >> 6), state.size):
        filled = filled_holes(level, state, word)
        while filled != 0:
            single = filled & (~filled + ONE)
            filled ^= single
            cell = level.hole_cells[64 * (word - level.bits_word) - first + number_of(single)]
            planes[HOLE * level.plane + spot(level, cell)] = 0


# --- whole moves ------------------------------------------------------------------------------


@rules
def canonical(level: Any, state: Any) -> None:
    if level.keys:
        sort_characters(level, state)
    elif not solved(level, state):
        settle(level, state)


@rules
def successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    if solved(level, state):
        return 0
    if level.strides:
        return list_strides(level, state, rows, costs, False)
    if level.keys:
        return _key_successors(level, state, rows, costs)
    return push_successors(level, state, rows, costs)


@rules
def hopeless(level: Any, state: Any) -> bool:
    """No check: proofs need tables of the level, which only an estimate has (estimate.py)."""
    return False


@rules
def unfold(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    if level.strides:
        return unfold_stride(level, state, target, rows, actions)
    if level.keys:
        return _unfold_step(level, state, target, rows, actions)
    return unfold_push(level, state, target, rows, actions)

"""The paper's macro-moves: pushes with walking implied, on canonical states.

Characters are interchangeable, and unlabelled walkers in one room can take up any places in it. So
a canonical state only records the number of characters in each room: they stand on its first cells
(paper 4.1.1). A push has one result for every distribution of the others over the rooms it splits
(paper 4.1.3). Who can leave waits: he may as well leave before a later push, and does so where that
push has no room for him at the exit. If all can leave, they do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, copy_words, number_of, remove, same_words
from puzzle_envs.kernels.compiled import compiled, separate
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.level import CHARACTERS
from puzzle_envs.kwirk.motion import (
    ILLEGAL,
    TURN,
    judge,
    sense,
    step,
)
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOBODY,
    arms,
    block_at,
    character_at,
    is_open_hole,
    open_holes,
    place,
    put,
    set_active,
    things,
    turnstile_at,
)
from puzzle_envs.kwirk.pushes import aside_action, push, push_action
from puzzle_envs.kwirk.walking import (
    BOARD,
    behind,
    clear,
    distance,
    flood,
    lowest,
    room_of,
    touches_exit,
    walkable,
)

NO_PUSH = -1
"""The tag of a row that is not the result of a push."""
SCRATCH_ROWS = 4
"""Rows for the states that unfolding a move needs besides the results."""


class Push(NamedTuple):
    """A push and its effect on the piece."""

    cell: int
    """The cell of the character."""
    direction: int
    kind: int


# --- canonical states -------------------------------------------------------------------------


@compiled
def free_of_things(level: Any, state: Any, free: Any) -> None:
    """Write the cells on which a lone character can stand."""
    blocked, holes = scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    walkable(level, blocked, holes, free)


@compiled
def sort_characters(level: Any, state: Any) -> None:
    """Sort the characters by cell, those that left first; the first one becomes active."""
    first = level.characters - 1
    for end in range(1, level.characters):
        cell, index = place(state, end), end
        while index > 0 and place(state, index - 1) > cell:
            put(state, index, place(state, index - 1))
            index -= 1
        put(state, index, cell)
    while first > 0 and place(state, first - 1) != GONE:
        first -= 1
    set_active(state, first if place(state, first) != GONE else 0)


@compiled
def settle(level: Any, state: Any) -> int:
    """Make a state canonical; return the bits of the characters that can leave."""
    free, reach, taken = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    free_of_things(level, state, free)
    clear(level, taken)
    for character in range(level.characters):
        cell = place(state, character)
        if cell != GONE:
            room_of(level, free, cell, reach)
            cell = _first_untaken(level, reach, taken)
            add(taken, cell)
            put(state, character, cell)
    sort_characters(level, state)
    leaving = 0
    for character in range(level.characters):
        if place(state, character) != GONE:
            room_of(level, free, place(state, character), reach)
            if touches_exit(level, reach):
                leaving |= 1 << character
    return leaving


@compiled
def _first_untaken(level: Any, reach: Any, taken: Any) -> int:
    for word in range(level.words):
        left = reach[word] & ~taken[word]
        if left != 0:
            return 64 * word + number_of(left & (~left + ONE))
    return -1


@compiled
def settle_alone(level: Any, state: Any) -> None:
    """The same for a single character, who leaves as soon as possible."""
    free, reach = scratch(BOARD), scratch(BOARD)
    free_of_things(level, state, free)
    room_of(level, free, place(state, 0), reach)
    put(state, 0, GONE if touches_exit(level, reach) else lowest(level, reach))


@compiled
def everybody(level: Any, state: Any) -> int:
    """The bits of the characters still there."""
    there = 0
    for character in range(level.characters):
        if place(state, character) != GONE:
            there |= 1 << character
    return there


@compiled
def finish(level: Any, state: Any) -> None:
    """Make a result canonical. If all can leave, they do: waiting gains nothing."""
    if level.characters == 1:
        settle_alone(level, state)
    elif settle(level, state) == everybody(level, state):
        for character in range(level.characters):
            put(state, character, GONE)
        sort_characters(level, state)


# --- pushes -----------------------------------------------------------------------------------


@separate
def list_pushes(level: Any, state: Any, rows: Any, tags: Any) -> int:
    """Write the results of all pushes, not yet canonical, with 4 * cell + direction as tags.

    The other characters stand where they have to wait. Returns the number of results; -1 if there
    is no room.
    """
    blocked, holes, movable = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    free, reach = scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    walkable(level, blocked, holes, free)
    for word in range(level.words):
        movable[word] = blocked[word] & ~level.solid[word] & ~holes[word]
    clear(level, reach)
    for character in range(level.characters):
        if place(state, character) != GONE:
            add(reach, place(state, character))
    flood(level, free, reach)
    found = 0
    for direction in range(4):
        for word in range(level.words):
            left = reach[word] & behind(level, movable, word, direction)
            while left != 0:
                single = left & (~left + ONE)
                left ^= single
                cell = 64 * word + number_of(single)
                if _as_from_before(level, state, reach, cell, direction):
                    continue
                kind = judge(level, state, blocked, holes, cell, direction)
                if kind == ILLEGAL:
                    continue
                chosen = Push(cell, direction, kind)
                more = _list_results(level, state, free, holes, chosen, rows, tags, found)
                if more < 0:
                    return -1
                found = more
    return found


@compiled
def _as_from_before(level: Any, state: Any, reach: Any, cell: int, direction: int) -> bool:
    """Whether the same push is possible from the cell before, with a result one walk away."""
    target, along = cell + level.ways[direction], 1 if direction & 1 == 0 else level.width
    if not bit(reach, cell - along):
        return False
    block = block_at(level, state, target)
    if block == NOBODY or block_at(level, state, target - along) != block:
        return False
    return not is_open_hole(level, state, target - along)


@compiled
def _list_results(
    level: Any,
    state: Any,
    free: Any,
    holes: Any,
    chosen: Push,
    rows: Any,
    tags: Any,
    found: int,
) -> int:
    """Append the results of one push; return the new count."""
    cell, direction, kind = chosen.cell, chosen.direction, chosen.kind
    if found == rows.shape[0]:
        return -1
    tag = 4 * cell + direction
    if level.characters == 1:
        copy_words(state, rows[found])
        step(level, rows[found], holes, 0, cell, direction, kind)
        tags[found] = tag
        return found + 1
    reach = scratch(BOARD)
    room_of(level, free, cell, reach)
    pusher = 0
    while place(state, pusher) == GONE or not bit(reach, place(state, pusher)):
        pusher += 1
    waiting, after = scratch(BOARD), scratch(BOARD)
    copy_words(state, rows[found])
    step(level, rows[found], holes, pusher, cell, direction, kind)
    free_of_things(level, rows[found], after)
    for word in range(level.words):
        waiting[word] = free[word] & after[word]
    remove(waiting, cell)
    remove(waiting, place(rows[found], pusher))
    if kind == TURN:
        _remove_swept(level, state, cell, direction, waiting)
    spreads = 1
    for other in range(level.characters):
        if other != pusher and place(state, other) != GONE:
            spreads *= _count_rooms(level, free, after, waiting, place(state, other))
    for spread in range(spreads):
        if found == rows.shape[0]:
            return -1
        copy_words(state, rows[found])
        step(level, rows[found], holes, pusher, cell, direction, kind)
        if _spread_others(level, state, free, after, waiting, pusher, spread, rows[found]):
            tags[found] = tag
            found += 1
    return found


@compiled
def _remove_swept(level: Any, state: Any, cell: int, direction: int, waiting: Any) -> None:
    """Rule 6: remove the cells that an arm sweeps, where nobody can wait."""
    lying = turnstile_at(level, state, cell + level.ways[direction])
    turn, pivot = sense(lying & 3, direction), level.pivots[lying >> 2]
    for arm in range(4):
        if arms(level, state, lying >> 2) >> arm & 1:
            remove(waiting, pivot + level.ways[arm] + level.ways[(arm + turn) & 3])


@compiled
def _count_rooms(level: Any, free: Any, after: Any, waiting: Any, cell: int) -> int:
    """The rooms after the push in which a character from this cell may wait, with the way out."""
    left, room = scratch(BOARD), scratch(BOARD)
    room_of(level, free, cell, left)
    count = 0
    if touches_exit(level, left):
        count = 1
    for word in range(level.words):
        left[word] &= waiting[word]
    while True:
        first = lowest(level, left)
        if first < 0:
            return count
        room_of(level, after, first, room)
        for word in range(level.words):
            left[word] &= ~room[word]
        count += 1


@compiled
def _spread_others(
    level: Any,
    state: Any,
    free: Any,
    after: Any,
    waiting: Any,
    pusher: int,
    spread: int,
    row: Any,
) -> bool:
    """Place each of the others where the mixed-radix number `spread` says: in a room, or outside.

    False if that is impossible, or if a character leaves that could also wait at the exit.
    """
    taken, gone = scratch(BOARD), scratch(BOARD)
    clear(level, taken)
    clear(level, gone)
    for other in range(level.characters):
        cell = place(state, other)
        if other == pusher or cell == GONE:
            continue
        count = _count_rooms(level, free, after, waiting, cell)
        if count == 0:
            return False
        rank = spread % count
        spread //= count
        cell = _waiting_place(level, free, after, waiting, taken, cell, rank)
        if cell < 0:
            return False
        put(row, other, cell)
        if cell == GONE:
            add(gone, place(state, other))
        else:
            add(taken, cell)
    return not _in_vain(level, free, after, waiting, taken, gone)


@compiled
def _in_vain(level: Any, free: Any, after: Any, waiting: Any, taken: Any, gone: Any) -> bool:
    """Whether one of those who left might wait instead where he can leave after the push."""
    left, room = scratch(BOARD), scratch(BOARD)
    if lowest(level, gone) < 0:
        return False
    for word in range(level.words):
        left[word] = gone[word]
    flood(level, free, left)
    for word in range(level.words):
        left[word] &= waiting[word] & ~taken[word]
    for word in range(level.words):
        room[word] = left[word]
    flood(level, after, room)
    return touches_exit(level, room)


@compiled
def _waiting_place(
    level: Any, free: Any, after: Any, waiting: Any, taken: Any, cell: int, rank: int
) -> int:
    """A place in a room for a character from this cell: its own if possible.

    If he can leave before the push, rank 0 is outside: GONE. -1 if no place is left.
    """
    left, room = scratch(BOARD), scratch(BOARD)
    room_of(level, free, cell, left)
    if touches_exit(level, left):
        if rank == 0:
            return GONE
        rank -= 1
    for word in range(level.words):
        left[word] &= waiting[word]
    while True:
        room_of(level, after, lowest(level, left), room)
        if rank == 0:
            break
        rank -= 1
        for word in range(level.words):
            left[word] &= ~room[word]
    for word in range(level.words):
        room[word] &= left[word] & ~taken[word]
    return cell if bit(room, cell) else lowest(level, room)


# --- whole moves ------------------------------------------------------------------------------


@compiled
def push_successors(level: Any, state: Any, rows: Any, costs: Any) -> int:
    """Write the canonical results of all pushes, and that of leaving at once, which is free."""
    found = list_pushes(level, state, rows, costs)
    if found < 0 or found == rows.shape[0]:
        return -1
    copy_words(state, rows[found])
    for index in range(found + 1):
        finish(level, rows[index])
        costs[index] = 1 if index < found else 0
    return found + 1


@compiled
def same_when_finished(level: Any, row: Any, target: Any, finished: Any) -> bool:
    """Whether a row is the target once it is canonical; `finished` is scratch."""
    copy_words(row, finished)
    finish(level, finished)
    return same_words(finished, target)


# --- whole moves as actions --------------------------------------------------------------------


@compiled
def unfold_push(level: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """Find the push whose result is the target, and write its actions."""
    found = list_pushes(level, state, rows, actions)
    if found < 0 or found + SCRATCH_ROWS > rows.shape[0]:
        return -1
    copy_words(state, rows[found])
    actions[found] = NO_PUSH
    room = rows[found + 1 :]
    for index in range(found, -1, -1):  # no push first: one that has no visible effect costs more
        if same_when_finished(level, rows[index], target, room[0]):
            tag = actions[index]
            copy_words(state, room[0])
            done = 0
            if tag != NO_PUSH:
                done = _write_push(level, rows[index], tag, room, actions)
            return _write_leaving(level, target, room[0], actions, done)
    return -1


@compiled
def _write_push(level: Any, result: Any, tag: int, room: Any, actions: Any) -> int:
    """Write the walks aside and the push, and do them in room[0]."""
    cell, direction = tag >> 2, tag & 3
    copy_words(room[0], room[1])
    copy_words(result, room[2])
    settle(level, room[2])
    done = 0
    cost, _ = push(level, room[1], cell, direction)
    if cost >= 0:
        settle(level, room[1])
    if not same_words(room[1], room[2]):
        goals = scratch(CHARACTERS)
        _find_goals(level, room[0], result, cell, goals)
        copy_words(room[0], room[1])
        for character in range(level.characters):
            if goals[character] == GONE:
                put(room[1], character, GONE)
        done = _write_leaving(level, room[1], room[0], actions, 0)
        done = _write_asides(level, room[0], goals, actions, done)
    push(level, room[0], cell, direction)
    actions[done] = push_action(level, cell, direction)
    return done + 1


@compiled
def _find_goals(level: Any, state: Any, result: Any, cell: int, goals: Any) -> None:
    """Write the cells required for a push from a cell; GONE for characters that leave before."""
    free = scratch(BOARD)
    free_of_things(level, state, free)
    pusher = 0
    while place(state, pusher) == GONE or distance(level, free, place(state, pusher), cell) < 0:
        pusher += 1
    for character in range(level.characters):
        goals[character] = cell if character == pusher else place(result, character)


@compiled
def _write_asides(level: Any, state: Any, goals: Any, actions: Any, done: int) -> int:
    """Bring a character to each goal, no matter which; return the new number of actions.

    An empty goal is taken by the nearest character without a goal; if others stand on goals in
    between, each of them moves on to the next goal.
    """
    free = scratch(BOARD)
    free_of_things(level, state, free)
    while True:
        goal = -1
        for character in range(level.characters):
            empty = character_at(level, state, np.int64(goals[character])) == NOBODY
            if goals[character] != GONE and empty:
                goal = np.int64(goals[character])
        if goal < 0:
            return done
        who = _who_goes(level, state, free, goals, goal)
        put(state, who, goal)
        set_active(state, who)
        actions[done] = aside_action(level, who, goal)
        done += 1


@compiled
def _who_goes(level: Any, state: Any, free: Any, goals: Any, goal: int) -> int:
    """The first character on a shortest path from an empty goal to the nearest without a goal."""
    nearest, shortest = GONE, -1
    for character in range(level.characters):
        cell = place(state, character)
        placed = False
        for other in range(level.characters):
            placed |= np.int64(goals[other]) == cell
        if cell == GONE or placed:
            continue
        steps = distance(level, free, goal, cell)
        if steps >= 0 and (shortest < 0 or steps < shortest):
            nearest, shortest = cell, steps
    first, closest = NOBODY, shortest + 1
    for character in range(level.characters):
        cell = place(state, character)
        if cell == GONE:
            continue
        steps = distance(level, free, goal, cell)
        if 0 <= steps < closest and steps + distance(level, free, cell, nearest) == shortest:
            first, closest = character, steps
    return first


@compiled
def _write_leaving(level: Any, target: Any, state: Any, actions: Any, done: int) -> int:
    """Let those characters at the exit leave that are not in the target."""
    free, room = scratch(BOARD), scratch(BOARD)
    free_of_things(level, state, free)
    for direction in range(4):
        cell = level.exit - level.ways[direction]
        if not 0 <= cell < level.width * level.height or not bit(free, cell):
            continue
        room_of(level, free, cell, room)
        for _ in range(_standing_in(level, state, room) - _standing_in(level, target, room)):
            push(level, state, cell, direction)
            actions[done] = push_action(level, cell, direction)
            done += 1
    return done


@compiled
def _standing_in(level: Any, state: Any, room: Any) -> int:
    count = 0
    for character in range(level.characters):
        if place(state, character) != GONE:
            count += bit(room, place(state, character))
    return count

"""Opening states, compiled: one table of states for a whole run, and two kinds of frontier.

A row holds a canonical state and one word more, so that states of different sub-goals are
different: the stage, and where the target block lies. What is known of the state lies beside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_agents.layers.costs import (
    EXIT_DISTANCE,
    SCALE,
    exit_distance,
    subgoal_cost,
    unseen_cost,
)
from puzzle_agents.layers.deadlocks import is_deadlock
from puzzle_agents.layers.subgoal_records import EXIT, FILL, MOVE_BLOCK, ROTATE
from puzzle_agents.layers.transitions import (
    ACTOR,
    KEPT,
    TAG,
    VIA,
    list_transitions,
    settle_reached,
)
from puzzle_envs.bitboards import bit, copy_words
from puzzle_envs.compiled import compiled, inlined, kernel
from puzzle_envs.kwirk.level import CHARACTERS
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOBODY,
    block_at,
    is_open_hole,
    place,
    turnstile_at,
)
from puzzle_envs.kwirk.walking import BOARD
from puzzle_envs.level import record_dtype
from puzzle_envs.scratch import scratch
from puzzle_envs.tables import (
    find_state,
    hash_state,
    keep_state,
    load_state,
    number_in,
    take_slot,
)

__all__ = [
    "ACTED",
    "FIELDS",
    "FRONTIER",
    "GOAL",
    "MARKS",
    "PARENT",
    "PROGRESS",
    "enter",
    "open_by_cost",
    "open_on_the_fringe",
]

(
    PARENT, DEPTH, COST, MARKS, PEOPLE_LOW, PEOPLE_HIGH, ACTED, OWNER, PREVIOUS, NEXT
) = range(10)  # fmt: skip
"""Beside a state: the row it came from; g(n); f(n); signs;
the characters' cells; where the one stands who acted last, and who he is; whose frontier it is in;
its neighbours in a linked list, as numbers above those of the rows."""
FIELDS = 10

OPENED, SOLVED, GOAL, DEADLOCK, LISTED, FINDABLE = 1, 2, 4, 8, 16, 32
"""The signs: opened; all characters reach the exit; the aim is reached; no children; in a list; in the slots."""

FIRST_IN, LAST_IN, DEEPEST, = 0, 1, 2
"""Which of equal cost is opened first; DEEPEST: children before siblings, whatever the cost."""

MORE, FOUND, EXHAUSTED, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS, NO_ROOM_IN_HEAP = range(6)

FRONTIER = record_dtype(
    [
        ("number", np.int64),
        ("size", np.int64),  # of the heap
        ("tickets", np.int64),
        ("head", np.int64),  # of the list, as numbers above those of the rows
        ("position", np.int64),
        ("threshold", np.int64),
        ("beyond", np.int64),  # the least cost above the threshold
        ("found", np.int64),  # the row that reaches the aim
        ("cut", np.int64),  # deadlocks
    ]
)
PROGRESS = record_dtype(
    [(name, np.int64) for name in ("registered", "opened", "generated", "expanded")]
)

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
LATEST = 2**32 - 1


# --- rows -------------------------------------------------------------------------------------


@compiled
def _load(layout: Any, level: Any, table: Any, number: int, key: Any, state: Any) -> None:
    """Read a row: its key, and the state with the characters where they stand."""
    load_state(layout, table, number, key)
    first = 2 * key.size
    low, high = table[number, first + PEOPLE_LOW], table[number, first + PEOPLE_HIGH]
    for word in range(state.size):
        state[word] = key[word]
    state[0] = (key[0] & ~level.everyone) | np.uint64(low) | (np.uint64(high) << _HALF)


@compiled
def _keep_reached(level: Any, table: Any, number: int, first: int, reached: Any) -> None:
    column = first + FIELDS
    for character in range(level.characters):
        for word in range(level.words):
            table[number, column] = np.uint32(reached[character, word] & _LOW)
            table[number, column + 1] = np.uint32(reached[character, word] >> _HALF)
            column += 2


@compiled
def _add_reached(level: Any, table: Any, number: int, first: int, seen: Any) -> None:
    """Add a row's reachable cells to what was seen, of each character."""
    column = first + FIELDS
    for character in range(level.characters):
        for word in range(level.words):
            low, high = table[number, column], table[number, column + 1]
            seen[character, word] |= np.uint64(low) | (np.uint64(high) << _HALF)
            column += 2


@compiled
def _gather_seen(level: Any, table: Any, number: int, first: int, window: int, seen: Any) -> None:
    """What each character reached in the last states before a child of this one."""
    for character in range(level.characters):
        for word in range(level.words):
            seen[character, word] = np.uint64(0)
    for _ in range(window):
        _add_reached(level, table, number, first, seen)
        parent = np.int64(table[number, first + PARENT])
        while parent != number and table[parent, first + DEPTH] == table[number, first + DEPTH]:
            number, parent = parent, np.int64(table[parent, first + PARENT])  # another stage's row
        if parent == number:
            return
        number = parent


# --- frontiers --------------------------------------------------------------------------------


@inlined
def _push_heap(heap_keys: Any, heap_rows: Any, frontier: Any, key: Any, row: int) -> None:
    child = frontier.size
    frontier.size += 1
    while child > 0:
        parent = (child - 1) >> 1
        if heap_keys[parent] <= key:
            break
        heap_keys[child], heap_rows[child] = heap_keys[parent], heap_rows[parent]
        child = parent
    heap_keys[child], heap_rows[child] = key, np.uint32(row)


@inlined
def _pop_heap(heap_keys: Any, heap_rows: Any, frontier: Any) -> int:
    """Take the row with the smallest key; -1 for an entry that is no longer valid is not known."""
    top = np.int64(heap_rows[0])
    frontier.size -= 1
    size = frontier.size
    key, row, parent = heap_keys[size], heap_rows[size], 0
    while True:
        child = 2 * parent + 1
        if child >= size:
            break
        if child + 1 < size and heap_keys[child + 1] < heap_keys[child]:
            child += 1
        if heap_keys[child] >= key:
            break
        heap_keys[parent], heap_rows[parent] = heap_keys[child], heap_rows[child]
        parent = child
    heap_keys[parent], heap_rows[parent] = key, row
    return top


@compiled
def _link_after(table: Any, first: int, frontier: Any, row: int, before: int) -> None:
    """Put a row into the list behind another one, -1: at its head."""
    if before >= 0:
        after = np.int64(table[before, first + NEXT])
        table[before, first + NEXT] = row + 1
    else:
        after = frontier.head
        frontier.head = row + 1
    table[row, first + PREVIOUS] = before + 1
    table[row, first + NEXT] = after
    if after > 0:
        table[after - 1, first + PREVIOUS] = row + 1
    table[row, first + MARKS] |= np.uint32(LISTED)


@compiled
def _unlink(table: Any, first: int, frontier: Any, row: int) -> None:
    before, after = np.int64(table[row, first + PREVIOUS]), np.int64(table[row, first + NEXT])
    if before > 0:
        table[before - 1, first + NEXT] = after
    else:
        frontier.head = after
    if after > 0:
        table[after - 1, first + PREVIOUS] = before
    table[row, first + MARKS] &= ~np.uint32(LISTED)


@inlined
def _admit(
    table: Any,
    first: int,
    heap_keys: Any,
    heap_rows: Any,
    frontier: Any,
    row: int,
    before: int,
    ties: int,
    linked: bool,
    opened: int,
) -> None:
    """Put a row into the frontier."""
    if linked:
        _link_after(table, first, frontier, row, before)
        return
    frontier.tickets += 1
    high, low = np.int64(table[row, first + COST]), frontier.tickets
    if ties == LAST_IN:
        low = LATEST - low
    elif ties == DEEPEST:
        high = LATEST - opened
    key = (np.uint64(high) << _HALF) | np.uint64(low)
    _push_heap(heap_keys, heap_rows, frontier, key, row)


# --- aims -------------------------------------------------------------------------------------


@compiled
def _reaches_aim(level: Any, aim: Any, state: Any, reached: Any) -> bool:
    """Whether a state reaches a sub-goal: any goal-position is reachable, or the hole is filled."""
    if aim.kind == EXIT:
        return False
    if aim.kind == FILL:
        for cell in range(level.width * level.height):
            if bit(aim.goals, cell) and is_open_hole(level, state, cell):
                return False
        return True
    for character in range(level.characters):
        for word in range(level.words):
            if reached[character, word] & aim.goals[word] != 0:
                return True
    return False


@compiled
def _pushes_target(level: Any, aim: Any, before: Any, tag: int, target: int) -> bool:
    """Whether a push, by its tag, is one of the sub-goal's obstacle."""
    cell = (tag >> 2) + level.ways[tag & 3]
    if aim.kind == ROTATE:
        lying = turnstile_at(level, before, cell)
        return lying != NOBODY and lying >> 2 == aim.turnstile
    if target == GONE:
        return False
    block = block_at(level, before, cell)
    return block != NOBODY and place(before, level.characters + block) == target


@compiled
def _target_after(level: Any, before: Any, after: Any, tag: int, target: int) -> int:
    """Where the target block lies after it was pushed; GONE: it fell."""
    cell, way = (tag >> 2) + level.ways[tag & 3], level.ways[tag & 3]
    block = block_at(level, before, cell)
    for other in range(level.blocks):
        same = level.widths[other] == level.widths[block]
        same &= level.heights[other] == level.heights[block]
        if same and place(after, level.characters + other) == target + way:
            return target + way
    return GONE


# --- registering ------------------------------------------------------------------------------


@kernel
def enter(
    layout: Any,
    levels: Any,
    aims: Any,
    frontiers: Any,
    table: Any,
    slots: Any,
    heap_keys: Any,
    heap_rows: Any,
    key: Any,
    state: Any,
    reached: Any,
    progress: Any,
    parent: int,
    target: int,
    linked: bool,
    ties: int,
) -> int:
    """Begin a search for an aim at a row's state, or at `state` where there are no rows yet.

    Returns the new row; -1: the stage has begun with the same state before.
    """
    level, aim, frontier, tally = levels[0], aims[0], frontiers[0], progress[0]
    first = 2 * key.size
    number = tally.registered
    if number > 0:
        _load(layout, level, table, parent, key, state)
    solved = settle_reached(level, state, key, reached)
    key[key.size - 1] = np.uint64(aim.stage << 16 | target)
    hashed = hash_state(layout, key)
    slot = find_state(layout, table, slots, key, hashed)
    if number_in(layout, slots, slot) >= 0:
        return -1
    if linked:
        take_slot(layout, slots, slot, hashed, number)
    keep_state(layout, table, number, key)
    for field in range(FIELDS):
        table[number, first + field] = table[parent, first + field] if number > 0 else np.uint32(0)
    _note_people(level, table, number, first, state)
    _keep_reached(level, table, number, first, reached)
    table[number, first + PARENT] = parent
    table[number, first + OWNER] = frontier.number
    marks = (SOLVED if solved else 0) | (FINDABLE if linked else 0)
    if solved or _reaches_aim(level, aim, state, reached):
        marks |= GOAL
    table[number, first + MARKS] = marks
    table[number, first + COST] = table[number, first + DEPTH] * SCALE
    _admit(
        table, first, heap_keys, heap_rows, frontier, number, -1, ties, linked, tally.opened
    )
    frontier.threshold = np.int64(table[number, first + COST])
    tally.registered += 1
    return number


@compiled
def _note_people(level: Any, table: Any, number: int, first: int, state: Any) -> None:
    people = state[0] & level.everyone
    table[number, first + PEOPLE_LOW] = np.uint32(people & _LOW)
    table[number, first + PEOPLE_HIGH] = np.uint32(people >> _HALF)


@inlined
def _register(
    layout: Any,
    level: Any,
    aim: Any,
    frontier: Any,
    table: Any,
    slots: Any,
    heap_keys: Any,
    heap_rows: Any,
    tally: Any,
    parent: int,
    state: Any,
    rows: Any,
    steps: Any,
    index: int,
    key: Any,
    reached: Any,
    seen: Any,
    own_target: int,
    order: Any,
    linked: bool,
) -> None:
    """Take in one child, unless it is known and not nearer than before."""
    heuristic, weight, ties, deadlocks, reopens = order[0], order[2], order[3], order[4], order[5]
    first = 2 * key.size
    row = rows[index]
    solved = settle_reached(level, row, key, reached)
    before = rows[steps[index, VIA]] if steps[index, VIA] >= 0 else state
    tag, target, is_target = steps[index, TAG], own_target, False
    if aim.kind != EXIT:
        is_target = _pushes_target(level, aim, before, tag, own_target)
        if is_target and aim.kind != ROTATE:
            target = _target_after(level, before, row, tag, own_target)
    key[key.size - 1] = np.uint64(aim.stage << 16 | target)
    depth = np.int64(table[parent, first + DEPTH]) + 1
    number = -1
    if linked:
        hashed = hash_state(layout, key)
        slot = find_state(layout, table, slots, key, hashed)
        number = number_in(layout, slots, slot)
        if number < 0:
            take_slot(layout, slots, slot, hashed, tally.registered)
        elif depth >= table[number, first + DEPTH]:
            return
        elif table[number, first + OWNER] != frontier.number:
            return
        elif np.int64(table[number, first + MARKS]) & LISTED != 0:
            _unlink(table, first, frontier, number)
    if number < 0:
        number = tally.registered
        keep_state(layout, table, number, key)
        tally.registered += 1
    actor = steps[index, ACTOR]
    pushed = (tag >> 2) + level.ways[tag & 3]
    if aim.kind != EXIT:
        ahead = subgoal_cost(level, aim, pushed, is_target, target)
    elif heuristic == EXIT_DISTANCE:
        ahead = exit_distance(level, row)
    elif ties == DEEPEST or weight == 0:
        ahead = 0
    else:
        ahead = unseen_cost(level, reached[actor], seen[actor], weight)
    marks = (SOLVED if solved else 0) | (FINDABLE if linked else 0)
    if solved or _reaches_aim(level, aim, row, reached):
        marks |= GOAL
    elif aim.kind == FILL and deadlocks:
        if target == GONE or is_deadlock(level, aim, row, target):
            marks |= DEADLOCK
    table[number, first + PARENT] = parent
    table[number, first + DEPTH] = depth
    table[number, first + COST] = depth * SCALE + ahead if weight != 0 else depth
    table[number, first + MARKS] = marks
    table[number, first + ACTED] = actor << 10 | place(row, actor)
    table[number, first + OWNER] = frontier.number
    _note_people(level, table, number, first, row)
    _keep_reached(level, table, number, first, reached)
    _admit(
        table, first, heap_keys, heap_rows, frontier, number, parent, ties, linked, tally.opened
    )
    if marks & GOAL != 0 and order[6] and frontier.found < 0:
        frontier.found = number


@inlined
def _open(
    layout: Any,
    level: Any,
    aim: Any,
    frontier: Any,
    table: Any,
    slots: Any,
    heap_keys: Any,
    heap_rows: Any,
    tally: Any,
    number: int,
    key: Any,
    state: Any,
    rows: Any,
    tags: Any,
    steps: Any,
    reached: Any,
    seen: Any,
    order: Any,
    linked: bool,
) -> int:
    """Generate the children of a row: those of the sub-goal's obstacle first (move ordering)."""
    first = 2 * key.size
    window, only_blocking = order[1], order[7]
    _load(layout, level, table, number, key, state)
    target = np.int64(key[key.size - 1] & np.uint64(0xFFFF))
    found = list_transitions(level, state, rows, tags, steps, only_blocking)
    if found < 0:
        return NO_ROOM_FOR_ROWS
    if aim.kind == EXIT and order[0] != EXIT_DISTANCE and order[2] != 0:
        _gather_seen(level, table, number, first, window, seen)
    ordered = aim.kind != EXIT
    for turn in range(2 if ordered else 1):
        others = ordered and (turn == 1) != linked  # a list takes the last child first
        for count in range(found):
            index = found - 1 - count if linked else count
            if not steps[index, KEPT]:
                continue
            if ordered:
                before = rows[steps[index, VIA]] if steps[index, VIA] >= 0 else state
                if _pushes_target(level, aim, before, steps[index, TAG], target) == others:
                    continue
            tally.generated += 1
            _register(
                layout, level, aim, frontier, table, slots, heap_keys, heap_rows, tally, number,
                state, rows, steps, index, key, reached, seen, target, order, linked,
            )  # fmt: skip
    return MORE


@kernel
def fill_slots(layout: Any, table: Any, count: int, slots: Any, key: Any) -> None:
    """Number again, in empty slots, the rows that were in slots."""
    for number in range(count):
        if np.int64(table[number, 2 * key.size + MARKS]) & FINDABLE != 0:
            load_state(layout, table, number, key)
            hashed = hash_state(layout, key)
            take_slot(layout, slots, find_state(layout, table, slots, key, hashed), hashed, number)


# --- searching --------------------------------------------------------------------------------


@kernel
def open_by_cost(
    layout: Any,
    levels: Any,
    aims: Any,
    frontiers: Any,
    table: Any,
    slots: Any,
    room: int,
    heap_keys: Any,
    heap_rows: Any,
    progress: Any,
    key: Any,
    state: Any,
    rows: Any,
    tags: Any,
    steps: Any,
    reached: Any,
    seen: Any,
    order: Any,
    states: int,
) -> int:
    """Open so many states, always the one of the lowest cost; say why it stopped."""
    level, aim, frontier, tally = levels[0], aims[0], frontiers[0], progress[0]
    first = 2 * key.size
    end = tally.opened + states
    while tally.opened < end:
        if frontier.size == 0:
            return EXHAUSTED
        if tally.registered + rows.shape[0] > room:
            return NO_ROOM_FOR_STATES
        if frontier.size + rows.shape[0] > heap_rows.size:
            return NO_ROOM_IN_HEAP
        entry, number = heap_keys[0], _pop_heap(heap_keys, heap_rows, frontier)
        marks = np.int64(table[number, first + MARKS])
        table[number, first + MARKS] = marks | OPENED
        if marks & GOAL != 0:
            tally.opened += 1
            frontier.found = number
            return FOUND
        load_state(layout, table, number, key)
        hashed = hash_state(layout, key)
        slot = find_state(layout, table, slots, key, hashed)
        if number_in(layout, slots, slot) >= 0:
            tally.opened += 1
            continue
        if marks & DEADLOCK != 0:
            tally.opened += 1
            frontier.cut += 1
            continue
        reason = _open(
            layout, level, aim, frontier, table, slots, heap_keys, heap_rows, tally, number, key,
            state, rows, tags, steps, reached, seen, order, False,
        )  # fmt: skip
        if reason != MORE:
            _push_heap(heap_keys, heap_rows, frontier, entry, number)
            return reason
        take_slot(layout, slots, slot, hashed, number)
        table[number, first + MARKS] |= np.uint32(FINDABLE)
        tally.opened += 1
        tally.expanded += 1
        if order[6] and frontier.found >= 0:
            return FOUND
    return MORE


@kernel
def open_on_the_fringe(
    layout: Any,
    levels: Any,
    aims: Any,
    frontiers: Any,
    table: Any,
    slots: Any,
    room: int,
    heap_keys: Any,
    heap_rows: Any,
    progress: Any,
    key: Any,
    state: Any,
    rows: Any,
    tags: Any,
    steps: Any,
    reached: Any,
    seen: Any,
    order: Any,
    states: int,
) -> int:
    """Fringe search (Björnsson et al., Figure 2) for so many states; say why it stopped."""
    level, aim, frontier, tally = levels[0], aims[0], frontiers[0], progress[0]
    first = 2 * key.size
    end = tally.opened + states
    while tally.opened < end:
        if frontier.position == 0:
            if frontier.head == 0:
                return EXHAUSTED
            frontier.threshold = max(frontier.threshold, frontier.beyond)
            frontier.beyond, frontier.position = np.int64(2) ** 40, frontier.head
        if tally.registered + rows.shape[0] > room:
            return NO_ROOM_FOR_STATES
        number = frontier.position - 1
        cost = np.int64(table[number, first + COST])
        if cost > frontier.threshold:
            frontier.beyond = min(frontier.beyond, cost)
            frontier.position = np.int64(table[number, first + NEXT])
            continue
        marks = np.int64(table[number, first + MARKS])
        if marks & (GOAL | DEADLOCK) == 0:
            reason = _open(
                layout, level, aim, frontier, table, slots, heap_keys, heap_rows, tally, number,
                key, state, rows, tags, steps, reached, seen, order, True,
            )  # fmt: skip
            if reason != MORE:
                return reason
            tally.expanded += 1
        table[number, first + MARKS] |= np.uint32(OPENED)
        tally.opened += 1
        frontier.position = np.int64(table[number, first + NEXT])
        _unlink(table, first, frontier, number)
        if marks & GOAL != 0:
            frontier.found = number
            return FOUND
        frontier.cut += marks & DEADLOCK != 0
    return MORE

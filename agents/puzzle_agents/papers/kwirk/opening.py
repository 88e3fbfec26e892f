"""Opening states, compiled: one table of states for a whole run, and two kinds of frontier.

A row holds a canonical state and a word with the stage and the cell of the target block, so that
states of different sub-goals differ. The other data of a state are in the same row.

Ordered frontiers (breadth-first, depth-first, A*) get a row for every state-transition, and
duplicates are detected when they are taken from the frontier: so the paper counts opened states.
Fringe search has one row for each state, as in its pseudo-code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.papers.kwirk.aims import (
    EXIT,
    FILL,
    ROTATE,
    pushes_target,
    reaches_aim,
    target_after,
)
from puzzle_agents.papers.kwirk.costs import SCALE, exit_distance, subgoal_cost, unseen_cost
from puzzle_agents.papers.kwirk.deadlocks import is_deadlock
from puzzle_agents.papers.kwirk.transitions import (
    ACTOR,
    KEPT,
    TAG,
    VIA,
    Transitions,
    list_transitions,
    settle_reached,
)
from puzzle_envs.kernels.compiled import compiled, inlined, kernel
from puzzle_envs.kwirk.pieces import place
from puzzle_envs.level import Words, record_dtype
from puzzle_envs.states.reasons import (
    EXHAUSTED,
    FOUND,
    MORE,
    NO_ROOM_FOR_ROWS,
    NO_ROOM_FOR_STATES,
    NO_ROOM_IN_HEAP,
)
from puzzle_envs.states.tables import (
    Memory,
    find_state,
    hash_state,
    keep_state,
    load_state,
    number_in,
    take_slot,
)
from puzzle_envs.verbs import LevelRecord, State

PARENT, DEPTH, COST, MARKS, PEOPLE_LOW, PEOPLE_HIGH, ACTED, OWNER, PREVIOUS, NEXT = range(10)
"""The fields beside a state: its parent's row; g(n); f(n); marks; the characters' cells, in two
halves; the cell of the one who acted last; the search in whose frontier it is; its neighbours in
the linked list, as row numbers plus 1. Then come each character's reachable cells."""
FIELDS = 10

SOLVED, REACHED, DEADLOCK, LISTED, FINDABLE = 1, 2, 4, 8, 16
"""The marks: all characters reach the exit; the aim is reached; a dead end; in the linked list; in
the hash table."""

UNSEEN, EXIT_DISTANCE, NOTHING = range(3)
"""The cost functions of the simple solvers; breadth-first and depth-first search have none."""

FRONTIER = record_dtype(
    [
        ("number", np.int64),
        ("size", np.int64),  # size of the heap
        ("tickets", np.int64),  # given to what came into the heap
        ("head", np.int64),  # of the list, as numbers above those of the rows
        ("position", np.int64),
        ("threshold", np.int64),
        ("beyond", np.int64),  # the least cost above the threshold
        ("found", np.int64),  # row that reaches the aim
        ("deadlocks", np.int64),  # rows without children
    ]
)
TALLY = record_dtype(
    [
        ("registered", np.int64),  # rows
        ("opened", np.int64),  # the paper's s
        ("expanded", np.int64),  # states whose transitions were generated
        ("generated", np.int64),
    ]
)

_LOW, _HALF, _TARGET = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0xFFFF)
STAGE_SHIFT = 16
LATEST = 2**32 - 1
NEVER = 2**40


class Order(NamedTuple):
    """The order in which states are opened."""

    heuristic: int = UNSEEN
    window: int = 10
    """Number of predecessors to compare with, for newly reached cells."""
    depth_first: bool = False
    """Whether children of the row opened last come first."""
    linked: bool = False
    """Whether the frontier is the linked list of Fringe search, not a heap."""
    deadlocks: bool = True
    """Whether deadlocks are detected."""


class Heap(NamedTuple):
    """An ordered frontier: rows by their keys."""

    keys: Words
    rows: npt.NDArray[np.uint32]


class Run(NamedTuple):
    """The inputs and counters of a search; arrays have one record."""

    levels: np.ndarray
    aims: np.ndarray
    frontiers: np.ndarray
    order: Order
    tallies: np.ndarray


class Work(NamedTuple):
    """Scratch."""

    key: State
    state: State
    seen: Words
    """The cells that each character reached in the last predecessors."""


# --- rows -------------------------------------------------------------------------------------


@compiled
def _load(level: LevelRecord, memory: Memory, number: int, key: State, state: State) -> None:
    """Read a row: its key, and the state with the characters where they stand."""
    load_state(memory, number, key)
    table, first = memory.table, 2 * key.size
    low, high = table[number, first + PEOPLE_LOW], table[number, first + PEOPLE_HIGH]
    for word in range(state.size):
        state[word] = key[word]
    state[0] = (key[0] & ~level.everyone) | np.uint64(low) | (np.uint64(high) << _HALF)


@compiled
def _keep(level: Any, table: Any, number: int, first: int, state: Any, reached: Any) -> None:
    """Write the characters' cells and reachable cells into a row."""
    people = state[0] & level.everyone
    table[number, first + PEOPLE_LOW] = np.uint32(people & _LOW)
    table[number, first + PEOPLE_HIGH] = np.uint32(people >> _HALF)
    column = first + FIELDS
    for character in range(level.characters):
        for word in range(level.words):
            table[number, column] = np.uint32(reached[character, word] & _LOW)
            table[number, column + 1] = np.uint32(reached[character, word] >> _HALF)
            column += 2


@compiled
def _gather_seen(level: Any, table: Any, number: int, first: int, window: int, seen: Any) -> None:
    """4.2.4: what each character reached in the last predecessors of a row's children."""
    for character in range(level.characters):
        for word in range(level.words):
            seen[character, word] = np.uint64(0)
    for _ in range(window):
        column = first + FIELDS
        for character in range(level.characters):
            for word in range(level.words):
                low, high = table[number, column], table[number, column + 1]
                seen[character, word] |= np.uint64(low) | (np.uint64(high) << _HALF)
                column += 2
        depth = np.int64(table[number, first + DEPTH])
        if depth == 0:
            return
        while np.int64(table[number, first + DEPTH]) == depth:  # the same state in two stages
            number = np.int64(table[number, first + PARENT])


# --- frontiers --------------------------------------------------------------------------------


@inlined
def _push_heap(heap: Heap, frontier: Any, key: Any, row: int) -> None:
    keys, rows = heap.keys, heap.rows
    child = frontier.size
    frontier.size += 1
    while child > 0:
        parent = (child - 1) >> 1
        if keys[parent] <= key:
            break
        keys[child], rows[child] = keys[parent], rows[parent]
        child = parent
    keys[child], rows[child] = key, np.uint32(row)


@inlined
def _pop_heap(heap: Heap, frontier: Any) -> int:
    """Remove the row with the smallest key."""
    keys, rows = heap.keys, heap.rows
    top = np.int64(rows[0])
    frontier.size -= 1
    size = frontier.size
    key, row, parent = keys[size], rows[size], 0
    while True:
        child = 2 * parent + 1
        if child >= size:
            break
        if child + 1 < size and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[parent], rows[parent] = keys[child], rows[child]
        parent = child
    keys[parent], rows[parent] = key, row
    return top


@compiled
def _link(table: Any, first: int, frontier: Any, row: int, before: int) -> None:
    """Insert a row into the list behind another one, or at its head (-1)."""
    if before >= 0:
        after = np.int64(table[before, first + NEXT])
        table[before, first + NEXT] = row + 1
    else:
        after = np.int64(frontier.head)
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
    table[row, first + MARKS] &= np.uint32(~LISTED & LATEST)


@compiled
def _admit(
    table: Any,
    first: int,
    heap: Heap,
    frontier: Any,
    row: int,
    before: int,
    order: Any,
    opened: int,
) -> None:
    """Insert a row into the frontier; into a list behind the row `before`."""
    if order.linked:
        _link(table, first, frontier, row, before)
        return
    frontier.tickets += 1
    high, low = np.int64(table[row, first + COST]), np.int64(frontier.tickets)
    if order.depth_first:
        high = LATEST - opened
    _push_heap(heap, frontier, (np.uint64(high) << _HALF) | np.uint64(low), row)


# --- targets ----------------------------------------------------------------------------------


@compiled
def _follow_target(
    level: LevelRecord, aim: Any, state: State, moves: Transitions, index: int, target: int
) -> tuple[bool, int]:
    """Whether a transition pushes the sub-goal's obstacle, and the corner of its block then.

    A combo-push is followed step by step.
    """
    rows, steps = moves.rows, moves.steps
    length, at, is_target = 0, index, False
    while at >= 0:
        length += 1
        at = steps[at, VIA]
    for done in range(length):
        at = index
        for _ in range(length - 1 - done):
            at = steps[at, VIA]
        before = rows[steps[at, VIA]] if steps[at, VIA] >= 0 else state
        if pushes_target(level, aim, before, steps[at, TAG], target):
            is_target = True
            if aim.kind != ROTATE:
                target = target_after(level, before, rows[at], steps[at, TAG], target)
    return is_target, target


# --- registering ------------------------------------------------------------------------------


@kernel
def enter(
    run: Run, memory: Memory, heap: Heap, work: Work, moves: Transitions, parent: int, target: int
) -> int:
    """Begin a search for an aim at a row's state, or at the state in `work` (-1).

    Returns the new row, or -1 if its stage has had this state before.
    """
    level, aim, frontier = run.levels[0], run.aims[0], run.frontiers[0]
    order, tally = run.order, run.tallies[0]
    table, key, state = memory.table, work.key, work.state
    first, number, reached = 2 * key.size, tally.registered, moves.reached[0]
    if parent >= 0:
        _load(level, memory, parent, key, state)
    solved = settle_reached(level, state, key[: state.size], reached)
    key[state.size] = np.uint64(aim.stage << STAGE_SHIFT | target)
    hashed = hash_state(memory.layout, key)
    slot = find_state(memory, key, hashed)
    if number_in(memory, slot) >= 0:
        return -1
    keep_state(memory, number, key)
    depth, acted = np.int64(0), np.int64(place(state, 0))
    if parent >= 0:
        depth = np.int64(table[parent, first + DEPTH])
        acted = np.int64(table[parent, first + ACTED])
    marks = SOLVED if solved else 0
    if solved or reaches_aim(level, aim, state, reached):
        marks |= REACHED
    if order.linked:
        take_slot(memory, slot, hashed, number)
        marks |= FINDABLE
    table[number, first + PARENT], table[number, first + DEPTH] = max(parent, 0), depth
    table[number, first + COST], table[number, first + MARKS] = depth * SCALE, marks
    table[number, first + ACTED], table[number, first + OWNER] = acted, frontier.number
    _keep(level, table, number, first, state, reached)
    _admit(table, first, heap, frontier, number, -1, order, tally.opened)
    frontier.threshold = depth * SCALE
    tally.registered += 1
    return number


@compiled
def _register(
    run: Run,
    memory: Memory,
    heap: Heap,
    work: Work,
    moves: Transitions,
    parent: int,
    index: int,
    own_target: int,
) -> None:
    """Register a child; in Fringe search, unless it is known at no higher cost."""
    level, aim, frontier = run.levels[0], run.aims[0], run.frontiers[0]
    order, tally = run.order, run.tallies[0]
    table, key, state, seen = memory.table, work.key, work.state, work.seen
    steps, all_leave = moves.steps, moves.all_leave
    row, reached, first = moves.rows[index], moves.reached[index], 2 * key.size
    target, is_target, tag = own_target, False, steps[index, TAG]
    if aim.kind != EXIT:
        is_target, target = _follow_target(level, aim, state, moves, index, own_target)
    for word in range(state.size):
        key[word] = moves.keys[index, word]
    key[state.size] = np.uint64(aim.stage << STAGE_SHIFT | target)
    depth, number = np.int64(table[parent, first + DEPTH]) + 1, -1
    if order.linked:
        hashed = hash_state(memory.layout, key)
        slot = find_state(memory, key, hashed)
        number = number_in(memory, slot)
        if number < 0:
            take_slot(memory, slot, hashed, tally.registered)
        elif not (
            depth < table[number, first + DEPTH] and table[number, first + OWNER] == frontier.number
        ):
            return
        elif np.int64(table[number, first + MARKS]) & LISTED != 0:
            _unlink(table, first, frontier, number)
    if number < 0:
        number = tally.registered
        keep_state(memory, number, key)
        tally.registered += 1
    actor, marks = steps[index, ACTOR], SOLVED if all_leave[index] else 0
    if order.linked:
        marks |= FINDABLE
    if all_leave[index] or reaches_aim(level, aim, row, reached):
        marks |= REACHED
    elif aim.kind == FILL and order.deadlocks and is_deadlock(level, aim, row, target):
        marks |= DEADLOCK
    ahead = 0
    if aim.kind != EXIT:
        ahead = subgoal_cost(level, aim, (tag >> 2) + level.ways[tag & 3], is_target, target)
    elif order.heuristic == EXIT_DISTANCE:
        ahead = exit_distance(level, row)
    elif order.heuristic == UNSEEN:
        ahead = unseen_cost(level, reached[actor], seen[actor])
    table[number, first + PARENT], table[number, first + DEPTH] = parent, depth
    table[number, first + COST], table[number, first + MARKS] = depth * SCALE + ahead, marks
    table[number, first + ACTED] = place(row, actor)
    table[number, first + OWNER] = frontier.number
    _keep(level, table, number, first, row, reached)
    _admit(table, first, heap, frontier, number, parent, order, tally.opened)


@compiled
def _expand(
    run: Run, memory: Memory, heap: Heap, work: Work, moves: Transitions, number: int
) -> bool:
    """Generate the children of a row, those of the sub-goal's obstacle first (4.3.2).

    Returns False if there is no room for them.
    """
    level, aim, order, tally = run.levels[0], run.aims[0], run.order, run.tallies[0]
    key, state, steps = work.key, work.state, moves.steps
    _load(level, memory, number, key, state)
    target = np.int64(key[state.size] & _TARGET)
    found = list_transitions(level, state, moves, True)
    if found < 0:
        return False
    if aim.kind == EXIT and order.heuristic == UNSEEN:
        _gather_seen(level, memory.table, number, 2 * key.size, order.window, work.seen)
    for turn in range(1 if aim.kind == EXIT else 2):
        of_target = (turn == 0) != order.linked  # what a list gets last comes first
        for count in range(found):
            index = found - 1 - count if order.linked else count
            if not steps[index, KEPT]:
                continue
            if (
                aim.kind != EXIT
                and of_target != (_follow_target(level, aim, state, moves, index, target)[0])
            ):
                continue
            tally.generated += 1
            _register(run, memory, heap, work, moves, number, index, target)
    tally.expanded += 1
    return True


@kernel
def fill_slots(memory: Memory, count: int, key: State) -> None:
    """Rebuild the hash table of the rows that it finds. `key` is scratch."""
    for number in range(count):
        if np.int64(memory.table[number, 2 * key.size + MARKS]) & FINDABLE != 0:
            load_state(memory, number, key)
            hashed = hash_state(memory.layout, key)
            take_slot(memory, find_state(memory, key, hashed), hashed, number)


# --- searching --------------------------------------------------------------------------------


@kernel
def open_in_order(
    run: Run, memory: Memory, heap: Heap, work: Work, moves: Transitions, states: int
) -> int:
    """Open this many states in the order of the heap; return the reason to stop."""
    frontier, tally = run.frontiers[0], run.tallies[0]
    table, key, most = memory.table, work.key, moves.rows.shape[0]
    marks_field = 2 * key.size + MARKS
    end = tally.opened + states
    while tally.opened < end:
        if frontier.size == 0:
            return EXHAUSTED
        if tally.registered + most > memory.room:
            return NO_ROOM_FOR_STATES
        if frontier.size + most > heap.keys.size:
            return NO_ROOM_IN_HEAP
        entry, number = heap.keys[0], _pop_heap(heap, frontier)
        marks = np.int64(table[number, marks_field])
        load_state(memory, number, key)
        hashed = hash_state(memory.layout, key)
        slot = find_state(memory, key, hashed)
        if number_in(memory, slot) >= 0:  # opened before
            tally.opened += 1
            continue
        if marks & (REACHED | DEADLOCK) == 0 and not _expand(
            run, memory, heap, work, moves, number
        ):
            _push_heap(heap, frontier, entry, number)
            return NO_ROOM_FOR_ROWS
        take_slot(memory, slot, hashed, number)
        table[number, marks_field] |= np.uint32(FINDABLE)
        tally.opened += 1
        if marks & REACHED != 0:
            frontier.found = number
            return FOUND
        frontier.deadlocks += marks & DEADLOCK != 0
    return MORE


@kernel
def open_on_the_fringe(
    run: Run, memory: Memory, heap: Heap, work: Work, moves: Transitions, states: int
) -> int:
    """Open this many states in the order of Fringe search; return the reason to stop.

    This is the pseudo-code of Björnsson et al.; the list before `position` is its "later" list, the
    rest its "now" list.
    """
    frontier, tally = run.frontiers[0], run.tallies[0]
    table, first, most = memory.table, 2 * work.key.size, moves.rows.shape[0]
    end = tally.opened + states
    while tally.opened < end:
        if frontier.position == 0:
            if frontier.head == 0:
                return EXHAUSTED
            if frontier.beyond != NEVER:
                frontier.threshold = max(frontier.threshold, frontier.beyond)
            frontier.beyond, frontier.position = np.int64(NEVER), frontier.head
        if tally.registered + most > memory.room:
            return NO_ROOM_FOR_STATES
        number = frontier.position - 1
        cost = np.int64(table[number, first + COST])
        if cost > frontier.threshold:
            frontier.beyond = min(frontier.beyond, cost)
            frontier.position = np.int64(table[number, first + NEXT])
            continue
        marks = np.int64(table[number, first + MARKS])
        if marks & (REACHED | DEADLOCK) == 0 and not _expand(
            run, memory, heap, work, moves, number
        ):
            return NO_ROOM_FOR_ROWS
        tally.opened += 1
        frontier.position = np.int64(table[number, first + NEXT])
        _unlink(table, first, frontier, number)
        if marks & REACHED != 0:
            frontier.found = number
            return FOUND
        frontier.deadlocks += marks & DEADLOCK != 0
    return MORE

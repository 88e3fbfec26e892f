"""A relaxed plan: actions that bring all characters out if no fact is ever deleted.

The relaxation (relaxation.py) stores for each fact the operator that first reached it. Traced back
from the exit, these operators, and those that achieve their preconditions, are a plan. Its length
is the heuristic of the planner FF: never infinite if there is a solution, but inadmissible.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit
from puzzle_envs.kernels.compiled import inlined, separate
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.level import BLOCKS, CELLS, TURNSTILES
from puzzle_envs.kwirk.pieces import arms_after, place, quarter
from puzzle_envs.kwirk.relaxation import (
    BEGAN_WORDS,
    BLOCK_WORDS,
    CAME,
    CARRIED,
    CAUSE_WORDS,
    EACH,
    FILL_TIMES,
    FILLED,
    FREE_BEGAN,
    FREED,
    HOLLOW,
    LANDED_WORDS,
    LONG_AGO,
    NEVER_YET,
    OPEN_BEGAN,
    PADDED,
    REACH_WORDS,
    REFILLED,
    TIME_WORDS,
    TURNED,
    TURNS,
    TWO_EACH,
    Facts,
    begin,
    corner_of,
    front,
    landing_of,
    pusher_of,
    rear,
    relax,
    side_of,
)
from puzzle_envs.kwirk.walking import BOARD, clear
from puzzle_envs.verbs import NEVER

LONGEST_PLAN = 4096
MARK_WORDS = 4 * BLOCKS * BOARD
"""Longer plans count as this long."""


class Plan(NamedTuple):
    """The plan so far, and which facts are already demanded."""

    actions: Any
    """Operators, in the order in which they were demanded, backwards from the exit."""
    counts: Any
    """How many there are."""
    marked: Any
    """The pushes in the plan: a bit for each, by block and direction."""
    turned: Any
    """The same for the turns of each turnstile."""
    walked: Any
    """For each room, the cells that a character must reach."""


@separate
def relaxed_plan(level: Any, findings: Any, state: Any, actions: Any) -> int:
    """Write a relaxed plan, its last actions first; return its length.

    NEVER: there is none, and hence no solution.
    """
    facts = Facts(
        scratch(PADDED),
        scratch(BOARD),
        scratch(BOARD),
        scratch(REACH_WORDS),
        scratch(LANDED_WORDS),
        scratch(BLOCK_WORDS),
        scratch(TWO_EACH),
        scratch(CAUSE_WORDS),
        scratch(TIME_WORDS),
        scratch(BEGAN_WORDS),
    )
    rooms = begin(level, findings, state, facts)
    if not relax(level, state, facts, rooms):
        return NEVER
    marked, turned, walked = scratch(MARK_WORDS), scratch(TURNSTILES), scratch(LANDED_WORDS)
    plan = Plan(actions, scratch(1), marked, turned, walked)
    return trace(level, state, facts, rooms, plan)


@inlined
def trace(level: Any, state: Any, facts: Facts, rooms: int, plan: Plan) -> int:
    """Write the plan; return its length."""
    plan.counts[0] = np.uint64(0)
    for index in range(4 * level.blocks * level.words):
        plan.marked[index] = np.uint64(0)
    for turnstile in range(level.turnstiles):
        plan.turned[turnstile] = np.uint64(0)
    for room in range(rooms):
        clear(level, plan.walked[room * BOARD :])
        nearest, soonest = 0, NEVER_YET
        for direction in range(4):
            cell = level.exit - level.ways[direction]
            time = _time_reached(facts, room, cell)
            if time < soonest:
                nearest, soonest = cell, time
        _walk_back(level, facts, plan, room, nearest)
    done = 0
    while done < np.int64(plan.counts[0]):
        operator = np.int64(plan.actions[done])
        if operator < TURNS:
            _need_of_push(level, state, facts, rooms, plan, operator)
        else:
            _need_of_turn(level, state, facts, rooms, plan, operator - TURNS)
        done += 1
    return done


@inlined
def _demand(level: Any, plan: Plan, operator: int) -> None:
    """Add an operator to the plan."""
    if operator < TURNS:
        marked = plan.marked[(operator >> 10) * level.words :]
        if bit(marked, operator & (CELLS - 1)):
            return
        add(marked, operator & (CELLS - 1))
    else:
        turn = operator - TURNS
        single = ONE << np.uint64(turn & 31)
        if plan.turned[turn >> 5] & single != 0:
            return
        plan.turned[turn >> 5] |= single
    count = np.int64(plan.counts[0])
    if count < plan.actions.size:
        plan.actions[count] = np.uint64(operator)
        plan.counts[0] = np.uint64(count + 1)


@inlined
def _demand_free(level: Any, facts: Facts, plan: Plan, cell: int) -> None:
    """Demand that a cell is free."""
    if not bit(facts.began[FREE_BEGAN:], cell):
        _demand(level, plan, np.int64(facts.causes[FREED + cell]))


@inlined
def _demand_firm(level: Any, facts: Facts, plan: Plan, cell: int) -> None:
    """Demand that a cell is not an open hole."""
    if bit(facts.began[OPEN_BEGAN:], cell):
        _demand(level, plan, np.int64(facts.causes[FILLED + cell]))


# --- walks ------------------------------------------------------------------------------------


@inlined
def _time_reached(facts: Facts, room: int, cell: int) -> int:
    if not bit(facts.reach[room * BOARD :], cell):
        return NEVER_YET
    if bit(facts.began[room * BOARD :], cell):
        return LONG_AGO
    return np.int64(facts.times[room * CELLS + cell])


@inlined
def _walk_back(level: Any, facts: Facts, plan: Plan, room: int, cell: int) -> None:
    """Demand what a character of a room needs to walk to a cell."""
    walked = plan.walked[room * BOARD :]
    while not bit(facts.began[room * BOARD :], cell) and not bit(walked, cell):
        add(walked, cell)
        _demand_free(level, facts, plan, cell)
        _demand_firm(level, facts, plan, cell)
        if bit(facts.landed[room * BOARD :], cell):
            _demand(level, plan, np.int64(facts.causes[CARRIED + room * CELLS + cell]))
            return
        before, soonest = cell, NEVER_YET
        for direction in range(4):
            near = cell + level.ways[direction]
            time = _time_reached(facts, room, near)
            if time < soonest:
                before, soonest = near, time
        cell = before


@inlined
def _bring_somebody(level: Any, facts: Facts, rooms: int, plan: Plan, cell: int) -> None:
    """Demand that the first character that can reach a cell walks there."""
    who, soonest = 0, NEVER_YET
    for room in range(rooms):
        time = _time_reached(facts, room, cell)
        if time < soonest:
            who, soonest = room, time
    _walk_back(level, facts, plan, who, cell)


# --- what actions need ------------------------------------------------------------------------


@inlined
def _need_of_push(
    level: Any, state: Any, facts: Facts, rooms: int, plan: Plan, operator: int
) -> None:
    """Demand what a push needs: the block's place, free cells ahead, a pusher behind it."""
    block, direction, corner = operator >> 12, operator >> 10 & 3, operator & (CELLS - 1)
    _need_of_place(level, state, facts, plan, block, corner)
    ahead, (first, along, count) = front(level, block, direction), rear(level, block, direction)
    best, soonest = corner, NEVER_YET
    for index in range(count):
        _demand_free(level, facts, plan, corner + ahead + index * along)
        pushed = corner + first + index * along
        if not bit(facts.firm, pushed):
            continue
        ready = LONG_AGO
        if bit(facts.began[OPEN_BEGAN:], pushed):
            ready = np.int64(facts.times[FILL_TIMES + pushed])
        for room in range(rooms):
            time = max(ready, _time_reached(facts, room, pushed - level.ways[direction]))
            if time < soonest:
                best, soonest = pushed, time
    _demand_firm(level, facts, plan, best)
    _bring_somebody(level, facts, rooms, plan, best - level.ways[direction])


@inlined
def _need_of_place(
    level: Any, state: Any, facts: Facts, plan: Plan, block: int, corner: int
) -> None:
    """Demand that a block is at a place, and if that is over holes, that one of them is filled."""
    words, boards = level.words, facts.blocks
    if corner == place(state, level.characters + block):
        return
    for direction in range(4):
        if bit(boards[(block * EACH + CAME + direction) * words :], corner):
            before = corner - level.ways[direction]
            _demand(level, plan, (4 * block + direction) * CELLS + before)
    if not bit(boards[(block * EACH + HOLLOW) * words :], corner):
        return
    filler, soonest = 0, NEVER_YET
    for down in range(level.heights[block]):
        for right in range(level.widths[block]):
            cell = corner + down * level.width + right
            time = np.int64(facts.times[FILL_TIMES + cell])
            other = np.int64(facts.causes[FILLED + cell])
            if bit(facts.firm, cell) and other >> 12 != block and time < soonest:
                filler, soonest = other, time
    if soonest < NEVER_YET:
        _demand(level, plan, filler)
        return
    for down in range(level.heights[block]):
        for right in range(level.widths[block]):
            cell = corner + down * level.width + right
            if bit(facts.refilled, cell):
                _demand(level, plan, np.int64(facts.causes[REFILLED + cell]))
                return


@inlined
def _need_of_turn(level: Any, state: Any, facts: Facts, rooms: int, plan: Plan, turn: int) -> None:
    """Demand what a turn needs: the position before, free cells for the arms, a pusher."""
    turnstile, position, sense, arm = turn >> 5, turn >> 3 & 3, turn >> 2 & 1, turn & 3
    if position != quarter(level, state, turnstile):
        _demand(level, plan, np.int64(facts.causes[TURNED + 4 * turnstile + position]))
    before = arms_after(level.arms[turnstile], position)
    after = arms_after(before, 3 if sense else 1)
    lying = arms_after(level.arms[turnstile], quarter(level, state, turnstile))
    swept = after if sense else before
    for other in range(4):
        if swept >> other & 1:
            _demand_free(level, facts, plan, corner_of(level, turnstile, other))
        if (after & ~before & ~lying) >> other & 1:
            _demand_free(level, facts, plan, side_of(level, turnstile, other))
    _demand_firm(level, facts, plan, side_of(level, turnstile, arm))
    if after >> arm & 1:
        _demand_firm(level, facts, plan, landing_of(level, turnstile, sense, arm))
    cell = pusher_of(level, turnstile, sense, arm)
    _bring_somebody(level, facts, rooms, plan, cell)

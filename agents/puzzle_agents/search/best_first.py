"""The engine of A*, weighted A*, greedy and uniform-cost search.

The state with the smallest priority (a weight times its cost plus a weight times its estimate) is
expanded next; of equal ones the state with the smallest estimate, and of those the latest. Open
states lie in lists, one for each priority and estimate. A state found again at a lower cost is
registered anew and its old entry is stale, so nothing is ever taken out of the midst of a list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_agents.agent import Status
from puzzle_agents.search.open_lists import BYTES, OpenLists, best_list, open_state, take_state
from puzzle_agents.search.search import Problem, Search, Words
from puzzle_envs.compiled import inlined, kernel
from puzzle_envs.nodes import Nodes
from puzzle_envs.paths import is_solved
from puzzle_envs.prefetch import prefetch
from puzzle_envs.tables import (
    find_state,
    hash_state,
    keep_state,
    load_state,
    number_in,
    prefetch_row,
    prefetch_slot,
    take_slot,
)
from puzzle_envs.verbs import (
    NEVER,
    UNESTIMATED,
    estimate_next,
    hopeless,
    representative,
    solved,
    successors,
)

__all__ = ["BestFirst", "Order", "expand_single"]

MORE, EXHAUSTED, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_LISTS = range(6)
"""Why the kernel came back."""

FIELDS = 2
"""Beside a state: the number of its parent, and its marks."""

SPENT = 2**16 - 1
"""The marks: what the state has cost, above that its estimate, and at the top two signs."""
ESTIMATE_SHIFT = 16
ESTIMATE = 2**14 - 1
CLOSED, STALE = 1 << 30, 1 << 31
"""Expanded; registered anew at a lower cost."""
UNKNOWN = 2**40
"""What the best solution costs, as long as there is none."""

BATCH = 16
"""States expanded side by side, so that their memory is on its way while others are looked at."""
BATCH_ROWS = 128
"""Successors that are enough for a batch."""


@inlined
def _collect(
    layout: Any,
    level: Any,
    table: Any,
    lists: Any,
    priority: Any,
    left: Any,
    most: int,
    batch: Any,
    states: Any,
    rows: Any,
    costs: Any,
) -> tuple[Any, Any]:
    """Take states of one list and write their successors; return how many of both.

    `batch` gets their numbers, their marks and where their successors end. Where the successors
    of a state do not fit, it stays open.
    """
    parent_field = 2 * states.shape[1]
    heads, fills, chunks = lists[0], lists[1], lists[3]
    chunk, fill = np.int64(heads[priority, left]) - 1, np.int64(fills[priority, left])
    for below in range(np.int64(min(most, fill))):
        prefetch(table, np.uint64(chunks[chunk, fill - below]) * np.uint64(table.shape[1]))
    taken, filled = 0, 0
    while taken < most and filled < BATCH_ROWS and heads[priority, left] != 0:
        number = take_state(priority, left, lists)
        marks = np.int64(table[number, parent_field + 1])
        if marks & STALE != 0:
            continue
        load_state(layout, table, number, states[taken])
        found = successors(level, states[taken], rows[filled:], costs[filled:])
        if found < 0:
            open_state(number, priority, left, lists)
            break
        filled += found
        batch[taken, 0], batch[taken, 1], batch[taken, 2] = number, marks, filled
        taken += 1
    return taken, filled


@kernel
def begin(lists: Any) -> None:
    """Open the first state."""
    open_state(0, 0, 0, lists)


@kernel
def expand(
    layout: Any,
    levels: Any,
    findings: Any,
    table: Any,
    slots: Any,
    room: int,
    lists: Any,
    batch: Any,
    states: Any,
    rows: Any,
    costs: Any,
    hashes: Any,
    tally: Any,
    order: Any,
    merged: bool,
    expansions: int,
    limit: int,
) -> int:
    """Expand states in the order of their priority; say why it stopped.

    It stops after so many expansions, but in no batch: only a limit cuts one short, so that what
    is expanded does not depend on the clock.
    """
    level = levels[0]
    progress = tally[0]
    priorities = lists[0].shape[0]
    chunks_left = lists[3].shape[0] - rows.shape[0]
    end = progress.expanded + expansions
    while progress.expanded < end:
        priority, left = best_list(progress.priority, lists)
        if priority == priorities:
            if progress.cost == UNKNOWN:
                return EXHAUSTED
            progress.highest = max(order[0], order[1]) * progress.cost
            return FOUND if progress.solution >= 0 else EXHAUSTED
        if priority > progress.highest:
            progress.highest = priority
            progress.settled = progress.expanded
        progress.priority = priority
        if progress.cost != UNKNOWN and priority >= order[0] * progress.cost:
            return FOUND if progress.solution >= 0 else EXHAUSTED
        if progress.registered + rows.shape[0] > room or lists[4][0].used > chunks_left:
            return NO_ROOM_FOR_STATES
        most = min(order[3], limit - progress.expanded)
        taken, filled = _collect(
            layout, level, table, lists, priority, left, most, batch, states, rows, costs
        )
        if taken == 0 and lists[0][priority, left] != 0:
            return NO_ROOM_FOR_ROWS
        for index in range(filled):
            if merged:
                representative(level, findings, rows[index])
            hashes[index] = hash_state(layout, rows[index])
            prefetch_slot(slots, hashes[index])
        for index in range(filled):
            prefetch_row(layout, table, slots, hashes[index])
        for member in range(taken):
            fits = register(
                layout, level, findings, table, slots, lists, states[member], batch, member,
                rows, costs, hashes, progress, order,
            )  # fmt: skip
            if not fits:
                for again in range(taken):
                    open_state(batch[again, 0], priority, left, lists)
                progress.priority = min(progress.priority, priority)
                return NO_ROOM_FOR_LISTS
        progress.generated += filled
        progress.expanded += taken
    return MORE


@inlined
def register(
    layout: Any,
    level: Any,
    findings: Any,
    table: Any,
    slots: Any,
    lists: Any,
    state: Any,
    batch: Any,
    member: int,
    rows: Any,
    costs: Any,
    hashes: Any,
    progress: Any,
    order: Any,
) -> bool:
    """Take in the successors of a state of the batch; False where the lists are too short."""
    priorities, estimates = lists[0].shape
    parent_field, marks_field = np.uint64(2 * state.size), np.uint64(2 * state.size + 1)
    number, marks = batch[member, 0], batch[member, 1]
    first = batch[member - 1, 2] if member > 0 else 0
    own = np.int64(UNESTIMATED if number == 0 else marks >> ESTIMATE_SHIFT & ESTIMATE)
    unique, evaluated, registered = progress.unique, progress.evaluated, progress.registered
    fits = True
    for index in range(first, batch[member, 2]):
        row = rows[index]
        cost = (marks & SPENT) + costs[index]
        if not order[4]:
            cost = min(cost, SPENT)  # it only says what came first: no matter how long the way is
        slot = find_state(layout, table, slots, row, hashes[index])
        known = number_in(layout, slots, slot)
        if known >= 0:
            before = np.int64(table[np.uint64(known), marks_field])
            if cost >= before & SPENT or not order[4]:
                continue
            ahead = before >> ESTIMATE_SHIFT & ESTIMATE
        else:
            if hopeless(level, row):
                continue
            ahead = estimate_next(level, findings, state, own, row)
            evaluated += 1
        if ahead >= NEVER or cost + ahead >= progress.cost:
            continue
        reached, among = order[0] * cost + order[1] * ahead, order[2] * ahead
        if reached >= priorities or among >= estimates or cost > SPENT or ahead > ESTIMATE:
            progress.wanted_priority, progress.wanted_estimate = reached, among
            progress.too_large = cost > SPENT or ahead > ESTIMATE
            fits = False
            break
        if known >= 0:
            progress.reopened += before & CLOSED != 0
            table[known, marks_field] |= np.uint32(STALE)
        else:
            unique += 1
        take_slot(layout, slots, slot, hashes[index], registered)
        keep_state(layout, table, registered, row)
        child = np.uint64(registered)
        table[child, parent_field] = number
        table[child, marks_field] = cost | ahead << ESTIMATE_SHIFT
        open_state(registered, reached, among, lists)
        progress.priority = min(progress.priority, reached)
        if solved(level, row):
            progress.solution, progress.cost = registered, cost
        registered += 1
    if fits:
        table[number, marks_field] |= np.uint32(CLOSED)
    progress.unique, progress.evaluated, progress.registered = unique, evaluated, registered
    return fits


@inlined
def expand_single(
    layout: Any,
    level: Any,
    findings: Any,
    table: Any,
    slots: Any,
    lists: Any,
    number: Any,
    marks: Any,
    batch: Any,
    state: Any,
    rows: Any,
    costs: Any,
    hashes: Any,
    progress: Any,
    order: Any,
    merged: bool,
) -> int:
    """Expand one state that was taken from its list; where that fails, say why."""
    found = successors(level, state, rows, costs)
    if found < 0:
        return NO_ROOM_FOR_ROWS
    for index in range(found):
        if merged:
            representative(level, findings, rows[index])
        hashes[index] = hash_state(layout, rows[index])
    batch[0, 0], batch[0, 1], batch[0, 2] = number, marks, found
    fits = register(
        layout, level, findings, table, slots, lists, state, batch, 0, rows, costs, hashes,
        progress, order,
    )  # fmt: skip
    if not fits:
        return NO_ROOM_FOR_LISTS
    progress.generated += found
    progress.expanded += 1
    return MORE


class Order(NamedTuple):
    """In which order states are expanded."""

    cost_weight: int
    estimate_weight: int
    """The priority is the weighted sum; the smallest comes first."""
    ties_by_estimate: bool = True
    """Of equal priority the smallest estimate comes first; else the state that was found last."""
    batch: int = BATCH
    """How many states of one priority and estimate may be expanded side by side."""
    reopens: bool = True
    """A state found again at a lower cost is opened once more."""


class BestFirst(Search):
    """One search in a given order."""

    def __init__(self, problem: Problem, order: Order) -> None:
        """Open the first state; nothing is estimated of it, which is always a lower bound."""
        fields = ("registered", "priority", "highest", "cost", "wanted_priority", "wanted_estimate")
        super().__init__(problem, *fields, "too_large", "beyond")
        self._order = order
        words = problem.start.size
        self._nodes = Nodes(words, problem.max_bytes, FIELDS, beside=BYTES)
        self._nodes.register_first(problem.start)
        self._lists = OpenLists()
        self._batch = np.empty((BATCH, 3), np.int64)
        self._states = np.empty((BATCH, words), np.uint64)
        self._hashes = np.empty(len(self._nodes.rows), np.uint64)
        self.tally["unique"] = self.tally["registered"] = 1
        begin(self._lists.arrays)
        self.tally["cost"] = UNKNOWN
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = self.tally["cost"] = 0

    def beat(self, cost: int) -> None:
        """Look only for solutions that cost less; if there are none, end as unsolvable."""
        self.tally["cost"] = cost

    def run(self, expansions: int) -> Status | None:
        """Go on, as Search.run."""
        nodes, registered = self._nodes, self.count("registered")
        reason = self._engine(
            nodes.layout, self.problem.record, self.problem.findings, nodes.table, nodes.slots,
            nodes.room, self._lists.arrays, self._batch, self._states, nodes.rows, nodes.costs,
            self._hashes, self.tally, tuple(map(int, self._order)), self.problem.merged, expansions,
        )  # fmt: skip
        if reason == NO_ROOM_FOR_STATES:
            return self._grow()
        if reason == NO_ROOM_FOR_ROWS:
            if not nodes.grow_rows(registered):
                return Status.OUT_OF_MEMORY
            self._hashes = np.empty(len(nodes.rows), np.uint64)
        if reason == NO_ROOM_FOR_LISTS and self.count("too_large"):
            return Status.GAVE_UP
        if reason == NO_ROOM_FOR_LISTS:
            self._lists.lengthen(self.count("wanted_priority"), self.count("wanted_estimate"))
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    def _engine(self, *arguments: Any) -> int:
        engine: Any = expand
        return engine(*arguments, self.limit)

    def _grow(self) -> Status | None:
        """Make room for states, or for chunks where those are short."""
        nodes, registered = self._nodes, self.count("registered")
        if registered + len(nodes.rows) > nodes.room and not nodes.grow(registered):
            return Status.OUT_OF_MEMORY
        if self._lists.room <= len(nodes.rows):
            self._lists.grow(nodes.planned_states)
        return None

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        return self._nodes.bytes(self.count("registered")) + self._lists.bytes

    def path(self) -> list[Words]:
        """What was kept on the way to the solution."""
        return self._nodes.path(self.count("solution"))

    @property
    def current(self) -> Words | None:
        """One of the states that were expanded last, side by side."""
        return self._states[0].copy() if self.count("expanded") else None

    @property
    def bound(self) -> int:
        """Every solution goes through an open state, whose priority is at most so many times it."""
        weight = max(self._order.cost_weight, self._order.estimate_weight)
        return -(-self.count("highest") // weight) if self._order.cost_weight else 0

    @property
    def proves_optimum(self) -> bool:
        """Whether the proved bound has come up to the solution's cost."""
        return self.bound >= self.count("cost")

"""Best-first search: uniform-cost, A*, weighted A*, greedy and depth-first search.

The state with the lowest priority (a weighted sum of its cost g and its heuristic h) is expanded
next; ties go to the lowest h, then to the latest. Open states are kept in buckets, one per priority
and h. A state found again at a lower cost is stored anew and its old entry becomes stale, so
nothing is removed from the middle of a bucket.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Budget, Status
from puzzle_agents.search.open_lists import (
    BYTES,
    Lists,
    OpenLists,
    best_list,
    is_empty,
    open_state,
    take_state,
)
from puzzle_agents.search.search import Problem, PruningAgent, Search, Words
from puzzle_envs.common.arguments import number
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.kernels.prefetch import prefetch
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.nodes import Nodes
from puzzle_envs.states.paths import is_solved
from puzzle_envs.states.tables import (
    Memory,
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
    Costs,
    LevelRecord,
    Rows,
    estimate_next,
    hopeless,
    representative,
    solved,
    successors,
)

MORE, EXHAUSTED, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_LISTS = range(6)
"""Why the kernel returned."""

FIELDS = 2
"""Data stored with a state: the number of its parent, and its marks."""

SPENT = 2**16 - 1
"""Layout of the marks: the cost, above it the estimate, and two flags at the top."""
ESTIMATE_SHIFT = 16
ESTIMATE = 2**14 - 1
CLOSED, STALE = 1 << 30, 1 << 31
"""Flags: expanded; replaced at a lower cost."""
UNKNOWN = 2**40
"""Cost of the best solution while there is none."""

BATCH = 16
"""States expanded at a time, so that one can be prefetched while another is processed."""
BATCH_ROWS = 128
"""Capacity for successors of a batch."""


class Order(NamedTuple):
    """The order of expansion."""

    cost_weight: int
    estimate_weight: int
    """The priority is the weighted sum; the smallest comes first."""
    ties_by_estimate: bool = True
    """Break ties by the smallest estimate; otherwise last in, first out."""
    batch: int = BATCH
    """Maximum number of states of equal priority and estimate expanded at a time."""
    reopens: bool = True
    """Reopen states found again at a lower cost."""
    prunes: bool = True
    """Leave out dead ends; otherwise one that the heuristic refuses counts as its parent does."""


class Batch(NamedTuple):
    """States expanded at a time, with their successors."""

    members: npt.NDArray[np.int64]
    """For each state its number, marks and the end of its successors."""
    states: Rows
    rows: Rows
    costs: Costs
    hashes: npt.NDArray[np.uint64]
    """Hashes of the successors."""

    @classmethod
    def of(cls, scratch: Scratch) -> Batch:
        """A batch with the capacity of a search's memory."""
        states = np.empty((BATCH, scratch.state.size), np.uint64)
        hashes = np.empty(len(scratch.rows), np.uint64)
        return cls(np.empty((BATCH, 3), np.int64), states, scratch.rows, scratch.costs, hashes)


@inlined
def _collect(
    level: LevelRecord,
    memory: Memory,
    lists: Lists,
    batch: Batch,
    priority: Any,
    left: Any,
    most: int,
) -> tuple[Any, Any]:
    """Take states from one list and write their successors; return both counts.

    A state whose successors do not fit stays open.
    """
    members, table = batch.members, memory.table
    marks_field = 2 * batch.states.shape[1] + 1
    chunk = np.int64(lists.heads[priority, left]) - 1
    fill = np.int64(lists.fills[priority, left])
    for below in range(np.int64(min(most, fill))):
        prefetch(table, np.uint64(lists.chunks[chunk, fill - below]) * np.uint64(table.shape[1]))
    taken, filled = 0, 0
    while taken < most and filled < BATCH_ROWS and not is_empty(priority, left, lists):
        number = take_state(priority, left, lists)
        marks = np.int64(table[number, marks_field])
        if marks & STALE != 0:
            continue
        load_state(memory, number, batch.states[taken])
        found = successors(level, batch.states[taken], batch.rows[filled:], batch.costs[filled:])
        if found < 0:
            open_state(number, priority, left, lists)
            break
        filled += found
        members[taken, 0], members[taken, 1], members[taken, 2] = number, marks, filled
        taken += 1
    return taken, filled


@kernel
def begin(lists: Lists) -> None:
    """Open the initial state."""
    open_state(0, 0, 0, lists)


@inlined
def is_full(memory: Memory, lists: Lists, batch: Batch, progress: Any) -> bool:
    """Whether the successors of a batch could exceed the memory or the lists."""
    most = batch.rows.shape[0]
    return (
        progress.registered + most > memory.room
        or lists.pools[0].used + most > lists.chunks.shape[0]
    )


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    lists: Lists,
    batch: Batch,
    tally: Any,
    order: Order,
    expansions: int,
    limit: int,
) -> int:
    """Expand states by priority; return why it stopped.

    It stops after this many expansions, but not within a batch: only a limit cuts one short, so
    that results do not depend on the clock.
    """
    level, progress = instance.levels[0], tally[0]
    rows, hashes = batch.rows, batch.hashes
    end = progress.expanded + expansions
    while progress.expanded < end:
        priority, left = best_list(progress.priority, lists)
        if priority == lists.heads.shape[0]:
            if progress.cost == UNKNOWN:
                return EXHAUSTED
            progress.highest = max(order.cost_weight, order.estimate_weight) * progress.cost
            return FOUND if progress.solution >= 0 else EXHAUSTED
        if priority > progress.highest:
            progress.highest = priority
            progress.until_last_jump = progress.expanded
        progress.priority = priority
        if progress.cost != UNKNOWN and priority >= order.cost_weight * progress.cost:
            return FOUND if progress.solution >= 0 else EXHAUSTED
        if is_full(memory, lists, batch, progress):
            return NO_ROOM_FOR_STATES
        most = min(order.batch, limit - progress.expanded)
        taken, filled = _collect(level, memory, lists, batch, priority, left, most)
        if taken == 0 and not is_empty(priority, left, lists):
            return NO_ROOM_FOR_ROWS
        for index in range(filled):
            if instance.merged:
                representative(level, instance.findings, rows[index])
            hashes[index] = hash_state(memory.layout, rows[index])
            prefetch_slot(memory, hashes[index])
        for index in range(filled):
            prefetch_row(memory, hashes[index])
        for member in range(taken):
            if not register(instance, memory, lists, batch, member, progress, order):
                for again in range(taken):
                    open_state(batch.members[again, 0], priority, left, lists)
                progress.priority = min(progress.priority, priority)
                return NO_ROOM_FOR_LISTS
        progress.generated += filled
        progress.expanded += taken
    return MORE


@inlined
def register(
    instance: Instance,
    memory: Memory,
    lists: Lists,
    batch: Batch,
    member: int,
    progress: Any,
    order: Order,
) -> bool:
    """Store the successors of a state of the batch; return False if the lists are too short."""
    level, table = instance.levels[0], memory.table
    priorities, estimates = lists.heads.shape
    state = batch.states[member]
    parent_field, marks_field = np.uint64(2 * state.size), np.uint64(2 * state.size + 1)
    number, marks = batch.members[member, 0], batch.members[member, 1]
    first = batch.members[member - 1, 2] if member > 0 else 0
    own = np.int64(UNESTIMATED if number == 0 else marks >> ESTIMATE_SHIFT & ESTIMATE)
    unique, evaluated, registered = progress.unique, progress.evaluated, progress.registered
    fits = True
    for index in range(first, batch.members[member, 2]):
        row, hashed = batch.rows[index], batch.hashes[index]
        cost = (marks & SPENT) + batch.costs[index]
        if not order.reopens:
            cost = min(cost, SPENT)  # without reopening, costs may saturate
        slot = find_state(memory, row, hashed)
        known = number_in(memory, slot)
        if known >= 0:
            before = np.int64(table[np.uint64(known), marks_field])
            if cost >= before & SPENT or not order.reopens:
                continue
            ahead = before >> ESTIMATE_SHIFT & ESTIMATE
        else:
            if order.prunes and hopeless(level, row):
                continue
            ahead = estimate_next(level, instance.findings, state, own, row)
            evaluated += 1
            if ahead >= NEVER and not order.prunes:
                ahead = np.int64(0) if own == UNESTIMATED else own
        if ahead >= NEVER or cost + ahead >= progress.cost:
            continue
        reached = order.cost_weight * cost + order.estimate_weight * ahead
        among = ahead if order.ties_by_estimate else 0
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
        take_slot(memory, slot, hashed, registered)
        keep_state(memory, registered, row)
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
    instance: Instance,
    memory: Memory,
    lists: Lists,
    batch: Batch,
    number: Any,
    marks: Any,
    progress: Any,
    order: Order,
) -> int:
    """Expand one state, already taken and loaded; return why it failed, if so."""
    level, members = instance.levels[0], batch.members
    found = successors(level, batch.states[0], batch.rows, batch.costs)
    if found < 0:
        return NO_ROOM_FOR_ROWS
    for index in range(found):
        if instance.merged:
            representative(level, instance.findings, batch.rows[index])
        batch.hashes[index] = hash_state(memory.layout, batch.rows[index])
    members[0, 0], members[0, 1], members[0, 2] = number, marks, found
    if not register(instance, memory, lists, batch, 0, progress, order):
        return NO_ROOM_FOR_LISTS
    progress.generated += found
    progress.expanded += 1
    return MORE


class BestFirst(Search):
    """One search in a given order."""

    def __init__(self, problem: Problem, order: Order) -> None:
        """Open the initial state with h = 0, which is always admissible."""
        fields = ("registered", "priority", "highest", "cost", "wanted_priority", "wanted_estimate")
        super().__init__(problem, *fields, "too_large", "beyond")
        self._order = order
        self._nodes = Nodes(problem.start.size, problem.max_bytes, FIELDS, beside=BYTES)
        self._nodes.register_first(problem.start)
        self._open = OpenLists()
        self._batch = Batch.of(self._nodes.scratch)
        self.tally["unique"] = self.tally["registered"] = 1
        begin(self._open.lists)
        self.tally["cost"] = UNKNOWN
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = self.tally["cost"] = 0

    def beat(self, cost: int) -> None:
        """Search only for cheaper solutions; if there are none, end as unsolvable."""
        self.tally["cost"] = cost

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        reason = self._engine(
            self.problem.instance, self._nodes.memory, self._open.lists, self._batch, self.tally,
            self._order, expansions,
        )  # fmt: skip
        if reason == NO_ROOM_FOR_STATES:
            return self._grow()
        if reason == NO_ROOM_FOR_ROWS:
            if not self._nodes.grow_rows(self.count("registered")):
                return Status.OUT_OF_MEMORY
            self._batch = Batch.of(self._nodes.scratch)
        if reason == NO_ROOM_FOR_LISTS and self.count("too_large"):
            return Status.GAVE_UP
        if reason == NO_ROOM_FOR_LISTS:
            self._open.lengthen(self.count("wanted_priority"), self.count("wanted_estimate"))
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    def _engine(self, *arguments: Any) -> int:
        engine: Any = expand
        return engine(*arguments, self.limit)

    def _grow(self) -> Status | None:
        """Grow the tables or the lists, whichever is full."""
        nodes, registered = self._nodes, self.count("registered")
        most = len(nodes.scratch.rows)
        if registered + most > nodes.room and not nodes.grow(registered):
            return Status.OUT_OF_MEMORY
        if self._open.room <= most:
            self._open.grow(nodes.planned_states)
        return None

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return self._nodes.bytes(self.count("registered")) + self._open.bytes

    def path(self) -> list[Words]:
        """The stored states along the solution."""
        return self._nodes.path(self.count("solution"))

    @property
    def current(self) -> Words | None:
        """One of the states expanded last."""
        return self._batch.states[0].copy() if self.count("expanded") else None

    @property
    def bound(self) -> int:
        """Every solution goes through an open state, whose priority bounds its cost."""
        weight = max(self._order.cost_weight, self._order.estimate_weight)
        return -(-self.count("highest") // weight) if self._order.cost_weight else 0

    @property
    def proves_optimum(self) -> bool:
        """Whether the proved bound has reached the solution's cost."""
        return self.bound >= self.count("cost")


# --- agents: the engine in five orders ----------------------------------------------------------


class UniformCost(PruningAgent):
    """Expands the state with the lowest cost so far: Dijkstra's algorithm.

    Complete: it finds a solution or proves unsolvability, within the budget. Optimal in the paper's
    moves, also if macro-moves differ in cost. The heuristic only prunes proved dead ends.

    Use it to check a heuristic; A* does the same with fewer states.
    """

    name: ClassVar[str] = "uniform-cost"

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(1, 0, prunes=self.dead_ends))


class AStar(PruningAgent):
    """Expands the state with the lowest f = g + h.

    Complete: it finds a solution or proves unsolvability, within the budget. Optimal in the paper's
    moves, since every heuristic here is admissible; an inconsistent one makes it reopen states.
    When the budget is spent, `bound` is the proved lower bound.

    Use it for optimal solutions if memory suffices: 20 to 40 bytes per state of one word.
    """

    name: ClassVar[str] = "astar"

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(1, 1, prunes=self.dead_ends))


class WeightedAStar(PruningAgent):
    """A* with f = g + weight * h.

    Complete: it finds a solution or proves unsolvability, within the budget. The solution costs at
    most `weight` times the optimum; `proved_optimal` if the bound proves it.

    Use it if A* takes too long and a solution near the optimum is enough.
    """

    name: ClassVar[str] = "weighted-astar"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        weight: float = 2.0,
        estimate: str | None = None,
        symmetry: bool = True,
        dead_ends: bool = True,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            weight: Weight of the heuristic, from 1 to 10; approximated by a fraction with terms up
                to 10.
            estimate: The puzzle's heuristic to use; None for its default.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
            dead_ends: Leave out states that are proved to be dead ends.
        """
        super().__init__(budget, estimate=estimate, symmetry=symmetry, dead_ends=dead_ends)
        self.weight = Fraction(number("weight", weight, 1, 10)).limit_denominator(10)

    def _search(self, problem: Problem) -> BestFirst:
        weights = self.weight.denominator, self.weight.numerator
        return BestFirst(problem, Order(*weights, prunes=self.dead_ends))


class Greedy(PruningAgent):
    """Expands the state with the lowest heuristic, regardless of cost; ties go to the latest.

    Complete: it finds a solution or proves unsolvability, within the budget. Not optimal.

    Use it to find some solution quickly, if the heuristic is informative.
    """

    name: ClassVar[str] = "greedy"

    def _search(self, problem: Problem) -> BestFirst:
        return BestFirst(problem, Order(0, 1, reopens=False, prunes=self.dead_ends))


class DepthFirst(PruningAgent):
    """Expands the state found last, and none twice.

    Complete: it finds a solution or proves unsolvability, within the budget. Not optimal: with
    reversible moves its solutions are absurdly long. The heuristic only prunes proved dead ends.

    Use it if every solution has the same length, as in Skyscraper.
    """

    name: ClassVar[str] = "dfs"

    def _search(self, problem: Problem) -> BestFirst:
        order = Order(0, 0, ties_by_estimate=False, batch=1, reopens=False, prunes=self.dead_ends)
        return BestFirst(problem, order)

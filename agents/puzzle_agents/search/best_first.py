"""Best-first search: uniform-cost, A*, weighted A*, greedy and depth-first search.

The state with the lowest priority (a weighted sum of its cost g and its heuristic h) is expanded
next; ties go to the lowest h, then to the latest. Open states are kept in buckets, one per priority
and h. A state found again at a lower cost is stored again and its old entry becomes stale, so
nothing is removed from the middle of a bucket.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import MOST_SUCCESSORS, Budget, Status
from puzzle_agents.search.open_lists import (
    BYTES,
    Lists,
    OpenLists,
    best_list,
    is_empty,
    open_state,
    take_state,
)
from puzzle_agents.search.search import Problem, PruningAgent, StoredSearch
from puzzle_envs.common.arguments import number
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.kernels.prefetch import prefetch
from puzzle_envs.level import Words
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.reasons import (
    EXHAUSTED,
    FOUND,
    MORE,
    NO_ROOM_FOR_LISTS,
    NO_ROOM_FOR_ROWS,
    NO_ROOM_FOR_STATES,
)
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    load_state,
    number_in,
    prefetch_row,
    prefetch_slot,
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

FIELDS = 2
"""Data stored with a state: the number of its parent, and its marks."""

MOST_COST, MOST_ESTIMATE = 2**16 - 1, 2**14 - 1
"""What the marks have room for: the cost of a state, above it its estimate, and two flags."""
ESTIMATE_SHIFT = 16
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
    """Leave out dead ends; otherwise, one proved by the heuristic gets its parent's estimate."""


NUMBER, MARKS, END = range(3)
"""Data of a state in a batch: its number, its marks, and the end of its successors."""


class Batch(NamedTuple):
    """States expanded at a time, with their successors."""

    members: npt.NDArray[np.int64]
    states: Rows
    rows: Rows
    costs: Costs
    hashes: Words
    """Hashes of the successors."""

    @classmethod
    def of(cls, scratch: Scratch) -> Batch:
        """A batch with the capacity of a search's memory."""
        states = np.empty((BATCH, scratch.state.size), np.uint64)
        hashes = np.empty(len(scratch.rows), np.uint64)
        return cls(
            np.empty((BATCH, END + 1), np.int64), states, scratch.rows, scratch.costs, hashes
        )


@inlined
def cost_in(marks: int) -> int:
    """The cost of a state."""
    return marks & MOST_COST


@inlined
def estimate_in(marks: int) -> int:
    """The estimate of a state."""
    return marks >> ESTIMATE_SHIFT & MOST_ESTIMATE


@inlined
def _collect(
    level: LevelRecord,
    memory: Memory,
    lists: Lists,
    batch: Batch,
    priority: Any,
    tie: Any,
    most: int,
) -> tuple[Any, Any]:
    """Take states from one list and write their successors; return both counts.

    A state whose successors do not fit stays open.
    """
    members, table = batch.members, memory.table
    marks_field = 2 * batch.states.shape[1] + 1
    chunk = np.int64(lists.heads[priority, tie]) - 1
    fill = np.int64(lists.fills[priority, tie])
    for below in range(np.int64(min(most, fill))):
        prefetch(table, np.uint64(lists.chunks[chunk, fill - below]) * np.uint64(table.shape[1]))
    taken, filled = 0, 0
    while taken < most and filled < BATCH_ROWS and not is_empty(priority, tie, lists):
        number = take_state(priority, tie, lists)
        marks = np.int64(table[number, marks_field])
        if marks & STALE != 0:
            continue
        load_state(memory, number, batch.states[taken])
        found = successors(level, batch.states[taken], batch.rows[filled:], batch.costs[filled:])
        if found < 0:
            open_state(number, priority, tie, lists)
            break
        filled += found
        members[taken, NUMBER], members[taken, MARKS], members[taken, END] = number, marks, filled
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


@inlined
def _is_over(priority: int, lists: Lists, progress: Any, order: Order) -> bool:
    """Raise the bound to the lowest priority; return whether no open state can lead to better."""
    if priority == lists.heads.shape[0]:  # no state is open
        if progress.cost != UNKNOWN:
            progress.highest = max(order.cost_weight, order.estimate_weight) * progress.cost
        return True
    if priority > progress.highest:
        progress.highest = priority
        progress.until_last_jump = progress.expanded
    progress.priority = priority
    return progress.cost != UNKNOWN and priority >= order.cost_weight * progress.cost


@inlined
def _look_up(instance: Instance, memory: Memory, batch: Batch, filled: int) -> None:
    """Hash the successors of a batch and prefetch what `register` will read."""
    rows, hashes = batch.rows, batch.hashes
    for index in range(filled):
        if instance.merged:
            representative(instance.levels[0], instance.findings, rows[index])
        hashes[index] = hash_state(memory.layout, rows[index])
        prefetch_slot(memory, hashes[index])
    for index in range(filled):
        prefetch_row(memory, hashes[index])


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

    It stops after this many expansions, or many transitions, but not within a batch: only a limit
    cuts one short, so that results do not depend on the clock.
    """
    level, progress = instance.levels[0], tally[0]
    end, enough = progress.expanded + expansions, progress.generated + expansions * MOST_SUCCESSORS
    while progress.expanded < end and progress.generated < enough:
        priority, tie = best_list(progress.priority, lists)
        if _is_over(priority, lists, progress, order):
            return FOUND if progress.solution >= 0 else EXHAUSTED
        if is_full(memory, lists, batch, progress):
            return NO_ROOM_FOR_STATES
        most = min(order.batch, limit - progress.expanded)
        taken, filled = _collect(level, memory, lists, batch, priority, tie, most)
        if taken == 0 and not is_empty(priority, tie, lists):
            return NO_ROOM_FOR_ROWS
        _look_up(instance, memory, batch, filled)
        for member in range(taken):
            if not register(instance, memory, lists, batch, member, progress, order):
                for again in range(taken):
                    open_state(batch.members[again, NUMBER], priority, tie, lists)
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
    priorities, ties = lists.heads.shape
    state = batch.states[member]
    parent_field, marks_field = np.uint64(2 * state.size), np.uint64(2 * state.size + 1)
    number, marks = batch.members[member, NUMBER], batch.members[member, MARKS]
    first = batch.members[member - 1, END] if member > 0 else 0
    own = np.int64(UNESTIMATED if number == 0 else estimate_in(marks))
    unique, evaluated, registered = progress.unique, progress.evaluated, progress.registered
    fits = True
    for index in range(first, batch.members[member, END]):
        row, hashed = batch.rows[index], batch.hashes[index]
        cost = cost_in(marks) + batch.costs[index]
        if not order.reopens:
            cost = min(cost, MOST_COST)  # without reopening, costs may saturate
        slot = find_state(memory, row, hashed)
        known = number_in(memory, slot)
        if known >= 0:
            before = np.int64(table[np.uint64(known), marks_field])
            if cost >= cost_in(before) or not order.reopens:
                continue  # no cheaper way to a known state
            ahead = estimate_in(before)
        else:
            if order.prunes and hopeless(level, row):
                continue
            ahead = estimate_next(level, instance.findings, state, own, row)
            evaluated += 1
            if ahead >= NEVER and not order.prunes:
                ahead = np.int64(0) if own == UNESTIMATED else own
        if ahead >= NEVER or cost + ahead >= progress.cost:
            continue  # a dead end, or no better than the solution known
        priority = order.cost_weight * cost + order.estimate_weight * ahead
        tie = ahead if order.ties_by_estimate else 0
        if priority >= priorities or tie >= ties or cost > MOST_COST or ahead > MOST_ESTIMATE:
            progress.wanted_priority, progress.wanted_tie = priority, tie
            progress.too_large = cost > MOST_COST or ahead > MOST_ESTIMATE
            fits = False
            break  # the state is expanded again with longer lists
        if known >= 0:  # stored again; the old entry stays
            progress.reopened += before & CLOSED != 0
            table[known, marks_field] |= np.uint32(STALE)
        else:
            unique += 1
        add_state(memory, slot, hashed, registered, row)
        child = np.uint64(registered)
        table[child, parent_field] = number
        table[child, marks_field] = cost | ahead << ESTIMATE_SHIFT
        open_state(registered, priority, tie, lists)
        progress.priority = min(progress.priority, priority)
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
    members[0, NUMBER], members[0, MARKS], members[0, END] = number, marks, found
    if not register(instance, memory, lists, batch, 0, progress, order):
        return NO_ROOM_FOR_LISTS
    progress.generated += found
    progress.expanded += 1
    return MORE


class BestFirst(StoredSearch):
    """One search in a given order."""

    def __init__(self, problem: Problem, order: Order) -> None:
        """Open the initial state with h = 0, which is always admissible."""
        super().__init__(
            problem, problem.max_bytes, FIELDS, "priority", "highest", "cost", "wanted_priority",
            "wanted_tie", "too_large", "beyond", beside=BYTES,
        )  # fmt: skip
        self._order = order
        self._open = OpenLists()
        self._batch = Batch.of(self._nodes.scratch)
        begin(self._open.lists)
        self.tally["unique"] = 1
        self.tally["cost"] = 0 if self.solved else UNKNOWN

    def beat(self, cost: int) -> None:
        """Search only for cheaper solutions; if there are none, end as unsolvable."""
        self.tally["cost"] = cost

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        reason = self._engine(
            self.problem.instance, self._nodes.memory, self._open.lists, self._batch, self.tally,
            self._order, expansions,
        )  # fmt: skip
        if reason == NO_ROOM_FOR_LISTS and self.count("too_large"):
            return Status.GAVE_UP
        if reason == NO_ROOM_FOR_LISTS:
            self._open.lengthen(self.count("wanted_priority"), self.count("wanted_tie"))
        return self._ended(reason)

    def _engine(self, *arguments: Any) -> int:
        engine: Any = expand
        return engine(*arguments, self.limit)

    def _grow(self, reason: int) -> bool:
        """Grow the tables or the lists, whichever is full."""
        nodes = self._nodes
        most = len(nodes.scratch.rows)
        if reason == NO_ROOM_FOR_ROWS:
            grown = nodes.grow_rows(self.registered)
            self._batch = Batch.of(nodes.scratch)
            return grown
        if self.registered + most > nodes.room and not nodes.grow(self.registered):
            return False
        if self._open.room <= most:
            self._open.grow(nodes.planned_states, most)
        return True

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return super().bytes + self._open.bytes

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
            dead_ends: Leave out proved dead ends.
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
    reversible moves its solutions are extremely long. The heuristic only prunes proved dead ends.

    Use it if every solution has the same length, as in Skyscraper.
    """

    name: ClassVar[str] = "dfs"

    def _search(self, problem: Problem) -> BestFirst:
        order = Order(0, 0, ties_by_estimate=False, batch=1, reopens=False, prunes=self.dead_ends)
        return BestFirst(problem, order)

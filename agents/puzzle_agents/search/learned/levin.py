"""Best-first search by keys of a policy and a heuristic: Levin tree search, PHS* and the like.

No state is opened twice: one that is reached again at a lower cost only gets a new parent, which
makes solutions shorter. Proved dead ends keep their numbers, so that each is proved only once, and
get no probability. Moves that lead to the same state share one probability.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Status
from puzzle_agents.search.learned.heap import BYTES, Heap, pop, push
from puzzle_agents.search.learned.model import Model
from puzzle_agents.search.learned.orders import ROOTED, Order, Paths, Place, key_of, prolong
from puzzle_agents.search.learned.policy import Guide, look, score, share
from puzzle_agents.search.search import Problem, StoredSearch
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import inlined, kernel, rare_kernel
from puzzle_envs.level import Words
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.reasons import EXHAUSTED, FOUND, MORE, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    load_state,
    number_in,
)
from puzzle_envs.verbs import (
    NEVER,
    Findings,
    LevelRecord,
    Rows,
    State,
    canonical,
    heuristic,
    hopeless,
    milestones,
    representative,
    solved,
    successors,
)

__all__ = ["LevinSearch", "canonical_form", "guided", "left_from"]

FIELDS = 5
"""Stored with a state: its parent, depth, cost, heuristic, and the last expansion to reach it."""
DEAD = np.uint32(2**32 - 1)
"""The heuristic of a dead end."""


class Open(NamedTuple):
    """The open states."""

    heap: Heap
    paths: Paths
    numbers: npt.NDArray[np.int64]
    """Scratch: the numbers of a state's successors."""
    first: State
    """The first state in canonical form, as the policy sees it."""
    image: State
    """Scratch: the representative of a successor."""
    order: Order
    stops: bool
    """Whether to stop at the first solution, instead of searching for shorter ones."""


@inlined
def left_from(level: LevelRecord, findings: Findings, state: State) -> int:
    """The heuristic of a state; NEVER or more for a dead end."""
    return NEVER if hopeless(level, state) else heuristic(level, findings, state)


@inlined
def _register(
    instance: Instance, memory: Memory, row: State, parent: int, cost: int, progress: Any
) -> int:
    """The number of a successor, new if necessary; -1 for a repetition within this expansion.

    A state reached at a lower cost than before gets a new parent. This creates no cycles, since a
    state never costs less than its parent.
    """
    level, table, fields = instance.levels[0], memory.table, 2 * row.size
    this = np.uint32(progress.expanded + 1)
    hashed = hash_state(memory.layout, row)
    slot = find_state(memory, row, hashed)
    number = number_in(memory, slot)
    spent = np.int64(table[parent, fields + 2]) + cost
    is_new = number < 0
    if is_new:
        number = progress.registered
    is_again = not is_new and table[number, fields + 4] == this
    table[number, fields + 4] = this
    if not is_new and spent >= np.int64(table[number, fields + 2]):
        return -1 if is_again else number
    table[number, fields] = parent
    table[number, fields + 1] = table[parent, fields + 1] + 1
    table[number, fields + 2] = spent
    if not is_new:
        return -1 if is_again else number
    progress.registered += 1
    add_state(memory, slot, hashed, number, row)
    left = left_from(level, instance.findings, row)
    table[number, fields + 3] = DEAD if left >= NEVER else left
    progress.evaluated += 1
    is_best = progress.solution < 0 or spent < np.int64(table[progress.solution, fields + 2])
    if is_best and solved(level, row):
        progress.solution = number
    return number


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    scratch: Scratch,
    guide: Guide,
    waiting: Open,
    tally: Any,
    expansions: int,
) -> int:
    """Expand states; return why it stopped."""
    level, progress, table = instance.levels[0], tally[0], memory.table
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    fields, numbers, scores = 2 * state.size, waiting.numbers, guide.moves.scores
    for _ in range(expansions):
        if progress.solution >= 0 and (waiting.stops or progress.open == 0):
            return FOUND
        if progress.open == 0:
            return EXHAUSTED
        if progress.registered + rows.shape[0] > memory.room:
            return NO_ROOM_FOR_STATES
        parent = np.int64(waiting.heap.numbers[0])
        load_state(memory, parent, state)
        depth = table[parent, fields + 1]
        if depth != progress.layer:
            progress.layer, progress.taken = depth, 0
        is_left_out = progress.taken == waiting.order.width > 0
        if is_left_out or (progress.solution >= 0 and solved(level, state)):
            pop(waiting.heap, progress.open)
            progress.open -= 1
            progress.left_out += is_left_out
            continue
        found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        pop(waiting.heap, progress.open)
        progress.open -= 1
        progress.taken += 1
        first, image = progress.registered, waiting.image
        for index in range(found):
            copy_words(rows[index], image)
            if instance.merged:
                representative(level, instance.findings, image)
            number = _register(instance, memory, image, parent, costs[index], progress)
            numbers[index] = -1 if number >= 0 and table[number, fields + 3] == DEAD else number
        _judge(instance, state if parent > 0 else waiting.first, rows, guide, numbers[:found])
        for index in range(found):
            number = numbers[index]
            if number >= first:
                _open(level, memory, waiting, guide, number, scores[index], progress)
        progress.generated += found
        progress.expanded += 1
    return MORE


@inlined
def _judge(instance: Instance, state: State, rows: Rows, guide: Guide, numbers: Any) -> None:
    """Write the probabilities of a state's moves; those without a number have none."""
    tilings = guide.tilings
    scores = guide.moves.scores
    is_uniform = tilings.patches.size == 0 and not tilings.traits
    if not is_uniform:
        look(instance.levels[0], state, guide)
    for index in range(numbers.size):
        if numbers[index] < 0:
            scores[index] = -np.inf
        elif is_uniform:
            scores[index] = 0.0
        else:
            score(instance, state, rows[index], guide, 0, index)
    share(guide, numbers.size)


@inlined
def _open(
    level: LevelRecord,
    memory: Memory,
    waiting: Open,
    guide: Guide,
    number: int,
    probability: float,
    progress: Any,
) -> None:
    """Put a new state into the heap."""
    row = memory.table[number]
    fields = row.size - FIELDS
    parent = np.int64(row[fields])
    paths, order = waiting.paths, waiting.order
    prolong(paths, order, parent, number, probability)
    place = Place(
        number, np.int64(row[fields + 1]), np.int64(row[fields + 2]), np.int64(row[fields + 3])
    )
    push(waiting.heap, progress.open, key_of(order, paths, place), number)
    if order.kind == ROOTED:
        _reroot(level, memory, waiting, number)
    progress.open += 1
    progress.unique += 1


@inlined
def _reroot(level: LevelRecord, memory: Memory, waiting: Open, number: int) -> None:
    """Make a state a root if its heuristic is lower than the last root's, or milestones differ."""
    table, paths, field = memory.table, waiting.paths, memory.table.shape[1] - FIELDS + 3
    root, state = np.int64(paths.roots[number]), waiting.image
    load_state(memory, root, state)
    before = milestones(level, state)
    load_state(memory, number, state)
    left = np.float64(table[number, field])
    if left < table[root, field] or milestones(level, state) != before:
        paths.weights[number] = -waiting.order.slope * left / max(np.float64(table[0, field]), 1.0)


class LevinSearch(StoredSearch):
    """One search, guided by a policy."""

    def __init__(self, problem: Problem, model: Model, epsilon: float, order: Order) -> None:
        """Open the first state.

        Args:
            problem: The level.
            model: The policy.
            epsilon: The share of the probability that is distributed evenly over all moves.
            order: The order of expansion.
        """
        left = problem.max_bytes - model.table.nbytes
        beside = BYTES + order.bytes
        super().__init__(problem, left, FIELDS, "open", "layer", "taken", "left_out", beside=beside)
        self._instance, self._guide = guided(problem, model, epsilon)
        self._nodes.table[0, -2] = left_at_start(self._instance, problem.start)
        rows, room = len(self._nodes.scratch.rows), len(self._nodes.table)
        self._open = Open(
            Heap.of(room), Paths.of(room, order), np.empty(rows, np.int64),
            canonical_form(problem), problem.start.copy(), order, True,
        )  # fmt: skip
        self._open.heap.keys[0] = self._open.heap.numbers[0] = 0
        self.tally["unique"] = self.tally["open"] = 1

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        nodes = self._nodes
        reason = expand(
            self._instance, nodes.memory, nodes.scratch, self._guide, self._open, self.tally,
            expansions,
        )  # fmt: skip
        if reason == EXHAUSTED and self.count("left_out"):
            return Status.GAVE_UP
        return self._ended(reason)

    def shorten(self, expansions: int) -> None:
        """Continue after the solution for this many expansions, which may find shorter ones."""
        self._open = self._open._replace(stops=False)
        end = self.count("expanded") + expansions
        status: Status | None = None
        while status is None and self.count("expanded") < end:
            status = self.run(end - self.count("expanded"))

    def _grow(self, reason: int) -> bool:
        """Make room for more states, or for more successors of one."""
        nodes, grown = self._nodes, super()._grow(reason)
        if reason == NO_ROOM_FOR_ROWS:
            rows = len(nodes.scratch.rows)
            self._guide = self._guide.with_room(rows, len(self._guide.moves.contexts))
            self._open = self._open._replace(numbers=np.empty(rows, np.int64))
            return grown
        room = len(nodes.table)
        if room > self._open.paths.logs.size:
            paths = self._open.paths.longer(room, self._open.order)
            self._open = self._open._replace(heap=self._open.heap.longer(room), paths=paths)
        return grown

    @property
    def bytes(self) -> int:
        """The memory of the tables."""
        beside = (BYTES + self._open.order.bytes) * self.registered
        return super().bytes + beside + self._guide.table.nbytes

    @property
    def cost(self) -> int:
        """The cost of the solution."""
        return int(self._nodes.table[self.count("solution"), 2 * self.problem.start.size + 2])

    @property
    def waiting(self) -> int:
        """Size of the open list."""
        return self.count("open")


@rare_kernel
def left_at_start(instance: Instance, state: State) -> int:
    """The heuristic of the first state, a dead end's too."""
    return min(left_from(instance.levels[0], instance.findings, state), NEVER)


@rare_kernel
def make_canonical(levels: LevelRecord, state: State) -> None:
    """Bring a state into canonical form."""
    canonical(levels[0], state)


def canonical_form(problem: Problem) -> Words:
    """The first state in canonical form."""
    state = problem.start.copy()
    make_canonical(problem.record, state)
    return state


def guided(problem: Problem, model: Model, epsilon: float) -> tuple[Instance, Guide]:
    """The level without the padding of its environment's spaces, and a policy on its board."""
    puzzle = problem.puzzle
    own = np.array([puzzle.format.fitted(problem.record[0])], problem.record.dtype)
    guide = Guide.of(puzzle, own, model.table, model.unit, model.tilings, epsilon)
    return problem.instance._replace(levels=own), guide

"""Best-first search by keys of a policy and a heuristic: Levin tree search, PHS* and their kin.

No state is opened twice: one that is reached again at a lower cost only gets its new parent, which
makes solutions shorter. States that are proved to be dead ends keep their numbers, so that this is
proved once, and have no share of the policy. Moves to the same state share as one.
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
from puzzle_agents.search.search import Problem, Search, Words
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import inlined, kernel, rare_kernel
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
    take_slot,
)
from puzzle_envs.verbs import (
    NEVER,
    Findings,
    LevelRecord,
    Rows,
    State,
    canonical,
    estimate,
    hopeless,
    milestones,
    representative,
    solved,
    successors,
)

__all__ = ["LevinSearch", "canonical_form", "guided", "left_from"]

MORE, EXHAUSTED, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS = range(5)
"""Why the kernel came back."""
FIELDS = 5
"""Beside a state: its parent, depth, cost so far, heuristic, and the last expansion to reach it."""
DEAD = np.uint32(2**32 - 1)
"""The heuristic of a dead end."""


class Open(NamedTuple):
    """The open states."""

    heap: Heap
    paths: Paths
    numbers: npt.NDArray[np.int64]
    """Scratch: the numbers of a state's successors."""
    first: State
    """The first state in canonical form, as all others are: so it is looked at."""
    image: State
    """Scratch: the representative of a successor."""
    order: Order
    stops: bool
    """Whether to stop at the first solution, rather than to look for shorter ones."""


@inlined
def left_from(level: LevelRecord, findings: Findings, state: State) -> int:
    """The heuristic of a state; NEVER or more: it is a dead end."""
    return NEVER if hopeless(level, state) else estimate(level, findings, state)


@inlined
def _register(
    instance: Instance, memory: Memory, row: State, parent: int, cost: int, progress: Any
) -> int:
    """The number of a successor, a new one if it has none; -1 for the same state again.

    One that is reached at a lower cost than before gets its new parent. No circle comes of it: a
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
    take_slot(memory, slot, hashed, number)
    keep_state(memory, number, row)
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
    """Expand state after state; say why it stopped."""
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
        look(instance.levels[0], state, guide.board)
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
    """Make a state a root if it has less heuristic or other milestones than the root before."""
    table, paths, field = memory.table, waiting.paths, memory.table.shape[1] - FIELDS + 3
    root, state = np.int64(paths.roots[number]), waiting.image
    load_state(memory, root, state)
    before = milestones(level, state)
    load_state(memory, number, state)
    left = np.float64(table[number, field])
    if left < table[root, field] or milestones(level, state) != before:
        paths.weights[number] = -waiting.order.slope * left / max(np.float64(table[0, field]), 1.0)


class LevinSearch(Search):
    """One search, guided by a policy."""

    def __init__(self, problem: Problem, model: Model, epsilon: float, order: Order) -> None:
        """Open the first state.

        Args:
            problem: The level.
            model: The policy.
            epsilon: The share of the probability that all moves have equally.
            order: What is expanded first.
        """
        super().__init__(problem, "registered", "open", "layer", "taken", "left_out")
        self._instance, self._guide = guided(problem, model, epsilon)
        left = problem.max_bytes - model.table.nbytes
        self._nodes = Nodes(problem.start.size, left, FIELDS, BYTES + order.bytes)
        self._nodes.register_first(problem.start)
        self._nodes.table[0, -2] = left_at_start(self._instance, problem.start)
        rows, room = len(self._nodes.scratch.rows), len(self._nodes.table)
        self._open = Open(
            Heap.of(room), Paths.of(room, order), np.empty(rows, np.int64),
            canonical_form(problem), problem.start.copy(), order, True,
        )  # fmt: skip
        self._open.heap.keys[0] = self._open.heap.numbers[0] = 0
        self.tally["unique"] = self.tally["registered"] = self.tally["open"] = 1
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = 0

    def run(self, expansions: int) -> Status | None:
        """Go on, as Search.run."""
        nodes = self._nodes
        reason = expand(
            self._instance, nodes.memory, nodes.scratch, self._guide, self._open, self.tally,
            expansions,
        )  # fmt: skip
        if reason in (NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS) and not self._grow(reason):
            return Status.OUT_OF_MEMORY
        if reason == EXHAUSTED and self.count("left_out"):
            return Status.GAVE_UP
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    def shorten(self, expansions: int) -> None:
        """Go on after the solution for so many expansions; shorter ways may come up."""
        self._open = self._open._replace(stops=False)
        end = self.count("expanded") + expansions
        status: Status | None = None
        while status is None and self.count("expanded") < end:
            status = self.run(end - self.count("expanded"))

    def _grow(self, reason: int) -> bool:
        """Make room for more states, or for more successors of one."""
        nodes, registered = self._nodes, self.count("registered")
        if reason == NO_ROOM_FOR_ROWS:
            grown = nodes.grow_rows(registered)
            rows = len(nodes.scratch.rows)
            self._guide = self._guide.with_room(rows, len(self._guide.moves.contexts))
            self._open = self._open._replace(numbers=np.empty(rows, np.int64))
            return grown
        grown = nodes.grow(registered)
        room = len(nodes.table)
        if room > self._open.paths.logs.size:
            paths = self._open.paths.longer(room, self._open.order)
            self._open = self._open._replace(heap=self._open.heap.longer(room), paths=paths)
        return grown

    @property
    def bytes(self) -> int:
        """The memory of the tables."""
        registered = self.count("registered")
        beside = (BYTES + self._open.order.bytes) * registered
        return self._nodes.bytes(registered) + beside + self._guide.table.nbytes

    @property
    def cost(self) -> int:
        """The cost of the solution."""
        return int(self._nodes.table[self.count("solution"), 2 * self.problem.start.size + 2])

    @property
    def waiting(self) -> int:
        """Size of the open list."""
        return self.count("open")

    @property
    def current(self) -> Words | None:
        """The state expanded last."""
        return self._nodes.scratch.state.copy() if self.count("expanded") else None

    def path(self) -> list[Words]:
        """The stored states along the solution."""
        return self._nodes.path(self.count("solution"))


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
    guide = Guide.of(puzzle, own, model.table, model.tilings, epsilon)
    return problem.instance._replace(levels=own), guide

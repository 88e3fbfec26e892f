"""Levin tree search and PHS*: best-first search by keys of a policy and a heuristic.

Levin tree search expands the state with the lowest d / pi: its depth, over the probability that
the policy gives to the path to it. PHS* has the heuristic in its key too. No state is opened twice:
one that is reached again at a lower cost only gets its new parent, which makes solutions shorter.
States that are proved to be dead ends keep their numbers, so that this is proved once, and have no
share of the policy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Status
from puzzle_agents.search.learned.heap import BYTES, Heap, pop, push
from puzzle_agents.search.learned.model import Model
from puzzle_agents.search.learned.policy import Guide, look, score, share
from puzzle_agents.search.search import Problem, Search, Words
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
    State,
    canonical,
    estimate,
    hopeless,
    representative,
    solved,
    successors,
)

__all__ = ["LevinSearch", "canonical_form", "guided", "left_from"]

MORE, EXHAUSTED, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_CONTEXTS = range(6)
"""Why the kernel came back."""
FIELDS = 4
"""Beside a state: its parent, depth, cost so far, and heuristic."""
DEAD = np.uint32(2**32 - 1)
"""The heuristic of a dead end."""


class Open(NamedTuple):
    """The open states."""

    heap: Heap
    logs: npt.NDArray[np.float32]
    """Of each state the logarithm of the probability of its path."""
    numbers: npt.NDArray[np.int64]
    """Scratch: the numbers of a state's successors."""
    first: State
    """The first state in canonical form, as all others are: so it is looked at."""
    weighs: bool
    """Whether the heuristic is in the key."""
    stops: bool
    """Whether to stop at the first solution, rather than to look for shorter ones."""


@inlined
def left_from(level: LevelRecord, findings: Findings, state: State) -> int:
    """The heuristic of a state; NEVER or more: it is a dead end."""
    return NEVER if hopeless(level, state) else estimate(level, findings, state)


@inlined
def _key(depth: int, cost: int, left: int, log: float, weighs: bool) -> float:
    """The logarithm of what orders the open states, of one at this depth."""
    if not weighs:
        return np.log(np.float64(depth)) - log
    spent = np.float64(max(cost, 1))
    return np.log(spent + left) - log * (1 + left / spent)


@inlined
def _register(
    instance: Instance, memory: Memory, row: State, parent: int, cost: int, progress: Any
) -> int:
    """The number of a successor, a new one if it has none.

    One that is reached at a lower cost than before gets its new parent. No circle comes of it: a
    state never costs less than its parent.
    """
    level, table, fields = instance.levels[0], memory.table, 2 * row.size
    hashed = hash_state(memory.layout, row)
    slot = find_state(memory, row, hashed)
    number = number_in(memory, slot)
    spent = np.int64(table[parent, fields + 2]) + cost
    if number >= 0 and spent >= np.int64(table[number, fields + 2]):
        return number
    is_new = number < 0
    if is_new:
        number = progress.registered
    table[number, fields] = parent
    table[number, fields + 1] = table[parent, fields + 1] + 1
    table[number, fields + 2] = spent
    if not is_new:
        return number
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
    fields = 2 * state.size
    for _ in range(expansions):
        if progress.solution >= 0 and (waiting.stops or progress.open == 0):
            return FOUND
        if progress.open == 0:
            return EXHAUSTED
        if progress.registered + rows.shape[0] > memory.room:
            return NO_ROOM_FOR_STATES
        parent = np.int64(waiting.heap.numbers[0])
        load_state(memory, parent, state)
        if progress.solution >= 0 and solved(level, state):
            pop(waiting.heap, progress.open)
            progress.open -= 1
            continue
        found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        if guide.tilings.ends.size > 0:
            look(level, waiting.first if parent == 0 else state, guide.board)
            end = 0
            for index in range(found):
                end = score(level, rows[index], guide, end, index)
                if end < 0:
                    return NO_ROOM_FOR_CONTEXTS
        else:
            for index in range(found):
                guide.moves.scores[index] = 0.0
        pop(waiting.heap, progress.open)
        progress.open -= 1
        first = progress.registered
        for index in range(found):
            if instance.merged:
                representative(level, instance.findings, rows[index])
            number = _register(instance, memory, rows[index], parent, costs[index], progress)
            waiting.numbers[index] = number
            if table[number, fields + 3] == DEAD:
                guide.moves.scores[index] = -np.inf
        share(guide, found)
        for index in range(found):
            number = waiting.numbers[index]
            if number < first or table[number, fields + 3] == DEAD:
                continue
            first = number + 1  # the next one of this number is the same state again
            log = waiting.logs[parent] + np.log(guide.moves.scores[index])
            waiting.logs[number] = log
            key = _key(
                np.int64(table[number, fields + 1]),
                np.int64(table[number, fields + 2]),
                np.int64(table[number, fields + 3]),
                log,
                waiting.weighs,
            )
            push(waiting.heap, progress.open, key, number)
            progress.open += 1
            progress.unique += 1
        progress.generated += found
        progress.expanded += 1
    return MORE


class LevinSearch(Search):
    """One search, guided by a policy."""

    def __init__(self, problem: Problem, model: Model, epsilon: float, *, weighs: bool) -> None:
        """Open the first state.

        Args:
            problem: The level.
            model: The policy.
            epsilon: The share of the probability that all moves have equally.
            weighs: Whether the heuristic is in the key: PHS* rather than Levin tree search.
        """
        super().__init__(problem, "registered", "open")
        self._instance, self._guide = guided(problem, model, epsilon)
        left = problem.max_bytes - model.table.nbytes
        self._nodes = Nodes(problem.start.size, left, FIELDS, beside=BYTES + 4)
        self._nodes.register_first(problem.start)
        rows, room = len(self._nodes.scratch.rows), len(self._nodes.table)
        self._open = Open(
            Heap.of(room), np.zeros(room, np.float32), np.empty(rows, np.int64),
            canonical_form(problem), weighs, True,
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
        if reason == NO_ROOM_FOR_CONTEXTS:
            self._guide = self._guide.with_room(
                len(self._guide.moves.scores), 2 * len(self._guide.moves.contexts)
            )
        elif reason in (NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS) and not self._grow(reason):
            return Status.OUT_OF_MEMORY
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
        if room > self._open.logs.size:
            logs = np.empty(room, np.float32)
            logs[: self._open.logs.size] = self._open.logs
            self._open = self._open._replace(heap=self._open.heap.longer(room), logs=logs)
        return grown

    @property
    def bytes(self) -> int:
        """The memory of the tables."""
        registered = self.count("registered")
        return self._nodes.bytes(registered) + (BYTES + 4) * registered + self._guide.table.nbytes

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

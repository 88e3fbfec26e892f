"""The neighbourhood of a plan, in which shorter plans are found.

It consists of the states reached from the plan's states by other moves or by leaving out some
moves, and then by following the rest of the plan as far as its moves are legal. States with fewer
departures from the plan are expanded first, in random order among equals. Each state keeps its
cheapest path, so the path to the solved state is the cheapest in the neighbourhood.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.search.plan import Plan
from puzzle_agents.search.queues import Queues, best_queue, join, leave
from puzzle_agents.search.search import Problem
from puzzle_envs.kernels.bitboards import copy_words, same_words
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.level import Words, record_dtype
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.chance import below
from puzzle_envs.states.nodes import COUNTERS, Nodes
from puzzle_envs.states.reasons import EXHAUSTED, MORE, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    load_state,
    number_in,
)
from puzzle_envs.verbs import State, apply, canonical, estimate, hopeless, solved, successors

PARENT, NEXT, COST, PLACE, LEFT = range(5)
"""Data stored with a state: its parent, the next in its queue, its cost, how many moves of the
plan are done, and how often the plan was left, with a flag."""
FIELDS = 5
WAITING = 1 << 31
"""The flag: the state is in a queue."""
FARTHEST = 64
"""States with more departures from the plan share a queue."""
SPREAD = 64
"""Number of queues for states with equally many departures; one is chosen at random."""
SKIPS = 4
"""Maximum number of moves left out at once."""
FOLLOWED = 500
"""Maximum number of moves tried when following the plan."""

TALLY = record_dtype(
    [*COUNTERS, ("registered", np.int64), ("best", np.int64), ("wanted", np.int64)]
)
"""The counters, the cost of the cheapest solution, and the number of states to make room for."""


class Moves(NamedTuple):
    """The moves of a plan."""

    actions: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    """The end of each move among the actions."""


class Surroundings(NamedTuple):
    """What is explored, and how."""

    moves: Moves
    queues: Queues
    chance: Words
    walker: Words
    """Scratch: the state from which the plan is followed."""
    ahead: Scratch
    most: int
    """Number of states at which the neighbourhood is complete."""


class Link(NamedTuple):
    """How a state was reached."""

    parent: int
    before: int
    """The cost of the parent."""
    cost: int
    """The cost of the move from it."""
    place: int
    left: int


@inlined
def _reach(
    instance: Instance, memory: Memory, around: Surroundings, row: State, link: Link, progress: Any
) -> int:
    """Store a state; return its number, or -1 if it is not worth expanding."""
    level, table = instance.levels[0], memory.table
    fields, cost, left, waiting = 2 * row.size, link.before + link.cost, link.left, 0
    hashed = hash_state(memory.layout, row)
    slot = find_state(memory, row, hashed)
    number = number_in(memory, slot)
    if number >= 0:
        before = np.int64(table[number, fields + COST])
        if cost == before and link.cost > 0 and below(around.chance, 2) == 0:
            table[number, fields + PARENT] = link.parent  # another plan of the same cost
        if cost >= before:
            return -1
        marks = np.int64(table[number, fields + LEFT])
        waiting = marks & WAITING
        left = min(left, marks ^ waiting)
    else:
        if hopeless(level, row):
            return -1
        progress.evaluated += 1
        if cost + estimate(level, instance.findings, row) >= progress.best:
            return -1
        number = progress.registered
        add_state(memory, slot, hashed, number, row)
        progress.registered += 1
        progress.unique += 1
    table[number, fields + PARENT] = link.parent
    table[number, fields + COST] = cost
    table[number, fields + PLACE] = link.place
    table[number, fields + LEFT] = left | waiting
    if solved(level, row):
        progress.solution, progress.best = number, cost
        return -1
    if waiting == 0:
        _enqueue(memory, around, number, left, fields)
    return np.int64(number)


@inlined
def _enqueue(memory: Memory, around: Surroundings, number: Any, left: Any, fields: int) -> None:
    column = min(left, FARTHEST - 1) * SPREAD + below(around.chance, SPREAD)
    memory.table[number, fields + LEFT] = left | WAITING
    join(around.queues, memory, 0, column, number, fields + NEXT)


@inlined
def _follow(
    instance: Instance,
    memory: Memory,
    around: Surroundings,
    link: Link,
    progress: Any,
    limit: int,
) -> None:
    """Follow the plan from the walker's state, leaving out impossible moves."""
    level, moves, walker, ahead = instance.levels[0], around.moves, around.walker, around.ahead
    parent, spent = link.parent, link.before
    for move in range(link.place, min(moves.ends.size, link.place + FOLLOWED)):
        copy_words(walker, ahead.state)
        possible = False
        for index in range(moves.ends[move - 1] if move > 0 else 0, moves.ends[move]):
            possible |= apply(level, ahead.state, moves.actions[index]) >= 0
        if not possible:
            continue
        if progress.expanded >= limit:
            return
        canonical(level, ahead.state)
        found = successors(level, walker, ahead.rows, ahead.costs)
        progress.expanded += 1
        progress.generated += max(found, 0)
        chosen = -1
        for index in range(found):
            if same_words(ahead.rows[index], ahead.state) or solved(level, ahead.rows[index]):
                chosen = index
                break
        if chosen < 0:
            continue
        copy_words(ahead.rows[chosen], walker)
        onward = Link(parent, spent, ahead.costs[chosen], move + 1, link.left)
        parent = _reach(instance, memory, around, walker, onward, progress)
        if parent < 0:
            return
        spent += ahead.costs[chosen]


@kernel
def explore(
    instance: Instance,
    memory: Memory,
    scratch: Scratch,
    around: Surroundings,
    tally: Any,
    expansions: int,
    limit: int,
) -> int:
    """Expand states; return why it stopped.

    It stops after this many expansions, but not within what one state leads to: only a limit cuts
    that short, so that results do not depend on the clock.
    """
    level, progress = instance.levels[0], tally[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    fields = 2 * state.size
    end = progress.expanded + expansions
    while progress.expanded < end:
        row, column = best_queue(around.queues)
        if row > 0 or progress.registered > around.most:
            return EXHAUSTED
        number = np.int64(around.queues.firsts[0, column]) - 1
        load_state(memory, number, state)
        found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        place = np.int64(memory.table[number, fields + PLACE])
        followed: Any = min(around.moves.ends.size - place, FOLLOWED)
        progress.wanted = (found + SKIPS) * (followed + 1)
        if progress.registered + progress.wanted > memory.room:
            return NO_ROOM_FOR_STATES
        leave(around.queues, memory, 0, column, fields + NEXT)
        left = np.int64(memory.table[number, fields + LEFT]) ^ WAITING
        memory.table[number, fields + LEFT] = left
        cost = np.int64(memory.table[number, fields + COST])
        progress.generated += found
        progress.expanded += 1
        if cost >= progress.best:
            continue
        for skipped in range(1, SKIPS + 1):
            copy_words(state, around.walker)
            link = Link(number, cost, 0, place + skipped, left + 1)
            _follow(instance, memory, around, link, progress, limit)
        for index in range(found):
            link = Link(number, cost, costs[index], place, left + 1)
            child = _reach(instance, memory, around, rows[index], link, progress)
            if child >= 0:
                copy_words(rows[index], around.walker)
                link = Link(child, cost + costs[index], 0, place, left + 1)
                _follow(instance, memory, around, link, progress, limit)
    return MORE


@kernel
def register(
    instance: Instance, memory: Memory, around: Surroundings, states: Any, costs: Any, tally: Any
) -> None:
    """Store the states of the plan; all but the last are to be expanded."""
    fields = 2 * states.shape[1]
    for place in range(states.shape[0]):
        row = states[place]
        hashed = hash_state(memory.layout, row)
        add_state(memory, find_state(memory, row, hashed), hashed, place, row)
        memory.table[place, fields + PARENT] = max(place - 1, 0)
        memory.table[place, fields + COST] = costs[place]
        memory.table[place, fields + PLACE] = place
        memory.table[place, fields + LEFT] = 0
        if place < states.shape[0] - 1:
            _enqueue(memory, around, place, 0, fields)
    tally[0].registered = states.shape[0]
    tally[0].best = costs[states.shape[0] - 1]


class Neighbourhood:
    """Explores the neighbourhood of one plan after another, in the same memory."""

    def __init__(self, problem: Problem, chance: Words) -> None:
        """Allocate memory for all neighbourhoods."""
        self._problem, self._chance = problem, chance
        self._nodes = Nodes(problem.start.size, problem.max_bytes, FIELDS)
        self._around: Surroundings
        self._length = 0
        self.tally = np.zeros(1, TALLY)

    def begin(self, plan: Plan, most: int) -> bool:
        """Begin with only a plan; False if the memory has no room for it.

        Args:
            plan: The plan, without loops.
            most: States beside the plan's after which the neighbourhood is large enough.
        """
        nodes, self._length = self._nodes, len(plan.costs) - 1
        while nodes.room < len(plan.states):
            if not nodes.grow(0, len(plan.states)):
                return False
        nodes.slots[:] = 0
        words = self._problem.start.size
        self._around = Surroundings(
            Moves(plan.actions, plan.ends),
            Queues.of(1, FARTHEST * SPREAD),
            self._chance,
            np.empty(words, np.uint64),
            Scratch.of(words, len(nodes.scratch.rows)),
            most + len(plan.states),
        )
        self.tally["solution"] = -1
        register(self._instance, nodes.memory, self._around, plan.states, plan.costs, self.tally)
        return True

    def run(self, expansions: int, limit: int) -> bool | None:
        """Continue; whether it is explored now, or None if the memory is full."""
        nodes = self._nodes
        reason = explore(
            self._instance, nodes.memory, nodes.scratch, self._around, self.tally, expansions, limit
        )
        registered = int(self.tally["registered"][0])
        if reason == NO_ROOM_FOR_STATES:
            wanted = int(self.tally["wanted"][0])
            return False if nodes.grow(registered, wanted) else None
        if reason == NO_ROOM_FOR_ROWS:
            if not nodes.grow_rows(registered):
                return None
            ahead = Scratch.of(self._problem.start.size, len(nodes.scratch.rows))
            self._around = self._around._replace(ahead=ahead)
        return reason == EXHAUSTED

    @property
    def _instance(self) -> Instance:
        """Without symmetry: the plan's moves do not apply to mirror images."""
        return self._problem.instance._replace(merged=False)

    def path(self) -> list[Words]:
        """The states of the cheapest plan found, excluding the first."""
        found = int(self.tally["solution"][0])
        return self._nodes.path(found if found >= 0 else self._length)

    @property
    def expanded(self) -> int:
        """States expanded in all neighbourhoods."""
        return int(self.tally["expanded"][0])

    @property
    def state(self) -> Words:
        """The state last expanded."""
        return self._nodes.scratch.state.copy()

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return self._nodes.bytes(int(self.tally["registered"][0])) + self._nodes.scratch.bytes

"""Breadth-first exploration over macro-moves, compiled once for every puzzle.

It certifies levels (whether one is solvable, its optimum, the number of its states) and is the
engine of the breadth-first agent. States are stored in one array in the order in which they are
found, so that the array is the queue; a hash table finds their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.level import Words, record_dtype
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.nodes import COUNTERS, Nodes
from puzzle_envs.states.paths import actions_through, beginning, is_solved, total_cost
from puzzle_envs.states.reasons import FOUND, LAYER_DONE, MORE, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    load_state,
)
from puzzle_envs.verbs import (
    Costs,
    LevelRecord,
    Rows,
    State,
    hopeless,
    representative,
    solved,
    successors,
)

LARGEST = 2**31 - 1

TALLY = record_dtype([*COUNTERS, ("cheapest", np.int64), ("dearest", np.int64)])
"""The counters, and the least and greatest cost of a move into the current layer."""


class Manner(NamedTuple):
    """What the kernel does with successors and solutions."""

    free: bool = False
    """Register only successors at no cost, which belong to the same layer."""
    to_solution: bool = True
    """Stop at the first solution."""
    pruned: bool = True
    """Leave out dead ends."""


@inlined
def _take_in(
    level: LevelRecord, memory: Memory, state: State, parent: int, progress: Any, pruned: bool
) -> bool:
    """Register a state unless it is known or a dead end; return whether it was registered."""
    hashed = hash_state(memory.layout, state)
    slot = find_state(memory, state, hashed)
    if memory.slots[slot] != 0 or (pruned and hopeless(level, state)):
        return False
    number = progress.unique
    add_state(memory, slot, hashed, number, state)
    memory.table[number, 2 * state.size] = parent
    progress.unique += 1
    if progress.solution < 0 and solved(level, state):
        progress.solution = number
    return True


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    scratch: Scratch,
    tally: Any,
    layer_end: int,
    expansions: int,
    manner: Manner,
) -> int:
    """Expand states from tally.expanded on; return why it stopped."""
    level, progress = instance.levels[0], tally[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    for _ in range(expansions):
        parent = progress.expanded
        if parent == (progress.unique if manner.free else layer_end):
            return LAYER_DONE
        load_state(memory, parent, state)
        generated = successors(level, state, rows, costs)
        if generated < 0:
            return NO_ROOM_FOR_ROWS
        if progress.unique + generated > memory.room:
            return NO_ROOM_FOR_STATES
        progress.generated += generated
        for index in range(generated):
            cost, row = costs[index], rows[index]
            if manner.free and cost != 0:
                continue
            if instance.merged:
                representative(level, instance.findings, row)
            taken = _take_in(level, memory, row, parent, progress, manner.pruned)
            if taken and not manner.free:
                progress.dearest = max(progress.dearest, cost)
                progress.cheapest = min(progress.cheapest, cost)
        progress.expanded = parent + 1
        if manner.to_solution and progress.solution >= 0:
            return FOUND
    return MORE


@kernel
def list_free(levels: LevelRecord, state: State, rows: Rows, costs: Costs) -> int:
    """Write the results of free macro-moves; return their number, -1 if `rows` is too short."""
    found = successors(levels[0], state, rows, costs)
    free = 0
    for index in range(found):
        if costs[index] == 0:
            copy_words(rows[index], rows[free])
            free += 1
    return free if found >= 0 else found


class Exploration:
    """A breadth-first search from one state of a level, advanced in slices."""

    def __init__(
        self,
        puzzle: Puzzle,
        record: np.ndarray,
        state: Words | None = None,
        max_bytes: int = 2**31,
        *,
        pruned: bool = True,
        merged: bool = False,
    ) -> None:
        """Start at a state, by default the level's start.

        Args:
            puzzle: The puzzle.
            record: The level, as an array of one record.
            state: The words of the first state.
            max_bytes: Maximum memory of the tables.
            pruned: Leave out proved dead ends.
            merged: Treat mirror images and rotations as one state.
        """
        puzzle.load_rules()
        self._puzzle, self._record = puzzle, record
        self._manner = Manner(pruned=pruned)
        self._instance = (
            Instance(record, puzzle.findings(record[0]), True) if merged else Instance.plain(record)
        )
        self._start = beginning(puzzle, record) if state is None else state.copy()
        self._nodes = Nodes(self._start.size, max_bytes, fields=1)
        self._nodes.register_first(self._start)
        self.tally = np.zeros(1, TALLY)
        """The counters of nodes.COUNTERS."""
        self.tally["unique"] = 1
        self.tally["solution"] = 0 if is_solved(record, self._start) else -1
        self.tally["cheapest"] = LARGEST
        self._layer_ends = [1]
        self._even = True
        self.exhausted = False
        """Whether every reachable state has been reached."""
        self.out_of_memory = False
        self._take_free_moves()

    # --- what was found -----------------------------------------------------------------------

    @property
    def expanded(self) -> int:
        """Number of states expanded."""
        return int(self.tally["expanded"][0])

    @property
    def generated(self) -> int:
        """Number of successors generated, including duplicates."""
        return int(self.tally["generated"][0])

    @property
    def unique(self) -> int:
        """Number of different states reached."""
        return int(self.tally["unique"][0])

    @property
    def solved(self) -> bool:
        """Whether a solution was found."""
        return bool(self.tally["solution"][0] >= 0)

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        return self._nodes.bytes(self.unique)

    @property
    def memory(self) -> Memory:
        """The states that were reached, numbered in the order in which they were."""
        return self._nodes.memory

    @property
    def layers(self) -> list[int]:
        """Number of states first reached after 0, 1, 2 ... macro-moves."""
        ends = [0, *self._layer_ends]
        if self.unique > ends[-1]:
            ends.append(self.unique)
        return np.diff(ends).tolist()

    @property
    def proves_optimum(self) -> bool:
        """Whether all moves of each layer cost the same, so that the first solution is optimal."""
        return self._even and bool(self.tally["cheapest"][0] >= self.tally["dearest"][0])

    @property
    def moves(self) -> int:
        """The cost of the solution, in the paper's moves."""
        return total_cost(self._record, self._start, self.actions())

    @property
    def current(self) -> Words | None:
        """The state last expanded; None before the first."""
        return self._nodes.state(self.expanded - 1) if self.expanded else None

    def state(self, number: int) -> Words:
        """The words of a state, by its number."""
        return self._nodes.state(number)

    def path(self) -> list[Words]:
        """The states on the way to the solution, without the first."""
        return self._nodes.path(int(self.tally["solution"][0]))

    def actions(self) -> list[int]:
        """The solution as actions of the level's environment."""
        return self._actions_to(self.path())

    def actions_to(self, number: int) -> list[int]:
        """The way to a state that was reached, as actions of the level's environment."""
        return self._actions_to(self._nodes.path(number))

    def _actions_to(self, path: Sequence[Words]) -> list[int]:
        return actions_through(self._instance, self._start, path)

    # --- running ------------------------------------------------------------------------------

    def run(self, expansions: int = LARGEST, *, to_solution: bool = True) -> bool:
        """Expand at most this many states; return whether the search is over."""
        target = self.expanded + expansions
        while not (self.exhausted or self.out_of_memory or (to_solution and self.solved)):
            left = target - self.expanded
            if left <= 0:
                return False
            self._run_slice(left, to_solution)
        return True

    def _take_free_moves(self) -> None:
        """Complete the first layer: the first state, and all that moves at no cost reach."""
        reason = MORE
        while reason != LAYER_DONE and not self.out_of_memory:
            reason = self._expand(LARGEST, free=True, to_solution=False)
            self._make_room(reason)
        self._layer_ends = [self.unique]
        self.tally["expanded"], self.tally["generated"] = 0, 0

    def _expand(self, expansions: int, *, free: bool = False, to_solution: bool) -> int:
        nodes, manner = self._nodes, self._manner._replace(free=free, to_solution=to_solution)
        return expand(
            self._instance, nodes.memory, nodes.scratch, self.tally, self._layer_ends[-1],
            expansions, manner,
        )  # fmt: skip

    def _run_slice(self, expansions: int, to_solution: bool) -> None:
        reason = self._expand(expansions, to_solution=to_solution)
        if reason == LAYER_DONE:
            self._end_layer()
        else:
            self._make_room(reason)

    def _make_room(self, reason: int) -> None:
        if reason == NO_ROOM_FOR_STATES:
            self.out_of_memory = not self._nodes.grow(self.unique)
        elif reason == NO_ROOM_FOR_ROWS:
            self.out_of_memory = not self._nodes.grow_rows(self.unique)

    def _end_layer(self) -> None:
        cheapest, dearest = self.tally["cheapest"][0], self.tally["dearest"][0]
        self.exhausted = self.unique == self._layer_ends[-1]
        if not self.exhausted:
            self._even &= bool(cheapest >= dearest)
            self._layer_ends.append(self.unique)
            self.tally["until_last_jump"] = self.expanded
        self.tally["cheapest"], self.tally["dearest"] = LARGEST, 0

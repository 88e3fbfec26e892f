"""Breadth-first exploration over whole moves, compiled once for every puzzle.

It tells what a level's certificate needs (whether it can be solved, in how few moves, how many
states it has) and is the engine of the breadth-first agent. States lie in one array in the order
in which they were found, so that the array is the queue; a table of their numbers finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.compiled import inlined, kernel
from puzzle_envs.level import record_dtype
from puzzle_envs.nodes import COUNTERS, Nodes
from puzzle_envs.paths import actions_through, beginning, is_solved, total_cost
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.tables import find_state, hash_state, keep_state, load_state, take_slot
from puzzle_envs.verbs import hopeless, representative, solved, successors

__all__ = ["Exploration"]

MORE, LAYER_DONE, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS = range(5)
"""Why the kernel came back."""

LARGEST = 2**31 - 1

TALLY = record_dtype([*COUNTERS, ("cheapest", np.int64), ("dearest", np.int64)])
"""The counters, and the least and greatest cost of a move into the layer that is being found."""


@inlined
def _take_in(
    layout: Any,
    level: Any,
    state: Any,
    parent: int,
    table: Any,
    slots: Any,
    progress: Any,
    pruned: bool,
) -> bool:
    """Number a state, unless it has a number or is hopeless; return whether it got one."""
    hashed = hash_state(layout, state)
    slot = find_state(layout, table, slots, state, hashed)
    if slots[slot] != 0 or (pruned and hopeless(level, state)):
        return False
    number = progress.unique
    take_slot(layout, slots, slot, hashed, number)
    keep_state(layout, table, number, state)
    table[number, 2 * state.size] = parent
    progress.unique += 1
    if progress.solution < 0 and solved(level, state):
        progress.solution = number
    return True


@kernel
def expand(
    layout: Any,
    levels: Any,
    findings: Any,
    table: Any,
    slots: Any,
    room: int,
    state: Any,
    rows: Any,
    costs: Any,
    tally: Any,
    layer_end: int,
    expansions: int,
    free: bool,
    stop_at_solution: bool,
    pruned: bool,
    merged: bool,
) -> int:
    """Expand states from tally.expanded on; say why it stopped. `state` is scratch.

    With `free`, take in only what costs nothing, which belongs to the same layer.
    """
    level = levels[0]
    progress = tally[0]
    for _ in range(expansions):
        parent = progress.expanded
        if parent == (progress.unique if free else layer_end):
            return LAYER_DONE
        load_state(layout, table, parent, state)
        generated = successors(level, state, rows, costs)
        if generated < 0:
            return NO_ROOM_FOR_ROWS
        if progress.unique + generated > room:
            return NO_ROOM_FOR_STATES
        progress.generated += generated
        for index in range(generated):
            cost, row = costs[index], rows[index]
            if free and cost != 0:
                continue
            if merged:
                representative(level, findings, row)
            taken = _take_in(layout, level, row, parent, table, slots, progress, pruned)
            if taken and not free:
                progress.dearest = max(progress.dearest, cost)
                progress.cheapest = min(progress.cheapest, cost)
        progress.expanded = parent + 1
        if stop_at_solution and progress.solution >= 0:
            return FOUND
    return MORE


class Exploration:
    """A breadth-first search from one state of a level, advanced in slices."""

    def __init__(
        self,
        puzzle: Puzzle,
        record: np.ndarray,
        state: npt.NDArray[np.uint64] | None = None,
        max_bytes: int = 2**31,
        *,
        pruned: bool = True,
        merged: bool = False,
    ) -> None:
        """Begin at a state, or where the level begins.

        Args:
            puzzle: Whose rules hold.
            record: The level, as an array of one record.
            state: The words of the state to begin from.
            max_bytes: The most memory to take for tables.
            pruned: Leave out states that are proved to lead nowhere.
            merged: Treat mirror images and rotations as one state.
        """
        puzzle.load_rules()
        self._puzzle, self._record = puzzle, record
        self._pruned, self._merged = pruned, merged
        self._findings = puzzle.findings(record[0]) if merged else np.empty(0, np.uint64)
        self._start = beginning(puzzle, record) if state is None else state.copy()
        self._nodes = Nodes(self._start.size, max_bytes, fields=1)
        self._state = np.empty_like(self._start)
        self._nodes.register_first(self._start)
        self.tally = np.zeros(1, TALLY)
        """The counters of nodes.COUNTERS."""
        self.tally["unique"] = 1
        self.tally["solution"] = 0 if is_solved(record, self._start) else -1
        self.tally["cheapest"] = LARGEST
        self._layer_ends = [1]
        self._even = True
        self.exhausted = False
        """Whether every state that can be reached has been."""
        self.out_of_memory = False
        self._take_free_moves()

    # --- what was found -----------------------------------------------------------------------

    @property
    def expanded(self) -> int:
        """How many states had their successors asked for."""
        return int(self.tally["expanded"][0])

    @property
    def generated(self) -> int:
        """How many successors were produced, duplicates among them."""
        return int(self.tally["generated"][0])

    @property
    def unique(self) -> int:
        """How many different states were reached."""
        return int(self.tally["unique"][0])

    @property
    def solved(self) -> bool:
        """Whether a solution was reached."""
        return bool(self.tally["solution"][0] >= 0)

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        return self._nodes.bytes(self.unique)

    @property
    def layers(self) -> list[int]:
        """How many states are first reached after 0, 1, 2 ... whole moves."""
        ends = [0, *self._layer_ends]
        if self.unique > ends[-1]:
            ends.append(self.unique)
        return np.diff(ends).tolist()

    @property
    def proves_optimum(self) -> bool:
        """Whether all moves of a layer cost the same, so that the first solution is cheapest."""
        return self._even and bool(self.tally["cheapest"][0] >= self.tally["dearest"][0])

    @property
    def moves(self) -> int:
        """The cost of the solution, in the paper's moves."""
        return total_cost(self._record, self._start, self.actions())

    @property
    def current(self) -> npt.NDArray[np.uint64] | None:
        """The state last expanded; None before the first."""
        return self._nodes.state(self.expanded - 1) if self.expanded else None

    def path(self) -> list[npt.NDArray[np.uint64]]:
        """The states on the way to the solution, without the first."""
        return self._nodes.path(int(self.tally["solution"][0]))

    def actions(self) -> list[int]:
        """The solution as actions of the level's environment."""
        return self._actions_to(self.path())

    def moves_from_start(self) -> list[list[int]]:
        """Every whole move of the first state, as actions of the level's environment."""
        search = Exploration(self._puzzle, self._record, self._start, pruned=False)
        search.run(1, to_solution=False)
        return [
            search._actions_to([search._nodes.state(number)]) for number in range(1, search.unique)
        ]

    def _actions_to(self, path: Sequence[npt.NDArray[np.uint64]]) -> list[int]:
        return actions_through(self._record, self._findings, self._start, path, merged=self._merged)

    # --- going on -----------------------------------------------------------------------------

    def run(self, expansions: int = LARGEST, *, to_solution: bool = True) -> bool:
        """Go on for at most so many expansions; return whether the search is over."""
        target = self.expanded + expansions
        while not (self.exhausted or self.out_of_memory or (to_solution and self.solved)):
            left = target - self.expanded
            if left <= 0:
                return False
            self._run_slice(left, to_solution)
        return True

    def _take_free_moves(self) -> None:
        """The first layer: the first state, and those that free moves reach from there."""
        reason = MORE
        while reason != LAYER_DONE and not self.out_of_memory:
            reason = self._expand(LARGEST, free=True, to_solution=False)
            self._make_room(reason)
        self._layer_ends = [self.unique]
        self.tally["expanded"], self.tally["generated"] = 0, 0

    def _expand(self, expansions: int, *, free: bool, to_solution: bool) -> int:
        nodes = self._nodes
        return expand(
            nodes.layout, self._record, self._findings, nodes.table, nodes.slots, nodes.room,
            self._state, nodes.rows, nodes.costs, self.tally, self._layer_ends[-1], expansions,
            free, to_solution, self._pruned, self._merged,
        )  # fmt: skip

    def _run_slice(self, expansions: int, to_solution: bool) -> None:
        reason = self._expand(expansions, free=False, to_solution=to_solution)
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
            self.tally["settled"] = self.expanded
        self.tally["cheapest"], self.tally["dearest"] = LARGEST, 0

"""Breadth-first exploration over whole moves, compiled once for every puzzle.

It tells what a level's certificate needs (whether it can be solved, in how few moves, how many
states it has) and is the engine of the breadth-first agent. States lie in one array in the order
in which they were found, so that the array is the queue; a table of their numbers finds them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.bitboards import copy_words
from puzzle_envs.compiled import compiled, kernel
from puzzle_envs.level import record_dtype
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.tables import find_state
from puzzle_envs.verbs import apply, hopeless, solved, start, successors, unfold

__all__ = ["Exploration"]

MORE, LAYER_DONE, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS = range(5)
"""Why the kernel came back."""

LARGEST = 2**31 - 1
"""State numbers are 32-bit."""


@kernel
def first_state(levels: Any, state: Any) -> None:
    """Write the state in which a level begins."""
    start(levels[0], state)


@kernel
def is_solved(levels: Any, state: Any) -> bool:
    """Whether a state solves its level."""
    return solved(levels[0], state)


@kernel
def number_slots(states: Any, count: int, slots: Any) -> None:
    """Fill an empty table with the numbers of the states."""
    for number in range(count):
        slots[find_state(states[number], states, slots)] = number + 1


@compiled
def _take_in(
    level: Any,
    row: Any,
    parent: int,
    states: Any,
    parents: Any,
    slots: Any,
    progress: Any,
    pruned: bool,
) -> bool:
    """Number a state, unless it has a number or is hopeless; return whether it got one."""
    slot = find_state(row, states, slots)
    if slots[slot] != 0 or (pruned and hopeless(level, row)):
        return False
    number = progress.unique
    slots[slot] = number + 1
    copy_words(row, states[number])
    parents[number] = parent
    progress.unique += 1
    if progress.solution < 0 and solved(level, row):
        progress.solution = number
    return True


@kernel
def expand(
    levels: Any,
    states: Any,
    parents: Any,
    slots: Any,
    rows: Any,
    costs: Any,
    tally: Any,
    layer_end: int,
    expansions: int,
    free: bool,
    stop_at_solution: bool,
    pruned: bool,
) -> int:
    """Expand states from tally.expanded on; say why it stopped.

    With `free`, take in only what costs nothing, which belongs to the same layer.
    """
    level = levels[0]
    progress = tally[0]
    for _ in range(expansions):
        if progress.expanded == (progress.unique if free else layer_end):
            return LAYER_DONE
        generated = successors(level, states[progress.expanded], rows, costs)
        if generated < 0:
            return NO_ROOM_FOR_ROWS
        if progress.unique + generated > min(states.shape[0], slots.size // 2):
            return NO_ROOM_FOR_STATES
        progress.generated += generated
        for index in range(generated):
            if free and costs[index] != 0:
                continue
            taken = _take_in(
                level, rows[index], progress.expanded, states, parents, slots, progress, pruned
            )
            if taken and not free:
                progress.dearest = max(progress.dearest, costs[index])
                progress.cheapest = min(progress.cheapest, costs[index])
        progress.expanded += 1
        if stop_at_solution and progress.solution >= 0:
            return FOUND
    return MORE


@kernel
def total_cost(levels: Any, state: Any, actions: Any) -> int:
    """What actions cost from a state, which they change."""
    cost = 0
    for index in range(actions.size):
        cost += apply(levels[0], state, actions[index])
    return cost


@kernel
def unfold_move(levels: Any, state: Any, target: Any, rows: Any, actions: Any) -> int:
    """The actions of a whole move, from Python."""
    return unfold(levels[0], state, target, rows, actions)


TALLY = record_dtype(
    [
        (name, np.int64)
        for name in ("expanded", "generated", "unique", "solution", "cheapest", "dearest")
    ]
)


class Exploration:
    """A breadth-first search from one state of a level, advanced in slices."""

    def __init__(
        self,
        puzzle: Puzzle,
        record: np.ndarray,
        state: npt.NDArray[np.uint64] | None = None,
        max_bytes: int = 2**31,
        pruned: bool = True,
    ) -> None:
        """Begin at a state, or where the level begins.

        Args:
            puzzle: Whose rules hold.
            record: The level, as an array of one record.
            state: The words of the state to begin from.
            max_bytes: The most memory to take for tables.
            pruned: Leave out states that are proved to lead nowhere.
        """
        puzzle.load_rules()
        self._puzzle, self._record = puzzle, record
        if state is None:
            state = np.empty(puzzle.format.words(record[0]), np.uint64)
            first_state(record, state)
        self._max_bytes, self._pruned = max_bytes, pruned
        self._states = np.empty((1024, state.size), np.uint64)
        self._parents = np.empty(1024, np.int32)
        self._slots = np.zeros(2048, np.int32)
        self._rows = np.empty((1024, state.size), np.uint64)
        self._costs = np.empty(1024, np.int64)
        self._states[0], self._parents[0] = state, -1
        number_slots(self._states, 1, self._slots)
        self._tally = np.zeros(1, TALLY)
        solution = 0 if is_solved(record, state) else -1
        self._tally[0] = (0, 0, 1, solution, LARGEST, 0)
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
        return int(self._tally["expanded"][0])

    @property
    def generated(self) -> int:
        """How many successors were produced, duplicates among them."""
        return int(self._tally["generated"][0])

    @property
    def unique(self) -> int:
        """How many different states were reached."""
        return int(self._tally["unique"][0])

    @property
    def solved(self) -> bool:
        """Whether a solution was reached."""
        return bool(self._tally["solution"][0] >= 0)

    @property
    def bytes(self) -> int:
        """The memory taken by the tables."""
        tables = (self._states, self._parents, self._slots, self._rows, self._costs)
        return sum(table.nbytes for table in tables)

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
        return self._even and bool(self._tally["cheapest"][0] >= self._tally["dearest"][0])

    @property
    def moves(self) -> int:
        """The cost of the solution, in the paper's moves."""
        return total_cost(self._record, self._states[0].copy(), np.array(self.actions(), np.int64))

    def actions(self) -> list[int]:
        """The solution as actions of the level's environment."""
        state, actions = self._states[0].copy(), []
        for number in self._solution_path()[1:]:
            move = self._unfolded(state, number)
            total_cost(self._record, state, np.array(move, np.int64))
            actions += move
        return actions

    def moves_from_start(self) -> list[list[int]]:
        """Every whole move of the first state, as actions of the level's environment."""
        search = Exploration(self._puzzle, self._record, self._states[0], pruned=False)
        search.run(1, to_solution=False)
        return [search._unfolded(search._states[0], number) for number in range(1, search.unique)]

    def _unfolded(self, state: npt.NDArray[np.uint64], number: int) -> list[int]:
        """The actions from a state to one that differs from a numbered one in nothing."""
        buffer = np.empty(self._rows.shape[0], np.int64)
        count = unfold_move(self._record, state, self._states[number], self._rows, buffer)
        return buffer[:count].tolist()

    def _solution_path(self) -> list[int]:
        """The numbers of the states from the first to the solved one."""
        number = int(self._tally["solution"][0])
        path = []
        while number >= 0:
            path.append(number)
            number = int(self._parents[number])
        return path[::-1]

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
        self._tally["expanded"], self._tally["generated"] = 0, 0

    def _expand(self, expansions: int, *, free: bool, to_solution: bool) -> int:
        return expand(
            self._record, self._states, self._parents, self._slots, self._rows, self._costs,
            self._tally, self._layer_ends[-1], expansions, free, to_solution, self._pruned,
        )  # fmt: skip

    def _run_slice(self, expansions: int, to_solution: bool) -> None:
        reason = self._expand(expansions, free=False, to_solution=to_solution)
        if reason == LAYER_DONE:
            self._end_layer()
        else:
            self._make_room(reason)

    def _make_room(self, reason: int) -> None:
        if reason == NO_ROOM_FOR_STATES:
            self._grow_states()
        elif reason == NO_ROOM_FOR_ROWS:
            self._grow_rows()

    def _end_layer(self) -> None:
        cheapest, dearest = self._tally["cheapest"][0], self._tally["dearest"][0]
        self.exhausted = self.unique == self._layer_ends[-1]
        if not self.exhausted:
            self._even &= bool(cheapest >= dearest)
            self._layer_ends.append(self.unique)
        self._tally["cheapest"], self._tally["dearest"] = LARGEST, 0

    def _grow_states(self) -> None:
        capacity = 2 * self._states.shape[0]
        growth = self._states.nbytes + self._parents.nbytes + 2 * self._slots.nbytes
        self.out_of_memory = 2 * capacity > LARGEST
        if self.out_of_memory or not self._may_take(2 * growth):
            return
        self._states = _longer(self._states, capacity)
        self._parents = _longer(self._parents, capacity)
        self._slots = np.zeros(2 * capacity, np.int32)
        number_slots(self._states, self.unique, self._slots)

    def _grow_rows(self) -> None:
        if self._may_take(self._rows.nbytes + self._costs.nbytes):
            self._rows = np.empty((2 * self._rows.shape[0], self._rows.shape[1]), np.uint64)
            self._costs = np.empty(self._rows.shape[0], np.int64)

    def _may_take(self, more: int) -> bool:
        self.out_of_memory = self.bytes + more > self._max_bytes
        return not self.out_of_memory


def _longer(table: np.ndarray, length: int) -> np.ndarray:
    longer = np.empty((length, *table.shape[1:]), table.dtype)
    longer[: table.shape[0]] = table
    return longer

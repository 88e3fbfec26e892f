"""Frontier search."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Status, WrongPuzzleError
from puzzle_agents.search.reversible import refuse_irreversible
from puzzle_agents.search.search import Problem, Search, SearchAgent
from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Level, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.nodes import large_table
from puzzle_envs.states.paths import is_solved
from puzzle_envs.states.tables import mixed
from puzzle_envs.verbs import predecessors, representative, solved, successors

NO_ROOM_FOR_ROWS = -1
ROOM = 1 << 10
"""Capacity for successors of one state."""
BYTES_A_STATE = 40
"""A generated state takes 8 bytes, the same in its part, and up to three times that if new."""
PART = 1 << 13
"""Approximate number of states in a part, whose table fits into the cache."""


@kernel
def expand(
    instance: Instance,
    scratch: Scratch,
    layer: Any,
    begin: int,
    end: int,
    found: Any,
    backwards: bool,
) -> tuple[int, int]:
    """Write the successors of part of a layer while there is room.

    Returns the end of what was expanded and the number written; -1 if the rows are too short.
    """
    level, state = instance.levels[0], scratch.state
    rows, costs = scratch.rows, scratch.costs
    count = 0
    for index in range(begin, end):
        if count + rows.shape[0] > found.size:
            return index, count
        state[0] = layer[index]
        if backwards:
            generated = predecessors(level, state, rows, costs)
        else:
            generated = successors(level, state, rows, costs)
        if generated < 0:
            return index, NO_ROOM_FOR_ROWS
        for successor in range(generated):
            if instance.merged:
                representative(level, instance.findings, rows[successor])
            found[count] = rows[successor, 0]
            count += 1
    return end, count


@kernel
def split(states: Any, bits: int, ends: Any, parts: Any) -> None:
    """Partition states by the leading bits of their hashes."""
    ends[:] = 0
    shift = np.uint64(64 - bits)
    for index in range(states.size):
        ends[mixed(states[index]) >> shift] += 1
    total = 0
    for part in range(ends.size):
        total, ends[part] = total + ends[part], total
    for index in range(states.size):
        part = mixed(states[index]) >> shift
        parts[ends[part]] = states[index]
        ends[part] += 1


@compiled
def _is_new(state: Any, stamp: int, keys: Any, stamps: Any) -> bool:
    """Insert a state with a stamp unless present; return whether it was inserted."""
    last = np.uint64(keys.size - 1)
    slot = mixed(state) & last
    while stamps[slot] == stamp:
        if keys[slot] == state:
            return False
        slot = (slot + ONE) & last
    keys[slot], stamps[slot] = state, stamp
    return True


@kernel
def drop_known(
    known: Any, known_ends: Any, found: Any, found_ends: Any, keys: Any, stamps: Any
) -> int:
    """Keep each new state once, at the front; return their number.

    Part by part, so that the table stays in the cache; a part's stamp turns entries of other parts
    into empty slots.
    """
    count = 0
    for part in range(found_ends.size):
        begin = known_ends[part - 1] if part > 0 else 0
        for index in range(begin, known_ends[part]):
            _is_new(known[index], part + 1, keys, stamps)
        begin = found_ends[part - 1] if part > 0 else 0
        for index in range(begin, found_ends[part]):
            if _is_new(found[index], part + 1, keys, stamps):
                found[count] = found[index]
                count += 1
    return count


@kernel
def first_solved(levels: Any, layer: Any, state: Any) -> int:
    """The index of a solved state in a layer; -1 if there is none."""
    for index in range(layer.size):
        state[0] = layer[index]
        if solved(levels[0], state):
            return index
    return -1


class Layers:
    """The states at each distance from an initial state, two layers at a time."""

    def __init__(self, problem: Problem, first: np.uint64, *, backwards: bool) -> None:
        """Start with a layer of one state."""
        self._problem, self._backwards = problem, backwards
        self.layer = np.array([first], np.uint64)
        self._previous = np.empty(0, np.uint64)
        self._next = np.empty(0, np.uint64)
        self._place = 0
        self._scratch = Scratch.of(1, ROOM)
        self._found = large_table((2 * (problem.max_bytes // BYTES_A_STATE + 1),)).view(np.uint64)
        self._waiting = self._chunk = 0  # generated states not looked at yet; the most there were
        self.generated = 0
        self.full = False
        """Whether there is no room to generate more."""
        self.depth = 0

    def run(self, expansions: int) -> int:
        """Expand at most this many states of the layer; return their number."""
        end = min(len(self.layer), self._place + expansions)
        room = self._room()
        most = len(self._scratch.rows)
        if room - self._waiting < 2 * most:
            self._take_in()
            room = self._room()
        self.full = room < 2 * most
        if self.full:
            return 0
        came, count = expand(
            self._problem.instance, self._scratch, self.layer, self._place, end,
            self._found[self._waiting : room], self._backwards,
        )  # fmt: skip
        if count == NO_ROOM_FOR_ROWS:
            self._scratch = Scratch.of(1, 2 * most)
            return 0
        expanded = came - self._place
        self._place = came
        self.generated += count
        self._waiting += count
        self._chunk = max(self._chunk, self._waiting)
        if self._place == len(self.layer):
            self._take_in()
            self._previous, self.layer, self._next = self.layer, self._next, self._next[:0].copy()
            self._place = 0
            self.depth += 1
        return expanded

    def _take_in(self) -> None:
        """Add the new ones among the generated states to the next layer."""
        found, self._waiting = self._found[: self._waiting], 0
        known = np.concatenate([self._previous, self.layer, self._next])
        bits = max(1, (len(known) + len(found)) // PART).bit_length()
        known, known_ends = _split(known, bits)
        found, found_ends = _split(found, bits)
        most = int((np.diff(known_ends, prepend=0) + np.diff(found_ends, prepend=0)).max())
        size = 2 << most.bit_length()
        keys, stamps = np.empty(size, np.uint64), np.zeros(size, np.uint32)
        count = drop_known(known, known_ends, found, found_ends, keys, stamps)
        self._next = np.concatenate([self._next, found[:count]])

    def _room(self) -> int:
        """Number of states that may be generated, including the memory to compare them."""
        left = self._problem.max_bytes - self._list_bytes
        if left >= BYTES_A_STATE * self._chunk:
            return left // BYTES_A_STATE
        return (left - 8 * self._chunk) // (BYTES_A_STATE - 8)

    def to_depth(self, depth: int) -> Words:
        """The layer at a distance."""
        while self.depth < depth:
            self.run(len(self.layer))
            if self.full:
                raise MemoryError("Reconstructing the solution needs more memory than finding it.")
        return self.layer

    @property
    def bytes(self) -> int:
        """Memory of the layers and the largest chunk of generated states."""
        return self._list_bytes + 8 * self._chunk

    @property
    def _list_bytes(self) -> int:
        """Lists are copied part by part, so each counts three times."""
        return 3 * sum(states.nbytes for states in (self.layer, self._previous, self._next))


def _split(states: Words, bits: int) -> tuple[Words, npt.NDArray[np.int64]]:
    """The states partitioned, and the ends of the parts."""
    parts, ends = np.empty_like(states), np.empty(1 << bits, np.int64)
    split(states, bits, ends, parts)
    return parts, ends


def way(problem: Problem, start: np.uint64, end: np.uint64, depth: int) -> list[Words]:
    """The states from one to another at a known distance, excluding the first.

    A state in the middle layer of both is half-way; the two halves, each far smaller, are searched
    recursively.
    """
    if depth <= 1:
        return [np.array([end])] * depth
    half = depth // 2
    there = Layers(problem, start, backwards=False).to_depth(half)
    back = Layers(problem, end, backwards=True).to_depth(depth - half)
    middle = np.intersect1d(there, back, assume_unique=True)[0]
    return way(problem, start, middle, half) + way(problem, middle, end, depth - half)


class FrontierSearch(Search):
    """One search, layer by layer."""

    def __init__(self, problem: Problem) -> None:
        """Start from the current state."""
        super().__init__(problem)
        self._layers = Layers(problem, problem.start[0], backwards=False)
        self._goal = problem.start[0]
        self._free = has_free_moves(problem)
        self.tally["unique"] = 1
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = 0

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        if self.solved:
            return Status.SOLVED
        layers, depth = self._layers, self._layers.depth
        self.tally["expanded"] += layers.run(expansions)
        if layers.full:
            return Status.OUT_OF_MEMORY
        self.tally["generated"] = layers.generated
        return self._look_at_layer() if layers.depth > depth else None

    def _look_at_layer(self) -> Status | None:
        layer = self._layers.layer
        self.tally["unique"] += len(layer)
        self.tally["until_last_jump"] = self.tally["expanded"]
        place = first_solved(self.problem.record, layer, np.empty(1, np.uint64))
        if place >= 0:
            self.tally["solution"], self._goal = place, layer[place]
            return Status.SOLVED
        return None if len(layer) else Status.UNSOLVABLE

    @property
    def bytes(self) -> int:
        """Memory of the layers."""
        return self._layers.bytes

    @property
    def bound(self) -> int:
        """No earlier layer has a solution; one of the moves may have been free."""
        return max(0, self._layers.depth - self._free)

    @property
    def waiting(self) -> int:
        """Size of the layer being expanded."""
        return len(self._layers.layer)

    def path(self) -> list[Words]:
        """The states along the solution, reconstructed."""
        depth = self._layers.depth
        return way(self.problem, self.problem.start[0], self._goal, depth)

    @property
    def proves_optimum(self) -> bool:
        """All moves cost the same, except those that continue one already begun."""
        return not self._free


def has_free_moves(problem: Problem) -> bool:
    """Whether the current state is within a move that can continue for free."""
    rows, costs = np.empty((ROOM, 1), np.uint64), np.empty(ROOM, np.int64)
    found = list_moves(problem.record, problem.start, rows, costs)
    return bool((costs[: max(found, 0)] == 0).any())


@kernel
def list_moves(levels: Any, state: Any, rows: Any, costs: Any) -> int:
    """The successors of one state, from Python."""
    return successors(levels[0], state, rows, costs)


class Frontier(SearchAgent):
    """Breadth-first search that stores only two layers of states.

    Complete and optimal in the paper's moves, which all cost 1 where it applies. A state takes 8
    bytes; generated states are compared with the two layers in bulk, part by part. The solution is
    reconstructed from its middle (divide and conquer). It needs reversible moves and states of one
    word; others are rejected. Within a move its solution may not be the cheapest.

    Use it if breadth-first search runs out of memory.
    """

    name: ClassVar[str] = "frontier"

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject puzzles whose moves are not reversible, and levels with large states."""
        super().check(puzzle, level)
        refuse_irreversible(puzzle, self.name)
        self._refuse_large(puzzle.format.words(level.record))

    def _refuse_large(self, words: int) -> None:
        if words > 1:
            raise WrongPuzzleError(
                f"{self.name} keeps states of one word; those of this level have {words}. "
                "bfs solves it."
            )

    def _search(self, problem: Problem) -> FrontierSearch:
        self._refuse_large(problem.start.size)  # padded in sets with larger levels
        return FrontierSearch(problem)

"""One run of a solver: its states, the searches among them, and the path to a solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_agents.papers.kwirk import opening
from puzzle_agents.papers.kwirk.opening import FIELDS, Heap, Order, Run, Work
from puzzle_agents.papers.kwirk.transitions import TASKS, VIA, Transitions, find_transition
from puzzle_envs.kwirk.level import ACTIVE_SHIFT
from puzzle_envs.level import Words
from puzzle_envs.states import reasons
from puzzle_envs.states.nodes import FIRST_ROOM, MOST_STATES, large_table
from puzzle_envs.states.tables import Memory, layout_of

FIRST_HEAP = FIRST_MOVES = 1 << 10
SLOTS_A_STATE = 2
NO_LIMIT = 2**62
_PLACES_ONLY = np.uint64((1 << ACTIVE_SHIFT) - 1)


@dataclass(frozen=True)
class Way:
    """A path to a solution."""

    tasks: int
    """The paper's m: pushes, and characters moved aside."""
    states: list[Words]
    """The canonical states of the rules after each push; in the last one all have left."""


class StateSpace:
    """The states of a run, and the memory that the kernels work in."""

    def __init__(self, record: np.ndarray, start: Words, order: Order, max_bytes: int) -> None:
        """Begin with no states."""
        self.start, self.order, self._max_bytes = start, order, max_bytes
        self._turns = record["turns"][0].copy()
        self.record = record.copy()
        self.record["turns"] = 3  # arms of a turnstile are distinguished, as in the counts of 4.1.1
        characters, words = int(record["characters"][0]), int(record["words"][0])
        self._reached = characters, words
        self._columns = 2 * (start.size + 1) + FIELDS + 2 * characters * words
        self._planned = min(max_bytes // (4 * self._columns + 4 * SLOTS_A_STATE), MOST_STATES)
        self.layout = layout_of(start.size + 1, self._planned)
        self.table: npt.NDArray[Any] = np.empty(
            (max(1, min(FIRST_ROOM, self._planned)), self._columns), np.uint32
        )
        self.slots = np.zeros(SLOTS_A_STATE * FIRST_ROOM, np.uint32)
        self.key = np.empty(start.size + 1, np.uint64)
        self.work = Work(self.key, start.copy(), np.empty(self._reached, np.uint64))
        self.moves = Transitions.of(start.size, self._reached, FIRST_MOVES)
        self.tally = np.zeros(1, opening.TALLY)
        self.searches = 0
        self.heap_bytes = 0
        self.limit = NO_LIMIT
        """How many states may be expanded in all."""

    # --- memory -------------------------------------------------------------------------------

    def count(self, name: str) -> int:
        """A counter."""
        return int(self.tally[name][0])

    @property
    def characters(self) -> int:
        """How many characters the floor has."""
        return self._reached[0]

    @property
    def left(self) -> int:
        """How many states may still be expanded."""
        return self.limit - self.count("expanded")

    @property
    def different(self) -> int:
        """The different states opened, or known to Fringe search."""
        return int(np.count_nonzero(self.slots))

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        rows = 4 * self._columns * self.count("registered")
        return rows + self.slots.nbytes + self.heap_bytes + sum(part.nbytes for part in self.moves)

    @property
    def room(self) -> int:
        """How many states there may be."""
        return min(len(self.table), self.slots.size // SLOTS_A_STATE)

    @property
    def memory(self) -> Memory:
        """The states as kernels take them; growing makes another one."""
        return Memory(self.layout, self.table, self.slots, self.room)

    def grow(self) -> None:
        """Make room for the children of one more state, or raise a MemoryError."""
        count = self.count("registered")
        wanted = count + len(self.moves.rows)
        if wanted > len(self.table) and len(self.table) < self._planned:
            longer = large_table((self._planned, self._columns))
            longer[:count] = self.table[:count]
            self.table = longer
        while wanted > self.slots.size // SLOTS_A_STATE and self.bytes < self._max_bytes:
            self.slots = np.zeros(2 * self.slots.size, np.uint32)
            opening.fill_slots(self.memory, count, self.key)
        if wanted > self.room or self.bytes > self._max_bytes:
            raise MemoryError("The states exceed the memory budget.")

    def grow_moves(self) -> None:
        """Make room for more children of one state."""
        self.moves = Transitions.of(self.start.size, self._reached, 2 * len(self.moves.rows))

    # --- states -------------------------------------------------------------------------------

    def _field(self, row: int, field: int) -> int:
        return int(self.table[row, 2 * self.key.size + field])

    def is_solved(self, row: int) -> bool:
        """Whether all characters reach the exit."""
        return bool(self._field(row, opening.MARKS) & opening.SOLVED)

    def acted_at(self, row: int) -> int:
        """The cell of the character who acted last."""
        return self._field(row, opening.ACTED)

    def _canonical(self, row: int) -> Words:
        words = self.table[row, : 2 * self.start.size].copy()
        return words.view(np.uint64)

    def way_to(self, row: int) -> Way:
        """The path to a solved row."""
        rows = [row]
        while rows[-1] != 0:
            rows.append(self._field(rows[-1], opening.PARENT))
        state, tasks, states = self.start.copy(), 0, []
        for before, after in zip(rows[:0:-1], rows[-2::-1], strict=True):
            if self._field(before, opening.DEPTH) == self._field(after, opening.DEPTH):
                continue  # the same state, where one sub-goal ends and another begins
            for index in self._steps_to(state, self._canonical(after)):
                states.append(self._as_in_rules(self.moves.keys[index]))
                last = index
                if self.moves.all_leave[index]:
                    break
            tasks += int(self.moves.steps[last, TASKS])
            state = self.moves.rows[last].copy()
        if not states:
            states.append(self.start.copy())
        states[-1][0] &= ~np.uint64(self.record["everyone"][0]) & _PLACES_ONLY
        return Way(tasks, states)

    def _steps_to(self, state: Words, target: Words) -> list[int]:
        """The rows of `moves` that make a transition: one, or those of a combo-push."""
        index = find_transition(self.record, state, target, self.moves, True)
        if index < 0:  # Fringe search has come to the state before by a nearer way since
            index = find_transition(self.record, state, target, self.moves, False)
        if index < 0:
            raise RuntimeError(f"No transition leads from {state} to {target}.")
        indices = [index]
        while self.moves.steps[indices[-1], VIA] >= 0:
            indices.append(int(self.moves.steps[indices[-1], VIA]))
        return indices[::-1]

    def _as_in_rules(self, state: Words) -> Words:
        """A state of the rules, which do not tell apart the arms of a turnstile."""
        words = state.copy()
        for turnstile in range(int(self.record["turnstiles"][0])):
            word = int(self.record["bits_word"][0]) + turnstile // 32
            shift = 2 * turnstile % 64
            counted = int(self._turns[turnstile]) << shift
            words[word] &= np.uint64(2**64 - 1 ^ (3 << shift) | counted)
        return words


class StateSearch:
    """One search for an aim, which can be resumed until it is exhausted."""

    def __init__(
        self, space: StateSpace, aim: np.ndarray, parent: int = -1, target: int = 0
    ) -> None:
        """Begin at a row's state.

        Args:
            space: Where its states are.
            aim: Its aim.
            parent: The row; -1 for the initial state.
            target: The corner of the sub-goal's block.
        """
        self._space = space
        self._frontier = np.zeros(1, opening.FRONTIER)
        self._frontier["number"] = space.searches
        space.searches += 1
        self._heap = Heap(np.empty(FIRST_HEAP, np.uint64), np.empty(FIRST_HEAP, np.uint32))
        self._run = Run(space.record, aim, self._frontier, space.order, space.tally)
        space.heap_bytes += sum(part.nbytes for part in self._heap)
        space.grow()
        self.root = opening.enter(
            self._run, space.memory, self._heap, space.work, space.moves, parent, target
        )
        self.exhausted = self.root < 0
        """Whether its frontier is empty."""
        self.misses = 0
        """Number of runs without a result."""

    @property
    def deadlocks(self) -> int:
        """How many states were pruned as deadlocks."""
        return int(self._frontier["deadlocks"][0])

    def run(self, states: int) -> int | None:
        """Open this many states; return the row of one that reaches the aim, if there is one."""
        space = self._space
        engine: Any = opening.open_on_the_fringe if space.order.linked else opening.open_in_order
        end = space.count("opened") + min(states, space.left)
        while True:
            reason = engine(
                self._run, space.memory, self._heap, space.work, space.moves,
                end - space.count("opened"),
            )  # fmt: skip
            if reason == reasons.NO_ROOM_FOR_STATES:
                space.grow()
            elif reason == reasons.NO_ROOM_FOR_ROWS:
                space.grow_moves()
            elif reason == reasons.NO_ROOM_IN_HEAP:
                self._grow_heap()
            else:
                self.exhausted = reason == reasons.EXHAUSTED
                self.misses += reason != reasons.FOUND
                return int(self._frontier["found"][0]) if reason == reasons.FOUND else None

    def _grow_heap(self) -> None:
        keys, rows = self._heap
        size = 2 * keys.size + len(self._space.moves.rows)
        self._heap = Heap(np.resize(keys, size), np.resize(rows, size))
        self._space.heap_bytes += 12 * (size - keys.size)

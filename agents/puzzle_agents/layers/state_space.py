"""One run of a solver: the states found, the searches among them, and the way to a solution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.layers.opening import (
    EXHAUSTED,
    FIELDS,
    FOUND,
    FRONTIER,
    MARKS,
    NO_ROOM_FOR_ROWS,
    NO_ROOM_FOR_STATES,
    NO_ROOM_IN_HEAP,
    PARENT,
    PROGRESS,
    SOLVED,
    ACTED,
    enter,
    fill_slots,
    open_by_cost,
    open_on_the_fringe,
)
from puzzle_agents.layers.subgoal_records import AIM, EXIT
from puzzle_agents.layers.transitions import STEP_FIELDS, TASKS, VIA, find_transition
from puzzle_envs.kwirk.pieces import GONE
from puzzle_envs.nodes import large_table
from puzzle_envs.tables import layout_of
from puzzle_envs.paths import actions_through

__all__ = ["Order", "StateSearch", "StateSpace"]

Words = npt.NDArray[np.uint64]
FIRST_HEAP = 1 << 11
FIRST_ROOM = 1 << 14


class Order(NamedTuple):
    """In which order states are opened, as the kernels take it."""

    heuristic: int = 0
    window: int = 10
    weight: int = 1
    ties: int = 0
    deadlocks: int = 1
    reopens: int = 1
    goal_when_generated: int = 0
    only_blocking: int = 1


class StateSpace:
    """The table of all states of a run."""

    def __init__(self, record: np.ndarray, start: Words, order: Order, max_bytes: int, linked) -> None:
        self.record, self.start, self.order, self.linked = record, start, order, linked
        level = record[0]
        characters, words = int(level["characters"]), int(level["words"])
        self._columns = 2 * (start.size + 1) + FIELDS + 2 * characters * words
        self._planned = min(max_bytes // (4 * self._columns + 12), 2**32 - 2)
        self.layout = layout_of(start.size + 1, self._planned)
        self.table = np.empty((min(FIRST_ROOM, self._planned), self._columns), np.uint32)
        self.slots = np.zeros(2 * FIRST_ROOM, np.uint32)
        self.progress = np.zeros(1, PROGRESS)
        self.key = np.empty(start.size + 1, np.uint64)
        self.state = start.copy()
        self.reached = np.zeros((characters, words), np.uint64)
        self.seen = np.zeros((characters, words), np.uint64)
        self._make_rows(1024)
        self.heap_bytes = 0
        self.max_bytes = max_bytes
        self.searches = 0

    def _make_rows(self, count: int) -> None:
        self.rows = np.empty((count, self.start.size), np.uint64)
        self.tags = np.empty(count, np.int64)
        self.steps = np.empty((count, STEP_FIELDS), np.int64)

    def count(self, name: str) -> int:
        return int(self.progress[name][0])

    @property
    def bytes(self) -> int:
        return 4 * self._columns * self.count("registered") + self.slots.nbytes + self.heap_bytes

    @property
    def room(self) -> int:
        return min(len(self.table), self.slots.size // 2)

    def grow(self) -> bool:
        count = self.count("registered")
        wanted = count + len(self.rows)
        if wanted > len(self.table):
            longer = large_table((self._planned, self._columns))
            longer[:count] = self.table[:count]
            self.table = longer
        while wanted > self.slots.size // 2 and self.bytes < self.max_bytes:
            self.slots = np.zeros(2 * self.slots.size, np.uint32)
            fill_slots(self.layout, self.table, count, self.slots, self.key)
        return self.room >= wanted


class StateSearch:
    """One search for an aim."""

    def __init__(self, space: StateSpace, aim: np.ndarray, parent: int = 0, target: int = 0) -> None:
        self.space, self.aim = space, aim
        self.frontier = np.zeros(1, FRONTIER)
        self.frontier["number"] = space.searches
        self.frontier["found"] = -1
        space.searches += 1
        self.heap_keys = np.empty(FIRST_HEAP, np.uint64)
        self.heap_rows = np.empty(FIRST_HEAP, np.uint32)
        self.root = enter(
            space.layout, space.record, aim, self.frontier, space.table,
            space.slots, self.heap_keys, self.heap_rows, space.key, space.state,
            space.reached, space.progress, parent, target, space.linked, space.order.ties,
        )
        self.exhausted = self.root < 0

    def run(self, states: int) -> int:
        space = self.space
        engine = open_on_the_fringe if space.linked else open_by_cost
        end = space.count("opened") + states
        self.frontier["found"] = -1
        while True:
            reason = engine(
                space.layout, space.record, self.aim, self.frontier, space.table, space.slots,
                space.room, self.heap_keys, self.heap_rows, space.progress, space.key, space.state,
                space.rows, space.tags, space.steps, space.reached, space.seen, tuple(space.order),
                end - space.count("opened"),
            )
            if reason == NO_ROOM_FOR_STATES:
                if not space.grow():
                    raise MemoryError
            elif reason == NO_ROOM_FOR_ROWS:
                space._make_rows(2 * len(space.rows))
            elif reason == NO_ROOM_IN_HEAP:
                size = int(2*self.heap_rows.size + len(space.rows))
                self.heap_keys = np.resize(self.heap_keys, size)
                self.heap_rows = np.resize(self.heap_rows, size)
            else:
                if reason == EXHAUSTED:
                    self.exhausted = True
                return reason

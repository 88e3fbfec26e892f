"""What searches with queues of open states share: new states, growing tables, and the way back."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_agents.agent import Status
from puzzle_agents.search.search import Problem, Search, Words
from puzzle_envs.kernels.compiled import inlined
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.nodes import Nodes
from puzzle_envs.states.paths import is_solved
from puzzle_envs.states.tables import (
    Memory,
    find_state,
    hash_state,
    keep_state,
    number_in,
    take_slot,
)
from puzzle_envs.verbs import State, hopeless, representative

MORE, EXHAUSTED, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS, TO_JUDGE = range(6)
"""Why a kernel came back; the last one is of searches that judge states outside of it."""


@inlined
def register(instance: Instance, memory: Memory, row: State, parent: Any, progress: Any) -> int:
    """Register a successor; return its number, or -1 if it is known or hopeless."""
    level = instance.levels[0]
    if instance.merged:
        representative(level, instance.findings, row)
    hashed = hash_state(memory.layout, row)
    slot = find_state(memory, row, hashed)
    if number_in(memory, slot) >= 0 or hopeless(level, row):
        return -1
    number = np.int64(progress.registered)
    take_slot(memory, slot, hashed, number)
    keep_state(memory, number, row)
    memory.table[number, 2 * row.size] = parent
    progress.registered += 1
    return number


class QueuedSearch(Search):
    """A search that numbers its states, with its parent in the first field of each."""

    def __init__(self, problem: Problem, max_bytes: int, fields: int) -> None:
        """Register the first state.

        Args:
            problem: The level.
            max_bytes: Memory for the states.
            fields: Number of 32-bit fields stored with each.
        """
        super().__init__(problem, "registered")
        self._nodes = Nodes(problem.start.size, max_bytes, fields)
        self._nodes.register_first(problem.start)
        self.tally["registered"] = 1
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = 0

    def _ended(self, reason: int) -> Status | None:
        """The status after a kernel came back; grows what it had no room in."""
        nodes, registered = self._nodes, self.count("registered")
        if reason == NO_ROOM_FOR_STATES and not nodes.grow(registered):
            return Status.OUT_OF_MEMORY
        if reason == NO_ROOM_FOR_ROWS and not nodes.grow_rows(registered):
            return Status.OUT_OF_MEMORY
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    @property
    def bytes(self) -> int:
        """The memory of the states."""
        return self._nodes.bytes(self.count("registered"))

    @property
    def current(self) -> Words | None:
        """The state expanded last."""
        return self._nodes.scratch.state.copy() if self.count("expanded") else None

    def path(self) -> list[Words]:
        """The states on the way to the solution."""
        return self._nodes.path(self.count("solution"))

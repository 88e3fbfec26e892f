"""Beam search."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from puzzle_agents.agent import Budget, Status
from puzzle_agents.search.search import Problem, SearchAgent, StoredSearch
from puzzle_envs.common.arguments import whole
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.reasons import LAYER_DONE, MORE, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    load_state,
    number_in,
)
from puzzle_envs.verbs import NEVER, State, estimate, hopeless, representative, solved, successors

FIELDS = 3
"""Data stored with a state: its parent, cost and estimate."""


@compiled
def _take_in(
    instance: Instance, memory: Memory, row: State, parent: Any, cost: Any, progress: Any
) -> None:
    """Store a state, unless it is known or a dead end."""
    level = instance.levels[0]
    hashed = hash_state(memory.layout, row)
    slot = find_state(memory, row, hashed)
    if number_in(memory, slot) >= 0 or hopeless(level, row):
        return
    ahead = estimate(level, instance.findings, row)
    progress.evaluated += 1
    if ahead >= NEVER:
        return
    number, field, table = progress.unique, 2 * row.size, memory.table
    add_state(memory, slot, hashed, number, row)
    table[number, field], table[number, field + 1], table[number, field + 2] = parent, cost, ahead
    progress.unique += 1
    if solved(level, row) and progress.solution < 0:
        progress.solution = number


@kernel
def expand(
    instance: Instance, memory: Memory, scratch: Scratch, beam: Any, tally: Any, expansions: int
) -> int:
    """Expand the states of the beam from tally.place on; return why it stopped."""
    level, progress = instance.levels[0], tally[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    for _ in range(expansions):
        if progress.place == beam.size:
            return LAYER_DONE
        number = np.int64(beam[progress.place])
        load_state(memory, number, state)
        found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        if progress.unique + found > memory.room:
            return NO_ROOM_FOR_STATES
        spent = np.int64(memory.table[number, 2 * state.size + 1])
        for index in range(found):
            row = rows[index]
            if instance.merged:
                representative(level, instance.findings, row)
            _take_in(instance, memory, row, number, spent + costs[index], progress)
        progress.place += 1
        progress.expanded += 1
        progress.generated += found
    return MORE


class BeamSearch(StoredSearch):
    """The layers of one search."""

    def __init__(self, problem: Problem, width: int) -> None:
        """Start with a beam of the initial state."""
        super().__init__(problem, problem.max_bytes, FIELDS, "place")
        self._width = width
        self._beam = np.zeros(1, np.uint32)
        self._layer_begin = 1
        self._cut = False
        self.tally["unique"] = 1

    @property
    def registered(self) -> int:
        """Number of states stored."""
        return self.count("unique")

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run; a layer with a solution is the last."""
        if self.solved:
            return Status.SOLVED
        nodes = self._nodes
        reason = expand(
            self.problem.instance, nodes.memory, nodes.scratch, self._beam, self.tally, expansions
        )
        return self._end_layer() if reason == LAYER_DONE else self._ended(reason)

    def _end_layer(self) -> Status | None:
        found = np.arange(self._layer_begin, self.count("unique"), dtype=np.uint32)
        if self.solved or found.size == 0:
            self._beam = found
            ending = Status.GAVE_UP if self._cut else Status.UNSOLVABLE
            return Status.SOLVED if self.solved else ending
        if found.size > self._width:
            self._cut = True
            field = 2 * self.problem.start.size
            rows = self._nodes.table[self._layer_begin : self.count("unique")]
            totals = rows[:, field + 1] + rows[:, field + 2]
            found = found[np.argsort(totals, kind="stable")[: self._width]]
        self._beam, self._layer_begin = found, self.count("unique")
        self.tally["place"] = 0
        return None

    @property
    def has_failed(self) -> bool:
        """Whether no state is left to expand after some were dropped, which proves nothing."""
        return self._cut and self._beam.size == 0

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return super().bytes + self._beam.nbytes

    @property
    def waiting(self) -> int:
        """States left in the beam, plus those found for the next one."""
        left = self._beam.size - self.count("place")
        return left + self.count("unique") - self._layer_begin


class Beam(SearchAgent):
    """Beam search: keeps the best states of each layer, by f = g + h.

    Neither complete nor optimal, since dropped states are lost. It returns `unsolvable` only if
    nothing was dropped.

    Use it to find a good solution of a large level quickly; a wider beam takes longer and finds
    better ones.
    """

    name: ClassVar[str] = "beam"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        width: int = 1000,
        estimate: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            width: Beam width.
            estimate: The puzzle's heuristic to use; None for its default.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, estimate=estimate, symmetry=symmetry)
        self.width = whole("width", width, 1)

    def _search(self, problem: Problem) -> BeamSearch:
        return BeamSearch(problem, self.width)

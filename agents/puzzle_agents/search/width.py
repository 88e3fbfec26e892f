"""Best-first width search."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from puzzle_agents.agent import Budget, Status
from puzzle_agents.search.queues import Queues, first_queue, join, leave
from puzzle_agents.search.search import Problem, Search, SearchAgent, Words
from puzzle_agents.search.seen import Seen, SeenTables, novelty_of
from puzzle_envs.common.arguments import text, whole
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
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
    heuristic,
    hopeless,
    milestones,
    representative,
    solved,
    successors,
)

__all__ = ["WidthSearch", "Width"]

MORE, EXHAUSTED, FOUND, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS = range(5)
"""Why the kernel came back."""
FIELDS = 2
"""Beside a state: its parent, and the state behind it in its queue."""
HIGHEST = 1 << 14
"""Higher heuristics share the last queue."""
PASSED = 20
"""Bits of a milestone in the key of a group."""
TABLES_SHARE = 3 / 8
"""How much of the memory is for what has been seen."""


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    queues: Queues,
    seen: Seen,
    scratch: Scratch,
    tally: Any,
    width: int,
    expansions: int,
) -> int:
    """Expand the most novel states, of those the ones that promise most; say why it stopped.

    A state that is proved to be a dead end keeps its number, so that this is proved once.
    """
    level, progress = instance.levels[0], tally[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    parent_field, next_field = 2 * state.size, 2 * state.size + 1
    for _ in range(expansions):
        if progress.solution >= 0:
            return FOUND
        row, column = first_queue(queues)
        if row == queues.firsts.shape[0]:
            return EXHAUSTED
        if progress.registered + rows.shape[0] > memory.room:
            return NO_ROOM_FOR_STATES
        load_state(memory, np.int64(queues.firsts[row, column]) - 1, state)
        found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        parent = leave(queues, memory, row, column, next_field)
        for index in range(found):
            child = rows[index]
            if instance.merged:
                representative(level, instance.findings, child)
            hashed = hash_state(memory.layout, child)
            slot = find_state(memory, child, hashed)
            if number_in(memory, slot) >= 0 or hopeless(level, child):
                continue
            number = progress.registered
            take_slot(memory, slot, hashed, number)
            keep_state(memory, number, child)
            memory.table[number, parent_field] = parent
            progress.registered += 1
            progress.evaluated += 1
            left = heuristic(level, instance.findings, child)
            if left >= NEVER:
                continue
            progress.unique += 1
            progress.least = min(progress.least, left)
            if solved(level, child):
                progress.solution = number
            key = left << PASSED | milestones(level, child)
            novelty = novelty_of(level, child, seen, key, width)
            join(queues, memory, novelty, left, number, next_field)
        progress.generated += found
        progress.expanded += 1
    return MORE


class WidthSearch(Search):
    """One search by novelty."""

    def __init__(self, problem: Problem, width: int) -> None:
        """Begin with the first state."""
        super().__init__(problem, "registered", "least")
        self._width = width
        share = int(TABLES_SHARE * problem.max_bytes)
        self._tables = SeenTables(problem.record, problem.cells, width, share)
        self._queues = Queues.of(3, HIGHEST)
        self._nodes = Nodes(problem.start.size, problem.max_bytes - share, FIELDS)
        self._nodes.register_first(problem.start)
        self._queues.firsts[0, 0] = self._queues.lasts[0, 0] = 1
        self._queues.lows[0] = 0
        self.tally["unique"] = self.tally["registered"] = 1
        self.tally["least"] = NEVER
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = 0

    def run(self, expansions: int) -> Status | None:
        """Go on, as Search.run."""
        nodes, registered = self._nodes, self.count("registered")
        reason = expand(
            self.problem.instance, nodes.memory, self._queues, self._tables.seen, nodes.scratch,
            self.tally, self._width, expansions,
        )  # fmt: skip
        registered = self.count("registered")
        if reason == NO_ROOM_FOR_STATES and not nodes.grow(registered):
            return Status.OUT_OF_MEMORY
        if reason == NO_ROOM_FOR_ROWS and not nodes.grow_rows(registered):
            return Status.OUT_OF_MEMORY
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    @property
    def bytes(self) -> int:
        """The memory that the tables take."""
        tables = self._tables.bytes + self._queues.bytes
        return self._nodes.bytes(self.count("registered")) + tables

    @property
    def current(self) -> Words | None:
        """The state last expanded."""
        return self._nodes.scratch.state.copy() if self.count("expanded") else None

    def path(self) -> list[Words]:
        """What was kept on the way to the solution."""
        return self._nodes.path(self.count("solution"))


class Width(SearchAgent):
    """Expands the states that show most that is new; of those, the ones that promise most.

    Best-first width search: a state is compared with those of the same heuristic that have passed
    the same milestones (verbs.milestones). One with an atom that none of them had comes first, then
    one with a pair of atoms that none had (`width=2`), then all others; atoms are what the puzzle
    says is true of a state (verbs.atoms).

    Complete: it finds a solution or proves that there is none, if the budget lasts. Not optimal.

    Use it on levels that are too large for A*, and where a heuristic alone misleads.
    """

    name: ClassVar[str] = "bfws"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        width: int = 2,
        heuristic: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Make an agent.

        Args:
            budget: What it may spend on each attempt.
            width: 2 if pairs of atoms count, 1 if only single ones do.
            heuristic: Which of the puzzle's heuristics or estimates to use; by default its usual
                heuristic.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, symmetry=symmetry)
        self.width = whole("width", width, 1, 2)
        self.heuristic = None if heuristic is None else text("heuristic", heuristic)

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Refuse a heuristic that the puzzle does not have."""
        super().check(puzzle, level)
        puzzle.check_heuristic(self.heuristic)

    def _findings(self, env: PuzzleEnv, record: np.ndarray) -> Words:
        return env.puzzle.heuristic_findings(record[0], self.heuristic)

    def _search(self, problem: Problem) -> Search:
        return WidthSearch(problem, self.width)

"""Search by stages: a width search in each stage; stages take turns.

A stage is the states with the same irreversible changes and the same outlook, a heuristic that is
computed only after such a change, so that it may be slow. A stage whose outlook is higher by one
gets half as many expansions.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Budget, Status, WrongPuzzleError
from puzzle_agents.search.queues import Queues, is_waiting, join, leave, register
from puzzle_agents.search.search import Problem, SearchAgent, StoredSearch
from puzzle_agents.search.seen import Seen, SeenTables, group_of, novelty_of
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kernels.compiled import inlined, kernel, rare_kernel
from puzzle_envs.level import Level, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.reasons import (
    EXHAUSTED,
    FOUND,
    MORE,
    NO_ROOM_FOR_ROWS,
    NO_ROOM_FOR_STATES,
    TO_JUDGE,
)
from puzzle_envs.states.tables import Memory, load_state, mixed
from puzzle_envs.verbs import (
    NEVER,
    LevelRecord,
    State,
    atoms,
    lasting,
    outlook,
    outlook_room,
    solved,
    successors,
)

__all__ = ["StageSearch", "Stages"]

FIELDS = 3
"""Data stored with a state: its parent, the next state in its queue, and its stage."""
TO_BE_JUDGED = 2**32 - 1
"""The stage of a state after an irreversible change, before it is judged."""
NOVELTIES = 3
MOST_STAGES = 1 << 13
"""Further stages share the last number."""
TURN = 100
"""Expansions in a turn."""
SEEN_SHARE = 1 / 2
"""The share of the memory for the table of novelty."""


class Turns(NamedTuple):
    """The stages, and what decides whose turn it is."""

    queues: Queues
    """A row for each novelty, a column for each stage."""
    seen: Seen
    lefts: npt.NDArray[np.int64]
    """The outlook of each stage."""
    expanded: npt.NDArray[np.int64]
    """Number of states expanded of each stage."""
    now: npt.NDArray[np.int64]
    """The stage whose turn it is."""
    room: Words
    """Working memory of outlooks."""


@inlined
def _row_waiting(queues: Queues, stage: int) -> int:
    """The novelty of the stage's next state; NOVELTIES if it has none."""
    row = 0
    while row < NOVELTIES and not is_waiting(queues, row, stage):
        row += 1
    return row


@inlined
def _next_stage(turns: Turns) -> int:
    """The stage of the state to expand; -1 if none is open."""
    now = turns.now[0]
    if turns.expanded[now] % TURN != 0 and _row_waiting(turns.queues, now) < NOVELTIES:
        return now
    best, least = -1, np.inf
    for stage in range(min(turns.seen.counts[0], MOST_STAGES)):
        if _row_waiting(turns.queues, stage) == NOVELTIES:
            continue
        cost = turns.lefts[stage] + np.log2(1 + turns.expanded[stage] / TURN)
        if cost < least:
            best, least = stage, cost
    turns.now[0] = max(best, 0)
    return best


@inlined
def _open(
    instance: Instance, memory: Memory, turns: Turns, row: State, number: Any, stage: int
) -> None:
    """Open a state of a stage."""
    seen, fields = turns.seen, 2 * row.size
    memory.table[number, fields + 2] = stage
    count = atoms(instance.levels[0], row, seen.planes, seen.atoms)
    novelty = novelty_of(seen, count, stage, 2)
    join(turns.queues, memory, novelty, stage, number, fields + 1)


@kernel
def judge(instance: Instance, memory: Memory, turns: Turns, state: State, number: int) -> bool:
    """Open a state after an irreversible change, unless it is a dead end.

    A separate kernel, because outlooks are large and slow to compile within another kernel.
    """
    load_state(memory, number, state)
    left = outlook(instance.levels[0], state, turns.room)
    if left >= NEVER:
        return False
    now = lasting(instance.levels[0], state)
    stage = group_of(turns.seen, mixed(np.uint64(now) + mixed(np.uint64(left))))
    stage = min(stage, MOST_STAGES - 1)
    if turns.expanded[stage] == 0:
        turns.lefts[stage] = left
    _open(instance, memory, turns, state, number, stage)
    return True


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    scratch: Scratch,
    turns: Turns,
    tally: Any,
    expansions: int,
) -> int:
    """Expand states; return why it stopped."""
    level, progress = instance.levels[0], tally[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    queues, fields = turns.queues, 2 * state.size
    for _ in range(expansions):
        if progress.solution >= 0:
            return FOUND
        stage = _next_stage(turns)
        if stage < 0:
            return EXHAUSTED
        if progress.registered + rows.shape[0] > memory.room:
            return NO_ROOM_FOR_STATES
        row = _row_waiting(queues, stage)
        load_state(memory, np.int64(queues.firsts[row, stage]) - 1, state)
        found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        parent = leave(queues, memory, row, stage, fields + 1)
        turns.expanded[stage] += 1
        before, waits = lasting(level, state), False
        for index in range(found):
            child = rows[index]
            number = register(instance, memory, child, parent, progress)
            if number < 0:
                continue
            if solved(level, child):
                progress.solution = number
            if lasting(level, child) != before:
                memory.table[number, fields + 2] = TO_BE_JUDGED
                waits = True
            else:
                progress.unique += 1
                _open(instance, memory, turns, child, number, stage)
        progress.generated += found
        progress.expanded += 1
        if waits:
            return TO_JUDGE
    return MORE


@rare_kernel
def room_of(levels: LevelRecord) -> int:
    """The size of the working memory of outlooks, in words."""
    return outlook_room(levels[0])


class StageSearch(StoredSearch):
    """One search."""

    def __init__(self, problem: Problem) -> None:
        """Open the first state."""
        share = int(SEEN_SHARE * problem.max_bytes)
        self._tables = SeenTables(problem.record, problem.cells, 2, share)
        self._turns = Turns(
            Queues.of(NOVELTIES, MOST_STAGES),
            self._tables.seen,
            np.zeros(MOST_STAGES, np.int64),
            np.zeros(MOST_STAGES, np.int64),
            np.zeros(1, np.int64),
            np.empty(room_of(problem.record), np.uint64),
        )
        self._beside = self._turns.queues.bytes + self._turns.room.nbytes
        super().__init__(problem, problem.max_bytes - share - self._beside, FIELDS)
        self._judge(0)

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        nodes, limit = self._nodes, self.count("expanded") + expansions
        reason = TO_JUDGE
        while reason == TO_JUDGE and self.count("expanded") < limit:
            first = self.count("registered")
            reason = expand(
                self.problem.instance,
                nodes.memory,
                nodes.scratch,
                self._turns,
                self.tally,
                limit - self.count("expanded"),
            )
            if reason == TO_JUDGE:
                stages = nodes.table[first : self.count("registered"), -1]
                for number in first + np.flatnonzero(stages == TO_BE_JUDGED):
                    self._judge(int(number))
        return self._ended(reason)

    def _judge(self, number: int) -> None:
        nodes = self._nodes
        self.tally["evaluated"] += 1
        opened = judge(
            self.problem.instance, nodes.memory, self._turns, nodes.scratch.state, number
        )
        self.tally["unique"] += opened

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return super().bytes + self._tables.bytes + self._beside


class Stages(SearchAgent):
    """Width search among states with the same holes filled; such groups take turns.

    The number of fills left in a plan is computed only when a hole is filled or a character leaves.
    States with the same holes filled, the same kinds of blocks gone and the same number of fills
    left are a stage, in which the most novel state comes first. A stage with one fill more left
    gets half as many expansions.

    Complete: it finds a solution or proves unsolvability, within the budget. Not optimal.

    Use it on floors with many holes, where `bfws` wastes blocks.
    """

    name: ClassVar[str] = "stages"

    def __init__(self, budget: Budget | None = None, *, symmetry: bool = True) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, symmetry=symmetry)

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject a puzzle without an outlook."""
        if not puzzle.implements("outlook"):
            raise WrongPuzzleError(
                f"{self.name} needs plans that fill holes, and {puzzle.title} has none."
            )
        super().check(puzzle, level)

    def _findings(self, env: PuzzleEnv, record: np.ndarray) -> Words:
        return np.zeros(1, np.uint64)

    def _search(self, problem: Problem) -> StageSearch:
        return StageSearch(problem)

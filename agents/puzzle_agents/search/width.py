"""Best-first width search, search by segments, and type-based exploration: one engine.

States are grouped by their heuristic and by the milestones that they have passed. The first two
searches prefer states that are novel in their group: with an atom that no state of the group had.
The third chooses a group at random. A state that is proved to be a dead end stays in the table, so
that this is proved once; no other state is ever dropped.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import MOST_SUCCESSORS, Budget, Status, WrongPuzzleError
from puzzle_agents.search.queues import Queues, best_queue, is_waiting, join, leave, register
from puzzle_agents.search.search import HeuristicAgent, Problem, StoredSearch
from puzzle_agents.search.seen import Seen, SeenTables, group_of, novelty_of
from puzzle_envs.common.arguments import whole, whole_or_none
from puzzle_envs.kernels.bitboards import ONE, count_bits
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.level import Level, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.chance import below, new_chance
from puzzle_envs.states.nodes import large_table
from puzzle_envs.states.reasons import EXHAUSTED, FOUND, MORE, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import Memory, load_state
from puzzle_envs.verbs import (
    NEVER,
    State,
    aims,
    atoms,
    heuristic,
    milestones,
    solved,
    successors,
)

FIELDS = 2
"""Fields of a state: its parent, and the next state in its queue. With aims, also its segment, and
in two halves a bit for each aim achieved."""
AIMS_FIELDS = 5
MOST_AIMS = 64
"""As many aims as a word has bits."""
HIGHEST = 1 << 13
"""Queues of a row; the last one also serves all higher numbers."""
PASSED = 20
"""Bits of the milestones in the key of a group."""
SEEN_SHARE, AIMS_SHARE = 3 / 8, 1 / 8
"""The shares of the memory for the table of novelty, and for aims."""


class Manner(NamedTuple):
    """The order of expansion."""

    width: int
    """The largest number of atoms that can be novel together, 1 or 2; 0: a random group is next."""
    aims: bool = False
    """Whether aims count; they are found again where a milestone is passed."""


class Aimed(NamedTuple):
    """The aims of segments."""

    aims: npt.NDArray[np.int32]
    """For each segment the number of its aims, and then these, which are atoms."""
    count: npt.NDArray[np.int64]
    """Number of segments."""


class Choice(NamedTuple):
    """The data by which the next state is chosen."""

    manner: Manner
    queues: Queues
    seen: Seen
    aimed: Aimed
    chance: Words


@inlined
def _next_queue(choice: Choice) -> tuple[int, int]:
    """The queue of the next state to expand; a row beyond the last if all are empty."""
    if choice.manner.width > 0:
        return best_queue(choice.queues)
    row, _ = best_queue(choice.queues)
    if row > 0:
        return choice.queues.firsts.shape[0], 0
    groups = min(max(choice.seen.counts[0], 1), HIGHEST)
    drawn = below(choice.chance, groups)
    while not is_waiting(choice.queues, 0, drawn):
        drawn = drawn + 1 if drawn + 1 < groups else 0
    return 0, drawn


@inlined
def _aims_left(
    instance: Instance,
    memory: Memory,
    choice: Choice,
    row: State,
    number: Any,
    fell: bool,
    count: int,
) -> int:
    """Store which aims a state has achieved; return how many are left, or -1 for a dead end."""
    table, aimed = memory.table, choice.aimed
    fields = 2 * row.size
    parent = np.int64(table[number, fields])
    segment = np.int64(table[parent, fields + 2])
    achieved = np.uint64(table[parent, fields + 3]) | np.uint64(
        table[parent, fields + 4]
    ) << np.uint64(32)
    if fell and aimed.count[0] < aimed.aims.shape[0]:
        segment = aimed.count[0]
        found = aims(instance.levels[0], instance.findings, row, aimed.aims[segment, 1:])
        if found < 0:
            return -1
        aimed.aims[segment, 0] = found
        aimed.count[0] += 1
        achieved = np.uint64(0)
    those = aimed.aims[segment]
    for index in range(those[0]):
        for other in range(count):
            if choice.seen.atoms[other] == those[index + 1]:
                achieved |= ONE << np.uint64(index)
    table[number, fields + 2] = segment
    table[number, fields + 3] = achieved & np.uint64(0xFFFFFFFF)
    table[number, fields + 4] = achieved >> np.uint64(32)
    return those[0] - count_bits(achieved)


@inlined
def _enqueue(
    instance: Instance,
    memory: Memory,
    choice: Choice,
    row: State,
    number: Any,
    passed: int,
    tally: Any,
) -> None:
    """Evaluate and open a new state, unless it is a dead end. `passed`: its parent's milestones."""
    level, next_field = instance.levels[0], 2 * row.size + 1
    left = heuristic(level, instance.findings, row)
    if left >= NEVER:
        return
    now = milestones(level, row)
    count = atoms(level, row, choice.seen.planes, choice.seen.atoms)
    column = left
    if choice.manner.aims:
        missing = _aims_left(instance, memory, choice, row, number, now != passed, count)
        if missing < 0:
            return
        column = (MOST_AIMS + 1) * left + missing
    if solved(level, row):
        tally.solution = number
    tally.unique += 1
    group = group_of(choice.seen, column << PASSED | now)
    novelty = 0
    if choice.manner.width > 0:
        novelty = novelty_of(choice.seen, count, group, choice.manner.width)
    else:
        column = group
    join(choice.queues, memory, novelty, min(column, HIGHEST - 1), number, next_field)


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    scratch: Scratch,
    choice: Choice,
    tally: Any,
    expansions: int,
) -> int:
    """Expand states, up to this many or many transitions; return why it stopped."""
    level, progress = instance.levels[0], tally[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    queues, fields = choice.queues, 2 * state.size
    end, enough = progress.expanded + expansions, progress.generated + expansions * MOST_SUCCESSORS
    while progress.expanded < end and progress.generated < enough:
        if progress.solution >= 0:
            return FOUND
        row, column = _next_queue(choice)
        if row == queues.firsts.shape[0]:
            return EXHAUSTED
        if progress.registered + rows.shape[0] > memory.room:
            return NO_ROOM_FOR_STATES
        load_state(memory, np.int64(queues.firsts[row, column]) - 1, state)
        found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        parent = leave(queues, memory, row, column, fields + 1)
        passed = milestones(level, state)
        for index in range(found):
            number = register(instance, memory, rows[index], parent, progress)
            if number >= 0:
                progress.evaluated += 1
                _enqueue(instance, memory, choice, rows[index], number, passed, progress)
        progress.generated += found
        progress.expanded += 1
    return MORE


@kernel
def first_aims(instance: Instance, state: State, aimed: Aimed) -> None:
    """Find the aims of the first segment."""
    found = aims(instance.levels[0], instance.findings, state, aimed.aims[0, 1:])
    aimed.aims[0, 0] = max(found, 0)
    aimed.count[0] = 1


class WidthSearch(StoredSearch):
    """One search in a given manner."""

    def __init__(self, problem: Problem, manner: Manner, seed: int | None = 0) -> None:
        """Open the first state."""
        most = problem.max_bytes
        share = int(SEEN_SHARE * most)
        self._tables = SeenTables(problem.record, problem.cells, manner.width, share)
        segments = int(AIMS_SHARE * most) // (4 * MOST_AIMS + 4) if manner.aims else 1
        aimed = Aimed(large_table((segments, MOST_AIMS + 1)).view(np.int32), np.zeros(1, np.int64))
        self._choice = Choice(
            manner, Queues.of(3, HIGHEST), self._tables.seen, aimed, new_chance(seed)
        )
        left = most - share - aimed.aims.nbytes - self._choice.queues.bytes
        super().__init__(problem, left, AIMS_FIELDS if manner.aims else FIELDS)
        queues = self._choice.queues
        queues.firsts[0, 0] = queues.lasts[0, 0] = 1
        queues.lows[0] = 0
        if manner.aims:
            first_aims(problem.instance, problem.start, aimed)
        self.tally["unique"] = 1

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        nodes = self._nodes
        reason = expand(
            self.problem.instance, nodes.memory, nodes.scratch, self._choice, self.tally, expansions
        )
        return self._ended(reason)

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        aimed = self._choice.aimed
        beside = self._tables.bytes + self._choice.queues.bytes
        beside += int(aimed.count[0]) * aimed.aims.shape[1] * 4
        return super().bytes + beside


# --- agents: the same engine in three manners ----------------------------------------------------


class Width(HeuristicAgent):
    """Expands the most novel states first, and of those the ones with the lowest heuristic.

    Best-first width search: a state is compared with those that have the same heuristic and have
    passed the same milestones. States with an atom that none of these had come first, then states
    with a new pair of atoms (`width=2`), then all others. Atoms are facts about a state that the
    puzzle defines, by default the marked cells of its observation.

    Complete: it finds a solution or proves unsolvability, within the budget. Not optimal.

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
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            width: 2 to count pairs of atoms, 1 to count only single atoms.
            heuristic: Which of the puzzle's heuristics or estimates to use; None for the usual one.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
        """
        super().__init__(budget, heuristic=heuristic, symmetry=symmetry)
        self.width = whole("width", width, 1, 2)

    def _search(self, problem: Problem) -> WidthSearch:
        return WidthSearch(problem, Manner(self.width))


class Segments(HeuristicAgent):
    """Best-first width search from milestone to milestone, with aims in between.

    A relaxed plan is computed at the start and whenever a milestone is passed, such as a filled
    hole. The places to which it moves blocks and turnstiles are the aims. States that have achieved
    the same number of aims are a group of the width search; groups with more come first.

    Complete: it finds a solution or proves unsolvability, within the budget. Not optimal.

    Use it where `bfws` spends its time on relaxed plans: it expands ten times as many states.
    """

    name: ClassVar[str] = "segments"
    usual: ClassVar[str | None] = "path"

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject a puzzle without aims."""
        if not puzzle.implements("aims"):
            raise WrongPuzzleError(
                f"{self.name} needs the aims of a relaxed plan, and {puzzle.title} has none."
            )
        super().check(puzzle, level)

    def _search(self, problem: Problem) -> WidthSearch:
        return WidthSearch(problem, Manner(2, aims=True))


class Types(HeuristicAgent):
    """Type-based exploration: expands a state of a type drawn at random.

    States with the same heuristic that have passed the same milestones are of one type; the state
    of a type that was found first is expanded.

    Complete: it finds a solution or proves unsolvability, within the budget. Not optimal.

    Use it where all heuristics mislead, and next to searches that rely on them.
    """

    name: ClassVar[str] = "types"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        heuristic: str | None = None,
        symmetry: bool = True,
        seed: int | None = 0,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            heuristic: Which of the puzzle's heuristics or estimates to use; None for the usual one.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
            seed: Random seed; None draws one from the system.
        """
        super().__init__(budget, heuristic=heuristic, symmetry=symmetry)
        self.seed = whole_or_none("seed", seed, 0)

    def _search(self, problem: Problem) -> WidthSearch:
        return WidthSearch(problem, Manner(0), self.seed)

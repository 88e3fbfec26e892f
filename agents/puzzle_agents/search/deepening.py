"""IDA* and iterative deepening: depth-first search with increasing bounds.

Only the path from the initial state to the current one is kept, with the siblings along it; the
next bound is the lowest f that exceeded this one. A transposition table of fixed size remembers
states of the round: one reached again at no lower cost is pruned. It stores whole states, so
optimality does not depend on hashes.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Budget, Status, bytes_of
from puzzle_agents.search.search import Problem, Search, SearchAgent
from puzzle_envs.kernels.bitboards import copy_words, same_words
from puzzle_envs.kernels.compiled import inlined, kernel
from puzzle_envs.level import Words
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.nodes import FIRST_ROWS
from puzzle_envs.states.paths import is_solved
from puzzle_envs.states.reasons import EXHAUSTED, FOUND, MORE, NO_ROOM_FOR_DEPTH, NO_ROOM_FOR_ROWS
from puzzle_envs.states.tables import Layout, hash_state, layout_of
from puzzle_envs.verbs import (
    NEVER,
    UNESTIMATED,
    Costs,
    Rows,
    State,
    estimate_next,
    hopeless,
    representative,
    solved,
    successors,
)

NEXT, END, SPENT, AHEAD, FIELDS = range(5)
"""Data of a state on the path: the row of its next successor, the end of these, cost, estimate."""

FIRST_DEPTH = 1 << 10
ENOUGH = 2**40
"""An infinite cost: there is no next bound."""
ROUND_SHIFT = np.uint64(32)


class Transpositions(NamedTuple):
    """The transposition table: states, with round and cost in one word."""

    layout: Layout
    states: Words
    met: Words

    @classmethod
    def of(cls, words: int, slots: int) -> Transpositions:
        """An empty table; with 0 slots, none."""
        states, met = np.zeros((slots, words), np.uint64), np.zeros(slots, np.uint64)
        return cls(layout_of(words, 1), states, met)


class Path(NamedTuple):
    """The path to the current state, with the siblings along it."""

    start: State
    steps: npt.NDArray[np.int64]
    rows: Rows
    costs: Costs
    image: State
    """Scratch."""


@inlined
def _met_before(table: Transpositions, row: State, cost: Any, rounds: Any) -> bool:
    """Whether this round reached the state at no higher cost; if not, store it."""
    slot = hash_state(table.layout, row) & np.uint64(table.met.size - 1)
    now = np.uint64(rounds) << ROUND_SHIFT
    when = table.met[slot]
    if same_words(table.states[slot], row) and when >= now and when <= now | np.uint64(cost):
        return True
    copy_words(row, table.states[slot])
    table.met[slot] = now | np.uint64(cost)
    return False


@inlined
def _forget(table: Transpositions, row: State) -> None:
    """Remove a state from the table: it could not be expanded yet."""
    if table.met.size > 0:
        table.met[hash_state(table.layout, row) & np.uint64(table.met.size - 1)] = 0


@inlined
def _is_to_expand(
    instance: Instance, path: Path, table: Transpositions, row: State, cost: Any, rounds: Any
) -> bool:
    """Whether the table lets a state pass; `path.image` becomes its entry."""
    if table.met.size == 0:
        return True
    copy_words(row, path.image)
    if instance.merged:
        representative(instance.levels[0], instance.findings, path.image)
    return not _met_before(table, path.image, cost, rounds)


@inlined
def _append(steps: Any, depth: Any, first: Any, end: Any, cost: Any, ahead: Any) -> None:
    """Make a state the end of the path: the rows of its successors, its cost and its estimate."""
    steps[depth, NEXT], steps[depth, END] = first, end
    steps[depth, SPENT], steps[depth, AHEAD] = cost, ahead


@kernel
def dive(
    instance: Instance,
    path: Path,
    table: Transpositions,
    tally: Any,
    informed: bool,
    expansions: int,
) -> int:
    """Continue for this many expansions; return why it stopped."""
    level, progress = instance.levels[0], tally[0]
    start, steps, rows, costs = path.start, path.steps, path.rows, path.costs
    expanded, generated, evaluated = progress.expanded, progress.generated, progress.evaluated
    depth, bound, beyond = progress.depth, progress.bound, progress.beyond
    end, reason = expanded + expansions, MORE
    while expanded < end:
        if depth < 0:  # a round begins
            found = successors(level, start, rows, costs)
            if found < 0:
                reason = NO_ROOM_FOR_ROWS
                break
            _append(steps, 0, 0, found, 0, UNESTIMATED)
            depth, beyond = 0, ENOUGH
            expanded += 1
            generated += found
        child, last = steps[depth, NEXT], steps[depth, END]
        if child == last:  # all successors were tried: back to the parent, or to the next round
            depth -= 1
            if depth >= 0:
                continue
            if beyond == ENOUGH:
                reason = EXHAUSTED
                break
            bound = beyond
            progress.rounds += 1
            progress.until_last_jump = expanded
            continue
        row = rows[child]
        cost = steps[depth, SPENT] + costs[child]
        steps[depth, NEXT] = child + 1
        ahead = np.int64(0)
        if informed:
            evaluated += 1
            here = start if depth == 0 else rows[steps[depth - 1, NEXT] - 1]
            ahead = np.int64(
                estimate_next(level, instance.findings, here, steps[depth, AHEAD], row)
            )
        if cost + ahead > bound:
            if ahead < NEVER:
                beyond = min(beyond, cost + ahead)
            continue
        if depth > 0:  # not straight back to the state before
            back = start if depth == 1 else rows[steps[depth - 2, NEXT] - 1]
            if same_words(row, back):
                continue
        if solved(level, row):
            progress.solution, progress.cost = depth + 1, cost
            reason = FOUND
            break
        if hopeless(level, row):
            continue
        if depth + 1 == steps.shape[0]:
            steps[depth, NEXT] = child
            reason = NO_ROOM_FOR_DEPTH
            break
        if not _is_to_expand(instance, path, table, row, cost, progress.rounds):
            continue
        found = successors(level, row, rows[last:], costs[last:])
        if found < 0:  # tried again with more rows
            _forget(table, path.image)
            steps[depth, NEXT] = child
            reason = NO_ROOM_FOR_ROWS
            break
        depth += 1
        _append(steps, depth, last, last + found, cost, ahead)
        expanded += 1
        generated += found
    progress.expanded, progress.generated, progress.evaluated = expanded, generated, evaluated
    progress.depth, progress.bound, progress.beyond = depth, bound, beyond
    return reason


class Deepening(Search):
    """Rounds of depth-first search with increasing bounds."""

    keeps_representatives = False

    def __init__(self, problem: Problem, *, informed: bool, table_bytes: int) -> None:
        """Start the first round, at bound 0.

        Args:
            problem: The problem.
            informed: Whether to use the heuristic.
            table_bytes: Memory of the transposition table; 0 for none.
        """
        super().__init__(problem, "depth", "bound", "beyond", "rounds", "cost")
        words = problem.start.size
        self._informed = informed
        self._path = Path(
            problem.start,
            np.zeros((FIRST_DEPTH, FIELDS), np.int64),
            np.empty((FIRST_ROWS, words), np.uint64),
            np.empty(FIRST_ROWS, np.int64),
            np.empty(words, np.uint64),
        )
        self._table = Transpositions.of(
            words, 1 << (table_bytes // (8 * (words + 1))).bit_length() >> 1
        )
        self.tally["depth"], self.tally["rounds"] = -1, 1
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = 0

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        if self.solved:
            return Status.SOLVED
        reason = dive(
            self.problem.instance, self._path, self._table, self.tally, self._informed, expansions
        )
        if reason in (NO_ROOM_FOR_ROWS, NO_ROOM_FOR_DEPTH):
            return self._grow(reason)
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    def _grow(self, reason: int) -> Status | None:
        path = self._path
        short = path.steps if reason == NO_ROOM_FOR_DEPTH else path.rows
        if self.bytes + 3 * short.nbytes > self.problem.max_bytes:
            return Status.OUT_OF_MEMORY
        if reason == NO_ROOM_FOR_DEPTH:
            self._path = path._replace(steps=_doubled(path.steps))
        else:
            self._path = path._replace(rows=_doubled(path.rows), costs=_doubled(path.costs))
        return None

    @property
    def bytes(self) -> int:
        """Memory of the path and the table."""
        path, table = self._path, self._table
        arrays = (path.steps, path.rows, path.costs, table.states, table.met)
        return sum(array.nbytes for array in arrays)

    @property
    def current(self) -> Words | None:
        """The state at the end of the current path."""
        depth, path = self.count("depth"), self._path
        if depth < 0:
            return None
        return path.rows[path.steps[depth - 1, NEXT] - 1].copy() if depth else path.start

    @property
    def waiting(self) -> int:
        """Number of untried successors along the path."""
        steps = self._path.steps[: self.count("depth") + 1]
        return int((steps[:, END] - steps[:, NEXT]).sum())

    def path(self) -> list[Words]:
        """The states along the solution."""
        numbers = self._path.steps[: self.count("solution"), NEXT] - 1
        return [self._path.rows[number].copy() for number in numbers]

    @property
    def bound(self) -> int:
        """The current bound: everything below was searched."""
        return self.count("bound")

    @property
    def proves_optimum(self) -> bool:
        """The first solution found lies within the bound."""
        return True


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.zeros_like(array)])


class IDAStar(SearchAgent):
    """Iterative-deepening A*: depth-first search bounded by f = g + h, with increasing bounds.

    Complete on solvable levels, within the budget; it proves unsolvability only if moves never lead
    back, else it cycles until the budget is spent. Optimal in the paper's moves. It takes hardly
    any memory besides its transposition table.

    Use it if the heuristic is good and A* runs out of memory; with many transpositions it searches
    the same states over and over.
    """

    name: ClassVar[str] = "idastar"
    informed: ClassVar[bool] = True
    """Whether it uses the heuristic."""

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        table: str | int = "16 MiB",
        estimate: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            table: Memory of the transposition table; 0 for none.
            estimate: The puzzle's heuristic to use; None for its default.
            symmetry: Treat mirror images and rotations as one state in the table.
        """
        super().__init__(budget, estimate=estimate, symmetry=symmetry)
        self.table_bytes = bytes_of(table)

    def _search(self, problem: Problem) -> Deepening:
        room = min(self.table_bytes, problem.max_bytes // 2)
        return Deepening(problem, informed=self.informed, table_bytes=room)


class IterativeDeepening(IDAStar):
    """Depth-first search bounded by cost, with increasing bounds.

    Complete on solvable levels, within the budget; it proves unsolvability only if moves never lead
    back, else it cycles until the budget is spent. Optimal in the paper's moves; no heuristic is
    used. It takes hardly any memory besides its transposition table.

    Use it to measure the value of a heuristic, by comparison with IDA*.
    """

    name: ClassVar[str] = "iddfs"
    informed = False

"""The engine of IDA* and iterative deepening: depth first to a bound, then to the next one.

Only the way from the first state to the present one is kept, with the successors on its side; the
bound of the next round is the least sum of cost and estimate that was too much for this one. A
table of fixed size remembers states of the round: who comes back to one at no less cost turns
round. It holds whole states, so no optimum depends on a hash.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Status
from puzzle_agents.search.search import Problem, Search, Words
from puzzle_envs.bitboards import copy_words, same_words
from puzzle_envs.compiled import inlined, kernel
from puzzle_envs.nodes import FIRST_ROWS
from puzzle_envs.paths import is_solved
from puzzle_envs.tables import hash_state, layout_of
from puzzle_envs.verbs import (
    NEVER,
    UNESTIMATED,
    estimate_next,
    hopeless,
    representative,
    solved,
    successors,
)

__all__ = ["Deepening"]

MORE, EXHAUSTED, FOUND, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_DEPTH = range(5)
"""Why the kernel came back."""

NEXT, END, SPENT, AHEAD, FIELDS = range(5)
"""A state on the way: its next successor, where they end, its cost and its estimate."""

FIRST_DEPTH = 1 << 10
ENOUGH = 2**40
"""A cost beyond all: there is no next bound."""
ROUND_SHIFT = np.uint64(32)


class Table(NamedTuple):
    """The states that the table remembers, and when they were met: round and cost in one word."""

    states: npt.NDArray[np.uint64]
    met: npt.NDArray[np.uint64]


@inlined
def _met_before(layout: Any, row: Any, cost: Any, rounds: Any, states: Any, met: Any) -> bool:
    """Whether this round met the state at no more cost; if not, remember it."""
    slot = hash_state(layout, row) & np.uint64(met.size - 1)
    now = np.uint64(rounds) << ROUND_SHIFT
    when = met[slot]
    if same_words(states[slot], row) and when >= now and when <= now | np.uint64(cost):
        return True
    copy_words(row, states[slot])
    met[slot] = now | np.uint64(cost)
    return False


@inlined
def _forget(layout: Any, row: Any, met: Any) -> None:
    """Take back that a state was met: it could not be expanded yet."""
    met[hash_state(layout, row) & np.uint64(met.size - 1)] = 0


@kernel
def dive(
    layout: Any,
    levels: Any,
    findings: Any,
    start: Any,
    path: Any,
    rows: Any,
    costs: Any,
    image: Any,
    table: Any,
    tally: Any,
    informed: bool,
    merged: bool,
    expansions: int,
) -> int:
    """Go on for so many expansions; say why it stopped. `image` is scratch."""
    level = levels[0]
    progress = tally[0]
    expanded, generated, evaluated = progress.expanded, progress.generated, progress.evaluated
    depth, bound, beyond = progress.depth, progress.bound, progress.beyond
    end, reason = expanded + expansions, MORE
    while expanded < end:
        if depth < 0:  # a round begins
            found = successors(level, start, rows, costs)
            if found < 0:
                reason = NO_ROOM_FOR_ROWS
                break
            path[0, NEXT], path[0, END], path[0, SPENT], path[0, AHEAD] = 0, found, 0, UNESTIMATED
            depth, beyond = 0, ENOUGH
            expanded += 1
            generated += found
        at, last = path[depth, NEXT], path[depth, END]
        if at == last:
            depth -= 1
            if depth >= 0:
                continue
            if beyond == ENOUGH:
                reason = EXHAUSTED
                break
            bound = beyond
            progress.rounds += 1
            progress.settled = expanded
            continue
        row = rows[at]
        cost = path[depth, SPENT] + costs[at]
        path[depth, NEXT] = at + 1
        ahead = np.int64(0)
        if informed:
            evaluated += 1
            here = start if depth == 0 else rows[path[depth - 1, NEXT] - 1]
            ahead = np.int64(estimate_next(level, findings, here, path[depth, AHEAD], row))
        if cost + ahead > bound:
            if ahead < NEVER:
                beyond = min(beyond, cost + ahead)
            continue
        if depth > 0:
            back = start if depth == 1 else rows[path[depth - 2, NEXT] - 1]
            if same_words(row, back):
                continue
        if solved(level, row):
            progress.solution, progress.cost = depth + 1, cost
            reason = FOUND
            break
        if hopeless(level, row):
            continue
        if depth + 1 == path.shape[0]:
            path[depth, NEXT] = at
            reason = NO_ROOM_FOR_DEPTH
            break
        if table.met.size > 0:
            copy_words(row, image)
            if merged:
                representative(level, findings, image)
            if _met_before(layout, image, cost, progress.rounds, table.states, table.met):
                continue
        found = successors(level, row, rows[last:], costs[last:])
        if found < 0:
            if table.met.size > 0:
                _forget(layout, image, table.met)
            path[depth, NEXT] = at
            reason = NO_ROOM_FOR_ROWS
            break
        depth += 1
        path[depth, NEXT], path[depth, END] = last, last + found
        path[depth, SPENT], path[depth, AHEAD] = cost, ahead
        expanded += 1
        generated += found
    progress.expanded, progress.generated, progress.evaluated = expanded, generated, evaluated
    progress.depth, progress.bound, progress.beyond = depth, bound, beyond
    return reason


class Deepening(Search):
    """Rounds of depth-first search, each to a higher bound."""

    keeps_representatives = False

    def __init__(self, problem: Problem, *, informed: bool, table_bytes: int) -> None:
        """Begin the first round, at bound 0.

        Args:
            problem: What it is about.
            informed: Use the estimate.
            table_bytes: The memory for the table that remembers states; 0: no table.
        """
        super().__init__(problem, "depth", "bound", "beyond", "rounds", "cost")
        words = problem.start.size
        self._informed = informed
        self._path = np.zeros((FIRST_DEPTH, FIELDS), np.int64)
        self._rows = np.empty((FIRST_ROWS, words), np.uint64)
        self._costs = np.empty(FIRST_ROWS, np.int64)
        self._image = np.empty(words, np.uint64)
        slots = 1 << (table_bytes // (8 * (words + 1))).bit_length() >> 1
        self._table = Table(np.zeros((slots, words), np.uint64), np.zeros(slots, np.uint64))
        self._layout = layout_of(words, 1)
        self.tally["depth"], self.tally["rounds"] = -1, 1
        if is_solved(problem.record, problem.start):
            self.tally["solution"] = 0

    def run(self, expansions: int) -> Status | None:
        """Go on, as Search.run."""
        if self.solved:
            return Status.SOLVED
        reason = dive(
            self._layout, self.problem.record, self.problem.findings, self.problem.start,
            self._path, self._rows, self._costs, self._image, self._table, self.tally,
            self._informed, self.problem.merged, expansions,
        )  # fmt: skip
        if reason in (NO_ROOM_FOR_ROWS, NO_ROOM_FOR_DEPTH):
            return self._grow(reason)
        return {FOUND: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    def _grow(self, reason: int) -> Status | None:
        short = self._path if reason == NO_ROOM_FOR_DEPTH else self._rows
        if self.bytes + 3 * short.nbytes > self.problem.max_bytes:
            return Status.OUT_OF_MEMORY
        if reason == NO_ROOM_FOR_DEPTH:
            self._path = np.concatenate([self._path, np.zeros_like(self._path)])
        else:
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
            self._costs = np.concatenate([self._costs, np.empty_like(self._costs)])
        return None

    @property
    def bytes(self) -> int:
        """The memory that the path and the table take."""
        arrays = (self._path, self._rows, self._costs, *self._table)
        return sum(array.nbytes for array in arrays)

    @property
    def current(self) -> Words | None:
        """The state at the end of the path that is being tried."""
        depth = self.count("depth")
        if depth < 0:
            return None
        return self._rows[self._path[depth - 1, NEXT] - 1].copy() if depth else self.problem.start

    @property
    def waiting(self) -> int:
        """How many successors along the path are still to be tried."""
        path = self._path[: self.count("depth") + 1]
        return int((path[:, END] - path[:, NEXT]).sum())

    def path(self) -> list[Words]:
        """The states on the way to the solution."""
        numbers = self._path[: self.count("solution"), NEXT] - 1
        return [self._rows[number].copy() for number in numbers]

    @property
    def bound(self) -> int:
        """The bound of the present round: all that is below was searched."""
        return self.count("bound")

    @property
    def proves_optimum(self) -> bool:
        """The first solution found lies within the bound."""
        return True

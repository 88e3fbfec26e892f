"""Bidirectional breadth-first search."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from puzzle_agents.agent import Status, WrongPuzzleError
from puzzle_agents.search.reversible import all_goals, refuse_irreversible
from puzzle_agents.search.search import Problem, Search, SearchAgent
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Level, Words, record_dtype
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.exploration import list_free
from puzzle_envs.states.nodes import Nodes
from puzzle_envs.states.paths import is_solved
from puzzle_envs.states.reasons import FOUND, LAYER_DONE, MORE, NO_ROOM_FOR_ROWS, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import (
    Memory,
    add_state,
    find_state,
    hash_state,
    load_state,
    number_in,
)
from puzzle_envs.verbs import (
    Rows,
    State,
    predecessors,
    representative,
    successors,
)

FIELDS = 1
"""Data stored with a state: the number of its parent on this side."""

SIDE = record_dtype([(name, np.int64) for name in ("count", "expanded", "layer_end", "generated")])


@compiled
def _take_in(memory: Memory, state: State, hashed: Any, parent: Any, side: Any) -> bool:
    """Store a state unless this side has it; return whether it was stored."""
    slot = find_state(memory, state, hashed)
    if number_in(memory, slot) >= 0:
        return False
    add_state(memory, slot, hashed, side.count, state)
    memory.table[side.count, 2 * state.size] = parent
    side.count += 1
    return True


@kernel
def add_firsts(
    instance: Instance, memory: Memory, firsts: Rows, state: State, sides: Any, as_they_are: int
) -> None:
    """Store the initial states of a side, the first ones without their representatives.

    There must be room for all. `state` is scratch.
    """
    for index in range(firsts.shape[0]):
        copy_words(firsts[index], state)
        if instance.merged and index >= as_they_are:
            representative(instance.levels[0], instance.findings, state)
        _take_in(memory, state, hash_state(memory.layout, state), 0, sides[0])
    sides[0].layer_end = sides[0].count


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    other: Memory,
    scratch: Scratch,
    sides: Any,
    meeting: Any,
    backwards: bool,
    expansions: int,
) -> int:
    """Expand states of a layer until the other side has one of the results."""
    level, side = instance.levels[0], sides[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    for _ in range(expansions):
        if side.expanded == side.layer_end:
            return LAYER_DONE
        load_state(memory, side.expanded, state)
        if backwards:
            found = predecessors(level, state, rows, costs)
        else:
            found = successors(level, state, rows, costs)
        if found < 0:
            return NO_ROOM_FOR_ROWS
        if side.count + found > memory.room:
            return NO_ROOM_FOR_STATES
        for index in range(found):
            row = rows[index]
            if instance.merged:
                representative(level, instance.findings, row)
            hashed = hash_state(memory.layout, row)
            if _take_in(memory, row, hashed, side.expanded, side):
                there = number_in(other, find_state(other, row, hashed))
                if there >= 0:
                    meeting[0], meeting[1] = side.count - 1, there
                    return FOUND
        side.expanded += 1
        side.generated += found
    return MORE


class Side:
    """One of the two searches."""

    def __init__(self, problem: Problem, firsts: Words, max_bytes: int, *, backwards: bool) -> None:
        """Start with some states, all at cost 0."""
        self.problem, self.backwards = problem, backwards
        self.nodes = Nodes(problem.start.size, max_bytes, FIELDS)
        self.tally = np.zeros(1, SIDE)
        if self.nodes.room < len(firsts):
            self.nodes.grow(0, len(firsts))
        self.fits = self.nodes.room >= len(firsts)
        if self.fits:
            state = np.empty_like(problem.start)
            add_firsts(
                problem.instance, self.nodes.memory, firsts, state, self.tally, not backwards
            )
        self.firsts = self.count("count")

    def count(self, name: str) -> int:
        """A counter."""
        return int(self.tally[name][0])

    @property
    def open(self) -> int:
        """Number of states of the layer left to expand."""
        return self.count("layer_end") - self.count("expanded")

    @property
    def waiting(self) -> int:
        """Number of states of this layer and the next left to expand."""
        return self.count("count") - self.count("expanded")

    @property
    def current(self) -> Words | None:
        """The state expanded last."""
        return self.nodes.scratch.state.copy() if self.count("expanded") else None

    def run(self, other: Side, meeting: np.ndarray, expansions: int) -> int:
        """Continue for this many expansions; return why it stopped."""
        return expand(
            self.problem.instance, self.nodes.memory, other.nodes.memory, self.nodes.scratch,
            self.tally, meeting, self.backwards, expansions,
        )  # fmt: skip

    def grow(self, reason: int) -> bool:
        """Grow the table that is full."""
        if reason == NO_ROOM_FOR_ROWS:
            return self.nodes.grow_rows(self.count("count"))
        return self.nodes.grow(self.count("count"))

    def way(self, number: int) -> list[Words]:
        """The states from the first layer, exclusive, to a numbered one."""
        path = []
        while number >= self.firsts:
            path.append(self.nodes.state(number))
            number = int(self.nodes.table[number, -1])
        return path[::-1]

    def first(self, number: int) -> int:
        """The state of the first layer that leads to a numbered one."""
        while number >= self.firsts:
            number = int(self.nodes.table[number, -1])
        return number


class BidirectionalSearch(Search):
    """The two sides of one search; the side with fewer open states expands the next layer."""

    def __init__(self, problem: Problem) -> None:
        """Start from the current state with what it reaches for free, and from all goals."""
        super().__init__(problem)
        half = problem.max_bytes // 2
        self._forward = Side(problem, self._beginnings(), half, backwards=False)
        self._side = self._forward
        self._meeting = np.full(2, -1, np.int64)
        beginnings = [self._forward.nodes.state(number) for number in range(self._forward.firsts)]
        solved = [is_solved(problem.record, state) for state in beginnings]
        self._solved_at_once = solved.index(True) if any(solved) else None
        if self._solved_at_once is None:
            goals = all_goals(problem, half // 4)
        else:
            goals = beginnings[self._solved_at_once][None]
            self.tally["solution"] = self._solved_at_once
        self._backward = Side(problem, goals, half, backwards=True)

    def _beginnings(self) -> Words:
        rows = np.empty((1 << 10, self.problem.start.size), np.uint64)
        free = list_free(
            self.problem.record, self.problem.start, rows, np.empty(len(rows), np.int64)
        )
        return np.concatenate([self.problem.start[None], rows[: max(0, free)]])

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        if self.solved:
            return Status.SOLVED
        if not (self._forward.fits and self._backward.fits):
            return Status.OUT_OF_MEMORY
        side = self._side
        other = self._backward if side is self._forward else self._forward
        reason = side.run(other, self._meeting, expansions)
        self._count()
        if reason == FOUND:
            self.tally["solution"] = self._meeting[0]
            return Status.SOLVED
        if reason == LAYER_DONE:
            return self._end_layer(side)
        if reason != MORE and not side.grow(reason):
            return Status.OUT_OF_MEMORY
        return None

    def _end_layer(self, side: Side) -> Status | None:
        side.tally["layer_end"] = side.tally["count"]
        if side.open == 0:
            return Status.UNSOLVABLE
        fewer = min(self._forward, self._backward, key=lambda one: one.open)
        self._side = fewer
        self.tally["until_last_jump"] = self.tally["expanded"]
        return None

    def _count(self) -> None:
        for name, counted in (
            ("expanded", "expanded"),
            ("generated", "generated"),
            ("unique", "count"),
        ):
            self.tally[name] = self._forward.count(counted) + self._backward.count(counted)

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return sum(
            side.nodes.bytes(side.count("count")) for side in (self._forward, self._backward)
        )

    @property
    def current(self) -> Words | None:
        """The state expanded last, of the active side."""
        return self._side.current

    @property
    def waiting(self) -> int:
        """Number of open states of both sides."""
        return self._forward.waiting + self._backward.waiting

    def path(self) -> list[Words]:
        """The path to the meeting state, then along the backward side's path."""
        if self._solved_at_once is not None:
            return [self._forward.nodes.state(self._solved_at_once)][: self._solved_at_once]
        here, there = self._meeting.tolist()
        if self._side is self._backward:
            here, there = there, here
        forward, backward = self._forward, self._backward
        first = forward.first(here)
        begun = [] if first == 0 else [forward.nodes.state(first)]
        back = [*backward.way(there)[::-1][1:], backward.nodes.state(backward.first(there))]
        return begun + forward.way(here) + (back if there >= backward.firsts else [])

    @property
    def proves_optimum(self) -> bool:
        """All moves cost the same, and both sides complete a layer before the next."""
        return True


class Bidirectional(SearchAgent):
    """Breadth-first search from the current state and from all goals, until the two meet.

    Complete and optimal in the paper's moves, which all cost 1 where it applies. It needs
    reversible moves and a list of all goals; other puzzles are rejected.

    Use it if there are few goals: it visits the states within half the distance of either end.
    """

    name: ClassVar[str] = "bidirectional"

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject puzzles whose moves are not reversible, or whose goals are not listed."""
        super().check(puzzle, level)
        refuse_irreversible(puzzle, self.name)
        if not puzzle.implements("goals"):
            raise WrongPuzzleError(
                f"{self.name} starts from the goals too, and the rules of {puzzle.title} do not "
                "list them (the verb 'goals'); use bfs."
            )

    def _search(self, problem: Problem) -> BidirectionalSearch:
        return BidirectionalSearch(problem)

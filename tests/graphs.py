"""All states of a small level, the moves between them, and what solving costs from each."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import reject

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Record, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.paths import beginning
from puzzle_envs.verbs import (
    NEVER,
    apply,
    estimate,
    estimate_next,
    hopeless,
    representative,
    solved,
    start,
    successors,
)

MOST_STATES = 6000
"""Larger graphs are left out of random tests."""

FAR = 2**40
"""The distance of states from which nothing leads to the goal."""


@kernel
def list_moves(levels: Any, state: Any, rows: Any, costs: Any) -> int:
    return successors(levels[0], state, rows, costs)


def moves_from(puzzle: Puzzle, record: Record, state: Words) -> list[list[int]]:
    """Every macro-move of a state, as actions of the level's environment."""
    search = Exploration(puzzle, record, state, pruned=False)
    search.run(1, to_solution=False)
    return [search.actions_to(number) for number in range(1, search.unique)]


@kernel
def begin(levels: Any, state: Any) -> None:
    start(levels[0], state)


@kernel
def act(levels: Any, state: Any, action: int) -> int:
    return apply(levels[0], state, action)


@kernel
def look(levels: Any, states: Any, solutions: Any, losses: Any) -> None:
    for index in range(states.shape[0]):
        solutions[index] = solved(levels[0], states[index])
        losses[index] = hopeless(levels[0], states[index])


@kernel
def estimate_all(levels: Any, findings: Any, states: Any, found: Any) -> None:
    for index in range(states.shape[0]):
        found[index] = estimate(levels[0], findings, states[index])


@kernel
def estimate_along(
    levels: Any, findings: Any, states: Any, found: Any, edges: Any, after: Any
) -> None:
    for index in range(edges.shape[0]):
        here, there = edges[index, 0], edges[index, 1]
        after[index] = estimate_next(levels[0], findings, states[here], found[here], states[there])


@kernel
def represent_all(levels: Any, findings: Any, states: Any) -> None:
    for index in range(states.shape[0]):
        representative(levels[0], findings, states[index])


class Graph:
    """All that can be reached from a state, with the exact distances to the goal."""

    def __init__(
        self, puzzle: Puzzle, record: Record, state: Words | None = None, most: int = MOST_STATES
    ) -> None:
        """Explore; OverflowError where there are too many states."""
        self.levels = np.array([record])
        first = beginning(puzzle, self.levels) if state is None else state.copy()
        rows, costs = np.empty((2048, first.size), np.uint64), np.empty(2048, np.int64)
        numbers, states, edges = {first.tobytes(): 0}, [first], []
        for here, words in enumerate(states):  # it grows while it is walked
            count = list_moves(self.levels, words, rows, costs)
            assert count >= 0
            for index in range(count):
                there = numbers.setdefault(rows[index].tobytes(), len(states))
                if there == len(states):
                    states.append(rows[index].copy())
                edges.append((here, there, int(costs[index])))
            if len(states) > most:
                raise OverflowError("This graph is too large for a test.")
        self.states: Words = np.array(states)
        self.edges: npt.NDArray[np.int64] = np.array(edges, np.int64).reshape(-1, 3)
        self.solved = np.empty(len(states), np.bool_)
        self.hopeless = np.empty(len(states), np.bool_)
        look(self.levels, self.states, self.solved, self.hopeless)
        self.distances = np.where(self.solved, 0, FAR)
        self._relax()

    def _relax(self) -> None:
        before = None
        while before is None or not np.array_equal(before, self.distances):
            before = self.distances.copy()
            further = self.edges[:, 2] + self.distances[self.edges[:, 1]]
            np.minimum.at(self.distances, self.edges[:, 0], further)

    @property
    def solvable(self) -> npt.NDArray[np.bool_]:
        """From which states something leads to the goal."""
        return self.distances < FAR

    def estimates(self, findings: Words) -> npt.NDArray[np.int64]:
        found = np.empty(len(self.states), np.int64)
        estimate_all(self.levels, findings, self.states, found)
        return found

    def representatives(self, findings: Words) -> Words:
        states = self.states.copy()
        represent_all(self.levels, findings, states)
        return states

    def assert_lower_bound(self, findings: Words, *, consistent: bool = True) -> None:
        """Never too much; NEVER and hopeless only where it is so.

        If it is consistent, no move lowers it by more than the move costs.
        """
        found = self.estimates(findings)
        assert (found >= 0).all()
        assert (found[self.solvable] <= self.distances[self.solvable]).all()
        assert not (self.hopeless & self.solvable).any()
        here, there = found[self.edges[:, 0]], found[self.edges[:, 1]]
        after = np.empty(len(self.edges), np.int64)
        estimate_along(self.levels, findings, self.states, found, self.edges, after)
        assert ((after == there) | (here >= NEVER)).all()
        if consistent:
            lowered = (here <= self.edges[:, 2] + there) | (here >= NEVER) | (there >= NEVER)
            assert lowered.all()


def small_graph(puzzle: Puzzle, record: Record, state: Words | None = None) -> Graph:
    """For hypothesis: the graph, if it is not too large."""
    try:
        return Graph(puzzle, record, state)
    except OverflowError:
        reject()

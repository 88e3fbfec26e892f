"""Fringe search."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from puzzle_agents.search.best_first import (
    MOST_COST,
    STALE,
    Batch,
    BestFirst,
    Order,
    cost_in,
    estimate_in,
    expand_single,
    is_full,
)
from puzzle_agents.search.open_lists import Lists, is_empty, open_state, take_state
from puzzle_agents.search.search import Problem, SearchAgent
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.reasons import EXHAUSTED, FOUND, MORE, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import Memory, load_state
from puzzle_envs.verbs import solved

NOW, LATER = 0, 1
"""The two lists, as priorities: the current fringe, and the states beyond the bound."""


@kernel
def sweep(
    instance: Instance,
    memory: Memory,
    lists: Lists,
    batch: Batch,
    tally: Any,
    order: Order,
    expansions: int,
) -> int:
    """Go through the lists for this many expansions; return why it stopped."""
    level, progress, state = instance.levels[0], tally[0], batch.states[0]
    marks_field = 2 * state.size + 1
    end = progress.expanded + expansions
    while progress.expanded < end:
        if is_full(memory, lists, batch, progress):
            return NO_ROOM_FOR_STATES
        if is_empty(NOW, 0, lists):
            if is_empty(LATER, 0, lists):
                return EXHAUSTED
            while not is_empty(LATER, 0, lists):  # empty chunks are reused
                open_state(take_state(LATER, 0, lists), NOW, 0, lists)
            progress.highest, progress.beyond = progress.beyond, np.int64(MOST_COST)
            progress.until_last_jump = progress.expanded
            continue
        number = take_state(NOW, 0, lists)
        marks = np.int64(memory.table[number, marks_field])
        if marks & STALE != 0:
            continue
        total = cost_in(marks) + estimate_in(marks)
        if total > progress.highest:
            progress.beyond = min(progress.beyond, total)
            open_state(number, LATER, 0, lists)
            continue
        load_state(memory, number, state)
        if solved(level, state):
            progress.solution, progress.cost = number, cost_in(marks)
            return FOUND
        reason = expand_single(instance, memory, lists, batch, number, marks, progress, order)
        if reason != MORE:
            open_state(number, NOW, 0, lists)
            return reason
        progress.solution = -1  # a solution counts once it is expanded within the bound
    return MORE


class FringeSearch(BestFirst):
    """The lists of one search."""

    def __init__(self, problem: Problem) -> None:
        """Start the first round, at bound 0."""
        super().__init__(problem, Order(0, 0, ties_by_estimate=False, batch=1))
        self.tally["beyond"] = MOST_COST

    def _engine(self, *arguments: Any) -> int:
        return sweep(*arguments)

    @property
    def bound(self) -> int:
        """The current bound: everything below was searched."""
        return self.count("highest")


class Fringe(SearchAgent):
    """Fringe search: repeated passes over the open states with increasing bounds, without sorting.

    Complete: it finds a solution or proves unsolvability, within the budget. Optimal in the paper's
    moves. It is the Hua Rong Dao and Kwirk papers' compromise between A* and IDA*: states are
    stored, as in A*; those beyond the bound wait unsorted for the next round.

    Use it for comparison: with integer costs A* needs no sorting either and expands less.
    """

    name: ClassVar[str] = "fringe"

    def _search(self, problem: Problem) -> FringeSearch:
        return FringeSearch(problem)

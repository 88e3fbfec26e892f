"""Fringe search."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from puzzle_agents.search.best_first import (
    ESTIMATE,
    ESTIMATE_SHIFT,
    EXHAUSTED,
    FOUND,
    MORE,
    NO_ROOM_FOR_STATES,
    SPENT,
    STALE,
    Batch,
    BestFirst,
    Order,
    expand_single,
    is_full,
)
from puzzle_agents.search.open_lists import Lists, is_empty, open_state, take_state
from puzzle_agents.search.search import Problem, SearchAgent
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.tables import Memory, load_state
from puzzle_envs.verbs import solved

__all__ = ["Fringe"]

NOW, LATER = 0, 1
"""The two lists, as priorities: what this round goes through, and what is beyond its bound."""


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
    """Go through the lists for so many expansions; say why it stopped."""
    level, progress, state = instance.levels[0], tally[0], batch.states[0]
    marks_field = 2 * state.size + 1
    end = progress.expanded + expansions
    while progress.expanded < end:
        if is_full(memory, lists, batch, progress):
            return NO_ROOM_FOR_STATES
        if is_empty(NOW, 0, lists):
            if is_empty(LATER, 0, lists):
                return EXHAUSTED
            while not is_empty(LATER, 0, lists):  # chunks that become empty are used again
                open_state(take_state(LATER, 0, lists), NOW, 0, lists)
            progress.highest, progress.beyond = progress.beyond, np.int64(SPENT)
            progress.until_last_jump = progress.expanded
            continue
        number = take_state(NOW, 0, lists)
        marks = np.int64(memory.table[number, marks_field])
        if marks & STALE != 0:
            continue
        total = (marks & SPENT) + (marks >> ESTIMATE_SHIFT & ESTIMATE)
        if total > progress.highest:
            progress.beyond = min(progress.beyond, total)
            open_state(number, LATER, 0, lists)
            continue
        load_state(memory, number, state)
        if solved(level, state):
            progress.solution, progress.cost = number, marks & SPENT
            return FOUND
        reason = expand_single(instance, memory, lists, batch, number, marks, progress, order)
        if reason != MORE:
            open_state(number, NOW, 0, lists)
            return reason
        progress.solution = -1  # one is found when it is taken up within the bound
    return MORE


class FringeSearch(BestFirst):
    """The lists of one search."""

    def __init__(self, problem: Problem) -> None:
        """Begin the first round, at bound 0."""
        super().__init__(problem, Order(0, 0, ties_by_estimate=False, batch=1))
        self.tally["beyond"] = SPENT

    def _engine(self, *arguments: Any) -> int:
        return sweep(*arguments)

    @property
    def bound(self) -> int:
        """The bound of the present round: all that is below was searched."""
        return self.count("highest")


class Fringe(SearchAgent):
    """Goes through the open states again and again, each time to a higher bound, and sorts none.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Optimal in the
    paper's moves. It is the Hua Rong Dao and Kwirk papers' way between A* and IDA*: states are
    kept, as in A*; what is beyond the bound waits unsorted for the next round.

    Use it to compare: with integer costs A* needs no sorting either and expands less.
    """

    name: ClassVar[str] = "fringe"

    def _search(self, problem: Problem) -> FringeSearch:
        return FringeSearch(problem)

"""Best-first width search."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.search.best_first import (
    STALE,
    Batch,
    BestFirst,
    Order,
    estimate_in,
    expand_single,
    is_full,
)
from puzzle_agents.search.open_lists import Lists, best_list, open_state, take_state
from puzzle_agents.search.search import Problem, SearchAgent
from puzzle_envs.episodes.stepping import paint_scenery
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.reasons import EXHAUSTED, FOUND, MORE, NO_ROOM_FOR_STATES
from puzzle_envs.states.tables import Memory, load_state
from puzzle_envs.verbs import LevelRecord, Planes, State, observe

UNJUDGED, FAMILIAR = 0, 1
"""The priorities: states not yet judged, and those without novelty."""
GROUPS = 64
"""States are compared within groups of equal estimate; large ones form one group."""


class Seen(NamedTuple):
    """What observations have shown so far."""

    scenery: Planes
    planes: Planes
    """Scratch: the observation of a state."""
    marked: npt.NDArray[np.int8]
    """For each group the cells marked by any of its states."""


@compiled
def _is_novel(level: LevelRecord, state: State, seen: Seen, group: int) -> bool:
    """Whether the observation marks a cell new to the group; record all its cells."""
    planes, marked = seen.planes, seen.marked[group]
    for cell in range(planes.size):
        planes[cell] = seen.scenery[cell]
    observe(level, state, planes)
    novel = False
    for cell in range(planes.size):
        if planes[cell] != 0 and marked[cell] == 0:
            marked[cell] = 1
            novel = True
    return novel


@kernel
def expand(
    instance: Instance,
    memory: Memory,
    lists: Lists,
    batch: Batch,
    tally: Any,
    order: Order,
    expansions: int,
    seen: Seen,
) -> int:
    """Expand novel states, or others if there are none; return why it stopped."""
    level, progress, state = instance.levels[0], tally[0], batch.states[0]
    marks_field = 2 * state.size + 1
    end = progress.expanded + expansions
    while progress.expanded < end:
        if progress.solution >= 0:
            return FOUND
        priority, among = best_list(0, lists)
        if priority > FAMILIAR:
            return EXHAUSTED
        if is_full(memory, lists, batch, progress):
            return NO_ROOM_FOR_STATES
        number = take_state(priority, among, lists)
        marks = np.int64(memory.table[number, marks_field])
        if marks & STALE != 0:
            continue
        load_state(memory, number, state)
        group = min(estimate_in(marks), GROUPS - 1)
        if priority == UNJUDGED and not _is_novel(level, state, seen, group):
            open_state(number, FAMILIAR, among, lists)
            continue
        reason = expand_single(instance, memory, lists, batch, number, marks, progress, order)
        if reason != MORE:
            open_state(number, FAMILIAR, among, lists)
            return reason
    return MORE


class NoveltySearch(BestFirst):
    """One search, with what observations have shown so far."""

    def __init__(self, problem: Problem) -> None:
        """Start with nothing seen."""
        super().__init__(problem, Order(0, 0, batch=1, reopens=False))
        planes = np.zeros(problem.cells, np.int8)
        paint_scenery(problem.record, planes[None])
        marked = np.zeros((GROUPS, problem.cells), np.int8)
        self._seen = Seen(planes, planes.copy(), marked)

    def _engine(self, *arguments: Any) -> int:
        observing: Any = expand
        return observing(*arguments, self._seen)


class Novelty(SearchAgent):
    """Expands states whose observation marks an atom new among states of equal heuristic.

    Among those, the lowest heuristic comes first; if none is left, the others by their heuristic.
    This is best-first width search of width 1: its atoms are the marked cells of the observation's
    planes.

    Complete: it finds a solution or proves unsolvability, within the budget. Not optimal.

    Use it if the heuristic is misleading, for example if holes have to be filled first.
    """

    name: ClassVar[str] = "novelty"

    def _search(self, problem: Problem) -> NoveltySearch:
        return NoveltySearch(problem)

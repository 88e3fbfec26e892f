"""Best-first width search."""

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
    STALE,
    BestFirst,
    Order,
    expand_single,
)
from puzzle_agents.search.open_lists import best_list, open_state, take_state
from puzzle_agents.search.search import Problem, SearchAgent
from puzzle_envs.compiled import compiled, kernel
from puzzle_envs.tables import load_state
from puzzle_envs.verbs import observe, scenery

__all__ = ["Novelty"]

UNJUDGED, FAMILIAR = 0, 1
"""The priorities: states not looked at yet, and those that show nothing new."""
GROUPS = 64
"""States are compared with those of the same estimate; large ones are one group."""


@kernel
def paint(levels: Any, planes: Any) -> None:
    """Write the observation of what never changes."""
    scenery(levels[0], planes)


@compiled
def _is_novel(level: Any, state: Any, template: Any, planes: Any, seen: Any) -> bool:
    """Whether the observation marks a cell that no state of the group has marked; note them all."""
    for cell in range(planes.size):
        planes[cell] = template[cell]
    observe(level, state, planes)
    novel = False
    for cell in range(planes.size):
        if planes[cell] != 0 and seen[cell] == 0:
            seen[cell] = 1
            novel = True
    return novel


@kernel
def expand(
    layout: Any,
    levels: Any,
    findings: Any,
    table: Any,
    slots: Any,
    room: int,
    lists: Any,
    batch: Any,
    states: Any,
    rows: Any,
    costs: Any,
    hashes: Any,
    tally: Any,
    order: Any,
    merged: bool,
    expansions: int,
    template: Any,
    planes: Any,
    seen: Any,
) -> int:
    """Expand novel states, and familiar ones where there are no others; say why it stopped."""
    level = levels[0]
    progress = tally[0]
    chunks_left = lists[3].shape[0] - rows.shape[0]
    marks_field = 2 * states.shape[1] + 1
    end = progress.expanded + expansions
    while progress.expanded < end:
        if progress.solution >= 0:
            return FOUND
        priority, among = best_list(0, lists)
        if priority > FAMILIAR:
            return EXHAUSTED
        if progress.registered + rows.shape[0] > room or lists[4][0].used > chunks_left:
            return NO_ROOM_FOR_STATES
        number = take_state(priority, among, lists)
        marks = np.int64(table[number, marks_field])
        if marks & STALE != 0:
            continue
        load_state(layout, table, number, states[0])
        group = min(marks >> ESTIMATE_SHIFT & ESTIMATE, GROUPS - 1)
        if priority == UNJUDGED and not _is_novel(level, states[0], template, planes, seen[group]):
            open_state(number, FAMILIAR, among, lists)
            continue
        reason = expand_single(
            layout, level, findings, table, slots, lists, number, marks, batch, states[0],
            rows, costs, hashes, progress, order, merged,
        )  # fmt: skip
        if reason != MORE:
            open_state(number, FAMILIAR, among, lists)
            return reason
    return MORE


class NoveltySearch(BestFirst):
    """One search, and what the observations have shown so far."""

    def __init__(self, problem: Problem) -> None:
        """Begin with nothing seen."""
        super().__init__(problem, Order(0, 0, batch=1, reopens=False))
        template = np.zeros(problem.cells, np.int8)
        paint(problem.record, template)
        seen = np.zeros((GROUPS, problem.cells), np.int8)
        self._more = template, template.copy(), seen

    def _engine(self, *arguments: Any) -> int:
        observing: Any = expand
        return observing(*arguments, *self._more)


class Novelty(SearchAgent):
    """Expands states whose observation shows something that no state of the same estimate showed.

    Of those the one with the smallest estimate first; where none is left, familiar states by their
    estimate. This is best-first width search of width 1: its atoms are the cells of the
    observation's planes.

    Complete: it finds a solution or proves that there is none, if the budget lasts. Not optimal.

    Use it where the estimate misleads, as where holes have to be filled before the way is free.
    """

    name: ClassVar[str] = "novelty"

    def _search(self, problem: Problem) -> NoveltySearch:
        return NoveltySearch(problem)

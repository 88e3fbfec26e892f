"""Evolved floors: grown from their solutions, and mutated until searches need many states.

A floor results from undoing pushes on a solved floor (undoing.py). A mutation changes the solved
floor, a few walls or holes, or the plan: its last pushes are undone differently, or some pushes are
left out. Every floor has a plan. A mutation is kept if two searches visit no fewer states, in
product, before they find a solution: breadth-first search, and best-first width search by the
length of a relaxed plan.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from puzzle_envs.codec import at_cell, cell_and_way
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.draft import Cell
from puzzle_envs.kwirk.planted import (
    NOTHING_YET,
    Genome,
    Room,
    copy_of,
    grown,
    kept_walls,
    level_of,
    solved_floor,
    text_of_yard,
)
from puzzle_envs.kwirk.undoing import EXIT, FREE, WALL, Yard
from puzzle_envs.level import Level
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.paths import actions_through, beginning
from puzzle_envs.states.probe import Order, Probe

__all__ = ["Evolved", "evolve"]

SEARCHES = (
    ("path", Order(moves=1, heuristic=0)),
    ("relaxed", Order(moves=0, heuristic=1, novel=True)),
)
"""Their heuristics and orders: those of the agents `bfs` and `bfws`."""
MUCH = 4
"""A mutation that makes the first search shorter by this factor is rejected at once."""
FIRST = 20
"""Number of floors grown first; the hardest is then mutated."""
EXPANSIONS = 20_000
"""Expansions to find a shortest plan."""


class Evolved(NamedTuple):
    """A floor, the pushes that solve it, and the number of states that two searches visit.

    Without these numbers if the floor was not evolved.
    """

    level: Level
    pushes: list[tuple[Cell, int]]
    """The pusher's cell and the direction; the step into the exit is left out."""
    states: tuple[int, ...]


# --- growing and changing ---------------------------------------------------------------------


def _changed(np_random: np.random.Generator, room: Room, genome: Genome) -> tuple[Genome, Yard]:
    """A mutated genome, and its floor."""
    chance, count = np_random.random(), len(genome.plan)
    if chance < 0.35:
        kept = max(0, count - int(np_random.geometric(0.12)))
        return grown(np_random, room, genome.yard, genome.plan[:kept])
    if chance < 0.45 and count:
        first = int(np_random.integers(count))
        out = range(first, min(count, first + int(np_random.integers(1, 4))))
        return grown(np_random, room, genome.yard, np.delete(genome.plan, out, 0))
    yard = copy_of(genome.yard)
    for _ in range(int(np_random.integers(1, 4))):
        row = int(np_random.integers(1, room.height - 1))
        column = int(np_random.integers(1, room.width - 1))
        cell, sign = row * yard.width + column, np_random.random()
        if yard.cover[cell] > WALL or (row, column) in kept_walls(room):
            continue
        yard.cover[cell] = WALL if sign < 0.4 else FREE
        yard.holes[cell] = sign > 0.85
    return grown(np_random, room, yard, genome.plan)


class _Judge:
    """Searches that measure how hard a floor is."""

    def __init__(self, room: Room) -> None:
        self._probes = [Probe(PUZZLE, states) for states in room.states]

    def states(self, level: Level, least: float) -> tuple[int, ...]:
        """The states that each search visits; 1 for the second if the first visits too few."""
        found = [1] * len(SEARCHES)
        for number in range(len(SEARCHES)):
            found[number] = self._search(level, number)
            if found[0] < least:
                break
        return tuple(found)

    def pushes(self, level: Level) -> list[int] | None:
        """The shortest plan that the searches find."""
        records, plans = np.array([level.record]), []
        for number, probe in enumerate(self._probes):
            self._search(level, number)
            path = probe.path()
            if path is not None:
                first = beginning(PUZZLE, records)
                plans.append(actions_through(Instance.plain(records), first, path))
        return min(plans, key=len, default=None)

    def _search(self, level: Level, number: int) -> int:
        heuristic, order = SEARCHES[number]
        findings = PUZZLE.heuristic_findings(level.record, heuristic)
        return self._probes[number].states(np.array([level.record]), findings, order)


def evolve(np_random: np.random.Generator, room: Room) -> Evolved:
    """A floor of one character, mutated until it is hard enough."""
    judge = _Judge(room)
    best: tuple[int, tuple[int, ...], Genome, Yard] | None = None
    for number in range(FIRST + room.changes):
        if number < FIRST or best is None:
            genome, yard = grown(np_random, room, solved_floor(np_random, room), NOTHING_YET)
        else:
            genome, yard = _changed(np_random, room, best[2])
        states = judge.states(
            level_of(text_of_yard(yard)), 0 if best is None else best[1][0] / MUCH
        )
        found = int(np.prod(states))
        if best is None or found >= best[0]:
            best = found, states, genome, yard
        if states == room.states:
            break
    assert best is not None
    _, states, genome, yard = best
    return _evolved(judge, yard, genome, states)


def _evolved(judge: _Judge, yard: Yard, genome: Genome, states: tuple[int, ...]) -> Evolved:
    """The floor with its shortest known plan: the planted one, or one found by a search."""
    level = level_of(text_of_yard(yard))
    exit = int(np.flatnonzero(yard.cover == EXIT)[0])
    plans = [[at_cell(int(row[1]), int(row[2])) for row in genome.plan[::-1]]]
    found = judge.pushes(level)
    plans += [] if found is None else [found]
    search = Exploration(PUZZLE, np.array([level.record]))
    search.run(EXPANSIONS)
    plans += [search.actions()] if search.solved else []
    ways = (-yard.width, 1, yard.width, -1)
    pushes = min(
        ([push for push in map(cell_and_way, plan) if push[0] + ways[push[1]] != exit]
         for plan in plans),
        key=len,
    )  # fmt: skip
    return Evolved(
        level,
        [(divmod(cell, yard.width), way) for cell, way in pushes],
        states,
    )

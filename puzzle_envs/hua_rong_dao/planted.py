"""Planted layouts of boxes too large to search completely, each with a plan and a lower bound.

A random walk leads away from a solved layout, preferring new layouts. The layouts near the walk are
added to it, which makes a tunnel through the state space, and distances within the tunnel are
measured from its solved layouts. The farthest layout is the level. Its path is widened and measured
again until it gets no shorter ("iterative tunneling"), and becomes the plan. The bound is the
greater of the heuristic and the depth that a breadth-first search from the level completes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from puzzle_envs.hua_rong_dao.layout import Layout, Piece
from puzzle_envs.hua_rong_dao.level import BoxFormat
from puzzle_envs.hua_rong_dao.tunnel import ROOM, SUCCESSORS, Tunnel
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level, LevelError, Record, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.paths import actions_through, beginning
from puzzle_envs.states.probe import Order, Probe
from puzzle_envs.verbs import LevelRecord, State, estimate

__all__ = ["BOXES", "Box", "begun_at", "plant", "shortened"]


class Failing(NamedTuple):
    """A search that does not solve a level."""

    order: Order
    states: int
    """The number of layouts that it visits."""


@dataclass(frozen=True)
class Box:
    """A kind of box."""

    width: int
    height: int
    goal: tuple[int, int]
    """The goal block's width and height; the door is in the middle of the lowest row."""
    empty: int
    """How many cells are empty."""
    blocks: dict[tuple[int, int], int]
    """Relative frequencies of blocks by width and height; 1x1 blocks fill what is left."""
    known: int
    """The minimum number of moves of a planted solution, before it is shortened."""
    failing: tuple[Failing, ...] = ()
    """Searches that must fail on a level, the fastest first."""
    steps: int = 4000
    """Moves of the random walk."""


LARGE = {(1, 2): 4, (2, 1): 4, (2, 2): 3, (1, 1): 1, (1, 3): 1, (3, 1): 1}
LONG = {(1, 2): 4, (2, 1): 4, (2, 2): 3, (1, 3): 2, (3, 1): 2}

WEIGHTED, ASTAR = (
    Failing(Order(moves=1, heuristic=weight, latest=True), ROOM - SUCCESSORS) for weight in (4, 1)
)
GREEDY = Failing(Order(moves=0, heuristic=1), 300_000)
TYPES = Failing(Order(moves=0, heuristic=1, types=True), 300_000)

BOXES = {
    "5x6": Box(5, 6, (2, 2), 2, LARGE, 20),
    "6x6": Box(6, 6, (2, 2), 2, LARGE, 50),
    "6x7": Box(6, 7, (2, 2), 3, LARGE, 50, (WEIGHTED,)),
    "8x8": Box(8, 8, (2, 2), 3, LARGE, 50, (WEIGHTED, ASTAR)),
    "8x8-tall": Box(8, 8, (2, 3), 3, LONG, 50, (WEIGHTED, GREEDY, TYPES), 25_000),
}

SEARCHED, WEIGHTS = 400_000, (3, 8)
"""Layouts that weighted A* visits to find a shorter plan, and the weights of the heuristic."""
EXPANSIONS = 10_000
"""Number of layouts expanded to find the bound."""
ATTEMPTS = 200_000
"""Number of walks before giving up."""


@kernel
def least_moves(levels: LevelRecord, findings: Words, state: State) -> int:
    """The heuristic of a layout."""
    return int(estimate(levels[0], findings, state))


# --- levels -----------------------------------------------------------------------------------


def plant(puzzle: Puzzle, np_random: np.random.Generator, box: Box) -> Level:
    """A layout of a kind of box, with a plan of enough moves and a lower bound."""
    puzzle.load_rules()
    for _ in range(ATTEMPTS):
        layout = _solved_layout(np_random, box)
        if layout is None:
            continue
        level = _far_from(puzzle, layout, int(np_random.integers(1 << 62)), box)
        if level is not None:
            return shortened(puzzle, level)
    raise LevelError(
        f"None of {ATTEMPTS} walks in boxes of {box.width} by {box.height} led {box.known} moves "
        "away; ask for fewer."
    )


def _solved_layout(np_random: np.random.Generator, box: Box) -> Layout | None:
    """Blocks of random sizes around the goal block at its door; None if too few cells are empty."""
    row, column = box.height - box.goal[1], (box.width - box.goal[0]) // 2
    pieces = [Piece(row, column, *box.goal, goal=True)]
    free = np.ones((box.height, box.width), bool)
    free[row : row + box.goal[1], column : column + box.goal[0]] = False
    sizes, weights = list(box.blocks), np.array(list(box.blocks.values()), float)
    for cell in np_random.permutation(free.size).tolist():
        row, column = divmod(cell, box.width)
        width, height = sizes[np_random.choice(len(sizes), p=weights / weights.sum())]
        under = free[row : row + height, column : column + width]
        if under.shape == (height, width) and under.all():
            under[:] = False
            pieces.append(Piece(row, column, width, height))
    left = np_random.permutation(np.argwhere(free)).tolist()
    if len(left) < box.empty:
        return None
    pieces += [Piece(row, column, 1, 1) for row, column in left[box.empty :]]
    return Layout(box.width, box.height, sorted(pieces), (pieces[0].row, pieces[0].column))


def _far_from(puzzle: Puzzle, layout: Layout, seed: int, box: Box) -> Level | None:
    """The level that a walk from a solved layout leads to; None if it is too near or too easy."""
    format = BoxFormat()
    record = format.fitted(format.pack(layout))
    records = np.array([record])
    first = beginning(puzzle, records)
    tunnel = Tunnel(puzzle, records, first.size)
    path = tunnel.from_walk(first, box.steps, seed)
    if tunnel.exhausted:
        return None
    while len(path) > box.known:
        shorter = tunnel.along(path)
        if len(shorter) == len(path):
            level = _level(puzzle, begun_at(record, path[0]), shorter)
            return None if level is None or _is_easy(puzzle, level, box.failing) else level
        path = shorter
    return None


def _is_easy(puzzle: Puzzle, level: Level, failing: Sequence[Failing]) -> bool:
    """Whether one of the searches that must fail solves a level."""
    records = np.array([level.record])
    for order, states in failing:
        probe = Probe(puzzle, states)
        probe.states(records, puzzle.findings(level.record), order)
        if probe.path() is not None:
            return True
    return False


def shortened(puzzle: Puzzle, level: Level) -> Level:
    """The level with a shorter plan, if weighted A* and tunneling find one."""
    records = np.array([level.record])
    first = beginning(puzzle, records)
    probe, findings = Probe(puzzle, SEARCHED), puzzle.findings(level.record)
    found = None
    for weight in WEIGHTS:
        if found is None:
            probe.states(records, findings, Order(moves=1, heuristic=weight))
            found = probe.path()
    if found is None:
        return _settled(level)
    tunnel, path = Tunnel(puzzle, records, first.size), np.stack([first, *found])
    while True:
        shorter = tunnel.along(path)
        if len(shorter) == len(path):
            break
        path = shorter
    if level.known is not None and len(path) > level.known:
        return _settled(level)
    plan = tuple(actions_through(Instance.plain(records), path[0], path[1:]))
    return _settled(replace(level, known=len(path) - 1, plan=plan))


def _settled(level: Level) -> Level:
    """The level, with an optimum if its known solution is as short as the bound."""
    if level.known is None or level.known != level.bound:
        return level
    return replace(level, optimum=level.known, known=None, bound=None)


def begun_at(record: Record, state: Words) -> Record:
    """The same box, with these blocks at the start."""
    changed = np.array([record])
    words = min(state.size, changed["start"].shape[1])
    changed["start"][0, :words] = state[:words]
    return changed[0]


def _level(puzzle: Puzzle, record: Record, path: Words) -> Level | None:
    """A level with its certificate; None if breadth-first search solves or exhausts it."""
    records = np.array([record])
    exploration = Exploration(puzzle, records)
    exploration.run(expansions=EXPANSIONS)
    if exploration.solved or exploration.exhausted:
        return None
    heuristic = least_moves(records, puzzle.findings(record), path[0])
    return Level(
        "planted",
        record,
        None,
        True,
        known=len(path) - 1,
        bound=max(len(exploration.layers) - 1, heuristic),
        plan=tuple(actions_through(Instance.plain(records), path[0], path[1:])),
    )

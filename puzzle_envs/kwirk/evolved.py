"""Floors grown from their solutions, and changed step by step until a search has much to do.

A floor is what is left where pushes were undone, from a floor that is solved (undoing.py). So it is
changed by changing that one, a wall or a hole at a time, and what is undone: some pushes of the end
are undone otherwise, or some are left out. Each floor has a plan, and a change is kept where two
searches look at no fewer states until they have a solution: breadth-first search, and best-first
width search by the length of a relaxed plan.

Rooms of several characters stand around one exit. Each is soon solved, but what is tried in one is
tried with all that is tried in the others. Holes in the walls between them let blocks be spent in
the wrong room.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import at_cell, cell_and_way
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.codec import STEPS
from puzzle_envs.kwirk.draft import Cell, divisions
from puzzle_envs.kwirk.level import ARMS, FORMAT, LETTERS
from puzzle_envs.kwirk.sides import Grid, grid_of, mirrored, text_of, turned
from puzzle_envs.kwirk.undoing import (
    ARM,
    BLOCK,
    COLUMNS,
    EXIT,
    FREE,
    PERSON,
    PIVOT,
    WALL,
    Taste,
    Yard,
    undo_pushes,
)
from puzzle_envs.level import Level
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.certificates import certified
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.paths import actions_through, beginning
from puzzle_envs.states.probe import Order, Probe

__all__ = ["Evolved", "Room", "around_exit", "evolve", "in_a_row", "level_of"]

SEARCHES = (
    ("path", Order(moves=1, heuristic=0)),
    ("relaxed", Order(moves=0, heuristic=1, novel=True)),
)
"""Their heuristics and orders: those of the agents `bfs` and `bfws`."""
MUCH = 4
"""A change that makes the first search this much shorter is not looked at any further."""
FIRST = 20
"""Floors that are grown at first; the hardest is changed."""
EXPANSIONS = 20_000
"""For a shortest plan."""
TRIES = 60
"""For a turnstile to find a place."""


class Room(NamedTuple):
    """How a floor is grown."""

    height: int
    width: int
    taste: Taste
    turnstiles: int
    pushes: int
    """The most that are undone."""
    changes: int
    """How many changes are tried."""
    states: tuple[int, int]
    """As soon as the searches look at so many states, it is enough."""
    corner: bool = False
    """Whether the exit is in the wall on the right, as it is shared with other rooms."""
    divided: int = 6
    """The least side of what is divided by a wall."""


class Evolved(NamedTuple):
    """A floor, the pushes that solve it, and the states that two searches look at."""

    level: Level
    exit: Cell
    pushes: list[tuple[Cell, int]]
    """From where, and in which direction; leaving is not among them."""
    optimal: bool
    """Whether there is no shorter way."""
    states: tuple[int, ...]


class Genome(NamedTuple):
    """A solved floor, and what is undone on it."""

    yard: Yard
    plan: npt.NDArray[np.int64]


# --- a solved floor ---------------------------------------------------------------------------


def _solved(np_random: np.random.Generator, room: Room) -> Yard:
    """A floor with walls, turnstiles and an exit, before which the character stands.

    Beyond the wall on the right and the one below is one wall more, so that an exit may be in them.
    """
    height, width = room.height, room.width
    cover = np.full((height + 1, width + 1), WALL, np.int64)
    cover[1 : height - 1, 1 : width - 1] = FREE
    gaps = []
    for wall, gap in divisions(np_random, height, width, room.divided):
        for cell in wall:
            cover[cell] = WALL
        gaps.append(gap)
    if room.corner:
        for cell in _fixed(room):
            cover[cell] = WALL
        exit, before = (height - 3, width - 1), (height - 3, width - 2)
        cover[exit], cover[before] = EXIT, PERSON
    turnstiles = list(_turnstiles(np_random, cover, room, gaps))
    if not room.corner:
        exit, before = _exit(np_random, cover)
        cover[exit], cover[before] = EXIT, PERSON
    size, stride = cover.size, width + 1
    return Yard(
        stride,
        cover.ravel(),
        np.zeros(size, np.int64),
        np.zeros((room.taste.blocks, 3), np.int64),
        np.array(turnstiles, np.int64).reshape(-1, 2),
        np.array([before[0] * stride + before[1]], np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
    )


def _fixed(room: Room) -> list[Cell]:
    """Walls that part a room from the way to the exit of the one below."""
    return [(room.height - 2, room.width - 2), (room.height - 2, room.width - 3)]


def _turnstiles(
    np_random: np.random.Generator, cover: npt.NDArray[np.int64], room: Room, gaps: list[Cell]
) -> Iterator[tuple[int, int]]:
    """Place turnstiles, some with an arm in a gap; the pivot and the arms of each."""
    number = 0
    for _ in range(TRIES):
        if number == room.turnstiles:
            return
        arms = int(np_random.integers(1, 16))
        pivot = (
            int(np_random.integers(1, room.height - 1)),
            int(np_random.integers(1, room.width - 1)),
        )
        if gaps and np_random.random() < 0.5:
            row, column = gaps[np_random.integers(len(gaps))]
            down, right = STEPS[np_random.integers(4)]
            pivot = row - down, column - right
            arms |= 1 << STEPS.index((down, right))
        cells = [
            (pivot[0] + down, pivot[1] + right)
            for arm, (down, right) in enumerate(STEPS)
            if arms >> arm & 1
        ]
        inside = 0 < pivot[0] < room.height - 1 and 0 < pivot[1] < room.width - 1
        if not inside or cover[pivot] > WALL or any(cover[cell] != FREE for cell in cells):
            continue
        cover[pivot] = PIVOT
        for cell in cells:
            cover[cell] = ARM + number
        number += 1
        yield pivot[0] * cover.shape[1] + pivot[1], arms


def _exit(np_random: np.random.Generator, cover: npt.NDArray[np.int64]) -> tuple[Cell, Cell]:
    """A free cell for the exit, and one beside it."""
    free = np.argwhere(cover == FREE)
    while True:
        row, column = free[np_random.integers(len(free))].tolist()
        for down, right in STEPS:
            if cover[row + down, column + right] == FREE:
                return (row, column), (row + down, column + right)


# --- growing and changing ---------------------------------------------------------------------


def _copy(yard: Yard) -> Yard:
    return Yard(yard.width, *(array.copy() for array in yard[1:]))


def _grown(
    np_random: np.random.Generator, room: Room, yard: Yard, given: npt.NDArray[np.int64]
) -> tuple[Genome, Yard]:
    """What is undone on a solved floor, the given pushes first, and the floor it leaves."""
    plan = np.zeros((room.pushes, COLUMNS), np.int64)
    plan[: len(given)] = given
    left = _copy(yard)
    seed = np.uint64(np_random.integers(1 << 62))
    done = undo_pushes(left, plan, len(given), room.taste, seed)
    return Genome(yard, plan[:done]), left


def _changed(np_random: np.random.Generator, room: Room, genome: Genome) -> tuple[Genome, Yard]:
    """The same with a change."""
    chance, count = np_random.random(), len(genome.plan)
    if chance < 0.35:
        kept = max(0, count - int(np_random.geometric(0.12)))
        return _grown(np_random, room, genome.yard, genome.plan[:kept])
    if chance < 0.45 and count:
        first = int(np_random.integers(count))
        out = range(first, min(count, first + int(np_random.integers(1, 4))))
        return _grown(np_random, room, genome.yard, np.delete(genome.plan, out, 0))
    yard = _copy(genome.yard)
    for _ in range(int(np_random.integers(1, 4))):
        row = int(np_random.integers(1, room.height - 1))
        column = int(np_random.integers(1, room.width - 1))
        cell, sign = row * yard.width + column, np_random.random()
        if yard.cover[cell] > WALL or (room.corner and (row, column) in _fixed(room)):
            continue
        yard.cover[cell] = WALL if sign < 0.4 else FREE
        yard.holes[cell] = sign > 0.85
    return _grown(np_random, room, yard, genome.plan)


class _Judge:
    """Searches that say how hard a floor is."""

    def __init__(self, room: Room) -> None:
        self._probes = [Probe(PUZZLE, states) for states in room.states]

    def states(self, level: Level, least: float) -> tuple[int, ...]:
        """How many states each looks at; of the others 1 where the first looks at fewer."""
        found = [1] * len(SEARCHES)
        for number in range(len(SEARCHES)):
            found[number] = self._search(level, number)
            if found[0] < least:
                break
        return tuple(found)

    def pushes(self, level: Level) -> list[int] | None:
        """The shortest plan that they find."""
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
    """A floor of one character that was changed as long as it takes."""
    judge = _Judge(room)
    best: tuple[int, tuple[int, ...], Genome, Yard] | None = None
    for number in range(FIRST + room.changes):
        if number < FIRST or best is None:
            empty = np.zeros((0, COLUMNS), np.int64)
            genome, yard = _grown(np_random, room, _solved(np_random, room), empty)
        else:
            genome, yard = _changed(np_random, room, best[2])
        states = judge.states(level_of(_text(yard)), 0 if best is None else best[1][0] / MUCH)
        found = int(np.prod(states))
        if best is None or found >= best[0]:
            best = found, states, genome, yard
        if states == room.states:
            break
    assert best is not None
    _, states, genome, yard = best
    return _evolved(judge, yard, genome, states)


def _evolved(judge: _Judge, yard: Yard, genome: Genome, states: tuple[int, ...]) -> Evolved:
    """The floor with the shortest plan that is known: it was planted, or a search finds it."""
    level = level_of(_text(yard))
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
        divmod(exit, yard.width),
        [(divmod(cell, yard.width), way) for cell, way in pushes],
        search.solved,
        states,
    )


def level_of(text: str) -> Level:
    """A floor with the checksum of its text as its name."""
    return FORMAT.parse(f"; name: {zlib.crc32(text.encode()):08x}\n{text}", "evolved")[0]


SIGNS = {FREE: " ", WALL: "#", EXIT: "%", PIVOT: "*", PERSON: "1"}


def _text(yard: Yard) -> str:
    """The text of a floor."""
    ways = (-yard.width, 1, yard.width, -1)
    signs = []
    for cell, cover in enumerate(yard.cover.tolist()):
        if cover >= BLOCK:
            sign = LETTERS[cover - BLOCK]
        elif cover >= ARM:
            sign = ARMS[ways.index(cell - int(yard.turnstiles[cover - ARM, 0]))]
        else:
            sign = SIGNS[cover]
        signs.append(("O", False) if sign == " " and yard.holes[cell] else (sign, yard.holes[cell]))
    grid = [signs[start : start + yard.width] for start in range(0, len(signs), yard.width)]
    return text_of([[(sign, bool(under) and sign != "O") for sign, under in row] for row in grid])


# --- rooms one behind the other -----------------------------------------------------------------


def in_a_row(room: Room, parts: Sequence[Evolved]) -> Level | None:
    """Rooms with halls between them, each entered from the exit of the one before.

    None where somebody in a room cannot come from the hall on its left.
    """
    step = room.width + 1
    width = step * len(parts)
    floor: Grid = [[("#", False)] * width for _ in range(room.height)]
    plan, letters = [], iter(LETTERS)
    for number, evolved in enumerate(parts):
        left, grid = step * number, grid_of(evolved.level.record)
        names = {"%": "%" if number + 1 == len(parts) else " "}
        if number > 0:
            names["1"] = " "
            entrance = _entrance(grid)
            if entrance is None:
                return None
            floor[entrance][left] = (" ", False)
            for row in range(1, room.height - 1):
                floor[row][left - 1] = (" ", False)
        for row in range(room.height):
            for column in range(1 if number else 0, room.width):
                floor[row][left + column] = _renamed(grid[row][column], names, letters)
        plan += [((row, left + column), way) for (row, column), way in evolved.pushes]
    plan.append(((room.height - 3, width - 3), 1))
    actions = [at_cell(row * width + column, way) for (row, column), way in plan]
    return certified(PUZZLE, level_of(text_of(floor)), actions)


def _renamed(
    thing: tuple[str, bool], names: dict[str, str], letters: Iterator[str]
) -> tuple[str, bool]:
    """What is on a cell, on a floor of several rooms: blocks get the next letters."""
    sign, under = thing
    if sign.isalpha() and sign != "O" and sign not in names:
        names[sign] = next(letters)
    return names.get(sign, sign), under


def _entrance(grid: Grid) -> int | None:
    """The row of the first cell by the wall on the left from where the character can be reached."""
    reached = [
        (row, column)
        for row, line in enumerate(grid)
        for column, (sign, _) in enumerate(line)
        if sign == "1"
    ]
    for row, column in reached:
        for down, right in STEPS:
            near = row + down, column + right
            if grid[near[0]][near[1]][0] == " " and near not in reached:
                reached.append(near)
    return min((row for row, column in reached if column == 1), default=None)


# --- rooms around one exit ----------------------------------------------------------------------


class _Part(NamedTuple):
    """A room as it lies on the floor of all rooms."""

    grid: Grid
    cells: list[list[Cell]]
    """The cell of the room that is in each place of the grid."""
    ways: list[int]
    """What its directions are there."""
    top: int
    left: int


def _lain(evolved: Evolved, room: Room, place: int, rooms: int) -> _Part:
    """A room in its place: the second of two is mirrored, more are turned around the exit."""
    grid = [row[: room.width] for row in grid_of(evolved.level.record)[: room.height]]
    cells = [[(row, column) for column in range(room.width)] for row in range(room.height)]
    ways = [0, 1, 2, 3]
    if rooms == 2:
        if place == 0:
            return _Part(grid, cells, ways, 0, 0)
        return _Part(mirrored(grid), [row[::-1] for row in cells], [0, 3, 2, 1], 0, room.width - 1)
    grid[room.height - 2][room.width - 1] = (" ", False)
    for _ in range(place):
        grid, cells = turned(grid), [list(row) for row in zip(*reversed(cells), strict=True)]
        ways = [(way + 1) % 4 for way in ways]
    right, below = place in (1, 2), place in (2, 3)
    return _Part(grid, cells, ways, below * (room.height - 1), right * (room.width - 1))


def around_exit(
    np_random: np.random.Generator, room: Room, parts: Sequence[Evolved], gates: int
) -> Level | None:
    """Two rooms side by side, or three or four in a square, that share their exit.

    Args:
        np_random: The only source of chance.
        room: How they were grown; in a square they are square.
        parts: The rooms.
        gates: How many holes are made in the walls between them, where there is a place.
    """
    two = len(parts) == 2
    height = room.height if two else 2 * room.height - 1
    width = 2 * room.width - 1
    floor: Grid = [[("#", False)] * width for _ in range(height)]
    exit = (room.height - 3 if two else room.height - 1, room.width - 1)
    letters, plan = iter(LETTERS), []
    for place, evolved in enumerate(parts):
        part, names = _lain(evolved, room, place, len(parts)), {"1": str(place + 1), "%": " "}
        at: dict[Cell, Cell] = {}
        for down, line in enumerate(part.grid):
            for right, (sign, under) in enumerate(line):
                cell = part.top + down, part.left + right
                at[part.cells[down][right]] = cell
                if sign != "#":
                    floor[cell[0]][cell[1]] = _renamed((sign, under), names, letters)
        plan += [(at[cell], part.ways[way]) for cell, way in evolved.pushes]
        last = at[room.height - 3, room.width - 2] if two else at[room.height - 2, room.width - 1]
        plan.append((last, part.ways[1 if two else 2]))
    floor[exit[0]][exit[1]] = ("%", False)
    actions = [at_cell(row * width + column, way) for (row, column), way in plan]
    found = certified(PUZZLE, level_of(text_of(floor)), actions)
    return found and _with_gates(np_random, floor, found, gates)


def _with_gates(np_random: np.random.Generator, floor: Grid, level: Level, gates: int) -> Level:
    """The floor with holes in walls between its rooms, as long as its plan solves it."""
    height, width = len(floor), len(floor[0])

    def is_floor(row: int, column: int) -> bool:
        return floor[row][column][0] == " "

    walls = [
        (row, column)
        for row in range(1, height - 1)
        for column in range(1, width - 1)
        if floor[row][column][0] == "#"
        and (
            (row == height // 2 and is_floor(row - 1, column) and is_floor(row + 1, column))
            or (column == width // 2 and is_floor(row, column - 1) and is_floor(row, column + 1))
        )
    ]
    for index in np_random.permutation(len(walls))[:gates].tolist():
        row, column = walls[index]
        floor[row][column] = ("O", False)
        other = certified(PUZZLE, replace(level_of(text_of(floor))), level.plan)
        if other is None:
            floor[row][column] = ("#", False)
        else:
            level = other
    return level

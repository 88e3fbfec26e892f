"""Floors planted around a solution: the exit goes where it takes the most pushes to get.

To all but characters an exit is a wall. So a floor is explored once, and each of its walls, were it
the exit, is as many pushes away as the first state in which the characters can step into it. A
floor is changed a thing at a time, and a change is kept where the farthest wall is no nearer. Rooms
that were made like this one after the other, each with a door in the place of its exit that leads
to where the next one begins, make floors that no search can explore: the solutions of the rooms
solve them.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import at_cell, cell_and_way
from puzzle_envs.kernels.bitboards import ONE, number_of
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.codec import STEPS
from puzzle_envs.kwirk.draft import Cell, Draft, Elements, changed, divided_floor
from puzzle_envs.kwirk.level import FLOOR, FORMAT
from puzzle_envs.kwirk.pieces import GONE, open_holes, place, things
from puzzle_envs.kwirk.pushes import reach_of
from puzzle_envs.kwirk.walking import BOARD, around
from puzzle_envs.level import Level, LevelError
from puzzle_envs.states.certificates import certified
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.tables import Memory, load_state
from puzzle_envs.verbs import LevelRecord, State

__all__ = [
    "Climb",
    "Planted",
    "Room",
    "certificate",
    "chained",
    "climb",
    "inside",
    "rooms_of",
]


@kernel
def find_openings(
    levels: LevelRecord, memory: Memory, state: State, count: int, first: Any
) -> None:
    """Write for each wall the first state in which all characters stand before it; -1: none."""
    level = levels[0]
    solid, holes, blocked = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    reach, closed, common = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    first[:] = -1
    for word in range(level.words):
        closed[word] = ~level.ground[word]
    for number in range(count):
        load_state(memory, number, state)
        things(level, state, solid)
        open_holes(level, state, holes)
        for word in range(level.words):
            common[word] = closed[word]
        for who in range(level.characters):
            if place(state, who) == GONE:
                for word in range(level.words):
                    common[word] = np.uint64(0)
                break
            reach_of(level, state, solid, holes, who, blocked, reach)
            for word in range(level.words):
                common[word] &= around(level, reach, word)
        for word in range(level.words):
            new = common[word]
            closed[word] &= ~new
            while new != 0:
                lowest = new & (~new + ONE)
                new ^= lowest
                first[64 * word + number_of(lowest)] = number


class Search(NamedTuple):
    """What an exploration of a floor says of its walls."""

    exploration: Exploration
    first: npt.NDArray[np.int64]
    """For each cell the first state in which the characters stand before it; -1: none."""
    pushes: npt.NDArray[np.int64]
    """For each cell how many pushes that takes; -1: it is no wall or out of reach."""


def explored(draft: Draft, expansions: int) -> Search | None:
    """A floor explored as far as so many expansions go; None if it is none."""
    text = _closed(draft).text()
    if text is None:
        return None
    try:
        level = FORMAT.parse(text, "planted")[0]
    except LevelError:
        return None
    records = np.zeros(1, FLOOR)
    records[0] = level.record
    exploration = Exploration(PUZZLE, records)
    exploration.run(expansions, to_solution=False)
    first = np.empty(64 * int(level.record["words"]), np.int64)
    state = np.empty(FORMAT.words(level.record), np.uint64)
    find_openings(records, exploration.memory, state, exploration.unique, first)
    ends = np.cumsum(exploration.layers)
    pushes = np.where(first < 0, -1, np.searchsorted(ends, first, side="right"))
    return Search(exploration, first, pushes)


def _closed(draft: Draft) -> Draft:
    """The floor with its exit where nobody gets: who can leave does nothing else."""
    edge = {(row, column) for row in (-1, 0) for column in range(1, draft.width - 1)}
    walls = {(draft.height + row, column) for row, column in edge}
    closed = replace(draft, height=draft.height + 2, walls=draft.walls | walls)
    return with_exit(closed, (draft.height, 1))


def with_exit(draft: Draft, exit: Cell) -> Draft:
    """The floor with its exit in the place of a wall."""
    return replace(draft, walls=draft.walls - {exit}, holes=draft.holes - {exit}, exit=exit)


class Planted(NamedTuple):
    """A floor, where its exit is, and what is known of the way there."""

    draft: Draft
    exit: Cell
    pushes: int
    search: Search

    @property
    def floor(self) -> Draft:
        """The floor with its exit."""
        return with_exit(self.draft, self.exit)

    def actions(self) -> list[int]:
        """The pushes after which the characters stand before the exit."""
        row, column = self.exit
        state = int(self.search.first[row * self.draft.width + column])
        return self.search.exploration.actions_to(state)


class Climb(NamedTuple):
    """How a floor is changed."""

    wanted: range
    """How many pushes the exit is to be away."""
    changes: int
    """How many changes are tried."""
    expansions: int
    """How far the floor is explored after each."""


def climb(
    np_random: np.random.Generator, draft: Draft, exits: Sequence[Cell], climb: Climb
) -> Planted | None:
    """Change a floor until its exit is so many pushes away; None where it never gets so far.

    Args:
        np_random: The only source of chance.
        draft: The floor to begin with; its characters stay where they are.
        exits: The cells where its exit may be, if they are walls.
        climb: How it is changed.
    """
    best = _farthest(draft, exits, climb)
    if best is None:
        return None
    for _ in range(climb.changes):
        if best.pushes in climb.wanted:
            return best
        other = replace(changed(np_random, best.draft), characters=draft.characters)
        found = _farthest(other, exits, climb)
        if found is not None and _rank(found) >= _rank(best):
            best = found
    return best if best.pushes in climb.wanted else None


def _rank(planted: Planted) -> tuple[int, int]:
    """Where exits are equally far, how long there is anything new to find."""
    return planted.pushes, len(planted.search.exploration.layers)


def _farthest(draft: Draft, exits: Sequence[Cell], climb: Climb) -> Planted | None:
    """The farthest exit that is not too far away."""
    search = explored(draft, climb.expansions)
    if search is None:
        return None
    away = {cell: int(search.pushes[cell[0] * draft.width + cell[1]]) for cell in exits}
    near = [cell for cell in exits if 0 <= away[cell] < climb.wanted.stop]
    if not near:
        return None
    exit = max(near, key=away.__getitem__)
    return Planted(draft, exit, away[exit], search)


def certificate(planted: Planted, expansions: int) -> Level | None:
    """The floor as a level, with the fewest pushes where so short a search proves them."""
    text = planted.floor.text()
    if text is None:
        return None
    level = FORMAT.parse(_titled(text), "planted")[0]
    records = np.zeros(1, FLOOR)
    records[0] = level.record
    search = Exploration(PUZZLE, records)
    search.run(expansions)
    if not search.solved:
        return None
    plan = search.actions()
    if search.proves_optimum:
        return replace(level, optimum=search.moves, solvable=True, plan=tuple(plan))
    return certified(PUZZLE, level, plan)


# --- rooms one after the other ----------------------------------------------------------------


class Room(NamedTuple):
    """A room of a floor, walls included: those between rooms are parts of both."""

    top: int
    left: int
    height: int
    width: int
    doors: list[Cell]
    """Where the door to the next room may be, by the rows and columns of this one; for the last
    room, the exit."""


def rooms_of(height: int, width: int, down: int, across: int) -> Iterator[Room]:
    """The rooms of a floor in the order in which one goes through them: to and fro, and down."""
    rows = [place * (height - 1) // down for place in range(down + 1)]
    columns = [place * (width - 1) // across for place in range(across + 1)]
    for row in range(down):
        there = range(across) if row % 2 == 0 else range(across - 1, -1, -1)
        for column in there:
            top, left = rows[row], columns[column]
            high, wide = rows[row + 1] - top + 1, columns[column + 1] - left + 1
            if column != there[-1]:
                wall = 0 if row % 2 else wide - 1
                doors = [(place, wall) for place in range(1, high - 1)]
            elif row + 1 < down:
                doors = [(high - 1, place) for place in range(1, wide - 1)]
            else:
                doors = inside(high, wide)
            yield Room(top, left, high, wide, doors)


def inside(height: int, width: int) -> list[Cell]:
    """The cells of a floor without those at its edge."""
    return list(itertools.product(range(1, height - 1), range(1, width - 1)))


def chained(
    np_random: np.random.Generator,
    size: tuple[int, int],
    rooms: Sequence[Room],
    furnish: Callable[[], Elements],
    how: Climb,
) -> Level | None:
    """A floor whose rooms were made one after the other, solved by their solutions.

    Args:
        np_random: The only source of chance.
        size: The height and the width of the floor.
        rooms: In the order in which one goes through them.
        furnish: Draws what is in a room, apart from its gaps.
        how: How a room is made. One that cannot be is begun anew.
    """
    start: Cell = (1, 1)
    made: list[Planted] = []
    plan: list[int] = []
    for room in rooms:
        planted = None
        while planted is None:
            draft = divided_floor(np_random, room.height, room.width, furnish(), start)
            planted = climb(np_random, draft, room.doors, how)
        for cell, way in map(cell_and_way, planted.actions()):
            row, column = divmod(cell, room.width)
            plan.append(at_cell((room.top + row) * size[1] + room.left + column, way))
        made.append(planted)
        start = _behind(planted.exit, room)
    text = _joined(size, rooms, made).text()
    if text is None:
        return None
    level = FORMAT.parse(_titled(text), "planted")[0]
    row, column = rooms[-1].top + made[-1].exit[0], rooms[-1].left + made[-1].exit[1]
    for way, (down, right) in enumerate(STEPS):
        leaving = at_cell((row - down) * size[1] + column - right, way)
        found = certified(PUZZLE, level, [*plan, leaving])
        if found is not None:
            return found
    return None


def _behind(door: Cell, room: Room) -> Cell:
    """Where one comes to stand in the next room, by its rows and columns."""
    row, column = door
    if row == room.height - 1:
        return 1, column
    return (row, 1) if column == room.width - 1 else (row, column - 2 + room.width)


def _joined(size: tuple[int, int], rooms: Sequence[Room], made: Sequence[Planted]) -> Draft:
    """All rooms on one floor, doors in their walls."""
    walls: set[Cell] = set()
    doors: list[Cell] = []
    floor = Draft(*size, frozenset(), frozenset(), None, made[0].draft.characters, (), ())
    for room, planted in zip(rooms, made, strict=True):

        def moved(cell: Cell, room: Room = room) -> Cell:
            return room.top + cell[0], room.left + cell[1]

        draft = planted.draft
        edge = set(itertools.product(range(room.height), range(room.width)))
        edge -= set(inside(room.height, room.width))
        walls |= {moved(cell) for cell in edge | draft.walls}
        doors.append(moved(planted.exit))
        blocks = [(moved(corner), high, wide) for corner, high, wide in draft.blocks]
        turnstiles = [(moved(pivot), arms) for pivot, arms in draft.turnstiles]
        floor = replace(
            floor,
            holes=floor.holes | {moved(cell) for cell in draft.holes},
            blocks=(*floor.blocks, *blocks),
            turnstiles=(*floor.turnstiles, *turnstiles),
        )
    floor = replace(floor, walls=frozenset(walls.difference(doors[:-1])))
    return with_exit(floor, doors[-1])


def _titled(text: str) -> str:
    return f"; name: {zlib.crc32(text.encode()):08x}\n{text}"

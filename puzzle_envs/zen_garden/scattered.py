"""Gardens scattered at random, certified by a search, and graded."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level, LevelError, Record
from puzzle_envs.states.bundles import Scratch
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.tables import (
    Memory,
    find_state,
    hash_state,
    keep_state,
    layout_of,
    load_state,
    take_slot,
)
from puzzle_envs.verbs import LevelRecord, hopeless, solved, start, successors
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.level import BITBOARDS, CELLS, FORMAT, GARDEN, LARGEST, SWITCHES
from puzzle_envs.zen_garden.planted import cells_left, words_of

__all__ = [
    "ANY_MOVES",
    "DIFFICULTIES",
    "MOST_STATES",
    "Grade",
    "RefusedError",
    "canonical",
    "decide",
    "empty",
    "generate",
    "grade",
    "grade_of",
    "scattered",
    "title_of",
]

MOST_STATES = 1_000_000
"""How many positions a search may hold where nothing else is said: a few seconds."""


# --- how hard a board is ----------------------------------------------------------------------


class Most(NamedTuple):
    """The most that a board of a difficulty may have of both."""

    moves: int
    states: int


DIFFICULTIES = {"easy": Most(3, 250), "medium": Most(5, 5_000), "hard": Most(CELLS, 2**63)}
"""The length of the plan and the positions to look at, for a beginner and for a search alike. The
bounds are drawn so that of random solvable boards with a few rocks most of 4x4 are easy, most of
5x5 medium, half of 6x6 and nearly all of 8x8 hard."""


class Grade(NamedTuple):
    """What it takes to solve a board."""

    optimum: int | None
    """The fewest moves, proved; None: proved unsolvable."""
    states: int
    """How many positions are reached in fewer moves, or at all on an unsolvable board: what a
    breadth-first search has to look at. Those that are plainly hopeless are not counted."""

    @property
    def difficulty(self) -> str:
        """The first of DIFFICULTIES that holds the board, or "unsolvable"."""
        optimum = self.optimum
        if optimum is None:
            return "unsolvable"
        return next(
            name
            for name, most in DIFFICULTIES.items()
            if optimum <= most.moves and self.states <= most.states
        )


def grade(level: Level, most_states: int = MOST_STATES) -> Grade:
    """Search a board breadth first, until it is solved or proved unsolvable.

    Args:
        level: The board.
        most_states: How many positions the search may hold; a LevelError says that it needs more.
    """
    records = np.zeros(1, GARDEN)
    records[0] = level.record
    try:
        return grade_of(records, most_states)
    except RefusedError as refused:
        raise LevelError(f"The board '{level.name}' has no grade: it is {refused}.") from None


class RefusedError(Exception):
    """Why a board is not what was asked for."""


ANY_MOVES = range(CELLS + 1)


def grade_of(records: np.ndarray, most_states: int, wanted: range = ANY_MOVES) -> Grade:
    """The grade of a board that is unsolvable or has an optimum in the wanted range."""
    exploration = Exploration(PUZZLE, records)
    while not exploration.run(expansions=1000) and exploration.unique <= most_states:
        if len(exploration.layers) > wanted.stop:
            raise RefusedError("too long")
    if exploration.solved:
        moves = exploration.moves
        if moves not in wanted:
            raise RefusedError("too short" if moves < wanted.start else "too long")
        return Grade(moves, sum(exploration.layers[:-1]))
    if exploration.exhausted:
        return Grade(None, exploration.unique)
    raise RefusedError(f"undecided within {most_states} positions")


# --- whether a board can be solved ------------------------------------------------------------

EXHAUSTED, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS = 0, -1, -2
"""What the dive returns instead of the length of a solution."""


class Stacks(NamedTuple):
    """Open positions: a stack for each number of cells left to rake."""

    tops: npt.NDArray[np.int32]
    """The position on top of each stack; -1: the stack is empty."""
    below: npt.NDArray[np.int32]
    """The one under each position."""


@kernel
def dive(levels: LevelRecord, memory: Memory, scratch: Scratch, stacks: Stacks, moves: Any) -> int:
    """Look first at what has the fewest cells left to rake; return the moves of a solution."""
    level = levels[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    tops, below = stacks.tops, stacks.below
    tops[:] = -1
    memory.slots[:] = 0
    start(level, state)
    if hopeless(level, state):
        return EXHAUSTED
    hashed = hash_state(memory.layout, state)
    take_slot(memory, find_state(memory, state, hashed), hashed, 0)
    keep_state(memory, 0, state)
    left = cells_left(level, state)
    tops[left], below[0], moves[0] = 0, -1, 0
    unique = 1
    while left < tops.size:
        number = tops[left]
        if number < 0:
            left += 1
            continue
        tops[left] = below[number]
        load_state(memory, number, state)
        generated = successors(level, state, rows, costs)
        if generated < 0:
            return NO_ROOM_FOR_ROWS
        if unique + generated > memory.room:
            return NO_ROOM_FOR_STATES
        for index in range(generated):
            row = rows[index]
            hashed = hash_state(memory.layout, row)
            slot = find_state(memory, row, hashed)
            if memory.slots[slot] != 0 or hopeless(level, row):
                continue
            if solved(level, row):
                return int(moves[number] + costs[index])
            take_slot(memory, slot, hashed, unique)
            keep_state(memory, unique, row)
            moves[unique] = moves[number] + costs[index]
            after = cells_left(level, row)
            below[unique] = tops[after]
            tops[after] = unique
            left = min(left, after)
            unique += 1
    return EXHAUSTED


def decide(records: np.ndarray, most_states: int) -> int:
    """The moves of some solution; 0 where it is proved that there is none."""
    PUZZLE.load_rules()
    words = FORMAT.words(records[0])
    capacity, length = min(2**14, most_states), 2**10
    while True:
        memory = Memory(
            layout_of(words, most_states),
            np.empty((capacity, 2 * words), np.uint32),
            np.empty(_table_size(capacity), np.uint32),
            capacity,
        )
        stacks = Stacks(np.empty(CELLS + 1, np.int32), np.empty(capacity, np.int32))
        moves = np.empty(capacity, np.int32)
        result: int = dive(records, memory, Scratch.of(words, length), stacks, moves)
        if result == NO_ROOM_FOR_ROWS:
            length *= 2
        elif result != NO_ROOM_FOR_STATES:
            return result
        elif capacity == most_states:
            raise RefusedError(f"undecided within {most_states} positions")
        else:
            capacity = min(4 * capacity, most_states)


def _table_size(states: int) -> int:
    """A power of two, so that half of the slots stay empty."""
    return 2 << (states - 1).bit_length()


# --- drawing boards ---------------------------------------------------------------------------

THINGS = ("rocks", "ornaments", "yellow", "orange", "red")
"""The bitboards of what can be asked for, in the order of the counts."""


def generate(
    np_random: np.random.Generator,
    width: int,
    height: int,
    *,
    rocks: int = 0,
    ornaments: int = 0,
    leaves: tuple[int, int, int] = (0, 0, 0),
    switches: Mapping[str, bool] | None = None,
    solvable: bool | None = True,
    optimum: range | None = None,
    states: range | None = None,
    difficulty: str | None = None,
    attempts: int = 1_000,
    most_states: int = MOST_STATES,
) -> Level:
    """A random board with exactly these things; all boards that meet the terms are equally likely.

    Up to 6x6 this takes milliseconds, for 8x8 seconds. Larger boards with rocks are mostly
    unsolvable, and mostly more than a search can decide.

    Args:
        np_random: The only source of chance.
        width: Cells from west to east.
        height: Cells from north to south.
        rocks: How many rocks.
        ornaments: How many ornaments.
        leaves: How many yellow, orange and red leaves.
        switches: The switches that are not at their defaults, called as in a level file.
        solvable: True, certified by a solution; False, proved by exhaustion; None, unchecked.
        optimum: Bounds for the fewest moves; the level then carries its own, proved.
        states: Bounds for `Grade.states`.
        difficulty: One of DIFFICULTIES.
        attempts: How many boards to draw before a LevelError says what was wrong with them.
        most_states: How many positions to search before a board counts as undecided, and is
            passed over.
    """
    counts = (rocks, ornaments, *leaves)
    blank = empty(width, height, counts, switches or {})
    terms = _Terms(solvable, optimum, states, difficulty, most_states)
    if attempts < 1:
        raise ValueError(f"attempts is {attempts}; at least one board has to be drawn.")
    refusals: Counter[str] = Counter()
    for _ in range(attempts):
        records = scattered(np_random, blank, counts)
        try:
            found = terms.judge(records)
        except RefusedError as refused:
            refusals[str(refused)] += 1
            continue
        return _level(records[0], counts, solvable, found)
    reasons = ", ".join(f"{count} were {reason}" for reason, count in refusals.most_common())
    raise LevelError(
        f"{attempts} boards of {title_of(width, height, counts)} were drawn and none met the "
        f"terms: {reasons}. Ask for other terms, other things on the board or more attempts."
    )


@dataclass(frozen=True)
class _Terms:
    """What a board has to prove before it is given out."""

    solvable: bool | None
    optimum: range | None
    states: range | None
    difficulty: str | None
    most_states: int

    def __post_init__(self) -> None:
        if self.difficulty not in (None, *DIFFICULTIES):
            raise ValueError(
                f"difficulty is one of {', '.join(DIFFICULTIES)}, not {self.difficulty!r}."
            )
        for name, bounds in (("optimum", self.optimum), ("states", self.states)):
            if bounds is not None and (not bounds or bounds.step != 1):
                raise ValueError(f"{name}={bounds} holds no number or is not of step 1.")
        if self.solvable is not True and (self.optimum is not None or self.difficulty is not None):
            raise ValueError("optimum= and difficulty= are of solvable boards; ask solvable=True.")
        if self.solvable is None and self.states is not None:
            raise ValueError("states= takes a search; ask solvable=True or solvable=False.")
        if self.most_states < 1:
            raise ValueError(f"most_states is {self.most_states}; a search holds one at least.")

    def judge(self, records: np.ndarray) -> Grade | None:
        """The grade, if the terms need it; raises RefusedError where they are not met."""
        if self.solvable is None:
            return None
        moves = decide(records, self.most_states)
        if (moves > 0) != self.solvable:
            raise RefusedError("solvable" if moves else "unsolvable")
        if self.optimum is None and self.states is None and self.difficulty is None:
            return None
        wanted = self._moves()
        if self.solvable and moves < wanted.start:
            raise RefusedError("too short")
        grade = grade_of(records, self.most_states, wanted)
        if self.states is not None and grade.states not in self.states:
            raise RefusedError("of another number of states")
        if self.difficulty not in (None, grade.difficulty):
            raise RefusedError(grade.difficulty)
        return grade

    def _moves(self) -> range:
        """What the optimum and the difficulty allow."""
        moves = self.optimum or ANY_MOVES
        if self.difficulty is None:
            return moves
        return range(moves.start, min(moves.stop, DIFFICULTIES[self.difficulty].moves + 1))


def empty(
    width: int, height: int, counts: Sequence[int], switches: Mapping[str, bool]
) -> np.ndarray:
    """An array of one record, complete but for the places of the things."""
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise ValueError(f"A side is from 1 to {LARGEST} cells, not {width} by {height}.")
    if len(counts) != len(THINGS):
        raise ValueError("leaves is three numbers: of yellow, orange and red ones.")
    for thing, count in zip(THINGS, counts, strict=True):
        if count < 0:
            raise ValueError(f"There cannot be {count} {thing}; give 0 or more.")
    cells = width * height
    if sum(counts) > cells or sum(counts[:2]) == cells:
        raise ValueError(
            f"{title_of(width, height, counts)}: that is {sum(counts)} things on {cells} cells, "
            "and one cell at least has to be left to rake."
        )
    for switch in switches:
        if switch not in SWITCHES:
            raise ValueError(f"'{switch}' is no switch; they are {', '.join(SWITCHES)}.")
    lines = [f"; {switch}: {'on' if on else 'off'}" for switch, on in switches.items()]
    text = "\n".join([*lines, *["." * width] * height])
    blank = np.zeros(1, GARDEN)
    blank[0] = FORMAT.parse(text, source="blank")[0].record
    blank["area"] = cells - sum(counts[:2])
    blank["has_ornaments"] = counts[1] > 0
    blank["has_leaves"] = sum(counts[2:]) > 0
    return blank


def scattered(np_random: np.random.Generator, blank: np.ndarray, counts: Sequence[int]) -> Any:
    """A copy of the record with the things in random places."""
    records = blank.copy()
    cells = np_random.permutation(int(blank["width"][0] * blank["height"][0])).tolist()
    sand, first = (1 << len(cells)) - 1, 0
    for thing, count in zip(THINGS, counts, strict=True):
        bits = sum(1 << cell for cell in cells[first : first + count])
        first += count
        records[thing] = words_of(bits)
        if thing in ("rocks", "ornaments"):
            sand -= bits
    records["sand"] = words_of(sand)
    return records


def title_of(width: int, height: int, counts: Sequence[int]) -> str:
    """The size and what stands on it, in the characters of a level file."""
    things = [f"{count}{BITBOARDS[thing]}" for thing, count in zip(THINGS, counts, strict=True)]
    return " ".join([f"{width}x{height}", *(thing for thing in things if thing[0] != "0")])


def _level(
    record: Record, counts: Sequence[int], solvable: bool | None, found: Grade | None
) -> Level:
    """A level whose name ends in a checksum of its text, so that equal boards are called alike."""
    checksum = zlib.crc32("\n".join(FORMAT.write(record)).encode())
    title = title_of(int(record["width"]), int(record["height"]), counts)
    return Level(
        name=f"{title} {checksum:08x}",
        record=record,
        optimum=found.optimum if found else None,
        solvable=solvable,
        notes={"note": f"{found.states} states"} if found else {},
    )


# --- boards that are the same but for how one looks at them -----------------------------------


def canonical(level: Level) -> bytes:
    """The same for a board and its rotations and reflections, and different for all others."""
    lines = FORMAT.write(level.record)
    switches = [line for line in lines if line.startswith(";")]
    rows = lines[len(switches) :]
    views = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        views += [rows, [row[::-1] for row in rows]]
    return "\n".join([*switches, *min(views)]).encode()

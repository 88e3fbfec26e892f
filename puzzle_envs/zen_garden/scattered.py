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
    add_state,
    find_state,
    hash_state,
    layout_of,
    load_state,
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
"""Default limit of positions held by a search: a few seconds."""


# --- difficulty ---------------------------------------------------------------------------------


class Most(NamedTuple):
    """Upper bounds of a difficulty."""

    moves: int
    states: int


DIFFICULTIES = {"easy": Most(3, 250), "medium": Most(5, 5_000), "hard": Most(CELLS, 2**63)}
"""Plan length and positions searched measure the difficulty for people and for searches. Of random
solvable boards with a few rocks, most of 4x4 are easy, most of 5x5 medium, half of 6x6 and nearly
all of 8x8 hard."""


class Grade(NamedTuple):
    """The effort to solve a board."""

    optimum: int | None
    """The fewest moves, proved; None if proved unsolvable."""
    states: int
    """Positions reached in fewer moves, or at all on an unsolvable board: those that a
    breadth-first search expands. Hopeless ones are not counted."""

    @property
    def difficulty(self) -> str:
        """The first of DIFFICULTIES that contains the board, or "unsolvable"."""
        optimum = self.optimum
        if optimum is None:
            return "unsolvable"
        return next(
            name
            for name, most in DIFFICULTIES.items()
            if optimum <= most.moves and self.states <= most.states
        )


def grade(level: Level, most_states: int = MOST_STATES) -> Grade:
    """Breadth-first search of a board until it is solved or proved unsolvable.

    Args:
        level: The board.
        most_states: Limit of positions held by the search; beyond, it raises a LevelError.
    """
    records = np.zeros(1, GARDEN)
    records[0] = level.record
    try:
        return grade_of(records, most_states)
    except RefusedError as refused:
        raise LevelError(f"The board '{level.name}' has no grade: it is {refused}.") from None


class RefusedError(Exception):
    """The reason why a board is rejected."""


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


# --- solvability --------------------------------------------------------------------------------

EXHAUSTED, NO_ROOM_FOR_STATES, NO_ROOM_FOR_ROWS = 0, -1, -2
"""Results of the dive other than the length of a solution."""


class Stacks(NamedTuple):
    """Open positions: a stack for each number of unraked cells."""

    tops: npt.NDArray[np.int32]
    """The top position of each stack; -1 if empty."""
    below: npt.NDArray[np.int32]
    """The position below each position."""


@kernel
def dive(levels: LevelRecord, memory: Memory, scratch: Scratch, stacks: Stacks, moves: Any) -> int:
    """Search positions with the fewest unraked cells first; return the moves of a solution."""
    level = levels[0]
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    tops, below = stacks.tops, stacks.below
    tops[:] = -1
    memory.slots[:] = 0
    start(level, state)
    if hopeless(level, state):
        return EXHAUSTED
    hashed = hash_state(memory.layout, state)
    add_state(memory, find_state(memory, state, hashed), hashed, 0, state)
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
            add_state(memory, slot, hashed, unique, row)
            moves[unique] = moves[number] + costs[index]
            after = cells_left(level, row)
            below[unique] = tops[after]
            tops[after] = unique
            left = min(left, after)
            unique += 1
    return EXHAUSTED


def decide(records: np.ndarray, most_states: int) -> int:
    """The moves of some solution; 0 if the board is proved unsolvable."""
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
    """A power of two that leaves at least half of the slots empty."""
    return 2 << (states - 1).bit_length()


# --- random boards ------------------------------------------------------------------------------

THINGS = ("rocks", "ornaments", "yellow", "orange", "red")
"""The bitboards of the objects, in the order of the counts."""


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
    """A random board with exactly these objects, uniform among boards that meet the terms.

    Up to 6x6 this takes milliseconds, for 8x8 seconds. Larger boards with rocks are mostly
    unsolvable, and mostly too large for a search to decide.

    Args:
        np_random: Random number generator.
        width: Cells from west to east.
        height: Cells from north to south.
        rocks: Number of rocks.
        ornaments: Number of ornaments.
        leaves: Numbers of yellow, orange and red leaves.
        switches: Switches that differ from their defaults, named as in a level file.
        solvable: True, certified by a solution; False, proved by exhaustion; None, unchecked.
        optimum: Range of the fewest moves; the level then states its own, proved.
        states: Range of `Grade.states`.
        difficulty: One of DIFFICULTIES.
        attempts: Number of boards to draw before a LevelError gives the reasons for rejection.
        most_states: Number of positions to search before a board counts as undecided and is
            skipped.
    """
    counts = (rocks, ornaments, *leaves)
    blank = empty(width, height, counts, switches or {})
    terms = _Terms(solvable, optimum, states, difficulty, most_states)
    if attempts < 1:
        raise ValueError(f"attempts must be at least 1, not {attempts}.")
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
        f"None of {attempts} boards of {title_of(width, height, counts)} met the terms: "
        f"{reasons}. Try other terms, other objects or more attempts."
    )


@dataclass(frozen=True)
class _Terms:
    """What a generated board has to satisfy."""

    solvable: bool | None
    optimum: range | None
    states: range | None
    difficulty: str | None
    most_states: int

    def __post_init__(self) -> None:
        if self.difficulty not in (None, *DIFFICULTIES):
            raise ValueError(
                f"difficulty must be one of {', '.join(DIFFICULTIES)}, not {self.difficulty!r}."
            )
        for name, bounds in (("optimum", self.optimum), ("states", self.states)):
            if bounds is not None and (not bounds or bounds.step != 1):
                raise ValueError(f"{name}={bounds} is empty or its step is not 1.")
        if self.solvable is not True and (self.optimum is not None or self.difficulty is not None):
            raise ValueError("optimum= and difficulty= need solvable=True.")
        if self.solvable is None and self.states is not None:
            raise ValueError("states= needs a search: solvable=True or solvable=False.")
        if self.most_states < 1:
            raise ValueError(f"most_states must be at least 1, not {self.most_states}.")

    def judge(self, records: np.ndarray) -> Grade | None:
        """The grade, if the terms need it; raises RefusedError if they are not met."""
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
            raise RefusedError("outside the range of states")
        if self.difficulty not in (None, grade.difficulty):
            raise RefusedError(grade.difficulty)
        return grade

    def _moves(self) -> range:
        """The moves allowed by optimum and difficulty."""
        moves = self.optimum or ANY_MOVES
        if self.difficulty is None:
            return moves
        return range(moves.start, min(moves.stop, DIFFICULTIES[self.difficulty].moves + 1))


def empty(
    width: int, height: int, counts: Sequence[int], switches: Mapping[str, bool]
) -> np.ndarray:
    """An array of one record, complete except for the places of the objects."""
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise ValueError(f"Sides must be from 1 to {LARGEST} cells, not {width} by {height}.")
    if len(counts) != len(THINGS):
        raise ValueError("leaves must be three numbers: of yellow, orange and red ones.")
    for thing, count in zip(THINGS, counts, strict=True):
        if count < 0:
            raise ValueError(f"{thing} must be at least 0, not {count}.")
    cells = width * height
    if sum(counts) > cells or sum(counts[:2]) == cells:
        raise ValueError(
            f"{title_of(width, height, counts)}: {sum(counts)} objects on {cells} cells; "
            "at least one cell must be left to rake."
        )
    for switch in switches:
        if switch not in SWITCHES:
            raise ValueError(f"There is no switch '{switch}'; there are {', '.join(SWITCHES)}.")
    lines = [f"; {switch}: {'on' if on else 'off'}" for switch, on in switches.items()]
    text = "\n".join([*lines, *["." * width] * height])
    blank = np.zeros(1, GARDEN)
    blank[0] = FORMAT.parse(text, source="blank")[0].record
    blank["area"] = cells - sum(counts[:2])
    blank["has_ornaments"] = counts[1] > 0
    blank["has_leaves"] = sum(counts[2:]) > 0
    return blank


def scattered(np_random: np.random.Generator, blank: np.ndarray, counts: Sequence[int]) -> Any:
    """A copy of the record with the objects in random places."""
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
    """The size and the objects, in the characters of a level file."""
    things = [f"{count}{BITBOARDS[thing]}" for thing, count in zip(THINGS, counts, strict=True)]
    return " ".join([f"{width}x{height}", *(thing for thing in things if thing[0] != "0")])


def _level(
    record: Record, counts: Sequence[int], solvable: bool | None, found: Grade | None
) -> Level:
    """A level named by a checksum of its text, so that equal boards have equal names."""
    checksum = zlib.crc32("\n".join(FORMAT.write(record)).encode())
    title = title_of(int(record["width"]), int(record["height"]), counts)
    return Level(
        name=f"{title} {checksum:08x}",
        record=record,
        optimum=found.optimum if found else None,
        solvable=solvable,
        notes={"note": f"{found.states} states"} if found else {},
    )


# --- symmetries ---------------------------------------------------------------------------------


def canonical(level: Level) -> bytes:
    """The canonical form of a board under rotations and reflections."""
    lines = FORMAT.write(level.record)
    switches = [line for line in lines if line.startswith(";")]
    rows = lines[len(switches) :]
    views = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        views += [rows, [row[::-1] for row in rows]]
    return "\n".join([*switches, *min(views)]).encode()

"""Gardens planted around a solution, so that size is no limit.

Objects are scattered, and the monk plays at random: again and again the play returns to an earlier
visit to the perimeter and continues differently, and the continuation is kept if it leaves no more
cells unraked. The cells left in the end become rocks. The monk never entered them, so the same play
solves the garden; it is replayed to be sure, since a leaf that became a rock may have locked
others.

Rocks can also be placed in the monk's path during the play, on cells that he has not entered: then
he turns at single rocks all over the garden, not only at the cells left in the end.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import add, copy_words, count_bits, has, remove
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Level, Words
from puzzle_envs.states.certificates import certified
from puzzle_envs.states.chance import any_legal, below, happens
from puzzle_envs.verbs import (
    LevelRecord,
    Mask,
    apply,
    fitness,
    forfeit,
    legal,
    start,
)
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.level import CELLS, FORMAT
from puzzle_envs.zen_garden.motion import choice_of, entrance, monk_at, room_ahead, turned

__all__ = ["LEAVES", "Terms", "cells_left", "plant", "unraked", "words_of"]

LEAVES = ("yellow", "orange", "red")

SLACK = 4
"""How many more cells than the best play a play may leave and still replace it, at first; the
number falls to 0, so that the search escapes local optima early and converges in the end."""


class Terms(NamedTuple):
    """The terms of a play."""

    left: int
    """Maximum number of cells left unraked."""
    tries: int
    """Number of continuations tried."""
    laid: float = 0.0
    """Probability that a cell ahead of the monk becomes a rock, which counts as left."""


class Play(NamedTuple):
    """A play from the start, cut into visits to the perimeter."""

    states: Words
    """The state at each visit; the start is the first."""
    ends: npt.NDArray[np.int64]
    """The number of actions before each visit."""
    actions: npt.NDArray[np.int64]
    laid: npt.NDArray[np.uint64]
    """The rocks placed before each visit."""

    @classmethod
    def longest(cls, words: int) -> Play:
        """Memory for any play: each move rakes a cell, as does each of its actions but one."""
        return cls(
            np.zeros((CELLS + 1, words), np.uint64),
            np.zeros(CELLS + 1, np.int64),
            np.zeros(2 * CELLS, np.int64),
            np.zeros((CELLS + 1, CELLS // 64), np.uint64),
        )


@compiled
def cells_left(level: Any, state: Any) -> int:
    """The cells that are not raked yet."""
    return int((1.0 - fitness(level, state)) * forfeit(level) + 0.5)


@compiled
def _lay(level: Any, state: Any, laid: Any, action: int, chance: Any, likely: float) -> None:
    """Place a rock at random ahead of the monk, behind the first cell that the action enters."""
    monk = monk_at(state)
    if monk < 0:
        row, column, heading = entrance(level, action)
    else:
        row, column = monk >> 6, (monk >> 2) & 15
        heading = turned(monk & 3, choice_of(level.entrances, action))
    room, way = room_ahead(level, row, column, heading)
    cell = row * level.width + column
    first = 0 if monk < 0 else 1
    for step in range(1, room + 1):
        cell += way
        if not has(state, cell):
            return
        if step > first and happens(chance, likely):
            remove(state, cell)
            add(laid, cell)
            return


@compiled
def _count(words: Any) -> int:
    """The number of bits set."""
    count = 0
    for word in words:
        count += count_bits(word)
    return count


@kernel
def rake(
    levels: LevelRecord, best: Play, other: Play, mask: Mask, chance: Any, terms: Terms
) -> int:
    """Improve the best play by continuations; return its number of moves."""
    level = levels[0]
    start(level, best.states[0])
    fewest, moves = cells_left(level, best.states[0]), 0
    state, laid = other.states[other.ends.size - 1], other.laid[other.ends.size - 1]
    for number in range(terms.tries):
        if fewest <= terms.left:
            break
        slack = 1 + SLACK * (terms.tries - number) // terms.tries
        worst = fewest + below(chance, slack)
        cut = below(chance, moves + 1)
        copy_words(best.states[cut], state)
        copy_words(best.laid[cut], laid)
        visit, done, last, left = cut, best.ends[cut], cut, worst + 1
        choices = legal(level, state, mask)
        while choices > 0:
            action = any_legal(chance, mask, choices)
            if terms.laid > 0.0:
                _lay(level, state, laid, action, chance, terms.laid)
            apply(level, state, action)
            other.actions[done] = action
            done += 1
            if monk_at(state) < 0:
                visit += 1
                copy_words(state, other.states[visit])
                copy_words(laid, other.laid[visit])
                other.ends[visit] = done
                now = cells_left(level, state) + _count(laid)
                if now < left:
                    left, last = now, visit
            choices = legal(level, state, mask)
        if last > cut:
            for index in range(best.ends[cut], other.ends[last]):
                best.actions[index] = other.actions[index]
            for index in range(cut + 1, last + 1):
                copy_words(other.states[index], best.states[index])
                copy_words(other.laid[index], best.laid[index])
                best.ends[index] = other.ends[index]
            fewest, moves = left, last
    return moves


def plant(np_random: np.random.Generator, records: np.ndarray, terms: Terms) -> Level | None:
    """A garden solved by a play, from one that need not be solvable.

    Args:
        np_random: The only source of chance.
        records: An array of one record; it is not modified.
        terms: How long to search for a play, and how many cells it may leave.

    Returns:
        The garden with its plan; None if the best play leaves too many cells.
    """
    PUZZLE.load_rules()
    words, actions = FORMAT.words(records[0]), FORMAT.shape(records[0]).actions
    best, other = Play.longest(words), Play.longest(words)
    mask = np.zeros(actions, np.int8)
    moves = rake(records, best, other, mask, np_random.integers(0, 2**63, 1, np.uint64), terms)
    rest = unraked(records, best.states[moves]) | unraked(records, best.laid[moves])
    if rest.bit_count() > terms.left:
        return None
    planted, stone = records.copy(), words_of(rest)
    planted["rocks"] |= stone
    for thing in ("sand", *LEAVES):
        planted[thing] &= ~stone
    text = "\n".join(FORMAT.write(planted[0]))
    level = FORMAT.parse(f"; name: {zlib.crc32(text.encode()):08x}\n{text}", "planted")[0]
    return certified(PUZZLE, level, best.actions[: best.ends[moves]].tolist())


def unraked(records: np.ndarray, state: Words) -> int:
    """The bits of the cells that are not raked."""
    cells = int(records["width"][0] * records["height"][0])
    words = state[: (cells + 63) // 64]
    return int.from_bytes(words.tobytes(), "little") & ((1 << cells) - 1)


def words_of(bits: int) -> Words:
    """The bitboard of a record that has these bits."""
    return np.frombuffer(bits.to_bytes(CELLS // 8, "little"), np.uint64)

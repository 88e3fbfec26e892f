"""Gardens planted around a solution, so that size is no limit.

Things are scattered, and a monk plays at random: over and over he goes back to some visit to the
perimeter and on from there another way, and keeps what leaves no more cells unraked. What is left
in the end becomes rock. He was never on those cells, and a rock stops him as they did, so the same
play solves the garden; it is played once more to be sure, as a leaf that became rock may have
locked others.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Level
from puzzle_envs.states.certificates import certified
from puzzle_envs.states.chance import any_legal, below
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
from puzzle_envs.zen_garden.rules import monk_at

__all__ = ["LEAVES", "Terms", "cells_left", "plant", "unraked", "words_of"]

LEAVES = ("yellow", "orange", "red")

SLACK = 4
"""How many more cells than the best play a play may leave at first and still be gone on from: less
and less, so that the search leaves where it is stuck early and settles in the end."""


class Terms(NamedTuple):
    """What is asked of a play."""

    left: int
    """The most cells that it may leave."""
    tries: int
    """How often to play on."""


class Play(NamedTuple):
    """A play from the start, cut into visits to the perimeter."""

    states: npt.NDArray[np.uint64]
    """The state at each visit; the start is the first."""
    ends: npt.NDArray[np.int64]
    """How many actions were done until then."""
    actions: npt.NDArray[np.int64]

    @classmethod
    def longest(cls, words: int) -> Play:
        """Room for any play: each move rakes a cell, and so does each of its actions but one."""
        return cls(
            np.zeros((CELLS + 1, words), np.uint64),
            np.zeros(CELLS + 1, np.int64),
            np.zeros(2 * CELLS, np.int64),
        )


@compiled
def cells_left(level: Any, state: Any) -> int:
    """The cells that are not raked yet."""
    return int((1.0 - fitness(level, state)) * forfeit(level) + 0.5)


@kernel
def rake(
    levels: LevelRecord, best: Play, other: Play, mask: Mask, chance: Any, terms: Terms
) -> int:
    """Play on from the best play again and again; return how many moves it has in the end."""
    level = levels[0]
    start(level, best.states[0])
    fewest, moves = cells_left(level, best.states[0]), 0
    state = other.states[other.ends.size - 1]
    for number in range(terms.tries):
        if fewest <= terms.left:
            break
        slack = 1 + SLACK * (terms.tries - number) // terms.tries
        worst = fewest + below(chance, slack)
        cut = below(chance, moves + 1)
        copy_words(best.states[cut], state)
        visit, done, last, left = cut, best.ends[cut], cut, worst + 1
        choices = legal(level, state, mask)
        while choices > 0:
            action = any_legal(chance, mask, choices)
            apply(level, state, action)
            other.actions[done] = action
            done += 1
            if monk_at(state) < 0:
                visit += 1
                copy_words(state, other.states[visit])
                other.ends[visit] = done
                now = cells_left(level, state)
                if now < left:
                    left, last = now, visit
            choices = legal(level, state, mask)
        if last > cut:
            for index in range(best.ends[cut], other.ends[last]):
                best.actions[index] = other.actions[index]
            for index in range(cut + 1, last + 1):
                copy_words(other.states[index], best.states[index])
                best.ends[index] = other.ends[index]
            fewest, moves = left, last
    return moves


def plant(np_random: np.random.Generator, records: np.ndarray, terms: Terms) -> Level | None:
    """A garden that a play solves, from one that need not be solvable.

    Args:
        np_random: The only source of chance.
        records: An array of one record; it is left as it is.
        terms: How long to look for a play, and how many cells it may leave.

    Returns:
        The garden with its plan; None where every play found leaves too many cells.
    """
    PUZZLE.load_rules()
    words, actions = FORMAT.words(records[0]), FORMAT.shape(records[0]).actions
    best, other = Play.longest(words), Play.longest(words)
    mask = np.zeros(actions, np.int8)
    moves = rake(records, best, other, mask, np_random.integers(0, 2**63, 1, np.uint64), terms)
    rest = unraked(records, best.states[moves])
    if rest.bit_count() > terms.left:
        return None
    planted, stone = records.copy(), words_of(rest)
    planted["rocks"] |= stone
    for thing in ("sand", *LEAVES):
        planted[thing] &= ~stone
    text = "\n".join(FORMAT.write(planted[0]))
    level = FORMAT.parse(f"; name: {zlib.crc32(text.encode()):08x}\n{text}", "planted")[0]
    return certified(PUZZLE, level, best.actions[: best.ends[moves]].tolist())


def unraked(records: np.ndarray, state: npt.NDArray[np.uint64]) -> int:
    """The bits of the cells that are not raked."""
    cells = int(records["width"][0] * records["height"][0])
    words = state[: (cells + 63) // 64]
    return int.from_bytes(words.tobytes(), "little") & ((1 << cells) - 1)


def words_of(bits: int) -> npt.NDArray[np.uint64]:
    """The bitboard of a record that has these bits."""
    return np.frombuffer(bits.to_bytes(CELLS // 8, "little"), np.uint64)

"""Small gardens evolved to be hard, and twins of which one has no solution.

A garden is changed a cell at a time, and a change is kept if chance solves it no more often and a
breadth-first search looks at no fewer positions: its grade is its certificate.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level
from puzzle_envs.states.chance import any_legal
from puzzle_envs.verbs import LevelRecord, Mask, State, apply, legal, solved, start
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.level import FORMAT
from puzzle_envs.zen_garden.planted import words_of
from puzzle_envs.zen_garden.scattered import (
    Grade,
    RefusedError,
    decide,
    empty,
    grade_of,
    scattered,
)

__all__ = ["evolved", "twins"]

PLAYS = 1_000
"""Random plays that tell how often chance solves a garden."""


@kernel
def lucky(levels: LevelRecord, state: State, mask: Mask, chance: Any, plays: int) -> int:
    """How many of so many random plays solve a level."""
    level, count = levels[0], 0
    for _ in range(plays):
        start(level, state)
        choices = legal(level, state, mask)
        while choices > 0:
            apply(level, state, any_legal(chance, mask, choices))
            choices = legal(level, state, mask)
        count += solved(level, state)
    return count


def evolved(
    np_random: np.random.Generator, size: int, rocks: int, changes: int, most_states: int
) -> Level:
    """A square garden that chance hardly solves and that takes a search long.

    Args:
        np_random: The only source of chance.
        size: The length of a side.
        rocks: How many rocks the garden has before it is changed.
        changes: How many changes are tried.
        most_states: How many positions a search for its certificate may hold.
    """
    blank = empty(size, size, (rocks, 0, 0, 0, 0), {})
    best = None
    while best is None:
        records = scattered(np_random, blank, (rocks, 0, 0, 0, 0))
        best = _judged(np_random, records, most_states, PLAYS)
    for _ in range(changes):
        other = _changed(np_random, records)
        found = _judged(np_random, other, most_states, best[0])
        if found is not None and (-found[0], found[1].states) >= (-best[0], best[1].states):
            records, best = other, found
    return _level(records, best[1])


def twins(
    np_random: np.random.Generator, size: int, rocks: int, states: range, most_states: int
) -> tuple[Level, Level]:
    """A garden with a solution and one without that differ in one cell.

    Args:
        np_random: The only source of chance.
        size: The length of a side.
        rocks: How many rocks the one without a solution has.
        states: How many positions a search looks at until it knows that there is none.
        most_states: How many positions a search for a certificate may hold.
    """
    blank = empty(size, size, (rocks, 0, 0, 0, 0), {})
    while True:
        records = scattered(np_random, blank, (rocks, 0, 0, 0, 0))
        try:
            grade = grade_of(records, most_states)
            if grade.optimum is not None or grade.states not in states:
                continue
            for cell in np_random.permutation(size * size).tolist():
                other = _toggled(records, cell)
                if decide(other, most_states):
                    return _level(other, grade_of(other, most_states)), _level(records, grade)
        except RefusedError:
            continue


def _judged(
    np_random: np.random.Generator, records: np.ndarray, most_states: int, most_lucky: int
) -> tuple[int, Grade] | None:
    """How often chance solves a garden, and its grade; None where it is none of those wanted."""
    PUZZLE.load_rules()
    state = np.empty(FORMAT.words(records[0]), np.uint64)
    mask = np.empty(FORMAT.shape(records[0]).actions, np.int8)
    luck = lucky(records, state, mask, np_random.integers(0, 2**63, 1, np.uint64), PLAYS)
    if luck > most_lucky:
        return None
    try:
        grade = grade_of(records, most_states)
    except RefusedError:
        return None
    return None if grade.optimum is None else (luck, grade)


def _changed(np_random: np.random.Generator, records: np.ndarray) -> np.ndarray:
    """The garden with a rock more, one fewer, or one elsewhere."""
    cells = int(records["width"][0] * records["height"][0])
    other = _toggled(records, int(np_random.integers(cells)))
    if np_random.random() < 0.5:
        return other
    return _toggled(other, int(np_random.integers(cells)))


def _toggled(records: np.ndarray, cell: int) -> np.ndarray:
    """The garden with sand where a rock was, or a rock where sand was."""
    other, bit = records.copy(), words_of(1 << cell)
    other["rocks"] ^= bit
    other["sand"] ^= bit
    other["area"] += 1 if np.any(other["sand"] & bit) else -1
    return other


def _level(records: np.ndarray, grade: Grade) -> Level:
    level = FORMAT.parse("\n".join(FORMAT.write(records[0])), "evolved")[0]
    return replace(level, optimum=grade.optimum, solvable=grade.optimum is not None)

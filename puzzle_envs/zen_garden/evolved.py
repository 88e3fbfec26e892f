"""Small gardens evolved to be hard, and twins: pairs of a solvable and an unsolvable garden.

A garden is mutated a cell or two at a time. A mutation is kept if random play solves it less often,
or as often with no fewer positions of a breadth-first search. Its grade is its certificate.
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
"""Number of random plays per garden."""


@kernel
def lucky(levels: LevelRecord, state: State, mask: Mask, chance: Any, plays: int) -> int:
    """The number of random plays that solve a level."""
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
    """A square garden that random play hardly ever solves and on which search takes long.

    Args:
        np_random: Random number generator.
        size: The length of a side.
        rocks: Number of rocks before mutations.
        changes: Number of mutations tried.
        most_states: Limit of positions of the certifying search.
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
    """A solvable and an unsolvable garden that differ in one cell.

    Args:
        np_random: Random number generator.
        size: The length of a side.
        rocks: Number of rocks of the unsolvable one.
        states: Range of the number of positions that a search needs to prove it unsolvable.
        most_states: Limit of positions of a certifying search.
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
    """How often random play solves a garden, and its grade; None if it is rejected."""
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
    """The garden with one or two cells toggled."""
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

"""Estimates against exact distances: whole graphs of small floors, and the bundled floors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings

from puzzle_envs.compiled import kernel
from puzzle_envs.kwirk import PUZZLE, STEPS
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.verbs import NEVER, apply, estimate, hopeless
from tests.kwirk.boards import boards
from tests.kwirk.graphs import begun, explored

STRIDES = STEPS.configured(strides=True)
PUZZLES = (PUZZLE, STEPS)
both = pytest.mark.parametrize("puzzle", PUZZLES, ids=["pushes", "steps"])
KEYS = "urdls"


@kernel
def is_hopeless(levels: Any, state: Any) -> bool:
    return hopeless(levels[0], state)


@kernel
def estimated(levels: Any, findings: Any, state: Any) -> int:
    return estimate(levels[0], findings, state)


@kernel
def press(levels: Any, state: Any, key: int) -> int:
    return apply(levels[0], state, key)


def check(puzzle: Puzzle, text: str) -> None:
    """No estimate is more than the truth, NEVER says the truth, and tables are consistent."""
    level = puzzle.format.find(text)[0]
    graph = explored(puzzle, level)
    assume(graph is not None)
    assert graph is not None
    record = np.array([level.record])
    for name in puzzle.estimates:
        findings = puzzle.findings(level.record, name)
        bounds = [estimated(record, findings, state) for state in graph.states]
        for bound, cost in zip(bounds, graph.costs, strict=True):
            assert bound <= cost
        if name == "tables":
            for before, after, cost in graph.moves:
                assert bounds[before] <= cost + bounds[after]
    for state, cost in zip(graph.states, graph.costs, strict=True):
        assert not (cost < NEVER and is_hopeless(record, state))


CARRIED = """\
#######
#  ^  #
# <*> #
#  `  #
#1   %#
#######
"""
RIVERS = """\
########
# a O%##
#1b O ##
#  cO ##
########
"""
HELPED = """\
#######
#1 a2 #
##b#%##
#  #  #
#######
"""


@pytest.mark.parametrize("puzzle", [*PUZZLES, STRIDES], ids=["pushes", "steps", "strides"])
@example(CARRIED)
@example(RIVERS)
@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=1))
def test_alone_no_estimate_is_too_high(puzzle: Puzzle, text: str) -> None:
    check(puzzle, text)


@both
@example(HELPED)
@settings(deadline=None)
@given(boards(max_width=6, max_height=5, max_characters=3))
def test_together_no_estimate_is_too_high(puzzle: Puzzle, text: str) -> None:
    check(puzzle, text)


# --- what they see ----------------------------------------------------------------------------


def bound(puzzle: Puzzle, lines: str, name: str | None = None) -> int:
    """The estimate of the first state of a floor whose upper and lower wall are added."""
    rows = lines.split("|")
    text = "\n".join(["#" * len(rows[0]), *rows, "#" * len(rows[0])]) + "\n"
    level = puzzle.format.find(text)[0]
    record, state = begun(puzzle, level)
    return estimated(record, puzzle.findings(level.record, name), state)


@pytest.mark.parametrize(
    ("lines", "pushes", "steps"),
    [
        ("#1   %#", 0, 4),
        ("#1  %  2#", 0, 6),
        ("#1a  ##|###%###", 2, 3),  # a block is pushed past the exit
        ("#1a  ##|####%##", NEVER, NEVER),  # there it still blocks the way
        ("#1^ #|#<*>#|# ` #|#%###", 1, 2),  # an arm carries
        ("#1^ #|#<*>#|##` #|#%###", NEVER, NEVER),  # no room to turn
        ("#1  a #|#   b%#|#   c #", 1, 5),  # one of three pieces has to move
        ("# 1a O%#", 2, 4),  # a block has to fall
        ("#  aO%#|#1b ###", 1, 5),  # one of two
        ("#  ab OO%#|#1 #######", 5, 8),  # both of them, after three pushes and two
        ("#1 O%#", NEVER, NEVER),  # nothing can
        ("#1 OO%#|# a####", NEVER, NEVER),  # one is not enough
        ("#1 O%#|# aa##|#    #", NEVER, NEVER),  # too long for the hole
    ],
)
def test_what_a_floor_is_estimated_at(lines: str, pushes: int, steps: int) -> None:
    assert (bound(PUZZLE, lines), bound(STEPS, lines)) == (pushes, steps)


def test_tables_alone_see_less() -> None:
    lines = "#1  a #|#   b%#|#   c #"
    assert (bound(PUZZLE, lines, "tables"), bound(PUZZLE, lines, "pieces")) == (0, 1)
    assert bound(STEPS, "#1 OO%#|# a####", "tables") < NEVER


# --- the bundled floors -----------------------------------------------------------------------

OWN = ("easy", "average", "hard", "two", "proofs", "train", "validation", "test")


@pytest.mark.parametrize("name", OWN)
def test_no_bundled_floor_is_given_up_or_overestimated(name: str) -> None:
    for puzzle in PUZZLES:
        for level in puzzle.format.find(name):
            record, state = begun(puzzle, level)
            first = estimated(record, puzzle.findings(level.record), state)
            assert level.optimum is None or first <= level.optimum
            assert level.solvable is False or first < NEVER
            assert puzzle is PUZZLE or first > 0


@pytest.mark.parametrize("name", ["easy", "average", "hard", "two"])
def test_on_the_way_to_a_solution_the_rest_is_not_overestimated(name: str) -> None:
    for level in STEPS.format.find(name):
        record, state = begun(STEPS, level)
        findings = STEPS.findings(level.record)
        keys = [KEYS.index(key) for key in level.notes["solution"]]
        left = sum(key < 4 for key in keys)
        for key in keys:
            assert estimated(record, findings, state) <= left
            left -= press(record, state, key)
        assert (left, estimated(record, findings, state)) == (0, 0)

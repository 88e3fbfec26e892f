"""Estimates against exact distances: whole graphs of small floors, and the bundled floors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kwirk import PUZZLE, STEPS
from puzzle_envs.kwirk.generator import BINS, SMALL
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.paths import beginning
from puzzle_envs.verbs import NEVER, estimate
from tests.graphs import act, small_graph
from tests.kwirk.boards import boards

PUZZLES = (PUZZLE, STEPS)
both = pytest.mark.parametrize("puzzle", PUZZLES, ids=["pushes", "steps"])
KEYS = "urdls"


@kernel
def estimated(levels: Any, findings: Any, state: Any) -> int:
    return estimate(levels[0], findings, state)


def check(puzzle: Puzzle, text: str, *, strides: bool = False) -> None:
    """No estimate is more than the truth, NEVER says the truth, and tables are consistent."""
    records = np.array([puzzle.format.find(text)[0].record])
    record = (puzzle.planned(records) if strides else records)[0]
    graph = small_graph(puzzle, record)
    for name in puzzle.estimates:
        findings = puzzle.findings(record, name)
        graph.assert_lower_bound(findings, consistent=name == "tables")


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


@pytest.mark.parametrize("puzzle", [PUZZLE, STEPS, "strides"], ids=["pushes", "steps", "strides"])
@example(CARRIED)
@example(RIVERS)
@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=1))
def test_alone_no_estimate_is_too_high(puzzle: Puzzle | str, text: str) -> None:
    if isinstance(puzzle, Puzzle):
        check(puzzle, text)
    else:
        check(STEPS, text, strides=True)


@both
@example(HELPED)
@settings(deadline=None)
@given(boards(max_width=6, max_height=5, max_characters=3))
def test_together_no_estimate_is_too_high(puzzle: Puzzle, text: str) -> None:
    check(puzzle, text)


# --- what they see ----------------------------------------------------------------------------


def begun(puzzle: Puzzle, level: Level) -> tuple[np.ndarray, np.ndarray]:
    """The level as an array of one record, and its first state."""
    record = np.array([level.record])
    return record, beginning(puzzle, record)


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

OWN = [
    *("easy", "average", "hard", "two", "proofs", "train"),
    *(f"{split}/{bin}" for split in ("validation", "test") for bin in SMALL),
]


@pytest.mark.parametrize("name", OWN)
def test_no_bundled_floor_is_given_up_or_overestimated(name: str) -> None:
    for puzzle in PUZZLES:
        for level in puzzle.format.find(name):
            record, state = begun(puzzle, level)
            first = estimated(record, puzzle.findings(level.record), state)
            assert level.optimum is None or first <= level.optimum
            assert level.solvable is False or first < NEVER
            assert puzzle is PUZZLE or first > 0


PLANTED = [f"validation/{bin}" for bin in BINS if bin not in SMALL]


@pytest.mark.parametrize("name", sorted({*PLANTED} & {*PUZZLE.format.sets()}))
def test_no_plan_is_given_up_or_overestimated(name: str) -> None:
    for level in PUZZLE.format.find(name)[:10]:
        record, state = begun(PUZZLE, level)
        first = estimated(record, PUZZLE.findings(level.record), state)
        assert level.fewest is None or first <= level.fewest


@pytest.mark.parametrize("name", ["easy", "average", "hard", "two"])
def test_on_the_way_to_a_solution_the_rest_is_not_overestimated(name: str) -> None:
    for level in STEPS.format.find(name):
        record, state = begun(STEPS, level)
        findings = STEPS.findings(level.record)
        keys = [KEYS.index(key) for key in level.notes["solution"]]
        left = sum(key < 4 for key in keys)
        for key in keys:
            assert estimated(record, findings, state) <= left
            left -= act(record, state, key)
        assert (left, estimated(record, findings, state)) == (0, 0)

"""Relaxed plans of Kwirk: what they prove is true, on whole graphs of small floors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk import PUZZLE, STEPS
from puzzle_envs.kwirk.level import CELLS
from puzzle_envs.kwirk.path import UNSEEN, _spread, holes_on_the_way
from puzzle_envs.kwirk.pieces import GONE, place
from puzzle_envs.kwirk.walking import BOARD, clear
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.verbs import NEVER, heuristic, lasting, outlook, outlook_room
from tests.graphs import small_graph
from tests.kwirk.boards import boards

both = pytest.mark.parametrize("puzzle", [PUZZLE, STEPS], ids=["pushes", "steps"])


@kernel
def guess_all(levels: Any, findings: Any, states: Any, found: Any) -> None:
    for index in range(states.shape[0]):
        found[index] = heuristic(levels[0], findings, states[index])


def guesses(puzzle: Puzzle, record: Any, states: np.ndarray, name: str) -> np.ndarray:
    found = np.empty(len(states), np.int64)
    guess_all(np.array([record]), puzzle.heuristic_findings(record, name), states, found)
    return found


REFILLED = """\
#########
#1ab O %#
#   #####
#########
"""
RIDE = """\
#######
#  ^  #
# <*>##
#  ` O#
#1  #%#
#######
"""
FOLLOW = """\
#######
#1 a2 #
##b#O##
#  #% #
#######
"""


@both
@pytest.mark.parametrize("name", ["relaxed", "path"])
@example(REFILLED)
@example(RIDE)
@example(FOLLOW)
@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=3))
def test_what_is_proved_dead_is_dead(name: str, puzzle: Puzzle, text: str) -> None:
    record = puzzle.format.find(text)[0].record
    graph = small_graph(puzzle, record)
    found = guesses(puzzle, record, graph.states, name)
    assert (found[graph.solvable] < NEVER).all()
    assert (found[graph.solved] == 0).all()
    assert (found >= 0).all()


# --- fills ----------------------------------------------------------------------------------------


@kernel
def room_of(levels: Any) -> int:
    return outlook_room(levels[0])


@kernel
def look_ahead(levels: Any, states: Any, room: Any, found: Any, histories: Any) -> None:
    for index in range(states.shape[0]):
        found[index] = outlook(levels[0], states[index], room)
        histories[index] = lasting(levels[0], states[index])


def outlooks(record: Any, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found, histories = np.empty(len(states), np.int64), np.empty(len(states), np.int64)
    levels = np.array([record])
    room = np.empty(room_of(levels), np.uint64)
    look_ahead(levels, states, room, found, histories)
    return found, histories


@both
@example(REFILLED)
@example(RIDE)
@example(FOLLOW)
@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=2))
def test_what_no_fills_can_solve_is_dead(puzzle: Puzzle, text: str) -> None:
    record = puzzle.format.find(text)[0].record
    graph = small_graph(puzzle, record)
    found, histories = outlooks(record, graph.states)
    assert (found[graph.solvable] < NEVER).all()
    assert (found[graph.solved] == 0).all()
    assert (found >= 0).all()
    if not int(record["turnstiles"]):  # then the last words are the filled holes
        here, there = graph.edges[:, 0], graph.edges[:, 1]
        same = histories[here] == histories[there]
        holes = graph.states[:, int(record["bits_word"]) :]
        assert (holes[here[same]] == holes[there[same]]).all()


@pytest.mark.parametrize(
    ("floor", "fills"),
    [
        ("#######\n#1   %#\n#######\n", 0),
        ("########\n#1a O %#\n########\n", 1),
        ("#########\n#1a O  %#\n#  b#####\n#########\n", 1),
        ("##########\n#     ####\n#   b ####\n#1a  OO %#\n##########\n", 2),
        ("#########\n#1aaO  %#\n#########\n", NEVER),
        ("#########\n#1a OO %#\n#########\n", NEVER),
    ],
)
def test_fills_of_a_plan(floor: str, fills: int) -> None:
    """A block is used once, fills what it lies over alone, and needs somebody behind it."""
    record = PUZZLE.format.find(floor)[0].record
    words = record["start"][: PUZZLE.format.words(record)]
    PUZZLE.load_rules()
    assert outlooks(record, np.array([words]))[0][0] == fills


@kernel
def count_holes(levels: Any, states: Any, early: Any, full: Any) -> None:
    """The holes on the way, and those on the paths of characters of a spread to all cells."""
    level, nobody = levels[0], scratch(BOARD)
    clear(level, nobody)
    for index in range(states.shape[0]):
        early[index] = holes_on_the_way(level, states[index])
        costs, holes = scratch(CELLS), scratch(CELLS)
        _spread(level, states[index], costs, holes, nobody, CELLS)
        full[index] = 0
        for character in range(level.characters):
            cell = place(states[index], character)
            if cell != GONE:
                full[index] += NEVER if costs[cell] == UNSEEN else np.int64(holes[cell])


@example(REFILLED)
@example(RIDE)
@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=3))
def test_holes_on_the_way_are_those_of_paths_to_all_cells(text: str) -> None:
    record = PUZZLE.format.find(text)[0].record
    states = small_graph(PUZZLE, record).states
    early, full = np.empty((2, len(states)), np.int64)
    count_holes(np.array([record]), states, early, full)
    assert np.array_equal(early, np.minimum(full, NEVER))

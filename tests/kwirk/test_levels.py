"""The bundled floors, the errors of the reader, and the 30 known floors where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents.environments import make_env
from puzzle_envs.generation import MEASURED
from puzzle_envs.kwirk import PUZZLE, STEPS
from puzzle_envs.kwirk.generator import BINS, SMALL, SPLITS, canonical
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.presses import key_presses
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.exploration import Exploration
from tests.walks import replayed

GOING_UP = Path(__file__).parents[3] / "shared" / "levels" / "kwirk_going_up"
KEYS = "urdls"

KNOWN = {
    "easy-1": (4, 23), "easy-2": (4, 19), "easy-3": (4, 22), "easy-4": (5, 23), "easy-5": (8, 29),
    "easy-6": (8, 34), "easy-7": (8, 47), "easy-8": (9, 48), "easy-9": (10, 26),
    "easy-10": (6, 45), "average-1": (10, 41), "average-3": (28, 98), "average-4": (109, 241),
    "average-5": (30, 106), "average-10": (10, 33), "hard-1": (25, 100), "hard-2": (85, 180),
    "hard-3": (34, 125), "hard-5": (12, 47),
}  # fmt: skip
"""Fewest pushes and steps of the known floors that a search without an estimate solves."""
QUICK = {name for name in KNOWN if name not in {"average-3", "average-10", "hard-2", "hard-5"}}
STEPS_IN_SECONDS = {*QUICK} - {"average-5", "hard-3"}

slow = pytest.mark.skipif(
    "PUZZLE_ENVS_SLOW_TESTS" not in os.environ, reason="Set PUZZLE_ENVS_SLOW_TESTS=1 to run this."
)


def known(name: str, puzzle: Puzzle) -> Level:
    path = GOING_UP / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"The known floors are not at {GOING_UP}.")
    return puzzle.format.find(path)[0]


def searched(puzzle: Puzzle, level: Level) -> Exploration:
    search = Exploration(puzzle, np.array([level.record]), max_bytes=4 * 2**30)
    search.run()
    return search


def cost_of(id: str, level: Level, actions: list[int]) -> int:
    """The cost of actions that solve a level."""
    return int(replayed(make_env(id, level), actions)["moves"])


# --- the known floors -------------------------------------------------------------------------


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else slow) for n in KNOWN])
def test_fewest_pushes_of_a_known_floor(name: str) -> None:
    level = known(name, PUZZLE)
    search = searched(PUZZLE, level)
    assert (search.moves, search.proves_optimum) == (KNOWN[name][0], True)
    actions = search.actions()
    assert cost_of("Kwirk-v0", level, actions) == KNOWN[name][0]
    state = np.zeros(PUZZLE.format.words(level.record), np.uint64)
    state[:] = level.record["start"][: state.size]
    keys = key_presses(np.array([level.record]), state.tolist(), actions)
    assert cost_of("KwirkSteps-v0", known(name, STEPS), keys) >= KNOWN[name][1]


@pytest.mark.parametrize("name", sorted(STEPS_IN_SECONDS))
def test_fewest_steps_of_a_known_floor(name: str) -> None:
    level = known(name, STEPS)
    search = searched(STEPS, level)
    assert (search.moves, search.proves_optimum) == (KNOWN[name][1], True)
    assert cost_of("KwirkSteps-v0", level, search.actions()) == KNOWN[name][1]


def test_states_of_all_known_floors_are_small_and_texts_come_back() -> None:
    if not GOING_UP.is_dir():
        pytest.skip(f"The known floors are not at {GOING_UP}.")
    paths = sorted(GOING_UP.glob("*.txt"))
    assert len(paths) == 30
    for path in paths:
        level = FORMAT.find(path)[0]
        assert 8 * FORMAT.words(level.record) <= 64
        assert FORMAT.write(level.record) == path.read_text().strip("\n").split("\n")


# --- the bundled floors -----------------------------------------------------------------------

OWN = ["easy", "average", "hard", "two", "proofs"]


def test_there_are_enough_of_each() -> None:
    count = {name: len(FORMAT.find(name)) for name in OWN}
    assert min(count["easy"], count["average"], count["hard"]) >= 10
    assert count["two"] >= 5
    assert sum(count.values()) >= 40
    assert any(level.solvable is False for level in FORMAT.find("proofs"))


@pytest.mark.parametrize("name", OWN)
def test_the_solution_of_a_floor_solves_it(name: str) -> None:
    for level in STEPS.format.find(name):
        if level.solvable is not False:
            keys = [KEYS.index(key) for key in level.notes["solution"]]
            cost = cost_of("KwirkSteps-v0", level, keys)
            assert level.optimum is None or cost == level.optimum


@pytest.mark.parametrize("puzzle", [PUZZLE, STEPS], ids=["pushes", "steps"])
@pytest.mark.parametrize("name", OWN)
def test_what_a_floor_says_is_proved(name: str, puzzle: Puzzle) -> None:
    """Searches of more than some seconds come to their end in the slow tests only."""
    most = 2**31 - 1 if "PUZZLE_ENVS_SLOW_TESTS" in os.environ else 50_000
    for level in puzzle.format.find(name):
        search = Exploration(puzzle, np.array([level.record]), max_bytes=2**31)
        search.run(most)
        if search.solved:
            assert (search.moves, search.proves_optimum) == (level.optimum, True)
        elif search.exhausted:
            assert level.solvable is False


def test_generated_splits_share_no_floor() -> None:
    names = [f"{split}/{bin}" for split in SPLITS for bin in SMALL]
    others = [bin for bin in BINS if bin not in SMALL and f"test/{bin}" in FORMAT.sets()]
    names += [f"{split}/{bin}" for split in MEASURED for bin in others]
    levels = [level for name in names for level in FORMAT.find(name)]
    assert len({canonical(level) for level in levels}) == len(levels)
    each, every = sum(SPLITS.values()), sum(MEASURED.values())
    assert len(levels) == len(SMALL) * each + len(others) * every
    assert len(levels) == sum(len(FORMAT.find(split)) for split in SPLITS)


# --- the reader -------------------------------------------------------------------------------

FAULTS = {
    "#####\n#1a%#\n#a  #\n#####": ":2:2: Block a is not a solid rectangle",
    "#####\n#1 %#\n# ^ #\n#####": ":3:3: The arm \\^ has no pivot",
    "#####\n#1%%#\n#####": ":2:4: This is a second exit",
    "#####\n#1  #\n#####": "There is no exit",
    "#####\n#  %#\n#####": "There is no character",
    "#####\n#1 % \n#####": ":2:5: The floor is open here",
    "#####\n#1 %#\n####": ":3:5: This row has 4 cells, the first row has 5",
    "#####\n#1?%#\n#####": ":2:3: '\\?' is not part of a floor",
    "#####\n#1*%#\n#####": ":2:3: This pivot has no arm",
    "#####\n#2 %#\n#####": ":2:2: Character 2 is here, but character 1 is missing",
    "#####\n#11%#\n#####": ":2:3: Character 1 is here a second time",
    "#####\n#1a%#\n#####\nHOLE_UNDER 2 1": ":2:3: Block a lies only over holes",
    "#####\n#1 %#\n#####\nHOLE_UNDER 2 1": ":4: No block or arm is at column 2, row 1",
    "#####\n#1 %#\n#####\nHOLE_UNDER 2": ":4: This line must be 'HOLE_UNDER column row'",
    "\n".join(["#" * 33, "#1%" + " " * 29 + "#", "#" * 33]): "33 wide and 3 high",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_faulty_floor_is_refused_with_the_place(text: str) -> None:
    with pytest.raises(LevelError, match=FAULTS[text]):
        FORMAT.find(text + "\n")


def test_more_turnstiles_than_there_is_room_for() -> None:
    row = "#" + "*> " * 10 + "#"
    edge = "#" * len(row)
    empty = "#" + " " * (len(row) - 2) + "#"
    first = "#1%" + " " * (len(row) - 4) + "#"
    text = "\n".join([edge, first, row, empty, row, empty, row, empty, row, edge])
    with pytest.raises(LevelError, match="one turnstile too many; there is room for 32"):
        FORMAT.find(text + "\n")


def test_an_unknown_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'key'"):
        gymnasium.make("Kwirk-v0", key=True)


def test_state_keys_forget_what_makes_no_difference() -> None:
    text = "#######\n#1   2#\n#  a  #\n#  %  #\n#######\n"
    env = make_env("Kwirk-v0", text)
    before = env.state_key()
    walk = 5 * 35 + 1 * 7 + 4  # character 2 goes one cell aside
    _, _, _, _, info = env.step(walk)
    assert not info["illegal"]
    assert env.state_key() == before

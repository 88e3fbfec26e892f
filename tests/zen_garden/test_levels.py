"""The boards we designed: sound, different from each other, and as hard as their files say.

solutions.json holds a solution of every board that has one, an optimal one where an optimum is
stated, so that all of them are replayed in a moment. The optima are searched for anew; the boards
that take long are searched when PUZZLE_ENVS_SLOW_TESTS is set.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.level import Level
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.level import FORMAT, SWITCHES
from puzzle_envs.zen_garden.scattered import canonical
from tests.zen_garden.search import optimum
from tests.zen_garden.test_generator import twin_of

SETS = {
    "first-steps": (10, (3, 3), (5, 4)),
    "rocks": (14, (4, 4), (8, 8)),
    "ornaments": (11, (4, 3), (7, 7)),
    "leaves": (11, (4, 3), (8, 8)),
    "mixed": (11, (5, 4), (8, 8)),
    "large": (8, (9, 8), (12, 10)),
}
"""The least number of boards in each set, and what its smallest and largest may measure."""

LEVELS = [level for name in SETS for level in FORMAT.find(name)]
SOLVABLE = [level for level in LEVELS if level.solvable is not False]
PROVED = [level for level in LEVELS if level.optimum is not None]
UNSOLVABLE = [level for level in LEVELS if level.solvable is False]
SWITCHED = [level for level in LEVELS if any(";" in line for line in FORMAT.write(level.record))]

SOLUTIONS: dict[str, list[int]] = json.loads(
    Path(__file__).with_name("solutions.json").read_text(encoding="utf-8")
)

SLOW_TO_SEARCH = {
    "ornaments/10",
    "ornaments/14",
    "ornaments/16",
    "ornaments/18",
    "leaves/17",
    "mixed/17",
    "large/4",
    "large/7",
    "large/9",
    "large/10",
    "large/13",
    "large/14",
}
"""Boards whose breadth-first search takes more than a second. Theirs treats mirror images and
rotations as one state."""

TOO_LARGE = {"large/11", "large/12", "large/15"}
"""Boards whose optima tests/agents/test_bundled_levels.py confirms, by A* in two ways."""

SEARCHED = [level for level in PROVED if level.name not in TOO_LARGE]
SMALL = [level for level in PROVED if max(level.record["width"], level.record["height"]) <= 5]
SLOW_IN_PYTHON = {level.name for level in SMALL if not level.name.startswith("first-steps/")}

slow = pytest.mark.skipif(
    not os.environ.get("PUZZLE_ENVS_SLOW_TESTS"), reason="set PUZZLE_ENVS_SLOW_TESTS=1 to run it"
)


def searched(levels: Iterable[Level], slow_ones: Collection[str]) -> list[Any]:
    """The levels as parameters of a test; the slow ones run on request."""
    return [
        pytest.param(level, id=level.name, marks=[slow] if level.name in slow_ones else [])
        for level in levels
    ]


def name_of(level: Level) -> str:
    return level.name


def explored(level: Level, *, pruned: bool = True, merged: bool = False) -> Exploration:
    """The search for a shortest solution, run to its end."""
    search = Exploration(
        PUZZLE, np.array([level.record]), max_bytes=6 << 30, pruned=pruned, merged=merged
    )
    search.run()
    assert search.solved or search.exhausted
    assert search.proves_optimum
    return search


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_numbered_titled_and_of_its_sizes(name: str) -> None:
    least, smallest, largest = SETS[name]
    levels = FORMAT.find(name)
    assert len(levels) >= least
    assert [level.name for level in levels] == [f"{name}/{n}" for n in range(1, len(levels) + 1)]
    assert len({level.notes["note"] for level in levels}) == len(levels)
    for level in levels:
        assert level.notes["author"] == "puzzle-envs"
        long, short = sorted((level.record["width"], level.record["height"]), reverse=True)
        assert smallest[0] <= long <= largest[0]
        assert smallest[1] <= short <= largest[1]


def test_the_sets_together() -> None:
    assert len(LEVELS) >= 64
    assert len({level.name for level in LEVELS}) == len(LEVELS)
    assert list(SOLUTIONS) == [level.name for level in SOLVABLE]


def test_no_board_is_another_one_turned_or_mirrored() -> None:
    first: dict[bytes, str] = {}
    for level in LEVELS:
        assert first.setdefault(canonical(level), level.name) == level.name


def test_the_first_board_anyone_sees() -> None:
    [level] = FORMAT.find(PUZZLE.default_level)
    assert level.name == "rocks/1"
    assert (level.record["width"], level.record["height"]) == (6, 6)
    assert "".join(twin_of(level).rows()).strip(".").replace(".", "") == "####"


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_switch_has_a_board_that_needs_it(switch: str) -> None:
    field = switch.replace("-", "_")
    switched = [level for level in SWITCHED if bool(level.record[field]) != SWITCHES[switch]]
    assert switched
    for level in switched:
        record = level.record.copy()
        record[field] = SWITCHES[switch]
        usual = explored(replace(level, record=record))
        assert (usual.moves if usual.solved else None) != level.optimum


@pytest.mark.parametrize("level", LEVELS, ids=name_of)
def test_a_level_written_and_read_again_is_the_same(level: Level) -> None:
    text = FORMAT.text(level)
    [again] = FORMAT.parse(text, source="level text")
    assert again.record.tobytes() == level.record.tobytes()
    assert (again.optimum, again.solvable, again.notes) == (
        level.optimum,
        level.solvable,
        level.notes,
    )
    assert FORMAT.text(again) == text


@pytest.mark.parametrize("level", SOLVABLE, ids=name_of)
def test_a_solution_solves_the_twin(level: Level) -> None:
    twin = twin_of(level)
    moves = sum(twin.act(action) for action in SOLUTIONS[level.name])
    assert twin.solved
    assert level.optimum in (None, moves)


@pytest.mark.parametrize("level", SOLVABLE, ids=name_of)
def test_a_solution_solves_the_environment(level: Level) -> None:
    env = gymnasium.make("ZenGarden-v0", level=level.name)
    env.reset()
    *before, last = SOLUTIONS[level.name]
    for action in before:
        _, _, terminated, truncated, info = env.step(action)
        assert not (terminated or truncated or info["illegal"])
    _, _, terminated, _, info = env.step(last)
    assert terminated and info["solved"]
    assert level.optimum in (None, info["moves"])


@pytest.mark.parametrize("level", searched(SEARCHED, slow_ones=SLOW_TO_SEARCH))
def test_a_search_confirms_the_optimum(level: Level) -> None:
    search = explored(level, merged=level.name in SLOW_TO_SEARCH)
    assert search.solved and search.moves == level.optimum


@pytest.mark.parametrize("level", searched(SMALL, slow_ones=SLOW_IN_PYTHON))
def test_plain_python_confirms_the_optimum(level: Level) -> None:
    assert optimum(twin_of(level)) == level.optimum


def test_one_board_has_no_solution() -> None:
    [level] = UNSOLVABLE
    search = explored(level)
    assert search.exhausted and not search.solved
    assert search.unique > 10_000


@slow
def test_it_has_none_among_all_its_states_either() -> None:
    [level] = UNSOLVABLE
    search = explored(level, pruned=False)
    assert search.exhausted and not search.solved

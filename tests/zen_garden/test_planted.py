"""Planted and evolved gardens are what was asked for, the same ones each time."""

from __future__ import annotations

import re

import numpy as np
import pytest

from puzzle_agents.environments import make_env
from puzzle_envs.level import Level
from puzzle_envs.states.certificates import moves_of
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.evolved import evolved, lucky, twins
from puzzle_envs.zen_garden.generator import draw
from puzzle_envs.zen_garden.leaves import ornamented, strewn
from puzzle_envs.zen_garden.level import FORMAT, GARDEN
from puzzle_envs.zen_garden.planted import Terms, plant
from puzzle_envs.zen_garden.scattered import empty, grade, scattered
from tests.walks import replayed


@pytest.mark.parametrize("bin", ["8x8", "10x10", "12x12-mixed"])
def test_the_plan_solves_the_garden_in_play(bin: str) -> None:
    np_random = np.random.default_rng(3)
    for _ in range(5):
        level = draw(np_random, bin)
        info = replayed(make_env("ZenGarden-v0", level), level.plan)
        assert info["moves"] == level.fewest
        assert 0 < level.least <= info["moves"]


def test_a_planted_garden_keeps_its_terms() -> None:
    np_random, counts = np.random.default_rng(4), (4, 1, 1, 1, 1)
    for _ in range(5):
        records = scattered(np_random, empty(7, 7, counts, {}), counts)
        level = plant(np_random, records, Terms(left=3, tries=5_000))
        if level is None:
            continue
        cells = "".join(FORMAT.write(level.record))
        assert 4 <= cells.count("#") <= 4 + 3 and cells.count("B") == 1
        assert grade(level).optimum in range(level.least, (level.fewest or 0) + 1)


def test_leaves_lie_in_the_order_of_the_plan() -> None:
    np_random = np.random.default_rng(9)
    found = []
    for _ in range(12):
        bare = draw(np_random, "10x10")
        level = strewn(np_random, bare, each=3)
        if level is None:
            continue
        found.append(level)
        text = "".join(FORMAT.write(level.record))
        assert [text.count(leaf) for leaf in "yor"] == [3, 3, 3]
        assert re.sub("[yor]", ".", text) == "".join(FORMAT.write(bare.record))
        assert (level.plan, level.fewest) == (bare.plan, moves_of(PUZZLE, level, level.plan))
    assert len(found) >= 4


def test_rocks_are_laid_where_the_monk_has_not_been() -> None:
    records = empty(9, 9, (0, 0, 0, 0, 0), {})
    bare = plant(np.random.default_rng(6), records, Terms(left=0, tries=100_000))
    assert bare is not None and "#" not in "".join(FORMAT.write(bare.record))
    turned = []
    for seed in range(5):
        level = plant(np.random.default_rng(seed), records, Terms(left=12, tries=5_000, laid=0.1))
        assert level is not None and moves_of(PUZZLE, level, level.plan) == level.fewest
        assert "".join(FORMAT.write(level.record)).count("#") <= 12
        turned.append(len(level.plan) - (level.fewest or 0))
    assert sum(turned) / 5 > len(bare.plan) - (bare.fewest or 0)


def test_ornaments_stand_where_rocks_were() -> None:
    bare = draw(np.random.default_rng(9), "10x10")
    level = ornamented(bare)
    assert level is not None and (level.plan, level.fewest) == (bare.plan, bare.fewest)
    assert FORMAT.write(level.record) == [
        row.replace("#", "B") for row in FORMAT.write(bare.record)
    ]


def test_a_play_that_leaves_too_much_is_refused() -> None:
    np_random, counts = np.random.default_rng(5), (12, 0, 0, 0, 0)
    records = scattered(np_random, empty(6, 6, counts, {}), counts)
    assert plant(np_random, records, Terms(left=0, tries=1)) is None


def luck(level: Level) -> int:
    """How many of ten thousand random plays solve a garden."""
    state = np.empty(FORMAT.words(level.record), np.uint64)
    mask = np.empty(FORMAT.shape(level.record).actions, np.int8)
    chance = np.array([1], np.uint64)
    return int(lucky(np.array([level.record], GARDEN), state, mask, chance, 10_000))


def test_an_evolved_garden_is_graded() -> None:
    level = evolved(np.random.default_rng(7), 5, 4, changes=20, most_states=20_000)
    assert level.optimum == grade(level).optimum
    begun = evolved(np.random.default_rng(7), 5, 4, changes=0, most_states=20_000)
    assert luck(level) < luck(begun)


def test_twins_differ_in_one_cell() -> None:
    states = range(100, 10_000)
    one, other = twins(np.random.default_rng(8), 5, 4, states, most_states=20_000)
    rows = zip("".join(FORMAT.write(one.record)), "".join(FORMAT.write(other.record)), strict=True)
    assert sum(first != second for first, second in rows) == 1
    assert grade(one).optimum == one.optimum is not None
    assert (grade(other).optimum, other.solvable) == (None, False)
    assert grade(other).states in states

"""Planted floors are what was asked for, the same ones each time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from puzzle_agents.environments import make_env
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.generator import (
    HARD_TWINS,
    PAIRS,
    SMALL,
    TWIN_STATES,
    random_of,
    split_levels,
)
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.planted import NOTHING_YET, Room, grown, plant, solved_floor
from puzzle_envs.kwirk.undoing import Taste
from puzzle_envs.level import Level
from puzzle_envs.states.exploration import Exploration
from tests.walks import replayed

ROOM = Room(9, 10, Taste(5, pulls=6, room=6), 2, pushes=20, shared=False)


def played(level: Level) -> int:
    return int(replayed(make_env("Kwirk-v0", level), level.plan)["moves"])


def said(level: Level) -> tuple[object, ...]:
    """All that a file says of a level but its name and notes."""
    return FORMAT.write(level.record), level.optimum, level.solvable, level.plan


def searched(level: Level) -> Exploration:
    search = Exploration(PUZZLE, np.array([level.record]))
    search.run(200_000)
    return search


@pytest.mark.parametrize("seed", range(4))
def test_the_fewest_pushes_are_as_many_as_were_asked_for(seed: int) -> None:
    level = plant(np.random.default_rng(seed), ROOM, range(3, 6))
    search = searched(level)
    assert level.optimum in range(3, 6)
    assert (search.moves, search.proves_optimum) == (level.optimum, True)
    assert played(level) == level.optimum


def test_pushes_are_undone_again_as_before() -> None:
    np_random = np.random.default_rng(1)
    for _ in range(20):
        yard = solved_floor(np_random, ROOM)
        genome, left = grown(np_random, ROOM, yard, NOTHING_YET)
        room = ROOM._replace(pushes=len(genome.plan))
        again, same = grown(np_random, room, yard, genome.plan)
        assert (again.plan == genome.plan).all()
        assert all(
            np.array_equal(one, other) for one, other in zip(left[1:6], same[1:6], strict=True)
        )


@pytest.mark.parametrize("bin", SMALL)
def test_the_seed_gives_the_first_floors_of_a_bin_again(bin: str) -> None:
    for number, (split, level) in enumerate(itertools.islice(split_levels(bin), 2), start=1):
        (stored,) = FORMAT.find(f"{split}/{bin}/{number}")
        assert said(stored) == said(level)


@pytest.mark.parametrize("bin", PAIRS)
def test_the_seed_gives_the_first_twins_again(bin: str) -> None:
    drawn = PAIRS[bin](random_of(bin))
    for stored, level in zip(FORMAT.find(f"validation/{bin}")[:2], drawn, strict=True):
        assert said(stored) == said(level)


@pytest.mark.parametrize("bin", PAIRS)
@pytest.mark.parametrize("split", ["validation", "test"])
def test_the_unsolvable_one_of_twins_is_searched_to_its_end(split: str, bin: str) -> None:
    levels = FORMAT.find(f"{split}/{bin}")
    for solvable, unsolvable in zip(levels[::2], levels[1::2], strict=True):
        assert played(solvable) == solvable.optimum
        search = searched(unsolvable)
        assert search.exhausted and not search.solved and search.unique in TWIN_STATES
        assert bin != "hard-twins" or solvable.optimum in HARD_TWINS

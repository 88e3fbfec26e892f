"""Floors evolved from their solutions: every one has a plan, whatever was changed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_agents.environments import make_env
from puzzle_agents.registry import make
from puzzle_envs.codec import at_cell
from puzzle_envs.generation import MEASURED
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.evolved import Evolved, evolve
from puzzle_envs.kwirk.generator import KINDS, canonical
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.planted import Room
from puzzle_envs.kwirk.rooms import around_exit, in_a_row
from puzzle_envs.kwirk.undoing import Taste
from puzzle_envs.level import Level
from puzzle_envs.states.certificates import moves_of
from tests.walks import replayed

SIDES = range(7, 12)
SEEDS = st.integers(0, 2**32 - 1)


def room(side: int, changes: int) -> Room:
    return Room(side, side, Taste(5, 10, 5), 1, 30, changes, (400, 100))


def evolved(seed: int, side: int = 8, *, changes: int = 20) -> Evolved:
    return evolve(np.random.default_rng(seed), room(side, changes))


def played(level: Level) -> int:
    return int(replayed(make_env("Kwirk-v0", level), level.plan)["moves"])


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, side=st.sampled_from(SIDES))
def test_what_was_undone_solves_the_floor(seed: int, side: int) -> None:
    floor = evolved(seed, side)
    width = int(floor.level.record["width"])
    plan = [at_cell(row * width + column, way) for (row, column), way in floor.pushes]
    leaving = at_cell((side - 3) * width + side - 2, 1)
    assert moves_of(PUZZLE, floor.level, [*plan, leaving]) == len(plan)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, rooms=st.integers(2, 4), gates=st.integers(0, 6))
def test_rooms_around_an_exit_are_solved_by_their_pushes(seed: int, rooms: int, gates: int) -> None:
    np_random = np.random.default_rng(seed)
    parts = [evolve(np_random, room(8, 10)) for _ in range(rooms)]
    level = around_exit(np_random, room(8, 10), parts, gates)
    assert level is not None and level.record["characters"] == rooms
    assert played(level) == level.fewest == sum(len(part.pushes) for part in parts)


def test_rooms_in_a_row_are_solved_by_their_pushes() -> None:
    found = 0
    for seed in range(12):
        parts = [evolved(seed), evolved(seed + 100)]
        level = in_a_row(room(8, 0), parts)
        if level is not None:
            found += 1
            assert played(level) == level.fewest == sum(len(part.pushes) for part in parts)
            assert level.record["characters"] == 1
    assert found >= 3


def test_a_floor_gets_harder_as_it_is_changed() -> None:
    """The searches that judge a floor are those of the agents, which work harder too."""

    def expanded(changes: int) -> int:
        total = 0
        for seed in range(4):
            env = make_env("Kwirk-v0", evolved(seed, 9, changes=changes).level)
            total += make("bfs").solve(env).expanded
        return total

    assert expanded(150) > 4 * expanded(0)


@pytest.mark.parametrize("bin", KINDS)
def test_the_sets_hold_what_they_say(bin: str) -> None:
    kind = KINDS[bin]
    for split, count in MEASURED.items():
        levels = FORMAT.find(f"{split}/{bin}")
        assert len(levels) == count == len({canonical(level) for level in levels})
        for level in levels:
            assert level.fewest in kind.pushes and level.plan
            assert moves_of(PUZZLE, level, level.plan) == level.fewest
            assert level.record["characters"] == (1 if kind.in_a_row else kind.rooms)

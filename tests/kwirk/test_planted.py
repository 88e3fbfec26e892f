"""Planted floors are what was asked for, the same ones each time."""

from __future__ import annotations

import itertools

import gymnasium
import numpy as np
import pytest

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.draft import Elements, divided_floor
from puzzle_envs.kwirk.generator import LARGE, TWIN_STATES, draw
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.planted import Climb, chained, climb, inside, rooms_of
from puzzle_envs.level import Level
from puzzle_envs.states.exploration import Exploration

QUICK = Climb(range(3, 6), changes=100, expansions=300)


def played(level: Level) -> int:
    env = gymnasium.make("Kwirk-v0", level=level)
    env.reset()
    for action in level.plan:
        info = env.step(action)[4]
        assert not info["illegal"]
    assert info["solved"]
    return int(info["moves"])


def searched(level: Level) -> Exploration:
    search = Exploration(PUZZLE, np.array([level.record]))
    search.run(200_000)
    return search


def test_the_exit_is_as_far_as_a_search_says() -> None:
    np_random = np.random.default_rng(1)
    found = 0
    for _ in range(40):
        draft = divided_floor(np_random, 8, 9, Elements(3, 1, 2), None)
        planted = climb(np_random, draft, inside(8, 9), QUICK) if draft.characters else None
        if planted is not None:
            found += 1
            text = planted.floor.text()
            assert text is not None and planted.pushes in QUICK.wanted
            search = searched(FORMAT.parse(text, "floor")[0])
            assert (search.moves, search.proves_optimum) == (planted.pushes, True)
    assert found > 5


@pytest.mark.parametrize("bin", ["7-9", "10-19", "two-characters", "four-characters"])
def test_a_floor_of_one_room_is_searched(bin: str) -> None:
    level = draw(np.random.default_rng(2), bin)
    assert played(level) == level.fewest == searched(level).moves
    if bin == "7-9":
        assert level.optimum in range(7, 10)
    elif bin in LARGE:
        assert level.record["characters"] == LARGE[bin].characters


def test_rooms_one_after_the_other_are_solved_by_their_solutions() -> None:
    np_random, rooms = np.random.default_rng(3), list(rooms_of(15, 15, 2, 2))
    level = chained(np_random, (15, 15), rooms, lambda: Elements(2, 1, 1), QUICK)
    assert level is not None
    assert played(level) == level.fewest
    assert 4 * QUICK.wanted.start <= (level.fewest or 0) < 4 * QUICK.wanted.stop
    assert level.least <= searched(level).moves <= (level.fewest or 0)


@pytest.mark.parametrize(("down", "across"), [(1, 1), (2, 2), (3, 2), (1, 4)])
def test_rooms_follow_one_another(down: int, across: int) -> None:
    rooms = list(rooms_of(20, 30, down, across))
    assert len(rooms) == down * across
    for room, after in itertools.pairwise(rooms):
        for row, column in room.doors:
            place = room.top + row - after.top, room.left + column - after.left
            assert 0 <= place[0] < after.height and 0 <= place[1] < after.width
    assert rooms[-1].doors == inside(rooms[-1].height, rooms[-1].width)


@pytest.mark.parametrize("bin", ["7-9", "20-39", "two-characters", "twins"])
def test_the_same_seed_gives_the_same_floor(bin: str) -> None:
    first, again = (FORMAT.text(draw(np.random.default_rng(6), bin)) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("split", ["validation", "test"])
def test_twins_differ_in_a_cell_and_one_has_no_solution(split: str) -> None:
    levels = FORMAT.find(f"{split}/twins")
    for solvable, unsolvable in zip(levels[::2], levels[1::2], strict=True):
        one, other = ("".join(FORMAT.write(level.record)) for level in (solvable, unsolvable))
        assert sum(first != second for first, second in zip(one, other, strict=True)) == 1
        assert played(solvable) == solvable.optimum and unsolvable.solvable is False
        search = searched(unsolvable)
        assert search.exhausted and not search.solved and search.unique in TWIN_STATES

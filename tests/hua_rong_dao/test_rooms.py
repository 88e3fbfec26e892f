"""Boxes with two rooms and a bolt, and their sets."""

from __future__ import annotations

import os

import numpy as np
import pytest

from puzzle_envs.generation import MEASURED
from puzzle_envs.hua_rong_dao import PUZZLE, rooms
from puzzle_envs.hua_rong_dao.generator import draw, room_levels
from puzzle_envs.hua_rong_dao.layout import Layout, Piece
from puzzle_envs.hua_rong_dao.level import FORMAT, pieces_of
from puzzle_envs.hua_rong_dao.rooms import (
    BOLT,
    FAR,
    FILLED_LEFT,
    FILLED_RIGHT,
    ROOMS,
    STOCK,
    WALL,
)
from puzzle_envs.level import Level
from puzzle_envs.states.certificates import moves_of
from puzzle_envs.states.exploration import Exploration

SLOW_TESTS = "PUZZLE_ENVS_SLOW_TESTS" in os.environ
"""Whether every optimum is proved again, not only the first ones, and the sets are drawn again."""

SETS = [f"{split}/{ROOMS}" for split in MEASURED]


def left_and_right(level: Level) -> tuple[list[Piece], list[Piece]]:
    """The blocks on either side of the wall."""
    others = [piece for piece in pieces_of(level.record) if piece not in (WALL, BOLT)]
    return (
        [piece for piece in others if piece.column + piece.width <= WALL.column],
        [piece for piece in others if piece.column > WALL.column],
    )


def cells_of(pieces: list[Piece]) -> int:
    return sum(piece.width * piece.height for piece in pieces)


def fewest_moves(pieces: list[Piece], goal: tuple[int, int]) -> int:
    """The moves to the goal, by a breadth-first search forwards from the layout."""
    record = FORMAT.fitted(FORMAT.pack(Layout(8, 8, pieces, goal)))
    exploration = Exploration(PUZZLE, np.array([record]))
    exploration.run()
    assert exploration.solved
    return len(exploration.layers) - 1


def moves_in_rooms(level: Level) -> tuple[int, int]:
    """The moves that each room takes, the other one filled; both include the bolt's move."""
    left, right = left_and_right(level)
    goal = divmod(int(level.record["goal_cell"]), 8)
    bolt = BOLT._replace(goal=True)
    return (
        fewest_moves([*left, BOLT, *FILLED_RIGHT], goal),
        fewest_moves([*right, bolt, *FILLED_LEFT], (bolt.row, bolt.column + 1)),
    )


@pytest.mark.parametrize("name", SETS)
def test_the_optimum_is_what_both_rooms_take(name: str) -> None:
    for level in FORMAT.find(name)[: None if SLOW_TESTS else 2]:
        first, second = moves_in_rooms(level)
        assert first >= FAR
        assert level.optimum == first + second - 1


@pytest.mark.parametrize("name", SETS)
def test_every_level_has_a_wall_a_bolt_and_two_rooms(name: str) -> None:
    levels = FORMAT.find(name)
    assert len(levels) == MEASURED[name.partition("/")[0]]
    for level in levels:
        pieces = pieces_of(level.record)
        assert {WALL, BOLT} < set(pieces)
        left, right = left_and_right(level)
        assert len(left) + len(right) == len(pieces) - 2
        assert (cells_of(left), cells_of(right)) == (4 * 7 - 1, 3 * 7 + 1 - 3)
        assert [(piece.width, piece.height) for piece in left if piece.goal] == [(2, 2)]


@pytest.mark.parametrize("name", SETS)
def test_the_plan_moves_the_bolt_once_and_takes_the_optimum(name: str) -> None:
    drawn, back = 4 * 56 + 1, 4 * 57 + 3
    for level in FORMAT.find(name):
        assert level.solvable
        assert moves_of(PUZZLE, level, level.plan) == level.optimum
        assert (level.plan.count(drawn), level.plan.count(back)) == (1, 0)


def test_neither_wall_nor_bolt_has_another_move() -> None:
    """They are as long as a room is high, or longer than both are wide."""
    level = FORMAT.find(f"validation/{ROOMS}")[0]
    left, right = left_and_right(level)
    assert 4 * 7 + 3 * 7 + 1 - cells_of(left) - cells_of(right) < WALL.height


def test_rooms_have_blocks_of_their_own() -> None:
    """Within a set and between sets: five and ten rooms on each side, all different."""
    found: list[set[tuple[tuple[int, int], ...]]] = []
    for name in SETS:
        sides = [left_and_right(level) for level in FORMAT.find(name)]
        for side in (0, 1):
            blocks = [[one for one in both[side] if not one.goal] for both in sides]
            sizes = [sorted((one.width, one.height) for one in pieces) for pieces in blocks]
            found.append({tuple(one) for one in sizes})
    assert [len(rooms) for rooms in found] == [STOCK[0]] * 2 + [STOCK[1]] * 2
    assert len(set.union(*found)) == 2 * sum(STOCK)


@pytest.mark.skipif(not SLOW_TESTS, reason="Set PUZZLE_ENVS_SLOW_TESTS=1 to run this.")
def test_the_seed_gives_the_sets_again() -> None:
    for name, levels in room_levels().items():
        stored = FORMAT.find(name)
        assert [FORMAT.write(level.record) for level in levels] == [
            FORMAT.write(level.record) for level in stored
        ]
        assert [level.plan for level in levels] == [level.plan for level in stored]


def test_a_box_is_drawn_with_rooms_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here of rooms that are less demanding, since others take seconds."""
    for name, value in (("FAR", 10), ("AWAY", 3), ("FEWEST", 0), ("LAYOUTS", 300_000)):
        monkeypatch.setattr(rooms, name, value)
    level, again = (draw(np.random.default_rng(1), ROOMS) for _ in range(2))
    assert FORMAT.text(level) == FORMAT.text(again)
    assert moves_of(PUZZLE, level, level.plan) == level.optimum
    assert level.optimum == sum(moves_in_rooms(level)) - 1

"""Planted layouts of larger boxes, pairs of solvable and unsolvable ones, and the sets of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from puzzle_agents.environments import make_env
from puzzle_agents.registry import make
from puzzle_envs.generation import MEASURED, new_levels
from puzzle_envs.hua_rong_dao import PUZZLE
from puzzle_envs.hua_rong_dao.generator import (
    canonical,
    draw,
    random_of,
    twins,
)
from puzzle_envs.hua_rong_dao.layout import Layout, Piece
from puzzle_envs.hua_rong_dao.level import FORMAT, pieces_of
from puzzle_envs.hua_rong_dao.planted import BOXES, Box, plant, shortened
from puzzle_envs.level import Level, LevelError
from puzzle_envs.states.certificates import moves_of
from tests.walks import replayed


def random(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def cells_of(level: Level) -> tuple[int, int]:
    """How many cells a box has, and how many of them are covered."""
    record = level.record
    covered = sum(piece.width * piece.height for piece in pieces_of(record))
    return int(record["width"]) * int(record["height"]), covered


def test_a_planted_box_is_what_was_asked_for() -> None:
    box = BOXES["5x6"]
    for seed in range(3):
        level = plant(PUZZLE, random(seed), box)
        assert cells_of(level) == (30, 30 - box.empty)
        assert level.fewest is not None and 1 <= level.least <= level.fewest
        assert replayed(make_env("HuaRongDao-v0", level), level.plan)["moves"] == level.fewest


def test_a_planted_box_keeps_its_certificate_beside_an_agent_that_proves_optima() -> None:
    level = plant(PUZZLE, random(0), BOXES["5x6"])
    env = make_env("HuaRongDao-v0", level)
    result = make("astar").solve(env)
    assert result.moves is not None and level.fewest is not None
    assert level.least <= result.moves <= level.fewest


@pytest.mark.parametrize("bin", BOXES)
def test_known_solutions_are_not_made_shorter_by_searching_again(bin: str) -> None:
    """The search that shortens them was run when the set was written."""
    for level in FORMAT.find(f"validation/{bin}")[:3]:
        assert shortened(PUZZLE, level).fewest == level.fewest


def test_a_plan_as_short_as_the_bound_is_optimal() -> None:
    """Whether weighted A* finds a solution as short or only a longer one."""
    for level in FORMAT.find("test/5x6"):
        if level.optimum is not None:
            said = replace(level, optimum=None, known=level.optimum, bound=level.optimum)
            again = shortened(PUZZLE, said)
            assert (again.optimum, again.known, again.bound) == (level.optimum, None, None)


def test_a_detour_is_left_out_of_a_plan() -> None:
    level = FORMAT.find("validation/5x6")[0]
    env = gymnasium.make("HuaRongDao-v0", level=level)
    _, info = env.reset(seed=1)
    walk: list[int] = []
    for _ in range(40):
        action = int(env.action_space.sample(info["action_mask"]))
        walk.append(action)
        info = env.step(action)[4]
        if info["solved"]:
            break
    found = make("greedy").solve(env)
    longer = replace(level, known=info["moves"] + (found.moves or 0), plan=(*walk, *found.actions))
    assert moves_of(PUZZLE, longer, longer.plan) is not None
    shorter = shortened(PUZZLE, longer)
    assert shorter.fewest is not None and longer.fewest is not None
    assert shorter.fewest < longer.fewest
    assert moves_of(PUZZLE, shorter, shorter.plan) == shorter.fewest


def test_a_box_that_leads_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzle_envs.hua_rong_dao.planted.ATTEMPTS", 2)
    with pytest.raises(LevelError, match="None of 2 walks in boxes of 5 by 6 led 30 moves away"):
        plant(PUZZLE, random(), Box(5, 6, (2, 2), 1, {(1, 2): 1}, 30))


@pytest.mark.parametrize("seed", range(3))
def test_twins_differ_in_one_cell(seed: int) -> None:
    with_solution, without = twins(random(seed))
    assert (with_solution.solvable, without.solvable) == (True, False)
    assert cells_of(without)[1] == cells_of(with_solution)[1] + 1
    one, other = FORMAT.write(with_solution.record), FORMAT.write(without.record)
    changes = [pair for pair in zip("".join(one), "".join(other), strict=True) if len({*pair}) > 1]
    assert changes == [(".", "S")]


def views(layout: Layout) -> Iterator[Layout]:
    """A layout from another side, and another."""
    row, column = layout.goal
    (goal,) = (piece for piece in layout.pieces if piece.goal)
    mirrored = [
        piece._replace(column=layout.width - piece.column - piece.width) for piece in layout.pieces
    ]
    yield Layout(layout.width, layout.height, mirrored, (row, layout.width - column - goal.width))
    turned = [
        Piece(piece.column, piece.row, piece.height, piece.width, piece.goal)
        for piece in layout.pieces
    ]
    yield Layout(layout.height, layout.width, turned, (column, row))


def test_a_box_seen_from_another_side_is_the_same() -> None:
    level = FORMAT.find("test/5x6/1")[0]
    width, height = int(level.record["width"]), int(level.record["height"])
    goal = divmod(int(level.record["goal_cell"]), width)
    for layout in views(Layout(width, height, pieces_of(level.record), goal)):
        seen = Level("it", FORMAT.fitted(FORMAT.pack(layout)))
        assert canonical(seen) == canonical(level)
    assert canonical(FORMAT.find("test/5x6/2")[0]) != canonical(level)


# --- the sets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("bin", BOXES)
def test_the_splits(bin: str) -> None:
    for split, count in MEASURED.items():
        levels = FORMAT.find(f"{split}/{bin}")
        assert len(levels) == count
        for level in levels:
            cells, covered = cells_of(level)
            assert cells - covered == BOXES[bin].empty
            assert level.fewest == moves_of(PUZZLE, level, level.plan)
            assert level.fewest is not None
            assert level.least < level.fewest or level.least == level.optimum


@pytest.mark.parametrize("bin", BOXES)
def test_the_seed_plants_the_first_levels_again(bin: str) -> None:
    np_random = random_of(bin)
    for stored in FORMAT.find(f"validation/{bin}")[: 1 if bin == "8x8-tall" else 2]:
        level = draw(np_random, bin)
        assert FORMAT.write(level.record) == FORMAT.write(stored.record)
        assert (level.plan, level.known, level.bound) == (stored.plan, stored.known, stored.bound)


def test_new_boxes_are_those_that_the_generator_draws() -> None:
    (level,) = new_levels(PUZZLE, "5x6", 1, 0)
    assert level.name == "new/5x6/1"
    assert replayed(make_env("HuaRongDao-v0", level), level.plan)["moves"] == level.fewest

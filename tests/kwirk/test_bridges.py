"""Rooms with bridges: every block is needed, and short searches find no way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_agents.agent import Budget
from puzzle_agents.environments import make_env
from puzzle_agents.registry import make
from puzzle_envs.codec import at_cell
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.bridges import draw_hard_room_with_bridge, draw_room_with_bridge
from puzzle_envs.kwirk.evolved import Evolved
from puzzle_envs.kwirk.generator import BRIDGE, BRIDGED, random_of
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.planted import level_of
from puzzle_envs.kwirk.sides import Grid, grid_of, sides, text_of
from puzzle_envs.states.certificates import moves_of, without_detours

SEEDS = st.integers(0, 2**32 - 1)
ROW, FIRST = BRIDGED.height - 3, BRIDGED.width - 2 - BRIDGE.length


def plan_of(drawn: Evolved) -> list[int]:
    """The pushes of a room, and the step into its exit."""
    stride = int(drawn.level.record["width"])
    plan = [at_cell(row * stride + column, way) for (row, column), way in drawn.pushes]
    return [*plan, at_cell(ROW * stride + BRIDGED.width - 2, 1)]


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, length=st.integers(3, 7))
def test_the_plan_of_a_room_solves_it_without_detours(seed: int, length: int) -> None:
    bridge = BRIDGE._replace(length=length)
    drawn = draw_room_with_bridge(np.random.default_rng(seed), BRIDGED, bridge)
    plan = plan_of(drawn)
    assert moves_of(PUZZLE, drawn.level, plan) == len(drawn.pushes)
    assert without_detours(PUZZLE, drawn.level, plan) == plan


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_a_bridge_takes_every_block(seed: int) -> None:
    drawn = draw_room_with_bridge(np.random.default_rng(seed), BRIDGED, BRIDGE)
    record, grid = drawn.level.record, grid_of(drawn.level.record)
    assert [sign for sign, _ in grid[ROW][FIRST : FIRST + BRIDGE.length]] == ["O"] * BRIDGE.length
    sides = {sign for row in (ROW - 1, ROW + 1) for sign, _ in grid[row][FIRST:]}
    assert sides == {"#"}
    assert int((record["widths"] * record["heights"]).sum()) == BRIDGE.length


@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_all_floor_of_a_room_is_needed(seed: int) -> None:
    """Between walls, none of it can be walled up: the plan no longer solves the room."""
    bridge = BRIDGE._replace(holes=0.0)
    drawn = draw_room_with_bridge(np.random.default_rng(seed), BRIDGED, bridge)
    grid, plan = grid_of(drawn.level.record), plan_of(drawn)
    free = [(row, column) for row, line in enumerate(grid)
            for column, (sign, _) in enumerate(line) if sign == " "]  # fmt: skip
    assert free
    for row, column in free:
        grid[row][column] = ("#", False)
        assert moves_of(PUZZLE, level_of(text_of(grid)), plan) is None
        grid[row][column] = (" ", False)


def test_width_and_type_based_search_do_not_solve_hard_rooms() -> None:
    """Four of five rooms that were not searched, width search solves by holes on the path."""
    np_random = np.random.default_rng(5)
    budget = Budget(transitions=BRIDGE.states)
    agents = [
        make("bfws", budget=budget),
        make("bfws", budget=budget, heuristic="path"),
        make("types", budget=budget),
    ]
    for _ in range(2):
        drawn = draw_hard_room_with_bridge(np_random, BRIDGED, BRIDGE)
        env = make_env("Kwirk-v0", drawn.level)
        assert not any(agent.solve(env).solved for agent in agents)


def plain_inside(grid: Grid) -> list[list[tuple[str, bool]]]:
    """The inside of the upper left room, without the names of its blocks and its character."""
    return [
        [("a" if sign.isalpha() and sign != "O" else "1" if sign.isdigit() else sign, under)
         for sign, under in row[1 : BRIDGED.width - 1]]
        for row in grid[1 : BRIDGED.height - 1]
    ]  # fmt: skip


@pytest.mark.parametrize("split", ["validation", "test"])
def test_the_seed_gives_the_first_room_again(split: str) -> None:
    drawn = draw_hard_room_with_bridge(random_of(f"{split}/four-bridges"), BRIDGED, BRIDGE)
    room = plain_inside(grid_of(drawn.level.record))
    levels = FORMAT.find(f"{split}/four-bridges")
    assert any(
        plain_inside(side) == room for level in levels for side in sides(grid_of(level.record))
    )

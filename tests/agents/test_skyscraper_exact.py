"""The exact solver for Skyscraper."""

from __future__ import annotations

import csv
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings

from puzzle_agents import Budget, Status
from puzzle_agents.environments import make_env
from puzzle_agents.exact.skyscraper import SkyscraperExact
from puzzle_envs.env import PuzzleEnv
from tests.skyscraper.boards import Board, boards
from tests.skyscraper.test_rules import fewest_writes
from tests.walks import choices, random_walk

TOWERS = Path(__file__).parents[3] / "shared" / "levels" / "skyscraper_towers.csv"

UNSOLVABLE = "1 1 1 . . . . . . . . ."
FREE = ". . . . . . . . . . . ."


def env_of(level: str, mask: str = "writes") -> PuzzleEnv:
    return make_env("Skyscraper-v0", level, mask=mask)


def write(env: PuzzleEnv, actions: list[int]) -> None:
    for action in actions:
        env.step(action)


@pytest.mark.parametrize("mask", ["writes", "consistent", "empty"])
@pytest.mark.parametrize("name", ["4x4/hard-1", "6x6/easy-3", "9x9/hard-7", "sparse/9x9-5"])
def test_from_the_beginning_every_write_fills_a_cell(name: str, mask: str) -> None:
    env = env_of(name, mask)
    result = SkyscraperExact().solve(env)
    assert (result.status, result.proved_optimal) == (Status.SOLVED, True)
    assert result.moves == len(result.actions) == env.level.optimum
    assert result.expanded > 0 or "easy" in name or "4x4" in name


@given(boards(max_size=4), choices(max_size=20))
@settings(max_examples=60, deadline=None)
def test_from_the_midst_of_play(board: Board, picks: list[int]) -> None:
    env, twin = env_of(board.text, board.mask), board.twin()
    for action, _ in random_walk(twin, picks):
        env.step(action)
    solutions = twin.solutions()
    agent = SkyscraperExact()
    assert agent.count_solutions(env, 5) == min(5, len(solutions))
    assert agent.is_unique(env) == (len(solutions) == 1)
    result = agent.solve(env)
    if not solutions:
        assert result.status == Status.UNSOLVABLE
    elif board.mask == "writes":
        assert result.status == Status.SOLVED
    if result.solved:
        assert result.moves is not None
        fewest = fewest_writes(twin)
        assert result.moves == fewest if result.proved_optimal else result.moves >= fewest


def test_what_is_written_wrongly_is_written_over() -> None:
    env = env_of("5x5/hard-1")
    agent = SkyscraperExact()
    plan = agent.solve(env).actions
    wrong = [action - action % 5 + (action + 1) % 5 for action in plan[:3]]
    write(env, wrong)
    result = agent.solve(env)
    assert (result.moves, result.proved_optimal) == (len(plan), True)
    write(env, plan[:4])
    assert agent.solve(env).moves == len(plan) - 4


def test_a_solved_grid_takes_no_writes() -> None:
    env = env_of(FREE)
    write(env, [0, 4, 8, 10, 14, 15, 20, 21, 25])
    result = SkyscraperExact().solve(env)
    assert (result.status, result.actions, result.proved_optimal) == (Status.SOLVED, [], True)


def test_another_solution_than_the_one_found_is_welcome() -> None:
    """The first grid solved on the way ends the plan."""
    random = np.random.default_rng(0)
    for _ in range(30):
        env = env_of(FREE)
        for _ in range(25):
            legal = np.flatnonzero(env.action_masks())
            if not legal.size:
                break
            env.step(int(random.choice(legal)))
        assert SkyscraperExact().solve(env).solved


def test_room_is_made_where_wrong_heights_are_in_each_other_s_way() -> None:
    """With the mask "consistent" neither of two exchanged heights can be set right at once."""
    env = env_of("4x4/average-1", "consistent")
    agent = SkyscraperExact()
    first = agent.solve(env).actions
    cells = {action // 4: action % 4 for action in first}
    one = min(cells)
    other = next(cell for cell in sorted(cells) if cell // 4 == one // 4 and cell > one)
    write(env, [one * 4 + cells[other], other * 4 + cells[one]])
    assert agent.solve(env).solved


def test_contradictory_clues_are_proved_unsolvable() -> None:
    env = env_of(UNSOLVABLE)
    agent = SkyscraperExact()
    assert agent.solve(env).status == Status.UNSOLVABLE
    assert agent.count_solutions(env) == 0 and not agent.is_unique(env)


def test_solutions_are_counted_up_to_a_limit() -> None:
    agent, env = SkyscraperExact(), env_of(FREE)
    assert agent.count_solutions(env, 1000) == 12
    assert agent.count_solutions(env, 7) == 7
    assert agent.is_unique(env_of("4x4/easy-1"))
    with pytest.raises(ValueError, match="limit must be at least 1, not 0"):
        agent.count_solutions(env, 0)


def test_budgets_are_kept() -> None:
    few = SkyscraperExact(Budget(expansions=2))
    env = env_of("sparse/9x9-5")
    result = few.solve(env)
    assert result.status in (Status.GAVE_UP, Status.SOLVED) and result.expanded <= 2
    with pytest.raises(RuntimeError, match="The budget was spent"):
        few.count_solutions(env)


def test_several_sizes_in_one_environment() -> None:
    env = gymnasium.make("Skyscraper-v0", levels=["4x4/hard-1", "6x6/hard-1"])
    for level in ("4x4/hard-1", "6x6/hard-1"):
        env.reset(options={"level": level})
        assert SkyscraperExact().solve(env).solved


def test_solutions_of_other_puzzles_are_not_counted() -> None:
    with pytest.raises(TypeError, match="solves Skyscraper only"):
        SkyscraperExact().count_solutions(make_env("ZenGarden-v0", "..."))


@pytest.mark.skipif(not TOWERS.is_file(), reason="the file of Towers ids is not here")
def test_every_known_grid() -> None:
    with TOWERS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["solution"]]
    agent = SkyscraperExact()
    for row in rows:
        env = env_of(row["towers_id"])
        result = agent.solve(env)
        assert result.solved and result.proved_optimal, row["id"]
        size = int(row["n"])
        known = {cell: int(height) for cell, height in enumerate(row["solution"])}
        for action in result.actions:
            assert known[action // size] == action % size + 1, row["id"]

"""The smallest parts of what measures the searches."""

from __future__ import annotations

import re

import numpy as np
import pytest

from puzzle_agents import AStar, Result, Status
from puzzle_agents.agent import Budget
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.registry import make
from puzzle_envs.states.exploration import Exploration
from tests.sliding_tiles import PUZZLE, SlidingTilesEnv

tiles = pytest.importorskip("benchmarks.tiles", reason="needs the bench extra")
search = pytest.importorskip("benchmarks.search", reason="needs the bench extra")
floors = pytest.importorskip("benchmarks.floors", reason="needs the bench extra")
guided = pytest.importorskip("benchmarks.guided", reason="needs the bench extra")


def test_the_search_by_hand_finds_the_optima_of_a_star() -> None:
    random = np.random.default_rng(2)
    for _ in range(5):
        board = tiles.random_board(random, 3)
        env = SlidingTilesEnv(level=tiles.level_text(board))
        env.reset()
        way, expanded = tiles.by_hand(board)
        assert len(way) == AStar().solve(env).moves
        assert way[-1] == (1, 2, 3, 4, 5, 6, 7, 8, 0) and expanded >= len(way)


@pytest.mark.parametrize("side", [3, 4])
def test_a_slide_keeps_a_board_solvable_and_a_swap_does_not(side: int) -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        board = list(tiles.random_board(random, side))
        gap = board.index(0)
        for cell in tiles.BESIDE[side][gap]:
            slid = board.copy()
            slid[gap], slid[cell] = slid[cell], 0
            assert tiles.is_solvable(tuple(slid))
        one, other = [cell for cell in range(3) if cell != gap][:2]
        board[one], board[other] = board[other], board[one]
        assert not tiles.is_solvable(tuple(board))


def test_every_board_that_counts_as_solvable_can_be_reached() -> None:
    record = np.array([PUZZLE.format.find("123/456/78.")[0].record])
    everything = Exploration(PUZZLE, record)
    everything.run(to_solution=False)
    assert everything.unique == search.STATES_8


def test_layers_of_the_15_puzzle_are_as_known() -> None:
    what, *_ = search.layers(PUZZLE, 12, 1, None)
    assert "as known" in what


def test_estimates_and_gardens_make_their_tables() -> None:
    (table,) = search.estimates(1, 10.0, {"ZenGarden-v0": ("first-steps",)})
    assert table.row_count == 3
    _, summary = search.gardens(10.0, ["first-steps"])
    assert summary.row_count == 1


@pytest.mark.parametrize(
    ("pushes", "line", "few"),
    [
        ([(10, 10), (9, 10), (12, None), (None, 8)], "2 floors: 0.950 times .* 1 below", True),
        ([(14, 10), (10, 10), (10, 10), (10, 10)], "1.100 times .* most 1.40 times \\(0\\)", True),
        ([(12, 10), (11, 10)], "1.150 times .* most 1.20 times", False),
        ([(8, 10), (8, 10), (16, 10)], "1.067 times .* most 1.60 times \\(2\\)", False),
        ([(None, 8)], "No floor has both", True),
    ],
)
def test_pushes_are_compared_with_the_best_known(
    pushes: list[tuple[int | None, int | None]], line: str, few: bool
) -> None:
    results = [(Result(Status.SOLVED, moves=moves), known) for moves, known in pushes]
    rows = [
        floors.Attempt(str(number), result, 1.0, result, 1.0, known, [])
        for number, (result, known) in enumerate(results)
    ]
    table = floors.kept_table(rows)
    heads = [column.header for column in table.columns]
    assert len({*heads}) == len(heads) == 13 and table.row_count == len(rows)
    said, few_enough = floors.compared(rows)
    assert re.search(line, said) and few_enough == few


def test_guided_searches_are_rated_as_the_agent_runs_them() -> None:
    expanded, per_second = guided.rate("Skyscraper-v0", "test/6x6", levels=3, rounds=1)
    agent = make("phs", Budget(seconds=None))
    levels = puzzle_of("Skyscraper-v0").format.find_all("test/6x6")[:3]
    assert expanded == sum(
        agent.solve(make_env("Skyscraper-v0", level=level)).expanded for level in levels
    )
    assert per_second > 1_000

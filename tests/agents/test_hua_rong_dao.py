"""The solvers for Hua Rong Dao."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from puzzle_agents import BreadthFirst, Budget, Status, make
from puzzle_agents.environments import make_env
from puzzle_agents.exact.hua_rong_dao import HuaRongDaoBFS
from puzzle_agents.papers.hua_rong_dao.breadth_first import PaperBFS
from puzzle_agents.papers.hua_rong_dao.searching_process import searching_process
from puzzle_envs.env import PuzzleEnv
from tests.hua_rong_dao.boards import Board, default_boards, lettered_boards
from tests.hua_rong_dao.search import optimum_by_actions
from tests.hua_rong_dao.test_rules import level_text
from tests.hua_rong_dao.twin import EMPTY
from tests.walks import choices

KNOWN = Path(__file__).parents[3] / "shared" / "rules" / "hua_rong_dao.known.csv"


def env_of(level: str, metric: str = "move") -> PuzzleEnv:
    return make_env("HuaRongDao-v0", level, metric=metric)


@pytest.mark.parametrize(("metric", "moves"), [("move", 81), ("straight", 90), ("step", 116)])
def test_the_standard_layout(metric: str, moves: int) -> None:
    for mirror in (True, False):
        result = HuaRongDaoBFS(mirror=mirror).solve(env_of("classics/1", metric))
        assert (result.status, result.moves, result.proved_optimal) == ("solved", moves, True)
    generic = BreadthFirst().solve(env_of("classics/1", metric))
    assert (generic.moves, generic.proved_optimal) == (moves, True)


@given(default_boards() | lettered_boards(max_width=3, max_height=3), choices(max_size=12))
@settings(  # four boards in five are too empty or too large for the twin
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)
def test_from_the_midst_of_play_the_optimum_is_that_of_the_actions(
    board: Board, picks: list[int]
) -> None:
    """Where going on with the last block is still free. The twin searches action by action."""
    assume(sum(row.count(EMPTY) for row in board.rows) in (1, 2))
    env, twin = env_of(level_text(board), board.metric), board.twin()
    for pick in picks:
        legal = twin.legal()
        if not legal:
            break
        twin.act(legal[pick % len(legal)])
        env.step(legal[pick % len(legal)])
    result = HuaRongDaoBFS(Budget(seconds=20)).solve(env)
    assume(result.unique < 3000)
    expected = optimum_by_actions(twin)
    if expected is None:
        assert result.status == Status.UNSOLVABLE
    else:
        assert result.status == Status.SOLVED
        assert result.moves == expected or not result.proved_optimal


def test_general_search_from_the_midst_of_a_move() -> None:
    """Where whole moves differ in cost it claims no proof, and counts what its actions cost."""
    random = np.random.default_rng(1)
    env = env_of("train/1-10/1")
    for _ in range(30):
        env.reset()
        for _ in range(random.integers(1, 25)):
            if env.action_masks().any():
                env.step(int(random.choice(np.flatnonzero(env.action_masks()))))
        exact, general = HuaRongDaoBFS().solve(env), BreadthFirst().solve(env)
        assert exact.moves is not None and general.moves is not None
        assert general.moves >= exact.moves
        assert general.moves == exact.moves or not general.proved_optimal


def test_no_way_out_is_proved() -> None:
    for name in ("hua-rong-dao-bfs", "hua-rong-dao-bfs-paper"):
        assert make(name).solve(env_of("classics/10")).status == Status.UNSOLVABLE


def test_the_paper_s_procedure_is_not_exact() -> None:
    result = PaperBFS().solve(env_of("classics/1"))
    assert (result.status, result.moves, result.proved_optimal) == (Status.SOLVED, 84, False)


def test_the_paper_s_table_one() -> None:
    queues = {
        row.moves: (row.closed, row.opened) for row in searching_process(env_of("classics/1"))
    }
    assert [queues[moves] for moves in range(1, 72, 10)] == [
        (2, 3),
        (256, 41),
        (820, 43),
        (2292, 314),
        (9190, 959),
        (16288, 229),
        (17998, 141),
        (20922, 332),
    ]


def test_budgets_are_kept() -> None:
    for name in ("hua-rong-dao-bfs", "hua-rong-dao-bfs-paper"):
        few = make(name, Budget(expansions=100)).solve(env_of("classics/1"))
        assert (few.status, few.expanded) == (Status.GAVE_UP, 100)
    small = HuaRongDaoBFS(Budget(memory="1 MiB")).solve(env_of("classics/11"))
    assert small.status in (Status.OUT_OF_MEMORY, Status.SOLVED)


@pytest.mark.skipif(not KNOWN.is_file(), reason="the list of known layouts is not here")
@pytest.mark.parametrize(
    ("metric", "column"), [("move", "moves"), ("straight", "straight"), ("step", "steps")]
)
def test_every_known_layout(metric: str, column: str) -> None:
    with KNOWN.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 412
    for row in rows:
        result = HuaRongDaoBFS().solve(env_of(row["code"], metric))
        expected = int(row[column])
        assert (result.moves or -1) == expected, (row["code"], result)

"""The A* of the Zen Puzzle Garden paper, against a queue of plain-Python boards."""

from __future__ import annotations

import heapq
from itertools import count
from typing import Any, NamedTuple

import gymnasium
import pytest
from hypothesis import assume, given, settings

from puzzle_agents import Budget, Result, Status, make
from puzzle_agents.environments import make_env
from puzzle_agents.papers.zen_garden.a_star import ZenGardenPaperAStar
from puzzle_envs.env import PuzzleEnv
from tests.walks import replayed
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.test_rules import level_text
from tests.zen_garden.twin import Twin

MOST = 4000
"""Boards that plain Python evaluates before it gives up."""


class Found(NamedTuple):
    """What the queue came to."""

    optimum: int | None
    evaluated: int
    ways: int
    solutions: set[tuple[Any, ...]]


def queue_search(start: Twin) -> Found | None:
    """Section IV-C as it is written: a priority queue on g + AreaFitness, no duplicates detected.

    None: it is too large for plain Python.
    """
    area = len(start.unraked)
    ticket = count()
    evaluated, ways, best = 1, 0, None
    solutions: set[tuple[Any, ...]] = set()
    queue: list[tuple[float, int, int, Twin, tuple[Any, ...]]] = []
    heapq.heappush(queue, (1.0, next(ticket), 0, start, ()))
    while queue:
        _, _, moves, twin, path = heapq.heappop(queue)
        if best is not None and moves >= best:
            continue
        for _, after in twin.excursions():
            evaluated += 1
            if evaluated > MOST:
                return None
            if best is not None and moves + 1 > best:
                continue
            through = (*path, after.key())
            if after.solved:
                best = moves + 1
                ways += 1
                solutions.add(through)
            elif after.monk is None:
                fitness = len(after.unraked) / area
                heapq.heappush(
                    queue, (moves + 1 + fitness, next(ticket), moves + 1, after, through)
                )
    return Found(best, evaluated, ways, solutions)


def env_of(level: str) -> PuzzleEnv:
    return make_env("ZenGarden-v0", level)


def solve(level: str, *, duplicates: bool = False) -> tuple[Result, ZenGardenPaperAStar]:
    agent = ZenGardenPaperAStar(duplicates=duplicates)
    return agent.solve(env_of(level)), agent


@given(boards(max_width=3, max_height=3))
@settings(max_examples=80, deadline=None)
def test_it_evaluates_what_the_queue_evaluates(board: Board) -> None:
    expected = queue_search(board.twin())
    assume(expected is not None)
    assert expected is not None
    agent = ZenGardenPaperAStar()
    env = env_of(level_text(board.rows, board.switches))
    result = agent.solve(env)
    assert result.evaluated == expected.evaluated
    assert result.moves == expected.optimum
    assert (agent.found, len(agent.solutions)) == (expected.ways, len(expected.solutions))
    assert agent.finished
    assert result.status == (Status.UNSOLVABLE if expected.optimum is None else Status.SOLVED)


@pytest.mark.parametrize(
    ("level", "evaluated", "solutions"),
    [
        ("first-steps/2", 4_209, 8),
        ("rocks/2", 11_249, 108),
        ("ornaments/1", 22_735, 2),
        ("leaves/5", 227_255, 1),
        ("mixed/3", 133_001, 88),
        ("rocks/13", 806_563, 1_720),
    ],
)
def test_bundled_gardens(level: str, evaluated: int, solutions: int) -> None:
    """Moves are the recorded optimum; the counts hold the rules and the enumeration fast."""
    result, agent = solve(level)
    assert result.moves == env_of(level).level.optimum
    assert (result.evaluated, len(agent.solutions)) == (evaluated, solutions)
    assert result.proved_optimal and agent.finished


def test_all_solutions_solve() -> None:
    result, agent = solve("first-steps/7")
    env = env_of("first-steps/7")
    plans = {tuple(plan) for plan in agent.solutions}
    assert len(plans) == len(agent.solutions) == 48
    for plan in plans:
        env.reset()
        assert replayed(env, plan)["moves"] == result.moves
    assert result.actions in agent.solutions


def test_more_solutions_than_there_is_room_for_at_first() -> None:
    _, agent = solve("rocks/13")
    assert (agent.found, len(agent.solutions)) == (10_332, 1_720)


def test_merging_equal_boards_saves_evaluations() -> None:
    """The empty 4x4 has 1, 8, 96, 461 boards after 0 to 3 moves, each counted once."""
    plain, _ = solve("first-steps/2")
    merged, agent = solve("first-steps/2", duplicates=True)
    assert merged.evaluated == 1 + 8 + 96 + 461 < plain.evaluated
    assert merged.moves == plain.moves == 3
    assert agent.finished and list(agent.solutions) == [merged.actions]


def test_no_solution_is_proved() -> None:
    for duplicates in (False, True):
        result, agent = solve("#.#\n###\n", duplicates=duplicates)
        assert result.status == Status.UNSOLVABLE and agent.finished
        assert len(agent.solutions) == 0


def test_from_the_midst_of_a_walk() -> None:
    """The walk under way is already paid for."""
    env = env_of(".#.\n...\n")
    env.step(0)
    expected = make("bfs").solve(env).moves
    for agent in (ZenGardenPaperAStar(), ZenGardenPaperAStar(duplicates=True)):
        result = agent.solve(env)
        assert result.solved and result.moves == expected


def test_nothing_to_do() -> None:
    env = env_of(".")
    env.step(0)
    result = ZenGardenPaperAStar().solve(env)
    assert (result.status, result.moves, result.evaluated) == (Status.SOLVED, 0, 1)


def test_budgets_are_kept() -> None:
    solve("rocks/2")  # compiles, which no budget counts on
    few = ZenGardenPaperAStar(Budget(expansions=100))
    result = few.solve(env_of("rocks/15"))
    assert (result.status, result.expanded, few.finished) == (Status.GAVE_UP, 100, False)
    late = ZenGardenPaperAStar(Budget(seconds=0.1)).solve(env_of("rocks/15"))
    assert late.status == Status.OUT_OF_TIME and late.seconds < 1
    assert late.bound is not None and late.bound >= 1
    small = ZenGardenPaperAStar(Budget(memory="1 MiB"))
    result = small.solve(env_of("#".join("........")))  # 8! solutions
    assert (result.moves, result.proved_optimal) == (8, True), "the first solution is optimal"
    assert not small.finished, "there was no room for all of them"
    assert result.peak_bytes <= 2**20


def test_what_it_refuses() -> None:
    env = gymnasium.make("Kwirk-v0", level="easy/1")
    env.reset()
    with pytest.raises(TypeError, match="solves Zen Puzzle Garden only"):
        make("zen-astar-paper").solve(env)

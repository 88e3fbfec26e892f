"""When an agent found each better solution."""

from __future__ import annotations

import gymnasium
import pytest

import puzzle_agents
from puzzle_agents import Budget
from puzzle_agents.agent import MOST_FOUND, Agent
from puzzle_agents.benchmark.row import Row
from tests.agents.benchmark_rows import row

CASES = [
    ("zen-ga", {"generations": 400}, "ZenGarden-v0", "large/2"),
    ("zen-ga-paper", {"generations": 30}, "ZenGarden-v0", "leaves/4"),
    ("anytime", {"width": 1}, "HuaRongDao-v0", "classics/1"),
    ("portfolio", {}, "HuaRongDao-v0", "classics/1"),
]


@pytest.mark.parametrize(("name", "arguments", "env_id", "level"), CASES)
def test_solutions_are_noted_as_they_get_shorter(
    name: str, arguments: dict[str, int], env_id: str, level: str
) -> None:
    env = gymnasium.make(env_id, level=level)
    env.reset()
    most = Budget(None, transitions=200_000)
    result = puzzle_agents.make(name, most, **arguments).solve(env)
    moves = [found.moves for found in result.found]
    assert len(moves) > 1 and moves == sorted(set(moves), reverse=True)
    assert moves[-1] == result.moves
    for column in ("transitions", "seconds"):
        values = [getattr(found, column) for found in result.found]
        assert values == sorted(values)
    assert result.found[-1].transitions <= result.generated
    assert result.found[-1].seconds <= result.seconds
    if "generations" in arguments:  # with no larger budget it finds the same
        for found in result.found:
            budget = Budget(None, transitions=found.transitions)
            assert puzzle_agents.make(name, budget, **arguments).solve(env).moves == found.moves


def test_a_search_that_ends_with_its_first_solution_found_it_at_its_end() -> None:
    env = gymnasium.make("ZenGarden-v0", level="mixed/4")
    env.reset()
    result = puzzle_agents.make("astar").solve(env)
    (found,) = result.found
    assert (found.moves, found.transitions) == (result.moves, result.generated)


def test_the_list_is_bounded_and_keeps_the_last() -> None:
    agent: Agent = puzzle_agents.make("random")
    for moves in range(500, 200, -1):
        agent.note(moves, 1000 - moves)
    agent.note(300, 10**6)  # no better
    assert len(agent._noted) == MOST_FOUND
    assert agent._noted[-1][::2] == (799, 201)


def test_rows_keep_it_and_refuse_other_lists() -> None:
    kept = row(found=[[10, 0.5, 7], [20, 1.5, 4]])
    assert Row.from_json(kept.to_json().encode()) == kept
    with pytest.raises(ValueError, match="transitions, seconds and moves"):
        Row.from_json(row(found=[[1, 2]]).to_json().encode())

"""Hints lead to the goal in the fewest moves, from the start and from the midst of a move."""

from __future__ import annotations

import numpy as np
import pytest

from puzzle_agents.environments import make_env
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao.hints import hints
from puzzle_envs.hua_rong_dao.level import METRICS


def made(level: str, metric: str) -> PuzzleEnv:
    return make_env("HuaRongDao-v0", level, metric=metric, oracle=True)


def follow_hints(env: PuzzleEnv) -> int:
    """Play by the first hint to the end; return the cost."""
    cost, solved = 0.0, False
    while not solved:
        for action in hints(env.record, env.get_state().words)[0]:
            _, reward, solved, _, _ = env.step(action)
            cost -= reward
    assert hints(env.record, env.get_state().words) == []
    return round(cost)


@pytest.mark.parametrize("metric", METRICS)
def test_hints_play_the_optimum(metric: str) -> None:
    env = made("classics/1", metric)
    assert follow_hints(env) == env.level.optimum


@pytest.mark.parametrize("metric", METRICS)
def test_every_hint_keeps_to_a_shortest_way(metric: str) -> None:
    """Wherever random play stands, all hints lead on at the same cost in the end."""
    random, env = np.random.default_rng(2), made("classics/2", metric)
    for _ in range(25):
        legal = np.flatnonzero(env.action_masks())
        _, _, solved, _, _ = env.step(int(random.choice(legal)))
        if solved:
            env.reset()
    state, costs = env.get_state(), set()
    for hint in hints(env.record, state.words):
        env.set_state(state)
        cost = -sum(float(env.step(action)[1]) for action in hint)
        rest = 0 if env.action_masks().sum() == 0 else follow_hints(env)
        costs.add(round(cost) + rest)
    assert len(costs) == 1


def test_no_hints_where_there_is_no_way_or_no_oracle() -> None:
    env = made("1AAEF0C00", "move")
    assert hints(env.record, env.get_state().words) == []
    other = made("; goal: a 1 2\na.b\n...", "move")
    with pytest.raises(ValueError, match="the 4 by 5 box"):
        hints(other.record, other.get_state().words)

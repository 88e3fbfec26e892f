"""Whole moves of a walk and a push: they lose no solution, cost what they say, can be pressed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings

from puzzle_envs.exploration import Exploration, total_cost, unfold_move
from puzzle_envs.kwirk import STEPS
from puzzle_envs.kwirk.level import FloorFormat
from puzzle_envs.level import Level
from tests.kwirk.boards import boards
from tests.kwirk.graphs import Graph, explored

STRIDES = STEPS.configured(strides=True)


def both_graphs(text: str) -> tuple[Level, Graph, Graph]:
    """The level, and its graphs by strides and by steps."""
    level = STRIDES.format.find(text)[0]
    by_steps = explored(STEPS, STEPS.format.find(text)[0])
    assume(by_steps is not None)
    by_strides = explored(STRIDES, level)
    assert by_steps is not None and by_strides is not None
    return level, by_strides, by_steps


@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=1))
def test_strides_cost_as_much_as_steps(text: str) -> None:
    _, by_strides, by_steps = both_graphs(text)
    costs = {
        state.tobytes(): cost for state, cost in zip(by_steps.states, by_steps.costs, strict=True)
    }
    for state, cost in zip(by_strides.states, by_strides.costs, strict=True):
        assert costs[state.tobytes()] == cost


@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=1))
def test_strides_can_be_pressed(text: str) -> None:
    level, graph, _ = both_graphs(text)
    record = np.array([level.record])
    rows, keys = np.empty((256, graph.states[0].size), np.uint64), np.empty(256, np.int64)
    least: dict[tuple[int, int], int] = {}
    for before, after, cost in graph.moves:
        least[before, after] = min(cost, least.get((before, after), cost))
    for (before, after), cost in least.items():
        state = graph.states[before].copy()
        count = unfold_move(record, state, graph.states[after], rows, keys)
        assert total_cost(record, state, keys[:count]) == cost == count
        assert np.array_equal(state, graph.states[after])


def test_fewer_states_are_reached() -> None:
    level = STRIDES.format.find("hard/5")[0]
    searches = [
        Exploration(puzzle, np.array([puzzle.format.find("hard/5")[0].record]))
        for puzzle in (STRIDES, STEPS)
    ]
    for search in searches:
        search.run(to_solution=False)
    assert searches[0].solved and searches[1].moves == level.optimum
    assert 5 * searches[0].unique < searches[1].unique


def test_several_characters_go_step_by_step() -> None:
    text = "######\n#1 2%#\n######\n"
    graphs = [explored(puzzle, puzzle.format.find(text)[0]) for puzzle in (STRIDES, STEPS)]
    assert graphs[0] is not None and graphs[1] is not None
    assert graphs[0].moves == graphs[1].moves


def test_pushes_have_no_strides() -> None:
    with pytest.raises(TypeError, match="strides are made of keys"):
        FloorFormat(strides=True)

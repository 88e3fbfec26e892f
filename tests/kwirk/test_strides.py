"""Whole moves of a walk and a push: they lose no solution, cost what they say, can be pressed."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from puzzle_envs.kwirk import STEPS
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.paths import follow, unfold_move
from tests.graphs import Graph, small_graph
from tests.kwirk.boards import boards


def both_graphs(text: str) -> tuple[Graph, Graph]:
    """By strides and by steps."""
    records = np.array([STEPS.format.find(text)[0].record])
    by_steps = small_graph(STEPS, records[0])
    return Graph(STEPS, STEPS.planned(records)[0]), by_steps


@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=1))
def test_strides_cost_as_much_as_steps(text: str) -> None:
    by_strides, by_steps = both_graphs(text)
    costs = {
        state.tobytes(): cost
        for state, cost in zip(by_steps.states, by_steps.distances, strict=True)
    }
    for state, cost in zip(by_strides.states, by_strides.distances, strict=True):
        assert costs[state.tobytes()] == cost


@settings(deadline=None)
@given(boards(max_width=7, max_height=6, max_characters=1))
def test_strides_can_be_pressed(text: str) -> None:
    graph, _ = both_graphs(text)
    rows, keys = np.empty((256, graph.states[0].size), np.uint64), np.empty(256, np.int64)
    least: dict[tuple[int, int], int] = {}
    for before, after, cost in graph.edges.tolist():
        least[before, after] = min(cost, least.get((before, after), cost))
    for (before, after), cost in least.items():
        state = graph.states[before].copy()
        count = unfold_move(graph.levels, state, graph.states[after], rows, keys)
        assert follow(graph.levels, state, keys[:count]) == cost == count
        assert np.array_equal(state, graph.states[after])


def test_fewer_states_are_reached() -> None:
    level = STEPS.format.find("hard/5")[0]
    by_steps = np.array([level.record])
    searches = [Exploration(STEPS, STEPS.planned(by_steps)), Exploration(STEPS, by_steps)]
    for search in searches:
        search.run(to_solution=False)
    assert searches[0].solved and searches[1].moves == level.optimum
    assert 5 * searches[0].unique < searches[1].unique


def test_several_characters_go_step_by_step() -> None:
    by_strides, by_steps = both_graphs("######\n#1 2%#\n######\n")
    assert np.array_equal(by_strides.edges, by_steps.edges)

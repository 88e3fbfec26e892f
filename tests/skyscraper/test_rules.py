"""The compiled rules against the plain-Python twin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents.environments import make_env
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.states.exploration import Exploration
from tests.skyscraper.boards import Board, boards
from tests.skyscraper.twin import Twin
from tests.walks import choices


def make(*grids: Board) -> PuzzleEnv:
    """An environment of these grids with the mask of the first, without wrappers."""
    texts = ["\n".join(board.rows) + "\n" for board in grids]
    levels = [f"; name: {number}\n{text}" for number, text in enumerate(texts)]
    return make_env("Skyscraper-v0", levels=levels, mask=grids[0].mask)


def assert_same(info: dict[str, Any], planes: np.ndarray, twin: Twin) -> None:
    """Everything the environment shows is what the twin says."""
    assert info["action_mask"].tolist() == twin.mask_of_actions()
    np.testing.assert_array_equal(planes, np.array(twin.planes()))
    assert (info["solved"], info["lost"]) == (twin.solved, twin.lost)
    assert info["fitness"] == twin.fitness


def play(env: PuzzleEnv, twin: Twin, picks: list[int]) -> None:
    """Drive both; every third pick is any action of the space, legal or not."""
    planes, info = env.reset(options={"level": 0})
    assert_same(info, planes, twin)
    moves, anything = 0, replace(twin, mask="writes")  # the same grid
    for turn, pick in enumerate(picks):
        legal = twin.legal()
        if not legal:
            return
        action = 37 * pick % env.action_space.n if turn % 3 == 2 else legal[pick % len(legal)]
        possible = action in anything.legal()
        if possible:
            moves += anything.act(int(action))
        planes, reward, terminated, _, info = env.step(int(action))
        assert info["illegal"] == (not possible)
        assert (reward, info["moves"]) == (-1, moves)
        assert terminated == twin.solved
        assert_same(info, planes, twin)


def fewest_writes(twin: Twin) -> int:
    """The cells in which the nearest solution is another grid."""
    return min(
        sum(now != then for now, then in zip(sum(twin.grid(), ()), sum(grid, ()), strict=True))
        for grid in twin.solutions()
    )


@given(boards(), choices())
@settings(max_examples=150, deadline=None)
def test_random_play_agrees_with_the_twin(board: Board, picks: list[int]) -> None:
    play(make(board), Twin.from_rows(board.rows, mask=board.mask), picks)


@given(boards(), boards(), choices(max_size=30))
@settings(max_examples=50, deadline=None)
def test_a_padded_grid_plays_as_it_does_alone(board: Board, other: Board, picks: list[int]) -> None:
    largest = max(len(one.rows) - 2 for one in (board, other))
    twin = Twin.from_rows(board.rows, mask=board.mask, largest=largest)
    play(make(board, other), twin, picks)


@given(boards(max_size=4), choices(max_size=20))
@settings(max_examples=60, deadline=None)
def test_search_from_anywhere_finds_a_solution_or_proves_that_there_is_none(
    board: Board, picks: list[int]
) -> None:
    """Also where a player has written wrong heights: they can be overwritten."""
    env, twin = make(board), Twin.from_rows(board.rows, mask="writes")
    _, info = env.reset()
    for pick in picks:
        legal = np.flatnonzero(info["action_mask"])
        if legal.size:
            action = int(legal[pick % legal.size])
            info = env.step(action)[4]
            twin.act(action)
    solutions = twin.solutions()
    search = Exploration(env.puzzle, env.record, np.array(env.get_state().words, np.uint64))
    search.run()
    assert search.solved == (bool(solutions) or twin.solved)
    if not search.solved:
        return
    for action in search.actions():
        info = env.step(action)[4]
    assert info["solved"] or not search.actions()
    fewest = fewest_writes(twin)
    assert search.moves >= fewest
    if search.proves_optimum:
        assert search.moves == fewest


@given(boards(max_size=5), choices(max_size=10))
@settings(max_examples=40, deadline=None)
def test_only_states_are_valid(board: Board, picks: list[int]) -> None:
    env = make(board)
    _, info = env.reset()
    for pick in picks:
        legal = np.flatnonzero(info["action_mask"])
        if not legal.size:
            return
        info = env.step(int(legal[pick % legal.size]))[4]
        state = env.get_state()
        last = len(state.words) - 1
        with pytest.raises(ValueError, match="is not a state of"):
            env.set_state(state._replace(words=(*state.words[:last], state.words[last] + 1)))
        env.set_state(state)


def test_a_misspelt_mask_is_refused() -> None:
    with pytest.raises(
        ValueError, match="mask must be one of writes, consistent, empty, not 'write'"
    ):
        gymnasium.make("Skyscraper-v0", mask="write")


def test_a_full_grid_of_wrong_givens_is_lost() -> None:
    rows = ["  1 . .", ". 1 2 3 .", ". 2 3 1 .", ". 3 1 2 .", "  . . ."]
    env = gymnasium.make("Skyscraper-v0", level="\n".join(rows) + "\n")
    _, info = env.reset()
    assert info["lost"] and not info["action_mask"].any()

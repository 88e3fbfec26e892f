"""The compiled rules against the plain-Python twin."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents.environments import make_env
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao.keys import has_key, key_of_state, mirror_image, state_of_key
from puzzle_envs.hua_rong_dao.level import METRICS, BoxFormat, pieces_of
from tests.graphs import moves_from
from tests.hua_rong_dao.boards import Board, boards, default_boards, lettered_boards
from tests.hua_rong_dao.twin import EMPTY
from tests.walks import choices, play, random_walk


def level_text(board: Board) -> str:
    """The level file of a box."""
    lines = list(board.rows)
    if board.goal is not None:
        letter, row, column = board.goal
        lines.insert(0, f"; goal: {letter} {row + 1} {column + 1}")
    return "\n".join(lines) + "\n"


def make(board: Board) -> PuzzleEnv:
    """An environment of one box, without wrappers."""
    assume(any(EMPTY in row for row in board.rows))
    return make_env("HuaRongDao-v0", level_text(board), metric=board.metric)


@given(boards(), choices())
@settings(max_examples=400, deadline=None)
def test_random_play_agrees_with_the_twin(board: Board, picks: list[int]) -> None:
    play(make(board), board.twin(), picks)


@given(lettered_boards(), boards(), choices())
@settings(max_examples=100, deadline=None)
def test_a_padded_box_plays_as_it_does_alone(other: Board, board: Board, picks: list[int]) -> None:
    assume(all(any(EMPTY in row for row in one.rows) for one in (other, board)))
    levels = [level_text(board), level_text(other)]
    env = make_env("HuaRongDao-v0", levels=levels, metric=board.metric)
    twin = board.twin(stride=max(board.width, other.width))
    play(env, twin, picks)


@given(boards(), choices(max_size=20))
@settings(max_examples=150, deadline=None)
def test_whole_moves_are_those_of_the_twin(board: Board, picks: list[int]) -> None:
    """From a state in the midst of play: each result once, reached by the unfolded actions."""
    env, twin = make(board), board.twin()
    for action, _ in random_walk(twin, picks):
        env.step(action)
    expected = sorted(str(after.rows()) for _, after in twin.whole_moves())
    found = []
    state = np.array(env.get_state().words, np.uint64)
    for actions in moves_from(env.puzzle, env.record, state):
        other = twin.copy()
        for action in actions:
            other.act(action)
        found.append(str(other.rows()))
    assert sorted(found) == expected


@given(boards())
@settings(max_examples=200, deadline=None)
def test_written_and_read_again(board: Board) -> None:
    assume(any(EMPTY in row for row in board.rows))
    format = BoxFormat(board.metric)
    level = format.find(level_text(board))[0]
    assert format.find(format.text(level))[0].record == level.record


@given(default_boards())
@settings(max_examples=200, deadline=None)
def test_keys_say_the_same_as_states(board: Board) -> None:
    assume(any(EMPTY in row for row in board.rows))
    record = BoxFormat().find(level_text(board))[0].record
    assert has_key(record)
    words = BoxFormat().words(record)
    state = record["start"][:words]
    key = key_of_state(record, state.tolist())
    np.testing.assert_array_equal(state_of_key(record, key, words), state)
    assert mirror_image(mirror_image(key)) == key
    assert len(pieces_of(record)) == sum(row.count(one) for row in board.rows for one in "SVHB")
    assert METRICS == ("move", "straight", "step")

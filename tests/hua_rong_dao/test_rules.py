"""The compiled rules against the plain-Python twin."""

from __future__ import annotations

import gymnasium
import numpy as np
from hypothesis import assume, given, settings

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao.keys import has_key, key_of_state, mirror_image, state_of_key
from puzzle_envs.hua_rong_dao.level import METRICS, BoxFormat, pieces_of
from puzzle_envs.states.exploration import Exploration
from tests.hua_rong_dao.boards import Board, boards, default_boards, lettered_boards
from tests.hua_rong_dao.twin import EMPTY, Twin
from tests.walks import choices


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
    env = gymnasium.make("HuaRongDao-v0", level=level_text(board), metric=board.metric).unwrapped
    assert isinstance(env, PuzzleEnv)
    return env


def assert_same(env: PuzzleEnv, info: dict[str, object], planes: np.ndarray, twin: Twin) -> None:
    """Everything the environment shows is what the twin says."""
    mask = np.zeros(env.action_space.n, np.int8)
    mask[twin.legal()] = 1
    np.testing.assert_array_equal(info["action_mask"], mask)
    np.testing.assert_array_equal(planes, twin.planes(*planes.shape[1:]))
    assert (info["solved"], info["lost"]) == (twin.solved, twin.lost)


def play(env: PuzzleEnv, twin: Twin, picks: list[int], planes: np.ndarray, info: object) -> None:
    """Drive both; every third pick is any action of the space, legal or not."""
    assert isinstance(info, dict)
    assert_same(env, info, planes, twin)
    moves = 0
    for turn, pick in enumerate(picks):
        legal = twin.legal()
        if not legal:
            return
        action = pick % env.action_space.n if turn % 3 == 2 else legal[pick % len(legal)]
        cost = twin.act(action) if action in legal else 0
        moves += cost
        planes, reward, terminated, _, info = env.step(int(action))
        assert info["illegal"] == (action not in legal)
        assert info["moves"] == moves
        if not twin.lost:
            assert reward == (-cost if action in legal else -1)
        assert terminated == (twin.solved or twin.lost)
        assert_same(env, info, planes, twin)


@given(boards(), choices())
@settings(max_examples=400, deadline=None)
def test_random_play_agrees_with_the_twin(board: Board, picks: list[int]) -> None:
    env = make(board)
    play(env, board.twin(), picks, *env.reset())


@given(lettered_boards(), boards(), choices())
@settings(max_examples=100, deadline=None)
def test_a_padded_box_plays_as_it_does_alone(other: Board, board: Board, picks: list[int]) -> None:
    assume(all(any(EMPTY in row for row in one.rows) for one in (other, board)))
    env = gymnasium.make(
        "HuaRongDao-v0", levels=[level_text(board), level_text(other)], metric=board.metric
    ).unwrapped
    assert isinstance(env, PuzzleEnv)
    twin = board.twin(stride=max(board.width, other.width))
    play(env, twin, picks, *env.reset(options={"level": 0}))


@given(boards(), choices(max_size=20))
@settings(max_examples=150, deadline=None)
def test_whole_moves_are_those_of_the_twin(board: Board, picks: list[int]) -> None:
    """From a state in the midst of play: each result once, reached by the unfolded actions."""
    env, twin = make(board), board.twin()
    env.reset()
    for pick in picks:
        legal = twin.legal()
        if not legal:
            break
        twin.act(legal[pick % len(legal)])
        env.step(legal[pick % len(legal)])
    expected = sorted(str(after.rows()) for _, after in twin.whole_moves())
    found = []
    state = np.array(env.get_state().words, np.uint64)
    search = Exploration(env.puzzle, env.record, state)
    for actions in search.moves_from_start():
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

"""The compiled rules against the plain-Python twin and the conformance vectors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents.environments import make_env
from puzzle_envs.env import PuzzleEnv
from tests.walks import assert_same, choices, play
from tests.zen_garden.boards import Board, Switches, boards
from tests.zen_garden.conformance import Vector, actions, read_vectors
from tests.zen_garden.twin import Twin


def level_text(rows: tuple[str, ...] | list[str], switches: Switches | None = None) -> str:
    """The level file of a board."""
    lines = [
        f"; {name.replace('_', '-')}: {'on' if value else 'off'}"
        for name, value in (switches or {}).items()
    ]
    return "\n".join([*lines, *rows]) + "\n"


def make(text: str) -> PuzzleEnv:
    """An environment of one level, without wrappers."""
    return make_env("ZenGarden-v0", text)


@given(boards(), choices())
@settings(max_examples=400, deadline=None)
def test_random_play_agrees_with_the_twin(board: Board, picks: list[int]) -> None:
    play(make(level_text(board.rows, board.switches)), board.twin(), picks)


@given(boards(max_width=16, max_height=16), boards(), choices())
@settings(max_examples=100, deadline=None)
def test_a_padded_board_plays_as_it_does_alone(
    other: Board, board: Board, picks: list[int]
) -> None:
    texts = [level_text(board.rows, board.switches), level_text(other.rows, other.switches)]
    env = make_env("ZenGarden-v0", levels=texts)
    play(env, board.twin(faces=env.action_space.n - 3), picks)


@pytest.mark.parametrize("vector", read_vectors(), ids=lambda vector: vector.name)
def test_every_conformance_vector(vector: Vector) -> None:
    env = make(level_text(vector.rows))
    for excursion in vector.excursions:
        env.reset()
        twin = Twin.from_rows(vector.rows)
        planes, info = env.reset()
        for action in actions(vector, excursion):
            twin.act(action)
            planes, _, _, _, info = env.step(action)
        assert_same(env, info, planes, twin)
        assert twin.rows() == list(excursion.rows)
        assert info["solved"] == excursion.solved

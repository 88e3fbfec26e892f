"""The compiled rules against the plain-Python twin, in both encodings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents import registry
from puzzle_agents.environments import make_env
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kwirk.level import FloorFormat
from puzzle_envs.kwirk.presses import key_presses
from puzzle_envs.states.exploration import Exploration
from tests.graphs import moves_from
from tests.kwirk.boards import boards, choices
from tests.kwirk.twin import (
    ENCODINGS,
    SWITCH,
    Encoding,
    Frame,
    Twin,
    min_pushes,
    min_steps,
    neighbour,
)
from tests.walks import replayed

IDS: dict[Encoding, str] = {"pushes": "Kwirk-v0", "steps": "KwirkSteps-v0"}

both_encodings = pytest.mark.parametrize("encoding", ENCODINGS)


def make(text: str, encoding: Encoding) -> PuzzleEnv:
    """An environment of one floor, without wrappers."""
    return make_env(IDS[encoding], text)


def assert_same(info: dict[str, Any], planes: np.ndarray, twin: Twin, encoding: Encoding) -> None:
    """Everything the environment shows is what the twin says."""
    mask = np.zeros(twin.frame.actions(encoding), np.int8)
    mask[twin.legal(encoding)] = 1
    np.testing.assert_array_equal(info["action_mask"], mask)
    np.testing.assert_array_equal(planes, twin.planes())
    assert (info["solved"], info["lost"]) == (twin.solved, twin.lost(encoding))
    if not info["lost"]:
        assert info["fitness"] == pytest.approx(twin.fitness)


def play(env: PuzzleEnv, twin: Twin, encoding: Encoding, picks: list[int]) -> None:
    """Drive both; every third pick is any action of the space, legal or not."""
    planes, info = env.reset(options={"level": 0})
    assert_same(info, planes, twin, encoding)
    cost, pushes, steps = 0, 0, 0
    for turn, pick in enumerate(picks):
        legal = twin.legal(encoding)
        if not legal:
            return
        action = pick % env.action_space.n if turn % 3 == 2 else legal[pick % len(legal)]
        outcome = twin.act(action, encoding)
        if outcome is not None:
            cost += outcome.cost
            steps += outcome.steps
            pushes += outcome.cost if encoding == "pushes" else _pushes(twin, action)
            twin = outcome.twin
        planes, reward, terminated, _, info = env.step(int(action))
        assert info["illegal"] == (outcome is None)
        assert (info["moves"], info["pushes"], info["steps"]) == (cost, pushes, steps)
        if not twin.lost(encoding):
            assert reward == (-1 if outcome is None else -outcome.cost)
        assert terminated == (twin.solved or twin.lost(encoding))
        assert_same(info, planes, twin, encoding)


def _pushes(twin: Twin, key: int) -> bool:
    """Whether a block or an arm is where a legal key leads."""
    if key == SWITCH:
        return False
    row, column = neighbour(twin.characters[0].cell, key)
    block, *arms = twin.planes()[[3, 7, 8, 9, 10], row, column]
    return bool(block or any(arms))


@both_encodings
@given(text=boards(), picks=choices())
@settings(max_examples=120, deadline=None)
def test_random_play_agrees_with_the_twin(encoding: Encoding, text: str, picks: list[int]) -> None:
    play(make(text, encoding), Twin.from_text(text), encoding, picks)


FULL = """
####################
#1 aa b c d ee f g #
# O   O            #
#h i j k  l m n o  #
#     O    O       #
# p q rr s t u v ww#
#    O             #
#x y z A B C D E F #
#    O     O    O  #
#G H I J K L M N P #
# O                #
#Q R S T U V W     #
#                  #
#   2          O  %#
####################
"""
"""As many blocks as there are letters for."""


@both_encodings
@given(picks=choices())
@settings(max_examples=20, deadline=None)
def test_a_floor_of_48_blocks_plays_as_the_twin(encoding: Encoding, picks: list[int]) -> None:
    env = make(FULL, encoding)
    level = env.puzzle.format.find(FULL)[0]
    assert (int(level.record["blocks"]), env.puzzle.format.words(level.record)) == (48, 10)
    assert env.puzzle.format.write(level.record) == FULL.strip().split("\n")
    play(env, Twin.from_text(FULL), encoding, picks)


@pytest.mark.parametrize("agent", ["astar", "bfs", "kwirk-layers-astar", "kwirk-fringe-paper"])
def test_a_floor_of_many_blocks_is_solved(agent: str) -> None:
    text = FULL.replace("2", " ").replace("%", " ")
    text = text.replace("#1 aa b", "#1aa  b").replace("# O   O   ", "##%   O   ", 1)
    env = make(text, "pushes")
    env.set_state(env.get_state())
    result = registry.make(agent).solve(env)
    assert (result.status, result.moves) == ("solved", 1)


@both_encodings
@given(text=boards(), other=boards(), picks=choices(max_size=30))
@settings(max_examples=40, deadline=None)
def test_a_padded_floor_plays_as_it_does_alone(
    encoding: Encoding, text: str, other: str, picks: list[int]
) -> None:
    env = make_env(IDS[encoding], levels=[text, other])
    one, two = Twin.from_text(text).frame, Twin.from_text(other).frame
    frame = Frame(*(max(sizes) for sizes in zip(one, two, strict=True)))
    play(env, Twin.from_text(text, frame), encoding, picks)


@given(text=boards(max_width=7, max_height=7, max_characters=2))
@example(text="######\n# 1^ #\n# <*>#\n#% ` #\n######\n")  # a push that looks like none
@settings(max_examples=70, deadline=None)
def test_search_finds_the_optima_of_the_twin(text: str) -> None:
    twin = Twin.from_text(text)
    optima: dict[Encoding, int | None] = {"pushes": min_pushes(twin), "steps": min_steps(twin)}
    for encoding, optimum in optima.items():
        env = make(text, encoding)
        search = Exploration(env.puzzle, env.record)
        search.run()
        assert search.solved == (optimum is not None)
        if optimum is not None:
            assert (search.moves, search.proves_optimum) == (optimum, True)
            assert replay(env, search.actions())["moves"] == optimum


LEAVES_FIRST = """\
#######
#2a1  #
####%##
#######
"""
"""Who is at the exit has to leave before the last push, which takes his place."""
STAYS_FIRST = """\
########
#1 a2 3#
##%##b##
#      #
########
"""


@given(text=boards(max_width=6, max_height=5, max_characters=4))
@example(text=LEAVES_FIRST)
@example(text=STAYS_FIRST)
@settings(max_examples=60, deadline=None)
def test_several_characters_need_as_few_pushes_as_the_twin(text: str) -> None:
    """Rooms hold characters, and who can leave waits: the same solutions, and as short."""
    optimum = min_pushes(Twin.from_text(text))
    env = make(text, "pushes")
    search = Exploration(env.puzzle, env.record)
    search.run()
    assert (search.moves if search.solved else None) == optimum
    if search.solved:
        assert replay(env, search.actions())["moves"] == optimum


def replay(env: PuzzleEnv, actions: list[int]) -> dict[str, Any]:
    """Play a solution from the beginning; return its last info."""
    env.reset()
    return replayed(env, actions)


@given(text=boards(max_characters=3), picks=choices(max_size=15))
@settings(max_examples=70, deadline=None)
def test_whole_moves_unfold_from_wherever_play_stands(text: str, picks: list[int]) -> None:
    """Each whole move is played by its actions, and costs what they cost."""
    for encoding in ENCODINGS:
        env = make(text, encoding)
        _, info = env.reset()
        for pick in picks:
            legal = np.flatnonzero(info["action_mask"])
            if legal.size:
                info = env.step(int(legal[pick % legal.size]))[4]
        stand = env.get_state()
        moves = moves_from(env.puzzle, env.record, np.array(stand.words, np.uint64))
        keys = set()
        for actions in moves:
            env.set_state(stand)
            cost = 0.0
            for action in actions:
                _, reward, _, _, info = env.step(action)
                assert not info["illegal"]
                cost -= reward if not info["lost"] else 0
            assert cost in (0, 1) or info["lost"]
            keys.add(env.state_key())
        assert len(keys) == len(moves)


@both_encodings
@given(text=boards(), picks=choices(max_size=25))
@settings(max_examples=40, deadline=None)
def test_every_state_of_play_is_valid(encoding: Encoding, text: str, picks: list[int]) -> None:
    env = make(text, encoding)
    _, info = env.reset()
    for pick in picks:
        legal = np.flatnonzero(info["action_mask"])
        if not legal.size:
            break
        info = env.step(int(legal[pick % legal.size]))[4]
        state = env.get_state()
        assert env.set_state(state)[1]["action_mask"].tolist() == info["action_mask"].tolist()
        spare = state._replace(words=(state.words[0] ^ 1 << 62 + pick % 2, *state.words[1:]))
        with pytest.raises(ValueError, match="is not a state of"):
            env.set_state(spare)
        inside_a_wall = state._replace(words=(state.words[0] & ~1023 | 1, *state.words[1:]))
        with pytest.raises(ValueError, match="is not a state of"):
            env.set_state(inside_a_wall)
        env.set_state(state)


@given(text=boards())
@settings(max_examples=100, deadline=None)
def test_written_and_read_again(text: str) -> None:
    format = FloorFormat()
    level = format.find(text)[0]
    assert sorted(format.write(level.record)) == sorted(text.strip("\n").split("\n"))
    assert format.find(format.text(level))[0].record == level.record


def assert_unfolds(pushes: PuzzleEnv, steps: PuzzleEnv, actions: list[int]) -> None:
    """Play a solution in pushes, each action as key presses in the other encoding."""
    pushes.reset()
    keys = key_presses(pushes.record, pushes.get_state().words, actions)
    info = replay(steps, keys)
    told = replay(pushes, actions)
    assert (info["pushes"], info["steps"]) == (told["pushes"], told["steps"])


@given(text=boards(max_width=8, max_height=7, max_characters=3))
@settings(max_examples=100, deadline=None)
def test_solutions_in_pushes_can_be_played_by_keys(text: str) -> None:
    env = make(text, "pushes")
    search = Exploration(env.puzzle, env.record)
    search.run(3000)
    if search.solved:
        assert_unfolds(env, make(text, "steps"), search.actions())

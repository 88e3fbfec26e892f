"""Each puzzle's codec: names and numbers of planes, places and actions, there and back."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from puzzle_agents.environments import make_env
from puzzle_envs.codec import Shape, at_cell, cell_and_way
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao import codec as boxes
from puzzle_envs.kwirk import codec as floors
from puzzle_envs.skyscraper import codec as grids
from puzzle_envs.zen_garden import codec as gardens
from tests.rendering.test_controls import LEVELS

ROOT = Path(__file__).parent.parent


def env_and_shape(id: str, level: str) -> tuple[PuzzleEnv, Shape]:
    env = make_env(id, level)
    return env, env.puzzle.format.shape(env.level.record)


@pytest.mark.parametrize(("id", "level"), LEVELS)
def test_every_plane_has_a_name_and_every_action_a_place_and_a_text(id: str, level: str) -> None:
    env, shape = env_and_shape(id, level)
    codec = env.puzzle.codec
    names = codec.planes(shape)
    assert len(set(names)) == len(names) == len(env.planes)
    places = codec.places(shape)
    assert len(set(places)) == len(places) == shape.actions == env.action_space.n
    assert all(-1 <= cell < shape.height * shape.width for cell, _ in places)
    assert len({codec.action_text(action, shape) for action in range(shape.actions)}) == len(places)
    keyed = codec.keys_to_action(shape)
    assert set(keyed.values()) <= set(range(shape.actions)) and len(set(keyed.values())) == len(
        keyed
    )
    usual = codec.views(shape)[0]
    assert np.array_equal(usual.planes, np.arange(env.planes.size))
    assert np.array_equal(usual.actions, np.arange(shape.actions))


def test_planes_have_the_numbers_that_their_names_say() -> None:
    shape = Shape(64, 4, 4)
    for module, name, number in (
        (gardens, "sand to rake", gardens.SAND), (gardens, "ornament", gardens.ORNAMENT),
        (gardens, "yellow leaf", gardens.LEAVES), (gardens, "monk heading north", gardens.MONK),
        (boxes, "goal piece", boxes.GOAL_PIECE), (boxes, "goal", boxes.GOAL),
        (boxes, "joined to the cell above", boxes.JOINED),
        (boxes, "block that moved last", boxes.LAST), (boxes, "it moved up", boxes.WENT),
        (floors, "block goes on below", floors.GOES_DOWN), (floors, "pivot", floors.PIVOT),
        (floors, "arm lying up", floors.ARM), (floors, "active character", floors.CHARACTER),
    ):  # fmt: skip
        assert module.PLANES[number] == name
    names = grids.CODEC.planes(shape)
    assert names[grids.HEIGHTS + 2] == "height 3" and len(names) == grids.plane_count(4)
    for side, called in enumerate(grids.SIDES):
        assert names[grids.clue_plane(4, side, 2)] == f"clue 2 at the {called}"


def test_actions_are_encoded_and_decoded() -> None:
    for action in range(200):
        assert at_cell(*cell_and_way(action)) == action
        who, cell = floors.aside_of(20, action)
        assert floors.aside_to(20, who, cell) == action
        assert (who < 0) == floors.is_push(20, action)
        place, height = grids.place_and_height(5, action)
        assert grids.writing(5, place, height + 1) == action
        assert gardens.choice_of(18, gardens.choosing(18, action)) == action
    assert (
        len(gardens.faces_of(3, 5)) == len({face.before for face in gardens.faces_of(3, 5)}) == 16
    )


DECODING = re.compile(r"\baction\)? *(//|%|>>|&)|divmod\([^)]*\baction")
"""What is done to an action's number to know what it means."""


def test_only_codecs_decode_actions() -> None:
    for folder in ("puzzle_envs", "agents/puzzle_agents"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != "codec.py":
                assert not DECODING.search(path.read_text()), path

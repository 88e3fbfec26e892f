"""Networks, the files of models, and boards seen from several sides."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.card import ModelError
from puzzle_agents.learning.model_file import Model, load_model, save_model
from puzzle_agents.learning.networks import ActionHead, Trunk, ValueHead
from puzzle_envs.codec import Shape
from tests.agents.small_models import (  # noqa: F401
    CARDS,
    SMALL,
    environment,
    same_weights_every_time,
)
from tests.sliding_tiles import PUZZLE as SLIDING_TILES

# --- networks ---------------------------------------------------------------------------------


def test_places_are_where_actions_take_place() -> None:
    garden = environment("ZenGarden-v0", level="....\n....\n....")
    places = puzzle_of("ZenGarden-v0").codec.places(Shape(17, 3, 4))
    for action in range(14):
        env = environment("ZenGarden-v0", level="....\n....\n....")
        observation, *_ = env.step(action)
        raked = garden.reset()[0][1] != observation[1]
        cell, heading = places[action]
        assert raked[divmod(cell, 4)], action
        row_wise = heading % 2 == 1
        assert raked.any(axis=1).sum() == (1 if row_wise else 3)
    assert places[14:] == [(-1, 0), (-1, 1), (-1, 2)]
    boxes = puzzle_of("HuaRongDao-v0").codec.places(Shape(80, 5, 4))
    assert boxes[4 * 7 + 2] == (7, 2)
    grids = puzzle_of("Skyscraper-v0").codec.places(Shape(64, 4, 4))
    assert grids[(2 * 4 + 3) * 4 + 1] == (11, 1)
    floors = puzzle_of("Kwirk-v0").codec.places(Shape(6 * 12, 3, 4))
    assert floors[4 * 5 + 3] == (5, 3)
    assert floors[4 * 12 + 12 + 5] == (5, 5)
    keys = puzzle_of("KwirkSteps-v0").codec.places(Shape(5, 3, 4))
    assert keys == [(-1, action) for action in range(5)]
    assert SLIDING_TILES.codec.places(Shape(3, 2, 2)) == [(-1, 0), (-1, 1), (-1, 2)]


def test_a_head_reads_each_action_at_its_place() -> None:
    """A change in one cell changes the numbers of that cell's actions and of those of no place."""
    places = [*puzzle_of("HuaRongDao-v0").codec.places(Shape(80, 5, 4)), (-1, 0)]
    head = ActionHead((8, 5, 4), places)
    features = torch.rand(1, 8, 5, 4)
    changed = features.clone()
    changed[0, :, 2, 1] += 1
    differ = (head(features.flatten(1)) != head(changed.flatten(1)))[0].numpy()
    assert set(np.flatnonzero(differ).tolist()) <= {4 * 9 + k for k in range(4)} | {80}
    assert differ[[36, 80]].all()
    assert ValueHead((8, 5, 4))(features.flatten(1)).shape == (1, 1)


def test_a_block_sees_the_whole_line() -> None:
    space = CARDS["HuaRongDao-v0"].observation_space
    for lines, reach in ((4, True), (0, False)):
        trunk = Trunk(space, channels=8, blocks=1, lines=lines)
        planes = torch.zeros(1, *space.shape)
        changed = planes.clone()
        changed[0, :, 0, 1] = 1
        differ = (trunk(planes) != trunk(changed)).reshape(8, 5, 4).any(0)
        assert bool(differ[4, 1]) == reach
        assert not differ[4, 3]
    apart = Trunk(space, channels=8, blocks=1, lines=0, reach=0)
    changed[0, :, 0, 1] = 1
    differ = (apart(torch.zeros_like(changed)) != apart(changed)).reshape(8, 5, 4).any(0)
    assert differ.nonzero().tolist() == [[0, 1]]


def test_half_the_digits_say_nearly_the_same() -> None:
    card = CARDS["ZenGarden-v0"]
    rated = []
    for half in (False, True):
        torch.manual_seed(1)
        trunk = Trunk(card.observation_space, channels=8, blocks=2, lines=4, half=half)
        places = puzzle_of("ZenGarden-v0").codec.places(Shape(19, 4, 4))
        head = ActionHead(trunk.board, places, half=half)
        rated.append(head(trunk(torch.ones(3, *card.observation_space.shape))))
        assert rated[-1].dtype == torch.float32
    assert not torch.equal(*rated)
    torch.testing.assert_close(*rated, rtol=0.05, atol=0.02)


# --- model files ------------------------------------------------------------------------------


def test_a_model_is_the_same_when_read_back(tmp_path: Path) -> None:
    for name, card in CARDS.items():
        model = Model(card)
        save_model(tmp_path / "a.model", card, model.policy.state_dict())
        again = load_model(tmp_path / "a.model")
        env = environment(
            name, levels="train/4x4" if card.width == 4 == card.height else "classics"
        )
        observation, info = env.reset()
        seen = observation[None], info["action_mask"][None]
        scores = model.scores(*seen)
        assert np.array_equal(scores, again.scores(*seen))
        assert np.isneginf(scores[seen[1] == 0]).all()
        assert np.exp(scores).sum() == pytest.approx(1)
        assert again.card == card


class Exploit:
    """Pickled, it would run a command when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {os.environ['PUZZLE_ENVS_EXPLOITED']}",)


def test_no_code_runs_from_a_model_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLE_ENVS_EXPLOITED", str(tmp_path / "exploited"))
    card = CARDS["ZenGarden-v0"]
    network = Model(card).policy.state_dict()
    for content in (network | {"weight": Exploit()}, (network, Exploit())):
        weights: Any = content
        packed = io.BytesIO()
        torch.save(weights, packed)
        with zipfile.ZipFile(tmp_path / "bad.model", "w") as parts:
            parts.writestr("model.json", json.dumps(asdict(card)))
            parts.writestr("weights.pt", packed.getvalue())
        with pytest.raises(ModelError, match="more than numbers"):
            load_model(tmp_path / "bad.model")
    assert not (tmp_path / "exploited").exists()


def test_a_file_cut_short_is_no_model(tmp_path: Path) -> None:
    path, card = tmp_path / "a.model", CARDS["ZenGarden-v0"]
    save_model(path, card, Model(card).policy.state_dict())
    whole = path.read_bytes()
    for length in range(0, len(whole), 997):
        path.write_bytes(whole[:length])
        with pytest.raises(ModelError):
            load_model(path)


# --- views ------------------------------------------------------------------------------------


@pytest.mark.parametrize("trunk", [SMALL, {"kind": "relative", **SMALL, "legal": True}])
def test_a_board_is_rated_from_the_side_that_is_asked_for(trunk: dict[str, Any]) -> None:
    env = environment("ZenGarden-v0", level="train/4x4/1")
    planes, info = env.reset()
    model = Model(replace(CARDS["ZenGarden-v0"], trunk=trunk))
    many = np.stack([planes] * 8), np.stack([info["action_mask"]] * 8)
    sides = model.sides(env.level, 10)
    assert sides.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]
    rated = model.scores(*many, sides[:8])
    assert np.array_equal(rated[0], model.scores(*many)[0])
    assert np.isneginf(rated[:, info["action_mask"] == 0]).all()
    for side, view in enumerate(model.views):
        seen, mask = planes.ravel()[view.planes].reshape(planes.shape), np.empty(19, np.int8)
        mask[view.actions] = info["action_mask"]
        alone = model.scores(seen[None], mask[None])[0]
        assert rated[side] == pytest.approx(alone[view.actions], abs=1e-5)
    assert len({tuple(row) for row in rated.round(4)}) == 8
    box = environment("HuaRongDao-v0", level="test/1-10/1").level
    assert not Model(CARDS["HuaRongDao-v0"]).sides(box, 3).any()

"""Algorithms compared on presets, and policies on boards of every size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.cli.app import main
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.learning import matrix, presets
from puzzle_agents.learning.card import Card, ModelError
from puzzle_agents.learning.generalisation import table_of, tier_of
from puzzle_agents.learning.levels import Stage, unseen_levels
from puzzle_agents.learning.model_file import Model, load_model, save_model
from puzzle_agents.learning.networks import heads_of
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.relative import RelativeTrunk
from puzzle_agents.learning.training import MODEL
from puzzle_envs.codec import Shape
from tests.agents.small_models import TINY

SIZES = {"kind": "relative", "channels": 8, "blocks": 2, "lines": 4}
GARDEN = Card("maskable-ppo", "ZenGarden-v0", {}, 11, 4, 4, 19, SIZES)


@pytest.fixture(autouse=True)
def _same_weights_every_time() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)


# --- boards of every size ---------------------------------------------------------------------


def test_what_is_seen_depends_on_distances_not_on_places() -> None:
    """Moved boards give moved features, wherever the edge is not in the way."""
    card = Card("maskable-ppo", "HuaRongDao-v0", {}, 13, 6, 6, 144, SIZES)
    trunk = RelativeTrunk(card.observation_space, channels=8, blocks=1, lines=4)
    places = puzzle_of("HuaRongDao-v0").codec.places(card.room)
    actions, value = heads_of(trunk, places)
    for name, weights in trunk.named_parameters():
        if name.endswith("bias"):  # empty cells say nothing, so that the edge is not seen
            weights.data.zero_()
    planes = torch.zeros(2, *card.observation_space.shape)
    planes[0, :5, 1, 2] = 1
    planes[1, :5, 2, 3] = 1
    features = trunk(planes)
    cells = features.reshape(2, 6, 6, 8)
    assert torch.allclose(cells[0, :5, :5], cells[1, 1:, 1:], atol=1e-5)
    assert not torch.allclose(cells[0, 1], cells[0, 4], atol=1e-3)  # it sees its row
    assert not torch.allclose(cells[0, :, 2], cells[0, :, 4], atol=1e-3)
    rated = actions(features).reshape(2, 6, 6, 4)
    assert torch.allclose(rated[0, :5, :5], rated[1, 1:, 1:], atol=1e-5)
    assert value(features).shape == (2, 1)


def test_a_policy_plays_boards_larger_than_its_own(tmp_path: Path) -> None:
    model = Model(GARDEN)
    save_model(tmp_path / "a.model", GARDEN, model.policy.state_dict())
    model = load_model(tmp_path / "a.model")
    level = puzzle_of("ZenGarden-v0").format.find_all("train/5x5")[0]
    larger = model.for_levels([level])
    assert (larger.card.height, larger.card.actions) == (5, 23)
    assert larger is model.for_levels([level])
    assert model.for_levels(puzzle_of("ZenGarden-v0").format.find_all("train/4x4")) is model
    for one, other in zip(model.policy.parameters(), larger.policy.parameters(), strict=True):
        assert torch.equal(one, other)
    env = make_env("ZenGarden-v0", level="...\n...\n...\n...\n...")
    assert PolicyAgent(model=model, width=300).solve(env).solved
    fixed = Model(replace(GARDEN, trunk={"channels": 8, "blocks": 1, "lines": 4}))
    with pytest.raises(ModelError, match="trained on boards up to 4 by 4"):
        fixed.for_levels([level])


# --- how it generalises -----------------------------------------------------------------------


def test_each_set_is_played_greedily_and_sampled_beside_searches() -> None:
    card = replace(GARDEN, training={"stages": ["5 fresh 4x4", "train/5x5+5 fresh 4x4"]})
    model = Model(card)
    trained = [tier_of(model, name, samples=2).trained for name in ("test/4x4", "test/6x6")]
    assert trained == [True, False]
    assert tier_of(Model(GARDEN), "test/4x4", samples=1).trained is None
    again = [tier_of(model, "test/4x4", samples=3, seed=1) for _ in range(2)]
    assert np.array_equal(again[0].sampled.solved, again[1].sampled.solved)
    assert again[0].greedily.solved.shape == (200, 1)
    table = table_of([("mine", model)], ["test/4x4"], ["astar"], samples=3)
    texts = [[cell.text for cell in row] for row in table.rows]
    assert [row[:3] for row in texts] == [
        ["test/4x4", "yes", "mine"],
        ["test/4x4", "", "random play"],
        ["test/4x4", "", "astar"],
    ]
    assert (texts[2][5], texts[2][-1]) == ("100.0", "1.000")
    few = table_of([("mine", model)], ["test/4x4"], ["astar"], samples=1, expansions=2)
    assert float(few.rows[2][5].text) < 50


def test_new_levels_are_none_of_any_training(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = puzzle_of("Skyscraper-v0")
    new = unseen_levels(puzzle, "40 new 6x6")
    canonical = puzzle.generator.canonical if puzzle.generator else id
    keys = {canonical(level) for level in new}
    assert len(keys) == 40
    for seed in (0, 1):
        for stage in ("40 new 6x6", "80 fresh 6x6"):
            others = Stage(puzzle, stage, seed).levels(0)
            assert not keys & {canonical(level) for level in others}
    assert [level.name for level in unseen_levels(puzzle, "test/6x6")][:1] == ["test/6x6/1"]
    card = replace(GARDEN, training={"stages": ["5 fresh 4x4"]})
    rows = table_of([("mine", Model(card))], ["12 new 4x4", "12 new 5x5"], samples=1).rows
    assert [[cell.text for cell in row[:2]] for row in rows[::2]] == [
        ["12 new 4x4", "yes"],
        ["12 new 5x5", "no"],
    ]
    assert main(["evaluate", "zen-garden-4x4", "--levels", "12 new 4x4", "--samples", "1"]) == 0
    assert "12 levels of 12 new 4x4" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--beside", "astar"], "need --by-set"),
        (["--by-set", "--beside", "asta"], "There is no agent 'asta'"),
        (["--by-set", "--beside", "skyscraper-exact"], "does not play ZenGarden-v0"),
    ],
)
def test_what_cannot_stand_beside_is_told(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "zen-garden-4x4", "--levels", "test/4x4", *arguments]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


# --- algorithms compared ----------------------------------------------------------------------


def test_a_matrix_is_trained_once_and_told_on_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = replace(TINY, stages=("20 fresh 4x4",), validation=("validation/4x4",))
    monkeypatch.setitem(presets.PRESETS, "tiny", small)
    folder, page = tmp_path / "runs", tmp_path / "docs" / "algorithms.md"
    page.parent.mkdir()

    def run(*, train: bool, algorithms: tuple[str, ...]) -> str:
        matrix.main(
            folder, preset=["tiny"], steps=400, algo=list(algorithms), seeds="0,1", page=page,
            jobs=2, train=train,
        )  # fmt: skip
        return capsys.readouterr().err

    three = ("maskable-ppo", "ppo+bfs", "a2c")
    run(train=True, algorithms=three[:2])
    models = {path: path.read_bytes() for path in folder.glob(f"*/{MODEL}")}
    assert len(models) == 4
    assert "1 of 3 cells are not trained" in run(train=False, algorithms=three)
    assert "4 of 4 runs are done" in run(train=True, algorithms=three[:2])
    assert all(path.read_bytes() == data for path, data in models.items())
    told = page.read_text()
    assert "400 actions, seeds 0, 1" in told
    assert "| maskable-ppo |" in told and "| ppo+bfs |" in told and "a2c" not in told
    assert "Probability of improvement" in told
    assert (page.parent / "images" / "algorithms-tiny.png").read_bytes().startswith(b"\x89PNG")
    cards = [load_model(path).card.training for path in models]
    assert all(card["steps"] >= 400 for card in cards)
    assert sorted("teacher" in card for card in cards) == [False, False, True, True]


@pytest.mark.parametrize(
    ("preset", "algorithm", "words"),
    [
        ("zen-garden", "ppo", "There is no preset 'zen-garden'"),
        ("kwirk", "sarsa", "sarsa"),
        ("kwirk", "dqn+astar", "dqn cannot learn from a teacher"),
        ("kwirk", "ppo+astra", "There is no agent 'astra'"),
    ],
)
def test_what_cannot_be_compared(preset: str, algorithm: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=words):
        matrix.cells_of([preset], [algorithm], [0], 100, tmp_path)


@pytest.mark.parametrize("algorithm", matrix.ALL)
@pytest.mark.parametrize("preset", presets.PRESETS)
def test_every_preset_can_be_trained_with_every_algorithm(
    preset: str, algorithm: str, tmp_path: Path
) -> None:
    (cell,) = matrix.cells_of([preset], [algorithm], [3], 1000, tmp_path)
    assert cell.runs[0].config.seed == 3
    assert cell.runs[0].config.steps == 1000


def test_a_room_of_another_size_is_another_card() -> None:
    assert GARDEN.in_room(Shape(23, 5, 5)).room == Shape(23, 5, 5)
    with pytest.raises(ModelError, match="no board of"):
        GARDEN.in_room(Shape(30, 5, 5))

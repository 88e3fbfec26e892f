"""The models that come with the package do what their cards say."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

import puzzle_agents
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.card_file import FOLDER
from puzzle_agents.learning.config import Config, write_config
from puzzle_agents.learning.evaluation import any_legal, evaluate
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.models import pretrained
from puzzle_agents.learning.presets import PRESETS
from puzzle_agents.learning.release import release
from puzzle_agents.learning.training import CONFIG, train
from puzzle_envs.level import Level

LEVELS = 40


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


MODELS = sorted(path.stem for path in FOLDER.glob("*.model"))


def test_every_model_has_its_preset() -> None:
    assert MODELS
    assert set(MODELS) <= set(PRESETS)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_does_what_its_card_says(name: str) -> None:
    """On some of the levels that its figures are about; far better than random play on them."""
    assert (FOLDER / f"{name}.model").stat().st_size < 2_000_000
    model = pretrained(name)
    training, preset = model.card.training, PRESETS[name]
    assert training["command"].startswith(f"puzzle-envs train {name} ")
    assert (training["seed"], training["longest"]) == (preset.seed, preset.longest)
    assert training["steps"] >= preset.steps
    test = training["test"]
    assert test["count"] >= 200
    assert test["interval"][0] <= test["solved"] <= test["interval"][1]
    puzzle = puzzle_of(model.card.env).configured(**model.card.options)
    levels: list[Level] = [one for name in test["levels"] for one in puzzle.format.find_all(name)]
    assert len(levels) == test["count"]
    some = levels[:: len(levels) // LEVELS]
    found, random = (
        evaluate(
            policy, puzzle, some, room=model.card.room, sides=model.sides,
            samples=test["samples"], longest=training["longest"], seed=1,
        )
        for policy in (model.scores, any_legal)
    )  # fmt: skip
    assert found.rate(10) > test["interval"][0] - 0.1
    assert found.rate(1) > random.rate(1)


def test_an_agent_finds_the_model_by_the_level() -> None:
    env = gymnasium.make("HuaRongDao-v0", level="test/1-10/1").unwrapped
    env.reset()
    result = puzzle_agents.make("maskable-ppo").solve(env)
    assert result.solved


def test_a_release_measures_and_keeps_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Config(
        env="ZenGarden-v0",
        stages=("first-steps",),
        validation=("validation/4x4",),
        steps=256,
        longest=10,
        envs=8,
        trunk={"kind": "relative", "channels": 8, "blocks": 1, "lines": 4},
        arguments={"n_steps": 16, "batch_size": 64},
    )
    model = train(small, tmp_path / "mine", "a command")
    monkeypatch.setattr("puzzle_agents.learning.release.SAMPLES", 2)
    page, more = tmp_path / "page.md", ["Kwirk-v0/test/1-3", "ZenGarden-v0/first-steps"]
    release([tmp_path / "mine"], page, more[:1], None, None, tmp_path)  # none of this environment
    release([tmp_path / "mine"], page, more, ["greedy"], 1.5, tmp_path)
    card = load_model(tmp_path / "mine.model").card
    kept = card.training
    assert kept == {**load_model(model).card.training, "hottest": 1.5, "test": kept["test"]}
    assert card.hottest == 1.5 and load_model(model).card.hottest == 4
    assert kept["test"]["levels"] == ["test/4x4"]
    text = page.read_text()
    assert "(images/curve-mine.png)" in text
    curve = (tmp_path / "images" / "curve-mine.png").read_bytes()
    assert curve == (tmp_path / "mine" / "curve.png").read_bytes()
    assert "`a command`, seed 0, 256 actions" in text
    rows = [line.split(" | ")[:3] for line in text.splitlines() if line.startswith("| ")]
    assert rows == [
        ["| set", "trained on", "who"],
        ["| test/4x4", "no", "maskable-ppo"],
        ["| test/4x4", "", "random play"],
        ["| test/4x4", "", "greedy"],
        ["| first-steps", "yes", "maskable-ppo"],
        ["| first-steps", "", "random play"],
        ["| first-steps", "", "greedy"],
    ]


@pytest.mark.parametrize(
    ("more", "beside", "words"),
    [("ZenGarden-v0/frog", "greedy", "no level or set 'frog'"),
     ("ZenGarden-v0/large", "frog", "There is no agent 'frog'")],
)  # fmt: skip
def test_a_release_is_checked_before_anything_is_measured(
    more: str, beside: str, words: str, tmp_path: Path
) -> None:
    write_config(tmp_path / CONFIG, PRESETS["zen-garden-4x4"])
    with pytest.raises(ValueError, match=words):
        release([tmp_path], tmp_path / "page.md", [more], [beside], None, tmp_path)

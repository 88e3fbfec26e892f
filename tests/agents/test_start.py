"""Training that begins with the weights of another model."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.learning.card import ModelError
from puzzle_agents.learning.card_file import MODEL, read_card
from puzzle_agents.learning.config import Config, read_config
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.run import Run
from puzzle_agents.learning.training import CONFIG, resume, train
from tests.agents.small_models import CARDS, SMALL, TINY, same_weights_every_time
from tests.agents.test_cli import error_of

__all__ = ["same_weights_every_time"]

ANY_SIZE = {"kind": "relative", **SMALL}
FIRST = replace(TINY, trunk=ANY_SIZE, steps=500)
LARGER = replace(FIRST, stages=("20 new 6x6",), validation=("validation/6x6",), steps=1_000)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a trained model, for boards of every size."""
    folder = tmp_path_factory.mktemp("first")
    train(FIRST, folder)
    return folder


def _run(config: Config, folder: Path) -> Run:
    return Run(config, folder, "", 1, lambda _: None)


def test_a_run_begins_with_the_weights_of_another_also_on_larger_boards(
    first: Path, tmp_path: Path
) -> None:
    weights = load_model(first / MODEL).policy.state_dict()
    run = _run(replace(LARGER, start=str(first)), tmp_path)
    begun = run.model.policy.state_dict()
    assert run.card.width == 6
    assert begun.keys() == weights.keys()
    assert all(torch.equal(begun[name], weights[name]) for name in weights)
    untrained = _run(LARGER, tmp_path).model.policy.state_dict()
    assert not all(torch.equal(untrained[name], weights[name]) for name in weights)


def test_its_card_says_what_was_trained_before(first: Path, tmp_path: Path) -> None:
    before = read_card(first / MODEL).training
    second = train(replace(LARGER, start=str(first)), tmp_path / "second").parent
    third = train(replace(LARGER, start=str(second)), tmp_path / "third")
    told = read_card(second / MODEL).training
    assert told["start"] == {"model": str(first), "steps": before["steps"]}
    assert told["seconds"] >= before["seconds"]
    steps = before["steps"] + told["steps"]
    assert read_card(third).training["start"] == {"model": str(second), "steps": steps}


def test_a_resumed_run_needs_no_start_and_gives_the_same_model(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = tmp_path / "moved"
    first.rename(moved)
    config = replace(LARGER, start=str(moved))
    whole = load_model(train(config, tmp_path / "whole"))
    points = _run(config, folder := tmp_path / "parts").points
    folder.mkdir()
    next(points())
    (folder / CONFIG).write_bytes((tmp_path / "whole" / CONFIG).read_bytes())
    moved.rename(first)
    parts = load_model(resume(folder))
    one, other = whole.policy.state_dict(), parts.policy.state_dict()
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert parts.card.training["start"] == whole.card.training["start"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"trunk": SMALL}, "'start': 'trunk' of {first} is "),
        ({"algorithm": "ppo"}, "'start': 'algorithm' of {first} is 'maskable-ppo', and that of"),
        ({"env": "Kwirk-v0", "stages": ("train/1-3",), "validation": ("validation/1-3",)},
         "'start': 'env' of {first} is 'ZenGarden-v0', and that of this run is 'Kwirk-v0'"),
        ({"start": "nowhere"}, "'nowhere' is neither the folder of a run nor a pretrained model"),
    ],
)  # fmt: skip
def test_another_network_is_refused_before_anything_is_written(
    changes: dict[str, Any], words: str, first: Path, tmp_path: Path
) -> None:
    config = replace(FIRST, **{"start": str(first), **changes})
    with pytest.raises(ModelError, match=re.escape(words.format(first=first))):
        train(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("start", ["x", {}, {"model": "x", "steps": "many"}, {"steps": 1}])
def test_a_card_s_start_is_checked(start: Any) -> None:
    """It may come from somebody else's file, and is added to what a run says."""
    told = {"model": "runs/first", "steps": 1}
    assert replace(CARDS["ZenGarden-v0"], training={"start": told}).training["start"] == told
    with pytest.raises(ModelError, match=r"'training\.start"):
        replace(CARDS["ZenGarden-v0"], training={"start": start})


def test_a_network_of_one_size_is_refused_for_other_boards(tmp_path: Path) -> None:
    train(replace(FIRST, trunk=SMALL), tmp_path / "first")
    config = replace(LARGER, trunk=SMALL, start=str(tmp_path / "first"))
    with pytest.raises(ModelError, match="is for boards of 4 by 4, and these levels need 6 by 6"):
        train(config, tmp_path / "run")


def test_the_command_takes_the_network_of_the_start(
    first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(tmp_path / "run")
    levels = ["--levels", "20 new 4x4", "--validation", "first-steps/1", "--steps", "1"]
    told = ["train", "ZenGarden-v0", "--start", str(first), *levels]
    assert main([*told, "--output", run]) == 0
    assert read_config(tmp_path / "run" / CONFIG).trunk == ANY_SIZE
    capsys.readouterr()
    assert main([*told, "--algo", "phs"]) == WRONG_USAGE
    assert error_of(capsys) == "phs begins with no model; leave out --start.\n"
    assert main(["train", "--resume", run, "--start", str(first)]) == WRONG_USAGE

"""Run folders, configurations and checkpoints that are wrong or damaged."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.card import Card
from puzzle_agents.learning.checkpoint import read_checkpoint
from puzzle_agents.learning.config import read_config, write_config
from puzzle_agents.learning.evaluation import evaluate
from puzzle_agents.learning.model_file import Model, load_model
from puzzle_agents.learning.scores import scores_of
from puzzle_agents.learning.training import CONFIG, resume, train
from puzzle_agents.learning.training_job import CHECKPOINT
from tests.agents.small_models import TINY
from tests.agents.test_model_files import GARDEN, NO_LISTS, NO_NUMBERS, NO_TABLES, NO_TEXTS, saved


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder with a checkpoint."""
    folder = tmp_path_factory.mktemp("run") / "run"
    train(replace(TINY, steps=128), folder, threads=1)
    return folder


WRONG_CONFIGS: list[tuple[str, Any]] = [
    *((key, value) for key in ("steps", "longest", "envs") for value in NO_NUMBERS),
    *(("evaluate_every", value) for value in NO_NUMBERS),
    *(("seed", value) for value in ("0", None, -1, 2**32, 1.0)),
    *((key, value) for key in ("env", "algorithm", "reward") for value in NO_TEXTS),
    *((key, value) for key in ("options", "trunk", "arguments") for value in NO_TABLES),
    *(("stages", value) for value in NO_LISTS),
    *(("validation", value) for value in NO_LISTS),
    ("threshold", "high"),
    ("half", 1),
    ("trunk", {"channels": 0}),
    ("reward", "taught"),
    ("arguments", {"n_steps": [1]}),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), WRONG_CONFIGS)
def test_a_configuration_that_is_wrong_names_the_field(
    field: str, value: Any, tmp_path: Path
) -> None:
    path = tmp_path / "config.json"
    write_config(path, TINY)
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(ValueError) as error:  # noqa: PT011 (its words are looked at)
        read_config(path)
    said = str(error.value)
    assert str(path) in said and f"'{field}" in said and said.endswith(".")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"policy_kwargs": 1}, "no argument 'policy_kwargs'"),
        ({"n_steps": "x"}, "'n_steps' of maskable-ppo cannot be 'x'"),
        ({"n_steps": 16.5}, "'n_steps' of maskable-ppo cannot be 16.5"),
        ({"n_steps": 0}, "'n_steps' of maskable-ppo cannot be 0"),
        ({"batch_size": 1}, "'batch_size' of maskable-ppo cannot be 1"),
        ({"n_steps": 10**12}, "rejects the arguments"),
    ],
)
def test_arguments_of_an_algorithm_that_are_wrong(
    arguments: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=words):
        train(replace(TINY, arguments=arguments), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def put(key: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda told: told | {key: value}


def remembered(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    """What the optimizer keeps of the first weight is another."""

    def made(told: dict[str, Any]) -> Any:
        state = told["optimizer"]["state"]
        return told | {"optimizer": {"state": state | {0: change(state[0])}, "param_groups": []}}

    return made


@pytest.mark.parametrize(
    "change",
    [
        *(put("steps", value) for value in ("x", None, -1, 1.5, 10**18)),
        *(put("stage", value) for value in (None, 2, -1, True)),
        *(put("curve", value) for value in (None, 3, [[1, 2]], [["x"] * 6], [[-1, 0, 0, 0, 0, 0]])),
        *(put("curve", [[128, 0, 0.5, 0.5, 1.0, value]]) for value in (float("nan"), "x", -1.0)),
        *(put("seconds", value) for value in ("x", float("inf"))),
        *(put("policy", value) for value in (*NO_TABLES, {}, {"a": torch.zeros(2)})),
        *(put("optimizer", value) for value in (*NO_TABLES, {}, {"state": []})),
        put("optimizer", {"state": {99: {}}}),
        put("surprise", 1),
        remembered(lambda one: {}),
        remembered(lambda one: one | {"exp_avg": torch.zeros(2)}),
        remembered(lambda one: one | {"exp_avg": one["exp_avg"] * torch.nan}),
        remembered(lambda one: one | {"step": "x"}),
        remembered(lambda one: one | {"more": torch.zeros(2)}),
        lambda told: [told],
        lambda told: {key: value for key, value in told.items() if key != "steps"},
    ],
)
def test_a_checkpoint_that_is_wrong_is_refused(change: Callable[[Any], Any], run: Path) -> None:
    path = run / CHECKPOINT
    before = path.read_bytes()
    told = torch.load(path, weights_only=True)
    policy = model_of_run(run)
    assert read_checkpoint(path, policy, 2).steps == 128
    path.write_bytes(saved(change(told)))
    try:
        with pytest.raises(ValueError, match=f"{path} is not a checkpoint of this run"):
            read_checkpoint(path, policy, 2)
    finally:
        path.write_bytes(before)


def model_of_run(run: Path) -> Any:
    model = load_model(run / "policy.model")
    return model.policy


def test_a_run_s_files_from_anybody(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data, words in (
        (CONFIG, b"[" * 100_000, "is nested more than"),
        (CONFIG, b"\xff", "not text in UTF-8"),
        (CONFIG, b"{}" + b" " * 2**21, "larger than 1 MiB"),
        (CHECKPOINT, b"", "is not a checkpoint"),
        (CHECKPOINT, pickle.dumps({"steps": 3}), "is not a checkpoint"),
    ):
        before = (run / name).read_bytes()
        (run / name).write_bytes(data)
        try:
            assert main(["train", "--resume", str(run)]) == WRONG_USAGE
        finally:
            (run / name).write_bytes(before)
        said = capsys.readouterr().err.splitlines()[-1]
        assert words in said and str(run / name) in said
    assert resume(run).exists()


@pytest.mark.parametrize(
    "env", ["ZenGarden-v0", "HuaRongDao-v0", "Kwirk-v0", "KwirkSteps-v0", "Skyscraper-v0"]
)
def test_every_set_can_be_trained_on(env: str) -> None:
    """The boards of each set, of which some are wide and others high, are a model's."""
    form = puzzle_of(env).format
    for name in form.sets():
        shape = form.joint_shape([form.shape(level.record) for level in form.find(name)])
        planes = len(form.codec.planes(shape))
        card = Card("ppo", env, {}, planes, shape.height, shape.width, shape.actions, GARDEN.trunk)
        assert len(card.puzzle.codec.places(card.room)) == shape.actions
    if env == "ZenGarden-v0":
        model = Model(Card("ppo", env, {}, 11, 7, 8, 31, GARDEN.trunk))
        level = form.find("mixed")[:1]
        assert evaluate(model.scores, puzzle_of(env), level, room=model.card.room, longest=3)


def test_scores_of_models_by_their_folders(run: Path) -> None:
    scores = scores_of([str(run), str(run / "policy.model")], ["first-steps/1"], samples=3, seed=0)
    assert [score.levels for score in scores] == [1, 1, 1]

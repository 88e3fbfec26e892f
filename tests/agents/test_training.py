"""Training: what teaches, what a run writes, and what interrupts it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.config import read_config, write_config
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.run import Run
from puzzle_agents.learning.solutions import SolutionVecEnv
from puzzle_agents.learning.training import MODEL, resume, train
from puzzle_agents.learning.training_job import CHECKPOINT
from puzzle_agents.learning.vec_env import to_sb3
from puzzle_envs.skyscraper.exact import solve
from puzzle_envs.skyscraper.level import clues_of, givens_of
from tests.agents.small_models import TINY, environment, same_weights_every_time  # noqa: F401


def test_a_teacher_rewards_what_agrees_with_the_solution_and_ends_what_does_not() -> None:
    levels = puzzle_of("Skyscraper-v0").format.find_all("train/4x4")[:5]
    vec_env = to_sb3(
        gymnasium.make_vec(
            "Skyscraper-v0", 8, levels=levels, autoreset_mode="SameStep", max_episode_steps=30
        )
    )
    taught = SolutionVecEnv(vec_env, levels)
    solutions = {
        level.name: np.array(solve(4, clues_of(level.record), givens_of(level.record)), int).ravel()
        for level in levels
    }
    taught.seed(3)
    planes: Any = taught.reset()
    random, solved, mistakes = np.random.default_rng(0), 0, 0
    for _ in range(200):
        before = heights_of(planes)
        shown = np.stack([solutions[name] for name in vec_env.puzzle_env.level_names])
        cells = [int(random.choice(np.flatnonzero(row == 0))) for row in before]
        heights = shown[np.arange(8), cells]
        wrong = random.random(8) < 0.05
        heights[wrong] = heights[wrong] % 4 + 1
        planes, rewards, dones, infos = taught.step(4 * np.array(cells) + heights - 1)
        assert rewards == pytest.approx(np.where(wrong, -0.25, 0.25))
        assert dones[wrong].all()
        for index in np.flatnonzero(dones):
            last = heights_of(infos[index]["terminal_observation"][None])[0]
            assert last[cells[index]] == heights[index]
            assert infos[index]["is_success"] == (last == shown[index]).all() == (not wrong[index])
            assert (heights_of(planes)[index] == 0).any()
        assert np.array_equal(taught.env_method("action_masks"), vec_env.puzzle_env.action_masks())
        solved, mistakes = solved + int((dones & ~wrong).sum()), mistakes + int(wrong.sum())
    assert min(solved, mistakes) > 20
    floors = to_sb3(gymnasium.make_vec("Kwirk-v0", 1, autoreset_mode="SameStep"))
    with pytest.raises(ValueError, match="Kwirk has no solutions to teach"):
        SolutionVecEnv(floors, [])
    flat = to_sb3(
        gymnasium.make_vec("Skyscraper-v0", 1, observation="flat", autoreset_mode="SameStep")
    )
    with pytest.raises(ValueError, match="use observation="):
        SolutionVecEnv(flat, [])


def heights_of(planes: np.ndarray) -> np.ndarray:
    """The heights that are seen of some 4x4 grids, (n, 16)."""
    heights: np.ndarray = np.einsum("k,nkc->nc", np.arange(1, 5), planes[:, 2:6].reshape(-1, 4, 16))
    return heights


def test_a_run_writes_all_that_it_should(tmp_path: Path) -> None:
    path = train(TINY, tmp_path, "a command")
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[0].startswith("steps,stage,training,validation")
    assert len(rows) >= 4
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.glob("tensorboard/*/events.out.tfevents.*"))
    assert read_config(tmp_path / "config.json") == TINY
    model = load_model(path)
    assert model.card.training["command"] == "a command"
    assert model.card.training["steps"] >= 2000
    with pytest.raises(FileExistsError, match="already holds a run; resume it with --resume "):
        train(TINY, tmp_path)
    before = path.read_bytes()
    said: list[str] = []
    assert resume(tmp_path, say=said.append).read_bytes() == before  # it was at its end
    assert said[-1].startswith("The run is complete: ")


def test_the_same_run_gives_the_same_model(tmp_path: Path) -> None:
    one, other = (load_model(train(TINY, tmp_path / name)) for name in "ab")
    weights = (model.policy.state_dict().values() for model in (one, other))
    assert all(torch.equal(*pair) for pair in zip(*weights, strict=True))


@pytest.mark.parametrize(
    ("threshold", "patience", "stages"),
    [
        (0.0, 100, [0, 1, 1, 1]),  # solved well enough at once
        (1.1, 100, [0, 0, 0, 0]),
        (1.1, 1, [0, 0, 1, 1]),  # no better at the second measurement
    ],
)
def test_a_curriculum_climbs_by_validation_and_never_stands_still(
    threshold: float, patience: int, stages: list[int], tmp_path: Path
) -> None:
    train(replace(TINY, threshold=threshold, patience=patience), tmp_path)
    rows = [line.split(",") for line in (tmp_path / "curve.csv").read_text().splitlines()]
    assert [int(row[1]) for row in rows[1:]] == stages
    assert {row[4] for row in rows[1:]} == {"1.0"}  # climbed: the share of its own set


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    config = replace(TINY, steps=10**8, evaluate_every=200)
    write_config(tmp_path / "config.json", config)
    code = "import sys, pathlib; from puzzle_agents.learning.training import resume; "
    code += "resume(pathlib.Path(sys.argv[1]))"
    run = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    while not (tmp_path / CHECKPOINT).exists():
        assert run.poll() is None
        time.sleep(0.1)
    time.sleep(0.3)
    run.send_signal(signal.SIGKILL)
    run.wait()
    before = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    write_config(tmp_path / "config.json", replace(config, steps=before["steps"] + 500))
    resume(tmp_path)
    after = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    assert after["steps"] >= before["steps"] + 500
    assert after["curve"][: len(before["curve"])] == before["curve"]
    assert after["optimizer"]["state"][0]["step"] > before["optimizer"]["state"][0]["step"]


@pytest.mark.parametrize(
    ("algorithm", "arguments"),
    [("maskable-ppo", TINY.arguments), ("ppo", TINY.arguments), ("a2c", {"n_steps": 16})],
)
def test_an_interrupted_run_gives_the_model_of_one_that_was_not(
    algorithm: str,
    arguments: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has gone on to the next stage in between, where levels are replaced."""
    monkeypatch.setattr("puzzle_agents.learning.run.PERIOD", 256)
    monkeypatch.setattr("puzzle_agents.learning.levels.PERIOD", 256)
    stages = ("first-steps/1", "first-steps/1+16 fresh 4x4")
    config = replace(TINY, algorithm=algorithm, arguments=arguments, stages=stages)
    write_config(tmp_path / "config.json", config)
    points = Run(config, tmp_path, "", 1, lambda sentence: None).points()
    assert [next(points).stage for _ in range(2)] == [0, 1]
    resume(tmp_path, threads=1)
    whole = train(config, tmp_path / "whole", threads=1)
    weights = (load_model(path).policy.state_dict() for path in (tmp_path / MODEL, whole))
    assert all(torch.equal(*pair) for pair in zip(*(one.values() for one in weights), strict=True))
    curves = [(one / "curve.csv").read_text().splitlines() for one in (tmp_path, whole.parent)]
    curve, other = ([line.split(",")[:-1] for line in lines] for lines in curves)  # no seconds
    assert curve == other


@pytest.mark.parametrize("algorithm", ["ppo", "a2c", "dqn"])
def test_other_algorithms(algorithm: str, tmp_path: Path) -> None:
    arguments = {
        "ppo": {"n_steps": 16, "batch_size": 64},
        "a2c": {"n_steps": 16},
        "dqn": {"learning_starts": 100},
    }[algorithm]
    config = replace(TINY, algorithm=algorithm, arguments=arguments, steps=600)
    model = load_model(train(config, tmp_path))
    env = environment("ZenGarden-v0", level="..\n..")
    assert PolicyAgent(model=model, width=100).solve(env).solved


def test_what_cannot_be_trained_leaves_nothing_behind(tmp_path: Path) -> None:
    for wrong, message in (
        (
            replace(TINY, algorithm="sarsa"),
            "'algorithm' must be one of maskable-ppo, ppo, a2c, dqn, dagger, not 'sarsa'",
        ),
        (replace(TINY, stages=("nowhere",)), "nowhere"),
        (replace(TINY, reward="much"), "'reward' must be one of"),
        (replace(TINY, algorithm="a2c"), "a2c has no argument 'batch_size'"),
    ):
        with pytest.raises(ValueError, match=message):
            train(wrong, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_configurations_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    with pytest.raises(ValueError, match="is not a run folder"):
        read_config(path)
    for text, message in (
        ("{", "is not JSON"),
        ("[]", "a table of keys and values"),
        ('{"env": "a", "speed": 3}', "There is no key 'speed'"),
        ("{}", "The key 'env' is missing"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            read_config(path)

"""puzzle-envs train and evaluate."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

from puzzle_agents.cli.app import main
from puzzle_agents.learning.config import Config, write_config
from tests.agents.small_models import TINY


def test_a_run_is_resumed_and_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(tmp_path / "config.json", TINY)
    assert main(["train", "--resume", str(tmp_path)]) == 0
    assert "policy.model" in capsys.readouterr().out
    report, once = tmp_path / "scores.md", ["--levels", "first-steps/1", "--samples", "5"]
    told = ["evaluate", str(tmp_path), str(tmp_path), *once, "--markdown", str(report)]
    assert main(told) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "1 level of first-steps/1, at most 5 episodes" in shown
    assert "maskable-ppo" in shown and "random legal actions" in shown
    rows = report.read_text().splitlines()
    assert [row.count("|") for row in rows] == [0, 0, 9, 9, 9, 9, 9]
    assert rows[4].split("|")[2:8] == rows[5].split("|")[2:8]
    assert "random" in rows[6] and "100.0 %" in rows[6]


def test_what_is_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Config, Path]] = []

    def train(config: Config, folder: Path, command: str, **_: object) -> Path:
        asked.append((config, folder))
        return folder

    monkeypatch.setattr("puzzle_agents.learning.training.train", train)
    assert main(["train", "zen-garden-4x4", "--algo", "dqn", "--seed", "3"]) == 0
    config, folder = asked[-1]
    assert (config.algorithm, config.seed) == ("dqn", 3)
    assert config.arguments == {}  # those of the preset are for maskable-ppo
    assert config.stages == ("20000 new 4x4",)
    assert folder == Path("runs/zen-garden-4x4-dqn-3")
    stages = ["--levels", "train/1-3", "--levels", "train/4-6", "--validation", "validation/1-3"]
    assert main(["train", "Kwirk-v0", *stages, "--output", str(tmp_path)]) == 0
    config, folder = asked[-1]
    assert (config.env, config.stages) == ("Kwirk-v0", ("train/1-3", "train/4-6"))
    assert folder == tmp_path

"""puzzle-envs train with --seeds and --set: runs side by side, stopped, gone on with, summed up."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

from puzzle_agents.cli.app import main
from puzzle_agents.learning.card_file import MODEL
from puzzle_agents.learning.config import read_config
from puzzle_agents.learning.model_file import load_model
from puzzle_agents.learning.sweep import SweepRun
from puzzle_agents.learning.sweep_table import runs_csv, summary
from puzzle_agents.learning.training import CONFIG, train
from puzzle_agents.learning.training_job import CHECKPOINT
from tests.agents.small_models import TINY
from tests.agents.test_cli import COMMAND

SWEEP = [
    "train", "ZenGarden-v0", "--levels", "first-steps/1", "--validation", "first-steps/1",
    "--steps", "1000", "--set", "envs=8", "--set", "batch_size=64", "--set", "evaluate_every=250",
    "--seeds", "3,4", "--set", "n_steps=16,32", "--jobs", "2",
]  # fmt: skip


def rows_of(folder: Path) -> list[dict[str, str]]:
    """What a sweep says of its runs, but for the time they took."""
    rows = list(csv.DictReader((folder / "runs.csv").read_text().splitlines()))
    for row in rows:
        del row["seconds"]
    return rows


def weights_of(run: Path) -> list[bytes]:
    """Those of its model."""
    weights = load_model(run / MODEL).policy.state_dict().values()
    return [weight.numpy().tobytes() for weight in weights]


def results(folder: Path) -> list[object]:
    """All that must be the same in every sweep: rows and models."""
    return [(row, weights_of(folder / row["run"])) for row in rows_of(folder)]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep") / "undisturbed"
    assert main([*SWEEP, "--output", str(folder)]) == 0
    return folder


def test_each_setting_is_trained_with_each_seed_as_it_would_be_alone(
    undisturbed: Path, tmp_path: Path
) -> None:
    rows = rows_of(undisturbed)
    assert [(row["n_steps"], row["seed"]) for row in rows] == [
        ("16", "3"), ("16", "4"), ("32", "3"), ("32", "4"),
    ]  # fmt: skip
    assert all(int(row["steps"]) >= 1000 and 0 <= float(row["validation"]) <= 1 for row in rows)
    last = undisturbed / rows[-1]["run"]
    assert list(last.glob("tensorboard/*/events.out.tfevents.*"))
    train(read_config(last / CONFIG), tmp_path / "alone", threads=1)
    assert weights_of(tmp_path / "alone") == weights_of(last)
    assert (tmp_path / "alone" / "curve.csv").read_text().splitlines()[-1].split(",")[:4] == (
        last / "curve.csv"
    ).read_text().splitlines()[-1].split(",")[:4]


def test_the_same_command_says_it_again_and_trains_nothing(
    undisturbed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in undisturbed.rglob("*") if path.is_file()}
    assert main([*SWEEP, "--output", str(undisturbed)]) == 0
    assert {path: path.read_bytes() for path in before} == before
    shown = capsys.readouterr()
    assert shown.err == "4 of 4 runs are done.\n"
    assert "n_steps" in shown.out and "95 %" in shown.out and "runs.csv" in shown.out


def test_stopped_and_killed_it_goes_on_with_every_run_from_its_last_checkpoint(
    undisturbed: Path, tmp_path: Path
) -> None:
    folder, temporary = tmp_path / "stopped", tmp_path / "temporary"
    temporary.mkdir()
    for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        running = subprocess.Popen(
            [*COMMAND, *SWEEP, "--output", str(folder)], stderr=subprocess.PIPE, text=True,
            env=os.environ | {"TMPDIR": str(temporary)}, start_new_session=True,
        )  # fmt: skip
        assert running.stderr is not None
        while "actions" not in (said := running.stderr.readline()):
            assert said, "it ended before"
        os.killpg(running.pid, number)
        said = running.communicate(timeout=60)[1]
        assert running.returncode == code and "Traceback" not in said, said
        assert number != signal.SIGINT or not list(temporary.glob("puzzle-envs-*"))
    assert len(list(folder.glob(f"*/{CHECKPOINT}"))) >= 1
    assert main([*SWEEP, "--output", str(folder)]) == 0
    assert results(folder) == results(undisturbed)


def test_means_and_intervals_are_over_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {0: 0.2, 1: 0.4, 2: 0.9}

    def card(path: Path) -> SimpleNamespace:
        seed = int(path.parent.name.rpartition("=")[2])
        return SimpleNamespace(training={"steps": 9, "validation": shares[seed], "seconds": 90})

    monkeypatch.setattr("puzzle_agents.learning.sweep_table.read_card", card)
    runs = [
        SweepRun(Path(f"n_steps={n},seed={seed}"), replace(TINY, seed=seed), {"n_steps": n})
        for n in (16, 32)
        for seed in shares
    ]
    faults = {"n_steps=16,seed=2": "It failed.", "n_steps=32,seed=0": "So did it."}
    faults["n_steps=32,seed=1"] = "And it."
    rows = [[cell.text for cell in row] for row in summary(runs, faults).rows]
    assert rows == [
        ["16", "2", "30.0", "20.0–40.0", "1.5"],
        ["32", "1", "90.0", "–", "1.5"],
    ]
    assert 'n_steps=16,seed=2",16,2,,,,It failed.' in runs_csv(runs, faults)


def test_a_run_that_cannot_be_trained_fails_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [word.replace("n_steps=16,32", "learning_rate=0.001,-1") for word in SWEEP]
    told[told.index("--seeds") + 1] = "3"
    assert main([*told, "--output", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "learning_rate=-1,seed=3 could not be trained: maskable-ppo rejects" in said
    good, bad = rows_of(tmp_path)
    assert int(good["steps"]) >= 1000 and good["fault"] == ""
    assert bad["steps"] == "" and "Invalid learning rate" in bad["fault"]

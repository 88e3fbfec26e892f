"""puzzle-envs train: what it says, one at a time, and how a signal ends it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.learning.config import read_config, write_config
from puzzle_agents.learning.tensors import read_tensors
from puzzle_agents.learning.training import CONFIG, MODEL
from puzzle_agents.learning.training_job import CHECKPOINT
from puzzle_agents.lock import LOCK, held
from tests.agents.small_models import TINY
from tests.agents.test_cli import COMMAND, error_of

ROLLOUT = 8 * 16
"""Actions of TINY between two updates of the network."""
PATIENCE = 120.0


class Started:
    """The command in a process of its own, whose stderr is a file."""

    def __init__(self, folder: Path, arguments: Sequence[str]) -> None:
        self.errors = folder / "stderr.txt"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [*COMMAND, *arguments], stderr=errors, stdout=subprocess.DEVNULL
            )

    def wait_for(self, words: str) -> None:
        """Until it has said so."""
        for _ in range(int(PATIENCE / 0.05)):
            if words in self.errors.read_text():
                return
            assert self.process.poll() is None, self.errors.read_text()
            time.sleep(0.05)
        raise AssertionError(self.errors.read_text())

    def end(self, number: int) -> int:
        """Send a signal and wait."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def counts(run: Path) -> int:
    told: Any = read_tensors((run / CHECKPOINT).read_bytes())
    steps: int = told["steps"]
    return steps


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_a_signal_saves_a_checkpoint_and_says_how_to_go_on(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    run = tmp_path / "a run"
    run.mkdir()
    write_config(run / CONFIG, replace(TINY, steps=100 * ROLLOUT, evaluate_every=4 * ROLLOUT))
    started = Started(tmp_path, ["train", "--resume", str(run), "--threads", "1"])
    started.wait_for(f"{4 * ROLLOUT} of")
    assert started.end(number) == code
    said = started.errors.read_text()
    assert "Generating the levels of stage 2 of 2: 20 new 4x4." in said
    assert "Traceback" not in said
    steps = counts(run)
    assert 4 * ROLLOUT <= steps < 100 * ROLLOUT
    assert steps % ROLLOUT == 0  # a rollout that was not learned from is done again
    (go_on,) = re.findall(f"Saved after {steps:,} of 12,800 actions. Resume with: (.*)", said)
    program, *again = shlex.split(go_on)
    assert (program, again) == ("puzzle-envs", ["train", "--resume", str(run), "--threads", "1"])
    assert not list(run.glob("*.part"))
    ends_at = steps + 3 * ROLLOUT
    write_config(run / CONFIG, replace(read_config(run / CONFIG), steps=ends_at))
    assert main(again) == 0
    assert counts(run) == ends_at


def test_a_second_signal_ends_it_at_once_and_leaves_whole_files(tmp_path: Path) -> None:
    """The second checkpoint is saved slowly here, so that the second signal comes meanwhile."""
    write_config(tmp_path / CONFIG, replace(TINY, steps=10**9, evaluate_every=2 * ROLLOUT))
    code = (
        "import sys, time, torch; from puzzle_agents.cli.app import main\n"
        "from puzzle_agents.learning import checkpoint\n"
        "save, saves = torch.save, []\n"
        "def slowly(told, file):\n"
        "    saves.extend(told.keys() & {'steps'})\n"
        "    if len(saves) > 1:\n"
        "        file.write(b'half'); print('HALF', file=sys.stderr, flush=True); time.sleep(60)\n"
        "    save(told, file)\n"
        "checkpoint.torch.save = slowly\n"
        "sys.exit(main(['train', '--resume', sys.argv[1]]))"
    )
    errors = tmp_path / "stderr.txt"
    with errors.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stderr=file)
    while "256 of" not in errors.read_text():
        assert process.poll() is None, errors.read_text()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    while "HALF" not in errors.read_text():
        assert process.poll() is None, errors.read_text()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    assert "Traceback" not in errors.read_text()
    assert counts(tmp_path) == 256
    assert not list(tmp_path.glob("*.part"))


def test_two_runs_do_not_write_to_one_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzle_agents.learning.run.Run", None)  # nothing is made before
    who = f"Another training run (process {os.getpid()}) is writing to {tmp_path}"
    with held(tmp_path, "training run"):
        assert main(["train", "zen-garden-4x4", "--output", str(tmp_path)]) == WRONG_USAGE
        assert who in error_of(capsys)
        write_config(tmp_path / CONFIG, TINY)
        assert main(["train", "--resume", str(tmp_path)]) == WRONG_USAGE
        assert who in error_of(capsys)
    assert main(["train", "zen-garden-4x4", "--output", str(tmp_path)]) == WRONG_USAGE
    assert "already holds a run" in error_of(capsys)
    assert {path.name for path in tmp_path.iterdir()} == {LOCK, CONFIG}


KWIRK = ["Kwirk-v0", "--validation", "validation/1-3", "--levels"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["zen-garden-4x4", "--output", "file"], "file is a file; name a folder"),
        (
            ["zen-garden-4x4", "--output", "file/below"],
            "file/below cannot be read or written: Not a directory",
        ),
        (["zen-garden-4x4", "--algo", "sarsa"], "no algorithm 'sarsa'; choose from maskable-ppo"),
        (["zen-garden-4x4", "--steps", "0"], "Invalid value for '--steps'"),
        (["zen-garden-4x4", "--steps", "9" * 5000], "Invalid value for '--steps'"),
        (["zen-garden-4x4", "--seed", str(2**32)], "Invalid value for '--seed'"),
        (["zen-garden-4x4", "--threads", "100000"], "Invalid value for '--threads'"),
        (["zen-garden-4x5"], "There is no environment 'zen-garden-4x5'"),
        (["CartPole-v1"], "'CartPole-v1' is not a puzzle environment"),
        (["zen-garden-4x4", "--levels", "0 new 4x4"], "numbers are from 1 to 1,000,000"),
        (["zen-garden-4x4", "--levels", f"{'9' * 900} new 4x4"], "numbers are from 1"),
        (["zen-garden-4x4", "--levels", "5 new 9x9"], "has no levels '9x9'; it has 4x4"),
        (["zen-garden-4x4", "--levels", "5 new 4x4 with 3 empty"], "no cells to leave empty"),
        (["zen-garden-4x4", "--levels", "train/4x4 from all sides"], "are not rotated"),
        (["zen-garden-4x4", "--levels", "nowhere"], "ZenGarden-v0 has no level or set 'nowhere'"),
        (["zen-garden-4x4", "--validation", "nowhere"], "has no level or set 'nowhere'"),
        (["zen-garden-4x4", "--levels", ""], "'stages[1]' must be a string"),
        ([*KWIRK, "5 new 1-3+nowhere"], "has no level or set 'nowhere'"),
        (["--resume", "."], "is not a run folder"),
        (["--resume", "file"], "is not a run folder"),
        (["--resume", ".", "--seed", "3"], "leave out ENV and all options"),
        (["--resume", ".", "--output", "other"], "leave out ENV and all options"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_made(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def made(*_: object, **__: object) -> None:
        raise AssertionError("too late")

    monkeypatch.setattr("puzzle_agents.learning.run.Run", made)
    monkeypatch.setattr("puzzle_agents.learning.levels.levels_of", made)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.chdir(tmp_path)
    assert main(["train", *arguments]) == WRONG_USAGE
    assert words in error_of(capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_wrong_usage_costs_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys; from puzzle_agents.cli.app import main\n"
        "for told in (['train', 'zen-garden-4x4', '--levels', 'nowhere'],\n"
        "             ['train', 'zen-garden-4x4', '--output', sys.argv[1]],\n"
        "             ['evaluate', 'nowhere.model', '--levels', 'test/4x4'],\n"
        "             ['evaluate', 'kwirk-10-19', '--levels', 'two'],\n"
        "             ['evaluate', 'kwirk-10-19', 'zen-garden-4x4', '--levels', 'test/1-3']):\n"
        "    assert main(told) == 2\n"
        "assert 'torch' not in sys.modules"
    )
    write_config(tmp_path / CONFIG, TINY)
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True)


def test_a_run_at_its_end_writes_a_model_that_is_missing(tmp_path: Path) -> None:
    write_config(tmp_path / CONFIG, replace(TINY, steps=ROLLOUT))
    told = ["train", "--resume", str(tmp_path), "--threads", "1"]
    assert main(told) == 0
    before = (tmp_path / MODEL).read_bytes()
    (tmp_path / MODEL).unlink()
    assert main(told) == 0
    assert len((tmp_path / MODEL).read_bytes()) == pytest.approx(len(before), abs=200)

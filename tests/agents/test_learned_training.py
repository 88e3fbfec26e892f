"""Training of learned search, on the command line too, and what is released."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.environments import puzzle_of
from puzzle_agents.progress_bar import ProgressBar
from puzzle_agents.search.learned import measuring, studies
from puzzle_agents.search.learned import release as release_of
from puzzle_agents.search.learned.bootstrap import Bootstrap, Settings, problem_of, sought
from puzzle_agents.search.learned.config import Config, read_config
from puzzle_agents.search.learned.model import (
    Model,
    load_model,
    model_of,
    uniform,
)
from puzzle_agents.search.learned.presets import PRESETS
from puzzle_agents.search.learned.run import CHECKPOINT, resume, train
from puzzle_agents.search.search import Problem
from tests.agents.test_cli import error_of
from tests.agents.test_learned_models import mutations, refusal
from tests.agents.test_learned_search import TILES

TINY = Config(
    env="ZenGarden-v0",
    levels=("rocks", "first-steps"),
    validation=("leaves",),
    tilings=("cell", "square after"),
    bits=12,
    budget=12,
    steps=20_000,
)


# --- training ----------------------------------------------------------------------------------


def problems(id: str, name: str) -> list[Problem]:
    puzzle = puzzle_of(id)
    return [problem_of(puzzle, level) for level in puzzle.format.find_all(name)]


def spent(problems: list[Problem], model: Model, settings: Settings) -> int:
    return sum(sought(one, model, settings, 5_000).expanded for one in problems)


@pytest.mark.parametrize(
    ("id", "train", "validation", "tilings", "algorithm", "share"),
    [
        ("ZenGarden-v0", "train/6x6", "validation/6x6", ("square", "diamond after"), "phs", 0.8),
        ("HuaRongDao-v0", "train/21-40", "validation/21-40", ("square in place",), "phs", 0.5),
        (TILES, "near", "far", ("square in place",), "levin", 0.8),
    ],
)
def test_training_saves_expansions(
    id: str,
    train: str,
    validation: str,
    tilings: tuple[str, ...],
    algorithm: str,
    share: float,
) -> None:
    if id == TILES:
        puzzle, random = puzzle_of(id), np.random.default_rng(0)
        assert puzzle.generator is not None
        levels = {
            name: [problem_of(puzzle, puzzle.generator.draw(random, name)) for _ in range(count)]
            for name, count in (("near", 40), ("far", 40))
        }
        learned, tested = levels["near"] + levels["far"][:20], levels["far"][20:]
    else:
        learned, tested = problems(id, train)[:80], problems(id, validation)[:40]
    zeros = np.zeros(1 << 14, np.float32)
    how = Settings(algorithm)
    bootstrap = Bootstrap(learned, tilings, how, 0, zeros, zeros.copy(), how.budget)
    for _ in range(2):
        assert list(bootstrap.steps())[-1] == len(learned)
    assert spent(tested, bootstrap.model, how) < share * spent(tested, uniform(), how)


def test_an_interrupted_run_gives_the_same_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    said: list[str] = []
    entries = load_model(train(TINY, whole, say=said.append)).table
    assert len(said) >= 3 and said[0].startswith("Pass 1, 12 expansions: ")
    shown = ProgressBar.show
    calls = 0

    def stop(self: ProgressBar, *arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls in (1, 70):
            raise KeyboardInterrupt
        shown(self, *arguments)

    monkeypatch.setattr(ProgressBar, "show", stop)
    with pytest.raises(KeyboardInterrupt):
        train(TINY, broken)
    with pytest.raises(KeyboardInterrupt):
        resume(broken, say=said.append)
    assert said[-1].endswith(f". Resume with: puzzle-envs train --resume {broken}")
    assert (broken / CHECKPOINT).exists()
    model = load_model(resume(broken))
    assert (model.table == entries).all()
    columns = slice(0, -1)  # without seconds
    rows = [
        [row.split(",")[columns] for row in (folder / "curve.csv").read_text().splitlines()]
        for folder in (whole, broken)
    ]
    assert rows[0] == rows[1]
    resume(broken)  # nothing is left to do
    assert (load_model(broken / "policy.model").table == entries).all()


def run_in(folder: Path, code: str, **more: Any) -> subprocess.Popen[str]:
    """A process of its own that trains or resumes there."""
    head = "from tests.agents.test_learned_training import TINY, resume, train\n"
    head += f"from pathlib import Path\nfolder = Path({str(folder)!r})\n"
    return subprocess.Popen([sys.executable, "-c", head + code], text=True, **more)


def test_a_killed_run_gives_the_same_model_and_so_does_one_core(tmp_path: Path) -> None:
    killed, alone, whole = tmp_path / "killed", tmp_path / "alone", tmp_path / "whole"
    entries = load_model(train(TINY, whole)).table
    process = run_in(killed, "train(TINY, folder)")
    deadline = time.monotonic() + 300
    while not (killed / CHECKPOINT).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()  # SIGKILL on Linux and macOS
    assert process.wait() != 0
    assert (load_model(resume(killed)).table == entries).all()
    code = "import os\nos.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
    if not hasattr(os, "sched_setaffinity"):
        code = ""
    assert run_in(alone, code + "train(TINY, folder)").wait() == 0
    assert (load_model(alone / "policy.model").table == entries).all()


@pytest.mark.parametrize(
    ("id", "teacher", "train_on", "test_on"),
    [
        ("HuaRongDao-v0", "astar", "train/21-40", "validation/21-40"),
        ("ZenGarden-v0", "astar", "train/5x5", "validation/5x5"),
        ("Kwirk-v0", "greedy", "train/7-9", "validation/7-9"),
    ],
)
def test_a_teacher_is_learned_from(
    id: str, teacher: str, train_on: str, test_on: str, tmp_path: Path
) -> None:
    config = Config(env=id, levels=(train_on,), validation=(test_on,), bits=14, teacher=teacher)
    card = load_model(train(config, tmp_path / "run")).card
    assert card is not None
    told = card.training["teacher"]
    assert (told["agent"], told["failed"]) == (teacher, 0)
    assert card.training["steps"] == told["expanded"]
    puzzle = puzzle_of(id)
    tested = [problem_of(puzzle, level) for level in puzzle.format.find_all(test_on)][:40]
    model, how = model_of(str(tmp_path / "run")), Settings()
    assert spent(tested, model, how) < spent(tested, uniform(), how)


def test_what_a_teacher_leaves_open_is_searched(tmp_path: Path) -> None:
    config = replace(TINY, levels=("train/5x5",), teacher="astar", patience=5, budget=500)
    said: list[str] = []
    train(config, tmp_path / "run", say=said.append)
    solved = re.match(r"Solutions of astar: ([0-9]+) of 1,000 levels solved", said[0])
    assert solved is not None and 0 < int(solved[1]) < 1000
    assert f" of {1000 - int(solved[1])} levels solved" in said[1]


def test_rounds_search_a_teachers_levels_again(tmp_path: Path) -> None:
    config = replace(TINY, levels=("train/5x5",), every=10, teacher="astar", patience=50, rounds=2)
    said: list[str] = []
    card = load_model(train(config, tmp_path / "run", say=said.append)).card
    assert card is not None and 0 < card.training["teacher"]["solved"] < 100
    assert [" of 100 levels solved" in sentence for sentence in said] == [True] * 3
    assert said[1].startswith("Pass 2, ") and said[2].startswith("Pass 3, ")


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_are_possible(preset: Config) -> None:
    preset.check()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"env": "Chess-v0"}, "'env'"),
        ({"levels": ("train/99x99",)}, "99x99"),
        ({"tilings": ("circle",)}, "'tilings[1]' must be one of cell"),
        ({"bits": 60}, "'bits' must be an integer from 4 to 22"),
        ({"rate": float("nan")}, "'rate' must be a number"),
        ({"teacher": "nobody"}, "nobody"),
        ({"teacher": "skyscraper-exact"}, "does not play ZenGarden-v0, so it cannot teach it"),
        ({"patience": 0}, "'patience' must be an integer"),
        ({"views": -1}, "'views' must be an integer from 0"),
        ({"rounds": -1}, "'rounds' must be an integer from 0"),
        ({"algorithm": "ppo"}, "'algorithm' must be one of phs, levin"),
    ],
)
def test_bad_configurations(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    assert said in refusal(lambda: train(replace(TINY, **changes), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_damaged_checkpoints_and_configurations(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train(replace(TINY, levels=("first-steps",), steps=1), folder)
    assert read_config(folder / "config.json").levels == ("first-steps",)
    good = (folder / CHECKPOINT).read_bytes()
    for data in mutations(good, 30):
        (folder / CHECKPOINT).write_bytes(data)
        said = refusal(lambda: resume(folder))
        assert said == "" or "is not a checkpoint of this run" in said
    (folder / "config.json").write_text('{"env": "ZenGarden-v0", "levels": 3}')
    with pytest.raises(ValueError, match=r"is not a run configuration: 'levels' must be a list"):
        resume(folder)


# --- the command line --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zen-garden", "--threads", "2"], "phs learns on one core; leave out --threads."),
        (["zen-garden", "--seeds", "0,1"], "Sweeps are for policies; train phs once for"),
        (["zen-gardn"], "There is no environment 'zen-gardn'"),
        (["Kwirk-v0"], "Give --levels and --validation for Kwirk-v0"),
        ([], "Give an environment or a preset: "),
    ],
)
def test_wrong_commands(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *arguments, "--algo", "phs"]) == WRONG_USAGE
    assert said in error_of(capsys)


def test_the_command_trains_resumes_and_solves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    levels = ["--levels", "train/4x4", "--validation", "validation/4x4", "--seed", "3"]
    command = ["train", "ZenGarden-v0", "--algo", "phs", *levels, "--output", folder]
    assert main(command) == 0
    assert "Model: " in capsys.readouterr().out
    assert main(["train", "--resume", folder]) == 0
    card = load_model(Path(folder) / "policy.model").card
    assert card is not None
    assert (card.training["seed"], card.training["validation"]) == (3, 1.0)
    solve = ["solve", "ZenGarden-v0", "test/4x4/1", "--agent", "phs", "--argument"]
    assert main([*solve, f"model={folder}"]) == 0


def test_it_needs_no_extra(tmp_path: Path) -> None:
    """Training, resuming and solving without PyTorch and Stable-Baselines3."""
    folder = str(tmp_path / "run")
    sets = ["--levels", "first-steps", "--validation", "leaves", "--steps", "1"]
    commands = [
        ["train", "ZenGarden-v0", "--algo", "phs", *sets, "--output", folder],
        ["train", "--resume", folder],
        ["solve", "ZenGarden-v0", "rocks/1", "--agent", "phs"],
    ]
    code = (
        "import sys\n"
        "for name in ('torch', 'stable_baselines3', 'sb3_contrib'):\n"
        "    sys.modules[name] = None\n"
        "from puzzle_agents.cli.app import main\n"
        f"sys.exit(any(main(command) for command in {commands!r}))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


# --- releases and studies ----------------------------------------------------------------------


def test_a_release_and_its_studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    small = replace(TINY, levels=("train/4x4",), validation=("validation/4x4",), teacher="astar")
    monkeypatch.setattr(measuring, "EXPANSIONS", 200)
    monkeypatch.setattr(release_of, "name_of", lambda puzzle: tmp_path / "zen-garden.model")
    monkeypatch.setattr(release_of, "others", lambda card: [("greedy", "greedy", {})])
    monkeypatch.setattr(release_of, "KIN", ("levin",))
    runs = [tmp_path / f"run-{seed}" for seed in (0, 1)]
    for seed, run in enumerate(runs):
        train(replace(small, seed=seed), run, f"train {seed}")
    release_of.release(runs, tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text()
    assert "200 levels of test/6x6" in page and "test/10x10" not in page
    assert "| phs, seed 1 |" in page and "| levin, its policy |" in page and "* `train 0`: " in page
    card = load_model(tmp_path / "zen-garden.model").card
    assert card is not None and card.training["test"]["count"] == 650

    monkeypatch.setattr(studies, "PRESETS", {"zen-garden": small})
    told = CliRunner().invoke(
        studies.app,
        ["ablations", "zen-garden", "validation/5x5", "--levels=9", f"--page={tmp_path}/page.md"],
    )
    assert told.exit_code == 0
    labels = re.findall(r"^\| (.*?) (?:\(|\|)", told.output, re.MULTILINE)
    assert {"phs, everything", "levin, everything", "phs, a tenth of the levels", "phs, no teacher",
            "heuristic alone"} <= set(labels)  # fmt: skip
    assert "9 levels of validation/5x5" in told.output
    page = (tmp_path / "page.md").read_text()
    assert "## Zen Puzzle Garden" in page and "## Ablations: Zen Puzzle Garden" in page
    assert "200 levels of test/6x6" in page and "9 levels of validation/5x5" in page
    monkeypatch.setattr(studies, "others", lambda config: measuring.others(config)[:1])
    told = CliRunner().invoke(studies.app, ["tiers", "zen-garden", "--levels", "1"])
    assert told.exit_code == 0
    assert "test/10x10-mixed" in told.output and "test/8x8\n" not in told.output


def test_ladders_tell_only_tiers_that_astar_does_not_solve(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring, "EXPANSIONS", 200)
    monkeypatch.setattr(studies, "PRESETS", {"zen-garden": TINY})
    told = CliRunner().invoke(studies.app, ["ladders", "--levels", "2"])
    assert told.exit_code == 0
    assert "validation/16x16 |" in told.output and "validation/4x4 " not in told.output
    assert "| ZenGarden-v0 | validation/14x14 | 2 |" in told.output


def test_ladders_restricted_to_a_tier_and_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "EXPANSIONS", 200)
    monkeypatch.setattr(studies, "PRESETS", {"zen-garden": TINY})
    few = ["ladders", "--levels", "3", "--tier", "14x14", "--seconds", "0"]
    told = CliRunner().invoke(studies.app, few)
    assert told.exit_code == 0
    assert re.findall(r"validation/(\S+) \| (\d+) \|", told.output) == [("14x14", "1")]


def test_a_network_guides_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    monkeypatch.setattr(measuring, "EXPANSIONS", 200)
    for preset, name in (("zen-garden", "validation/4x4"), ("hua-rong-dao", "validation/1-10")):
        told = CliRunner().invoke(studies.app, ["networks", preset, name, "--levels", "4"])
        assert told.exit_code == 0
        rows = re.findall(r"^\| (phs, .*?) \| (.*?)% ", told.output, re.MULTILINE)
        assert [label for label, _ in rows] == [
            "phs, the model in the package", "phs, a policy network", "phs, uniform policy",
        ]  # fmt: skip
        assert [share for _, share in rows] == ["100"] * 3

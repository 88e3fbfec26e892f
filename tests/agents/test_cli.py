"""The command puzzle-envs: help, errors in one sentence, exit codes, what it writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from puzzle_agents.cli.app import FAULT, STOPPED, WRONG_USAGE, main
from puzzle_agents.papers.comparison import Claim, Comparison, Measure, Pair, Row
from puzzle_agents.papers.hua_rong_dao import tables as hua_rong_dao
from puzzle_agents.papers.report import Report
from puzzle_agents.papers.runs import Runner
from puzzle_agents.papers.settings import Settings

COMMAND = [
    sys.executable,
    "-c",
    "import sys; from puzzle_agents.cli.app import main; sys.exit(main())",
]


def report(ours: int) -> Report:
    table = Comparison(
        "Table I", "n", (Measure("moves", claim=Claim.EQUAL),), (Row.of("1", Pair(3, ours)),)
    )
    return Report("hua-rong-dao", "A. Author, A title", (table,), ("the rest.",))


class Reproduction:
    """In the place of the paper's own: keeps the settings, returns or raises what it is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.settings: list[Settings] = []
        self.outcome: Report | BaseException = report(3)
        monkeypatch.setattr(hua_rong_dao, "reproduce", self)

    def __call__(self, settings: Settings, run: Runner) -> Report:
        self.settings.append(settings)
        settings.watch("boards", 1, 2)
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


@pytest.fixture
def reproduction(monkeypatch: pytest.MonkeyPatch) -> Reproduction:
    return Reproduction(monkeypatch)


def error_of(capsys: pytest.CaptureFixture[str]) -> str:
    """What was said on stderr: one line, no traceback."""
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and error.endswith((".\n", "?\n")), error
    assert "Traceback" not in error
    return error


# --- help -------------------------------------------------------------------------------------


def test_help_imports_nothing_that_takes_time() -> None:
    code = (
        "import sys; from puzzle_agents.cli.app import main\n"
        "assert main(['--help']) == 0 and main(['reproduce', '--help']) == 0\n"
        "slow = {'numba', 'numpy', 'gymnasium', 'pygame'} & set(sys.modules)\n"
        "assert not slow, slow"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "puzzle-envs [OPTIONS] COMMAND" in done.stdout
    assert "reproduce" in done.stdout and "--quick" in done.stdout


@pytest.mark.parametrize(
    "name", ["list", "show", "solve", "improve", "generate", "train", "evaluate", "reproduce"]
)
def test_every_command_has_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    _, examples = capsys.readouterr().out.split("Examples:")
    assert f"puzzle-envs {name}" in examples


def test_a_command_s_networks_run_on_one_thread_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a busy machine, two threads took thirty times as long as one."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("MKL_NUM_THREADS", "3")
    assert main(["--version"]) == 0
    assert (os.environ["OMP_NUM_THREADS"], os.environ["MKL_NUM_THREADS"]) == ("1", "3")


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    import puzzle_envs

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"puzzle-envs {puzzle_envs.__version__}\n"


def test_without_a_command_it_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == WRONG_USAGE
    shown = capsys.readouterr()
    assert "reproduce" in shown.out + shown.err and "Traceback" not in shown.err


def test_the_package_s_names_are_imported_when_they_are_used() -> None:
    code = (
        "import sys, puzzle_agents\n"
        "assert 'numba' not in sys.modules\n"
        "assert puzzle_agents.AStar.name == 'astar' and 'AStar' in dir(puzzle_agents)\n"
        "for name in puzzle_agents.__all__: getattr(puzzle_agents, name)\n"
        "assert not hasattr(puzzle_agents, 'Nothing')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- errors -----------------------------------------------------------------------------------


def test_faults_are_told_apart_from_wrong_usage(
    reproduction: Reproduction, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["reproduce", "hua-rong-dao", "--output", str(tmp_path)]
    for error, code in (
        (ValueError("give a folder with\n easy-1.txt"), WRONG_USAGE),
        (RuntimeError("The plan does not solve the level."), FAULT),
        (KeyboardInterrupt("Stopped."), STOPPED),
    ):
        reproduction.outcome = error
        assert main(arguments) == code
        assert " ".join(str(error).split()) in error_of(capsys)
    for error in (ValueError("a file"), RuntimeError("a fault")):
        reproduction.outcome = error
        with pytest.raises(type(error), match=str(error)):
            main([*arguments, "--debug"])
    assert list(tmp_path.iterdir()) == [], "nothing is written where something failed"


# --- reproduce --------------------------------------------------------------------------------


def test_both_files_are_written_and_the_table_is_printed(
    reproduction: Reproduction, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "folder"
    arguments = ["reproduce", "hua-rong-dao", "--quick", "--seed", "5", "--output", str(folder)]
    assert main([*arguments, "--workers", "3", "--runs", "2"]) == 0
    printed = capsys.readouterr().out
    assert "A. Author, A title" in printed and "3 / 3" in printed and "Left out" in printed
    assert sorted(path.name for path in folder.iterdir()) == [
        "hua-rong-dao.json",
        "hua-rong-dao.md",
    ]
    data = json.loads((folder / "hua-rong-dao.json").read_text(encoding="utf-8"))
    assert data["command"] == "puzzle-envs reproduce hua-rong-dao --quick --seed 5 --runs 2"
    assert (data["seed"], data["left_out"], data["broken"]) == (5, ["the rest."], [])
    (settings,) = reproduction.settings
    assert (settings.quick, settings.seed, settings.runs) == (True, 5, 2)
    assert settings.levels is None


def test_a_figure_that_should_be_the_paper_s_and_is_not(
    reproduction: Reproduction, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reproduction.outcome = report(4)
    assert main(["reproduce", "hua-rong-dao", "--output", str(tmp_path)]) == 1
    assert "Table I, 1, moves: the paper has 3, we have 4." in capsys.readouterr().out
    assert (tmp_path / "hua-rong-dao.md").is_file()


def test_the_command_as_it_is_run(tmp_path: Path) -> None:
    """In a process of its own, in the current folder."""
    done = subprocess.run(
        [*COMMAND, "reproduce", "chess"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == WRONG_USAGE and done.stdout == ""
    assert done.stderr.startswith("Invalid value for 'paper': 'chess' is not one of")

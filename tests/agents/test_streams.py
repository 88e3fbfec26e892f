"""Standard output that nobody reads, that is full or closed; disks that are full."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

from puzzle_agents.benchmark.row import append_row
from puzzle_agents.cli.app import PIPE_CLOSED, WRONG_USAGE, main
from puzzle_envs.common.files import whole_file, write_whole
from tests.agents.benchmark_rows import row
from tests.agents.test_cli import COMMAND, error_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no such streams")

LINES = [
    "--help",
    "list agents",
    "show Kwirk-v0",
    "generate ZenGarden-v0 --bin 4x4 --count 2",
    "solve ZenGarden-v0 first-steps/1",
    "solve ZenGarden-v0 --all-levels first-steps",
    "solve ZenGarden-v0 --all-levels first-steps --json",
]
FULL = Path("/dev/full")


def run(line: str, stdout: IO[bytes] | int, before: str = "") -> tuple[int, list[str]]:
    """The exit code, and the lines on stderr that do not tell of compiling."""
    shell = ["sh", "-c", f'{before} exec "$@"', "sh", *COMMAND, *line.split()]
    done = subprocess.run(shell, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    said = done.stderr.splitlines()
    return done.returncode, [one for one in said if not one.startswith("puzzle-envs: compiling")]


@pytest.mark.parametrize("line", LINES)
def test_a_pipe_that_nobody_reads_ends_it_quietly(line: str) -> None:
    with subprocess.Popen(["true"], stdin=subprocess.PIPE) as reader:
        reader.wait()
        assert reader.stdin is not None
        code, said = run(line, reader.stdin.fileno())
        assert (code, said) == (PIPE_CLOSED, [])


@pytest.mark.skipif(not FULL.exists(), reason="Linux has it")
@pytest.mark.parametrize("line", LINES)
def test_standard_output_without_room_is_said(line: str) -> None:
    with FULL.open("wb") as full:
        code, said = run(line, full)
    assert said == ["Standard output cannot be written: No space left on device."]
    assert code == WRONG_USAGE


@pytest.mark.parametrize("line", ["list", "solve ZenGarden-v0 first-steps/1", "frog"])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_that_are_closed_take_nothing_and_harm_nothing(line: str, closed: str) -> None:
    code, said = run(line, subprocess.DEVNULL, f"exec {closed};")
    assert code == (WRONG_USAGE if line == "frog" else 0)
    assert said == ([] if line != "frog" or "2" in closed else ["No such command 'frog'."])


def test_what_is_written_is_not_what_was_to_be_printed(tmp_path: Path) -> None:
    """A file that is opened where standard output was closed would get what is printed."""
    file = tmp_path / "episode.json"
    line = f"solve ZenGarden-v0 first-steps/1 --save {file}"
    assert run(line, subprocess.DEVNULL, "exec >&- 2>&-;")[0] == 0
    assert file.read_text(encoding="utf-8").startswith("{\n")


def test_an_open_pipe_that_breaks_elsewhere_is_no_silence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed(*_: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr("puzzle_agents.cli.listing._list_agents", listed)
    assert main(["list", "agents"]) == WRONG_USAGE
    assert "Broken pipe" in error_of(capsys)


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("solve ZenGarden-v0 first-steps/1 --save {}", "episode.json"),
        ("show ZenGarden-v0 first-steps/1 --picture {}", "garden.png"),
        ("generate ZenGarden-v0 --bin 4x4 --count 1 --output {}", "gardens.txt"),
        ("record ZenGarden-v0 first-steps/1 --output {}", "film.gif"),
    ],
)
def test_a_file_for_which_there_is_no_room_is_named(line: str, name: str, tmp_path: Path) -> None:
    if name == "film.gif":
        pytest.importorskip("PIL", reason="needs the bench extra")
    code, said = run(line.format(tmp_path / name), subprocess.DEVNULL, "ulimit -f 0;")
    assert said == [f"{tmp_path / name} cannot be read or written: File too large."]
    assert code == WRONG_USAGE and not list(tmp_path.iterdir())


def test_faults_name_the_file_that_was_asked_for(tmp_path: Path) -> None:
    no_room = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match="No space left") as full, whole_file(tmp_path / "a"):
        raise no_room
    with pytest.raises(FileNotFoundError) as lost:
        write_whole(tmp_path / "no" / "a", b"")
    with pytest.raises(IsADirectoryError) as taken:
        write_whole(tmp_path, b"")
    other = OSError(errno.ENOENT, "No such file or directory", "elsewhere")
    with pytest.raises(FileNotFoundError) as elsewhere, whole_file(tmp_path / "a"):
        raise other
    named: list[Any] = [error.value.filename for error in (full, lost, taken)]
    assert named == [str(tmp_path / "a"), str(tmp_path / "no" / "a"), str(tmp_path)]
    assert elsewhere.value is other and not list(tmp_path.iterdir())
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        append_row(tmp_path, row())


@pytest.mark.skipif(not FULL.exists(), reason="Linux has it")
def test_a_row_for_which_there_is_no_room_names_its_file() -> None:
    with pytest.raises(OSError, match="No space left") as full:
        append_row(FULL, row())
    assert full.value.filename == str(FULL)

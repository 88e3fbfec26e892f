"""puzzle-envs show."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.cli.show import coloured
from tests.agents.test_cli import error_of


def test_a_level_and_the_size_of_its_states(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "Kwirk-v0", "easy/1"]) == 0
    printed = capsys.readouterr().out
    assert "#######" in printed and "level: easy/1\noptimum (pushes): 3\n" in printed
    assert "state: 8 bytes" in printed or "state: 16 bytes" in printed
    assert "actions: 168\nobservation: 15 planes of 7 by 6\n" in printed
    assert "\x1b" not in printed, "no colours where it is no terminal"


def test_the_level_of_the_id_itself_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "HuaRongDao-v0"]) == 0
    assert "optimum: 81" in capsys.readouterr().out
    assert main(["show", "HuaRongDao-v0", "--option", "metric=step"]) == 0
    assert "optimum-step: 116" in capsys.readouterr().out
    assert main(["show", "ZenGarden-v0", "rocks/24"]) == 0
    assert "optimum: none" in capsys.readouterr().out


def test_a_text_and_a_level_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "HuaRongDao-v0", "1A9BF0C00"]) == 0
    assert "optimum: unknown" in capsys.readouterr().out
    file = tmp_path / "mine.txt"
    file.write_text("; name: a\n...\n...\n\n; name: b\n..\n.#\n", encoding="utf-8")
    assert main(["show", "ZenGarden-v0", f"{file}/b"]) == 0
    assert "..\n.#\n\nlevel: b\n" in capsys.readouterr().out


def test_colours_leave_the_text_as_it_is() -> None:
    text = "; name: 1\n#ab%\n"
    shown = coloured(text)
    assert shown.plain == text
    styles = {str(span.style) for span in shown.spans}
    assert len(styles) >= 4, styles


def test_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "floor.png"
    assert main(["show", "Kwirk-v0", "--picture", str(file), "--cell-pixels", "20"]) == 0
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert width >= 7 * 20 and height >= 6 * 20
    assert [path.name for path in tmp_path.iterdir()] == ["floor.png"]
    assert f"picture: {file}" in capsys.readouterr().out


def test_a_name_too_long_for_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "ZenGarden-v0", str(tmp_path / ("x" * 300 + ".txt"))]) == WRONG_USAGE
    error_of(capsys)


def test_a_file_that_the_system_keeps_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("...\n", encoding="utf-8")

    def read_bytes(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert main(["show", "ZenGarden-v0", str(file)]) == WRONG_USAGE
    assert f"{file}: This file cannot be read: Permission denied." in error_of(capsys)

"""The file of what was solved: kept whole, and never lost where it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzle_agents.environments import puzzle_of
from puzzle_agents.player.remembered import Progress, progress_file

FORMAT = puzzle_of("ZenGarden-v0").format
FIRST, SECOND = FORMAT.find("first-steps")[:2]


def progress(path: Path | None) -> Progress:
    return Progress(path, "ZenGarden-v0", FORMAT)


def test_the_fewest_moves_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "progress.json"
    kept = progress(path)
    assert kept.best(FIRST) is None and kept.last is None
    kept.went_to(FIRST)
    for moves in (5, 3, 4):
        kept.has_solved(FIRST, moves)
    again = progress(path)
    assert (again.best(FIRST), again.best(SECOND), again.last) == (3, None, FIRST.name)
    assert not again.complaint
    assert Progress(path, "ZenGarden-v0 other=1", FORMAT).best(FIRST) is None


def test_two_programs_lose_nothing(tmp_path: Path) -> None:
    one, other = progress(tmp_path / "p.json"), progress(tmp_path / "p.json")
    one.has_solved(FIRST, 3)
    other.has_solved(SECOND, 4)
    one.went_to(SECOND)
    kept = progress(tmp_path / "p.json")
    assert (kept.best(FIRST), kept.best(SECOND), kept.last) == (3, 4, SECOND.name)


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"{",
        b"\xff\x00",
        b"[]",
        b'{"format": 2, "solved": {}, "last": {}}',
        b'{"format": 1, "solved": {"ZenGarden-v0": {"a": "3"}}, "last": {}}',
        b'{"format": 1, "solved": {"ZenGarden-v0": 3}, "last": {}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "p.json"
    for number in ("", "-2"):
        path.write_bytes(damaged)
        kept = progress(path)
        assert "is damaged" in kept.complaint
        assert (tmp_path / f"p.json.damaged{number}").read_bytes() == damaged
        kept.has_solved(FIRST, 3)
        assert progress(path).best(FIRST) == 3


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = progress(tmp_path / "file" / "p.json")
    kept.has_solved(FIRST, 3)
    assert "cannot be" in kept.complaint
    assert "no folder" in progress(None).complaint


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PUZZLE_ENVS_PROGRESS", str(tmp_path / "mine.json"))
    assert progress_file() == tmp_path / "mine.json"
    monkeypatch.delenv("PUZZLE_ENVS_PROGRESS")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert progress_file() == tmp_path / "puzzle-envs" / "progress.json"

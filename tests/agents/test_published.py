"""Rows published as one small file: read as any others, within limits."""

from __future__ import annotations

import hashlib
import lzma
from pathlib import Path

import pytest

from puzzle_agents.benchmark import published
from puzzle_agents.benchmark.published import PACKED, packed, unpacked
from puzzle_agents.benchmark.report.folders import rows_of
from puzzle_agents.cli.app import main
from tests.agents.benchmark_rows import many, real_rows, row, write_rows


def test_published_rows_are_reported_as_the_rows_themselves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    rows = many(real_rows(), 40)
    folder = write_rows(tmp_path / "results", rows)
    shared = tmp_path / "docs" / "results"
    for _ in range(2):
        assert main(["report", str(folder), "--publish", str(shared)]) == 0
    checksum = hashlib.sha256((shared / PACKED).read_bytes()).hexdigest()
    assert f"MB, sha256 {checksum})" in capsys.readouterr().out
    assert rows_of([shared]) == rows == rows_of([folder])
    assert [path.name for path in shared.iterdir()] == [PACKED]
    assert main(["report", str(shared), "--output", str(tmp_path / "again")]) == 0
    one, two = tmp_path / "again", folder / "report"
    assert (one / "report.md").read_bytes() == (two / "report.md").read_bytes()


LINE = f"{row().to_json()}\n".encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (LINE, "not packed by xz"),
        (packed(LINE)[:-4], "cut off"),
        (packed(LINE) + b"more", "follows its end"),
        (packed(LINE) + packed(LINE), "follows its end"),
        (lzma.compress(LINE, lzma.FORMAT_ALONE), "not packed by xz"),
        (packed(b"x" * 300_000), "more than 0 MiB"),
        (bytes([*packed(LINE)[:30], 255, *packed(LINE)[31:]]), "damaged"),
        (packed(b"{}\n"), "rows.jsonl.xz:1: "),
        (packed(b"half a line"), "no rows yet"),
    ],
)
def test_what_cannot_be_unpacked_is_refused(
    data: bytes, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "LARGEST", 200_000)
    (tmp_path / PACKED).write_bytes(data)
    with pytest.raises(ValueError, match=words) as error:
        rows_of([tmp_path])
    assert str(tmp_path / PACKED) in str(error.value)


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "LARGEST_PACKED", 10)
    (tmp_path / PACKED).write_bytes(packed(LINE))
    with pytest.raises(ValueError, match="larger than"):
        unpacked(tmp_path / PACKED)

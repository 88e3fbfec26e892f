"""Every example runs as it stands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, tmp_path: Path) -> None:
    if "learning" in example.read_text():
        pytest.importorskip("sb3_contrib", reason="needs the rl extra")
    if "benchmark" in example.read_text():
        pytest.importorskip("matplotlib", reason="needs the bench extra")
    result = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout
    assert len(example.read_text().splitlines()) <= 40

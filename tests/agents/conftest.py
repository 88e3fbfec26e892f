"""For tests of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from puzzle_agents.cli.app import WRONG_USAGE, main
from tests.agents.test_cli import error_of


@pytest.fixture
def refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Sequence[str], str], None]:
    """The command refuses arguments in a sentence with these words, and writes nothing."""

    def check(arguments: Sequence[str], expected: str) -> None:
        monkeypatch.chdir(tmp_path)
        assert main(list(arguments)) == WRONG_USAGE
        assert expected in error_of(capsys)
        assert list(tmp_path.iterdir()) == []

    return check

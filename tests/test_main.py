"""The command that prints a level."""

from __future__ import annotations

import pytest

from puzzle_envs.__main__ import main


def test_a_level_and_the_size_of_its_states(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["Kwirk-v0", "easy/1"]) == 0
    printed = capsys.readouterr().out
    assert "#######" in printed
    assert "state: 8 bytes" in printed or "state: 16 bytes" in printed
    assert "observation: 15 planes of 7 by 6" in printed


def test_the_level_of_the_id_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["HuaRongDao-v0"]) == 0
    assert "optimum (optimum): 81" in capsys.readouterr().out


def test_unknown_names_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["Kwirk-v0", "easy/99"]) == 2
    assert "There is no kwirk level or set called 'easy/99'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["Chess-v0"])
    assert "invalid choice: 'Chess-v0'" in capsys.readouterr().err

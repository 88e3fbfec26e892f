"""puzzle-envs generate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from puzzle_agents.cli.app import main
from puzzle_agents.environments import puzzle_of
from puzzle_envs.generation import new_levels
from puzzle_envs.level import LevelError
from puzzle_envs.zen_garden import generator
from puzzle_envs.zen_garden.scattered import canonical, grade


def test_levels_that_differ_and_are_certified(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["generate", "ZenGarden-v0", "--bin", "4x4", "--count", "5"]
    assert main([*arguments, "--seed", "2"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("; Written by puzzle-envs generate ZenGarden-v0 --bin 4x4 --count 5")
    levels = puzzle_of("ZenGarden-v0").format.parse(text, "stdout")
    assert [level.name for level in levels] == [f"4x4-{number}" for number in range(1, 6)]
    assert len({canonical(level) for level in levels}) == 5
    assert all(level.optimum == grade(level).optimum for level in levels)
    assert main([*arguments, "--seed", "2"]) == 0
    assert capsys.readouterr().out == text
    assert main([*arguments, "--seed", "3"]) == 0
    assert capsys.readouterr().out != text


def test_a_file_that_the_other_commands_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grids.txt"
    bins = ["--bin", "4x4", "--bin", "5x5"]
    assert main(["generate", "Skyscraper-v0", *bins, "--count", "2", "-o", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: 4 levels of Skyscraper-v0\n"
    levels = puzzle_of("Skyscraper-v0").format.find_all(file)
    assert [level.name for level in levels] == ["4x4-1", "4x4-2", "5x5-1", "5x5-2"]
    assert all("guesses to prove it" in level.notes["note"] for level in levels)
    assert main(["show", "Skyscraper-v0", f"{file}/5x5-2"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["grids.txt"]


def test_levels_are_what_the_environment_plays() -> None:
    """A generator draws for one of its folder's ids; another one counts in moves of its own."""
    puzzle = puzzle_of("KwirkSteps-v0")
    (level,) = new_levels(puzzle, "1-3", 1, seed=0)
    assert level.record["keys"] == 1 and level.optimum is None
    assert 1 <= int(level.notes["pushes"]) <= 3


def test_where_nothing_new_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzle_of("ZenGarden-v0")
    level = puzzle.format.find("...\n...\n")[0]
    stuck = replace(generator.GENERATOR, draw=lambda *_: level)
    monkeypatch.setattr(generator, "GENERATOR", stuck)
    drawn = new_levels(puzzle, "4x4", 2, seed=0)
    next(drawn)
    with pytest.raises(LevelError, match="Only 1 new levels '4x4'"):
        next(drawn)

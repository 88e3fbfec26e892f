"""The boards to learn from: sound, proved, and never in two splits at once."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.generation import MEASURED, write_sets
from puzzle_envs.level import Level
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.generator import BINS, GENERATOR, MIXES, SCATTERED, split_levels
from puzzle_envs.zen_garden.level import FORMAT
from puzzle_envs.zen_garden.scattered import grade
from tests.zen_garden.search import optimum
from tests.zen_garden.twin import Twin

SPLITS = ("train", "validation", "test")
TO_MEASURE = [bin for bin in BINS if bin not in SCATTERED and f"test/{bin}" in FORMAT.sets()]
"""The bins that have no training set."""
NAMES = [f"{split}/{size}x{size}" for split in SPLITS for size in MIXES]
LEVELS = Path(__file__).parents[2] / "levels" / "zen_garden"


@cache
def load(name: str) -> list[Level]:
    return FORMAT.find(name)


def sample(name: str, number: int) -> list[Level]:
    levels = load(name)
    chosen = np.random.default_rng(0).choice(len(levels), number, replace=False)
    return [levels[index] for index in chosen]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_holds_its_boards(name: str) -> None:
    levels = load(name)
    split, shape = name.split("/")
    size = int(shape.partition("x")[0])
    assert len(levels) == MIXES[size].boards * (5 if split == "train" else 1) // 7
    assert [level.name for level in levels] == [f"{name}/{n}" for n in range(1, len(levels) + 1)]
    for level in levels:
        assert level.record["width"] == level.record["height"] == size
        assert level.optimum is not None and level.solvable


def test_a_split_is_the_set_of_its_files() -> None:
    for split in SPLITS:
        bins = [*SCATTERED, *(() if split == "train" else TO_MEASURE)]
        assert len(load(split)) == sum(len(load(f"{split}/{bin}")) for bin in bins)


@pytest.mark.parametrize("split", MEASURED)
@pytest.mark.parametrize("bin", TO_MEASURE)
def test_a_file_to_measure_on_holds_its_boards(split: str, bin: str) -> None:
    levels = load(f"{split}/{bin}")
    assert len(levels) == MEASURED[split]
    size = int(bin.partition("x")[0])
    for level in levels:
        assert level.record["width"] == level.record["height"] == size
        if bin.endswith("mixed"):
            assert level.record["has_ornaments"]
        if not bin.endswith("twins"):
            assert level.fewest is not None


def test_the_files_are_small() -> None:
    files = [LEVELS / f"{name}.txt" for name in NAMES]
    files += [LEVELS / split / f"{bin}.txt" for split in MEASURED for bin in TO_MEASURE]
    assert sum(file.stat().st_size for file in files) < 1_000_000


@pytest.mark.parametrize("split", SPLITS)
def test_all_kinds_of_things_are_in_each_split(split: str) -> None:
    for size in MIXES:
        levels = load(f"{split}/{size}x{size}")
        for kind in ("has_ornaments", "has_leaves"):
            share = np.mean([bool(level.record[kind]) for level in levels])
            assert 0.05 < share < 0.6
        assert len({level.optimum for level in levels}) > 2


@pytest.mark.parametrize("name", NAMES)
def test_the_optimum_is_the_one_that_a_search_proves(name: str) -> None:
    for level in sample(name, 3 if name.endswith("8x8") else 100):
        assert grade(level, most_states=20_000_000).optimum == level.optimum


@pytest.mark.parametrize("split", SPLITS)
def test_the_optimum_is_the_one_that_the_twin_proves(split: str) -> None:
    for level in sample(f"{split}/4x4", 12):
        assert optimum(Twin.from_rows(FORMAT.write(level.record))) == level.optimum


@pytest.mark.parametrize("split", MEASURED)
def test_one_of_twins_is_searched_to_have_no_solution(split: str) -> None:
    levels = load(f"{split}/6x6-twins")
    for solvable, unsolvable in zip(levels[::2], levels[1::2], strict=True):
        assert grade(unsolvable).optimum is None
        assert grade(solvable).optimum == solvable.optimum


@pytest.mark.parametrize("name", ["train/5x5", "validation", "test/8x8"])
def test_environments_draw_from_them(name: str) -> None:
    env = gymnasium.make("ZenGarden-v0", levels=name)
    names = {env.reset(seed=seed)[1]["level"] for seed in range(12)}
    assert len(names) > 6
    assert all(level.startswith(name) for level in names)


@pytest.mark.parametrize("size", [4, 6])
def test_the_seed_gives_the_first_boards_again(size: int) -> None:
    for split, level in itertools.islice(split_levels(size), 70):
        stored = FORMAT.find(f"{split}/{size}x{size}/{level.name}")
        assert [FORMAT.text(board) for board in stored] == [FORMAT.text(level)]


@pytest.mark.parametrize("bin", ["10x10-mixed", "16x16-ornaments"])
def test_the_seed_gives_the_first_planted_boards_again(
    bin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzle_envs.generation.MEASURED", {"validation": 3})
    drawn = GENERATOR.parts[bin]()[f"validation/{bin}"]
    for level, stored in zip(drawn, load(f"validation/{bin}"), strict=False):
        named = replace(stored, name=level.name)
        assert FORMAT.text(level) == FORMAT.text(named)


def test_the_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        write_sets(PUZZLE, ["--help"])
    assert "python -m puzzle_envs.zen_garden.generator" in capsys.readouterr().out

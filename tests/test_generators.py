"""What the generators of all puzzles have in common, and the sets that they have written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from puzzle_envs.generation import MEASURED, write_sets
from puzzle_envs.hua_rong_dao import PUZZLE as BOXES
from puzzle_envs.hua_rong_dao.planted import BOXES as PLANTED
from puzzle_envs.hua_rong_dao.rooms import ROOMS
from puzzle_envs.kwirk import PUZZLE as FLOORS
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.skyscraper import PUZZLE as GRIDS
from puzzle_envs.zen_garden import PUZZLE as GARDENS

LEVELS = Path(__file__).parent.parent / "levels"
SPLITS = ("train", "validation", "test")
DRAWN = [
    (BOXES, ["5x6"]),
    (GRIDS, ["8x8"]),
    (FLOORS, ["1-3", "7-9", "10-19", "two-characters", "four-bridges", "twins", "hard-twins"]),
    (GARDENS, ["8x8", "10x10", "12x12", "6x6-twins"]),
]
TWINS = [
    (BOXES, "twins"), (GRIDS, "twins"), (FLOORS, "twins"), (FLOORS, "hard-twins"),
    (GARDENS, "6x6-twins"),
]  # fmt: skip
APART = [
    (GARDENS, SPLITS),
    (BOXES, [f"{split}/{bin}" for split in MEASURED for bin in (*PLANTED, ROOMS, "twins")]),
    (GRIDS, GRIDS.format.sets()),
]


@pytest.mark.parametrize(
    ("puzzle", "bin"), [(puzzle, bin) for puzzle, bins in DRAWN for bin in bins], ids=str
)
def test_a_level_depends_on_its_seed_alone(puzzle: Puzzle, bin: str) -> None:
    assert puzzle.generator is not None
    levels = [puzzle.generator.draw(np.random.default_rng(seed), bin) for seed in (6, 6, 7)]
    first, again, other = map(puzzle.format.text, levels)
    assert first == again != other


@pytest.mark.parametrize(
    ("puzzle", "part", "splits"),
    [
        (BOXES, "twins", tuple(MEASURED)),
        (GRIDS, "8x8", tuple(MEASURED)),
        (GRIDS, "twins", tuple(MEASURED)),
        (GARDENS, "5x5", SPLITS),
    ],
)
def test_the_command_writes_the_files_bit_for_bit(
    puzzle: Puzzle, part: str, splits: tuple[str, ...], tmp_path: Path
) -> None:
    write_sets(puzzle, [str(tmp_path), "--part", part])
    written = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*.txt")}
    assert set(written) == {Path(split) / f"{part}.txt" for split in splits}
    for name, path in written.items():
        assert path.read_bytes() == (LEVELS / puzzle.format.puzzle / name).read_bytes()


@pytest.mark.parametrize(("puzzle", "names"), APART)
def test_no_level_is_there_twice_turned_or_mirrored(puzzle: Puzzle, names: list[str]) -> None:
    assert puzzle.generator is not None
    levels = [level for name in names for level in puzzle.format.find(name)]
    assert len(set(map(puzzle.generator.canonical, levels))) == len(levels)


@pytest.mark.parametrize(("puzzle", "bin"), TWINS)
def test_twins_differ_in_one_character_and_one_has_no_solution(puzzle: Puzzle, bin: str) -> None:
    for split, count in MEASURED.items():
        levels = puzzle.format.find(f"{split}/{bin}")
        assert [level.solvable for level in levels] == [True, False] * (count // 2)
        texts = ["".join(puzzle.format.write(level.record)) for level in levels]
        for one, other in zip(texts[::2], texts[1::2], strict=True):
            assert sum(first != second for first, second in zip(one, other, strict=True)) == 1

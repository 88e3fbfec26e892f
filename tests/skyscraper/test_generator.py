"""The generator against the plain-Python twin and the exact search, and the sets it has written."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_envs.level import Level, LevelError
from puzzle_envs.skyscraper.evolved import seen_from_edges
from puzzle_envs.skyscraper.exact import PATIENCE, count_solutions
from puzzle_envs.skyscraper.generator import (
    GRADES,
    MOST_GUESSES,
    UNDECIDED,
    begun,
    canonical,
    draw,
    effort,
    generate,
    level_sets,
    random_square,
)
from puzzle_envs.skyscraper.level import FORMAT, clues_of, givens_of, pack
from tests.skyscraper.boards import Board, boards
from tests.skyscraper.twin import Twin, latin_squares, seen

SPLITS = ("train", "validation", "test")
LEVELS = Path(__file__).parents[2] / "levels" / "skyscraper"


@cache
def load(name: str) -> list[Level]:
    return FORMAT.find(name)


def random(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def size_of(level: Level) -> int:
    return int(level.record["size"])


def solutions(level: Level, clues: list[int] | None = None, givens: list[int] | None = None) -> int:
    own_clues, own_givens = clues_of(level.record), givens_of(level.record)
    return count_solutions(size_of(level), clues or own_clues, givens or own_givens)


def turned(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows of a level text, turned to the left."""
    width = max(map(len, rows))
    columns = zip(*(row.ljust(width)[::2] for row in rows), strict=True)
    return tuple(" ".join(column) for column in columns)[::-1]


# --- grids ------------------------------------------------------------------------------------


@pytest.mark.parametrize("grade", [None, *GRADES])
@pytest.mark.parametrize("size", [4, 5, 7])
def test_a_grid_has_one_solution_and_its_grade(size: int, grade: str | None) -> None:
    for seed in range(3):
        level = generate(random(seed), size, grade=grade)
        assert size_of(level) == size and level.solvable
        assert solutions(level) == 1
        assert level.optimum == level.record["free"] == givens_of(level.record).count(0)
        assert grade in (None, effort(level).grade)


def test_the_twin_finds_the_same_single_solution() -> None:
    for seed in range(10):
        twin = Twin.from_rows(FORMAT.write(generate(random(seed), 4).record))
        assert len(twin.solutions()) == 1


def test_grades() -> None:
    for seed in range(5):
        easy, average, hard = (effort(generate(random(seed), 6, grade=grade)) for grade in GRADES)
        assert easy.guesses == 0 and easy.numbers >= 18
        assert average.guesses <= MOST_GUESSES[6] < hard.guesses
        assert average.guesses or average.numbers < 18


def test_the_share_of_clues() -> None:
    for share, number in ((0.0, 0), (0.5, 10), (1.0, 20)):
        level = generate(random(), 5, clues=share)
        assert np.count_nonzero(clues_of(level.record)) == number
        assert solutions(level) == 1


def test_nothing_can_be_missed() -> None:
    level = generate(random(), 5)
    for numbers, name in ((clues_of(level.record), "clues"), (givens_of(level.record), "givens")):
        for place in np.flatnonzero(numbers):
            fewer = [0 if other == place else number for other, number in enumerate(numbers)]
            clues, givens = clues_of(level.record), givens_of(level.record)
            left = (fewer, givens) if name == "clues" else (clues, fewer)
            assert count_solutions(5, *left) == 2


def test_the_same_seed_gives_the_same_grid() -> None:
    for size in (4, 9):
        first, second, third = (generate(random(seed), size) for seed in (1, 1, 2))
        assert FORMAT.text(first) == FORMAT.text(second)
        assert FORMAT.text(first) != FORMAT.text(third)
        assert first.name == second.name != third.name


def test_large_grids() -> None:
    level = generate(random(), 12, clues=1.0)
    assert solutions(level) == 1


def test_squares() -> None:
    np_random = random()
    found = {tuple(map(tuple, random_square(np_random, 3).tolist())) for _ in range(200)}
    assert found == set(latin_squares(3))
    square = random_square(np_random, 9)
    lines = [*square.T, *square.T[:, ::-1], *square, *square[:, ::-1]]
    assert all(sorted(line) == list(range(1, 10)) for line in lines)
    assert seen_from_edges(square).tolist() == [seen(line) for line in lines]


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="from 3 to 16, not 2"):
        generate(random(), 2)
    with pytest.raises(ValueError, match="clues must be from 0 to 1"):
        generate(random(), 5, clues=2)
    with pytest.raises(ValueError, match="easy, average, hard, not 'simple'"):
        generate(random(), 5, grade="simple")
    with pytest.raises(ValueError, match="attempts must be at least 1, not 0"):
        generate(random(), 5, attempts=0)
    with pytest.raises(LevelError, match="None of 5 grids of 3x3 was hard"):
        generate(random(), 3, grade="hard", attempts=5)


def test_a_grid_with_several_solutions_or_none_has_no_grade() -> None:
    for clues, has in (([0] * 12, "several solutions"), ([1] * 12, "no solution")):
        with pytest.raises(LevelError, match=has):
            effort(Level("it", pack(3, clues, [0] * 9)))


def test_a_grade_counts_the_guesses_of_a_search_that_does_not_start_over() -> None:
    (level,) = FORMAT.find(
        "12:3//3/2/4/5/2/3//4/4//4///3///3/3/4/4/6/3/3/2//4//6/4/5/5///5/3//3//4/2/4/3//5/4/4,"
        "e4e3h2d9b1b2d1a5_3_4a7g7c10b3_5a3i4b2e7a6_8c4_5i1c8f5_7e4i5b8d5j"
    )
    found = effort(level)
    assert PATIENCE < found.guesses == 886 < UNDECIDED


# --- symmetries -------------------------------------------------------------------------------


@given(boards(max_size=5), st.integers(0, 3), st.booleans())
@settings(max_examples=50)
def test_turned_and_mirrored_grids_are_the_same(board: Board, turns: int, mirror: bool) -> None:
    def form(rows: tuple[str, ...]) -> bytes:
        return canonical(FORMAT.parse("\n".join(rows), "it")[0])

    rows = board.rows
    for _ in range(turns):
        rows = turned(rows)
    if mirror:
        rows = rows[::-1]
    assert form(rows) == form(board.rows)


def test_other_grids_are_not_the_same() -> None:
    empty = [0] * 9
    forms = {
        canonical(Level("it", pack(3, [2 if place == clue else 0 for place in range(12)], empty)))
        for clue in range(12)
    }
    assert len(forms) == 2  # in the middle of a side, or not


# --- the sets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(4, 10))
def test_the_graded_sets(size: int) -> None:
    levels = load(f"{size}x{size}")
    names = [f"{size}x{size}/{grade}-{number}" for grade in GRADES for number in range(1, 8)]
    assert [level.name for level in levels] == names
    for level in levels:
        assert size_of(level) == size
        assert level.name.partition("/")[2].partition("-")[0] == effort(level).grade
        assert level.optimum == level.record["free"]


def test_the_set_like_the_paper_s() -> None:
    levels = load("paper-like")
    sizes = [size_of(level) for level in levels]
    assert sizes == [*[4] * 5, *[5] * 5, *[6] * 5, *[7] * 5, 8, 9]
    for level in levels:
        assert all(clues_of(level.record)) and not any(givens_of(level.record))
        assert solutions(level) >= 1 and level.optimum == size_of(level) ** 2


def test_a_grid_that_is_begun_has_so_many_empty_cells_and_the_same_solution() -> None:
    np_random = np.random.default_rng(5)
    level = draw(np_random, "5x5")
    for empty in (0, 7, 25):
        later = begun(np_random, level, empty)
        assert clues_of(later.record) == clues_of(level.record)
        givens, more = givens_of(level.record), givens_of(later.record)
        assert more.count(0) == min(empty, givens.count(0)) == later.optimum
        assert all(given in (0, now) for given, now in zip(givens, more, strict=True))
        assert solutions(later) == 1


def test_the_sparse_set() -> None:
    levels = load("sparse")
    assert [size_of(level) for level in levels] == [n for n in range(6, 10) for _ in range(5)]
    assert {effort(level).grade for level in levels} == {"hard"}


@pytest.mark.parametrize("size", range(4, 8))
def test_the_splits(size: int) -> None:
    numbers = (1050, 210, 210) if size < 6 else (150, 30, 30)
    for split, number in zip(SPLITS, numbers, strict=True):
        levels = load(f"{split}/{size}x{size}")
        assert len(levels) == number
        assert all(size_of(level) == size for level in levels)
        grades = [effort(level).grade for level in levels]
        assert {grades.count(grade) for grade in GRADES} == {number // 3}


def test_the_files_are_what_the_generator_writes() -> None:
    for name, level in islice(level_sets(4), 40):
        number = level.name
        (there,) = FORMAT.find(f"{name}/{number}")
        assert FORMAT.text(there) == FORMAT.text(level)


def test_the_files_are_small() -> None:
    assert sum(file.stat().st_size for file in LEVELS.rglob("*.txt")) < 1_300_000

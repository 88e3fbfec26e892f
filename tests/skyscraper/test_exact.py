"""The exact search against every filling of small grids, and the grids of the shared file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_envs.skyscraper.choice import MOST
from puzzle_envs.skyscraper.exact import (
    PATIENCE,
    ExactSearch,
    count_solutions,
    solve,
)
from puzzle_envs.skyscraper.level import FORMAT, givens_of
from puzzle_envs.skyscraper.level import clues_of as level_clues
from puzzle_envs.skyscraper.lines import lines_of, prune_line
from tests.skyscraper.twin import Grid, latin_squares, seen

TOWERS = Path(__file__).parents[3] / "shared" / "levels" / "skyscraper_towers.csv"

MANY = 1_000_000

PATIENCES = (0, 4, PATIENCE)
"""Those under which even small grids are started over, again and again, and the usual one."""

Numbers = Sequence[int]


def clues_of(grid: Grid) -> list[int]:
    """What is seen from the top, the bottom, the left and the right."""
    columns = tuple(zip(*grid, strict=True))
    sides = (columns, [line[::-1] for line in columns], grid, [line[::-1] for line in grid])
    return [seen(line) for lines in sides for line in lines]


def cells_of(grid: Grid) -> list[int]:
    return [height for row in grid for height in row]


def agree(wanted: Numbers, there: Numbers) -> bool:
    """Whether all numbers wanted are there; 0 asks for none."""
    return all(number in (0, other) for number, other in zip(wanted, there, strict=True))


def fillings(n: int, clues: Numbers, givens: Numbers) -> list[list[int]]:
    """All solutions, by trying every Latin square."""
    return [
        cells_of(grid)
        for grid in latin_squares(n)
        if agree(givens, cells_of(grid)) and agree(clues, clues_of(grid))
    ]


def check(n: int, clues: Numbers, givens: Numbers) -> None:
    """The search finds all solutions there are, and its writes lead to the first."""
    expected = fillings(n, clues, givens)
    for patience in PATIENCES:
        search = ExactSearch(n, patience)
        search.load(clues, givens)
        assert search.run(MANY)
        assert search.exhausted
        assert search.solutions == len(expected)
        if expected:
            assert search.solution is not None
            assert search.solution.ravel().tolist() in expected
            check_writes(search, givens)
        else:
            assert search.solution is None and search.writes.size == 0
    solution = solve(n, clues, givens)
    assert (solution is None) == (not expected)
    assert solution is None or solution.tolist() == search.solution.tolist()  # type: ignore[union-attr]
    assert count_solutions(n, clues, givens) == min(2, len(expected))


def check_solution(search: ExactSearch, clues: Numbers, givens: Numbers) -> None:
    """It is a Latin square that clues and givens agree with, and the writes lead to it."""
    assert search.solution is not None
    found: Grid = tuple(tuple(row) for row in search.solution.tolist())
    assert agree(clues, clues_of(found)) and agree(givens, cells_of(found))
    heights = list(range(1, search.n + 1))
    assert all(sorted(line) == heights for line in (*found, *zip(*found, strict=True)))
    check_writes(search, givens)


def check_writes(search: ExactSearch, givens: Numbers) -> None:
    """They fill what is not given, each cell once, and every guess comes one deeper."""
    assert search.solution is not None
    cells, values, depths = search.writes.T.tolist()
    assert sorted(cells) == [cell for cell, given in enumerate(givens) if not given]
    assert values == search.solution.ravel()[cells].tolist()
    assert all(
        0 <= after - before <= 1 for before, after in zip([0, *depths], depths, strict=False)
    )
    assert max(depths, default=0) <= search.nodes


def sparse(random: np.random.Generator, numbers: Numbers, share: float) -> list[int]:
    """About this share of the numbers, the others 0."""
    return [number if random.random() < share else 0 for number in numbers]


def shuffled_square(random: np.random.Generator, n: int) -> Grid:
    """A Latin square: rows, columns and heights of the cyclic one in random order."""
    rows, columns, heights = (random.permutation(n) for _ in range(3))
    square = heights[(rows[:, None] + columns) % n] + 1
    return tuple(tuple(row) for row in square.tolist())


def test_every_square_of_three_and_random_clues() -> None:
    random = np.random.default_rng(0)
    for grid in latin_squares(3):
        for share in (0, 0.2, 0.5, 1):
            check(3, sparse(random, clues_of(grid), share), [0] * 9)
            check(3, sparse(random, clues_of(grid), share), sparse(random, cells_of(grid), 0.3))
    for share in (0.1, 0.2, 0.3, 1):
        for _ in range(60):
            check(3, sparse(random, random.integers(1, 4, 12).tolist(), share), [0] * 9)


@given(
    st.sampled_from(latin_squares(4)),
    st.lists(st.sampled_from(("", "", "clue", "wrong")), min_size=16, max_size=16),
    st.lists(st.sampled_from(("", "", "", "given")), min_size=16, max_size=16),
    st.integers(1, 4),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_grids_of_four(
    grid: Grid, clues: list[str], givens: list[str], number: int, true: bool
) -> None:
    kept = [
        0 if kind == "" else clue if true or kind == "clue" else number
        for kind, clue in zip(clues, clues_of(grid), strict=True)
    ]
    cells = [height if kind else 0 for kind, height in zip(givens, cells_of(grid), strict=True)]
    check(4, kept, cells)


@given(
    st.integers(3, 6),
    st.integers(0, 6),
    st.integers(0, 6),
    st.lists(st.integers(0, 63), min_size=6, max_size=6),
)
@settings(max_examples=300, deadline=None)
def test_a_line_keeps_just_what_some_filling_has(
    n: int, left: int, right: int, more: list[int]
) -> None:
    """Any positions may be left to the heights, in lines of every pair of clues."""
    left, right = left % (n + 1), right % (n + 1)
    places = [(mask | mask >> 3 | 1 << height) % (1 << n) for height, mask in enumerate(more[:n])]
    kept = [0] * n
    for positions in permutations(range(n)):
        line = [positions.index(position) for position in range(n)]
        if (
            all(places[height] >> position & 1 for height, position in enumerate(positions))
            and left in (0, seen([height + 1 for height in line]))
            and right in (0, seen([height + 1 for height in line[::-1]]))
        ):
            kept = [mask | 1 << position for mask, position in zip(kept, positions, strict=True)]
    lines = lines_of(n)
    possible = prune_line(np.array(places, np.uint16), 0, left, right, lines)
    assert possible == any(kept)
    assert not lines.pairs.any()
    if possible:
        assert lines.kept.tolist() == kept


@pytest.mark.parametrize(("n", "squares"), [(3, 12), (4, 576), (5, 161_280)])
def test_without_clues_all_latin_squares_are_counted(n: int, squares: int) -> None:
    assert count_solutions(n, [0] * 4 * n, [0] * n * n, MANY) == squares


@pytest.mark.parametrize(
    ("clues", "givens"),
    [
        ({0: 1, 4: 1}, {}),  # the tallest at both ends of a column
        ({8: 3, 12: 3}, {}),  # five buildings seen, and the tallest counted twice: too many
        ({0: 4, 1: 4}, {}),  # the same column twice
        ({8: 4}, {0: 2}),
        ({}, {0: 2, 3: 2}),
        ({}, {1: 3, 13: 3}),
        ({}, {0: 1, 1: 2, 6: 3, 11: 3, 7: 4, 14: 4}),
    ],
)
def test_what_contradicts_has_no_solution(clues: dict[int, int], givens: dict[int, int]) -> None:
    all_clues = [clues.get(index, 0) for index in range(16)]
    all_givens = [givens.get(cell, 0) for cell in range(16)]
    check(4, all_clues, all_givens)
    assert solve(4, all_clues, all_givens) is None


def test_wrong_numbers() -> None:
    with pytest.raises(ValueError, match="from 3 to 16, not 17"):
        ExactSearch(17)
    with pytest.raises(ValueError, match="has 16 clues, not 9"):
        solve(4, [0] * 9, [0] * 16)
    with pytest.raises(ValueError, match="has 16 givens, not 9"):
        solve(4, [0] * 16, [0] * 9)
    with pytest.raises(ValueError, match="from 0 to 4, not 5"):
        solve(4, [5] + [0] * 15, [0] * 16)
    with pytest.raises(ValueError, match="from 0 to 4, not -1"):
        solve(4, [0] * 16, [0] * 15 + [-1])


@pytest.mark.parametrize("patience", PATIENCES)
@pytest.mark.parametrize("n", [5, 6, 9])
def test_slices_are_one_run(n: int, patience: int) -> None:
    random = np.random.default_rng(n)
    for share in (0, 0.1, 0.3):
        grid = shuffled_square(random, n)
        clues, givens = sparse(random, clues_of(grid), 0.6), sparse(random, cells_of(grid), share)
        whole, sliced = ExactSearch(n, patience), ExactSearch(n, patience)
        sliced.load([0] * 4 * n, [0] * n * n)
        sliced.run(3)  # what is loaded next must not notice
        whole.load(clues, givens)
        sliced.load(clues, givens)
        assert whole.run(20)
        for solutions in (1, 2, 20):
            slices = 0
            while not sliced.run(solutions, nodes=slices % 3):
                slices += 1
        assert (sliced.solutions, sliced.nodes) == (whole.solutions, whole.nodes)
        assert sliced.exhausted == whole.exhausted
        np.testing.assert_array_equal(sliced.writes, whole.writes)
        check_writes(sliced, givens)


@pytest.mark.parametrize("n", range(3, 17))
def test_every_size(n: int) -> None:
    random = np.random.default_rng(n)
    grid = shuffled_square(random, n)
    clues, givens = clues_of(grid), sparse(random, cells_of(grid), 0.3)
    search = ExactSearch(n)
    search.load(clues, givens)
    assert search.run()
    check_solution(search, clues, givens)


# --- grids on which a search gets lost --------------------------------------------------------

HARD = (
    ("12://4////6/4/////7/8/4//6/5//4///////////6/6/6/4/5/5///5////4///4//", 1),
    ("12:5//4////6////9///7/7////4//4/9///5////4////5/10/4/5//4//5/6/5/4//6///", 1),
    ("12:6/11/8/9/4//6/5///6///////5///////5/6/4/8/7/6//5/4/////4//////////", 1),
    ("12:/6/5/5/////4///4///7/4/8/6/9/9//4/7//4/8////6/10//////6/5//4////////", 1),
    ("12://4////5/4/10/7//5///6/8/4/9//6//4/////5/4/4/5///7////10/6//4//5/5/////", 1),
    ("12://8//8//10//4//4/////6//4//5///4//4/9//8/6/10/8//5////6//////4//4//4/", 0),
    ("12://///7/5//5//4/////6/6/////5//7///6/7/7/4/6/10/5//4/4/4/4/4///4//////", 0),
)
"""Ids of Towers that show large clues only, and how many solutions to find: up to 7.7 million
guesses and more without starting over. CP-SAT says the same of each."""


@pytest.mark.parametrize(("id", "solutions"), HARD)
def test_a_lost_search_starts_over(id: str, solutions: int) -> None:
    n, clues, givens = towers(id)
    search, again = ExactSearch(n), ExactSearch(n)
    for one in (search, again):
        one.load(clues, givens)
        one.run(nodes=PATIENCE)
        assert not one.solutions and not one.exhausted
        assert one.run(nodes=5_000)
    assert search.solutions == solutions and search.exhausted == (not solutions)
    assert search.nodes == again.nodes
    if search.solution is not None:
        check_solution(search, clues, givens)


@pytest.mark.parametrize("factor", [0.0, 1 / MOST, MOST])
@pytest.mark.parametrize("solutions", [0, 1])
def test_weights_may_vanish_and_do_not_overflow(factor: float, solutions: int) -> None:
    """Those of a long search are scaled down time and again."""
    n, clues, givens = towers(next(id for id, there in HARD if there == solutions))
    search = ExactSearch(n, 0)
    search.load(clues, givens)
    arrays = search._search
    arrays.weights[:] *= factor
    arrays.grid.progress["failure"] = MOST
    assert search.run()
    assert search.solutions == solutions and search.nodes > 0
    assert np.isfinite(arrays.weights).all()
    assert 1 <= arrays.grid.progress["failure"][0] <= MOST
    if solutions:
        check_solution(search, clues, givens)


def test_look_ahead_only_drops_what_no_solution_has() -> None:
    random = np.random.default_rng(8)
    for _ in range(20):
        grid = shuffled_square(random, 4)
        clues = sparse(random, clues_of(grid), 0.3)
        search = ExactSearch(4)
        search.load(clues, [0] * 16)
        search.run(nodes=0)
        search.look_ahead()
        search.run(MANY)
        assert search.solutions == len(fillings(4, clues, [0] * 16))


# --- the shared file --------------------------------------------------------------------------


def towers(text: str) -> tuple[int, list[int], list[int]]:
    """The size, the clues and the givens of an id of Simon Tatham's Towers."""
    record = FORMAT.find(text)[0].record
    return int(record["size"]), level_clues(record), givens_of(record)


@pytest.mark.parametrize("patience", PATIENCES)
@pytest.mark.skipif(not TOWERS.is_file(), reason="shared/levels/skyscraper_towers.csv is not here")
def test_every_grid_of_the_file(patience: int) -> None:
    searches = {n: ExactSearch(n, patience) for n in range(4, 10)}
    with TOWERS.open() as file:
        for row in csv.DictReader(file):
            n, clues, givens = towers(row["towers_id"])
            search = searches[n]
            search.load(clues, givens)
            search.run(2)
            assert search.solution is not None
            assert "".join(map(str, search.solution.ravel())) == row["solution"], row["id"]
            assert search.exhausted and search.solutions == 1, row["id"]
            check_writes(search, givens)

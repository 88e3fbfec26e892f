"""Tests of the twin: each rule by hand, solutions that others have counted, invariants."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.skyscraper.boards import Board, boards, squares
from tests.skyscraper.twin import MASKS, Grid, Mask, Twin, cells, latin_squares, seen
from tests.walks import choices, marked, random_walk

# Of Tatham's Towers: both have one solution, and it is the same.
EASY = (
    "  3 3 2 1",
    "4 . . . . 1",
    "3 . . . . 2",
    "1 . . . . 2",
    "2 . . . . 2",
    "  2 1 3 3",
)
HARD = (
    "  . . . .",
    ". . . . . .",
    ". . . . . 2",
    "1 . . . . 2",
    "2 . . . . 2",
    "  . . . .",
)
SOLUTION = ("1234", "2341", "4123", "3412")

UNCLUED = ("  . . .", ". . . . .", ". . . . .", ". . . . .", "  . . .")
# A clue at the left, and two cells given.
MIXED = ("  . . .", "1 . . . .", ". . 3 . .", ". 1 . . .", "  . . .")

unhurried = settings(deadline=None)  # Plain Python on a busy machine.


def filled(rows: tuple[str, ...], lines: tuple[str, ...], mask: Mask = "writes") -> Twin:
    """A level with more cells written: the values row by row, `.` for none."""
    twin = Twin.from_rows(rows, mask=mask)
    for row, column in cells(twin.size):
        if lines[row][column] != ".":
            twin.values[row, column] = int(lines[row][column])
    return twin


def grid(*lines: str) -> Grid:
    return tuple(tuple(int(character) for character in line) for line in lines)


def solve(twin: Twin, solution: Grid) -> int:
    """Write a solution; what it costs."""
    return sum(
        twin.act(twin.action((row, column), solution[row][column]))
        for row, column in cells(twin.size)
        if (row, column) not in twin.givens
    )


# --- Rules 3 and 4: what is seen


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ((1, 2, 3, 4), 4),
        ((4, 3, 2, 1), 1),
        ((2, 1, 4, 3), 2),
        ((3, 1, 2, 4), 2),
        ((2, 3, 1, 4), 3),
        ((0, 0, 0, 0), 0),
        ((0, 2, 0, 3), 2),
        ((3, 0, 2, 4), 2),
        # One as high as another before it is hidden.
        ((2, 2, 3, 3), 2),
    ],
)
def test_how_many_are_seen(line: tuple[int, ...], number: int) -> None:
    assert seen(line) == number


def test_clues_are_read_from_their_ends() -> None:
    rows = ("  1 2 3", "2 . . . 3", "1 . . . 2", "3 . . . 1", "  3 1 2")
    twin = filled(rows, ("213", "132", "321"))
    # Columns from above and from below, then rows from the left and from the right.
    assert twin.clues == [
        (1, 2), (3, 1), (2, 2), (1, 2), (3, 1), (2, 3),
        (2, 2), (3, 1), (1, 2), (2, 2), (3, 1), (1, 3),
    ]  # fmt: skip
    assert twin.met == 3


def test_where_there_is_no_clue_nothing_is_met_or_broken() -> None:
    twin = Twin.from_rows(HARD)
    assert [clue for clue, _ in twin.clues] == [2, 1, 2, 2, 2]
    assert Twin.from_rows(UNCLUED).clues == []


# --- Rules 5 and 6: which writes are legal


def test_every_write_into_an_empty_grid_is_legal() -> None:
    assert Twin.from_rows(UNCLUED).legal() == list(range(27))
    assert Twin.from_rows(UNCLUED, mask="consistent").legal() == list(range(27))
    assert Twin.from_rows(EASY).legal() == list(range(64))


def test_givens_and_values_that_stand_there_are_not_written() -> None:
    twin = Twin.from_rows(MIXED)
    given_ones = {*range(12, 15), *range(18, 21)}
    assert set(twin.legal()) == set(range(27)) - given_ones
    twin.act(1)
    assert twin.value((0, 0)) == 2
    assert set(twin.legal()) == set(range(27)) - given_ones - {1}
    # What is written may be overwritten, and nothing is written twice.
    twin.act(2)
    assert twin.value((0, 0)) == 3
    assert set(twin.legal()) == set(range(27)) - given_ones - {2}


def test_actions_count_in_the_largest_grid() -> None:
    twin = Twin.from_rows(MIXED, largest=5)
    assert twin.action((0, 0), 1) == 0
    assert twin.action((1, 2), 3) == (1 * 5 + 2) * 5 + 2
    assert twin.legal() == [
        0, 1, 2, 5, 6, 7, 10, 11, 12,
        25, 26, 27, 35, 36, 37,
        55, 56, 57, 60, 61, 62,
    ]  # fmt: skip
    assert len(twin.mask_of_actions()) == 125
    assert [action for action, legal in enumerate(twin.mask_of_actions()) if legal] == twin.legal()
    twin.act(57)
    assert twin.grid() == grid("000", "030", "130")


# --- Rule 7: the consistent ones


def test_consistent_writes_repeat_nothing() -> None:
    twin = filled(UNCLUED, ("1..", "...", "..."), "consistent")
    not_ones = {twin.action(cell, 1) for cell in ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0))}
    assert set(twin.legal()) == set(range(27)) - not_ones


def test_a_value_in_the_way_is_overwritten_consistently() -> None:
    # A row of two 1: neither may be written elsewhere in it, but both may give way.
    twin = filled(UNCLUED, ("11.", "...", "..."), "consistent")
    legal = set(twin.legal())
    own = {twin.action((0, 0), value) for value in (2, 3)}
    assert own <= legal
    assert twin.action((0, 2), 1) not in legal
    assert twin.action((1, 1), 1) not in legal
    assert twin.action((1, 2), 1) in legal


def test_givens_count_for_consistency() -> None:
    twin = Twin.from_rows(MIXED, mask="consistent")
    assert twin.action((0, 1), 3) not in twin.legal()
    assert twin.action((2, 2), 1) not in twin.legal()
    assert twin.action((0, 2), 1) in twin.legal()


def test_where_nothing_is_consistent_every_write_is_legal() -> None:
    rows = ("  3 . .", *UNCLUED[1:])
    twin = filled(rows, ("213", "132", "321"), "consistent")
    assert not twin.solved
    assert len(twin.legal()) == 18
    # With one cell empty its own value is consistent, and then nothing else is.
    del twin.values[1, 1]
    assert twin.legal() == [twin.action((1, 1), 3)]


def test_with_the_mask_empty_nothing_is_overwritten_while_there_is_room() -> None:
    twin = filled(UNCLUED, ("1..", "...", "..."), "empty")
    consistent = filled(UNCLUED, ("1..", "...", "..."), "consistent").legal()
    assert twin.legal() == [action for action in consistent if action // 3 != 0]
    # The last cell takes no height here: what stands may give way again.
    stuck = filled(UNCLUED, ("12.", "..3", "..."), "empty")
    assert stuck.action((0, 2), 3) not in stuck.legal() and stuck.legal()
    full = filled(("  3 . .", *UNCLUED[1:]), ("213", "1.2", "321"), "empty")
    assert full.legal() == [full.action((1, 1), 3)]
    wrong = filled(("  3 . .", *UNCLUED[1:]), ("213", "132", "321"), "empty")
    assert len(wrong.legal()) == 18


# --- Rule 8: costs


def test_every_write_costs_one() -> None:
    twin = Twin.from_rows(EASY)
    assert solve(twin, grid(*SOLUTION)) == 16
    assert twin.solved
    twin = Twin.from_rows(MIXED)
    assert [twin.act(action) for action in (0, 1, 0, 2)] == [1, 1, 1, 1]


# --- Rule 9: fitness


@pytest.mark.parametrize(
    ("lines", "fitness"),
    [
        (("...", "...", "..."), -18),
        (("1..", "...", "..."), -16),
        (("123", "231", "312"), 0),
        (("123", "231", "31."), -2),
        # The same height twice in a row, in a column, and more often.
        (("11.", "...", "..."), -15),
        (("1..", "1..", "..."), -15),
        (("111", "...", "..."), -14),
        (("111", "111", "111"), -12),
        (("123", "123", "123"), -6),
        (("123", "231", "313"), -2),
        # In the last cell both at once.
        (("1.1", "...", "1.1"), -14),
    ],
)
def test_fitness_without_clues(lines: tuple[str, ...], fitness: int) -> None:
    assert filled(UNCLUED, lines).fitness == fitness


def test_each_broken_clue_counts_once() -> None:
    rows = ("  3 . 1", "3 . . . 1", "1 . . . .", ". . . . .", "  1 . 3")
    assert filled(rows, ("123", "231", "312")).fitness == -2
    assert filled(rows, ("...", "...", "...")).fitness == -18 - 7
    # From the left of its row one building is seen, and as many from below its column.
    assert filled(rows, ("...", "1..", "...")).fitness == -16 - 5


def test_fitness_on_the_way() -> None:
    twin = Twin.from_rows(EASY)
    assert (twin.fitness, twin.met) == (-32 - 16, 0)
    twin.act(twin.action((0, 3), 4))
    # The clues 1 above and at the right are met.
    assert (twin.fitness, twin.met) == (-30 - 14, 2)
    twin.act(twin.action((0, 3), 1))
    assert (twin.fitness, twin.met) == (-30 - 14, 2)


# --- Rule 10: the end


@pytest.mark.parametrize("rows", [EASY, HARD])
@pytest.mark.parametrize("mask", MASKS)
def test_solved(rows: tuple[str, ...], mask: Mask) -> None:
    twin = Twin.from_rows(rows, mask=mask)
    assert not twin.solved
    solve(twin, grid(*SOLUTION))
    assert twin.solved
    assert twin.fitness == 0
    assert twin.legal() == []
    assert not twin.lost


def test_a_full_grid_may_be_wrong() -> None:
    for lines in (
        ("1234", "2341", "3412", "4123"),  # Clues are broken.
        ("1234", "2341", "4123", "3411"),  # A height stands twice.
    ):
        twin = filled(EASY, lines)
        assert twin.fitness < 0
        assert not twin.solved
        assert not twin.lost
        assert len(twin.legal()) == 48


def test_a_level_that_is_given_whole_is_solved_or_lost() -> None:
    whole = ("  . . .", ". 1 2 3 .", ". 2 3 1 .", "{} 3 1 2 .", "  . . .")
    right = Twin.from_rows([row.format("1") for row in whole])
    assert right.solved
    assert not right.lost
    wrong = Twin.from_rows([row.format("2") for row in whole])
    assert wrong.fitness == -1
    assert wrong.legal() == []
    assert wrong.lost


# --- Solutions


@pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 2), (3, 12), (4, 576)])
def test_the_latin_squares_are_as_many_as_is_known(size: int, number: int) -> None:
    found = latin_squares(size)
    assert len(found) == len(set(found)) == number
    assert list(found) == sorted(found)


@pytest.mark.parametrize("rows", [EASY, HARD])
def test_a_puzzle_has_one_solution(rows: tuple[str, ...]) -> None:
    assert Twin.from_rows(rows).solutions() == [grid(*SOLUTION)]


def test_a_level_may_have_several_solutions() -> None:
    assert len(Twin.from_rows(UNCLUED).solutions()) == 12
    # The first column is 1, 2, 3 from above.
    both = [grid("123", "231", "312"), grid("132", "213", "321")]
    assert Twin.from_rows(("  3 . .", *UNCLUED[1:])).solutions() == both
    # 3 is seen first; below it stands 2, as 1 is given.
    assert Twin.from_rows(MIXED).solutions() == [grid("312", "231", "123")]
    assert Twin.from_rows(("  3 3 .", *UNCLUED[1:])).solutions() == []


def test_solutions_do_not_depend_on_what_is_written() -> None:
    twin = filled(HARD, ("4444", "....", "....", "...."))
    assert twin.solutions() == [grid(*SOLUTION)]
    assert twin.grid()[0] == (4, 4, 4, 4)


def test_how_often_a_first_row_is_seen_from_the_left() -> None:
    """Of the permutations of 4, 6, 11, 6 and 1 have 1, 2, 3 and 4 seen: Stirling's numbers."""
    counts = Counter(seen(square[0]) for square in latin_squares(4))
    assert counts == {1: 6 * 24, 2: 11 * 24, 3: 6 * 24, 4: 24}


# --- Planes and text


def test_planes() -> None:
    rows = ("  . 2 .", "1 . 3 . .", ". . . . 3", ". . . 1 .", "  2 . .")
    twin = Twin.from_rows(rows, largest=4)
    twin.act(twin.action((0, 0), 1))
    planes = twin.planes()
    assert [len(planes), len(planes[0]), len(planes[0][0])] == [22, 4, 4]
    expected = {
        0: set(cells(3)),
        1: {(0, 1), (2, 2)},
        2: {(0, 0), (2, 2)},
        4: {(0, 1)},
        # The clue 2 above the second column, below the first; 1 left of row 1, 3 right of row 2.
        6 + 1: {(0, 1), (1, 1), (2, 1)},
        10 + 1: {(0, 0), (1, 0), (2, 0)},
        14 + 0: {(0, 0), (0, 1), (0, 2)},
        18 + 2: {(1, 0), (1, 1), (1, 2)},
    }
    for number, plane in enumerate(planes):
        assert marked(plane) == expected.get(number, set()), number


@pytest.mark.parametrize("rows", [EASY, HARD, UNCLUED, MIXED])
def test_text_is_what_was_read(rows: tuple[str, ...]) -> None:
    assert tuple(Twin.from_rows(rows).rows()) == rows


def test_heights_above_nine_are_letters() -> None:
    line = " ".join("123456789ABC")
    rows = [f"  {line}", f"C {line} A", *[". " * 13 + "."] * 11, f"  {line}"]
    twin = Twin.from_rows(rows)
    assert twin.grid()[0] == tuple(range(1, 13))
    assert (twin.left[0], twin.right[0], twin.bottom) == (12, 10, tuple(range(1, 13)))
    assert twin.rows() == rows


# --- Invariants of random levels and random play


@unhurried
@given(data=st.data(), size=st.integers(1, 7))
def test_squares_are_latin(data: st.DataObject, size: int) -> None:
    square = data.draw(squares(size))
    heights = list(range(1, size + 1))
    for line in (*square, *zip(*square, strict=True)):
        assert sorted(line) == heights


@unhurried
@given(board=boards(solvable=True))
def test_the_square_of_the_clues_solves(board: Board) -> None:
    twin = board.twin()
    twin.values = {(row, column): board.square[row][column] for row, column in cells(board.size)}
    assert twin.solved
    assert twin.fitness == 0
    assert twin.legal() == []
    if board.size <= 4:
        assert board.square in board.twin().solutions()


@unhurried
@given(board=boards(), larger=st.integers(0, 3), choices=choices(30))
def test_random_play(board: Board, larger: int, choices: list[int]) -> None:
    size, largest = board.size, board.size + larger
    twin = board.twin(largest)
    before = twin.copy()
    for action, cost in random_walk(twin, choices):
        assert cost == 1
        place, value = divmod(action, largest)
        cell = divmod(place, largest)
        assert before.value(cell) != value + 1
        assert max(*cell, value) < size
        assert cell not in twin.givens
        changed = [each for each in cells(size) if before.value(each) != twin.value(each)]
        assert changed == [cell]
        assert twin.value(cell) == value + 1
        assert_holds(twin)
        before = twin.copy()


def assert_holds(twin: Twin) -> None:
    """What is true of every position."""
    assert twin.solved == (twin.fitness == 0)
    assert 0 <= twin.met <= len(twin.clues)
    assert -4 * twin.size - 2 * twin.size**2 <= twin.fitness <= 0
    writes, consistent, empty = twin.copy(), twin.copy(), twin.copy()
    writes.mask, consistent.mask, empty.mask = "writes", "consistent", "empty"
    assert set(empty.legal()) <= set(consistent.legal()) <= set(writes.legal())
    assert bool(empty.legal()) == bool(consistent.legal()) == bool(writes.legal())
    again = Twin.from_rows(twin.rows(), mask=twin.mask, largest=twin.largest)
    assert again.key() == twin.key()
    assert (again.fitness, again.clues) == (twin.fitness, twin.clues)
    planes = twin.planes()
    values = planes[2 : 2 + twin.largest]
    assert [again.value(cell) for cell in cells(twin.size)] == [
        sum(number * plane[row][column] for number, plane in enumerate(values, start=1))
        for row, column in cells(twin.size)
    ]

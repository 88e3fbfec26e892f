"""The picture of Skyscraper: what it shows, its motion and its text.

How it looks is in tests/rendering/golden.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from puzzle_envs.rendering.digits import number, number_width
from puzzle_envs.skyscraper.picture import Picture
from tests.rendering.filmed import Episode, Filmed, Planes
from tests.skyscraper.boards import Board, boards
from tests.skyscraper.twin import Cell, Twin
from tests.walks import choices, random_walk

Pixels = NDArray[np.uint8]

BEGUN = """
  3 . 2 1
4 . . . . .
. . 3 . . 2
1 . . . . .
. . . 1 . 2
  2 1 . 3
"""
SOLVED = """
  3 . 2 1
4 1 2 3 4 .
. 2 3 4 1 2
1 4 1 2 3 .
. 3 4 1 2 2
  2 1 . 3
"""
GIVEN = {(1, 1), (3, 2)}
# Three of a height, one of them given; a clue broken in a full row and in a full column.
WRONG = """
  3 . 2 1
4 1 2 3 4 .
. . 3 . 3 2
1 2 1 4 3 .
. . . 1 2 2
  2 1 . 3
"""
STEPS = [(0, 0, 1), (0, 1, 4), (0, 1, 2), (0, 2, 3), (0, 3, 4), (2, 3, 4), (2, 3, 3), (1, 0, 3)]


def planes_of(twin: Twin) -> Planes:
    return np.array(twin.planes(), np.int8)


def build(twin: Twin, row: int, column: int, height: int) -> int:
    """Write a height, legal or not; its action."""
    twin.values[row, column] = height
    return twin.action((row, column), height)


def town(text: str = BEGUN, given: Iterable[Cell] = GIVEN, largest: int | None = None) -> Twin:
    """A grid; the heights that are there at first are given if they stand in `given`."""
    twin = Twin.from_rows(text.strip("\n").split("\n"), largest=largest)
    twin.givens = {cell: twin.givens[cell] for cell in given}
    return twin


def empty(size: int) -> Twin:
    edge = "  " + " ".join("." * size)
    return Twin.from_rows([edge, *[" ".join("." * (size + 2))] * size, edge])


def begun(twin: Twin) -> Picture:
    picture = Picture(twin.largest**3)
    picture.begin(planes_of(twin))
    return picture


def step(picture: Picture, twin: Twin, row: int, column: int, height: int) -> None:
    action = build(twin, row, column, height)
    picture.follow(action, planes_of(twin))


def played(steps: int) -> tuple[Picture, Twin]:
    board = town()
    picture = begun(board)
    for each in STEPS[:steps]:
        step(picture, board, *each)
    return picture, board


def of_cell(pixels: Pixels, row: int, column: int, cell: int) -> Pixels:
    """The part of a picture that shows a cell; the ring is row and column -1."""
    top, left = (row + 1) * cell, (column + 1) * cell
    return pixels[top : top + cell, left : left + cell]


def differing_cells(first: Pixels, second: Pixels, cell: int, least: float = 0.0) -> set[Cell]:
    """The cells in which a larger share of the pixels than `least` differs."""
    differs = (first != second).any(axis=2)
    size = len(first) // cell - 2
    places = [(row - 1, column - 1) for row, column in np.ndindex(size + 2, size + 2)]
    return {place for place in places if of_cell(differs, *place, cell).mean() > least}


def redness(pixels: Pixels) -> float:
    """How many of the pixels are red."""
    red, green, blue = np.moveaxis(pixels.astype(int), 2, 0)
    return float(((red - green > 70) & (red - blue > 60)).mean())


@pytest.mark.parametrize("size", range(3, 13))
def test_any_grid_size(size: int) -> None:
    board = empty(size)
    for row, column in np.ndindex(size, size):
        build(board, row, column, (row + column) % size + 1)
    assert begun(board).paint(8).shape == (8 * (size + 2), 8 * (size + 2), 3)


def test_the_largest_cell() -> None:
    pixels = begun(town("  1\n1 1 1\n  1", ())).paint(512)
    assert pixels.shape == (3 * 512, 3 * 512, 3)


# --- What can be seen


@pytest.mark.parametrize("cell", [8, 16, 64])
@pytest.mark.parametrize("height", [1, 3, 5])
def test_a_building_shows_in_its_own_cell(height: int, cell: int) -> None:
    """But for its shadow, which falls to the right and downward, and the edge of its roof."""
    bare, board = begun(empty(5)).paint(cell), empty(5)
    build(board, 2, 1, height)
    pixels = begun(board).paint(cell)
    differs = (bare != pixels).any(axis=2)
    top, left = 3 * cell, 2 * cell
    assert of_cell(differs, 2, 1, cell).mean() > 0.4
    assert not differs[: top - round(0.1 * cell) - 1].any()
    assert not differs[:, :left].any()
    assert not differs[top + round(1.35 * cell) :].any()
    assert not differs[:, left + round(1.65 * cell) :].any()


@pytest.mark.parametrize("cell", [16, 32, 64])
def test_the_higher_the_building_the_higher_its_roof(cell: int) -> None:
    bare = begun(empty(5)).paint(cell)
    tops, shadows = [], []
    for height in range(1, 6):
        board = empty(5)
        build(board, 2, 1, height)
        differs = (bare != begun(board).paint(cell)).any(axis=2)
        # To the left of its middle the building hides its own shadow.
        column = differs[:, round(2.4 * cell)]
        tops.append(int(column.argmax()))
        shadows.append(int(differs.any(axis=0).nonzero()[0][-1]))
    assert all(higher < lower for lower, higher in pairwise(tops))
    assert all(longer > shorter for shorter, longer in pairwise(shadows))


@pytest.mark.parametrize("size", [4, 9, 12, 16])
def test_no_building_hides_the_number_of_another(size: int) -> None:
    cell = 32
    alone, before = empty(size), empty(size)
    for board in (alone, before):
        build(board, 1, 1, 1)
    build(before, 2, 1, size)
    hidden = (begun(alone).paint(cell) != begun(before).paint(cell)).any(axis=2)
    around_number = of_cell(hidden, 1, 1, cell)[round(0.45 * cell) : round(0.84 * cell)]
    assert not around_number.any()


def test_a_high_building_shades_a_lower_roof_to_its_right() -> None:
    lower, higher, alone = empty(5), empty(5), empty(5)
    for board, left in ((lower, 2), (higher, 5)):
        build(board, 2, 1, left)
        build(board, 2, 2, 1)
    build(alone, 2, 2, 1)
    # The middle of the roof's left half.
    part = np.s_[3 * 64 + 24 : 3 * 64 + 48, 3 * 64 + 14 : 3 * 64 + 18]
    light, shaded, free = (begun(board).paint(64)[part] for board in (lower, higher, alone))
    np.testing.assert_array_equal(light, free)
    assert shaded.mean() < light.mean() - 10


@pytest.mark.parametrize(("size", "cell"), [(4, 8), (9, 16), (12, 64), (16, 64)])
def test_heights_look_different(size: int, cell: int) -> None:
    pictures = []
    for height in range(1, size + 1):
        board = empty(size)
        build(board, 2, 2, height)
        pictures.append(of_cell(begun(board).paint(cell), 2, 2, cell).astype(int))
    for place, pixels in enumerate(pictures):
        for other in pictures[:place]:
            assert (np.abs(pixels - other).max(axis=2) > 20).mean() > 0.02


@pytest.mark.parametrize("cell", [8, 16, 64])
def test_givens_look_different(cell: int) -> None:
    for height in (1, 4):
        written, given_ = empty(4), empty(4)
        build(written, 1, 1, height)
        build(given_, 1, 1, height)
        given_.givens = {(1, 1): height}
        first, second = begun(written).paint(cell), begun(given_).paint(cell)
        assert differing_cells(first, second, cell) <= {(0, 1), (1, 1)}
        # In black and white too.
        grey = np.abs(first.mean(axis=2) - second.mean(axis=2))
        assert (of_cell(grey, 1, 1, cell) > 40).mean() > 0.15


@pytest.mark.parametrize("cell", [16, 32, 64])
@pytest.mark.parametrize("others", [[(0, 3)], [(3, 1)], [(0, 0), (2, 1)]])
def test_equal_heights_in_a_line_are_red(others: list[Cell], cell: int) -> None:
    board = empty(4)
    for place in [(0, 1), *others]:
        build(board, *place, 3)
    # Neither in a line with each other nor with these.
    for place, height in (((1, 2), 3), ((3, 3), 4)):
        build(board, *place, height)
    pixels = begun(board).paint(cell)
    for place in [(0, 1), *others]:
        assert redness(of_cell(pixels, *place, cell)) > 0.1
    for place in ((1, 2), (3, 3)):
        assert redness(of_cell(pixels, *place, cell)) < 0.02


@pytest.mark.parametrize("cell", [16, 32, 64])
def test_a_conflict_shows_without_colours(cell: int) -> None:
    """Its rim is dashed: along it light and dark alternate."""
    for is_given in (False, True):
        fine, wrong = empty(4), empty(4)
        for board in (fine, wrong):
            build(board, 2, 1, 2)
            board.givens = {(2, 1): 2} if is_given else {}
        build(wrong, 2, 3, 2)
        changes = []
        for board in (fine, wrong):
            # The rim's lowest pixels, over all of its breadth.
            part = of_cell(begun(board).paint(cell), 2, 1, cell).mean(axis=2)
            line = part[round((0.94 - 0.25) * cell) - 1, round(0.2 * cell) : round(0.8 * cell)]
            changes.append(int((np.abs(np.diff(line)) > 40).sum()))
        assert changes[0] <= 1
        assert changes[1] >= 5


CLUE_OPEN = "  . . . .\n3 1 . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n  . . . ."
CLUE_MET = CLUE_OPEN.replace("3 1 . . . .", "3 1 2 3 . .")
CLUE_BROKEN = CLUE_OPEN.replace("3 1 . . . .", "3 1 2 3 4 .")


@pytest.mark.parametrize("cell", [8, 16, 64])
def test_clues_show_how_they_stand(cell: int) -> None:
    parts = [
        of_cell(begun(town(text, ())).paint(cell), 0, -1, cell)
        for text in (CLUE_OPEN, CLUE_MET, CLUE_BROKEN)
    ]
    stands_open, met, broken = parts
    # A met one fades into the moss, and a broken one is red.
    grey = [part.astype(int).mean(axis=2) for part in parts]
    assert grey[1].std() < 0.75 * grey[0].std()
    assert redness(broken) > 0.15 > 0.01 > max(redness(stands_open), redness(met))
    if cell >= 16:
        # In black and white a broken one is another too: it is dark, with a bright rim.
        assert (np.abs(grey[2] - grey[0]) > 40).mean() > 0.2


@pytest.mark.parametrize(
    ("end", "row", "column"), [("top", -1, 1), ("bottom", 4, 1), ("left", 1, -1), ("right", 1, 4)]
)
def test_clues_stand_where_they_belong(end: str, row: int, column: int) -> None:
    board = empty(4)
    setattr(board, end, (0, 3, 0, 0))
    clued = begun(board).paint(32)
    assert differing_cells(clued, begun(empty(4)).paint(32), 32) == {(row, column)}


def test_clues_of_one_line_do_not_mix() -> None:
    """Seen from one end a clue may be met, and from the other broken."""
    rows = ". . . . . ."
    text = "\n".join(["  . . . .", "4 1 2 3 4 2", rows, rows, rows, "  . . . ."])
    pixels = begun(town(text, ())).paint(32)
    assert redness(of_cell(pixels, 0, -1, 32)) < 0.01
    assert redness(of_cell(pixels, 0, 4, 32)) > 0.15


@pytest.mark.parametrize("cell", [8, 16, 64])
def test_solved_shows(cell: int) -> None:
    """There is light in all windows, or on the walls where no window could be seen."""
    solved, other = town(SOLVED), town(SOLVED)
    build(other, 3, 3, 1)
    first, second = begun(solved).paint(cell), begun(other).paint(cell)
    for row, column in np.ndindex(3, 3):
        part, dark = (of_cell(pixels, row, column, cell).astype(int) for pixels in (first, second))
        yellow, before = ((each[..., 0] - each[..., 2]) for each in (part, dark))
        assert (yellow > before + 40).mean() > 0.05
    assert redness(first) < 0.001


def test_wrong_shows_where_it_is() -> None:
    board = town(WRONG)
    pixels = begun(board).paint(32)
    red = {
        (row - 1, column - 1)
        for row, column in np.ndindex(6, 6)
        if redness(of_cell(pixels, row - 1, column - 1, 32)) > 0.03
    }
    assert red == {(1, 1), (1, 3), (2, 3), (2, -1)}


# --- Motion


def grown(first: int, then: int) -> Picture:
    board = empty(5)
    if first:
        build(board, 2, 2, first)
    picture = begun(board)
    step(picture, board, 2, 2, then)
    return picture


@pytest.mark.parametrize(("first", "then"), [(0, 5), (0, 1), (2, 4), (5, 1)])
def test_a_slide_is_smooth(first: int, then: int) -> None:
    frames = [frame.astype(int) for frame in grown(first, then).slide(32, 60)]
    for before, after in pairwise(frames):
        assert (np.abs(after - before).max(axis=2) > 60).mean() < 0.006
    far, near = (np.abs(frame - frames[-1]).mean() for frame in (frames[0], frames[-2]))
    assert near < 0.5 * far


@pytest.mark.parametrize(("first", "then"), [(0, 3), (1, 4), (4, 2)])
def test_a_building_rises_or_sinks_from_its_old_height(first: int, then: int) -> None:
    """The roof is between the old height and the new one, and never turns back."""
    bare = begun(empty(5)).paint(64)
    tops = [
        int((frame != bare).any(axis=2)[:, round(3.4 * 64)].argmax())
        for frame in grown(first, then).slide(64, 12)
    ]
    assert tops == sorted(tops, reverse=then > first)
    assert abs(tops[0] - tops[-1]) > 0.5 * abs(then - first) * 0.1 * 64


def test_a_slide_touches_nothing_far_away() -> None:
    board = town()
    picture = begun(board)
    step(picture, board, 2, 0, 4)
    still = picture.paint(32)
    for frame in picture.slide(32, 9):
        near = {(1, 0), (2, 0), (2, 1), (3, 0), (3, 1)}
        assert differing_cells(frame, still, 32) <= near


# --- Text


def test_text() -> None:
    picture, _ = played(3)
    assert picture.text().split("\n") == [
        "  3 . 2 1",
        "4 1 2 . . .",
        ". . 3 . . 2",
        "1 . . . . .",
        ". . . 1 . 2",
        "  2 1 . 3",
    ]


def test_text_of_a_large_grid() -> None:
    board = replace(empty(12), bottom=tuple(range(12, 0, -1)), left=(12, *[0] * 11))
    for column in range(12):
        build(board, 0, column, column + 1)
    lines = begun(board).text().split("\n")
    assert lines[1] == "C 1 2 3 4 5 6 7 8 9 A B C ."
    assert lines[-1] == "  C B A 9 8 7 6 5 4 3 2 1"
    assert lines[0] == "  . . . . . . . . . . . ."


@settings(max_examples=60, deadline=None)
@given(board=boards(), larger=st.integers(0, 2), choices=choices(8))
def test_every_episode_can_be_shown(board: Board, larger: int, choices: list[int]) -> None:
    """The text is that of the rules, and slides move."""
    twin = board.twin(board.size + larger)
    picture = Picture(twin.largest**3)
    picture.begin(planes_of(twin))
    assert picture.text() == "\n".join(twin.rows())
    picture.paint(5)
    for action, _ in random_walk(twin, choices):
        picture.follow(action, planes_of(twin))
        assert picture.text() == "\n".join(twin.rows())
        first, *_, last = picture.slide(5, 3)
        np.testing.assert_array_equal(last, picture.paint(5))
        assert (first != last).any()


# --- Numbers


@pytest.mark.parametrize("value", range(13))
def test_numbers_have_the_size_they_say(value: int) -> None:
    line = np.linspace(-1, 1, 401, dtype=np.float32)
    on_line = number(line[None, :], line[:, None], value) < 0.03
    rows, columns = (np.flatnonzero(on_line.any(axis=axis)) for axis in (1, 0))
    assert line[rows[0]] == pytest.approx(-0.53, abs=0.02)
    assert line[rows[-1]] == pytest.approx(0.53, abs=0.02)
    breadth = float(line[columns[-1]] - line[columns[0]])
    assert breadth == pytest.approx(number_width(value) + 0.06, abs=0.12)


def test_numbers_differ() -> None:
    line = np.linspace(-1, 1, 101, dtype=np.float32)
    shapes = [number(line[None, :], line[:, None], value) < 0.1 for value in range(13)]
    for value, shape in enumerate(shapes):
        for other in shapes[:value]:
            assert (shape ^ other).sum() > 0.15 * min(shape.sum(), other.sum())


# --- Looks


def episode(largest: int) -> Episode:
    board = town(largest=largest)
    first = planes_of(board)
    steps = [(build(board, *each), planes_of(board)) for each in STEPS]
    return Episode(largest**3, first, steps)


def filmed() -> Filmed:
    """An episode, and what is no part of it."""
    two_more, another_clue, not_given = (played(1)[1] for _ in range(3))
    build(two_more, 2, 0, 1)
    build(two_more, 2, 1, 2)
    another_clue.top = (3, 4, *another_clue.top[2:])
    build(another_clue, 2, 0, 1)
    not_given.givens = {(1, 1): 3}
    build(not_given, 2, 0, 1)
    strangers = (two_more, another_clue, not_given, town(), town(SOLVED), empty(3), empty(4))
    board = empty(12)
    large = begun(board)
    step(large, board, 3, 4, 12)
    list(large.slide(64, 2))
    return Filmed(
        Picture,
        episode(4),
        blank=((24, 24, 3), "  .\n. . .\n  ."),
        ring=2,
        frame=0,
        illegal=(2, (0,)),
        jumps=(1, [planes_of(stranger) for stranger in strangers]),
        large=large,
        largest_pickle=10_000,
        padded=[episode(largest) for largest in (5, 9, 12)],
    )


def golden_pictures() -> dict[str, Picture]:
    """On the way, with givens and open and met clues; solved; wrong; and a large grid."""
    large = replace(
        empty(7),
        top=tuple(place % 5 for place in range(1, 8)),
        right=tuple(place * 2 % 5 for place in range(1, 8)),
    )
    for row, column in np.ndindex(7, 7):
        if (row * 4 + column * 7) % 5:
            build(large, row, column, (2 * row + 5 * column) % 7 + 1)
            if (row + 3 * column) % 4 == 0:
                large.givens[row, column] = large.value((row, column))
    return {
        "on_the_way": played(3)[0],
        "solved": begun(town(SOLVED)),
        "wrong": begun(town(WRONG)),
        "large": begun(large),
    }


def test_what_is_kept_looks_as_if_painted_anew() -> None:
    chance = np.random.default_rng(7)
    for size in (4, 7):
        board = empty(size)
        picture = begun(board)
        for turn in range(60):
            row, column, value = (int(one) for one in chance.integers(0, size, 3))
            step(picture, board, row, column, value + 1)
            cell = 12 if turn % 20 else 9
            *_, kept = picture.slide(cell, 2)
            # A copy begins without what is kept.
            np.testing.assert_array_equal(kept, copy.deepcopy(picture).paint(cell))

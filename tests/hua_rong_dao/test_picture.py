"""The picture of Hua Rong Dao: what it shows, its motion and its text.

How it looks is in tests/rendering/golden.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numpy.typing import NDArray

from puzzle_envs.hua_rong_dao.level import FORMAT
from puzzle_envs.hua_rong_dao.picture import Picture
from tests.hua_rong_dao.boards import Board, boards
from tests.hua_rong_dao.test_rules import level_text
from tests.hua_rong_dao.twin import DOWN, LEFT, RIGHT, UP, Block, Cell, Twin
from tests.rendering.filmed import Episode, Filmed, Planes
from tests.walks import choices, random_walk

Pixels = NDArray[np.uint8]


def box(*rows: str, goal: Cell, width: int | None = None) -> Twin:
    """A box whose goal piece is `a`."""
    return Twin.from_rows(rows, goal=("a", *goal), stride=width)


def block_of(box: Twin, letter: str) -> Block:
    return next(block for block in box.blocks if block.picture[0] == letter)


def planes_of(box: Twin, height: int | None = None, width: int | None = None) -> Planes:
    return np.array(box.planes(height, width), np.int8)


def do(box: Twin, letter: str, way: int) -> int:
    """Do a step; its action."""
    block = block_of(box, letter)
    action = 4 * (block.row * box.stride + block.column) + way
    box.act(action)
    return action


def classic(*rows: str) -> Twin:
    return box(*rows, goal=(3, 1))


def nearly_solved(width: int | None = None) -> Twin:
    return box("vbbw", "vcdw", "xaay", "xaay", "e..f", goal=(3, 1), width=width)


# Steps of one block around a corner, of several blocks, and into the goal.
SOLUTION = (("e", RIGHT), ("e", RIGHT), ("e", LEFT), ("e", LEFT), ("a", DOWN))

# Every kind of block: 1x1, standing and lying ones of several lengths, larger ones, the goal piece.
EVERY_KIND = ("bbcaad", "bbcaad", "eecf.d", "gggghd", "iii..k", "iiijjk")


def begun(box: Twin) -> Picture:
    picture = Picture(4 * box.height * box.width)
    picture.begin(planes_of(box))
    return picture


def step(picture: Picture, box: Twin, letter: str, way: int) -> None:
    action = do(box, letter, way)
    picture.follow(action, planes_of(box))


def played(steps: int) -> tuple[Picture, Twin]:
    tray = nearly_solved()
    picture = begun(tray)
    for letter, way in SOLUTION[:steps]:
        step(picture, tray, letter, way)
    return picture, tray


def of_cell(pixels: Pixels, box: Twin, row: int, column: int, cell: int) -> Pixels:
    """The part of a picture that shows a cell."""
    frame = (pixels.shape[0] - cell * box.height) // 2
    top, left = frame + row * cell, frame + column * cell
    return pixels[top : top + cell, left : left + cell]


@pytest.mark.parametrize("cell", [8, 16, 64])
@pytest.mark.parametrize(
    "block", [(1, 1), (2, 1), (3, 1), (1, 2), (1, 4), (2, 2), (2, 3)], ids=lambda size: f"{size}"
)
def test_a_block_shows_in_its_own_cells(block: tuple[int, int], cell: int) -> None:
    """But for its shadow, which falls to the right and downward."""
    height, width = block
    rows = ["." * 7, *(f".{'b' * width:.<6}" for _ in range(height)), *["." * 7] * (5 - height)]
    rows.append("a......")
    tray = box(*rows, goal=(0, 6))
    bare = begun(box(*["." * 7] * 6, "a......", goal=(0, 6))).paint(cell)
    differs = (bare != begun(tray).paint(cell)).any(axis=2)
    own = [of_cell(differs, tray, *place, cell) for place in block_of(tray, "b").cells]
    assert all(part.mean() > 0.9 for part in own)
    for part in own:
        part[:] = False
    frame = (bare.shape[0] - 7 * cell) // 2
    top, left = frame + cell, frame + cell
    assert not differs[:top].any()
    assert not differs[:, :left].any()
    reach = round(0.3 * cell)
    assert not differs[top + height * cell + reach :].any()
    assert not differs[:, left + width * cell + reach :].any()
    assert differs.any()


@pytest.mark.parametrize("cell", [8, 16, 64])
def test_blocks_look_different(cell: int) -> None:
    """What differs in shape differs in colour too, if it has another emblem."""
    tray = box(*EVERY_KIND, goal=(4, 3))
    pixels = begun(tray).paint(cell)
    colours = [
        of_cell(pixels, tray, *block_of(tray, letter).cells[0], cell).astype(int).mean(axis=(0, 1))
        for letter in "abcef"
    ]
    colours.append(of_cell(pixels, tray, 2, 4, cell).astype(int).mean(axis=(0, 1)))
    for number, colour in enumerate(colours):
        for other in colours[:number]:
            assert np.abs(colour - other).max() > 15


@pytest.mark.parametrize("rows", [("a.",), ("a", "a", "."), ("aa.",), ("aa", "aa", "..")])
def test_the_goal_piece_is_red_in_any_shape(rows: tuple[str, ...]) -> None:
    def redness(planes: NDArray[np.int8]) -> float:
        picture = Picture(16)
        picture.begin(planes)
        red, green, _ = picture.paint(32)[20:36, 20:36].mean(axis=(0, 1))
        return float(red - green)

    planes = planes_of(box(*rows, goal=(0, 0)))
    planes[3] = 0
    as_another = planes.copy()
    as_another[2] = 0
    assert redness(planes) > redness(as_another) + 30


def test_touching_blocks_are_told_apart() -> None:
    one = begun(box("bbbb", "a...", goal=(1, 3))).paint(16)
    two = begun(box("bbcc", "a...", goal=(1, 3))).paint(16)
    four = begun(box("bcde", "a...", goal=(1, 3))).paint(16)
    assert (one != two).any(axis=2).mean() > 0.02
    assert (two != four).any(axis=2).mean() > 0.1


@pytest.mark.parametrize("goal", [(0, 0), (1, 0), (0, 2), (1, 2), (2, 1)])
def test_the_goal_shows_on_the_floor(goal: tuple[int, int]) -> None:
    rows = ("....", "....", "....", "bbbb", "a...")
    here, away = (box(*rows, goal=place) for place in (goal, (4, 0)))
    shown, bare = begun(here).paint(32), begun(away).paint(32)
    differs = (shown != bare).any(axis=2)
    assert of_cell(differs, here, *goal, 32).mean() > 0.8
    for row, column in np.ndindex(3, 4):
        assert of_cell(differs, here, row, column, 32).any() == ((row, column) == goal)


def test_the_gate_is_where_the_goal_meets_the_frame() -> None:
    def gates(goal: tuple[int, int]) -> list[bool]:
        tray = box("....", "....", "...a", goal=goal)
        pixels = begun(tray).paint(32).astype(int)
        frame = (pixels.shape[0] - 3 * 32) // 2
        sides = (pixels[:frame], pixels[:, -frame:], pixels[-frame:], pixels[:, :frame])
        # Nothing on the frame but the posts of a gate is red.
        return [bool((side[..., 0] - side[..., 1] > 90).any()) for side in sides]

    assert gates((2, 1)) == [False, False, True, False]
    assert gates((0, 1)) == [True, False, False, False]
    assert gates((1, 0)) == [False, False, False, True]
    assert gates((1, 3)) == [False, True, False, False]
    assert gates((2, 0)) == [False, False, True, False]
    assert gates((1, 1)) == [False, False, False, False]


def test_the_block_that_moved_last_is_marked() -> None:
    picture, tray = played(1)
    unmarked = classic(*tray.rows())
    differs = (picture.paint(32) != begun(unmarked).paint(32)).any(axis=2)
    own = of_cell(differs, tray, *block_of(tray, "e").cells[0], 32)
    assert own.mean() > 0.1
    own[:] = False
    assert not differs.any()


def test_solved_shows() -> None:
    picture, tray = played(len(SOLUTION))
    assert tray.solved
    solved = picture.paint(32)
    planes = planes_of(tray)
    planes[2] = planes[3] = 0
    other = Picture(80)
    other.begin(planes)
    assert (solved != other.paint(32)).any()
    # The light reaches beyond the goal piece, but not far.
    unsolved = begun(classic("vbbw", "vcdw", "xaay", "xaay", "e..f")).paint(32)
    differs = (solved != unsolved).any(axis=2)
    assert of_cell(differs, tray, 4, 0, 32)[:, -4:].all()
    assert not of_cell(differs, tray, 0, 0, 32).any()
    # And the gate is lit.
    assert solved[-8:, 64:96].mean() > unsolved[-8:, 64:96].mean() + 60


@pytest.mark.parametrize(("letter", "way"), [("b", UP), ("c", RIGHT), ("b", DOWN), ("d", LEFT)])
def test_a_slide_is_smooth(letter: str, way: int) -> None:
    tray = box("....", ".bb.", "....", "c..d", "a...", goal=(0, 3))
    picture = begun(tray)
    step(picture, tray, letter, way)
    frames = [frame.astype(int) for frame in picture.slide(16, 60)]
    for before, after in pairwise(frames):
        assert (np.abs(after - before).max(axis=2) > 60).mean() < 0.04
    first, last = (
        (np.abs(frame - frames[-1]).max(axis=2) > 60).mean() for frame in (frames[0], frames[-2])
    )
    assert last < 0.01 < 0.04 < first


@pytest.mark.parametrize("way", range(4))
def test_a_slide_begins_where_the_block_was(way: int) -> None:
    tray = box(".....", ".....", "..b..", ".....", "a....", goal=(0, 4))
    picture = begun(tray)
    step(picture, tray, "b", way)
    # The same block, marked, where it came from.
    back = box(".....", ".....", "..b..", ".....", "a....", goal=(0, 4))
    back.last, back.direction = back.blocks.index(block_of(back, "b")), way
    first = next(iter(picture.slide(32, 1000))).astype(int)
    assert np.abs(first - begun(back).paint(32)).max() <= 2


def test_a_slide_touches_no_other_block() -> None:
    """No shadow falls on blocks that stay where they are."""
    picture, tray = played(1)
    for frame in picture.slide(32, 9):
        for letter in "vwxya":
            for place in block_of(tray, letter).cells:
                np.testing.assert_array_equal(
                    of_cell(frame, tray, *place, 32), of_cell(picture.paint(32), tray, *place, 32)
                )


def test_text_of_the_classic_box() -> None:
    texts = [played(steps)[0].text() for steps in range(len(SOLUTION) + 1)]
    side_by_side = [
        "   ".join(lines) for lines in zip(*(text.split("\n") for text in texts), strict=True)
    ]
    assert side_by_side == [
        "VH<V   VH<V   VH<V   VH<V   VH<V   VH<V",
        "^SS^   ^SS^   ^SS^   ^SS^   ^SS^   ^SS^",
        "VB*V   VB*V   VB*V   VB*V   VB*V   V..V",
        "^**^   ^**^   ^**^   ^**^   ^**^   ^B*^",
        "S..S   .S.S   ..SS   .S.S   S..S   S**S",
    ]


@pytest.mark.parametrize(
    ("tray", "text"),
    [
        # Another goal, another size, larger blocks, another goal piece: letters.
        (box("vaab", "vaab", "....", "....", "....", goal=(3, 0)), "; goal: b 4 1|abbc|abbc"),
        (box("vaab", "vaab", "....", "....", goal=(2, 1)), "; goal: b 3 2|abbc|abbc"),
        (box("aabb", "aabb", "....", "....", "....", goal=(3, 1)), "; goal: a 4 2|aabb|aabb"),
        (box("aavb", "aavb", "..v.", "....", "....", goal=(3, 1)), "; goal: a 4 2|aabc|aabc|..b."),
        (box("dcab", "dc.b", ".c..", goal=(2, 3)), "; goal: c 3 4|abcd|ab.d|.b.."),
        (box("aavb", "aavb", "....", "....", "....", goal=(3, 1)), "B*VV|**^^"),
    ],
)
def test_text_of_other_boxes(tray: Twin, text: str) -> None:
    lines = text.split("|")
    height, width = tray.height, tray.width
    lines += ["." * width] * (height + text.startswith(";") - len(lines))
    assert begun(tray).text() == "\n".join(lines)


def test_text_names_as_many_blocks_as_there_can_be() -> None:
    planes = planes_of(box(*["." * 8] * 7, "a.......", goal=(0, 0)))
    planes[1] = 1
    planes[1, 7, 7] = 0
    picture = Picture(256)
    picture.begin(planes)
    assert picture.text().split("\n") == [
        "; goal: 4 1 1",
        "abcdefgh",
        "ijklmnop",
        "qrstuvwx",
        "yzABCDEF",
        "GHIJKLMN",
        "OPQRSTUV",
        "WXYZ0123",
        "456789@.",
    ]


@settings(max_examples=60, deadline=None)
@given(board=boards(), choices=choices(12))
def test_every_episode_can_be_shown(board: Board, choices: list[int]) -> None:
    """The text is the level that the rules are at, and slides move."""
    assume(any("." in row for row in board.rows))
    twin = board.twin()
    picture = begun(twin)
    for action, _ in random_walk(twin, choices):
        picture.follow(action, planes_of(twin))
        text = picture.text()
        told = FORMAT.parse(text + "\n", "picture")[0]
        now = FORMAT.parse(level_text(replace(board, rows=tuple(twin.rows()))), "twin")[0]
        assert FORMAT.write(told.record) == text.split("\n") == FORMAT.write(now.record)
        first, *_, last = picture.slide(5, 3)
        np.testing.assert_array_equal(last, picture.paint(5))
        assert (first != last).any()


def episode(height: int, width: int) -> Episode:
    tray = nearly_solved(width)
    first = planes_of(tray, height, width)
    steps = [(do(tray, letter, way), planes_of(tray, height, width)) for letter, way in SOLUTION]
    return Episode(4 * height * width, first, steps)


def filmed() -> Filmed:
    """An episode, and what does not belong to it."""
    other = classic("vaaw", "vaaw", "xbby", "xcdy", "e..f")
    other.last, other.direction = other.blocks.index(block_of(other, "c")), DOWN
    strangers = (played(3)[1], other, box(*EVERY_KIND, goal=(4, 3)), nearly_solved())
    tray = box("a......b", *["." * 8] * 7, goal=(7, 7))
    large = begun(tray)
    step(large, tray, "b", DOWN)
    list(large.slide(64, 2))
    return Filmed(
        Picture,
        episode(5, 4),
        blank=((14, 14, 3), "."),
        ring=0,
        frame=1,
        illegal=(2, (0,)),
        jumps=(1, [planes_of(stranger) for stranger in strangers]),
        large=large,
        largest_pickle=5_000,
        padded=[episode(7, 8)],
    )


def golden_pictures() -> dict[str, Picture]:
    """On the way, with a block that moved last; solved; and another tray with every kind."""
    every_kind = box(*EVERY_KIND, goal=(1, 4))
    picture = begun(every_kind)
    step(picture, every_kind, "h", UP)
    return {
        "on_the_way": played(2)[0],
        "solved": played(len(SOLUTION))[0],
        "every_kind": picture,
    }

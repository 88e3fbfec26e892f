"""The picture of Hua Rong Dao: what it shows, its motion and its text.

How it looks is in tests/rendering/golden.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from puzzle_envs.hua_rong_dao.level import FORMAT
from puzzle_envs.hua_rong_dao.picture import Picture
from tests.rendering.filmed import Episode, Filmed

Pixels = NDArray[np.uint8]


STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
UP, RIGHT, DOWN, LEFT = range(4)


class Box:
    """Blocks named by letters, `a` the goal piece: slow, and its rows can be read."""

    def __init__(self, *rows: str, goal: tuple[int, int], stride: int | None = None) -> None:
        self.rows = list(rows)
        self.goal = goal
        self.stride = stride or len(rows[0])
        self.last: tuple[str, int] | None = None

    @property
    def size(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    def at(self, row: int, column: int) -> str:
        height, width = self.size
        return self.rows[row][column] if 0 <= row < height and 0 <= column < width else "#"

    def cells(self, letter: str) -> list[tuple[int, int]]:
        return [cell for cell in np.ndindex(*self.size) if self.at(*cell) == letter]

    def goal_cells(self) -> list[tuple[int, int]]:
        piece = self.cells("a")
        down, right = self.goal[0] - piece[0][0], self.goal[1] - piece[0][1]
        return [(row + down, column + right) for row, column in piece]

    @property
    def solved(self) -> bool:
        return self.cells("a") == self.goal_cells()

    def choices(self) -> list[tuple[str, int]]:
        letters = sorted(set("".join(self.rows)) - {"."})
        return [
            (letter, way)
            for letter in letters
            for way, (down, right) in enumerate(STEPS)
            if all(
                self.at(row + down, column + right) in f".{letter}"
                for row, column in self.cells(letter)
            )
        ]

    def step(self, letter: str, way: int) -> int:
        """Do a step; its action."""
        assert (letter, way) in self.choices()
        cells = self.cells(letter)
        down, right = STEPS[way]
        moved = {(row + down, column + right) for row, column in cells}
        height, width = self.size
        self.rows = [
            "".join(
                letter if (row, column) in moved else self.at(row, column).replace(letter, ".")
                for column in range(width)
            )
            for row in range(height)
        ]
        self.last = letter, way
        return 4 * (cells[0][0] * self.stride + cells[0][1]) + way

    def planes(self, height: int | None = None, width: int | None = None) -> NDArray[np.int8]:
        own_height, own_width = self.size
        planes = np.zeros((13, height or own_height, width or own_width), np.int8)
        for row, column in np.ndindex(own_height, own_width):
            letter = self.at(row, column)
            planes[0, row, column] = 1
            planes[3, row, column] = (row, column) in self.goal_cells()
            if letter == ".":
                continue
            planes[1, row, column] = 1
            planes[2, row, column] = letter == "a"
            for way, (down, right) in enumerate(STEPS):
                planes[4 + way, row, column] = self.at(row + down, column + right) == letter
            if self.last and self.last[0] == letter:
                planes[8, row, column] = 1
                planes[9 + self.last[1], row, column] = 1
        return planes


def classic(*rows: str) -> Box:
    return Box(*rows, goal=(3, 1))


def nearly_solved() -> Box:
    return classic("vbbw", "vcdw", "xaay", "xaay", "e..f")


# Steps of one block around a corner, of several blocks, and into the goal.
SOLUTION = (("e", RIGHT), ("e", RIGHT), ("e", LEFT), ("e", LEFT), ("a", DOWN))

# Every kind of block: 1x1, standing and lying ones of several lengths, larger ones, the goal piece.
EVERY_KIND = ("bbcaad", "bbcaad", "eecf.d", "gggghd", "iii..k", "iiijjk")


def begun(box: Box) -> Picture:
    height, width = box.size
    picture = Picture(4 * height * width)
    picture.begin(box.planes())
    return picture


def step(picture: Picture, box: Box, letter: str, way: int) -> None:
    action = box.step(letter, way)
    picture.follow(action, box.planes())


def played(steps: int) -> tuple[Picture, Box]:
    box = nearly_solved()
    picture = begun(box)
    for letter, way in SOLUTION[:steps]:
        step(picture, box, letter, way)
    return picture, box


def of_cell(pixels: Pixels, box: Box, row: int, column: int, cell: int) -> Pixels:
    """The part of a picture that shows a cell."""
    frame = (pixels.shape[0] - cell * box.size[0]) // 2
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
    box = Box(*rows, goal=(0, 6))
    bare = begun(Box(*["." * 7] * 6, "a......", goal=(0, 6))).paint(cell)
    differs = (bare != begun(box).paint(cell)).any(axis=2)
    own = [of_cell(differs, box, *place, cell) for place in box.cells("b")]
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
    box = Box(*EVERY_KIND, goal=(4, 3))
    pixels = begun(box).paint(cell)
    colours = [
        of_cell(pixels, box, *box.cells(letter)[0], cell).astype(int).mean(axis=(0, 1))
        for letter in "abcef"
    ]
    colours.append(of_cell(pixels, box, 2, 4, cell).astype(int).mean(axis=(0, 1)))
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

    planes = Box(*rows, goal=(0, 0)).planes()
    planes[3] = 0
    as_another = planes.copy()
    as_another[2] = 0
    assert redness(planes) > redness(as_another) + 30


def test_touching_blocks_are_told_apart() -> None:
    one = begun(Box("bbbb", "a...", goal=(1, 3))).paint(16)
    two = begun(Box("bbcc", "a...", goal=(1, 3))).paint(16)
    four = begun(Box("bcde", "a...", goal=(1, 3))).paint(16)
    assert (one != two).any(axis=2).mean() > 0.02
    assert (two != four).any(axis=2).mean() > 0.1


@pytest.mark.parametrize("goal", [(0, 0), (1, 0), (0, 2), (1, 2), (2, 1)])
def test_the_goal_shows_on_the_floor(goal: tuple[int, int]) -> None:
    rows = ("....", "....", "....", "bbbb", "a...")
    here, away = (Box(*rows, goal=place) for place in (goal, (4, 0)))
    shown, bare = begun(here).paint(32), begun(away).paint(32)
    differs = (shown != bare).any(axis=2)
    assert of_cell(differs, here, *goal, 32).mean() > 0.8
    for row, column in np.ndindex(3, 4):
        assert of_cell(differs, here, row, column, 32).any() == ((row, column) == goal)


def test_the_gate_is_where_the_goal_meets_the_frame() -> None:
    def gates(goal: tuple[int, int]) -> list[bool]:
        box = Box("....", "....", "...a", goal=goal)
        pixels = begun(box).paint(32).astype(int)
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
    picture, box = played(1)
    unmarked = classic(*box.rows)
    differs = (picture.paint(32) != begun(unmarked).paint(32)).any(axis=2)
    own = of_cell(differs, box, *box.cells("e")[0], 32)
    assert own.mean() > 0.1
    own[:] = False
    assert not differs.any()


def test_solved_shows() -> None:
    picture, box = played(len(SOLUTION))
    assert box.solved
    solved = picture.paint(32)
    planes = box.planes()
    planes[2] = planes[3] = 0
    other = Picture(80)
    other.begin(planes)
    assert (solved != other.paint(32)).any()
    # The light reaches beyond the goal piece, but not far.
    unsolved = begun(classic("vbbw", "vcdw", "xaay", "xaay", "e..f")).paint(32)
    differs = (solved != unsolved).any(axis=2)
    assert of_cell(differs, box, 4, 0, 32)[:, -4:].all()
    assert not of_cell(differs, box, 0, 0, 32).any()
    # And the gate is lit.
    assert solved[-8:, 64:96].mean() > unsolved[-8:, 64:96].mean() + 60


@pytest.mark.parametrize(("letter", "way"), [("b", UP), ("c", RIGHT), ("b", DOWN), ("d", LEFT)])
def test_a_slide_is_smooth(letter: str, way: int) -> None:
    box = Box("....", ".bb.", "....", "c..d", "a...", goal=(0, 3))
    picture = begun(box)
    step(picture, box, letter, way)
    frames = [frame.astype(int) for frame in picture.slide(16, 60)]
    for before, after in pairwise(frames):
        assert (np.abs(after - before).max(axis=2) > 60).mean() < 0.04
    first, last = (
        (np.abs(frame - frames[-1]).max(axis=2) > 60).mean() for frame in (frames[0], frames[-2])
    )
    assert last < 0.01 < 0.04 < first


@pytest.mark.parametrize("way", range(4))
def test_a_slide_begins_where_the_block_was(way: int) -> None:
    box = Box(".....", ".....", "..b..", ".....", "a....", goal=(0, 4))
    picture = begun(box)
    step(picture, box, "b", way)
    # The same block, marked, where it came from.
    back = Box(".....", ".....", "..b..", ".....", "a....", goal=(0, 4))
    back.last = ("b", way)
    first = next(iter(picture.slide(32, 1000))).astype(int)
    assert np.abs(first - begun(back).paint(32)).max() <= 2


def test_a_slide_touches_no_other_block() -> None:
    """No shadow falls on blocks that stay where they are."""
    picture, box = played(1)
    for frame in picture.slide(32, 9):
        for letter in "vwxya":
            for place in box.cells(letter):
                np.testing.assert_array_equal(
                    of_cell(frame, box, *place, 32), of_cell(picture.paint(32), box, *place, 32)
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
    ("box", "text"),
    [
        # Another goal, another size, larger blocks, another goal piece: letters.
        (Box("vaab", "vaab", "....", "....", "....", goal=(3, 0)), "; goal: b 4 1|abbc|abbc"),
        (Box("vaab", "vaab", "....", "....", goal=(2, 1)), "; goal: b 3 2|abbc|abbc"),
        (Box("aabb", "aabb", "....", "....", "....", goal=(3, 1)), "; goal: a 4 2|aabb|aabb"),
        (Box("aavb", "aavb", "..v.", "....", "....", goal=(3, 1)), "; goal: a 4 2|aabc|aabc|..b."),
        (Box("dcab", "dc.b", ".c..", goal=(2, 3)), "; goal: c 3 4|abcd|ab.d|.b.."),
        (Box("aavb", "aavb", "....", "....", "....", goal=(3, 1)), "B*VV|**^^"),
    ],
)
def test_text_of_other_boxes(box: Box, text: str) -> None:
    lines = text.split("|")
    height, width = box.size
    lines += ["." * width] * (height + text.startswith(";") - len(lines))
    assert begun(box).text() == "\n".join(lines)


def test_text_names_as_many_blocks_as_there_can_be() -> None:
    planes = Box(*["." * 8] * 7, "a.......", goal=(0, 0)).planes()
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


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    height, width = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    rows = [["."] * width for _ in range(height)]
    letters = "abcdefghijklmnopqrst"[: draw(st.integers(1, 20))]
    for letter in letters:
        tall, wide = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        if letter == "a":
            tall, wide = min(tall, height), min(wide, width - 1)
        places = (
            [
                (row, column)
                for row, column in np.ndindex(height - tall + 1, width - wide + 1)
                if all(
                    set(rows[row + down][column : column + wide]) == {"."} for down in range(tall)
                )
            ]
            if tall <= height and wide <= width
            else []
        )
        if not places:
            continue
        row, column = draw(st.sampled_from(places))
        for down in range(tall):
            rows[row + down][column : column + wide] = [letter] * wide
        if letter == "a":
            size = tall, wide
    goal = draw(st.integers(0, height - size[0])), draw(st.integers(0, width - size[1]))
    return Box(*("".join(row) for row in rows), goal=goal)


@settings(max_examples=60, deadline=None)
@given(box=boxes(), data=st.data())
def test_every_episode_can_be_shown(box: Box, data: st.DataObject) -> None:
    """The text is the level that the rules are at, and slides move."""
    picture = begun(box)
    for _ in range(12):
        options = box.choices()
        if not options:
            break
        step(picture, box, *data.draw(st.sampled_from(options)))
        assert_text_tells(picture.text(), box)
        first, *_, last = picture.slide(5, 3)
        np.testing.assert_array_equal(last, picture.paint(5))
        assert (first != last).any()


def assert_text_tells(text: str, box: Box) -> None:
    """The text is a level, written as levels are, with the same blocks and the same goal."""
    level = FORMAT.parse(text + "\n", "picture")[0]
    assert FORMAT.write(level.record) == text.split("\n")
    letters = "\n".join(box.rows)
    down, right = box.goal
    own = FORMAT.parse(f"; goal: a {down + 1} {right + 1}\n{letters}\n", "box")[0]
    assert FORMAT.write(own.record) == text.split("\n")


def episode(height: int, width: int) -> Episode:
    box = nearly_solved()
    box.stride = width
    first = box.planes(height, width)
    steps = [(box.step(letter, way), box.planes(height, width)) for letter, way in SOLUTION]
    return Episode(4 * height * width, first, steps)


def filmed() -> Filmed:
    """An episode, and what is no part of it."""
    other = classic("vaaw", "vaaw", "xbby", "xcdy", "e..f")
    other.last = ("c", DOWN)
    strangers = (played(3)[1], other, Box(*EVERY_KIND, goal=(4, 3)), nearly_solved())
    box = Box("a......b", *["." * 8] * 7, goal=(7, 7))
    large = begun(box)
    step(large, box, "b", DOWN)
    list(large.slide(64, 2))
    return Filmed(
        Picture,
        episode(5, 4),
        blank=((14, 14, 3), "."),
        ring=0,
        frame=1,
        illegal=(2, (0,)),
        jumps=(1, [stranger.planes() for stranger in strangers]),
        large=large,
        largest_pickle=5_000,
        padded=[episode(7, 8)],
    )


def golden_pictures() -> dict[str, Picture]:
    """On the way, with a block that moved last; solved; and another box with every kind."""
    every_kind = Box(*EVERY_KIND, goal=(1, 4))
    picture = begun(every_kind)
    step(picture, every_kind, "h", UP)
    return {
        "on_the_way": played(2)[0],
        "solved": played(len(SOLUTION))[0],
        "every_kind": picture,
    }

"""The picture of a Zen garden: its contract, its motion and its text.

How it looks is in tests/rendering/golden.
"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from puzzle_envs.rendering.atlas import Atlas
from puzzle_envs.rendering.picture import Picture as AnyPicture
from puzzle_envs.zen_garden.picture import Picture
from tests.zen_garden.boards import Board, boards, choices, random_walk
from tests.zen_garden.twin import Twin

Pixels = NDArray[np.uint8]


# A solution with pushes, turns, and leaves of each colour.
ROWS = ("..#..y..", ".o....B.", "....##..", ".B...#r.", "........")
ACTIONS = (8, 28, 25, 27, 24, 26, 28, 22, 26, 26, 26, 27, 27, 15, 27, 10, 27)


def planes_of(twin: Twin, height: int | None = None, width: int | None = None) -> Pixels:
    return np.array(twin.planes(height, width), np.uint8)


def begun(twin: Twin) -> Picture:
    picture = Picture(twin.faces + 3)
    picture.begin(planes_of(twin))
    return picture


def step(picture: Picture, twin: Twin, action: int) -> None:
    twin.act(action)
    picture.follow(action, planes_of(twin))


def played(steps: int) -> tuple[Picture, Twin]:
    """The solution's first steps, and what they led to."""
    twin = Twin.from_rows(ROWS)
    picture = begun(twin)
    for action in ACTIONS[:steps]:
        step(picture, twin, action)
    return picture, twin


def of_cell(pixels: Pixels, row: int, column: int, cell: int) -> Pixels:
    """The part of a picture that shows a cell of the garden, or of the path around it."""
    top, left = (row + 1) * cell, (column + 1) * cell
    return pixels[top : top + cell, left : left + cell]


def test_is_a_picture() -> None:
    picture: AnyPicture = Picture(27)
    assert picture.paint(8).shape == (24, 24, 3)


@pytest.mark.parametrize("cell", [4, 5, 9, 16, 33, 96])
def test_any_cell_size(cell: int) -> None:
    pixels = played(4)[0].paint(cell)
    assert pixels.shape == ((len(ROWS) + 2) * cell, (len(ROWS[0]) + 2) * cell, 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.c_contiguous
    assert pixels.flags.writeable
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100


def test_a_cell_too_small_to_see() -> None:
    picture, _ = played(0)
    with pytest.raises(ValueError, match="3 pixels"):
        picture.paint(3)
    with pytest.raises(ValueError, match="3 pixels"):
        picture.slide(3, 5)


def test_pictures_of_one_episode_are_equal() -> None:
    for steps in range(len(ACTIONS) + 1):
        (first, _), (second, _) = played(steps), played(steps)
        np.testing.assert_array_equal(first.paint(20), second.paint(20))


def test_every_picture_is_fresh() -> None:
    picture, _ = played(6)
    frames = [picture.paint(16), *picture.slide(16, 5), picture.paint(16)]
    assert not any(np.shares_memory(frames[0], other) for other in frames[1:])
    kept = frames[-1].copy()
    for frame in frames:
        frame[:] = 0
    np.testing.assert_array_equal(picture.paint(16), kept)


def test_planes_may_change_afterwards() -> None:
    twin = Twin.from_rows(ROWS)
    picture = Picture(twin.faces + 3)
    planes = planes_of(twin)
    picture.begin(planes)
    kept = picture.paint(16)
    planes[:] = 0
    np.testing.assert_array_equal(picture.paint(16), kept)


def test_tiles_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, _ = played(6)
    kept = picture.paint(18)
    monkeypatch.delattr(Atlas, "_add")
    np.testing.assert_array_equal(picture.paint(18), kept)


def test_nothing_heavy_is_imported_to_paint() -> None:
    code = (
        "import sys; from puzzle_envs.zen_garden.picture import Picture; Picture(7).paint(16); "
        "print([name for name in ('pygame', 'PIL', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_padding_is_not_shown() -> None:
    picture, twin = played(0)
    padded_twin, padded = Twin.from_rows(ROWS, faces=40), Picture(43)
    padded.begin(planes_of(padded_twin, 9, 11))
    for action in ACTIONS:
        step(picture, twin, action)
        same_action = action if action < twin.faces else action - twin.faces + 40
        padded_twin.act(same_action)
        padded.follow(same_action, planes_of(padded_twin, 9, 11))
        assert padded.text() == picture.text()
        np.testing.assert_array_equal(padded.paint(12), picture.paint(12))


@pytest.mark.parametrize("cell", [8, 16, 64])
@pytest.mark.parametrize("thing", "#Byor")
def test_a_thing_shows_in_its_own_cell_only(thing: str, cell: int) -> None:
    bare = begun(Twin.from_rows(("...", "...", "..."))).paint(cell)
    other = begun(Twin.from_rows(("...", f".{thing}.", "..."))).paint(cell)
    differs = (bare != other).any(axis=2)
    own = differs[2 * cell : 3 * cell, 2 * cell : 3 * cell]
    assert own.mean() > 0.15
    own[:] = False
    assert not differs.any()


@pytest.mark.parametrize("cell", [8, 16, 64])
def test_things_look_different(cell: int) -> None:
    looks = [
        of_cell(begun(Twin.from_rows((f".{thing}",))).paint(cell), 0, 1, cell).astype(int)
        for thing in ".#Byor"
    ]
    for number, look in enumerate(looks):
        for other in looks[:number]:
            assert np.abs(look - other).max(axis=2).mean() > 10


def test_a_leaf_is_pale_until_its_turn() -> None:
    def orange_beside(other: str) -> Pixels:
        return of_cell(begun(Twin.from_rows((f".o{other}",))).paint(32), 0, 1, 32)

    np.testing.assert_array_equal(orange_beside("."), orange_beside("r"))
    assert (orange_beside(".") != orange_beside("y")).any()


def test_raked_sand_looks_raked() -> None:
    twin = Twin.from_rows(("...", "..."))
    picture = begun(twin)
    before = picture.paint(32)
    step(picture, twin, 0)
    after = picture.paint(32)
    for row in (0, 1):
        raked = of_cell(before, row, 0, 32) != of_cell(after, row, 0, 32)
        assert raked.any(axis=2).mean() > 0.8
        np.testing.assert_array_equal(of_cell(before, row, 1, 32), of_cell(after, row, 1, 32))


def test_the_monk_waits_then_stands_where_he_came_out() -> None:
    twin = Twin.from_rows(("...", "..."))
    picture = begun(twin)
    places = [(2, -1), (2, 0), (-1, 1)]
    frames = [picture.paint(32)]
    for action in (0, 6):
        step(picture, twin, action)
        frames.append(picture.paint(32))
    for number, frame in enumerate(frames):
        for other, place in enumerate(places):
            part = of_cell(frame, *place, 32).astype(int)
            # Nothing but his robe is blue.
            robe = (part[..., 2] > part[..., 0] + 25).any()
            assert robe == (number == other)


def test_solved_shows() -> None:
    solved, before = played(len(ACTIONS))[0].paint(32), played(len(ACTIONS) - 2)[0].paint(32)
    for place in ((-1, 3), (2, -1), (2, 8), (5, 3)):
        assert (of_cell(solved, *place, 32) != of_cell(before, *place, 32)).any()


def test_a_dead_end_shows() -> None:
    def monk_in(*rows: str) -> Pixels:
        twin = Twin.from_rows(rows)
        picture = begun(twin)
        step(picture, twin, 7)
        assert twin.lost == (rows[1] == "#.#")
        return of_cell(picture.paint(32), 1, 1, 32)

    free = monk_in("###", "#..", "...")
    np.testing.assert_array_equal(free, monk_in("###", "..#", "..."))
    assert (free != monk_in("###", "#.#", "...")).any()


def test_no_way_in_shows() -> None:
    def monk_outside(*unraked: tuple[int, int]) -> Pixels:
        planes = planes_of(Twin.from_rows(("...", "...", "...")))
        planes[1] = 0
        for row, column in unraked:
            planes[1, row, column] = 1
        picture = Picture(15)
        picture.begin(planes)
        return of_cell(picture.paint(32), 3, -1, 32)

    np.testing.assert_array_equal(monk_outside((0, 1)), monk_outside((0, 1), (1, 1)))
    assert (monk_outside((0, 1)) != monk_outside((1, 1))).any()


@pytest.mark.parametrize("frames", [1, 2, 7])
def test_a_slide_ends_in_the_picture(frames: int) -> None:
    picture, twin = played(0)
    for action in ACTIONS:
        step(picture, twin, action)
        slide = list(picture.slide(16, frames))
        assert len(slide) == frames
        assert {frame.shape for frame in slide} == {picture.paint(16).shape}
        np.testing.assert_array_equal(slide[-1], picture.paint(16))


def test_a_slide_is_smooth() -> None:
    picture, twin = played(0)
    before = picture.paint(16)
    for action in ACTIONS[:-1]:  # at the end blossoms fall, all at once
        step(picture, twin, action)
        for frame in picture.slide(16, 80):
            assert (frame != before).any(axis=2).mean() < 0.1
            before = frame


@pytest.mark.parametrize(
    ("action", "first", "last"),
    [
        (1, (0, 1), (3, 1)),
        (5, (1, 3), (1, 0)),
        (10, (3, 1), (0, 1)),
        (14, (1, 0), (1, 3)),
    ],
)
def test_a_slide_uncovers_the_trail_behind_the_monk(
    action: int, first: tuple[int, int], last: tuple[int, int]
) -> None:
    twin = Twin.from_rows(("....", "....", "....", "...."))
    picture = begun(twin)
    fresh = picture.paint(16)
    step(picture, twin, action)
    raked = picture.paint(16)

    def looks(frame: Pixels, place: tuple[int, int], expected: Pixels) -> bool:
        return np.array_equal(of_cell(frame, *place, 16), of_cell(expected, *place, 16))

    seen = [
        (looks(frame, first, raked), looks(frame, last, fresh)) for frame in picture.slide(16, 60)
    ]
    assert seen[0] == (False, True)
    assert (True, True) in seen
    assert seen[-1] == (True, False)


def test_an_illegal_action_moves_nothing() -> None:
    picture, twin = played(3)
    kept, text = picture.paint(16), picture.text()
    picture.follow(0, planes_of(twin))
    for frame in [*picture.slide(16, 3), picture.paint(16)]:
        np.testing.assert_array_equal(frame, kept)
    assert picture.text() == text


def test_a_slide_needs_a_frame() -> None:
    with pytest.raises(ValueError, match="0 frames"):
        played(3)[0].slide(16, 0)


def pickled(picture: Picture) -> Picture:
    double = pickle.loads(pickle.dumps(picture))
    assert isinstance(double, Picture)
    return double


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled])
def test_copies_go_on_alone(duplicate: Callable[[Picture], Picture]) -> None:
    solved = played(len(ACTIONS))[0].paint(16)
    for steps in range(len(ACTIONS)):
        original, twin = played(steps)
        kept = original.paint(16)
        double = duplicate(original)
        for frame, other in zip(double.slide(16, 4), original.slide(16, 4), strict=True):
            np.testing.assert_array_equal(frame, other)
        for action in ACTIONS[steps:]:
            step(double, twin, action)
        np.testing.assert_array_equal(double.paint(16), solved)
        np.testing.assert_array_equal(original.paint(16), kept)


def test_a_pickle_is_small() -> None:
    twin = Twin.from_rows(("............",) * 12)
    picture = begun(twin)
    step(picture, twin, 0)
    picture.paint(64)
    assert len(pickle.dumps(picture)) < 10_000


def test_text_of_an_episode() -> None:
    twin = Twin.from_rows(("..#.", ".y..", "..B.", "...."))
    picture = begun(twin)
    texts = [picture.text()]
    for action in (7, 0, 17, 16, 17, 17, 18, 3, 17):
        step(picture, twin, action)
        texts.append(picture.text())
    assert twin.solved
    side_by_side = [
        "   ".join(lines)
        for first in (0, 5)
        for lines in zip(*(text.split("\n") for text in texts[first : first + 5]), strict=True)
    ]
    assert side_by_side == [
        r"::::::   ::::::   ::::::   ::::::   ::::::",
        r":..#.:   :..#.:   :|.#.:   :|.#.:   :|.#.:",
        r":.y..:   :.y..:   :|y..:   :|y..:   :|y..:",
        r":..B.:   :..B.:   :v.B.:   :\>B.:   :\->B:",
        r":....:   >----:   :----:   :----:   :----:",
        r"v:::::   ::::::   ::::::   ::::::   ::::::",
        r"::::::   ::::::   ::v:::   ::::::   ::::::",
        r":|.#.:   :|.#.:   :||#.:   :||#|:   :||#|:",
        r":|y^.:   :|<\.:   :|\\.:   :|\\v:   :|\\\<",
        r":\-/B:   :\-/B:   :\-/B:   :\-/B:   :\-/B:",
        r":----:   :----:   :----:   :----:   :----:",
        r"::::::   ::::::   ::::::   ::::::   ::::::",
    ]


def test_begin_forgets_trails() -> None:
    twin = Twin.from_rows(("...", ".#.", "..o"))
    picture = begun(twin)
    step(picture, twin, 11)
    assert picture.text() == ":::::\n:---<\n:.#.:\n:..o:\n:::::"
    picture.begin(planes_of(twin))
    assert picture.text() == ":::::\n:xxx:\n:.#.:\n:..o:\nv::::"


def test_planes_that_no_step_leads_to_begin_anew() -> None:
    for planes in (
        planes_of(Twin.from_rows(ROWS)),
        planes_of(Twin.from_rows(("..", "##"))),
        planes_of(played(2)[1]),
        planes_of(played(9)[1]),
    ):
        picture, twin = played(5)
        picture.follow(1, planes)
        expected = Picture(twin.faces + 3)
        expected.begin(planes)
        assert picture.text() == expected.text()
        np.testing.assert_array_equal(picture.paint(12), expected.paint(12))


@settings(max_examples=60, deadline=None)
@given(board=boards(max_width=7, max_height=6), choices=choices(40))
def test_every_episode_can_be_shown(board: Board, choices: list[int]) -> None:
    """Under all switches the text says what the rules say, and slides arrive."""
    twin = board.twin()
    picture = begun(twin)
    as_the_rules_say = str.maketrans("-|/\\^>v<", "xxxxMMMM")
    for action, _ in random_walk(twin, choices):
        picture.follow(action, planes_of(twin))
        shown = [line[1:-1] for line in picture.text().split("\n")[1:-1]]
        # A picture that saw the whole episode knows every trail.
        assert not any("x" in line for line in shown)
        assert [line.translate(as_the_rules_say) for line in shown] == twin.rows()
        *_, last = picture.slide(5, 3)
        np.testing.assert_array_equal(last, picture.paint(5))


def golden_pictures() -> dict[str, Picture]:
    """On the way, with sand that was raked unseen and a pale leaf, and solved."""
    twin = Twin.from_rows(ROWS)
    on_the_way = begun(twin)
    for number, action in enumerate(ACTIONS[:4]):
        step(on_the_way, twin, action)
        if number == 1:
            on_the_way.begin(planes_of(twin))
    return {"on_the_way": on_the_way, "solved": played(len(ACTIONS))[0]}

"""The picture of a Zen garden: what it shows, its motion and its text.

How it looks is in tests/rendering/golden.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from puzzle_envs.zen_garden.picture import Picture
from tests.rendering.filmed import Episode, Filmed, Planes
from tests.walks import choices, random_walk
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.twin import Twin

Pixels = NDArray[np.uint8]


# A solution with pushes, turns, and leaves of each colour.
ROWS = ("..#..y..", ".o....B.", "....##..", ".B...#r.", "........")
FACES = 26
ACTIONS = (8, 28, 25, 27, 24, 26, 28, 22, 26, 26, 26, 27, 27, 15, 27, 10, 27)


def planes_of(twin: Twin, height: int | None = None, width: int | None = None) -> Planes:
    return np.array(twin.planes(height, width), np.int8)


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


def episode(faces: int, height: int, width: int) -> Episode:
    twin = Twin.from_rows(ROWS, faces=faces)
    first, steps = planes_of(twin, height, width), []
    for number in ACTIONS:
        action = number if number < FACES else number - FACES + faces
        twin.act(action)
        steps.append((action, planes_of(twin, height, width)))
    return Episode(faces + 3, first, steps)


def filmed() -> Filmed:
    """An episode, and what does not belong to it."""
    empty = Twin.from_rows(("............",) * 12)
    large = begun(empty)
    step(large, empty, 0)
    large.paint(64)
    strangers = (Twin.from_rows(ROWS), Twin.from_rows(("..", "##")), played(2)[1], played(9)[1])
    return Filmed(
        Picture,
        episode(FACES, 5, 8),
        blank=((24, 24, 3), ":::\n:.:\nv::"),
        ring=2,
        frame=0,
        illegal=(3, (0,)),
        jumps=(5, [planes_of(stranger) for stranger in strangers]),
        large=large,
        largest_pickle=10_000,
        padded=[episode(40, 9, 11)],
    )


def golden_pictures() -> dict[str, Picture]:
    """On the way, with sand that was raked unseen and a pale leaf, and solved."""
    twin = Twin.from_rows(ROWS)
    on_the_way = begun(twin)
    for number, action in enumerate(ACTIONS[:4]):
        step(on_the_way, twin, action)
        if number == 1:
            on_the_way.begin(planes_of(twin))
    return {"on_the_way": on_the_way, "solved": played(len(ACTIONS))[0]}

"""The picture of Kwirk: what it shows, its motion and its text.

How it looks is in tests/rendering/golden.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from puzzle_envs.kwirk.picture import Picture
from tests.kwirk.boards import boards
from tests.kwirk.twin import (
    ARMS,
    DOWN,
    LEFT,
    RIGHT,
    SWITCH,
    UP,
    Cell,
    Character,
    Frame,
    Turnstile,
    Twin,
    neighbour,
)
from tests.rendering.filmed import Episode, Filmed

Pixels = NDArray[np.uint8]
AnyArray = NDArray[Any]


class Floor:
    """A floor at play."""

    def __init__(self, text: str, frame: Frame | None = None) -> None:
        self.twin = Twin.from_text(text.strip("\n"), frame)

    def key(self, key: int) -> int:
        """Press a key, which may be of no use; its action."""
        outcome = self.twin.act(key, "steps")
        self.twin = outcome.twin if outcome else self.twin
        return key

    def push(self, start: Cell, way: int) -> int:
        """Let somebody go somewhere and push; the action in an environment of pushes."""
        return self._act(4 * (start[0] * self.twin.frame.width + start[1]) + way)

    def aside(self, number: int, cell: Cell) -> int:
        """Let a character walk aside; the action in an environment of pushes."""
        frame = self.twin.frame
        return self._act((3 + number) * frame.cells + cell[0] * frame.width + cell[1])

    def _act(self, action: int) -> int:
        outcome = self.twin.act(action, "pushes")
        assert outcome is not None
        self.twin = outcome.twin
        return action

    def planes(self) -> NDArray[np.int8]:
        return self.twin.planes()

    def assert_told(self, text: str) -> None:
        """A text, read again, is this floor."""
        active = re.match("; active: (.)\n", text)
        again = Twin.from_text(text[active.end() :] if active else text, self.twin.frame)
        while active and again.characters[0].number != int(active[1]):
            switched = again.act(SWITCH, "steps")
            assert switched is not None
            again = switched.twin
        assert [one.number for one in again.characters] == [
            one.number for one in self.twin.characters
        ]
        np.testing.assert_array_equal(again.planes(), self.planes())


# A block that comes to lie over a hole, one that falls, a turnstile, and two characters.
SMALL = """
##########
# 1a O   #
#  a     #
#    ^   #
# bO *>  #
#  2    %#
##########
"""

# Everything that can be done: the block falls, the turnstile turns and carries in both senses.
SOLUTION = (
    *(RIGHT, RIGHT, SWITCH, LEFT, LEFT, UP, RIGHT, RIGHT, RIGHT, UP, RIGHT, RIGHT, RIGHT),
    *(DOWN, DOWN, LEFT, LEFT, SWITCH, DOWN, RIGHT, RIGHT, DOWN, RIGHT, DOWN, DOWN, RIGHT),
    *(RIGHT, RIGHT, RIGHT),
)
FALLS, TURNS, CARRIES, LEAVES = 7, 11, 17, 26

# Walls and holes of all shapes, blocks, turnstiles, four characters, and holes under pieces.
ZOO = """
##################
#1  ##  O   aa  ##
#  2#  OOO  aa b##
# #    OO#  cc b##
#  34 OOOO ^   b##
# ##   O  <*> dd##
#%   OO   *^  ee##
##  ^  ^  `*> fff#
##  *><*   `  fff#
###    `  gOO fff#
##################
HOLE_UNDER 12 3
HOLE_UNDER 10 7
HOLE_UNDER 14 7
"""

Thing = tuple[str, int, int]


def room(*things: Thing, under: tuple[Cell, ...] = (), corner: str = "4") -> Floor:
    """A room with some things in it, its exit in a corner and a character in another."""
    rows = [["#"] * 7, *(["#", *" " * 5, "#"] for _ in range(5)), ["#"] * 7]
    for sign, row, column in (("%", 5, 5), (corner, 5, 1), *things):
        rows[row][column] = sign
        if sign in ARMS:
            pivot = neighbour((row, column), ARMS.index(sign) ^ 2)
            rows[pivot[0]][pivot[1]] = "*"
    lines = ["".join(row) for row in rows]
    lines += [f"HOLE_UNDER {column} {row}" for row, column in under]
    return Floor("\n".join(lines))


def begun(floor: Floor, actions: int = 5) -> Picture:
    picture = Picture(actions)
    picture.begin(floor.planes())
    return picture


def press(picture: Picture, floor: Floor, key: int) -> None:
    picture.follow(floor.key(key), floor.planes())


def played(steps: int) -> tuple[Picture, Floor]:
    """The solution's first steps, and what they led to."""
    floor = Floor(SMALL)
    picture = begun(floor)
    for key in SOLUTION[:steps]:
        press(picture, floor, key)
    return picture, floor


def of_cell(pixels: AnyArray, row: int, column: int, cell: int) -> AnyArray:
    """The part of a picture that shows a cell."""
    return pixels[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell]


def differing(first: Pixels, second: Pixels) -> NDArray[np.bool_]:
    """The pixels that differ."""
    return np.asarray((first != second).any(axis=2))


def test_the_largest_cells() -> None:
    picture = begun(Floor("####\n#1%#\n####"))
    assert picture.paint(512).shape == (3 * 512, 4 * 512, 3)


def test_the_solution_does_what_it_says() -> None:
    """Or the tests below show less than they seem to."""
    twins = [played(steps)[1].twin for steps in range(len(SOLUTION) + 1)]
    assert len({twin.key() for twin in twins}) == len(twins)
    assert [len(twins[step].blocks) for step in (FALLS - 1, FALLS)] == [2, 1]
    arms = [{*twin.turnstiles[0].arms} for twin in twins]
    assert (arms[TURNS - 1], arms[TURNS]) == ({UP, RIGHT}, {RIGHT, DOWN})
    assert (arms[CARRIES], arms[-1]) == ({DOWN, LEFT}, {RIGHT, DOWN})
    assert twins[CARRIES].characters[0] == (2, (5, 4))
    assert [character.number for character in twins[LEAVES].characters] == [2]
    assert twins[-1].solved


def test_padding_is_wall() -> None:
    floor, padded_floor = Floor(SMALL), Floor(SMALL, Frame(9, 13, 2))
    picture, padded = begun(floor), begun(padded_floor)
    rows = [*SMALL.strip("\n").split("\n"), "", ""]
    walled = Floor("\n".join(row.ljust(13, "#") for row in rows))
    np.testing.assert_array_equal(padded.paint(12), begun(walled).paint(12))
    for key in SOLUTION:
        press(picture, floor, key)
        press(padded, padded_floor, key)
        assert padded.text() == picture.text()
        for frame, other in zip(padded.slide(12, 3), picture.slide(12, 3), strict=True):
            inside = (slice(12, 6 * 12), slice(12, 9 * 12))
            np.testing.assert_array_equal(frame[inside], other[inside])


@pytest.mark.parametrize("cell", [8, 16, 64])
@pytest.mark.parametrize("thing", "1Oa")
def test_a_thing_shows_in_its_own_cell(thing: str, cell: int) -> None:
    """But for the shadow of a block, which falls to the right and downward."""
    differs = differing(begun(room()).paint(cell), begun(room((thing, 3, 3))).paint(cell))
    own = of_cell(differs, 3, 3, cell)
    assert own.mean() > 0.4
    own[:] = False
    if thing == "a":
        reach = 4 * cell + round(0.3 * cell)
        differs[3 * cell : reach, 3 * cell : reach] = False
    elif thing == "1":
        # The other one sleeps now.
        of_cell(differs, 5, 1, cell)[:] = False
    assert not differs.any()


@pytest.mark.parametrize("cell", [8, 16, 64])
@pytest.mark.parametrize("way", range(4))
def test_an_arm_shows_in_its_cell_and_on_its_post(way: int, cell: int) -> None:
    row, column = neighbour((3, 3), way)
    alone, with_arm = room(), room((ARMS[way], row, column))
    alone.twin = replace(alone.twin, turnstiles=(Turnstile((3, 3), frozenset()),))
    differs = differing(begun(alone).paint(cell), begun(with_arm).paint(cell))
    for place in ((row, column), (3, 3)):
        own = of_cell(differs, *place, cell)
        assert own.mean() > 0.2 - 0.1 * (place == (3, 3))
        own[:] = False
    assert not differs.any()


@pytest.mark.parametrize("cell", [4, 8, 16, 64])
def test_characters_look_different(cell: int) -> None:
    """Without colours too, where there is room for shapes."""
    pixels = begun(Floor("########\n# 1 2 3#\n# 4 %  #\n########")).paint(cell).astype(int)
    looks = [of_cell(pixels, *place, cell) for place in ((1, 2), (1, 4), (1, 6), (2, 2))]
    for number, look in enumerate(looks):
        for other in looks[:number]:
            assert np.abs(look - other).max(axis=2).mean() > 25
            if cell >= 8:
                assert np.abs(look.mean(axis=2) - other.mean(axis=2)).mean() > 12


@pytest.mark.parametrize("cell", [4, 8, 16, 64])
def test_the_active_one_of_several_is_marked(cell: int) -> None:
    def look(*numbers: str) -> NDArray[np.integer]:
        things = [(number, 2, 2 * place) for place, number in enumerate(numbers, 1)]
        floor = room(*things, corner=" ")
        return of_cell(begun(floor).paint(cell), 2, 2, cell).astype(int)

    alone, marked = look("1"), look("1", "2")
    changed = np.abs(marked - alone).max(axis=2) > 25
    assert changed.mean() > 0.1
    # The mark is yellow on the pale floor.
    yellowness = (np.minimum(marked[..., 0], marked[..., 1]) - marked[..., 2])[changed]
    assert np.quantile(yellowness, 0.8) > 100


def test_colours_stay_with_their_characters() -> None:
    """Whoever is active: the planes tell no more than the order from him on."""
    floor = Floor("#######\n#1 2 3#\n#    %#\n#######")
    picture = begun(floor)
    asleep: dict[int, Pixels] = {}
    for _ in range(3):
        pixels = picture.paint(32)
        for number, (row, column) in floor.twin.characters[1:]:
            look = of_cell(pixels, row, column, 32)
            np.testing.assert_array_equal(look, asleep.setdefault(number, look))
        press(picture, floor, SWITCH)
    assert len(asleep) == 3


def test_touching_blocks_are_told_apart() -> None:
    def paint(*letters: str) -> Pixels:
        things = [
            (letter, 2 + number // 2, 2 + number % 2) for number, letter in enumerate(letters)
        ]
        return begun(room(*things)).paint(16)

    shown = [paint(*letters) for letters in ("aaaa", "aabb", "abab", "abcd")]
    for number, pixels in enumerate(shown):
        for other in shown[:number]:
            assert of_cell(differing(pixels, other), 1, 1, 32).mean() > 0.06


@pytest.mark.parametrize("cell", [4, 8, 16, 64])
@pytest.mark.parametrize("thing", ["a", "^"])
def test_a_hole_shows_under_a_piece(thing: str, cell: int) -> None:
    def paint(*under: Cell) -> Pixels:
        floor = room(("a", 2, 3), (thing, 2, 2), under=under)
        return begun(floor).paint(cell)

    differs = differing(paint(), paint((2, 2)))
    own = of_cell(differs, 2, 2, cell)
    assert own.mean() > 0.15
    own[:] = False
    assert not differs.any()


def test_neighbouring_holes_are_one() -> None:
    """Between them there is no edge: water alone, wherever they are."""
    pixels = begun(room(("O", 2, 2), ("O", 2, 3), ("O", 3, 2), ("O", 3, 3))).paint(32)
    middle = pixels[2 * 32 + 20 : 4 * 32 - 12, 2 * 32 + 12 : 4 * 32 - 12]
    alone = begun(room(("O", 2, 2))).paint(32)[2 * 32 : 3 * 32, 2 * 32 : 3 * 32]
    assert middle.max() < 140 < alone.max()


def test_solved_shows() -> None:
    solved, floor = played(len(SOLUTION))
    lit = of_cell(solved.paint(32), *floor.twin.exit, 32).astype(int)
    dark = of_cell(played(0)[0].paint(32), *floor.twin.exit, 32).astype(int)
    assert (lit - dark)[..., 0].mean() > 25
    assert (lit - dark)[..., 0].mean() > (lit - dark)[..., 2].mean() + 40


@pytest.mark.parametrize("steps", range(1, len(SOLUTION) + 1))
def test_a_slide_is_smooth(steps: int) -> None:
    before = played(steps - 1)[0].paint(16).astype(int)
    picture, _ = played(steps)
    frames = [before, *(frame.astype(int) for frame in picture.slide(16, 40))]
    # The look of a character changes at once, and where a block was the ground is seen.
    for earlier, later in pairwise(frames):
        assert (np.abs(later - earlier).max(axis=2) > 90).mean() < 0.012
    assert (np.abs(frames[1] - before).max(axis=2) > 90).mean() < 0.012
    first, last = (np.abs(frame - frames[-1]).max(axis=2).mean() for frame in (before, frames[-2]))
    assert last < 1 and last < first


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_turnstile_turns_the_way_it_is_pushed(mirrored: bool) -> None:
    """Though one with four arms looks the same before and after."""
    side = -1 if mirrored else 1
    arms = [(ARMS[way], *neighbour((3, 3), way)) for way in range(4)]
    floor = room(*arms, ("1", 2, 3 - side))
    picture = begun(floor)
    before = picture.paint(32)
    press(picture, floor, LEFT if mirrored else RIGHT)
    assert floor.twin.characters[0].cell == (2, 3 + side)
    early = list(picture.slide(32, 6))[1]
    # The upper arm swings away from him, into the upper half of the cell beyond.
    ahead = of_cell(differing(early, before), 2, 3 + side, 32)[:16]
    assert ahead.mean() > 0.1
    lower = of_cell(differing(early, before), 4, 3 - side, 32)[16:]
    assert lower.mean() > 0.1
    still = of_cell(differing(early, before), 4, 3 + side, 32)[16:]
    assert not still.any()


def test_a_carried_character_goes_two_cells() -> None:
    """He is on the way from where he was to where he gets, past the cell between them."""
    picture, _ = played(CARRIES)
    seen = []
    for frame in picture.slide(16, 30):
        # Nothing but a carrot is orange.
        part = frame[5 * 16 : 6 * 16].astype(int)
        columns = np.flatnonzero((part[..., 0] - part[..., 2] > 150).any(axis=0))
        seen.append(columns.mean() / 16)
    assert seen[0] == pytest.approx(6.5, abs=0.3)
    assert seen[-1] == pytest.approx(4.5, abs=0.3)
    assert all(later <= earlier + 0.15 for earlier, later in pairwise(seen))


def test_a_push_begins_with_the_shortest_walk() -> None:
    rows = "########\n#1 #   #\n#  # a #\n#      #\n#     %#\n########"
    floor = Floor(rows)
    picture = begun(floor, actions=4 * 6 * 8)
    red = []
    picture.follow(floor.push((2, 4), RIGHT), floor.planes())
    for frame in picture.slide(16, 60):
        part = frame.astype(int)
        body = (part[..., 0] - part[..., 2] > 100) & (part[..., 0] - part[..., 1] > 130)
        body[:16], body[5 * 16 :], body[:, :16], body[:, 7 * 16 :] = (False,) * 4
        body[16 : 3 * 16, 3 * 16 : 4 * 16] = False
        red.append(np.argwhere(body).mean(axis=0) // 16)
    places = [(int(row), int(column)) for row, column in red]
    visited = [place for number, place in enumerate(places) if place not in places[:number]]
    assert visited[-2:] == [(2, 4), (2, 5)]
    assert (3, 3) in visited
    assert len(visited) == 8
    floor.assert_told(picture.text())


def test_someone_else_may_push_walk_aside_or_leave() -> None:
    """Actions of the environment of pushes: whoever acts becomes active."""
    rows = "########\n#1#  a2#\n#3     #\n#     %#\n########"
    floor = Floor(rows, Frame(7, 9, 3))
    picture = begun(floor, floor.twin.frame.actions("pushes"))
    acts: tuple[tuple[Callable[[], int], str], ...] = (
        (lambda: floor.push((1, 6), LEFT), "; active: 2|#1# a2 #|#3     #|#     %#"),
        (lambda: floor.aside(3, (3, 1)), "; active: 3|#1# a2 #|#      #|#3    %#"),
        (lambda: floor.aside(1, (2, 2)), "# # a2 #|# 1    #|#3    %#"),
        (lambda: floor.push((3, 5), RIGHT), "# # a2 #|#      #|#3    %#"),
        (lambda: floor.push((3, 5), RIGHT), "# # a  #|#      #|#3    %#"),
    )
    for act, text in acts:
        before = picture.paint(16)
        picture.follow(act(), floor.planes())
        shown = picture.text().replace("\n", "|")
        floor.assert_told(picture.text())
        assert shown.replace("########|", "").replace("|########", "") == text
        first, *_, last = picture.slide(16, 12)
        assert differing(first, before).any() and differing(first, last).any()


def test_nobody_walks_through_walls() -> None:
    """A push from where nobody can go is shown, but not on its way."""
    floor = Floor("#######\n#1# a #\n###  %#\n#######")
    picture = begun(floor, actions=4 * 4 * 7)
    block, beyond = floor.twin.blocks[0].stepped(RIGHT), Character(1, (1, 4))
    floor.twin = replace(floor.twin, blocks=(block,), characters=(beyond,))
    picture.follow(4 * (1 * 7 + 3) + RIGHT, floor.planes())
    floor.assert_told(picture.text())
    for frame in picture.slide(16, 3):
        np.testing.assert_array_equal(frame, picture.paint(16))


def test_text_of_an_episode() -> None:
    rows = "########\n#1aO  b#\n#   ^ b#\n# 2 *> #\n#     %#\n########"
    floor = Floor(f"{rows}\nHOLE_UNDER 6 2")
    picture = begun(floor)
    texts = [picture.text()]
    for key in (RIGHT, SWITCH, DOWN, RIGHT, RIGHT, RIGHT, UP, RIGHT, DOWN, SWITCH):
        press(picture, floor, key)
        texts.append(picture.text())
    first, pushed, switched, *_, turned, _, left, alone = [text.split("\n") for text in texts]
    assert first == [*rows.split("\n"), "HOLE_UNDER 6 2"]
    # The block fell, and the other one is the first now.
    edge, under = "########", "HOLE_UNDER 6 2"
    after = [edge, "# 1   a#", "#   ^ a#", "# 2 *> #", "#     %#", edge, under]
    assert pushed == after
    assert switched == ["; active: 2", *after]
    turned_rows = [edge, "# 1   a#", "#   ^ a#", "#  <*2 #", "#     %#", edge, under]
    assert turned == ["; active: 2", *turned_rows]
    turned_rows[3] = "#  <*  #"
    assert left == alone == turned_rows


def test_text_leaves_out_walls_on_the_right_and_below() -> None:
    floor = Floor("########\n########\n##1  ###\n##  %###\n########\n########")
    assert begun(floor).text() == "######\n######\n##1  #\n##  %#\n######"


@pytest.mark.parametrize("text", [SMALL, ZOO])
def test_text_is_the_level(text: str) -> None:
    assert begun(Floor(text)).text() == text.strip("\n")


@settings(max_examples=100, deadline=None)
@given(text=boards(max_characters=4), keys=st.lists(st.integers(0, 4), max_size=30))
def test_every_episode_can_be_shown(text: str, keys: list[int]) -> None:
    """The text says what the rules say, and slides move."""
    floor = Floor(text)
    picture = begun(floor)
    for key in keys:
        before, shown = picture.paint(5), picture.text()
        press(picture, floor, key)
        floor.assert_told(picture.text())
        first, second, last = picture.slide(5, 3)
        np.testing.assert_array_equal(last, picture.paint(5))
        if shown != picture.text():
            assert differing(before, second).any()
            assert differing(first, last).any()
        if floor.twin.solved:
            break


def filmed() -> Filmed:
    """An episode, and what does not belong to it."""
    floor = Floor(SMALL)
    first = floor.planes()
    steps = [(floor.key(key), floor.planes()) for key in SOLUTION]
    third = played(3)[1].twin
    one, two = third.characters
    strangers = (
        Floor(ZOO).twin,
        played(4)[1].twin,
        replace(third, characters=(one, two._replace(cell=(1, 1)))),
        replace(third, blocks=(third.blocks[0], third.blocks[1]._replace(row=4, column=1))),
        replace(third, turnstiles=(Turnstile((4, 5), frozenset({DOWN})),)),
        replace(third, characters=()),
    )
    rows = ["#" * 32, *(["#" + " " * 30 + "#"] * 28), "#1a  b2" + " " * 24 + "#"]
    hall = Floor("\n".join([*rows, "#%" + " " * 29 + "#", "#" * 32]))
    large = begun(hall)
    press(large, hall, RIGHT)
    list(large.slide(16, 2))
    return Filmed(
        Picture,
        Episode(5, first, steps),
        blank=((8, 8, 3), " "),
        ring=0,
        frame=0,
        illegal=(9, (UP, 77)),
        jumps=(2, [stranger.planes() for stranger in strangers]),
        large=large,
        largest_pickle=6_000,
    )


def golden_pictures() -> dict[str, Picture]:
    """On the way, with a block over a hole and a character looking aside; solved; and the zoo."""
    return {
        "on_the_way": played(16)[0],
        "solved": played(len(SOLUTION))[0],
        "zoo": begun(Floor(ZOO)),
    }

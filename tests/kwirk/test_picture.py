"""The picture of Kwirk: what it shows, its motion and its text.

How it looks is in tests/rendering/golden.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from puzzle_envs.kwirk.picture import Picture
from tests.rendering.filmed import Episode, Filmed

Pixels = NDArray[np.uint8]
AnyArray = NDArray[Any]
Place = tuple[int, int]


STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
UP, RIGHT, DOWN, LEFT, SWITCH = range(5)
ARMS = "^>`<"


def beyond(place: Place, way: int) -> Place:
    return place[0] + STEPS[way][0], place[1] + STEPS[way][1]


class Floor:
    """A level at play, read from its text: slow, and it can be read."""

    def __init__(self, text: str, active: int | None = None) -> None:
        lines = text.strip("\n").split("\n")
        rows = [line for line in lines if not line.startswith("HOLE_UNDER")]
        self.size = len(rows), len(rows[0])
        self.stride = self.size[1]
        self.walls: set[Place] = set()
        self.holes: set[Place] = set()
        self.blocks: dict[str, set[Place]] = {}
        self.turnstiles: dict[Place, set[int]] = {}
        places: dict[int, Place] = {}
        for row, column in np.ndindex(*self.size):
            character, place = rows[row][column], (row, column)
            if character == "#":
                self.walls.add(place)
            elif character == "O":
                self.holes.add(place)
            elif character == "%":
                self.exit = place
            elif character.isdigit():
                places[int(character)] = place
            elif character in ARMS:
                way = ARMS.index(character)
                self.turnstiles.setdefault(beyond(place, way ^ 2), set()).add(way)
            elif character.isalpha():
                self.blocks.setdefault(character, set()).add(place)
        for line in lines[len(rows) :]:
            _, column, row = line.split()
            self.holes.add((int(row), int(column)))
        numbers = sorted(places)
        first = numbers.index(active) if active else 0
        self.characters = {number: places[number] for number in numbers[first:] + numbers[:first]}

    @property
    def active(self) -> int:
        return next(iter(self.characters))

    def switch(self) -> None:
        number = self.active
        self.characters[number] = self.characters.pop(number)

    def arms(self) -> dict[Place, tuple[Place, int]]:
        return {
            beyond(pivot, way): (pivot, way)
            for pivot, ways in self.turnstiles.items()
            for way in ways
        }

    def block_at(self, place: Place) -> str | None:
        return next((name for name, cells in self.blocks.items() if place in cells), None)

    def is_clear(self, place: Place, *apart_from: str | Place) -> bool:
        """Whether pieces may come here, but for a block or the arms of a turnstile, and holes."""
        return not (
            place in self.walls
            or place in self.turnstiles
            or place == self.exit
            or place in list(self.characters.values())[1:]
            or self.block_at(place) not in (None, *apart_from)
            or self.arms().get(place, (None,))[0] not in (None, *apart_from)
        )

    def move(self, way: int) -> bool:
        """Move the active character by one key; whether he may."""
        number = self.active
        place = self.characters[number]
        target = beyond(place, way)
        if target == self.exit:
            del self.characters[number]
            return True
        if target in self.holes:
            return False
        name = self.block_at(target)
        if name is not None:
            if not self._push(name, way):
                return False
        elif target in self.arms():
            turned = self._turn(target, way)
            if not turned:
                return False
            target = turned
        elif not self.is_clear(target):
            return False
        self.characters[number] = target
        return True

    def _push(self, name: str, way: int) -> bool:
        cells = {beyond(place, way) for place in self.blocks[name]}
        if not all(self.is_clear(place, name) for place in cells):
            return False
        self.blocks[name] = cells
        if cells <= self.holes:
            del self.blocks[name]
            self.holes -= cells
        return True

    def _turn(self, target: Place, way: int) -> Place | None:
        pivot, lies = self.arms()[target]
        if (way - lies) % 2 == 0:
            return None
        turn = way - lies
        ways = {(arm + turn) % 4 for arm in self.turnstiles[pivot]}
        swept = {beyond(beyond(pivot, arm), (arm + turn) % 4) for arm in self.turnstiles[pivot]}
        landing = beyond(target, way) if lies in ways else target
        new = {beyond(pivot, arm) for arm in ways}
        if landing in self.holes or not all(self.is_clear(cell, pivot) for cell in swept | new):
            return None
        self.turnstiles[pivot] = ways
        return landing

    def key(self, key: int) -> int:
        """Press a key; its action in an environment of steps."""
        if key == SWITCH:
            self.switch()
        elif self.characters:
            self.move(key)
        return key

    def push(self, start: Place, way: int, number: int | None = None) -> int:
        """Let a character go somewhere and push; the action in an environment of pushes."""
        while number not in (None, self.active):
            self.switch()
        self.characters[self.active] = start
        assert self.move(way)
        return 4 * (start[0] * self.stride + start[1]) + way

    def aside(self, place: Place, number: int, cells: int) -> int:
        """Let a character walk aside; `cells` is the number of cells of the largest level."""
        while number != self.active:
            self.switch()
        self.characters[number] = place
        return 4 * cells + (number - 1) * cells + place[0] * self.stride + place[1]

    def planes(self, height: int | None = None, width: int | None = None) -> NDArray[np.int8]:
        planes = np.zeros((15, height or self.size[0], width or self.size[1]), np.int8)
        planes[0, : self.size[0], : self.size[1]] = 1
        for place in self.walls:
            planes[(0, *place)] = 0
        planes[(1, *self.exit)] = 1
        for place in self.holes:
            planes[(2, *place)] = 1
        for cells in self.blocks.values():
            for place in cells:
                planes[(3, *place)] = 1
                planes[(4, *place)] = beyond(place, RIGHT) in cells
                planes[(5, *place)] = beyond(place, DOWN) in cells
        for pivot in self.turnstiles:
            planes[(6, *pivot)] = 1
        for place, (_, way) in self.arms().items():
            planes[(7 + way, *place)] = 1
        for number, place in enumerate(self.characters.values()):
            planes[(11 + number, *place)] = 1
        return planes

    def text(self) -> str:
        """Blocks are named in the order of their upper left cells."""
        rows = [[" "] * self.size[1] for _ in range(self.size[0])]
        marks: dict[Place, str] = {self.exit: "%"}
        marks.update(dict.fromkeys(self.walls, "#"))
        marks.update(dict.fromkeys(self.holes, "O"))
        marks.update(dict.fromkeys(self.turnstiles, "*"))
        marks.update({place: ARMS[way] for place, (_, way) in self.arms().items()})
        for name, cells in zip(
            "abcdefghijklm", sorted(map(sorted, self.blocks.values())), strict=False
        ):
            marks.update(dict.fromkeys(cells, name))
        marks.update({place: str(number) for number, place in self.characters.items()})
        for (row, column), mark in marks.items():
            rows[row][column] = mark
        lines = ["".join(row) for row in rows]
        if self.characters and self.active != min(self.characters):
            lines.insert(0, f"; active: {self.active}")
        lines += [
            f"HOLE_UNDER {column} {row}"
            for row, column in sorted(self.holes)
            if marks[row, column] != "O"
        ]
        return "\n".join(lines)


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


def room(*things: Thing, under: tuple[Place, ...] = ()) -> Floor:
    """A room with some things in it, its exit in a corner and character 4 in another."""
    rows = [["#"] * 7, *(["#", *" " * 5, "#"] for _ in range(5)), ["#"] * 7]
    for character, row, column in (("%", 5, 5), ("4", 5, 1), *things):
        rows[row][column] = character
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
    floors = [played(steps)[1] for steps in range(len(SOLUTION) + 1)]
    assert len({floor.text() for floor in floors}) == len(floors)
    assert "b" in floors[FALLS - 1].blocks and "b" not in floors[FALLS].blocks
    arms = [floor.turnstiles[4, 5] for floor in floors]
    assert (arms[TURNS - 1], arms[TURNS]) == ({UP, RIGHT}, {RIGHT, DOWN})
    assert (arms[CARRIES], arms[-1]) == ({DOWN, LEFT}, {RIGHT, DOWN})
    assert floors[CARRIES].characters[2] == (5, 4)
    assert list(floors[LEAVES].characters) == [2]
    assert not floors[-1].characters


def test_padding_is_wall() -> None:
    floor, padded_floor = Floor(SMALL), Floor(SMALL)
    picture, padded = begun(floor), Picture(5)
    padded.begin(padded_floor.planes(9, 13))
    rows = [*SMALL.strip("\n").split("\n"), "", ""]
    walled = Floor("\n".join(row.ljust(13, "#") for row in rows))
    np.testing.assert_array_equal(padded.paint(12), begun(walled).paint(12))
    for key in SOLUTION:
        press(picture, floor, key)
        padded.follow(padded_floor.key(key), padded_floor.planes(9, 13))
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
    row, column = beyond((3, 3), way)
    alone, with_arm = room(), room((ARMS[way], row, column))
    alone.turnstiles[3, 3] = set()
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
        floor = room(*things)
        del floor.characters[4]
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
        for number, (row, column) in list(floor.characters.items())[1:]:
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
    def paint(*under: Place) -> Pixels:
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
    lit = of_cell(solved.paint(32), *floor.exit, 32).astype(int)
    dark = of_cell(played(0)[0].paint(32), *floor.exit, 32).astype(int)
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
    arms = [(ARMS[way], *beyond((3, 3), way)) for way in range(4)]
    floor = room(*arms, ("1", 2, 3 - side))
    picture = begun(floor)
    before = picture.paint(32)
    press(picture, floor, LEFT if mirrored else RIGHT)
    assert floor.characters[1] == (2, 3 + side)
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
    rest = Floor(played(CARRIES)[1].text().split("\n", 1)[1])
    del rest.characters[2]
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
    assert picture.text() == floor.text()


def test_someone_else_may_push_walk_aside_or_leave() -> None:
    """Actions of the environment of pushes: whoever acts becomes active."""
    floor = Floor("#######\n#1 a 2#\n# 3   #\n#    %#\n#######")
    cells = 7 * 8
    floor.stride = 8
    picture = Picture(7 * cells)
    picture.begin(floor.planes(7, 8))
    acts: tuple[tuple[Callable[[], int], str], ...] = (
        (lambda: floor.push((1, 4), LEFT, 2), "; active: 2|#1a2  #|# 3   #|#    %#"),
        (lambda: floor.aside((3, 1), 3, cells), "; active: 3|#1a2  #|#     #|#3   %#"),
        (lambda: floor.aside((2, 2), 1, cells), "# a2  #|# 1   #|#3   %#"),
        (lambda: floor.push((3, 4), RIGHT, 3), "# a2  #|# 1   #|#    %#"),
        (lambda: floor.push((3, 4), RIGHT), "# a2  #|#     #|#    %#"),
    )
    for act, text in acts:
        before = picture.paint(16)
        picture.follow(act(), floor.planes(7, 8))
        shown = picture.text().replace("\n", "|")
        assert shown == floor.text().replace("\n", "|")
        assert shown.replace("#######|", "").replace("|#######", "") == text
        first, *_, last = picture.slide(16, 12)
        assert differing(first, before).any() and differing(first, last).any()


def test_nobody_walks_through_walls() -> None:
    """A push from where nobody can go is shown, but not on its way."""
    floor = Floor("#######\n#1# a #\n###  %#\n#######")
    picture = begun(floor, actions=4 * 4 * 7)
    picture.follow(floor.push((1, 3), RIGHT), floor.planes())
    assert picture.text() == floor.text()
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


@st.composite
def floors(draw: st.DrawFn) -> Floor:
    """Rooms full of things; nothing says that they can be solved."""
    height, width = draw(st.integers(3, 8)), draw(st.integers(3, 8))
    rows = [["#"] * (width + 2) for _ in range(height + 2)]
    for row, column in np.ndindex(height, width):
        rows[row + 1][column + 1] = " "
    free = {(row + 1, column + 1) for row, column in np.ndindex(height, width)}

    def put(things: dict[Place, str]) -> None:
        if things.keys() <= free:
            free.difference_update(things)
            for (row, column), character in things.items():
                rows[row][column] = character

    characters = "%" + "1234"[: draw(st.integers(1, 4))]
    for character, place in zip(characters, draw(st.permutations(sorted(free))), strict=False):
        put({place: character})
    letters = iter("abcdefghijkl")
    for _ in range(draw(st.integers(0, 12))):
        row, column = draw(st.integers(1, height)), draw(st.integers(1, width))
        kind = draw(st.sampled_from("#OOO*aaa"))
        if kind == "a":
            tall, wide, letter = draw(st.integers(1, 3)), draw(st.integers(1, 3)), next(letters)
            put({(row + down, column + to): letter for down, to in np.ndindex(tall, wide)})
        elif kind == "*":
            ways = draw(st.sets(st.integers(0, 3), min_size=1))
            arms = {beyond((row, column), way): ARMS[way] for way in ways}
            put({(row, column): "*", **arms})
        else:
            put({(row, column): kind})
    lines = ["".join(row) for row in rows]
    covered = [
        (row, column)
        for row, column in np.ndindex(height + 2, width + 2)
        if rows[row][column] in "abcdefghijkl^>`<"
    ]
    under = draw(st.sets(st.sampled_from(covered), max_size=2)) if covered else set()
    lines += [f"HOLE_UNDER {column} {row}" for row, column in sorted(under)]
    return Floor("\n".join(lines))


@settings(max_examples=100, deadline=None)
@given(floor=floors(), keys=st.lists(st.integers(0, 4), max_size=30))
def test_every_episode_can_be_shown(floor: Floor, keys: list[int]) -> None:
    """The text says what the rules say, and slides move."""
    picture = begun(floor)
    for key in keys:
        before, text = picture.paint(5), picture.text()
        press(picture, floor, key)
        assert picture.text() == floor.text()
        first, second, last = picture.slide(5, 3)
        np.testing.assert_array_equal(last, picture.paint(5))
        if text != picture.text():
            assert differing(before, second).any()
            assert differing(first, last).any()
        if not floor.characters:
            break


def filmed() -> Filmed:
    """An episode, and what is no part of it."""
    floor = Floor(SMALL)
    first = floor.planes()
    steps = [(floor.key(key), floor.planes()) for key in SOLUTION]
    moved, pushed, turned, gone = (played(3)[1] for _ in range(4))
    moved.characters[1] = (1, 1)
    pushed.blocks["b"] = {(4, 1)}
    turned.turnstiles[4, 5] = {DOWN}
    gone.characters = {}
    strangers = (Floor(ZOO), played(4)[1], moved, pushed, turned, gone)
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

"""Tests of the twin: each rule, both encodings, what is seen, the known levels, invariants."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings

from tests.kwirk.twin import (
    ARMS,
    DIRECTIONS,
    DOWN,
    ENCODINGS,
    HOLE_UNDER,
    LEFT,
    RIGHT,
    SWITCH,
    UP,
    Cell,
    Frame,
    Outcome,
    Twin,
    min_pushes,
    min_steps,
    neighbour,
)

KEYS = "URDLS"
MIDDLE = (3, 3)
SIDES = ("up", "right", "down", "left")

unhurried = settings(deadline=None)  # Plain Python on a busy machine.


def level(*lines: str) -> Twin:
    """The starting position of a level; the walls above and below are added."""
    rows = [line for line in lines if not line.startswith(HOLE_UNDER)]
    wall = "#" * len(rows[0])
    return Twin.from_text("\n".join([wall, *rows, wall, *lines[len(rows) :]]))


def floor(**pieces: Cell) -> Twin:
    """A floor of 5x5 cells around `MIDDLE` with an exit in a corner.

    Args:
        pieces: Where to put what: `block`, `pivot`, `up`, `right`, `down`, `left` (arms), `one`.
    """
    signs = {"block": "a", "pivot": "*", "one": "1"} | dict(zip(SIDES, ARMS, strict=True))
    lines = [list("#     #") for _ in range(4)] + [list("#    %#")]
    for name, (row, column) in pieces.items():
        lines[row - 1][column] = signs[name]
    return level(*map("".join, lines))


def opposite(direction: int) -> int:
    """The direction back."""
    return (direction + 2) % 4


def shown(twin: Twin) -> list[str]:
    """The text of a position without the walls above and below."""
    lines = twin.text().split("\n")
    return lines[1 : twin.height - 1] + lines[twin.height :]


def order(twin: Twin) -> list[int]:
    """The numbers of the characters, the active one first."""
    return [character.number for character in twin.characters]


def pressed(twin: Twin, keys: str) -> Twin:
    """The position after key presses, each of which has to be legal."""
    for key in keys:
        outcome = twin.act(KEYS.index(key), "steps")
        assert outcome is not None, (twin.text(), key)
        twin = outcome.twin
    return twin


def refused(twin: Twin, key: str) -> bool:
    """Whether a key press is illegal."""
    return twin.act(KEYS.index(key), "steps") is None


def push(twin: Twin, row: int, column: int, direction: int) -> int:
    """The number of the push from a cell."""
    return 4 * (row * twin.frame.width + column) + direction


def aside(twin: Twin, number: int, row: int, column: int) -> int:
    """The number of the walk of a character to a cell."""
    return (3 + number) * twin.frame.cells + row * twin.frame.width + column


def played(twin: Twin, action: int) -> Outcome:
    """What an action of the pushes leads to; it has to be legal."""
    outcome = twin.act(action, "pushes")
    assert outcome is not None
    return outcome


# --- The level text


def test_hole_under_names_a_column_and_a_row_from_0() -> None:
    lines = ["#1  %#", "#  a #", "#  a #", "HOLE_UNDER 3 2"]
    assert level(*lines).holes == {(2, 3)}
    assert shown(level(*lines)) == lines


# --- Rules 1 to 10, on floors whose upper and lower wall are added

MEETING, CORNERED, CROSSED = "#1  2#|#   %#", "#2^  #|#<*  #|#1  %#", "#1^  #|# *  #|# ` %#"
PLAYS = [
    # 1: a key press moves the active character, or switches to the next one.
    (MEETING, "R", "# 1 2#|#   %#"),
    (MEETING, "RD", "#   2#|# 1 %#"),
    (MEETING, "RDLU", MEETING),
    (MEETING, "S", MEETING),
    (MEETING, "SL", "#1 2 #|#   %#"),
    (MEETING, "SLSR", "# 12 #|#   %#"),
    # 2: a block over a hole can be pushed from beside it.
    ("#1a  #|# a %#|HOLE_UNDER 2 1", "DR", "# Oa #|# 1a%#"),
    # 4: a block moves whole, and the pusher follows.
    ("#1aa  #|# aa %#", "R", "# 1aa #|#  aa%#"),
    # 5: a block over holes alone is gone, and these are floor; half over them it fills none.
    ("#1aO %#", "R", "# 1  %#"),
    ("#1aaOO %#", "R", "# 1aaO %#|HOLE_UNDER 4 1"),
    ("#1aaOO %#", "RR", "#  1   %#"),
    ("#1aaO  %#", "RR", "#  1aa %#|HOLE_UNDER 4 1"),
    ("#1aOO %#|# aOO  #|#  OO  #", "R", "# 1 O %#|#   O  #|#  OO  #"),
    ("#1aaOO%#|# aaO  #", "RR",
     "#  1aa%#|#   aa #|HOLE_UNDER 4 1|HOLE_UNDER 5 1|HOLE_UNDER 4 2"),
    # 6: every arm turns; one may come where another of its turnstile lay.
    (CROSSED, "R", "# 1  #|#<*> #|#   %#"),
    ("#1^  #|# *> #|#   %#", "R", "# 1  #|# *> #|# ` %#"),
    # 7: the mover steps into the arm's old cell; an arm that follows carries him, no other does.
    ("#1^  #|# * %#", "R", "# 1  #|# *>%#"),
    ("#1^  #|# *> #|# ` %#", "R", "# 1  #|#<*> #|# ` %#"),
    ("#1^  #|#<*  #|#   %#", "R", "# ^1 #|# *> #|#   %#"),
    ("#1^  #|#<*> #|# ` %#", "R", "# ^1 #|#<*> #|# ` %#"),
    # 8: arms hover over holes.
    ("#1^O #|# *O #|#   %#", "R", "# 1O #|# *> #|#   %#|HOLE_UNDER 3 2"),
    # 9: the mover himself stops no arm.
    (CORNERED, "SR", "# ^2 #|# *> #|#1  %#"),
    # 10: who comes onto the exit leaves, and frees the way.
    ("#1 2%#", "SR", "#1  %#"),
]  # fmt: skip
STOPS = [
    # 2: a wall, a pivot, another character, a hole, and a piece over a hole stop him.
    *(("R", text) for text in ("#1# %#", "#1*>%#", "#12 %#", "#1O %#")),
    ("R", "#1aa %#|HOLE_UNDER 2 1"), ("R", "#1^  #|# * %#|HOLE_UNDER 2 1"), ("RRR", "#1aaO  %#"),
    # 3: the exit is solid for blocks and arms.
    ("R", "#1a%#"), ("R", "#1^%#|# * #"), ("R", "#1^ #|# *%#"),
    # 4: a block is pushed onto nothing, and pushes no other.
    *(("R", text) for text in ("#1a#%#", "#1aa  #|# aa#%#", "#1a*>%#", "#1a<*%#")),
    ("R", "#1ab %#"), ("R", "#1aa  #|# aab%#"),
    # 6: the lower arm sweeps a wall, and would lie in one.
    ("R", "#1^  #|# *  #|##` %#"), ("R", "#1^  #|##*  #|# ` %#"),
    # 7: nobody is carried onto a hole.
    ("R", "#1^O #|#<*  #|#   %#"),
    # 9: inactive characters are walls to everything; an arm would sweep character 2.
    ("R", "#1a2 %#"), ("R", "#1aa  #|# aa2%#"), ("U", CORNERED),
    # 10 and 11: the way is not free yet; the last one has nobody to switch to.
    ("RR", "#1 2%#"), ("SRS", "#1 2%#"),
]  # fmt: skip
GOES = [
    "#1aa %#", "#1^  #|# * %#", "#1a #|#%  #", "#1^ #|# * #|#%  #",
    "#1^  #|#O*  #|#O` %#", "#1^O #|# *  #|#   %#",
]  # fmt: skip
"""What stops somebody above, without what stops him."""


@pytest.mark.parametrize(("text", "keys", "after"), PLAYS)
def test_what_keys_come_to(text: str, keys: str, after: str) -> None:
    assert "|".join(shown(pressed(level(*text.split("|")), keys))) == after


@pytest.mark.parametrize(("keys", "text"), STOPS)
def test_what_stops_the_last_key(keys: str, text: str) -> None:
    assert refused(pressed(level(*text.split("|")), keys[:-1]), keys[-1])


@pytest.mark.parametrize("text", GOES)
def test_what_stops_nobody(text: str) -> None:
    assert not refused(level(*text.split("|")), "R")


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_block_is_pushed_every_way(direction: int) -> None:
    start = floor(block=MIDDLE, one=neighbour(MIDDLE, opposite(direction)))
    after = pressed(start, KEYS[direction])
    assert after.blocks == (start.blocks[0].stepped(direction),)
    assert after.characters[0].cell == MIDDLE


@pytest.mark.parametrize("side", DIRECTIONS)
@pytest.mark.parametrize("quarters", [1, 3])
def test_an_arm_pushed_sideways_turns_that_way(side: int, quarters: int) -> None:
    direction = (side + quarters) % 4
    arm = neighbour(MIDDLE, side)
    start = floor(pivot=MIDDLE, one=neighbour(arm, opposite(direction)), **{SIDES[side]: arm})
    after = pressed(start, KEYS[direction])
    assert after.turnstiles[0].arms == {direction}
    assert after.characters[0].cell == arm


@pytest.mark.parametrize("side", DIRECTIONS)
def test_an_arm_pushed_head_on_does_nothing(side: int) -> None:
    arm = neighbour(MIDDLE, side)
    start = floor(pivot=MIDDLE, one=neighbour(arm, side), **{SIDES[side]: arm})
    assert refused(start, KEYS[opposite(side)])


@pytest.mark.parametrize(
    ("swept", "new", "legal"),
    [
        ("   ", "   ", True),
        ("O  ", "O  ", True),  # Holes do not stop an arm.
        ("#  ", "   ", False),  # A wall in the diagonal cell, then on the new cell.
        ("   ", "#  ", False),
        ("*> ", "   ", False),  # Another pivot.
        ("   ", "*> ", False),
        ("<* ", "   ", False),  # Another turnstile's arm.
        ("   ", "<* ", False),
        ("a  ", "   ", False),  # A block.
        ("   ", "a  ", False),
        ("2  ", "   ", False),  # An inactive character.
        ("   ", "2  ", False),
        (" a ", " a ", True),  # Beyond, nothing matters.
    ],
)
def test_an_arm_needs_its_diagonal_and_its_new_cell(swept: str, new: str, legal: bool) -> None:
    start = level(f"#1^{swept}#", f"# *{new}#", "#    %#")
    assert refused(start, "R") is not legal


def test_all_leave_and_the_next_one_is_active() -> None:
    left = pressed(level("#1 2%#"), "SR")
    assert not left.solved and pressed(left, "RRR").solved  # He is active without a switch.
    start = level("#1 %2#", "#  3 #")
    assert order(pressed(start, "SL")) == [3, 1]
    assert order(pressed(start, "SLU")) == [1]


# --- Rule 11: the order of switching


def test_the_order_of_switching_skips_those_who_left() -> None:
    start = level("#4  3#", "#1 %2#")
    assert [order(pressed(start, "S" * times))[0] for times in range(5)] == [1, 2, 3, 4, 1]
    left = pressed(start, "SL")
    assert [order(pressed(left, "S" * times))[0] for times in range(4)] == [3, 4, 1, 3]


# --- Costs, fitness, the end


def test_key_presses_cost_one_and_switches_nothing() -> None:
    start = level("#1a  2%#", "#      #")
    assert {key: (outcome.cost, outcome.steps) for key, outcome in start.outcomes("steps")} == {
        RIGHT: (1, 1),
        DOWN: (1, 1),
        SWITCH: (0, 0),
    }
    carrying = level("#1^  #", "#<*  #", "#   %#")
    for twin in (pressed(start, "S"), carrying):  # Who leaves, and who is carried two cells.
        outcome = twin.act(RIGHT, "steps")
        assert outcome is not None and (outcome.cost, outcome.steps) == (1, 1)


def test_fitness_is_the_mean_over_all_who_began() -> None:
    start = level("#1  2%#", "#     #")
    assert start.fitness == -(4 + 1) / 2
    assert pressed(start, "D").fitness == -(5 + 1) / 2
    left = pressed(start, "SR")
    assert left.fitness == -4 / 2
    assert pressed(left, "RRRR").fitness == 0


def test_nothing_is_legal_in_a_solved_position() -> None:
    solved = pressed(level("#1%#"), "R")
    assert solved.solved
    for encoding in ENCODINGS:
        assert not solved.legal(encoding)
        assert not solved.lost(encoding)


def test_lost_is_nothing_legal() -> None:
    assert all(level("#1# %#").lost(encoding) for encoding in ENCODINGS)
    for line in ("#1 # %#", "#1#2# %#"):  # A step, a switch, and nothing else.
        assert not level(line).lost("steps")
    assert level("#1 # %#").lost("pushes")
    assert level("#1#2# %#").lost("pushes")


# --- The actions of the pushes


def test_a_push_is_a_walk_and_a_push() -> None:
    start = level("#1    #", "#  a  #", "#    %#")
    outcome = played(start, push(start, 2, 2, RIGHT))
    assert shown(outcome.twin) == ["#     #", "#  1a #", "#    %#"]
    assert (outcome.cost, outcome.steps) == (1, 3)


def test_leaving_and_walking_aside_cost_nothing() -> None:
    start = level("#1    #", "# 2   #", "#    %#")
    outcome = played(start, push(start, 3, 4, RIGHT))
    assert shown(outcome.twin) == ["#     #", "# 2   #", "#    %#"]
    assert (outcome.cost, outcome.steps) == (0, 6)
    outcome = played(start, aside(start, 2, 1, 5))
    assert shown(outcome.twin) == ["#1   2#", "#     #", "#    %#"]
    assert (outcome.cost, outcome.steps) == (0, 4)
    assert order(outcome.twin) == [2, 1]


def test_pushes_are_legal_from_reachable_cells() -> None:
    start = level("#1 #  #", "# a b%#", "#   # #")
    assert start.legal("pushes") == [
        push(start, 1, 2, DOWN),
        push(start, 2, 1, RIGHT),
        push(start, 2, 3, LEFT),
        push(start, 3, 2, UP),
    ]


def test_a_plain_step_is_no_push() -> None:
    start = level("#  1 %#", "#<*>  #", "#     #")
    assert push(start, 1, 3, DOWN) in start.legal("pushes")
    assert push(start, 1, 3, RIGHT) not in start.legal("pushes")
    assert push(start, 2, 4, LEFT) not in start.legal("pushes")  # Head-on.


def test_the_active_one_pushes_if_he_reaches_the_cell() -> None:
    start = level("#1 2 3 #", "#      #", "#  a  %#")
    action = push(start, 3, 2, RIGHT)
    assert order(played(start, action).twin) == [1, 2, 3]
    assert order(played(pressed(start, "S"), action).twin) == [2, 3, 1]


def test_else_the_first_in_switching_order_pushes() -> None:
    start = level("#1#2 3 #", "# # a  #", "# #    #", "#%######")
    action = push(start, 1, 4, DOWN)
    assert order(played(start, action).twin) == [2, 3, 1]
    assert order(played(pressed(start, "SS"), action).twin) == [3, 1, 2]


def test_where_the_active_one_cannot_push_the_next_one_who_can_does() -> None:
    start = level("#1 a2 #", "#    %#")
    outcome = played(start, push(start, 1, 2, RIGHT))  # Character 2 stands behind the block.
    assert shown(outcome.twin) == ["#1 2a #", "#    %#"]
    assert (order(outcome.twin), outcome.steps) == ([2, 1], 5)


def test_others_stand_in_the_way_of_walks() -> None:
    start = level("#1 2 a %#")
    assert start.walks == ({(1, 1): 0, (1, 2): 1}, {(1, 3): 0, (1, 2): 1, (1, 4): 1})
    assert order(played(start, push(start, 1, 4, RIGHT)).twin) == [2, 1]


def test_walking_aside_goes_to_reachable_cells_other_than_his_own() -> None:
    start = level("#1 2 a%#")
    assert start.legal("pushes") == [
        aside(start, 1, 1, 2),
        aside(start, 2, 1, 2),
        aside(start, 2, 1, 4),
    ]


def test_walking_aside_is_for_levels_that_began_with_more_than_one() -> None:
    alone = level("#1  %#")
    assert alone.legal("pushes") == [push(alone, 1, 3, RIGHT)]
    left = pressed(level("#1 2%#"), "SR")
    assert left.legal("pushes") == [
        push(left, 1, 3, RIGHT),
        aside(left, 1, 1, 2),
        aside(left, 1, 1, 3),
    ]


def test_the_number_of_actions() -> None:
    assert [Frame(7, 9, most).actions("pushes") for most in (1, 2, 4)] == [252, 378, 504]
    assert [Frame(7, 9, most).actions("steps") for most in (1, 2, 4)] == [5, 5, 5]


# --- What is seen, and what is equal


def test_the_planes() -> None:
    board = ["########", "#2aa^ %#", "# aa*>O#", "#   `b1#", "########"]
    text = "\n".join([*board, "HOLE_UNDER 2 1", "HOLE_UNDER 4 3"])
    planes = Twin.from_text(text, Frame(6, 9, 3)).planes()
    expected: list[set[Cell]] = [
        {(row, column) for row in (1, 2, 3) for column in range(1, 7)},
        {(1, 6)},
        {(2, 6), (1, 2), (3, 4)},
        {(1, 2), (1, 3), (2, 2), (2, 3), (3, 5)},
        {(1, 2), (2, 2)},
        {(1, 2), (1, 3)},
        {(2, 4)},
        {(1, 4)},
        {(2, 5)},
        {(3, 4)},
        set(),
        {(3, 6)},
        {(1, 1)},
        set(),
        set(),
    ]
    assert planes.shape == (15, 6, 9) and planes.dtype == np.int8
    assert [{(int(r), int(c)) for r, c in np.argwhere(plane)} for plane in planes] == expected


def test_the_planes_follow_the_order_of_switching() -> None:
    active = pressed(level("#1  %3#", "#2   4#"), "SS")
    for twin, cells in (
        (active, [(1, 5), (2, 5), (1, 1), (2, 1)]),
        (pressed(active, "L"), [(2, 5), (1, 1), (2, 1)]),
    ):
        planes = twin.planes()[11:]
        assert planes.sum() == len(cells)
        assert all(plane[cell] == 1 for plane, cell in zip(planes, cells, strict=False))


def test_blocks_of_one_size_are_interchangeable() -> None:
    one, other = level("#1a b %#"), level("#1b a %#")
    assert one != other
    assert one.key() == other.key()
    assert level("#1aa b%#").key() != level("#1a bb%#").key()


def test_turnstiles_are_equal_if_their_arms_lie_alike() -> None:
    start = level("#1^  #", "#<*> #", "# ` %#")
    moved = replace(start, characters=pressed(start, "R").characters)
    assert pressed(start, "R").key() == moved.key()


def test_the_key_tells_other_positions_apart() -> None:
    start = level("#1 ^ 2#", "# <*O #", "#a ` %#", "#a    #")
    others = [
        pressed(start, "S"),
        pressed(start, "R"),
        replace(start, holes=frozenset()),
        replace(start, turnstiles=(start.turnstiles[0].turned(1),)),
        replace(start, blocks=()),
    ]
    assert len({twin.key() for twin in [start, *others]}) == 6


# --- Searches


def test_small_optima() -> None:
    start = level("#1a O  %#")
    assert (min_steps(start), min_pushes(start)) == (6, 2)
    two = level("#2 1%#")
    assert (min_steps(two), min_pushes(two)) == (4, 0)


@pytest.mark.parametrize("line", ["#1O%#", "#1aO O%#"])
def test_unsolvable_levels(line: str) -> None:
    assert min_steps(level(line)) is None
    assert min_pushes(level(line)) is None

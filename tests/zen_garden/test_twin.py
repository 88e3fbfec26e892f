"""Tests of the twin: the conformance vectors, known facts, each rule and switch, invariants."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.walks import choices, marked, played, random_walk
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.conformance import Vector, actions, described, read_vectors
from tests.zen_garden.search import optimum
from tests.zen_garden.twin import EAST, LEAF_COLOURS, NORTH, ROCK, SOUTH, WEST, Twin, neighbour

VECTORS = read_vectors()


def on_sand(twin: Twin) -> set[str]:
    """The legal choices on sand by name."""
    return {("ahead", "left", "right")[action - twin.faces] for action in twin.legal()}


# --- Conformance vectors


def test_the_vectors_are_thirteen_boards_with_82_excursions() -> None:
    assert len(VECTORS) == 13
    assert sum(len(vector.excursions) for vector in VECTORS) == 82


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_excursions_are_exactly_those_listed(vector: Vector) -> None:
    twin = Twin.from_rows(vector.rows)
    found = [described(twin, taken) for taken, _ in twin.excursions()]
    assert sorted(found) == sorted(vector.excursions)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_whole_moves_are_the_listed_excursions_without_dead_ends(vector: Vector) -> None:
    whole_moves = Twin.from_rows(vector.rows).whole_moves()
    listed = {
        actions(vector, excursion): (excursion.rows, excursion.solved)
        for excursion in vector.excursions
        if excursion.outcome == "exit"
    }
    assert {taken: (tuple(end.rows()), end.solved) for taken, end in whole_moves} == listed
    assert len(whole_moves) == len(listed)


# --- The rules one by one


@pytest.mark.parametrize(
    ("face", "rows"),
    [
        (1, ["x..", "x.."]),
        (3, ["..x", "..x"]),
        (4, ["xxx", "..."]),
        (5, ["...", "xxx"]),
        (6, ["..x", "..x"]),
        (8, ["x..", "x.."]),
        (9, ["...", "xxx"]),
        (10, ["xxx", "..."]),
    ],
)
def test_faces_are_numbered_clockwise_from_the_upper_left(face: int, rows: list[str]) -> None:
    assert played(Twin.from_rows(["...", "..."]), face - 1).rows() == rows


def test_entering_costs_one_move_and_everything_on_sand_nothing() -> None:
    twin = Twin.from_rows([".B."])
    assert [twin.act(7), twin.act(8), twin.act(9)] == [1, 0, 0]
    assert twin.rows() == ["xxB"]


def test_he_does_not_enter_raked_sand_rocks_ornaments_or_later_leaves() -> None:
    twin = Twin.from_rows([".#B.oy"])
    assert [face for face in range(1, 7) if face - 1 in twin.legal()] == [1, 4, 6]
    twin.act(0)
    assert [face for face in range(1, 7) if face - 1 in twin.legal()] == [4, 6]


SIDEWAYS, TURNING, ONTO, FROM = (
    {"sideways_push": False},
    {"turning_out": False},
    {"push_onto_leaf": True},
    {"push_from_perimeter": True},
)
PLAYS = [
    # Raked sand stops the slide; after a turn he runs on to the next obstacle.
    ("...|...|...", {}, (1, 9), ".x.|.x.|Mx.", "left right"),
    ("....|#..#", {}, (0, 13), "xxxx|#..#", None),
    # He may leave by the other face of the corner that he entered.
    (".#|#.", {}, (0,), "M#|#.", "right"),
    # A push leaves him stopped on plain sand, and he may push again.
    (".B..", {}, (9, 10), "xMB.", "ahead left right"),
    (".B..", {}, (9, 10, 10), "xxMB", "left right"),
    # An ornament can be moved on later, and the cell that it leaves is raked.
    ("....|.B..|....", {}, (12, 14, 16), "....|xxB.|.x..", None),
    ("....|.B..|....", {}, (12, 14, 16, 2, 14), "..x.|xxM.|.xB.", None),
    ("....|.B..|....", {}, (12, 14, 16, 2, 14, 15), "..x.|xxxx|.xB.", None),
    # The last yellow leaf unlocks orange and red within one slide; a leaf not yet due stops it.
    ("yor", {}, (7,), "xxx", None),
    (".oy", {}, (7,), "Moy", "left right"),
    # Sideways push off leaves only the push ahead; turning out off only the slide out.
    (".#|B.|..", {}, (9,), "M#|B.|..", "left right"),
    (".#|B.|..", SIDEWAYS, (9,), "M#|B.|..", "left"),
    (".#|B.|..", SIDEWAYS, (0,), "M#|B.|..", "ahead right"),
    (".|#", TURNING, (0,), "M|#", ""),
    # Push onto leaf buries the leaf for good, of any colour, and by a sideways push, too.
    (".By.", {}, (9,), "MBy.", "left right"),
    (".By.", ONTO, (9, 10), "xMB.", "ahead left right"),
    (".By.", ONTO, (9, 10, 10), "xxMB", "left right"),
    (".#y|B.#|r..", ONTO, (11, 14), "x#y|M.#|B..", None),
    # To bury the last yellow leaf unlocks orange.
    (".By|.o.", ONTO, (9, 10, 12), "xxB|.x.", None),
    # Push from perimeter enters by a push, and stops, whatever sideways push says.
    ("B..", FROM, (7,), "MB.", "ahead left right"),
    ("B.", FROM | SIDEWAYS, (5,), "MB", "left right"),
    ("By", FROM | ONTO, (5,), "MB", "left right"),
]
"""Rows, switches, actions, the rows that they lead to, and what can be chosen on sand then."""


@pytest.mark.parametrize(("rows", "switches", "taken", "after", "choices"), PLAYS)
def test_what_actions_come_to(
    rows: str, switches: dict[str, bool], taken: tuple[int, ...], after: str, choices: str | None
) -> None:
    twin = played(Twin.from_rows(rows.split("|"), **switches), *taken)
    assert "|".join(twin.rows()) == after
    assert choices is None or on_sand(twin) == set(choices.split())


def test_an_ornament_is_not_pushed_onto_raked_sand() -> None:
    before = Twin.from_rows([".B.", "#.#"])
    assert "ahead" in on_sand(played(before, 9))
    assert "ahead" not in on_sand(played(before, 2, 11, 9))


def test_a_yellow_leaf_anywhere_holds_back_orange_and_red() -> None:
    assert Twin.from_rows(["o#y", "###", "r#."]).legal() == [2, 3, 5, 6]
    assert Twin.from_rows(["o#.", "###", "r#."]).legal() == [0, 2, 3, 5, 6, 11]


def test_a_dead_end_is_lost_and_has_no_whole_move() -> None:
    before = Twin.from_rows(["#.#", "###"])
    twin = played(before, 1)
    assert twin.monk == (0, 1, SOUTH)
    assert twin.lost and not twin.solved and twin.legal() == []
    assert not before.lost and before.whole_moves() == []


def test_the_perimeter_without_a_legal_entrance_is_lost() -> None:
    twin = Twin.from_rows(["###", "#.#", "###"])
    assert twin.lost and not twin.solved


def test_solved_waits_until_he_is_on_the_perimeter() -> None:
    twin = played(Twin.from_rows([".#"]), 5)
    assert not twin.unraked and not twin.solved and not twin.lost
    twin.act(twin.legal()[0])
    assert twin.solved and not twin.lost and twin.legal() == []


def test_a_cell_under_an_ornament_need_not_be_raked() -> None:
    assert played(Twin.from_rows([".B"]), 0).solved


def test_a_forced_choice_is_still_an_action() -> None:
    twin = played(Twin.from_rows([".#", "##"]), 0)
    assert twin.legal() == [10]
    assert twin.rows() == ["M#", "##"]


# --- The switches


def test_a_pocket_is_lost_where_he_cannot_turn_out() -> None:
    pocket = Twin.from_rows([".", "#"], turning_out=False)
    assert played(pocket, 0).lost
    assert [taken for taken, _ in pocket.whole_moves()] == [(1,), (5,)]


def test_a_yellow_leaf_that_is_not_buried_holds_orange_back() -> None:
    twin = played(Twin.from_rows([".By", ".o."], push_onto_leaf=True), 9)
    assert 6 not in played(twin, 11).legal()


@pytest.mark.parametrize(
    ("rows", "switches", "action"),
    [("B..", {}, 7), ("B#", FROM, 5), ("BB", FROM, 5), ("By", FROM, 5)],
)
def test_where_no_push_from_the_perimeter_enters(
    rows: str, switches: dict[str, bool], action: int
) -> None:
    assert action not in Twin.from_rows([rows], **switches).legal()


# --- What the twin offers


def test_faces_of_a_larger_board_shift_the_actions_on_sand_only() -> None:
    twin = Twin.from_rows([".#", "##"], faces=20)
    assert twin.legal() == [0, 7]
    assert played(twin, 0).legal() == [22]
    assert played(twin, 7).legal() == [21]


def test_planes_come_in_the_settled_order_and_are_padded_at_right_and_bottom() -> None:
    twin = played(Twin.from_rows([".B#", "yor"]), 9)
    planes = twin.planes(3, 4)
    assert len(planes) == 11
    assert [marked(plane) for plane in planes] == [
        {(r, c) for r in range(2) for c in range(3)},
        {(1, 0), (1, 1), (1, 2)},
        {(0, 2)},
        {(0, 1)},
        {(1, 0)},
        {(1, 1)},
        {(1, 2)},
        set(),
        {(0, 0)},
        set(),
        set(),
    ]
    assert [len(plane) for plane in planes] == [3] * 11
    assert {len(line) for plane in planes for line in plane} == {4}


@pytest.mark.parametrize(
    ("face", "heading"), [(2, SOUTH), (5, WEST), (8, NORTH), (11, EAST)], ids=["S", "W", "N", "E"]
)
def test_each_heading_has_its_own_plane(face: int, heading: int) -> None:
    planes = played(Twin.from_rows(["#.#", ".#.", "#.#"]), face - 1).planes()
    marks = [sum(map(sum, plane)) for plane in planes[7:]]
    assert marks == [int(other == heading) for other in (NORTH, EAST, SOUTH, WEST)]


def test_keys_tell_headings_apart() -> None:
    twin = Twin.from_rows([".#", "##"])
    south, east = played(twin, 0), played(twin, 7)
    assert south.rows() == east.rows()
    assert south.key() != east.key()


def test_keys_agree_when_different_ways_lead_to_one_position() -> None:
    twin = Twin.from_rows(["..", ".."])
    assert played(twin, 0).key() == played(twin, 5).key()


def test_whole_moves_from_sand_complete_the_excursion_under_way() -> None:
    twin = Twin.from_rows([".#", "B.", ".."])
    inside = played(twin, 9)
    expected = [(taken[1:], end.key()) for taken, end in twin.whole_moves() if taken[0] == 9]
    assert len(expected) == 3
    assert [(taken, end.key()) for taken, end in inside.whole_moves()] == expected


def test_a_solved_board_has_no_whole_moves() -> None:
    assert played(Twin.from_rows(["."]), 0).whole_moves() == []


# --- Invariants on random boards


@given(boards(), choices())
def test_every_cell_is_one_thing_and_nothing_comes_back(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    ornaments, raked, leaves = len(twin.ornaments), 0, len(twin.leaves)
    for _ in random_walk(twin, picks):
        monk = {twin.monk[:2]} if twin.monk else set()
        parts = [twin.unraked, set(twin.rocks), twin.ornaments, monk]
        assert sum(map(len, parts)) == len(set().union(*parts))
        assert set(twin.leaves) <= twin.unraked
        assert len(twin.ornaments) == ornaments
        assert len(twin.leaves) <= leaves
        assert "".join(twin.rows()).count("x") >= raked
        raked, leaves = "".join(twin.rows()).count("x"), len(twin.leaves)


@given(boards(), choices())
def test_stopped_he_is_blocked_ahead(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    for _ in random_walk(twin, picks):
        if twin.monk is not None:
            row, column, heading = twin.monk
            ahead = neighbour((row, column), heading)
            assert 0 <= ahead[0] < board.height and 0 <= ahead[1] < board.width
            if ahead in twin.unraked:
                earlier = LEAF_COLOURS[: LEAF_COLOURS.index(twin.leaves[ahead])]
                assert any(colour in earlier for colour in twin.leaves.values())


@given(boards(), choices())
def test_every_whole_move_costs_one(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    was_on_perimeter = True
    for _, cost in random_walk(twin, picks):
        assert cost == int(was_on_perimeter)
        was_on_perimeter = twin.monk is None


@given(boards(), choices(), st.integers(0, 9))
def test_more_faces_change_only_the_numbers_on_sand(
    board: Board, picks: list[int], extra: int
) -> None:
    twin, wide = board.twin(), board.twin(faces=board.faces + extra)
    for action, _ in random_walk(twin, picks):
        wide.act(action if action < board.faces else action + extra)
        assert wide.key() == twin.key()


@given(boards(), choices())
def test_a_quarter_turn_of_the_board_turns_the_play(board: Board, picks: list[int]) -> None:
    def turned(rows: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("".join(column) for column in zip(*reversed(rows), strict=True))

    twin, other = board.twin(), Board(turned(board.rows), board.switches).twin()
    for action, _ in random_walk(twin, picks):
        entered = action < board.faces
        other.act((action + board.height) % board.faces if entered else action)
        assert tuple(other.rows()) == turned(tuple(twin.rows()))
        assert len(other.legal()) == len(twin.legal())
        if twin.monk is not None:
            assert other.monk is not None
            assert other.monk[2] == (twin.monk[2] + 1) % 4


@given(boards(), choices())
def test_a_mirrored_board_mirrors_the_play(board: Board, picks: list[int]) -> None:
    def mirrored(rows: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(row[::-1] for row in rows)

    twin, other = board.twin(), Board(mirrored(board.rows), board.switches).twin()
    on_sand = {0: 0, 1: 2, 2: 1}
    for action, _ in random_walk(twin, picks):
        if action < board.faces:
            other.act((board.width - 1 - action) % board.faces)
        else:
            other.act(board.faces + on_sand[action - board.faces])
        assert tuple(other.rows()) == mirrored(tuple(twin.rows()))
        assert len(other.legal()) == len(twin.legal())
        if twin.monk is not None:
            assert other.monk is not None
            assert other.monk[2] == -twin.monk[2] % 4


@settings(deadline=None)  # A whole search an example.
@given(boards(max_width=4, max_height=3))
def test_whole_moves_are_distinct_playable_and_end_on_the_perimeter(board: Board) -> None:
    twin = board.twin()
    whole_moves = twin.whole_moves()
    assert len({taken for taken, _ in whole_moves}) == len(whole_moves)
    assert [taken for taken, _ in whole_moves] == sorted(taken for taken, _ in whole_moves)
    for taken, end in whole_moves:
        assert end.monk is None
        assert played(twin, *taken) == end


@settings(deadline=None)  # A whole search an example.
@given(boards(max_width=4, max_height=3, kinds=ROCK, any_switches=False))
def test_without_ornaments_sand_with_fewer_than_two_open_sides_loses(board: Board) -> None:
    start = board.twin()

    def open_sides(cell: tuple[int, int]) -> int:
        beside = [neighbour(cell, heading) for heading in (NORTH, EAST, SOUTH, WEST)]
        return sum(other not in start.rocks for other in beside)

    if any(open_sides(cell) < 2 for cell in start.unraked):
        assert optimum(start) is None

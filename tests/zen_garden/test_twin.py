"""Tests of the twin: the conformance vectors, known facts, each rule and switch, invariants."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.walks import choices, marked, played, random_walk
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.conformance import Vector, actions, described, read_vectors
from tests.zen_garden.search import layers, optimum
from tests.zen_garden.twin import EAST, LEAF_COLOURS, NORTH, ROCK, SOUTH, WEST, Twin, neighbour

VECTORS = read_vectors()
ORNAMENT_SAMPLE = (".....", ".B.B.", ".....", ".B...")


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


# --- Known facts


def test_perimeter_positions_by_layer_on_the_empty_4x4() -> None:
    found = [len(layer) for layer in layers(Twin.from_rows(["...."] * 4))]
    assert found == [1, 8, 96, 461, 606, 286, 52]


@pytest.mark.parametrize(
    ("width", "height"),
    [(w, h) for w in range(1, 5) for h in range(1, 5)]
    + [(9, 1), (1, 9), (8, 2), (2, 8), (7, 3), (3, 7), (6, 4), (5, 5)],
)
def test_optimum_of_the_empty_board(width: int, height: int) -> None:
    shorter = min(width, height)
    expected = 1 if shorter == 1 else (shorter + 1) // 2 + 1
    assert optimum(Twin.from_rows(["." * width] * height)) == expected


@pytest.mark.parametrize("depth", range(1, 6))
@pytest.mark.parametrize("width", range(1, 8))
def test_section_closed_on_three_sides(width: int, depth: int) -> None:
    section = ["#" + "." * width + "#"] * depth + ["#" * (width + 2)]
    solvable = width % 2 == 0 or depth <= (width - 1) // 2
    assert (optimum(Twin.from_rows(section)) is not None) == solvable


@pytest.mark.parametrize(
    ("sideways_push", "best", "positions"), [(True, 3, 34_093), (False, 4, 24_338)]
)
def test_ornament_sample(sideways_push: bool, best: int, positions: int) -> None:
    found = list(layers(Twin.from_rows(ORNAMENT_SAMPLE, sideways_push=sideways_push)))
    assert sum(len(layer) for layer in found) == positions
    assert [any(twin.solved for twin in layer) for layer in found].index(True) == best


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


def test_raked_sand_stops_the_slide() -> None:
    twin = played(Twin.from_rows(["...", "...", "..."]), 1, 9)
    assert twin.rows() == [".x.", ".x.", "Mx."]
    assert twin.monk == (2, 0, EAST)
    assert on_sand(twin) == {"left", "right"}


def test_a_slide_after_a_turn_runs_on_to_the_next_obstacle() -> None:
    twin = played(Twin.from_rows(["....", "#..#"]), 0, 13)
    assert twin.rows() == ["xxxx", "#..#"]
    assert twin.monk is None


def test_he_may_leave_by_the_other_face_of_the_corner_he_entered() -> None:
    twin = played(Twin.from_rows([".#", "#."]), 0)
    assert twin.monk == (0, 0, SOUTH)
    assert on_sand(twin) == {"right"}


def test_a_push_leaves_him_stopped_on_plain_sand_and_he_may_push_again() -> None:
    twin = played(Twin.from_rows([".B.."]), 9, 10)
    assert twin.rows() == ["xMB."]
    assert twin.monk == (0, 1, EAST)
    assert on_sand(twin) == {"ahead", "left", "right"}
    assert played(twin, 10).rows() == ["xxMB"]


def test_an_ornament_is_not_pushed_onto_raked_sand() -> None:
    before = Twin.from_rows([".B.", "#.#"])
    assert "ahead" in on_sand(played(before, 9))
    assert "ahead" not in on_sand(played(before, 2, 11, 9))


def test_an_ornament_can_be_moved_on_later_and_the_cell_it_leaves_is_raked() -> None:
    twin = played(Twin.from_rows(["....", ".B..", "...."]), 12, 14, 16)
    assert twin.rows() == ["....", "xxB.", ".x.."]
    twin = played(twin, 2, 14)
    assert twin.rows() == ["..x.", "xxM.", ".xB."]
    assert played(twin, 15).rows() == ["..x.", "xxxx", ".xB."]


def test_the_last_yellow_leaf_unlocks_orange_and_red_within_one_slide() -> None:
    assert played(Twin.from_rows(["yor"]), 7).rows() == ["xxx"]


def test_an_uncollectable_leaf_stops_the_slide() -> None:
    twin = played(Twin.from_rows([".oy"]), 7)
    assert twin.monk == (0, 0, EAST)
    assert twin.leaves == {(0, 1): "o", (0, 2): "y"}


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


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    twin = Twin.from_rows(["#.", ".."])
    before = twin.key()
    for action in set(range(-1, 12)) - set(twin.legal()):
        with pytest.raises(ValueError, match=f"Action {action} is illegal"):
            twin.act(action)
        assert twin.key() == before


# --- The switches


def test_sideways_push_off_leaves_only_the_push_ahead() -> None:
    rows = [".#", "B.", ".."]
    assert on_sand(played(Twin.from_rows(rows), 9)) == {"left", "right"}
    assert on_sand(played(Twin.from_rows(rows, sideways_push=False), 9)) == {"left"}
    assert on_sand(played(Twin.from_rows(rows, sideways_push=False), 0)) == {"ahead", "right"}


def test_turning_out_off_leaves_only_the_slide_out() -> None:
    pocket = Twin.from_rows([".", "#"], turning_out=False)
    assert played(pocket, 0).lost
    assert [taken for taken, _ in pocket.whole_moves()] == [(1,), (5,)]


def test_push_onto_leaf_buries_the_leaf_for_good() -> None:
    rows = [".By."]
    assert "ahead" not in on_sand(played(Twin.from_rows(rows), 9))
    buried = played(Twin.from_rows(rows, push_onto_leaf=True), 9, 10)
    assert buried.leaves == {}
    assert buried.rows() == ["xMB."]
    uncovered = played(buried, 10)
    assert uncovered.leaves == {}
    assert uncovered.rows() == ["xxMB"]


def test_a_leaf_of_any_colour_can_be_buried_and_by_a_sideways_push_too() -> None:
    twin = Twin.from_rows([".#y", "B.#", "r.."], push_onto_leaf=True)
    buried = played(twin, 11, 14)
    assert buried.monk == (1, 0, SOUTH)
    assert buried.rows() == ["x#y", "M.#", "B.."]
    assert buried.leaves == {(0, 2): "y"}


def test_burying_the_last_yellow_leaf_unlocks_orange() -> None:
    twin = Twin.from_rows([".By", ".o."], push_onto_leaf=True)
    twin = played(twin, 9)
    assert 6 not in played(twin, 11).legal()
    twin = played(twin, 10)
    assert played(twin, 12).rows() == ["xxB", ".x."]


def test_push_from_perimeter_enters_by_a_push_and_stops() -> None:
    assert 7 not in Twin.from_rows(["B.."]).legal()
    twin = Twin.from_rows(["B.."], push_from_perimeter=True)
    assert twin.act(7) == 1
    assert twin.rows() == ["MB."]
    assert twin.monk == (0, 0, EAST)
    assert on_sand(twin) == {"ahead", "left", "right"}


def test_push_from_perimeter_needs_a_cell_that_takes_the_ornament() -> None:
    assert Twin.from_rows(["B#"], push_from_perimeter=True).legal() == []
    assert Twin.from_rows(["BB"], push_from_perimeter=True).legal() == []
    leaf = Twin.from_rows(["By"], push_from_perimeter=True)
    assert 5 not in leaf.legal()
    leaf = Twin.from_rows(["By"], push_from_perimeter=True, push_onto_leaf=True)
    assert played(leaf, 5).rows() == ["MB"]
    assert played(leaf, 5).leaves == {}


def test_push_from_perimeter_does_not_depend_on_sideways_push() -> None:
    twin = Twin.from_rows(["B."], push_from_perimeter=True, sideways_push=False)
    assert played(twin, 5).rows() == ["MB"]


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
def test_play_ends_solved_or_lost_and_every_whole_move_costs_one(
    board: Board, picks: list[int]
) -> None:
    twin = board.twin()
    was_on_perimeter = True
    for _, cost in random_walk(twin, picks):
        assert cost == int(was_on_perimeter)
        was_on_perimeter = twin.monk is None
    assert (twin.solved or twin.lost) == (not twin.legal())
    assert not (twin.solved and twin.lost)


@given(boards(), choices())
def test_a_copy_lives_its_own_life(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    copy = twin.copy()
    taken = [action for action, _ in random_walk(twin, picks)]
    assert copy.key() == board.twin().key()
    assert played(copy, *taken) == twin


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

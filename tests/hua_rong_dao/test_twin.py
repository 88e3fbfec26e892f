"""Tests of the twin: known facts, the paper's table, each rule, the codes, invariants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hua_rong_dao.boards import (
    Board,
    boards,
    lettered_boards,
)
from tests.hua_rong_dao.search import optimum, optimum_by_actions
from tests.hua_rong_dao.twin import (
    DOWN,
    LEFT,
    METRICS,
    RIGHT,
    STEPS,
    UP,
    Cell,
    Metric,
    Twin,
    rectangle,
)
from tests.walks import choices, marked, played, random_walk

STANDARD = ("VB*V", "^**^", "VH<V", "^SS^", "S..S")

# A 3x2 box with a bar that has to come down past two pebbles.
SMALL_ROWS, SMALL_GOAL = ("aa.", "bc."), ("a", 1, 0)

unhurried = settings(deadline=None)  # Plain Python on a busy machine.


def small(metric: Metric = "move", stride: int | None = None) -> Twin:
    """The small box."""
    return Twin.from_rows(SMALL_ROWS, metric=metric, goal=SMALL_GOAL, stride=stride)


def action(row: int, column: int, direction: int, stride: int) -> int:
    """The number of a step."""
    return (row * stride + column) * 4 + direction


def cost_of(twin: Twin, taken: Sequence[int]) -> int:
    """What the actions cost together."""
    after = twin.copy()
    return sum(after.act(each) for each in taken)


# --- The rules one by one


def test_a_step_is_numbered_by_the_upper_left_cell_and_the_direction() -> None:
    twin = Twin.from_rows(STANDARD)
    expected = [
        action(3, 1, DOWN, 4),
        action(3, 2, DOWN, 4),
        action(4, 0, RIGHT, 4),
        action(4, 3, LEFT, 4),
    ]
    assert twin.legal() == expected == [54, 58, 65, 79]
    assert played(twin, 54).rows() == ["VB*V", "^**^", "VH<V", "^.S^", "SS.S"]
    assert played(twin, 65).rows() == ["VB*V", "^**^", "VH<V", "^SS^", ".S.S"]


def test_a_wider_stride_counts_the_cells_of_the_widest_box() -> None:
    assert small().legal() == [action(0, 0, RIGHT, 3), action(1, 1, RIGHT, 3)]
    assert small(stride=8).legal() == [action(0, 0, RIGHT, 8), action(1, 1, RIGHT, 8)]


def test_a_large_block_needs_every_cell_it_newly_covers() -> None:
    half = Twin.from_rows(["B*..", "**S.", "....", "....", "...."])
    assert action(0, 0, RIGHT, 4) not in half.legal()
    assert action(0, 0, DOWN, 4) in half.legal()
    whole = Twin.from_rows(["B*.S", "**..", "....", "....", "...."])
    assert played(whole, action(0, 0, RIGHT, 4)).rows()[:2] == [".B*S", ".**."]


@pytest.mark.parametrize(
    ("metric", "costs"),
    [("move", [1, 0, 0, 1, 1]), ("straight", [1, 0, 1, 1, 1]), ("step", [1, 1, 1, 1, 1])],
)
def test_what_each_step_costs(metric: Metric, costs: list[int]) -> None:
    twin = Twin.from_rows(["a...", "...b", "...."], metric=metric, goal=("a", 2, 2))
    steps = [(0, 0, RIGHT), (0, 1, RIGHT), (0, 2, DOWN), (1, 3, DOWN), (1, 2, LEFT)]
    assert [twin.act(action(*step, 4)) for step in steps] == costs


def test_going_back_is_free_only_where_the_block_alone_counts() -> None:
    costs = []
    for metric in METRICS:
        twin = played(small(metric), action(1, 1, RIGHT, 3))
        costs.append(twin.act(action(1, 2, LEFT, 3)))
    assert costs == [0, 1, 1]


def test_another_block_of_the_same_shape_is_another_block() -> None:
    twin = Twin.from_rows(STANDARD)
    steps = [action(4, 0, RIGHT, 4), action(4, 1, RIGHT, 4), action(4, 3, UP, 4)]
    assert [twin.act(step) for step in steps[:2]] == [1, 0]
    assert steps[2] not in twin.legal()
    assert twin.act(action(3, 1, DOWN, 4)) == 1


def test_solved_is_the_goal_block_on_its_target_and_nothing_is_legal() -> None:
    twin = Twin.from_rows(["....", "....", "....", "B*..", "**.."])
    assert not twin.solved
    twin.act(action(3, 0, RIGHT, 4))
    assert twin.solved and not twin.lost
    assert twin.legal() == [] and twin.whole_moves() == []
    with pytest.raises(ValueError, match="is illegal"):
        twin.act(action(3, 1, LEFT, 4))


def test_a_goal_of_its_own() -> None:
    twin = Twin.from_rows(["ab", ".."], goal=("b", 1, 0))
    twin.act(action(0, 1, DOWN, 2))
    assert not twin.solved
    twin.act(action(1, 1, LEFT, 2))
    assert twin.solved
    assert twin.rows() == ["a.", "b."]


def test_lost_is_a_box_where_nothing_moves_and_the_goal_is_not_reached() -> None:
    full = ["aab", "ccb"]
    assert Twin.from_rows(full, goal=("a", 1, 0)).lost
    solved = Twin.from_rows(full, goal=("a", 0, 0))
    assert solved.solved and not solved.lost and solved.legal() == []


def test_an_empty_cell_that_no_block_fits_does_not_help() -> None:
    pinwheel = Twin.from_rows(["aab", "c.b", "cdd"], goal=("a", 2, 0))
    assert pinwheel.legal() == [] and pinwheel.lost
    stuck = Twin.from_rows(["aab", "ccb", "dd."], goal=("a", 1, 0))
    assert not stuck.lost and len(stuck.legal()) == 2


# --- Which positions are one


def test_blocks_of_one_shape_are_interchangeable() -> None:
    one = Twin.from_rows(["ab.", "cc."], goal=("c", 0, 0))
    other = Twin.from_rows(["ba.", "cc."], goal=("c", 0, 0))
    assert one.key() == other.key() and one.layout_key() == other.layout_key()


def test_a_shape_is_more_than_its_area() -> None:
    one = Twin.from_rows(["ab", ".b"], goal=("a", 1, 0))
    other = Twin.from_rows(["bb", "a."], goal=("a", 1, 0))
    assert one.layout_key() != other.layout_key()


def test_the_goal_block_is_told_from_others_of_its_shape() -> None:
    one = Twin.from_rows(["ab."], goal=("a", 0, 2))
    other = Twin.from_rows(["ba."], goal=("a", 0, 2))
    assert one.layout_key() != other.layout_key()


def test_the_block_that_moved_last_and_its_direction_are_part_of_the_position() -> None:
    start = Twin.from_rows(["a..", "b..", "..."], goal=("a", 2, 2))
    assert start.key()[1:] == (None, None)
    back = played(start, action(0, 0, RIGHT, 3), action(0, 1, LEFT, 3))
    assert back.layout_key() == start.layout_key()
    assert back.key()[1:] == ((0, 0), LEFT)
    other = played(start, action(1, 0, RIGHT, 3), action(1, 1, LEFT, 3))
    assert other.layout_key() == start.layout_key()
    assert other.key()[1:] == ((1, 0), LEFT)


def test_how_the_block_that_moved_last_came_there_is_not() -> None:
    start = Twin.from_rows(["a..", "..."], goal=("a", 1, 2))
    straight_on = played(start, action(0, 0, RIGHT, 3), action(0, 1, RIGHT, 3))
    steps = [(0, 0, DOWN), (1, 0, RIGHT), (1, 1, UP), (0, 1, RIGHT)]
    roundabout = played(start, *(action(*step, 3) for step in steps))
    assert straight_on.key() == roundabout.key()


# --- Whole moves


@pytest.mark.parametrize(
    ("metric", "cells"),
    [
        ("move", {(0, 1), (0, 2), (1, 2), (2, 0), (2, 1), (2, 2), (1, 0)}),
        ("straight", {(0, 1), (0, 2), (1, 0), (2, 0)}),
        ("step", {(0, 1), (1, 0)}),
    ],
)
def test_where_one_whole_move_takes_a_block(metric: Metric, cells: set[Cell]) -> None:
    twin = Twin.from_rows(["a..", ".b.", "..."], metric=metric, goal=("b", 0, 0))
    moves = [(taken, end) for taken, end in twin.whole_moves() if end.last == 0]
    assert {end.blocks[0].cells[0] for _, end in moves} == cells
    assert len(moves) == len(cells)


def test_a_whole_move_does_not_go_on_from_the_target() -> None:
    twin = Twin.from_rows(["a..."], goal=("a", 0, 2))
    assert [end.rows() for _, end in twin.whole_moves()] == [[".a.."], ["..a."]]


def test_a_solved_box_has_no_whole_moves() -> None:
    assert Twin.from_rows(["ab."], goal=("a", 0, 0)).whole_moves() == []


def test_the_eight_layouts_one_move_from_the_standard_layout() -> None:
    twin = Twin.from_rows(STANDARD)
    assert len(twin.whole_moves()) == 8
    assert len({end.layout_key() for _, end in twin.whole_moves()}) == 8


# --- What the twin offers


def test_planes_come_in_the_settled_order_and_are_padded_at_right_and_bottom() -> None:
    twin = Twin.from_rows(["aab", "..b"], goal=("a", 1, 1))
    twin.act(action(0, 0, DOWN, 3))
    planes = twin.planes(3, 5)
    assert len(planes) == 13
    assert [len(plane) for plane in planes] == [3] * 13
    assert {len(line) for plane in planes for line in plane} == {5}
    assert [marked(plane) for plane in planes] == [
        {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)},
        {(1, 0), (1, 1), (0, 2), (1, 2)},
        {(1, 0), (1, 1)},
        {(1, 1), (1, 2)},
        {(1, 2)},
        {(1, 0)},
        {(0, 2)},
        {(1, 1)},
        {(1, 0), (1, 1)},
        set(),
        set(),
        {(1, 0), (1, 1)},
        set(),
    ]


def test_each_direction_has_its_own_plane_and_at_the_start_none_is_marked() -> None:
    start = Twin.from_rows(["...", ".a.", "..."], goal=("a", 0, 0))
    assert [marked(plane) for plane in start.planes()[8:]] == [set()] * 5
    for direction in (UP, RIGHT, DOWN, LEFT):
        planes = played(start, action(1, 1, direction, 3)).planes()[8:]
        down, right = STEPS[direction]
        moved = {(1 + down, 1 + right)}
        expected = [moved if way == direction else set() for way in (UP, RIGHT, DOWN, LEFT)]
        assert [marked(plane) for plane in planes] == [moved, *expected]


# --- Invariants on random boxes


@unhurried
@given(boards(), choices())
def test_a_step_and_its_reverse_restore_the_layout(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    before = twin.copy()
    for taken, _ in random_walk(twin, picks):
        if not twin.solved:
            corner, direction = divmod(taken, 4)
            down, right = STEPS[direction]
            reverse = (corner + down * board.width + right) * 4 + (direction + 2) % 4
            back = twin.copy()
            assert back.act(reverse) == int(board.metric != "move")
            assert back.rows() == before.rows()
            assert back.layout_key() == before.layout_key()
        before = twin.copy()


@unhurried
@given(boards(), choices())
def test_costs_follow_from_the_actions_alone(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    last: tuple[int, int] | None = None
    for taken, cost in random_walk(twin, picks):
        corner, direction = divmod(taken, 4)
        goes_on = last is not None and last[0] == corner
        if board.metric == "move":
            assert cost == int(not goes_on)
        elif board.metric == "straight":
            assert cost == int(not goes_on or last != (corner, direction))
        else:
            assert cost == 1
        down, right = STEPS[direction]
        last = (corner + down * board.width + right, direction)
        assert twin.key()[1:] == (divmod(last[0], board.width), direction)


@unhurried
@given(boards(), choices())
def test_blocks_keep_their_shapes_and_never_overlap(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    pictures = sorted("".join(board.rows).replace(".", ""))
    shapes = sorted(block[2:] for block in twin.blocks)
    for _ in random_walk(twin, picks):
        assert sorted(block[2:] for block in twin.blocks) == shapes
        assert sorted("".join(twin.rows()).replace(".", "")) == pictures
        again = replace(board, rows=tuple(twin.rows())).twin()
        assert again.layout_key() == twin.layout_key()


@unhurried
@given(boards(), choices(), st.integers(0, 3), st.integers(0, 3))
def test_planes_tell_the_whole_position(
    board: Board, picks: list[int], below: int, beside: int
) -> None:
    twin = board.twin()
    for _ in random_walk(twin, picks):
        pass
    planes = [marked(plane) for plane in twin.planes(board.height + below, board.width + beside)]
    box, covered, goal, target = planes[:4]
    assert box == set(rectangle(0, 0, board.height, board.width))
    text = twin.rows()
    assert covered == {(row, column) for row, column in box if text[row][column] != "."}
    assert twin.solved == (goal == target)
    # The cells with no joined cell above or to the left are the corners; from there, follow.
    layout = set()
    for row, column in covered - planes[4] - planes[7]:
        height = width = 1
        while (row + height - 1, column) in planes[6]:
            height += 1
        while (row, column + width - 1) in planes[5]:
            width += 1
        layout.add((row, column, height, width, (row, column) in goal))
    assert layout == twin.layout_key()
    assert sum(height * width for _, _, height, width, _ in layout) == len(covered)
    _, moved, direction = twin.key()
    assert [bool(plane) for plane in planes[9:]] == [direction == way for way in range(4)]
    assert planes[8] == set().union(*planes[9:])
    assert min(planes[8], default=None) == moved


@unhurried
@given(boards(), choices())
def test_a_mirrored_box_mirrors_the_play(board: Board, picks: list[int]) -> None:
    twin, other = board.twin(), mirrored(board).twin()
    for taken, cost in random_walk(twin, picks):
        corner, direction = divmod(taken, 4)
        row, column = divmod(corner, board.width)
        assert twin.last is not None
        column = board.width - column - twin.blocks[twin.last].width
        direction = (UP, LEFT, DOWN, RIGHT)[direction]
        assert other.act(action(row, column, direction, board.width)) == cost
        assert tuple(other.rows()) == mirrored_rows(twin.rows())
        assert len(other.legal()) == len(twin.legal())
        assert (other.solved, other.lost) == (twin.solved, twin.lost)


@unhurried
@given(lettered_boards(), choices())
def test_a_transposed_box_transposes_the_play(board: Board, picks: list[int]) -> None:
    assert board.goal is not None
    letter, row, column = board.goal
    turned = replace(board, rows=transposed(board.rows), goal=(letter, column, row))
    twin, other = board.twin(), turned.twin()
    for taken, cost in random_walk(twin, picks):
        corner, direction = divmod(taken, 4)
        row, column = divmod(corner, board.width)
        assert other.act(action(column, row, 3 - direction, board.height)) == cost
        assert tuple(other.rows()) == transposed(twin.rows())
        assert len(other.legal()) == len(twin.legal())


@unhurried
@given(boards(), choices(), st.integers(0, 4))
def test_a_wider_stride_changes_only_the_numbers(
    board: Board, picks: list[int], extra: int
) -> None:
    twin, wide = board.twin(), board.twin(stride=board.width + extra)
    for taken, cost in random_walk(twin, picks):
        corner, direction = divmod(taken, 4)
        row, column = divmod(corner, board.width)
        assert wide.act(action(row, column, direction, board.width + extra)) == cost
        assert wide.key() == twin.key()


@unhurried
@given(boards(), choices())
def test_no_step_loses(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    for _ in random_walk(twin, picks):
        assert not twin.lost  # The step can be taken back, unless it solved the box.


@unhurried
@given(boards(), choices(max_size=20))
def test_whole_moves_can_be_played_and_cost_one(board: Board, picks: list[int]) -> None:
    twin = board.twin()
    for _ in random_walk(twin, picks):
        pass
    fresh = replace(board, rows=tuple(twin.rows())).twin()
    whole_moves = fresh.whole_moves()
    reached = {end.layout_key() for _, end in whole_moves}
    assert len(reached) == len(whole_moves)
    assert fresh.layout_key() not in reached
    assert {played(fresh, each).layout_key() for each in fresh.legal()} <= reached
    for taken, end in whole_moves:
        assert cost_of(fresh, taken) == 1
        assert played(fresh, *taken) == end


@unhurried
@given(lettered_boards(max_width=3, max_height=3, max_side=2))
def test_whole_moves_and_single_actions_have_one_optimum(board: Board) -> None:
    best = optimum(board.twin())
    assert best == optimum_by_actions(board.twin())
    assert best == optimum(mirrored(board).twin())


@unhurried
@given(lettered_boards(max_width=3, max_height=3, max_side=2))
def test_the_metrics_in_their_order(board: Board) -> None:
    move, straight, step = (optimum(replace(board, metric=metric).twin()) for metric in METRICS)
    if move is None or straight is None or step is None:
        assert move is straight is step is None
        return
    assert move <= straight <= step


def mirrored(board: Board) -> Board:
    """The box seen in a mirror, left and right exchanged."""
    if board.goal is None:
        return replace(board, rows=mirrored_rows(board.rows))
    letter, row, column = board.goal
    width = max(line.count(letter) for line in board.rows)
    goal = (letter, row, board.width - column - width)
    return replace(board, rows=mirrored_rows(board.rows), goal=goal)


def mirrored_rows(rows: Sequence[str]) -> tuple[str, ...]:
    """Rows of either kind of text, left and right exchanged."""
    swapped = [line[::-1] for line in rows]
    if "*" in "".join(rows):  # Blocks of the default box are drawn from the left.
        swapped = [line.replace("<H", "H<").replace("*B", "B*") for line in swapped]
    return tuple(swapped)


def transposed(rows: Sequence[str]) -> tuple[str, ...]:
    """Rows and columns exchanged."""
    return tuple("".join(line) for line in zip(*rows, strict=True))

"""Estimates against exact distances over whole graphs; mirror images; solved layouts."""

from __future__ import annotations

from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from puzzle_envs.hua_rong_dao import PUZZLE
from puzzle_envs.hua_rong_dao import estimate as module
from puzzle_envs.hua_rong_dao.generator import level_of_key
from puzzle_envs.hua_rong_dao.keys import (
    has_key,
    key_of_state,
    mirror_image,
    piece_sets,
    state_of_key,
)
from puzzle_envs.hua_rong_dao.layout import Layout, Piece
from puzzle_envs.hua_rong_dao.level import METRICS, BoxFormat, pieces_of
from puzzle_envs.hua_rong_dao.oracle import Oracle, layouts
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Record, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.verbs import NEVER, goals, predecessors
from tests.graphs import FAR, Graph, act, estimate_all, look, represent_all, small_graph
from tests.hua_rong_dao.boards import Board, boards, default_boards, lettered_boards
from tests.hua_rong_dao.test_rules import level_text
from tests.hua_rong_dao.twin import EMPTY
from tests.walks import choices


@kernel
def list_predecessors(levels: Any, state: Any, rows: Any, costs: Any) -> int:
    return predecessors(levels[0], state, rows, costs)


@kernel
def list_goals(levels: Any, rows: Any) -> int:
    return goals(levels[0], rows)


def puzzle_and_record(board: Board) -> tuple[Puzzle, Record]:
    assume(any(EMPTY in row for row in board.rows))
    puzzle = PUZZLE.configured(metric=board.metric)
    level = puzzle.format.find(level_text(board))[0]
    return puzzle, puzzle.format.fitted(level.record)


def first_state(puzzle: Puzzle, record: Record) -> Words:
    return record["start"][: puzzle.format.words(record)].copy()  # type: ignore[no-any-return]


def mirror(record: Record, state: Words) -> Words:
    """The layout seen in a mirror, block by block."""
    width = int(record["width"])
    cells = width * int(record["height"])
    bits, turned = int.from_bytes(state.tobytes(), "little"), 0
    for shape in range(int(record["shapes"])):
        for cell in range(cells):
            if bits >> shape * cells + cell & 1:
                row, column = divmod(cell, width)
                column = width - column - int(record["widths"][shape])
                turned |= 1 << shape * cells + row * width + column
    return np.frombuffer(turned.to_bytes(8 * state.size, "little"), np.uint64).copy()


def small_boards() -> st.SearchStrategy[Board]:
    return lettered_boards(max_width=4, max_height=4, max_side=2)


def walked(puzzle: Puzzle, record: Record, picks: list[int]) -> Words:
    """A state in the midst of play, where going on with the last block may be free."""
    state = first_state(puzzle, record)
    for pick in picks:
        act(np.array([record]), state, pick % (4 * int(record["width"] * record["height"])))
    return state


@given(small_boards(), choices(max_size=30))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_plain_is_a_lower_bound(board: Board, picks: list[int]) -> None:
    puzzle, record = puzzle_and_record(board)
    graph = small_graph(puzzle, record, walked(puzzle, record, picks))
    graph.assert_lower_bound(puzzle.findings(record))
    with patch.object(module, "MOST_PATTERNS", 0):
        graph.assert_lower_bound(puzzle.findings(record, "plain"))


@pytest.mark.parametrize("metric", METRICS)
def test_plain_sees_more_than_the_way_of_the_goal_block(metric: str) -> None:
    puzzle = PUZZLE.configured(metric=metric)
    level = puzzle.format.find("classics/1")[0]
    state = first_state(puzzle, level.record)[None]
    found = np.empty(1, np.int64)
    estimate_all(np.array([level.record]), puzzle.findings(level.record), state, found)
    assert found[0] == {"move": 15, "straight": 19, "step": 21}[metric]
    with patch.object(module, "MOST_PATTERNS", 0):
        estimate_all(np.array([level.record]), puzzle.findings(level.record), state, found)
    assert found[0] == 5  # three rows down, and two blocks in its goal


def test_plain_proves_that_a_block_is_stuck() -> None:
    """Two cells wide with one cell empty, it goes nowhere down."""
    puzzle = PUZZLE.configured(metric="move")
    record = puzzle.format.find("; goal: a 2 1\naa.\nbcd\n")[0].record
    graph = Graph(puzzle, record)
    assert (graph.distances == FAR).all()
    assert (graph.estimates(puzzle.findings(record)) >= NEVER).all()
    with patch.object(module, "MOST_PATTERNS", 0):
        assert (graph.estimates(puzzle.findings(record)) >= NEVER).all()


@pytest.mark.parametrize("metric", METRICS)
def test_the_oracle_is_exact(metric: str) -> None:
    """On all that can be reached from layouts of random piece sets, solvable or not."""
    random, puzzle = np.random.default_rng(11), PUZZLE.configured(metric=metric)
    choices = [pieces for pieces in piece_sets() if 0 < layouts(pieces).size < 3000]
    for index in range(25):
        keys = layouts(choices[random.integers(len(choices))])
        level = level_of_key(int(keys[random.integers(keys.size)]), Oracle(metric))
        findings = puzzle.findings(level.record, "oracle")
        state = first_state(puzzle, level.record)
        if index % 2:
            state = state_of_key(
                level.record,
                int(mirror_image(key_of_state(level.record, state.tolist()))),
                state.size,
            )
        graph = Graph(puzzle, level.record, state)
        found = graph.estimates(findings)
        np.testing.assert_array_equal(np.minimum(found, NEVER), np.minimum(graph.distances, NEVER))


@given(default_boards(), choices(max_size=30))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_the_oracle_is_a_lower_bound_in_the_midst_of_play(board: Board, picks: list[int]) -> None:
    puzzle, record = puzzle_and_record(board)
    assume(has_key(record))
    findings = puzzle.findings(record, "oracle")
    small_graph(puzzle, record, walked(puzzle, record, picks)).assert_lower_bound(findings)


def test_the_oracle_refuses_other_boxes() -> None:
    format = BoxFormat()
    other_box = format.find("; goal: a 2 3\naa..\naa..\nbc..\n")[0].record
    other_goal = format.pack(Layout(4, 5, [Piece(0, 0, 2, 2, goal=True)], (3, 0)))
    two_goals = format.pack(Layout(4, 5, [Piece(0, 0, 2, 2, goal=True), Piece(0, 2, 2, 2)], (3, 1)))
    for record in (other_box, other_goal, two_goals):
        with pytest.raises(ValueError, match="use the estimate 'plain'"):
            PUZZLE.findings(record, "oracle")


def test_findings_of_the_same_pieces_are_kept() -> None:
    one, same = (BoxFormat().find(f"classics/{number}")[0].record for number in (1, 2))
    other = BoxFormat("step").find("classics/1")[0].record
    assert PUZZLE.findings(one, "oracle") is PUZZLE.findings(same, "oracle")
    assert PUZZLE.findings(one, "oracle") is not PUZZLE.findings(other, "oracle")


# --- mirror images ----------------------------------------------------------------------------


@given(small_boards())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_a_representative_stands_for_both_images(board: Board) -> None:
    puzzle, record = puzzle_and_record(board)
    graph = small_graph(puzzle, record)
    findings = puzzle.findings(record)
    chosen = graph.states.copy()
    represent_all(graph.levels, findings, chosen)
    again = chosen.copy()
    represent_all(graph.levels, findings, again)
    np.testing.assert_array_equal(again, chosen)
    images = np.array([mirror(record, state) for state in graph.states])
    assert ((chosen == graph.states).all(1) | (chosen == images).all(1)).all()
    if _is_its_own_image(record):
        represent_all(graph.levels, findings, images)
        np.testing.assert_array_equal(images, chosen)
        _assert_same_distances(puzzle, record, graph, chosen)
    else:
        np.testing.assert_array_equal(chosen, graph.states)


@given(boards())
@settings(max_examples=300, deadline=None)
def test_mirror_images_share_their_representative(board: Board) -> None:
    """In boxes of any size, whose shapes take more than a word."""
    puzzle, record = puzzle_and_record(board)
    state = first_state(puzzle, record)
    images = np.array([state, mirror(record, state)])
    if _is_its_own_image(record):
        expected = images.copy()
        represent_all(np.array([record]), np.empty(0, np.uint64), images)
        np.testing.assert_array_equal(images[0], images[1])
        assert (images[0] == expected).all(1).any()


def _is_its_own_image(record: Record) -> bool:
    column = int(record["goal_cell"]) % int(record["width"])
    return 2 * column + int(record["widths"][record["goal_shape"]]) == int(record["width"])


def _assert_same_distances(puzzle: Puzzle, record: Record, graph: Graph, chosen: Words) -> None:
    """What stands for a state is as far from the goal, be it in this part of the graph or not."""
    known = _distances(graph)
    for state in chosen:
        if state.tobytes() not in known:
            known.update(_distances(Graph(puzzle, record, state)))
    found = [known[state.tobytes()] for state in chosen]
    np.testing.assert_array_equal(found, graph.distances)


def _distances(graph: Graph) -> dict[bytes, int]:
    keys = (state.tobytes() for state in graph.states)
    return dict(zip(keys, graph.distances.tolist(), strict=True))


def test_a_state_in_the_midst_of_play_stands_for_itself() -> None:
    """Its free moves are not those of its mirror image."""
    record = BoxFormat().find("classics/1")[0].record
    state = first_state(PUZZLE, record)
    findings = PUZZLE.findings(record)
    assert act(np.array([record]), state, 4 * 13 + 2) == 1  # a 1x1 goes down, the other does not
    changed = [state.copy(), mirror(record, state)]
    changed[1][-1] |= state[-1] >> np.uint64(55) << np.uint64(55)
    for one in changed:
        before = one.copy()
        represent_all(np.array([record]), findings, one[None])
        np.testing.assert_array_equal(one, before)


# --- going back -------------------------------------------------------------------------------


@given(small_boards())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_every_move_can_be_undone_at_the_same_cost(board: Board) -> None:
    assert PUZZLE.reversible
    graph = small_graph(*puzzle_and_record(board))
    moves = {tuple(edge) for edge in graph.edges.tolist()}
    for here, there, cost in moves:
        assert graph.distances[there] == 0 or (there, here, cost) in moves


def test_no_move_goes_past_the_goal() -> None:
    """A solved box is left alone, so the goal piece stops there; straight on, too."""
    puzzle = PUZZLE.configured(metric="straight")
    graph = Graph(puzzle, puzzle.format.find("; goal: a 1 2\na...\n")[0].record)
    assert graph.distances.tolist() == [1, 0]


@given(small_boards())
@settings(max_examples=200, deadline=None)
def test_goals_are_all_solved_layouts(board: Board) -> None:
    puzzle, record = puzzle_and_record(board)
    expected = _solved_layouts(record, puzzle.format.words(record))
    rows = np.full((len(expected) + 3, puzzle.format.words(record)), 7, np.uint64)
    count = list_goals(np.array([record]), rows)
    assert count == len(expected)
    assert {row.tobytes() for row in rows[:count]} == expected
    flags = np.empty(count, np.bool_)
    look(np.array([record]), rows[:count], flags, np.empty_like(flags))
    assert flags.all()
    if expected:
        assert list_goals(np.array([record]), rows[: count - 1]) == -1
    assert list_goals(np.array([record]), rows[:count]) == count


def _solved_layouts(record: Record, words: int) -> set[bytes]:
    """Shape by shape, each block at every cell behind the one before it."""
    width, height = int(record["width"]), int(record["height"])
    goal = int(record["goal_shape"])
    pieces = sorted((piece.kind, piece.width, piece.height) for piece in pieces_of(record))
    kinds = sorted({kind for kind, _, _ in pieces})
    previous = {(0, 0): -1}  # the bits of the state and the cells covered: the last block's cell
    last_kind = None
    for kind, wide, high in pieces:
        shape = kinds.index(kind)
        following: dict[tuple[int, int], int] = {}
        for (bits, covered), before in previous.items():
            for row, column in product(range(height - high + 1), range(width - wide + 1)):
                cell = row * width + column
                if shape == goal and cell != int(record["goal_cell"]):
                    continue
                if kind == last_kind and cell <= before:
                    continue
                under = sum(1 << cell + width * y + x for y in range(high) for x in range(wide))
                if covered & under == 0:
                    placed = bits | 1 << shape * width * height + cell
                    following[placed, covered | under] = cell
        previous, last_kind = following, kind
    return {bits.to_bytes(8 * words, "little") for bits, _ in previous}


def test_goals_of_the_box_of_4_by_5_are_those_of_the_oracle() -> None:
    oracle = Oracle()
    for number in (1, 5, 12):
        record = BoxFormat().find(f"classics/{number}")[0].record
        words = BoxFormat().words(record)
        rows = np.empty((200_000, words), np.uint64)
        count = list_goals(np.array([record]), rows)
        keys = {key_of_state(record, row.tolist()) for row in rows[:count]}
        assert len(keys) == count > 0
        for key in list(keys)[:200]:
            assert oracle.optimum(key) == 0
            assert int(mirror_image(key)) in keys


@given(small_boards())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_predecessors_are_whole_moves_backwards(board: Board) -> None:
    graph = small_graph(*puzzle_and_record(board))
    numbers = {state.tobytes(): number for number, state in enumerate(graph.states)}
    forwards = {(here, there) for here, there, _ in graph.edges.tolist()}
    backwards = set()
    rows, costs = np.empty((256, graph.states.shape[1]), np.uint64), np.empty(256, np.int64)
    for there, state in enumerate(graph.states):
        count = list_predecessors(graph.levels, state, rows, costs)
        assert (costs[:count] == 1).all()
        found = {numbers.get(row.tobytes(), -1) for row in rows[:count]}
        backwards |= {(here, there) for here in found if here >= 0 and not graph.solved[here]}
    first = graph.states[0].tobytes()
    assert {edge for edge in forwards if graph.states[edge[0]].tobytes() != first} == {
        edge for edge in backwards if graph.states[edge[0]].tobytes() != first
    }

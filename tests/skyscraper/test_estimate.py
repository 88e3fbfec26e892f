"""Estimates against the exact number of writes over whole graphs, and what they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from puzzle_envs.level import Record, Words
from puzzle_envs.skyscraper import PUZZLE
from puzzle_envs.verbs import NEVER
from tests.graphs import Graph, act, begin, estimate_all, list_moves, look
from tests.skyscraper.boards import Board, boards, squares
from tests.skyscraper.test_exact import clues_of
from tests.skyscraper.twin import latin_squares
from tests.walks import choices

FAR = 2**40
"""The writes left where no decision leads to a solution."""

ESTIMATES = ("propagation", "look-ahead", "plain")


def fitted(board: Board) -> Record:
    return PUZZLE.format.fitted(PUZZLE.format.find(board.text)[0].record)


def first_state(record: Record) -> Words:
    state = np.empty(PUZZLE.format.words(record), np.uint64)
    begin(np.array([record]), state)
    return state


@pytest.fixture(autouse=True, scope="module")
def rules() -> None:
    PUZZLE.load_rules()


@given(boards(max_size=4))
@settings(max_examples=150, deadline=None)
def test_estimates_of_fresh_grids_are_lower_bounds(board: Board) -> None:
    record = fitted(board)
    graph = Graph(PUZZLE, record, first_state(record))
    for name in ESTIMATES:
        graph.assert_lower_bound(PUZZLE.findings(record, name))


@given(boards(max_size=4), choices())
@settings(max_examples=150, deadline=None)
def test_so_are_those_of_grids_that_a_player_has_begun(board: Board, picks: list[int]) -> None:
    """What a player wrote may be kept for nothing, or is in the way."""
    record = fitted(board)
    state = first_state(record)
    for pick in picks:
        act(np.array([record]), state, pick % board.size**3)
    graph = Graph(PUZZLE, record, state)
    for name in ESTIMATES:
        graph.assert_lower_bound(PUZZLE.findings(record, name))


@given(boards(max_size=4))
@settings(max_examples=150, deadline=None)
def test_findings_keep_every_solution(board: Board) -> None:
    """And each of them leaves no more than the one before."""
    record = fitted(board)
    plain, propagation, ahead = (
        PUZZLE.findings(record, name) for name in ("plain", "propagation", "look-ahead")
    )
    assert (propagation & ~plain == 0).all()
    assert (ahead & ~propagation == 0).all()
    state, levels = np.empty(PUZZLE.format.words(record), np.uint64), np.array([record])
    for square in latin_squares(board.size):
        begin(levels, state)
        for cell, height in enumerate(np.ravel(square).tolist()):
            act(levels, state, cell * board.size + height - 1)
        flags = np.empty(1, np.bool_)
        look(levels, state[None], flags, np.empty_like(flags))
        if flags[0]:
            heights = np.uint64(1) << _heights(state, board.size)
            assert (ahead & heights == heights).all()


def _heights(state: Words, size: int) -> Words:
    cells = np.arange(size * size)
    return state[cells // 16] >> (4 * (cells % 16)).astype(np.uint64) & np.uint64(15)


@given(squares(6))
@settings(max_examples=100, deadline=None)
def test_a_solution_is_not_ruled_out_on_the_way(square: tuple[tuple[int, ...], ...]) -> None:
    """Larger grids with all clues, decided cell by cell as one of their solutions says."""
    text = " ".join(map(str, clues_of(square)))
    record = PUZZLE.format.fitted(PUZZLE.format.find(text)[0].record)
    levels, state, found = np.array([record]), first_state(record), np.empty(1, np.int64)
    rows, costs = np.empty((16, state.size), np.uint64), np.empty(16, np.int64)
    findings = [PUZZLE.findings(record, name) for name in ESTIMATES]
    for left in range(36, 0, -1):
        for one in findings:
            estimate_all(levels, one, state[None], found)
            assert found[0] == left
        count = list_moves(levels, state, rows, costs)
        cell, height = 36 - left, np.ravel(square)[36 - left]
        (state,) = (row.copy() for row in rows[:count] if _heights(row, 6)[cell] == height)


def test_consequences_leave_one_way_through_an_easy_grid() -> None:
    """All decisions but the right one are proved wrong at once."""
    record = PUZZLE.format.fitted(PUZZLE.format.find("6x6/easy-1")[0].record)
    levels, state = np.array([record]), first_state(record)
    rows, costs = np.empty((16, state.size), np.uint64), np.empty(16, np.int64)
    found = np.empty(16, np.int64)
    for _ in range(int(record["free"])):
        count = list_moves(levels, state, rows, costs)
        estimate_all(levels, PUZZLE.findings(record), rows[:count], found)
        (only,) = np.flatnonzero(found[:count] < NEVER)
        state = rows[only].copy()
    assert list_moves(levels, state, rows, costs) == 0


@pytest.mark.parametrize(
    ("clues", "first"),
    [
        ("2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", {1, 2, 3}),  # two are seen, so not the tallest first
        ("4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", {1}),
        ("0 0 0 0 4 0 0 0 0 0 0 0 0 0 0 0", {4}),
        ("0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0", {1, 2}),
        ("0 0 0 0 0 0 0 0 2 0 0 0 3 0 0 0", {1, 2, 3}),  # 1423, 2413, 3421 and the like
        ("0 0 0 0 0 0 0 0 3 0 0 0 2 0 0 0", {1, 2}),
        ("0 0 0 0 0 0 0 0 2 0 0 0 1 0 0 0", {3}),  # the tallest is last, so all else is hidden
    ],
)
def test_clues_rule_out_heights_of_the_first_cell(clues: str, first: set[int]) -> None:
    """Without anything found out beforehand."""
    record = PUZZLE.format.fitted(PUZZLE.format.find(clues)[0].record)
    levels, state = np.array([record]), first_state(record)
    rows, costs = np.empty((16, state.size), np.uint64), np.empty(16, np.int64)
    count = list_moves(levels, state, rows, costs)
    found = np.empty(count, np.int64)
    estimate_all(levels, PUZZLE.findings(record, "plain"), rows[:count], found)
    assert {int(row[0] & np.uint64(15)) for row in rows[:count][found < NEVER]} == first

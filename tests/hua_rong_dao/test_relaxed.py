"""Relaxed plans of boxes: what they prove is true, on whole graphs; a twin; the atoms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from puzzle_envs.hua_rong_dao import PUZZLE
from puzzle_envs.hua_rong_dao.level import pieces_of
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Record, Words
from puzzle_envs.verbs import NEVER, atoms, heuristic
from tests.graphs import small_graph
from tests.hua_rong_dao.boards import Board
from tests.hua_rong_dao.test_estimate import puzzle_and_record, small_boards

WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@kernel
def guess_all(levels: Any, findings: Any, states: Any, found: Any) -> None:
    for index in range(states.shape[0]):
        found[index] = heuristic(levels[0], findings, states[index])


@kernel
def list_atoms(levels: Any, state: Any, planes: Any, found: Any) -> int:
    return atoms(levels[0], state, planes, found)


def guesses(record: Record, states: Words, name: str = "relaxed") -> np.ndarray:
    found = np.empty(len(states), np.int64)
    guess_all(np.array([record]), PUZZLE.heuristic_findings(record, name), states, found)
    return found


def places_in(record: Record, state: Words) -> dict[int, set[tuple[int, int]]]:
    """The places of the blocks of each shape, from the bits of a state."""
    width, height = int(record["width"]), int(record["height"])
    bits = int.from_bytes(state.tobytes(), "little")
    return {
        shape: {
            divmod(cell, width)
            for cell in range(width * height)
            if bits >> shape * width * height + cell & 1
        }
        for shape in range(int(record["shapes"]))
    }


def relaxed_twin(record: Record, state: Words) -> tuple[int, int] | None:
    """Layers until the goal block is at its goal, and the steps taken by then; None: never.

    Nothing is deleted: cells stay empty, and blocks of a shape stay at all places that they reach.
    """
    width, height = int(record["width"]), int(record["height"])
    sizes = [(int(record["heights"][s]), int(record["widths"][s])) for s in range(record["shapes"])]
    box = {(row, column) for row in range(height) for column in range(width)}
    goal = divmod(int(record["goal_cell"]), width)

    def cells(shape: int, place: tuple[int, int]) -> set[tuple[int, int]]:
        return {
            (place[0] + row, place[1] + column)
            for row in range(sizes[shape][0])
            for column in range(sizes[shape][1])
        }

    places = places_in(record, state)
    empty = box - {cell for shape, of in places.items() for one in of for cell in cells(shape, one)}
    taken: set[tuple[int, tuple[int, int], int]] = set()
    layers = 0
    while goal not in places[int(record["goal_shape"])]:
        steps = set()
        for shape, of in places.items():
            for place in of:
                for way, (down, right) in enumerate(WAYS):
                    there = place[0] + down, place[1] + right
                    fresh = cells(shape, there) - cells(shape, place)
                    if fresh <= empty:
                        steps.add((shape, place, way))
        if steps <= taken:
            return None
        taken |= steps
        for shape, place, way in steps:
            there = place[0] + WAYS[way][0], place[1] + WAYS[way][1]
            places[shape] = places[shape] | {there}
            empty |= cells(shape, place) - cells(shape, there)
        layers += 1
    return layers, len(taken)


@settings(deadline=None)
@given(small_boards())
def test_relaxed_plans_against_whole_graphs_and_a_twin(board: Board) -> None:
    puzzle, record = puzzle_and_record(board)
    graph = small_graph(puzzle, record)
    found = guesses(record, graph.states)
    assert (found[graph.solvable] < NEVER).all()
    assert ((found == 0) == graph.solved).all()
    for index in range(0, len(graph.states), 1 + len(graph.states) // 20):
        twin = relaxed_twin(record, graph.states[index])
        if twin is None:
            assert found[index] >= NEVER
        else:
            layers, steps = twin  # each layer is reached by at least one step of the plan
            assert layers <= found[index] <= steps


@pytest.mark.parametrize(
    ("rows", "steps"),
    [
        ("B.\n", 1),
        ("B..\n", 2),
        ("Ba..\n", 4),  # the other steps once: cells that were empty stay empty
        ("Ba.\n..b\n", 3),  # it steps aside, or on
        ("B.aaa\n", NEVER),
    ],
)
def test_plans_by_hand(rows: str, steps: int) -> None:
    lines = rows.splitlines()
    text = f"; goal: B 1 {len(lines[0])}\n{rows}"
    record = PUZZLE.format.fitted(PUZZLE.format.find(text)[0].record)
    state = record["start"][: PUZZLE.format.words(record)]
    assert guesses(record, state[None])[0] == steps


def test_the_default_is_a_pattern_database_where_there_is_one() -> None:
    for name, other in (
        ("classics/1", "plain"),
        ("test/6x6/1", "plain"),
        ("test/8x8/1", "relaxed"),
    ):
        record = PUZZLE.format.find(name)[0].record
        usual, named = (PUZZLE.heuristic_findings(record, one) for one in (None, other))
        assert (usual == named).all()


@pytest.mark.parametrize("name", ["classics/1", "test/6x7/1", "test/8x8/2"])
def test_atoms_are_the_shapes_and_places_of_blocks(name: str) -> None:
    record = PUZZLE.format.find(name)[0].record
    state = record["start"][: PUZZLE.format.words(record)]
    found = np.zeros(64, np.int64)
    count = list_atoms(np.array([record]), state, np.zeros((2, 0), np.int8), found)
    cells = int(record["width"] * record["height"])
    expected = [
        shape * cells + row * int(record["width"]) + column
        for shape, of in places_in(record, state).items()
        for row, column in of
    ]
    assert found[:count].tolist() == sorted(expected)
    assert count == len(pieces_of(record))

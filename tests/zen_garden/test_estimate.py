"""The estimate, the proofs that a garden is lost, and mirror images, against exact distances."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from puzzle_envs.states.paths import beginning
from puzzle_envs.verbs import NEVER
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.symmetry import IMAGES, symmetries_of
from tests.graphs import Graph, estimate_all, represent_all
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.test_rules import level_text


def check(text: str, most: int = 1 << 15) -> None:
    """Nothing that the verbs say of any state is wrong."""
    record = PUZZLE.format.find(text)[0].record
    findings = PUZZLE.findings(record)
    try:
        graph = Graph(PUZZLE, record, most=most)
    except OverflowError:
        event("too many states")
        return
    graph.assert_lower_bound(findings, consistent="B" not in text)
    assert (graph.estimates(findings)[graph.solved] == 0).all()
    images = graph.representatives(findings)
    again = images.copy()
    represent_all(graph.levels, findings, again)
    assert (again == images).all(), f"a representative is represented by another:\n{text}"
    numbers = {state.tobytes(): number for number, state in enumerate(graph.states)}
    for number, image in enumerate(images):
        there = numbers.get(image.tobytes(), number)  # a mirror image may be out of reach
        assert graph.distances[there] == graph.distances[number], text


def drawings(width: int, height: int, characters: str) -> Iterator[str]:
    """Every board of a size."""
    for cells in product(characters, repeat=width * height):
        board = "".join(cells)
        if "." in board:
            rows = [board[start : start + width] for start in range(0, width * height, width)]
            yield "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("width", "height", "characters"),
    [(3, 3, ".#"), (4, 3, ".#"), (2, 5, ".#"), (3, 3, ".B"), (2, 2, ".#Byor"), (4, 1, ".#Byor")],
)
def test_every_small_board(width: int, height: int, characters: str) -> None:
    for text in drawings(width, height, characters):
        check(text)


@given(boards(max_width=4, max_height=4))
@settings(max_examples=300, deadline=None)
def test_any_small_board(board: Board) -> None:
    check(level_text(board.rows, board.switches))


@given(boards(max_width=4, max_height=4), st.integers(0, 12), st.integers(0, 12), st.data())
@settings(max_examples=100, deadline=None)
def test_a_small_garden_in_a_large_board(
    board: Board, left: int, top: int, data: st.DataObject
) -> None:
    """Cells of several words, and a place at the edge or far from it."""
    width = data.draw(st.integers(board.width + left, 16), label="width")
    height = data.draw(st.integers(board.height + top, 16), label="height")
    rows = ["#" * width] * top
    rows += ["#" * left + row + "#" * (width - left - board.width) for row in board.rows]
    rows += ["#" * width] * (height - top - board.height)
    check(level_text(rows, board.switches), most=1 << 13)


@pytest.mark.parametrize(
    "text",
    [
        "....\n.#.#\n#...\n",
        "...#\n#.#.\n....\n",
        "..#.\n.##.\n..#.\n",
        "..##\n.##.\n#...\n",
    ],
)
def test_proofs_that_need_more_than_a_glance(text: str) -> None:
    """What `hopeless` does not see: sides that imply each other, and balances of colours."""
    record = PUZZLE.format.find(text)[0].record
    graph = Graph(PUZZLE, record)
    assert graph.estimates(PUZZLE.findings(record))[0] >= NEVER
    assert not graph.hopeless[0]


@pytest.mark.parametrize(
    ("name", "least"),
    [("rocks/15", 4), ("rocks/18", 4), ("ornaments/16", 3), ("large/2", 4), ("first-steps/2", 3)],
)
def test_estimates_of_bundled_gardens(name: str, least: int) -> None:
    record = PUZZLE.format.find(name)[0].record
    levels, found = np.array([record]), np.empty(1, np.int64)
    estimate_all(levels, PUZZLE.findings(record), beginning(PUZZLE, levels)[None], found)
    assert found[0] == least


@pytest.mark.parametrize(
    ("text", "symmetries"),
    [
        ("...\n...\n...\n", 7),
        ("....\n....\n", 3),
        ("#..\n...\n...\n", 1),
        ("..#.\n#...\n...#\n.#..\n", 3),
        ("#..\n..y\n...\n", 0),
        (".B.\n...\n...\n", 1),
        ("...\no.o\n...\n", 3),
    ],
)
def test_symmetries_of_a_level(text: str, symmetries: int) -> None:
    record = PUZZLE.format.find(text)[0].record
    assert PUZZLE.findings(record)[IMAGES] == symmetries


@pytest.mark.parametrize(
    "text",
    [
        "....\n....\n....\n....\n",
        ".....\n.....\n..#..\n.....\n",
        "..#.\n#...\n...#\n.#..\n",
        "....\n.BB.\n....\n",
        "...\n.o.\n.y.\n.o.\n",
    ],
)
def test_images_share_a_representative(text: str) -> None:
    """As many classes of states as the symmetries of the board, applied one by one, make."""
    record = PUZZLE.format.find(text)[0].record
    levels, findings = np.array([record]), PUZZLE.findings(record)
    images = symmetries_of(record)
    words = 2 if record["has_ornaments"] else 1

    def moved(state: np.ndarray, image: list[int]) -> tuple[int, ...]:
        boards = state.tolist()[:words]
        return tuple(
            sum(1 << goal for cell, goal in enumerate(image) if bits >> cell & 1) for bits in boards
        )

    graph = Graph(PUZZLE, record)
    for state, stands_for in zip(graph.states, graph.representatives(findings), strict=True):
        of_images = {moved(state, image) for image in images} | {tuple(state.tolist()[:words])}
        assert tuple(stands_for.tolist()[:words]) in of_images
        others = np.repeat(state[None], len(of_images), axis=0)
        others[:, :words] = list(of_images)
        represent_all(levels, findings, others)
        assert (others == stands_for).all()

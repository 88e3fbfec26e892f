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
from puzzle_envs.zen_garden.estimate import IMAGES, symmetries_of
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.distances import FAR, Verdicts, estimate_of, represent, verdicts
from tests.zen_garden.test_rules import level_text


def assert_true(said: Verdicts, text: str) -> None:
    """Nothing that the verbs say of any state is wrong."""
    solvable = said.distances < FAR
    assert not (said.lost & solvable).any(), f"a solvable garden is called hopeless:\n{text}"
    wrong = np.minimum(said.estimates, FAR) > said.distances
    assert not wrong.any(), f"{said.states[wrong][:1]} takes fewer moves than estimated:\n{text}"
    assert not (said.estimates >= NEVER)[solvable].any()
    assert (said.estimates[said.distances == 0] == 0).all()
    kept = said.images >= 0  # a mirror image may be out of reach
    assert not (said.images == -2).any(), f"a representative is represented by another:\n{text}"
    assert (said.images == said.distances)[kept].all(), f"an image is nearer or farther:\n{text}"


def assert_consistent(said: Verdicts, text: str) -> None:
    """No move lowers the estimate by more than it costs."""
    assert (said.drops <= 0).all(), f"a move lowers the estimate by more than its cost:\n{text}"


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
        said = verdicts(text)
        assert said is not None
        assert_true(said, text)
        if "B" not in text:
            assert_consistent(said, text)


@given(boards(max_width=4, max_height=4))
@settings(max_examples=300, deadline=None)
def test_any_small_board(board: Board) -> None:
    text = level_text(board.rows, board.switches)
    said = verdicts(text)
    if said is None:
        event("too many states")
        return
    assert_true(said, text)
    if not any("B" in row for row in board.rows):
        assert_consistent(said, text)


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
    text = level_text(rows, board.switches)
    said = verdicts(text, room=1 << 14)
    if said is not None:
        assert_true(said, text)


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
    said = verdicts(text)
    assert said is not None
    assert said.estimates[0] >= NEVER
    assert not said.lost[0]


@pytest.mark.parametrize(
    ("name", "least"),
    [("rocks/15", 4), ("rocks/18", 4), ("ornaments/16", 3), ("large/2", 4), ("first-steps/2", 3)],
)
def test_estimates_of_bundled_gardens(name: str, least: int) -> None:
    level = PUZZLE.format.find(name)[0]
    levels = np.array([level.record])
    state = beginning(PUZZLE, levels)
    assert estimate_of(levels, PUZZLE.findings(level.record), state) == least


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
    said = verdicts(text)
    assert said is not None
    record = PUZZLE.format.find(text)[0].record
    levels, findings = np.array([record]), PUZZLE.findings(record)
    images = symmetries_of(record)
    words = 2 if record["has_ornaments"] else 1

    def moved(state: np.ndarray, image: list[int]) -> tuple[int, ...]:
        boards = state.tolist()[:words]
        return tuple(
            sum(1 << goal for cell, goal in enumerate(image) if bits >> cell & 1) for bits in boards
        )

    for state in said.states:
        stands_for = state.copy()
        represent(levels, findings, stands_for)
        of_images = {moved(state, image) for image in images} | {tuple(state.tolist()[:words])}
        assert tuple(stands_for.tolist()[:words]) in of_images
        for image in of_images:
            other = state.copy()
            other[:words] = image
            represent(levels, findings, other)
            assert (other == stands_for).all()

"""The estimate, the proofs that a garden is lost, and mirror images, against exact distances."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import event, given, settings

from puzzle_envs.verbs import NEVER
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.estimate import IMAGES
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.distances import FAR, Verdicts, verdicts
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


def drawings(width: int, height: int, characters: str) -> Iterator[str]:
    """Every board of a size, one of each eight that are mirror images of another."""
    for cells in product(characters, repeat=width * height):
        board = "".join(cells)
        if "." in board:
            rows = [board[start : start + width] for start in range(0, width * height, width)]
            yield "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("width", "height", "characters"),
    [(3, 3, ".#"), (4, 3, ".#"), (2, 5, ".#"), (3, 3, ".B"), (3, 2, ".#Byor"), (5, 1, ".#Byor")],
)
def test_every_small_board(width: int, height: int, characters: str) -> None:
    for text in drawings(width, height, characters):
        said = verdicts(text)
        assert said is not None
        assert_true(said, text)


@given(boards(max_width=4, max_height=4))
@settings(max_examples=300, deadline=None)
def test_any_small_board(board: Board) -> None:
    text = level_text(board.rows, board.switches)
    said = verdicts(text)
    if said is None:
        event("too many states")
        return
    assert_true(said, text)

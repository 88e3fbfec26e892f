"""What the plain-Python twins of the puzzles have in common."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hua_rong_dao import boards as boxes
from tests.skyscraper import boards as grids
from tests.walks import choices, played, random_walk
from tests.zen_garden import boards as gardens

BOARDS: dict[str, st.SearchStrategy[Any]] = {
    "gardens": gardens.boards(),
    "boxes": boxes.boards(),
    "grids": grids.boards(),
}


@pytest.mark.parametrize("boards", BOARDS.values(), ids=BOARDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data(), picks=choices())
def test_copies_ends_and_illegal_actions(
    boards: st.SearchStrategy[Any], data: st.DataObject, picks: list[int]
) -> None:
    board = data.draw(boards)
    twin = board.twin()
    copy = twin.copy()
    taken = [action for action, _ in random_walk(twin, picks)]
    assert copy == board.twin() and copy.key() == board.twin().key()
    assert played(copy, *taken) == twin
    assert (twin.solved or twin.lost) == (not twin.legal())
    assert not (twin.solved and twin.lost)
    before = twin.key()
    for illegal in set(range(-1, 70)) - set(twin.legal()):
        with pytest.raises(ValueError, match=f"Action {illegal} is illegal"):
            twin.act(illegal)
    assert twin.key() == before

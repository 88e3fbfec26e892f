"""Symmetric views of boards, and boards in the corner of larger rooms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_agents.environments import puzzle_of
from puzzle_envs.codec import Shape, View
from puzzle_envs.episodes.batch import Batch
from puzzle_envs.kwirk.sides import Grid, grid_of, mirrored, text_of, turned
from puzzle_envs.level import LevelError
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.symmetry import Symmetry, symmetries
from tests.kwirk.boards import boards

unhurried = settings(deadline=None)  # Batches are compiled on first use.
GARDENS, FLOORS, KEYS = map(puzzle_of, ("ZenGarden-v0", "Kwirk-v0", "KwirkSteps-v0"))
IN_ROOMS = [
    ("ZenGarden-v0", "test/4x4/1", "test/6x6/1"),
    ("HuaRongDao-v0", "test/1-10/1", "test/6x7/1"),
    ("Kwirk-v0", "test/7-9/1", "test/10-19/1"),
    ("KwirkSteps-v0", "test/7-9/1", "test/10-19/1"),
    ("Skyscraper-v0", "test/4x4/1", "test/6x6/1"),
]
"""A level, and one of the size of the room."""


def transformed(rows: Grid, one: Symmetry) -> Grid:
    """A floor as a symmetry shows it."""
    rows = mirrored(turned(rows)) if one.turned else rows
    rows = turned(turned(mirrored(rows))) if one.upside else rows
    return mirrored(rows) if one.mirrored else rows


def check_walk(
    puzzle: Puzzle, texts: tuple[str, str], room: Shape | None, view: View, data: st.DataObject
) -> None:
    """A board and the transformed one look as the view says after each step."""
    board, other = (Batch(puzzle, puzzle.format.find(text), 1, room=room) for text in texts)
    frame, seen = board.begin_all(0), other.begin_all(0)
    for _ in range(20):
        assert np.array_equal(frame.planes.ravel()[view.planes], seen.planes.ravel())
        assert np.array_equal(frame.masks[0], seen.masks[0][view.actions])
        legal = np.flatnonzero(frame.masks[0])
        if legal.size == 0 or frame.outcomes["solved"][0]:
            return
        action = data.draw(st.sampled_from(legal.tolist()))
        frame = board.advance(np.array([action]))
        seen = other.advance(np.array([view.actions[action]]))


def in_view(
    puzzle: Puzzle, shape: Shape, room: Shape | None, data: st.DataObject
) -> tuple[Symmetry, View]:
    """Any of the views of a board, in the corner of a room if there is one."""
    both = list(zip(symmetries(*shape[1:]), puzzle.codec.views(shape), strict=True))
    one, view = data.draw(st.sampled_from(both))
    return one, view.within(room, shape, puzzle.codec) if room else view


@unhurried
@given(st.data())
def test_a_view_is_the_transformed_garden(data: st.DataObject) -> None:
    rows = st.text(".....#y", min_size=4, max_size=4).map(list)
    board = np.array(data.draw(st.lists(rows, min_size=4, max_size=4)))
    room = data.draw(st.sampled_from((None, Shape(25, 5, 6), Shape(23, 4, 6))))
    one, view = in_view(GARDENS, Shape(19, 4, 4), room, data)
    other = board.T if one.turned else board
    other = other[::-1] if one.upside else other
    other = other[:, ::-1] if one.mirrored else other
    first, second = ("\n".join("".join(row) for row in garden) for garden in (board, other))
    try:
        check_walk(GARDENS, (first, second), room, view, data)
    except LevelError:  # no sand
        return


@unhurried
@given(boards(max_width=7, max_height=7), st.sampled_from((FLOORS, KEYS)), st.data())
def test_a_view_is_the_transformed_floor(text: str, puzzle: Puzzle, data: st.DataObject) -> None:
    record = puzzle.format.find(text)[0].record
    shape = puzzle.format.shape(record)
    actions = 8 * 9 * 10 if puzzle is FLOORS else shape.actions
    room = data.draw(st.sampled_from((None, Shape(actions, 9, 10))))
    one, view = in_view(puzzle, shape, room, data)
    other = text_of(transformed(grid_of(record), one))
    check_walk(puzzle, (text, other), room, view, data)


def test_squares_have_eight_symmetries_and_other_rectangles_four() -> None:
    for height, width, count in ((3, 3, 8), (2, 3, 4)):
        found = {tuple(one.cells(height, width)) for one in symmetries(height, width)}
        assert len(found) == count
        assert not any(symmetries(height, width)[0])


@pytest.mark.parametrize(("id", "name", "larger"), IN_ROOMS)
def test_actions_have_the_numbers_of_the_room(id: str, name: str, larger: str) -> None:
    """Legal actions come in the same order, and do the same."""
    puzzle, random = puzzle_of(id), np.random.default_rng(0)
    level, large = puzzle.format.find_all((name, larger))
    room = puzzle.format.joint_shape([puzzle.format.shape(one.record) for one in (level, large)])
    own, wide = Batch(puzzle, [level], 1), Batch(puzzle, [level], 1, room=room)
    assert own.shape != wide.shape
    numbers = puzzle.codec.numbers_in(room, own.shape)
    frame, other = own.begin_all(0), wide.begin_all(0)
    for _ in range(12):
        legal = np.flatnonzero(frame.masks[0])
        assert np.array_equal(numbers[legal], np.flatnonzero(other.masks[0]))
        if legal.size == 0:
            break
        action = random.choice(legal)
        frame = own.advance(np.array([action]))
        other = wide.advance(np.array([numbers[action]]))
        assert np.array_equal(own.state(0).words, wide.state(0).words[: own.words])

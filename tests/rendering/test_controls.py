"""Keys and the pointer: every legal action can be played with either alone."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
import pytest

from puzzle_agents.environments import make_env
from puzzle_agents.player.game import Game
from puzzle_envs.level import LevelLike
from puzzle_envs.rendering.controls import (
    ARROWS,
    ActionList,
    Answer,
    Board,
    Controls,
    Cursor,
    Point,
)

LEVELS = [
    ("ZenGarden-v0", "ornaments/2"),
    ("HuaRongDao-v0", "classics/1"),
    ("Kwirk-v0", "easy/3"),
    ("Kwirk-v0", "two/2"),
    ("KwirkSteps-v0", "two/1"),
    ("Skyscraper-v0", "4x4/easy-1"),
    ("SlidingTiles-v0", "123/456/7.8"),
]
KEYS = (*ARROWS, "tab", "return", *"123456789abc")
FRACTIONS = (0.25, 0.75)


def controls_for(game: Game) -> Controls:
    format = game.env.puzzle.format
    return game.env.puzzle.controls(format.shape(game.env.level.record))


def walked(id: str, level: LevelLike, count: int) -> list[Board]:
    """Boards on a random way through a level."""
    random = np.random.default_rng(1)
    game = Game(make_env(id, level))
    boards = [game.now.board]
    for _ in range(count):
        legal = np.flatnonzero(game.now.board.legal)
        if not len(legal):
            break
        game.play(int(random.choice(legal)))
        boards.append(game.now.board)
    return [board for board in boards if board.legal.any()]


def first_actions(board: Board, answer: Answer) -> set[int]:
    first = answer.actions[:1]
    return {action for action in first if board.legal[action]}


def by_keys(controls: Controls, board: Board) -> set[int]:
    """What keys can play, however long the cursor has to travel."""
    begin = controls.begin(board)
    reached: set[Cursor] = {begin}
    waiting, found = deque([begin]), set[int]()
    while waiting:
        cursor = waiting.popleft()
        for key in KEYS:
            answer = controls.press(board, cursor, key)
            if answer is None:
                continue
            if answer.actions:
                found |= first_actions(board, answer)
            elif answer.cursor not in reached:
                reached.add(answer.cursor)
                waiting.append(answer.cursor)
    return found


def by_pointer(controls: Controls, board: Board) -> set[int]:
    """What clicks, drags and buttons can play."""
    height, width = board.planes.shape[1:]
    cells = [(row, column) for row in range(-1, height + 1) for column in range(-1, width + 1)]
    places = [Point(c + x, r + y) for r, c in cells for x in FRACTIONS for y in FRACTIONS]
    cursors, found = {controls.begin(board)}, set[int]()
    for _ in range(2):
        for cursor in list(cursors):
            found |= {choice.action for choice in controls.choices(board, cursor)}
            for place in places:
                answer = controls.click(board, cursor, place)
                cursors.add(answer.cursor)
                found |= first_actions(board, answer)
        if len(cursors) > 40:
            break
    cursor = controls.begin(board)
    for row, column in cells:
        start = Point(column + 0.5, row + 0.5)
        for across, down in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            end = Point(start.x + across, start.y + down)
            for dropped in (False, True):
                answer = controls.drag(board, cursor, start, end, dropped=dropped)
                found |= first_actions(board, answer)
    for cursor in cursors:
        found |= {choice.action for choice in controls.choices(board, cursor)}
    return {action for action in found if board.legal[action]}


@pytest.mark.parametrize(("id", "level"), LEVELS)
def test_every_legal_action_has_keys_and_gestures(id: str, level: str) -> None:
    controls = controls_for(Game(make_env(id, level)))
    for board in walked(id, level, 2):
        legal = set(np.flatnonzero(board.legal).tolist())
        assert by_keys(controls, board) == legal
        missing = legal - by_pointer(controls, board)
        assert not missing, f"no gesture plays {missing}"


@pytest.mark.parametrize(("id", "level"), LEVELS)
def test_every_legal_action_can_be_marked(id: str, level: str) -> None:
    controls = controls_for(Game(make_env(id, level)))
    if isinstance(controls, ActionList):
        pytest.skip("A list of actions marks nothing.")
    for board in walked(id, level, 6):
        height, width = board.planes.shape[1:]
        for action in np.flatnonzero(board.legal).tolist():
            mark = controls.action_mark(board, action)
            assert mark is not None
            assert -1 <= mark.row <= height and -1 <= mark.column <= width
        assert controls.cursor_mark(board, controls.begin(board)) is None or board.legal.any()


def test_a_block_follows_the_pointer() -> None:
    game = Game(make_env("HuaRongDao-v0", "test/1-10/3"))
    controls = controls_for(game)
    answer = controls.drag(game.now.board, (0, 0), Point(1.5, 0.5), Point(0.8, 0.5), dropped=False)
    assert len(answer.actions) == 1 and answer.grip == Point(0.5, 0.5)
    assert game.play(answer.actions[0])
    again = controls.drag(
        game.now.board, answer.cursor, Point(0.5, 0.5), Point(0.8, 0.5), dropped=False
    )
    assert not again.actions, "less than half a cell moves nothing"


def test_a_monk_is_not_turned_back() -> None:
    game = Game(make_env("ZenGarden-v0", "rocks/3"))
    controls = controls_for(game)
    board = game.now.board
    entered = controls.click(board, controls.begin(board), Point(0.5, -0.5))
    assert game.play(entered.actions[0])
    assert game.now.info["moves"] == 1
    assert game.now.board.planes[9, 1, 0], "he stands before the rock, heading south"
    back = controls.press(game.now.board, entered.cursor, "up")
    assert back is not None and not back.actions and "back" in back.sentence


def test_the_path_goes_around_the_garden() -> None:
    game = Game(make_env("ZenGarden-v0", "rocks/1"))
    controls, board = controls_for(game), game.now.board
    height, width = board.planes.shape[1:]
    way = [(height, 0)]
    for key in ("left", *["up"] * height, *["right"] * width, *["down"] * height):
        answer = controls.press(board, way[-1], key)
        assert answer is not None
        way.append(answer.cursor)  # type: ignore[arg-type]
    assert all(one != other for one, other in pairwise(way))
    assert way[-1] == (height, width - 1)


def test_heights_that_are_refused() -> None:
    game = Game(make_env("Skyscraper-v0", "4x4/easy-1"))
    controls, board = controls_for(game), game.now.board
    given = tuple(int(place) for place in np.argwhere(board.planes[1])[0])
    for key, word in (("9", "1 to 4"), ("0", "erased"), ("1", "given")):
        answer = controls.press(board, given, key)
        assert answer is not None and word in answer.sentence
        assert not first_actions(board, answer)


def test_a_drag_into_a_wall_says_so() -> None:
    game = Game(make_env("HuaRongDao-v0", "classics/1"))
    controls = controls_for(game)
    answer = controls.drag(game.now.board, (0, 0), Point(0.5, 0.5), Point(-0.9, 0.5), dropped=True)
    assert not answer.actions and "room" in answer.sentence

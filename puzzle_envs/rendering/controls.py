"""How a person plays: what keys and the pointer mean on a board.

A puzzle that wants more than a list of its legal actions has a module `controls` with a function
`controls(format)`. Controls are pure: they are told of the board and the player's cursor, and give
back another cursor and actions to try. They know no window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.picture import Planes

__all__ = [
    "ARROWS",
    "ActionList",
    "Answer",
    "Board",
    "Choice",
    "Controls",
    "Cursor",
    "Mark",
    "Point",
]

ARROWS = ("up", "right", "down", "left")
"""The names of the arrow keys, in the order in which directions are counted."""
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Rows and columns to the next cell in each direction."""

Cursor = tuple[int, ...]
"""What a player has chosen; each puzzle's controls know what the numbers mean."""


class Board(NamedTuple):
    """What controls know of the game."""

    planes: Planes
    """The observation."""
    legal: NDArray[np.bool_]
    """The legal actions."""
    words: Sequence[int] = ()
    """The state."""


class Point(NamedTuple):
    """A place on a board, in cells to the right of its upper left corner and below it."""

    x: float
    y: float

    @property
    def cell(self) -> tuple[int, int]:
        """The row and the column of the cell that it lies in, on the board or not."""
        return math.floor(self.y), math.floor(self.x)

    def direction_to(self, other: Point) -> int:
        """The direction in which the other point lies, more than in any other."""
        right, down = other.x - self.x, other.y - self.y
        if abs(right) > abs(down):
            return 1 if right > 0 else 3
        return 2 if down > 0 else 0


@dataclass(frozen=True)
class Mark:
    """Cells of a board to be marked, and which way something goes from there."""

    row: int
    column: int
    height: int = 1
    width: int = 1
    heading: int | None = None
    label: str = ""

    @property
    def centre(self) -> Point:
        """Its middle."""
        return Point(self.column + self.width / 2, self.row + self.height / 2)


class Answer(NamedTuple):
    """What comes of a key or of the pointer."""

    cursor: Cursor
    actions: tuple[int, ...] = ()
    """To be played one after the other, as far as they are legal."""
    sentence: str = ""
    """What to say to the player if no action is played."""
    grip: Point | None = None
    """Where the pointer now holds what it drags, if that has moved along."""


class Choice(NamedTuple):
    """An action offered as a button."""

    label: str
    action: int


class Controls(Protocol):
    """What keys and the pointer mean in one puzzle."""

    @property
    def keys(self) -> Mapping[str, str]:
        """What each key does, for people."""

    @property
    def pointer(self) -> Mapping[str, str]:
        """What each gesture does, for people."""

    def begin(self, board: Board) -> Cursor:
        """Where the cursor is at first."""

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """What a key does; None where it is not one of theirs."""

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """What a click does."""

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """What dragging does: asked on the way, and once more when the button is let go."""

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """What the cursor is on."""

    def action_mark(self, board: Board, action: int) -> Mark | None:
        """Where an action takes place."""

    def choices(self, board: Board, cursor: Cursor) -> Sequence[Choice]:
        """Actions to be offered as buttons."""


class ActionList:
    """The legal actions in a row: arrows choose one, Enter plays it."""

    keys = {"Left, Right": "choose an action", "Enter": "play it"}
    pointer = {"button": "play an action", "click left or right": "choose another"}

    OFFERED = 5
    """How many actions around the chosen one are buttons."""

    def __init__(self, name: Callable[[int], str]) -> None:
        """Call each action as it is called for people."""
        self._name = name

    def begin(self, board: Board) -> Cursor:
        """The first."""
        return (0,)

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """As the keys say."""
        legal = np.flatnonzero(board.legal)
        if key in ("left", "up"):
            return Answer(self._moved(board, cursor, -1))
        if key in ("right", "down"):
            return Answer(self._moved(board, cursor, 1))
        if key in ("return", "space") and len(legal):
            return Answer(cursor, (int(legal[self._place(board, cursor)]),))
        return None

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """The left half of the board goes back, the right half on."""
        middle = board.planes.shape[2] / 2
        return Answer(self._moved(board, cursor, -1 if point.x < middle else 1))

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """Nothing."""
        return Answer(cursor)

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """Nobody knows where these actions take place."""
        return None

    def action_mark(self, board: Board, action: int) -> Mark | None:
        """Nobody knows."""
        return None

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """The chosen action, and those that follow."""
        legal = np.flatnonzero(board.legal).tolist()
        place = self._place(board, cursor)
        offered = (legal[place:] + legal[:place])[: self.OFFERED]
        return [Choice(self._name(one), one) for one in offered]

    @staticmethod
    def _place(board: Board, cursor: Cursor) -> int:
        return cursor[0] % max(1, int(board.legal.sum()))

    def _moved(self, board: Board, cursor: Cursor, by: int) -> Cursor:
        return ((self._place(board, cursor) + by) % max(1, int(board.legal.sum())),)

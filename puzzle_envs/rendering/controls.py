"""Controls: what keys and the pointer mean on a board.

A puzzle that needs more than a list of its legal actions has a module `controls` with a function
`controls(format)`. Controls are pure functions of the board and the player's cursor; they return a
new cursor and actions to try, and know nothing of windows.
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
"""Names of the arrow keys, in the order of directions."""
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Row and column offsets of each direction."""

Cursor = tuple[int, ...]
"""The player's selection; its meaning is private to each puzzle's controls."""


class Board(NamedTuple):
    """What controls see of the game."""

    planes: Planes
    """The observation planes."""
    legal: NDArray[np.bool_]
    """Mask of the legal actions."""
    words: Sequence[int] = ()
    """The state's words."""


class Point(NamedTuple):
    """A position on a board, in cells right of and below its upper left corner."""

    x: float
    y: float

    @property
    def cell(self) -> tuple[int, int]:
        """Row and column of the cell at this point, which may be off the board."""
        return math.floor(self.y), math.floor(self.x)

    def direction_to(self, other: Point) -> int:
        """The main direction to another point."""
        right, down = other.x - self.x, other.y - self.y
        if abs(right) > abs(down):
            return 1 if right > 0 else 3
        return 2 if down > 0 else 0


@dataclass(frozen=True)
class Mark:
    """Cells to highlight, and an optional direction."""

    row: int
    column: int
    height: int = 1
    width: int = 1
    heading: int | None = None
    label: str = ""

    @property
    def centre(self) -> Point:
        """The centre of the cells."""
        return Point(self.column + self.width / 2, self.row + self.height / 2)


class Answer(NamedTuple):
    """The response to a key or the pointer."""

    cursor: Cursor
    actions: tuple[int, ...] = ()
    """Actions to play in order, while they are legal."""
    sentence: str = ""
    """Message to show if no action is played."""
    grip: Point | None = None
    """New position of the dragged object, if it has moved."""


class Choice(NamedTuple):
    """An action offered as a button."""

    label: str
    action: int


class Controls(Protocol):
    """The controls of a puzzle."""

    @property
    def keys(self) -> Mapping[str, str]:
        """Descriptions of the keys."""

    @property
    def pointer(self) -> Mapping[str, str]:
        """Descriptions of the gestures."""

    def begin(self, board: Board) -> Cursor:
        """The initial cursor."""

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """Handle a key; None if it is not used."""

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Handle a click."""

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """Handle dragging: called on every move, and when the button is released."""

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """Where the cursor is."""

    def action_mark(self, board: Board, action: int) -> Mark | None:
        """Where an action takes place."""

    def choices(self, board: Board, cursor: Cursor) -> Sequence[Choice]:
        """Actions to offer as buttons."""


class ActionList:
    """Default controls: a list of legal actions, scrolled by arrows; Enter plays the first."""

    keys = {"Left, Right": "scroll the list of actions", "Enter": "play the first of them"}
    pointer = {"button": "play this action", "click left or right": "scroll the list"}

    OFFERED = 5
    """Number of buttons around the selected action."""

    def __init__(self, name: Callable[[int], str]) -> None:
        """Set the names of actions."""
        self._name = name

    def begin(self, board: Board) -> Cursor:
        """Select the first action."""
        return (0,)

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """Handle a key."""
        legal = np.flatnonzero(board.legal)
        if key in ("left", "up"):
            return Answer(self._moved(board, cursor, -1))
        if key in ("right", "down"):
            return Answer(self._moved(board, cursor, 1))
        if key in ("return", "space") and len(legal):
            return Answer(cursor, (int(legal[self._place(board, cursor)]),))
        return None

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Select the previous or next action: left or right half of the board."""
        middle = board.planes.shape[2] / 2
        return Answer(self._moved(board, cursor, -1 if point.x < middle else 1))

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """Ignore dragging."""
        return Answer(cursor)

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """Return None: the place of an action is unknown."""
        return None

    def action_mark(self, board: Board, action: int) -> Mark | None:
        """Return None: the place of an action is unknown."""
        return None

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """The selected action and those that follow it."""
        legal = np.flatnonzero(board.legal).tolist()
        place = self._place(board, cursor)
        offered = (legal[place:] + legal[:place])[: self.OFFERED]
        return [Choice(self._name(one), one) for one in offered]

    @staticmethod
    def _place(board: Board, cursor: Cursor) -> int:
        return cursor[0] % max(1, int(board.legal.sum()))

    def _moved(self, board: Board, cursor: Cursor, by: int) -> Cursor:
        return ((self._place(board, cursor) + by) % max(1, int(board.legal.sum())),)

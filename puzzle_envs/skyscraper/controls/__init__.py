"""The controls of Skyscraper: select a cell, type a height."""

from __future__ import annotations

from puzzle_envs.level import LevelFormat
from puzzle_envs.rendering.controls import (
    ARROWS,
    STEPS,
    Answer,
    Board,
    Choice,
    Cursor,
    Mark,
    Point,
)
from puzzle_envs.skyscraper.codec import GIVEN, GRID, HEIGHTS, place_and_height, writing

__all__ = ["GridControls", "controls"]

DIGITS = ".123456789abcdefg"
"""Keys of the heights; the letters are 10 to 16, as in level files."""


def controls(format: LevelFormat) -> GridControls:
    """The controls of a grid."""
    return GridControls()


class GridControls:
    """The cursor is the selected cell: its row and column."""

    keys = {
        "arrow keys": "select a cell",
        "1 to 9, a to g": "set this height (a to g: 10 to 16)",
    }
    pointer = {"click on a cell": "select it", "button": "set this height"}

    def begin(self, board: Board) -> Cursor:
        """Select the first writable cell."""
        size = _size(board)
        free = [(row, column) for row in range(size) for column in range(size)]
        return next((cell for cell in free if not board.planes[GIVEN][cell]), (0, 0))

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """Handle a key."""
        if key in ARROWS:
            rows, columns = STEPS[ARROWS.index(key)]
            size = _size(board)
            return Answer(((cursor[0] + rows) % size, (cursor[1] + columns) % size))
        if key in ("0", "delete"):
            return Answer(cursor, sentence="A height can be overwritten, but not erased.")
        if key not in DIGITS or key == ".":
            return None
        height = DIGITS.index(key)
        if height > _size(board):
            return Answer(cursor, sentence=f"Heights range from 1 to {_size(board)}.")
        return Answer(cursor, (_action(board, cursor, height),), _refusal(board, cursor, height))

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Select a cell."""
        row, column = point.cell
        size = _size(board)
        inside = 0 <= row < size and 0 <= column < size
        return Answer((row, column) if inside else cursor)

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """Handle the end of the drag as a click."""
        return self.click(board, cursor, end)

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark:
        """The selected cell."""
        return Mark(cursor[0], cursor[1])

    def action_mark(self, board: Board, action: int) -> Mark:
        """The cell and the height."""
        largest = board.planes.shape[1]
        place, height = place_and_height(largest, action)
        row, column = divmod(place, largest)
        return Mark(row, column, label=str(height + 1))

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """The heights for the selected cell."""
        if board.planes[GIVEN][cursor]:
            return []
        heights = range(1, _size(board) + 1)
        return [Choice(str(height), _action(board, cursor, height)) for height in heights]


def _size(board: Board) -> int:
    return int(board.planes[GRID, 0].sum())


def _action(board: Board, cursor: Cursor, height: int) -> int:
    largest: int = board.planes.shape[1]
    return writing(largest, cursor[0] * largest + cursor[1], height)


def _refusal(board: Board, cursor: Cursor, height: int) -> str:
    """The reason why a height is illegal."""
    if board.planes[GIVEN][cursor]:
        return "This height is given."
    if board.planes[HEIGHTS + height - 1][cursor]:
        return f"It is {height} already."
    return "This height is not possible here."

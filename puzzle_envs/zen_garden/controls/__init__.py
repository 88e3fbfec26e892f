"""The controls of Zen Puzzle Garden: a place to enter from, then turns on the sand."""

from __future__ import annotations

import numpy as np

from puzzle_envs.level import LevelFormat
from puzzle_envs.rendering.controls import ARROWS, Answer, Board, Choice, Cursor, Mark, Point
from puzzle_envs.zen_garden.codec import (
    CHOICES,
    GARDEN,
    MONK,
    TURNS,
    Cell,
    choice_of,
    choosing,
    faces_of,
)
from puzzle_envs.zen_garden.picture.scene import beyond

NOT_IN = "He cannot enter there."
TURNING_BACK = "He cannot turn back."
BLOCKED = "He cannot go that way."


def controls(format: LevelFormat) -> GardenControls:
    """The controls of a garden."""
    return GardenControls()


class GardenControls:
    """The cursor is the cell of the path to enter from: its row and column."""

    keys = {
        "arrow keys": "on the path: move or enter; on the sand: turn or push ahead",
        "Enter": "enter from the selected place",
    }
    pointer = {
        "click on the path or the edge": "enter the garden there",
        "click beside the monk": "turn there or push ahead",
    }

    def begin(self, board: Board) -> Cursor:
        """Start at the lower left corner, where the monk waits."""
        height, _ = _size(board)
        return (height, 0)

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """Handle a key."""
        doors = _doors(board)
        place = (cursor[0], cursor[1])
        if key in ("return", "space"):
            if _monk(board) is not None:
                return Answer(cursor, sentence="On the sand, turn him with the arrow keys.")
            return _entering(board, doors, place)
        if key not in ARROWS:
            return None
        way = ARROWS.index(key)
        if _monk(board) is not None:
            return _turning(board, cursor, way)
        if doors[place][1] == way:
            return _entering(board, doors, place)
        return Answer(_along_the_path(doors, place, way))

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Enter there, or turn towards the point."""
        standing = _monk(board)
        if standing is not None:
            monk, _ = standing
            centre = Point(monk[1] + 0.5, monk[0] + 0.5)
            if point.cell == monk:
                return Answer(cursor, sentence="Click beside the monk to turn him.")
            return _turning(board, cursor, centre.direction_to(point))
        doors = _doors(board)
        place = point.cell if point.cell in doors else _before_the_edge(board, point)
        if place not in doors:
            return Answer(cursor, sentence="Click on the path around the garden to enter there.")
        return _entering(board, doors, place)

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """Handle the start of the drag as a click."""
        return self.click(board, cursor, start) if dropped else Answer(cursor)

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """The place on the path, while the monk is there."""
        if _monk(board) is not None:
            return None
        place = (cursor[0], cursor[1])
        return Mark(*place, heading=_doors(board)[place][1])

    def action_mark(self, board: Board, action: int) -> Mark:
        """The place to enter from, or the direction of a turn."""
        standing = _monk(board)
        if standing is None:
            face = faces_of(*_size(board))[action]
            return Mark(*face.before, heading=face.heading)
        cell, heading = standing
        return Mark(*cell, heading=(heading + TURNS[choice_of(_faces(board), action)]) % 4)

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """Return no buttons: every action can be played on the board."""
        return []


def _size(board: Board) -> tuple[int, int]:
    garden = board.planes[GARDEN]
    return int(garden[:, 0].sum()), int(garden[0].sum())


def _monk(board: Board) -> tuple[Cell, int] | None:
    """The monk's cell and heading on the sand; None on the path."""
    standing = np.argwhere(board.planes[MONK:])
    if not len(standing):
        return None
    heading, row, column = (int(number) for number in standing[0])
    return (row, column), heading


def _faces(board: Board) -> int:
    """How many faces the actions before the choices on sand are for."""
    return board.legal.size - len(CHOICES)


def _doors(board: Board) -> dict[Cell, tuple[int, int]]:
    """The cells of the path at a face, each with the face and the heading inward."""
    faces = faces_of(*_size(board))
    return {face.before: (action, face.heading) for action, face in enumerate(faces)}


def _entering(board: Board, doors: dict[Cell, tuple[int, int]], place: Cell) -> Answer:
    face, heading = doors[place]
    return Answer(_way_out(board, place, heading), (face,), NOT_IN)


def _turning(board: Board, cursor: Cursor, way: int) -> Answer:
    """Turn on the sand to an absolute direction."""
    standing = _monk(board)
    assert standing is not None
    cell, heading = standing
    turn = (way - heading + 1) % 4 - 1
    if turn not in TURNS:
        return Answer(cursor, sentence=TURNING_BACK)
    action = choosing(_faces(board), TURNS.index(turn))
    sentence = "There is nothing to push ahead of him." if turn == 0 else BLOCKED
    return Answer(_way_out(board, cell, way), (action,), sentence)


def _way_out(board: Board, cell: Cell, heading: int) -> Cell:
    """The cell of the path reached if nothing stops him."""
    height, width = _size(board)
    cell = beyond(cell, heading)
    while 0 <= cell[0] < height and 0 <= cell[1] < width:
        cell = beyond(cell, heading)
    return cell


def _along_the_path(doors: dict[Cell, tuple[int, int]], place: Cell, way: int) -> Cell:
    """The next cell of the path in a direction, around a corner too."""
    following = beyond(place, way)
    if following in doors:
        return following
    around = beyond(following, doors[place][1])
    return around if around in doors else place


def _before_the_edge(board: Board, point: Point) -> Cell:
    """The cell of the path nearest to a point in a cell at the garden's edge."""
    row, column = point.cell
    height, width = _size(board)
    down, right = point.y - row, point.x - column
    beside = [
        (down, (-1, column), row == 0),
        (1 - down, (height, column), row == height - 1),
        (right, (row, -1), column == 0),
        (1 - right, (row, width), column == width - 1),
    ]
    near = [(distance, cell) for distance, cell, is_edge in beside if is_edge]
    return min(near)[1] if near else (row, column)

"""The game's own keys."""

from __future__ import annotations

from puzzle_envs.kwirk.codec import SWITCH
from puzzle_envs.kwirk.picture.scene import places_of_characters
from puzzle_envs.rendering.controls import ARROWS, Answer, Board, Choice, Cursor, Mark, Point

__all__ = ["StepControls"]

IN_THE_WAY = "There is no way through."
ALONE = "Nobody else is here."


class StepControls:
    """There is no cursor: the active character is where the player is."""

    keys = {"arrow keys": "walk and push", "Tab": "change the character"}
    pointer = {
        "click beside the character": "walk and push there",
        "click on another character": "change to that one",
    }

    def begin(self, board: Board) -> Cursor:
        """Nothing."""
        return ()

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """As the keys say."""
        if key in ARROWS:
            return Answer(cursor, (ARROWS.index(key),), IN_THE_WAY)
        return Answer(cursor, (SWITCH,), ALONE) if key in ("tab", "space") else None

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Walk towards the point, or change the character."""
        places = places_of_characters(board.planes)
        if point.cell in places:
            return Answer(cursor, (SWITCH,) * places.index(point.cell))
        if not places:
            return Answer(cursor)
        row, column = places[0]
        way = Point(column + 0.5, row + 0.5).direction_to(point)
        return Answer(cursor, (way,), IN_THE_WAY)

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """A step the way that it goes."""
        return Answer(cursor, (start.direction_to(end),) if dropped else (), IN_THE_WAY)

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """The active one, where there are several."""
        places = places_of_characters(board.planes)
        return Mark(*places[0]) if len(places) > 1 else None

    def action_mark(self, board: Board, action: int) -> Mark | None:
        """Who acts, and which way; of a change, who comes next."""
        places = places_of_characters(board.planes)
        if not places:
            return None
        if action == SWITCH:
            return Mark(*places[1 % len(places)], label="Tab")
        return Mark(*places[0], heading=action)

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """None: everything has its place on the board."""
        return []

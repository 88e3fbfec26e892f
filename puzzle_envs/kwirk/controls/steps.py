"""Controls by the original game's keys."""

from __future__ import annotations

from puzzle_envs.kwirk.codec import SWITCH
from puzzle_envs.kwirk.picture.scene import places_of_characters
from puzzle_envs.rendering.controls import ARROWS, Answer, Board, Choice, Cursor, Mark, Point

IN_THE_WAY = "The way is blocked."
ALONE = "There is no other character."


class StepControls:
    """There is no cursor: the active character is controlled directly."""

    keys = {"arrow keys": "walk and push", "Tab": "switch characters"}
    pointer = {
        "click beside the character": "walk and push there",
        "click on another character": "switch to it",
    }

    def begin(self, board: Board) -> Cursor:
        """There is no cursor."""
        return ()

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """Handle a key."""
        if key in ARROWS:
            return Answer(cursor, (ARROWS.index(key),), IN_THE_WAY)
        return Answer(cursor, (SWITCH,), ALONE) if key in ("tab", "space") else None

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Walk towards the point, or switch characters."""
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
        """Step in the direction of the drag."""
        return Answer(cursor, (start.direction_to(end),) if dropped else (), IN_THE_WAY)

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """The active character, if there are several."""
        places = places_of_characters(board.planes)
        return Mark(*places[0]) if len(places) > 1 else None

    def action_mark(self, board: Board, action: int) -> Mark | None:
        """The acting character and its direction; for a switch, the next character."""
        places = places_of_characters(board.planes)
        if not places:
            return None
        if action == SWITCH:
            return Mark(*places[1 % len(places)], label="Tab")
        return Mark(*places[0], heading=action)

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """Return no buttons: every action can be played on the board."""
        return []

"""Controls by pushes: walking is implied."""

from __future__ import annotations

from puzzle_envs.codec import at_cell, cell_and_way
from puzzle_envs.kwirk.codec import (
    ARM,
    BLOCK,
    CHARACTER,
    EXIT,
    GROUND,
    STEPS,
    aside_of,
    aside_to,
    is_push,
)
from puzzle_envs.kwirk.level import ACTIVE_SHIFT, CELLS, PLACE_BITS
from puzzle_envs.kwirk.picture.scene import (
    Place,
    Scene,
    beyond,
    board_of,
    places_of_characters,
)
from puzzle_envs.rendering.board import Rectangle
from puzzle_envs.rendering.controls import ARROWS, Answer, Board, Choice, Cursor, Mark, Point

WITH_HIM = -1
"""Instead of a row: the cursor is at its character's place."""
ACTIVE = -1
"""Instead of a character: the active one."""
NO_PUSH = "Nothing can be pushed that way."
NO_WALK = "No character can walk there."


class PushControls:
    """The cursor is the cell to push from and the character that pushes: three numbers.

    Walking is free, so it only moves the cursor; the character follows with the push.
    """

    keys = {
        "arrow keys": "walk (a frame shows where to) and push obstacles",
        "Tab": "select another character",
        "Enter": "with several characters: walk to the frame without pushing",
    }
    pointer = {
        "drag a block or an arm": "push it that way",
        "click on a block or an arm": "push it away from its nearest edge",
        "click on the exit": "walk out",
        "click on a character": "select it",
        "click on the floor": "walk there",
    }

    def begin(self, board: Board) -> Cursor:
        """Start at the active character."""
        return (WITH_HIM, 0, ACTIVE)

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """Handle a key."""
        standing = _characters(board)
        if not standing:
            return None
        who, place = _cursor_of(board, cursor)
        if key in ARROWS:
            return self._walk(board, cursor, ARROWS.index(key))
        if key in ("tab", "space"):
            numbers = [number for number, _ in standing]
            following = numbers[(numbers.index(who) + 1) % len(numbers)]
            alone = "There is no other character." if len(numbers) == 1 else ""
            return Answer((WITH_HIM, 0, following), sentence=alone)
        if key == "return":
            return _aside(board, who, place)
        return None

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Push, leave by the exit, select a character, or walk."""
        scene, cell = _scene(board), point.cell
        standing = _characters(board)
        if not standing:
            return Answer(cursor)
        if scene.holds(cell, EXIT):
            return _walk_out(board, cursor, cell)
        body = _body_at(scene, cell)
        if body is not None:
            return _poke(board, body, cell, point)
        for number, place in standing:
            if place == cell:
                return Answer((WITH_HIM, 0, number))
        who, _ = _cursor_of(board, cursor)
        if len(standing) > 1:
            return _aside(board, who, cell)
        reached = cell in _reach(board, who)
        return Answer((*cell, who) if reached else cursor, sentence="" if reached else NO_WALK)

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """Push what was grabbed; if it was floor, push from there."""
        if not dropped:
            return Answer(cursor)
        way = start.direction_to(end)
        body = _body_at(_scene(board), start.cell)
        if body is not None:
            return _push(board, body, start.cell, way)
        action = _action(board, start.cell, way)
        for number, place in _characters(board):
            if place == start.cell and not _is_legal(board, action):
                return _aside(board, number, end.cell)
        return Answer(_settled(cursor), () if action is None else (action,), NO_PUSH)

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """The cell to push from."""
        standing = _characters(board)
        if not standing:
            return None
        who, place = _cursor_of(board, cursor)
        return Mark(*place) if len(standing) > 1 or place != dict(standing)[who] else None

    def action_mark(self, board: Board, action: int) -> Mark:
        """The cell to push from and the direction, or the cell to walk to."""
        height, width = board.planes.shape[1:]
        if is_push(height * width, action):
            cell, way = cell_and_way(action)
            row, column = divmod(cell, width)
            return Mark(row, column, heading=way)
        who, cell = aside_of(height * width, action)
        row, column = divmod(cell, width)
        return Mark(row, column, label=str(who + 1))

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """Return no buttons: every action can be played on the board."""
        return []

    @staticmethod
    def _walk(board: Board, cursor: Cursor, way: int) -> Answer:
        """Push from the cursor, or move it."""
        who, place = _cursor_of(board, cursor)
        action = _action(board, place, way)
        if _is_legal(board, action):
            assert action is not None
            return Answer((WITH_HIM, 0, ACTIVE), (action,))
        there = beyond(place, way)
        if there in _reach(board, who):
            return Answer((*there, who))
        return Answer((*place, who), () if action is None else (action,), NO_PUSH)


# --- contents of the board --------------------------------------------------------------------


def _scene(board: Board) -> Scene:
    return Scene(board_of(board.planes), ())


def _characters(board: Board) -> list[tuple[int, Place]]:
    """Numbers and places of the characters, the active one first."""
    height, width = board.planes.shape[1:]
    several = board.legal.size // (height * width) - len(STEPS)
    word, count = int(board.words[0]), max(1, several)
    first = word >> ACTIVE_SHIFT
    order = [(first + turn) % count for turn in range(count)]
    there = [number for number in order if word >> PLACE_BITS * number & (CELLS - 1)]
    return list(zip(there, places_of_characters(board.planes), strict=True))


def _cursor_of(board: Board, cursor: Cursor) -> tuple[int, Place]:
    """The cursor's character and place: its own if it can no longer walk to the old one."""
    standing = _characters(board)
    row, column, who = cursor
    if who not in dict(standing):
        who, row = standing[0][0], WITH_HIM
    if row == WITH_HIM or (row, column) not in _reach(board, who):
        return who, dict(standing)[who]
    return who, (row, column)


def _settled(cursor: Cursor) -> Cursor:
    return (WITH_HIM, 0, cursor[2])


def _reach(board: Board, who: int) -> set[Place]:
    """The cells that a character can walk to, including its own."""
    planes = board.planes
    free = (planes[GROUND] > 0) & ~planes[EXIT:CHARACTER].any(axis=0)
    free &= ~planes[CHARACTER:].any(axis=0)
    begin = dict(_characters(board))[who]
    reached, waiting = {begin}, [begin]
    while waiting:
        place = waiting.pop()
        for way in range(len(STEPS)):
            there = beyond(place, way)
            if there not in reached and _is_on(board, there) and free[there]:
                reached.add(there)
                waiting.append(there)
    return reached


def _is_on(board: Board, place: Place) -> bool:
    height, width = board.planes.shape[1:]
    return bool(0 <= place[0] < height and 0 <= place[1] < width)


def _body_at(scene: Scene, cell: Place) -> Rectangle | None:
    """The block at a cell, or the cell itself for an arm."""
    if scene.holds(cell, BLOCK):
        return scene.block(cell)
    is_arm = any(scene.holds(cell, ARM + way) for way in range(len(STEPS)))
    return Rectangle(*cell, 1, 1) if is_arm else None


# --- actions ----------------------------------------------------------------------------------


def _action(board: Board, place: Place, way: int) -> int | None:
    """The push from a cell; None off the board."""
    if not _is_on(board, place):
        return None
    width: int = board.planes.shape[2]
    return at_cell(place[0] * width + place[1], way)


def _is_legal(board: Board, action: int | None) -> bool:
    return action is not None and bool(board.legal[action])


def _push(board: Board, body: Rectangle, grabbed: Place, way: int) -> Answer:
    """Push a block or arm from the cell in line with where it was grabbed, or next to that."""
    starts = sorted(
        _behind(body, way),
        key=lambda place: abs(place[0] - grabbed[0]) + abs(place[1] - grabbed[1]),
    )
    actions = [_action(board, place, way) for place in starts]
    legal = [action for action in actions if action is not None and board.legal[action]]
    return Answer((WITH_HIM, 0, ACTIVE), tuple(legal[:1]), NO_PUSH)


def _behind(body: Rectangle, way: int) -> list[Place]:
    """The cells from which a block or arm is pushed in a direction."""
    rows, columns = body.cells
    inside = {
        (row, column)
        for row in range(rows.start, rows.stop)
        for column in range(columns.start, columns.stop)
    }
    back = (way + 2) % len(STEPS)
    return [place for place in (beyond(cell, back) for cell in inside) if place not in inside]


def _poke(board: Board, body: Rectangle, cell: Place, point: Point) -> Answer:
    """Push a block or arm away from its edge nearest to a point, if possible."""
    rows, columns = body.cells
    to_edge = {
        2: point.y - rows.start,
        0: rows.stop - point.y,
        1: point.x - columns.start,
        3: columns.stop - point.x,
    }
    answers = [_push(board, body, cell, way) for way in sorted(to_edge, key=lambda w: to_edge[w])]
    return next((answer for answer in answers if answer.actions), answers[0])


def _walk_out(board: Board, cursor: Cursor, exit: Place) -> Answer:
    """Leave by the exit from any reachable cell beside it."""
    for way in range(len(STEPS)):
        action = _action(board, beyond(exit, (way + 2) % len(STEPS)), way)
        if _is_legal(board, action):
            assert action is not None
            return Answer((WITH_HIM, 0, ACTIVE), (action,))
    return Answer(cursor, sentence="No character can reach the exit yet.")


def _aside(board: Board, who: int, place: Place) -> Answer:
    """Walk without pushing, which is an action if there are several characters."""
    height, width = board.planes.shape[1:]
    action = aside_to(height * width, who, place[0] * width + place[1])
    if not _is_on(board, place) or action >= board.legal.size:
        return Answer((WITH_HIM, 0, who), sentence=NO_WALK)
    return Answer((WITH_HIM, 0, who), (action,), NO_WALK)

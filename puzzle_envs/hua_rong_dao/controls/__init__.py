"""The controls of Hua Rong Dao: drag blocks, or select and slide them."""

from __future__ import annotations

from puzzle_envs.codec import at_cell, cell_and_way
from puzzle_envs.hua_rong_dao.codec import BOX, STEPS
from puzzle_envs.hua_rong_dao.picture.scene import Scene
from puzzle_envs.level import LevelFormat
from puzzle_envs.rendering.board import Rectangle
from puzzle_envs.rendering.controls import ARROWS, Answer, Board, Choice, Cursor, Mark, Point

HELD = 0.5
"""Distance in cells that the pointer drags before a block follows by a cell."""
IN_THE_WAY = "No room to slide there."


def controls(format: LevelFormat) -> BoxControls:
    """The controls of a box."""
    return BoxControls()


class BoxControls:
    """The cursor is a cell of the selected block: its row and column."""

    keys = {
        "Tab": "select the next movable block (with Shift: the previous one)",
        "arrow keys": "slide the selected block",
    }
    pointer = {
        "drag": "slide a block, around corners too",
        "click on a block": "select it; a selected block slides if only one direction is free",
        "click on an empty cell": "slide the selected block there, or the only one that can",
    }

    def begin(self, board: Board) -> Cursor:
        """Select the first movable block."""
        able = [block for block in _blocks(board) if _ways(board, block)]
        return (able[0].row, able[0].column) if able else (0, 0)

    def press(self, board: Board, cursor: Cursor, key: str) -> Answer | None:
        """Handle a key."""
        if key in ("tab", "shift+tab", "space"):
            return Answer(_another(board, cursor, -1 if key == "shift+tab" else 1))
        if key not in ARROWS:
            return None
        block = _block_at(board, (cursor[0], cursor[1]))
        if block is None:
            return Answer(self.begin(board), sentence="Select a block with Tab or a click.")
        return _sliding(board, block, ARROWS.index(key))

    def click(self, board: Board, cursor: Cursor, point: Point) -> Answer:
        """Select or slide a block."""
        chosen = _block_at(board, (cursor[0], cursor[1]))
        block = _block_at(board, point.cell)
        if block is None:
            return _filling(board, cursor, chosen, point.cell)
        ways = _ways(board, block)
        if block == chosen and len(ways) == 1:
            return _sliding(board, block, ways[0])
        return Answer((block.row, block.column))

    def drag(
        self, board: Board, cursor: Cursor, start: Point, end: Point, *, dropped: bool
    ) -> Answer:
        """Drag a block, a cell at a time."""
        block = _block_at(board, start.cell)
        if block is None:
            return Answer(cursor)
        right, down = end.x - start.x, end.y - start.y
        wanted = [
            (abs(right), 1 if right > 0 else 3),
            (abs(down), 2 if down > 0 else 0),
        ]
        for distance, way in sorted(wanted, reverse=True):
            if distance > HELD and way in _ways(board, block):
                rows, columns = STEPS[way]
                grip = Point(start.x + columns, start.y + rows)
                return _sliding(board, block, way)._replace(grip=grip)
        here = (block.row, block.column)
        return Answer(here, sentence=IN_THE_WAY if max(wanted)[0] > HELD else "")

    def cursor_mark(self, board: Board, cursor: Cursor) -> Mark | None:
        """The selected block."""
        block = _block_at(board, (cursor[0], cursor[1]))
        return None if block is None else Mark(*block)

    def action_mark(self, board: Board, action: int) -> Mark | None:
        """The block, and the direction in which it slides."""
        cell, way = cell_and_way(action)
        block = _block_at(board, divmod(cell, board.planes.shape[2]))
        return None if block is None else Mark(*block, heading=way)

    def choices(self, board: Board, cursor: Cursor) -> list[Choice]:
        """Return no buttons: every action can be played on the board."""
        return []


def _blocks(board: Board) -> list[Rectangle]:
    box = board.planes[BOX]
    height, width = int(box[:, 0].sum()), int(box[0].sum())
    return Scene(board.planes[:, :height, :width]).blocks()


def _block_at(board: Board, cell: tuple[int, int]) -> Rectangle | None:
    for block in _blocks(board):
        if 0 <= cell[0] - block.row < block.height and 0 <= cell[1] - block.column < block.width:
            return block
    return None


def _action(board: Board, block: Rectangle, way: int) -> int:
    width: int = board.planes.shape[2]
    return at_cell(block.row * width + block.column, way)


def _ways(board: Board, block: Rectangle) -> list[int]:
    """The directions in which a block can slide."""
    return [way for way in range(len(STEPS)) if board.legal[_action(board, block, way)]]


def _sliding(board: Board, block: Rectangle, way: int) -> Answer:
    """Slide a block; the cursor goes with it."""
    action = _action(board, block, way)
    if not board.legal[action]:
        return Answer((block.row, block.column), (action,), IN_THE_WAY)
    there = block.shifted(*STEPS[way])
    return Answer((there.row, there.column), (action,))


def _another(board: Board, cursor: Cursor, by: int) -> Cursor:
    """The next movable block in reading order, cyclically."""
    able = [(block.row, block.column) for block in _blocks(board) if _ways(board, block)]
    if not able:
        return cursor
    here = (cursor[0], cursor[1])
    if here in able:
        return able[(able.index(here) + by) % len(able)]
    later = [place for place in able if place > here]
    return (later or able)[0]


def _filling(
    board: Board, cursor: Cursor, chosen: Rectangle | None, cell: tuple[int, int]
) -> Answer:
    """Slide a block to an empty cell: the selected one, or the only one that can."""
    able = [
        (block, way)
        for block in _blocks(board)
        for way in _ways(board, block)
        if _covers(block.shifted(*STEPS[way]), cell)
    ]
    own = [one for one in able if one[0] == chosen]
    if len(own or able) == 1:
        return _sliding(board, *(own or able)[0])
    if not able:
        return Answer(cursor)
    return Answer(cursor, sentence="Several blocks can slide there: select one first.")


def _covers(block: Rectangle, cell: tuple[int, int]) -> bool:
    rows, columns = block.cells
    return bool(rows.start <= cell[0] < rows.stop and columns.start <= cell[1] < columns.stop)

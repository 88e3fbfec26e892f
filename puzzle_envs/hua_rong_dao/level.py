"""What a layout is: text and codes in and out, and the record that the rules work on.

The box of 4 by 5, rows from the top, is written as

    VB*V
    ^**^
    VH<V
    ^SS^
    S..S

`.` empty, `S` 1x1, `V` over `^` a vertical piece, `H` left of `<` a horizontal one, `B` the upper
left cell of the 2x2 and `*` its other three. The same in one line of 20 characters, as the paper's
20 digits (0 empty, 1 a 1x1, 2 the 2x2, 3 to 8 one 2x1 each), or as the common code of nine
hexadecimal digits (1A9BF0C00).

Any other box, up to 8 by 8, names each piece by a letter of its own:

    ; goal: a 4 2
    baac
    baac
    deef
    dghf
    i..j

The goal says which piece has to come where: its upper left cell, row and column from 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_letters, hexdigits
from typing import NamedTuple

import numpy as np

from puzzle_envs.codec import Places, four_a_cell
from puzzle_envs.common.arguments import flag
from puzzle_envs.level import (
    Board,
    Level,
    LevelFormat,
    Record,
    Row,
    Shape,
    named,
    quoted,
    record_dtype,
)

__all__ = ["BOX", "FORMAT", "METRICS", "BoxFormat", "Piece"]

LARGEST = 8
CELLS = LARGEST * LARGEST
SHAPES = 15
"""Different shapes that fit the largest box with a cell to spare, and the goal piece."""
LAST_SHIFT = 55
"""The block that moved last is in the bits from here up of the last word of a state."""

METRICS = ("move", "straight", "step")
"""What a move is: one block any way, one block straight on, one block one cell."""
WAYS = ("up", "right", "down", "left")

BOX = record_dtype(
    [
        ("width", np.int64),
        ("height", np.int64),
        ("stride", np.int64),  # the length of a row in actions and planes: the widest box's
        ("plane", np.int64),  # the size of a plane
        ("metric", np.int64),
        ("shapes", np.int64),  # how many there are
        ("goal_shape", np.int64),
        ("goal_cell", np.int64),
        ("away", np.uint8, (CELLS,)),  # rows and columns from each cell to the goal's
        ("start", np.uint64, (SHAPES,)),
        ("widths", np.int64, (SHAPES,)),
        ("heights", np.int64, (SHAPES,)),
        ("stands", np.uint64, (SHAPES,)),  # where a shape's upper left cell can be
        ("home", np.uint64, (SHAPES, 4)),  # the same, with room to go up, right, down, left
        ("under", np.uint64, (SHAPES,)),  # the cells of a block in the upper left corner
        ("joined", np.uint64, (SHAPES, 4)),  # those of them that go on above, right, below, left
    ]
)

STANDARD_WIDTH, STANDARD_HEIGHT = 4, 5
STANDARD = {"S": (1, 1), "V": (1, 2), "H": (2, 1), "B": (2, 2)}
"""The pieces of the box of 4 by 5 by their character: width and height, in the order of their
numbers in a state."""
STANDARD_GOAL = 13
"""The upper left cell of the 2x2 when it covers 13, 14, 17, 18."""

CODE_BITS = {"": 0, "H": 1, "V": 2, "S": 3}
"""The common code: two bits for each cell that no earlier piece covers."""


class Piece(NamedTuple):
    """A block of a layout: its upper left cell, its size, and whether it is the goal piece."""

    row: int
    column: int
    width: int
    height: int
    goal: bool = False

    @property
    def kind(self) -> tuple[int, int, int, bool]:
        """What is equal for blocks that are not told apart, small ones first."""
        return self.width * self.height, self.width, self.height, self.goal


class Layout(NamedTuple):
    """What a text says, before it is packed."""

    width: int
    height: int
    pieces: list[Piece]
    goal: tuple[int, int]
    """The row and column of the goal piece's upper left cell when it is where it belongs."""


PLANES = (
    "box",
    "block",
    "goal piece",
    "goal",
    "joined to the cell above",
    "joined to the cell on the right",
    "joined to the cell below",
    "joined to the cell on the left",
    "block that moved last",
    "it moved up",
    "it moved right",
    "it moved down",
    "it moved left",
)


class BoxFormat(LevelFormat):
    """Reads and writes layouts; its metric decides what a move is."""

    puzzle = "hua_rong_dao"
    id = "HuaRongDao-v0"
    dtype = BOX
    switches = frozenset({"goal"})
    optimum_keys = ("optimum", "optimum-straight", "optimum-step")

    def __init__(self, metric: str = "move", oracle: bool = False) -> None:
        """A format whose levels count moves in this metric.

        Args:
            metric: What a move is.
            oracle: Ask the oracle for optima that a level's text does not say.
        """
        if metric not in METRICS:
            raise ValueError(f"metric must be one of {', '.join(METRICS)}, not {metric!r}.")
        self.metric, self.oracle = metric, flag("oracle", oracle)
        self.facts = {"metric": metric}
        self.optimum_key = "optimum" if metric == "move" else f"optimum-{metric}"

    def _level(self, board: Board, set_name: str, *, alone: bool) -> Level:
        level = super()._level(board, set_name, alone=alone)
        if self.oracle and level.optimum is None and level.solvable is None:
            from puzzle_envs.hua_rong_dao.oracle import known_optimum

            optimum, solvable = known_optimum(level.record, self.metric)
            level = replace(level, optimum=optimum, solvable=solvable)
        return level

    # --- reading ------------------------------------------------------------------------------

    def is_text(self, text: str) -> bool:
        """A code, the paper's digits, or 20 characters."""
        return bool(re.fullmatch(r"[0-9A-Fa-f]{9}|[0-8]{20}|[.SVHB*^<]{20}", text))

    def text_rule(self, text: str) -> str:
        """The rule of the notation in one line that a string nearly follows."""
        return _fault_in_line(text)[0]

    def places(self, actions: int, height: int, width: int) -> Places:
        """A block's upper left cell and a direction."""
        return four_a_cell(height, width)

    def action_text(self, action: int, shape: Shape) -> str:
        """The row and the column of the block's upper left cell, from 1, and where it slides."""
        row, column = divmod(action // 4, shape.width)
        return f"{row + 1},{column + 1} {WAYS[action % 4]}"

    def keys_to_action(self, shape: Shape) -> dict[str, int]:
        """The row and the column of a block's upper left cell, and where it slides."""
        return shape.way_keys()

    def read(self, board: Board) -> Record:
        """The record of a layout, or a LevelError with the cell at fault."""
        rows = _rows(board)
        standard = "goal" not in board.metadata
        layout = _standard(board, rows) if standard else _lettered(board, rows)
        _check_room(board, layout)
        return self.pack(layout)

    def pack(self, layout: Layout) -> Record:
        """The record of a layout."""
        kinds = sorted({piece.kind for piece in layout.pieces})
        record = np.zeros((), BOX)
        record["width"], record["height"] = layout.width, layout.height
        record["metric"] = METRICS.index(self.metric)
        record["shapes"] = len(kinds)
        for number, (_, width, height, goal) in enumerate(kinds):
            if goal:
                record["goal_shape"] = number
            record["widths"][number], record["heights"][number] = width, height
            stands, *homes = _homes(layout, width, height)
            record["stands"][number], record["home"][number] = stands, homes
            under, *joined = _parts(layout, width, height)
            record["under"][number], record["joined"][number] = under, joined
        record["goal_cell"] = layout.goal[0] * layout.width + layout.goal[1]
        cells, bits = layout.width * layout.height, 0
        for cell in range(cells):
            row, column = divmod(cell, layout.width)
            record["away"][cell] = abs(row - layout.goal[0]) + abs(column - layout.goal[1])
        for piece in layout.pieces:
            cell = piece.row * layout.width + piece.column
            bits |= 1 << kinds.index(piece.kind) * cells + cell
        record["start"] = np.frombuffer(bits.to_bytes(8 * SHAPES, "little"), np.uint64)
        return record[()]

    # --- writing and measuring ----------------------------------------------------------------

    def write(self, record: Record) -> list[str]:
        """Five rows of the box of 4 by 5, or letters with their goal."""
        pieces = pieces_of(record)
        width, height = int(record["width"]), int(record["height"])
        if _is_standard(record):
            text = standard_text(pieces)
            return [text[4 * row : 4 * row + 4] for row in range(5)]
        cells = ["."] * (width * height)
        goal = ""
        for letter, piece in zip(ascii_letters, pieces, strict=False):
            for row in range(piece.row, piece.row + piece.height):
                for column in range(piece.column, piece.column + piece.width):
                    cells[row * width + column] = letter
            if piece.goal:
                goal = letter
        row, column = divmod(int(record["goal_cell"]), width)
        lines = ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]
        return [f"; goal: {goal} {row + 1} {column + 1}", *lines]

    def words(self, record: Record) -> int:
        """A bitboard for each shape, one behind the other; a word more if they leave no room."""
        bits = int(record["shapes"] * record["width"] * record["height"])
        own_word = bits % 64 > LAST_SHIFT or bits % 64 == 0
        return -(-bits // 64) + own_word

    def planes(self, shape: Shape) -> tuple[str, ...]:
        """The same for every size."""
        return PLANES

    def shape(self, record: Record) -> Shape:
        """Four actions for each cell of the box."""
        height, width = int(record["height"]), int(record["width"])
        return Shape(4 * width * height, height, width)

    def joint_shape(self, shapes: Sequence[Shape]) -> Shape:
        """Actions number the cells of the box that holds them all."""
        height = max(shape.height for shape in shapes)
        width = max(shape.width for shape in shapes)
        return Shape(4 * width * height, height, width)

    def fit(self, records: np.ndarray, shape: Shape) -> None:
        """Cells are numbered in the widest box; the metric is the format's."""
        records["stride"] = shape.width
        records["plane"] = shape.width * shape.height
        records["metric"] = METRICS.index(self.metric)


def _is_standard(record: Record) -> bool:
    """Whether the 20 characters can say it: their pieces, one 2x2, and its usual goal."""
    if (int(record["width"]), int(record["height"])) != (STANDARD_WIDTH, STANDARD_HEIGHT):
        return False
    pieces = pieces_of(record)
    sizes = [(piece.width, piece.height) for piece in pieces if not piece.goal]
    return (
        Piece(0, 0, 2, 2, goal=True).kind in [piece.kind for piece in pieces]
        and int(record["goal_cell"]) == STANDARD_GOAL
        and set(sizes) <= set(STANDARD.values()) - {(2, 2)}
    )


def pieces_of(record: Record) -> list[Piece]:
    """The pieces of a level where they stand at first, row by row."""
    width = int(record["width"])
    cells = width * int(record["height"])
    bits = int.from_bytes(record["start"].tobytes(), "little")
    pieces = [
        Piece(
            *divmod(cell, width),
            int(record["widths"][shape]),
            int(record["heights"][shape]),
            shape == record["goal_shape"],
        )
        for shape in range(int(record["shapes"]))
        for cell in range(cells)
        if bits >> shape * cells + cell & 1
    ]
    return sorted(pieces)


def _parts(layout: Layout, width: int, height: int) -> list[int]:
    """The cells of a block in the upper left corner: all, and those that go on in a direction."""
    parts = [0, 0, 0, 0, 0]
    for row in range(height):
        for column in range(width):
            bit = 1 << row * layout.width + column
            parts[0] |= bit
            parts[1] |= bit * (row > 0)
            parts[2] |= bit * (column + 1 < width)
            parts[3] |= bit * (row + 1 < height)
            parts[4] |= bit * (column > 0)
    return parts


def _homes(layout: Layout, width: int, height: int) -> list[int]:
    """The upper left cells of a block of this size: all, and those with room in a direction."""
    homes = [0, 0, 0, 0, 0]
    for row in range(layout.height - height + 1):
        for column in range(layout.width - width + 1):
            bit = 1 << row * layout.width + column
            homes[0] |= bit
            homes[1] |= bit * (row > 0)
            homes[2] |= bit * (column + width < layout.width)
            homes[3] |= bit * (row + height < layout.height)
            homes[4] |= bit * (column > 0)
    return homes


# --- the three notations of the box of 4 by 5 -------------------------------------------------


def standard_text(pieces: list[Piece]) -> str:
    """The 20 characters."""
    cells = ["."] * 20
    for piece in pieces:
        at = 4 * piece.row + piece.column
        if (piece.width, piece.height) == (1, 1):
            cells[at] = "S"
        elif (piece.width, piece.height) == (1, 2):
            cells[at], cells[at + 4] = "V", "^"
        elif (piece.width, piece.height) == (2, 1):
            cells[at], cells[at + 1] = "H", "<"
        else:
            cells[at], cells[at + 1], cells[at + 4], cells[at + 5] = "B", "*", "*", "*"
    return "".join(cells)


def text_of_code(code: str) -> str:
    """The 20 characters of a common code; raises ValueError where it is none."""
    bits = int(code, 16)
    at = bits >> 32
    if at % 4 == 3 or at > 14:
        raise ValueError(f"the 2x2 at cell {at} is not inside the box")
    cells: list[str | None] = [None] * 20
    for cell, character in zip((at, at + 1, at + 4, at + 5), "B***", strict=True):
        cells[cell] = character
    shift = 30
    for cell in range(20):
        if cells[cell] is not None:
            continue
        kind = bits >> shift & 3
        shift -= 2
        cells[cell] = ".HVS"[kind]
        beside = {1: cell + 1, 2: cell + 4}.get(kind)
        if beside is None:
            continue
        if (kind == 1 and cell % 4 == 3) or beside >= 20:
            raise ValueError(f"the piece at cell {cell} leaves the box")
        if cells[beside] is not None:
            raise ValueError(f"two pieces overlap on cell {beside}")
        cells[beside] = "<" if kind == 1 else "^"
    if bits & (1 << shift + 2) - 1:
        raise ValueError("there are more pieces than the box has cells")
    return "".join(character or "." for character in cells)


def code_of_text(text: str) -> str:
    """The common code of 20 characters."""
    bits, shift = text.index("B") << 32, 30
    for character in text:
        if character in ".HVS":
            bits |= ".HVS".index(character) << shift
            shift -= 2
    return f"{bits:09X}"


def text_of_digits(digits: str) -> str:
    """The 20 characters of the paper's 20 digits; a torn piece stays as it is, to be refused."""
    cells = []
    for cell, digit in enumerate(digits):
        row, column = divmod(cell, 4)
        above = digits[cell - 4] if row else ""
        left = digits[cell - 1] if column else ""
        if digit == "0":
            cells.append(".")
        elif digit == "1":
            cells.append("S")
        elif digit == "2":
            cells.append("*" if "2" in (above, left) else "B")
        elif above == digit:
            cells.append("^")
        elif left == digit:
            cells.append("<")
        else:
            right = digits[cell + 1] if column < 3 else ""
            cells.append("H" if right == digit else "V")
    return "".join(cells)


def digits_of_text(text: str) -> str:
    """The paper's 20 digits, its 2x1 pieces numbered from 3 in their order."""
    digits: list[str] = []
    number = 3
    for cell, character in enumerate(text):
        if character in "VH":
            digits.append(str(number))
            number += 1
        elif character == "^":
            digits.append(digits[cell - 4])
        elif character == "<":
            digits.append(digits[cell - 1])
        else:
            digits.append({".": "0", "S": "1", "B": "2", "*": "2"}[character])
    return "".join(digits)


# --- reading ----------------------------------------------------------------------------------


def _rows(board: Board) -> list[Row]:
    """The rows of a layout, a notation in one line being spelled out."""
    if len(board.rows) > 1 or "goal" in board.metadata:
        return board.rows
    line, text, _ = board.rows[0]
    if re.fullmatch(r"[0-9A-Fa-f]{9}", text):
        try:
            text = text_of_code(text)
        except ValueError as error:
            raise board.error(f"{text} is no layout: {error}.", line) from None
    elif re.fullmatch(r"[0-8]{20}", text):
        text = text_of_digits(text)
    elif not re.fullmatch(r"[.SVHB*^<]{20}", text):
        rule, column = _fault_in_line(text)
        raise board.error(
            rule
            or "A layout in one line is 20 characters, 20 digits or 9 hexadecimal digits; "
            f"here are {len(text)} characters.",
            line,
            column,
        )
    return [Row(line, text[4 * row : 4 * row + 4], 4 * row + 1) for row in range(5)]


NOTATIONS = (
    ("A code is nine hexadecimal digits, 0 to 9 and A to F", 9, hexdigits),
    ("The paper's layouts are 20 digits from 0 to 8", 20, "012345678"),
    ("A layout in one line is 20 characters, each . S V ^ H < B or *", 20, ".SVHB*^<"),
)
"""The notations in one line: the rule, the length, the characters."""
NEARLY = 2
"""Characters by which a string may miss a notation that it is told the rule of."""


def _fault_in_line(text: str) -> tuple[str, int]:
    """What is wrong with a line that is nearly in a notation, and the column, 0 where it has none.

    Nothing is said of a line that is in none, or in one, as far as its characters tell.
    """
    for rule, length, characters in NOTATIONS:
        wrong = [place for place, one in enumerate(text[: 2 * length]) if one not in characters]
        if abs(len(text) - length) > NEARLY or len(wrong) > NEARLY:
            continue
        if wrong:
            return f"{rule}; {named(text[wrong[0]])} at place {wrong[0] + 1} is none.", wrong[0] + 1
        if len(text) != length:
            return f"{rule}; here are {len(text)}.", 0
    return "", 0


def _standard(board: Board, rows: list[Row]) -> Layout:
    """The box of 4 by 5, with its own characters."""
    _check_characters(board, rows)
    pieces: list[Piece] = []
    covered: set[tuple[int, int]] = set()
    for at, row in enumerate(rows):
        for column, character in enumerate(row.text):
            if character in STANDARD:
                piece = Piece(at, column, *STANDARD[character], goal=character == "B")
                _check_whole(board, rows, piece, covered)
                covered.update(_cells(piece))
                pieces.append(piece)
            elif character != "." and (at, column) not in covered:
                raise board.error(
                    f"This '{character}' belongs to no piece.", row.line, row.column + column
                )
    big = [piece for piece in pieces if piece.goal]
    if len(big) != 1:
        place = big[1] if big else Piece(0, 0, 1, 1)
        row = rows[place.row]
        raise board.error(
            f"A layout has one 2x2, not {len(big)}.", row.line, row.column + place.column
        )
    goal = divmod(STANDARD_GOAL, STANDARD_WIDTH)
    return Layout(STANDARD_WIDTH, STANDARD_HEIGHT, pieces, goal)


def _check_characters(board: Board, rows: list[Row]) -> None:
    if len(rows) != STANDARD_HEIGHT:
        raise board.error(
            f"A layout has 5 rows, not {len(rows)}; another box needs a '; goal:' line.",
            rows[0].line,
        )
    for row in rows:
        if len(row.text) != STANDARD_WIDTH:
            raise board.error(f"A row has 4 cells, not {len(row.text)}.", row.line)
        for column, character in enumerate(row.text):
            if character not in ".SVHB*^<":
                raise board.misfit(row, column, "is no part of a layout; use . S V ^ H < B *.")


def _check_whole(
    board: Board, rows: list[Row], piece: Piece, covered: set[tuple[int, int]]
) -> None:
    """Refuse a piece that leaves the box, overlaps another, or lacks one of its cells."""
    line, text, column_of_row = rows[piece.row]
    character = text[piece.column]
    rest = {"V": "^", "H": "<"}.get(character, "*")
    for row, column in _cells(piece)[1:]:
        if row >= STANDARD_HEIGHT or column >= STANDARD_WIDTH:
            fault = f"This '{character}' leaves the box."
        elif (row, column) in covered:
            fault = f"This '{character}' overlaps another piece at {_place(row, column)}."
        elif rows[row].text[column] != rest:
            fault = (
                f"This '{character}' is torn: '{rest}' belongs at {_place(row, column)}, "
                f"not '{rows[row].text[column]}'."
            )
        else:
            continue
        raise board.error(fault, line, column_of_row + piece.column)


def _place(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"


def _lettered(board: Board, rows: list[Row]) -> Layout:
    """Any box, with a letter for each piece."""
    width, height = len(rows[0].text), len(rows)
    if width > LARGEST or height > LARGEST:
        raise board.error(
            f"This box is {width} wide and {height} high; the largest is {LARGEST} by {LARGEST}.",
            rows[0].line,
        )
    places: dict[str, list[tuple[int, int]]] = {}
    for at, row in enumerate(rows):
        if len(row.text) != width:
            raise board.error(
                f"This row has {len(row.text)} cells, the first row has {width}.", row.line
            )
        for column, character in enumerate(row.text):
            if character not in ascii_letters + ".":
                raise board.misfit(row, column, "is no part of a box; use letters and dots.")
            if character != ".":
                places.setdefault(character, []).append((at, column))
    pieces = {}
    for letter, cells in places.items():
        top, left = cells[0][0], min(column for _, column in cells)
        piece = Piece(
            top, left, max(column for _, column in cells) - left + 1, cells[-1][0] - top + 1
        )
        missing = [cell for cell in _cells(piece) if cell not in cells]
        if missing:
            at, column = missing[0]
            raise board.error(
                f"The piece '{letter}' is torn: it is no rectangle without row {at + 1}, "
                f"column {column + 1}.",
                rows[at].line,
                column + 1,
            )
        pieces[letter] = piece
    letter, goal = _goal(board, pieces, width, height)
    pieces[letter] = pieces[letter]._replace(goal=True)
    return Layout(width, height, list(pieces.values()), goal)


def _goal(
    board: Board, pieces: dict[str, Piece], width: int, height: int
) -> tuple[str, tuple[int, int]]:
    """The letter of the goal piece, and where it has to come."""
    said = board.metadata["goal"]
    words = said.words()
    if len(words) != 3 or words[0].text not in list(ascii_letters):
        raise board.error(
            f"A goal is a letter, a row and a column, not {quoted(said.text)}.", said.line
        )
    letter = words[0].text
    if letter not in pieces:
        raise board.error(f"The goal is for a piece '{letter}', which is not there.", said.line)
    row, column = (
        board.number(place, 1, LARGEST, f"The {name} of a goal is a number from 1 to {LARGEST}") - 1
        for name, place in zip(("row", "column"), words[1:], strict=True)
    )
    piece = pieces[letter]
    if row + piece.height > height or column + piece.width > width:
        raise board.error(f"The goal takes '{letter}' out of the box.", said.line)
    return letter, (row, column)


def _check_room(board: Board, layout: Layout) -> None:
    covered = sum(piece.width * piece.height for piece in layout.pieces)
    if covered == layout.width * layout.height:
        raise board.error("No cell is empty, so nothing can move.", board.rows[0].line)


def _cells(piece: Piece) -> list[tuple[int, int]]:
    return [
        (piece.row + row, piece.column + column)
        for row in range(piece.height)
        for column in range(piece.width)
    ]


FORMAT = BoxFormat()

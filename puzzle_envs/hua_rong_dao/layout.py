"""Layouts and their notations: text and codes in and out.

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

Any other box, up to 8 by 8, has a letter for each piece:

    ; goal: a 4 2
    baac
    baac
    deef
    dghf
    i..j

The goal gives the piece and its destination: its upper left cell, row and column from 1.
"""

from __future__ import annotations

import re
from string import ascii_letters, hexdigits
from typing import NamedTuple

from puzzle_envs.text import Board, Row, named, quoted

LARGEST = 8
"""The longest side of a box."""

STANDARD_WIDTH, STANDARD_HEIGHT = 4, 5
STANDARD = {"S": (1, 1), "V": (1, 2), "H": (2, 1), "B": (2, 2)}
"""The pieces of the 4 by 5 box by character: width and height, in the order of their numbers in a
state."""
STANDARD_GOAL = 13
"""The upper left cell of the 2x2 when it covers 13, 14, 17, 18."""


class Piece(NamedTuple):
    """A block of a layout: its upper left cell, its size, and whether it is the goal piece."""

    row: int
    column: int
    width: int
    height: int
    goal: bool = False

    @property
    def kind(self) -> tuple[int, int, int, bool]:
        """A key that is equal for interchangeable blocks, small ones first."""
        return self.width * self.height, self.width, self.height, self.goal


class Layout(NamedTuple):
    """The content of a text, before it is packed."""

    width: int
    height: int
    pieces: list[Piece]
    goal: tuple[int, int]
    """Row and column of the goal piece's upper left cell at its goal."""


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
    """Decode the common code to 20 characters; a ValueError if invalid."""
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
    """Decode the paper's 20 digits to 20 characters; broken pieces are kept, to be rejected."""
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


def layout_of(board: Board) -> Layout:
    """The layout of a text, or a LevelError with the cell at fault."""
    rows = _rows(board)
    standard = "goal" not in board.metadata
    layout = _standard(board, rows) if standard else _lettered(board, rows)
    _check_room(board, layout)
    return layout


def _rows(board: Board) -> list[Row]:
    """The rows of a layout; one-line notations are expanded."""
    if len(board.rows) > 1 or "goal" in board.metadata:
        return board.rows
    line, text, _ = board.rows[0]
    if re.fullmatch(r"[0-9A-Fa-f]{9}", text):
        try:
            text = text_of_code(text)
        except ValueError as error:
            raise board.error(f"{text} is not a layout: {error}.", line) from None
    elif re.fullmatch(r"[0-8]{20}", text):
        text = text_of_digits(text)
    elif not re.fullmatch(r"[.SVHB*^<]{20}", text):
        rule, column = fault_in_line(text)
        raise board.error(
            rule
            or "A layout in one line is 20 characters, 20 digits or 9 hexadecimal digits; "
            f"this has {len(text)} characters.",
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
"""Maximum number of wrong characters in a string for which the notation's rule is shown."""


def fault_in_line(text: str) -> tuple[str, int]:
    """The error in a line that is nearly a notation, and its column, 0 if it has none.

    Empty for a line that resembles no notation, or that has only valid characters.
    """
    for rule, length, characters in NOTATIONS:
        wrong = [place for place, one in enumerate(text[: 2 * length]) if one not in characters]
        if abs(len(text) - length) > NEARLY or len(wrong) > NEARLY:
            continue
        if wrong:
            place = wrong[0] + 1
            return f"{rule}; {named(text[wrong[0]])} at position {place} is not.", place
        if len(text) != length:
            return f"{rule}; this has {len(text)}.", 0
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
                raise board.misfit(row, column, "is not part of a layout; use . S V ^ H < B *.")


def _check_whole(
    board: Board, rows: list[Row], piece: Piece, covered: set[tuple[int, int]]
) -> None:
    """Reject a piece that leaves the box, overlaps another, or lacks one of its cells."""
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
                f"This '{character}' is incomplete: '{rest}' belongs at {_place(row, column)}, "
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
                raise board.misfit(row, column, "is not part of a box; use letters and dots.")
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
                f"The piece '{letter}' is not a rectangle: row {at + 1}, column {column + 1} "
                "is missing.",
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
    """The letter of the goal piece, and its destination."""
    goal = board.metadata["goal"]
    words = goal.words()
    if len(words) != 3 or words[0].text not in list(ascii_letters):
        raise board.error(
            f"A goal must be a letter, a row and a column, not {quoted(goal.text)}.", goal.line
        )
    letter = words[0].text
    if letter not in pieces:
        raise board.error(f"The goal is for piece '{letter}', which does not exist.", goal.line)
    row, column = (
        board.number(
            place, 1, LARGEST, f"The {name} of a goal must be a number from 1 to {LARGEST}"
        )
        - 1
        for name, place in zip(("row", "column"), words[1:], strict=True)
    )
    piece = pieces[letter]
    if row + piece.height > height or column + piece.width > width:
        raise board.error(f"The goal puts '{letter}' outside the box.", goal.line)
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

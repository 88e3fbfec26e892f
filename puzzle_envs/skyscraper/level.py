"""Levels of Skyscraper: text, clue lines and Towers ids, and the record used by the rules.

A level is written with the clues around the grid, in columns with a space between them:

      3 . 2 1
    4 . . . . .
    . . 3 . . 2
    1 . . . . .
    . . . 1 . 2
      2 1 . 3

`.` is an empty cell or no clue; whatever stands in a cell is given. Heights and clues from 10 to 16
are written as letters from A to G, and read in decimal too. A grid with nothing given can be one
line of its 4n clues: those at the top and at the bottom from left to right, those at the left and
at the right from top to bottom, with spaces or `/` between them. The ids of Simon Tatham's Towers
put the size before these clues, and the givens behind them: 4:3//2/1/2/1//3/4//1///2//2,e3h1a
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import digits
from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.codec import Shape
from puzzle_envs.level import LevelFormat, Record, record_dtype
from puzzle_envs.skyscraper.codec import CODEC, SIDES
from puzzle_envs.text import Board, Row

__all__ = [
    "FIVE_BITS",
    "FORMAT",
    "MASKS",
    "SIZES",
    "SQUARE",
    "SquareFormat",
    "clues_of",
    "givens_of",
    "heights_in",
    "pack",
    "packed_heights",
    "towers_id",
]

SIZES = range(3, 17)
LARGEST = SIZES[-1]
CELLS = LARGEST * LARGEST
CELLS_IN_WORD = 16
"""Cells per word of a state, at four bits each."""
FIVE_BITS = 16
"""The size from which heights take five bits; the fifth ones are behind all others."""

MASKS = ("writes", "consistent", "empty")
"""The legal writes: all that change something; those without repeats in their lines; of these,
those that overwrite nothing."""

SQUARE = record_dtype(
    [
        ("size", np.int64),
        ("largest", np.int64),  # the size of the largest grid of the set
        ("plane", np.int64),  # the size of a plane
        ("mask", np.int64),  # which of MASKS
        ("places", np.uint8, (CELLS,)),  # of each cell in a plane
        ("writes", np.int8, (LARGEST**3,)),  # what is legal on the empty grid
        ("free", np.int64),  # cells that are not given
        ("clues", np.uint8, (len(SIDES), LARGEST)),  # 0: none
        ("given", np.uint64, (CELLS // 64 + 1,)),
        ("start", np.uint64, (CELLS // CELLS_IN_WORD + CELLS // 64,)),
    ]
)

CHARACTERS = ".123456789ABCDEFG"
"""A clue or a height; none or empty comes first."""

LONGEST_RUN = 26
"""Maximum number of empty cells per letter of a Towers id."""


class Number(NamedTuple):
    """A clue or a height, 0 for none, and its position in the text."""

    value: int
    line: int
    column: int


class SquareFormat(LevelFormat):
    """Reads and writes grids; its mask decides which writes are legal."""

    puzzle = "skyscraper"
    id = "Skyscraper-v0"
    dtype = SQUARE
    codec = CODEC

    def __init__(self, mask: str = "writes") -> None:
        """Create a format with this mask."""
        if mask not in MASKS:
            raise ValueError(f"mask must be one of {', '.join(MASKS)}, not {mask!r}.")
        self.mask = mask

    # --- reading ------------------------------------------------------------------------------

    def is_text(self, text: str) -> bool:
        """A Towers id, or a line of clues."""
        return _is_id(text) or _is_clue_line(text)

    def read(self, board: Board) -> Record:
        """The record of a grid, or a LevelError with the number at fault."""
        if len(board.rows) > 1:
            clues, cells = _numbers_of_rows(board)
        elif ":" in board.rows[0].text:
            clues, cells = _numbers_of_id(board)
        else:
            clues = _numbers_of_clue_line(board)
            cells = []
        size = len(clues) // len(SIDES)
        _check_givens(board, size, cells)
        givens = [cell.value for cell in cells] or [0] * size**2
        return pack(size, [clue.value for clue in clues], givens)

    # --- writing and measuring ----------------------------------------------------------------

    def write(self, record: Record) -> list[str]:
        """The rows of the grid, with the clues around it."""
        size = int(record["size"])
        clues, givens = clues_of(record), givens_of(record)
        top, bottom, left, right = (clues[side * size : (side + 1) * size] for side in range(4))
        rows = [
            [left[row], *givens[row * size : (row + 1) * size], right[row]] for row in range(size)
        ]
        middle = [" ".join(CHARACTERS[number] for number in row) for row in rows]
        above, below = (
            "  " + " ".join(CHARACTERS[clue] for clue in side) for side in (top, bottom)
        )
        return [above, *middle, below]

    def words(self, record: Record) -> int:
        """Four or five bits per cell, and one more word of counters."""
        size = int(record["size"])
        fifths = size**2 // 64 if size >= FIVE_BITS else 0
        return -(-(size**2) // CELLS_IN_WORD) + fifths + 1

    def shape(self, record: Record) -> Shape:
        """Every height in every cell."""
        size = int(record["size"])
        return Shape(size**3, size, size)

    def fit(self, records: np.ndarray, shape: Shape) -> None:
        """The largest grid determines the numbers of actions and planes."""
        for record in records:
            _lay_out(record, shape.width)
        records["mask"] = MASKS.index(self.mask)


FORMAT = SquareFormat()


# --- records ----------------------------------------------------------------------------------


def pack(size: int, clues: Sequence[int], givens: Sequence[int]) -> Record:
    """The record of a single grid.

    Args:
        size: Rows and columns.
        clues: 4n numbers, 0 for none, in the order of a clue line.
        givens: The n x n heights row by row, 0 for empty.
    """
    record = np.zeros((), SQUARE)
    record["size"] = size
    record["free"] = sum(not height for height in givens)
    record["clues"][:, :size] = np.reshape(clues, (len(SIDES), size))
    given = sum((height > 0) << cell for cell, height in enumerate(givens))
    record["given"] = np.frombuffer(given.to_bytes(record["given"].nbytes, "little"), np.uint64)
    record["start"] = np.frombuffer(
        packed_heights(givens).to_bytes(record["start"].nbytes, "little"), np.uint64
    )
    _lay_out(record, size)
    return record[()]


def _lay_out(record: Any, largest: int) -> None:
    """Number places and actions for a set whose largest grid has this size."""
    size = int(record["size"])
    rows, columns = np.divmod(np.arange(size**2), size)
    record["largest"], record["plane"] = largest, largest**2
    record["places"][: size**2] = rows * largest + columns
    writes = np.zeros((largest, largest, largest), np.int8)
    writes[:size, :size, :size] = np.reshape(givens_of(record), (size, size, 1)) == 0
    record["writes"][: largest**3] = writes.ravel()


def packed_heights(heights: Sequence[int]) -> int:
    """The heights of all cells as a state holds them, its words as one number."""
    cells, fours, fifths = len(heights), 0, 0
    for cell, height in enumerate(heights):
        fours |= (int(height) & 15) << 4 * cell
        fifths |= int(height) >> 4 << cell
    return fours | fifths << 4 * cells


def heights_in(packed: int, cells: int) -> list[int]:
    """The heights of this many cells, from the number that `packed_heights` made of them."""
    fifths = packed >> 4 * cells if cells >= FIVE_BITS**2 else 0
    return [packed >> 4 * cell & 15 | (fifths >> cell & 1) << 4 for cell in range(cells)]


def clues_of(record: Record) -> list[int]:
    """The 4n clues, 0 for none, in the order of a clue line."""
    clues: list[int] = record["clues"][:, : int(record["size"])].ravel().tolist()
    return clues


def givens_of(record: Record) -> list[int]:
    """The n x n heights row by row, 0 if not given."""
    packed = int.from_bytes(record["start"].tobytes(), "little")
    return heights_in(packed, int(record["size"]) ** 2)


def towers_id(record: Record) -> str:
    """The grid as an id of Simon Tatham's Towers."""
    clues = "/".join(str(clue or "") for clue in clues_of(record))
    heights = givens_of(record)
    head = f"{record['size']}:{clues}"
    if not any(heights):
        return head
    parts: list[str] = []
    empty = 0
    for height in [*heights, 0]:
        if not height:
            empty += 1
            continue
        parts += [*_runs(empty), str(height)] if empty or not parts else ["_", str(height)]
        empty = 0
    return ",".join([head, "".join([*parts, *_runs(empty - 1)])])


def _runs(empty: int) -> list[str]:
    """The letters for a run of empty cells."""
    longest, rest = divmod(empty, LONGEST_RUN)
    return ["z"] * longest + [chr(ord("a") + rest - 1)] * (rest > 0)


# --- reading ----------------------------------------------------------------------------------


def _numbers_of_rows(board: Board) -> tuple[list[Number], list[Number]]:
    """The clues and the cells of a grid with the clues around it."""
    size = len(board.rows) - 2
    _check_size(board, size, board.first_line, f"This grid has {max(size, 0)} rows")
    table = []
    for place, row in enumerate(board.rows):
        edge = place in (0, size + 1)
        words = row.words()
        wanted = size if edge else size + 2
        if len(words) != wanted:
            column = words[wanted].column if len(words) > wanted else len(row.text.rstrip()) + 1
            what = (
                f"{size} clues" if edge else f"a clue, {size} cells and a clue, {size + 2} in all"
            )
            raise board.error(
                f"There are {len(words)} numbers; in a grid of {size} rows this line has {what} "
                "(. where there is none).",
                row.line,
                column,
            )
        inside = range(1, size + 1) if not edge else ()
        table.append(
            [
                _number(board, size, word, "height" if at in inside else "clue")
                for at, word in enumerate(words)
            ]
        )
    top, *middle, bottom = table
    left, right = [row[0] for row in middle], [row[-1] for row in middle]
    return [*top, *bottom, *left, *right], [cell for row in middle for cell in row[1:-1]]


def _is_clue_line(text: str) -> bool:
    words = _clue_texts(text)
    return len(words) > len(SIDES) and all(
        re.fullmatch(r"[0-9]*|[.A-G]", word.strip()) for word in words
    )


def _clue_pattern(text: str) -> str:
    """What matches the clues of a line; between two `/` there may be nothing."""
    return r"[^/\s]+" if re.search(r"\s", text.strip()) else r"(?:(?<=/)|^)[^/]*"


def _clue_texts(text: str) -> list[str]:
    """The clues without their places, which a line of any length may take."""
    return re.findall(_clue_pattern(text), text.rstrip())


def _numbers_of_clue_line(board: Board) -> list[Number]:
    line, text, first = board.rows[0]
    texts = _clue_texts(text)
    size, over = divmod(len(texts), len(SIDES))
    if over or not _is_clue_line(text):
        raise board.error(
            f"A grid in one line is four clues for each row; this has {len(texts)} words. Write "
            "the top, the bottom, the left and the right (. where there is none), or a Towers id.",
            line,
            text.rstrip().rfind(texts[-1]) + 1 if texts else 1,
        )
    _check_size(board, size, line, f"{len(texts)} clues are those of a grid of {size}")
    return [
        _number(board, size, Row(line, match[0].strip(), first + match.start()), "clue")
        for match in re.finditer(_clue_pattern(text), text.rstrip())
    ]


def _number(board: Board, size: int, word: Row, kind: str) -> Number:
    """A clue or a height that a grid of this size can have."""
    letters = CHARACTERS[: size + 1]
    if len(word.text) < 2 and word.text in letters:
        value = letters.index(word.text)
    else:
        ten = " (A to G are 10 to 16)" if size > 9 else ""
        rule = f"In a grid of {size} a {kind} is . for none or a number from 1 to {size}{ten}"
        value = board.number(word, 0, size, rule)
    return Number(value, word.line, word.column)


def _check_size(board: Board, size: int, line: int, found: str) -> None:
    if size not in SIZES:
        raise board.error(f"{found}; a grid has from {SIZES[0]} to {LARGEST} rows.", line)


def _check_givens(board: Board, size: int, cells: Sequence[Number]) -> None:
    """Reject a height that is given twice in a row or in a column."""
    for line in range(2 * size):
        row = line < size
        own = slice(line * size, (line + 1) * size) if row else slice(line - size, None, size)
        places: dict[int, tuple[int, Number]] = {}
        for position, cell in enumerate(cells[own], start=1):
            if not cell.value:
                continue
            if cell.value in places:
                first, there = places[cell.value]
                name, number = ("row", line + 1) if row else ("column", line - size + 1)
                other = "column" if row else "row"
                raise board.error(
                    f"The {cell.value} is given twice in {name} {number} of the grid, in {other} "
                    f"{first} (line {there.line}, column {there.column} of the text) and in "
                    f"{other} {position}.",
                    cell.line,
                    cell.column,
                )
            places[cell.value] = position, cell


# --- Towers ids -------------------------------------------------------------------------------


def _is_id(text: str) -> bool:
    return bool(re.fullmatch(r"\s*[0-9]+:[^:\\]*", text))


def _numbers_of_id(board: Board) -> tuple[list[Number], list[Number]]:
    """The clues and the cells of a Towers id; no cells if it has no givens."""
    line, text, _ = board.rows[0]
    if not _is_id(text):
        raise board.error("A Towers id begins with the size and a colon, such as '5:'.", line, 1)
    head, _, rest = text.rstrip().partition(":")
    sizes = f"The size that a Towers id begins with is from {SIZES[0]} to {LARGEST}"
    size = board.number(Row(line, head).words()[0], SIZES[0], LARGEST, sizes)
    clues, comma, givens = rest.partition(",")
    words, wanted = clues.split("/"), len(SIDES) * size
    column = len(head) + 2
    numbers = []
    for word in words[:wanted]:
        numbers.append(_number(board, size, Row(line, word, column), "clue"))
        column += len(word) + 1
    end = len(head) + 2 + len(clues)
    if len(words) != wanted:
        raise board.error(
            f"This Towers id has {len(words)} clues; a grid of {size} has {wanted}, "
            "with / between them and nothing where there is none.",
            line,
            end - len(words[-1]),
        )
    return numbers, _cells_of_id(board, size, Row(line, givens, end + 1)) if comma else []


def _cells_of_id(board: Board, size: int, row: Row) -> list[Number]:
    """The cells of the last part of a Towers id."""
    line, text, first = row
    cells: list[Number] = []
    for match in re.finditer(r"[0-9]+|.", text):
        word, column = match[0], first + match.start()
        if word[0] in digits:
            cells.append(_number(board, size, Row(line, word, column), "height"))
        elif "a" <= word <= "z":
            cells += [Number(0, line, column)] * (ord(word) - ord("a") + 1)
        elif word != "_":
            raise board.misfit(
                row,
                match.start(),
                "is not part of a Towers id; its givens are numbers, letters a to z for 1 to 26 "
                "empty cells, and _ between numbers.",
            )
        if len(cells) > size**2:
            raise board.error(
                f"This is beyond the last cell; a grid of {size} has {size**2}.", line, column
            )
    if len(cells) < size**2:
        raise board.error(
            f"The givens of this Towers id end after {len(cells)} cells; a grid of {size} has "
            f"{size**2}.",
            line,
            first + len(text),
        )
    return cells

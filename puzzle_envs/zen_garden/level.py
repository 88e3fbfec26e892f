"""Levels of Zen Puzzle Garden: text in and out, and the record used by the rules.

    ; name: two stones
    ; optimum: 4
    ; sideways-push: off
    ......
    .#..B.
    ..y...

`.` sand, `#` rock, `B` ornament, `y` `o` `r` yellow, orange, red leaf. The perimeter is implied.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.codec import Shape
from puzzle_envs.level import LevelFormat, Record, record_dtype
from puzzle_envs.text import Board
from puzzle_envs.zen_garden.codec import CHOICES, CODEC, faces_of

LARGEST = 16
"""The longest side of a board: row and column take four bits each in a state."""
CELLS = LARGEST * LARGEST
MONK_SHIFT = 53
"""Offset of the monk's place in the last word of a state."""

BITBOARDS = {
    "sand": ".yor",
    "rocks": "#",
    "ornaments": "B",
    "yellow": "y",
    "orange": "o",
    "red": "r",
}
"""The bitboards of a record, with their characters in level files."""

SWITCHES = {
    "sideways-push": True,
    "turning-out": True,
    "push-onto-leaf": False,
    "push-from-perimeter": False,
}
"""The switches of a board and their defaults."""

GARDEN = record_dtype(
    [
        ("width", np.int64),
        ("height", np.int64),
        ("entrances", np.int64),  # of the largest board in the set; choices on sand come after
        ("stride", np.int64),  # the length of a row in the planes: the widest board of the set
        ("plane", np.int64),  # the size of a plane
        ("area", np.int64),  # cells to rake at the start
        *((name.replace("-", "_"), np.int64) for name in SWITCHES),
        ("has_ornaments", np.int64),
        ("has_leaves", np.int64),
        ("doors", np.uint8, (4 * LARGEST,)),  # the cell behind each face
        ("thresholds", np.uint8, (4 * LARGEST,)),  # the same as 16 * row + column
        ("row", np.uint64),  # the cells of the first row and the first column in the first word
        ("column", np.uint64),
        ("edges", np.uint64, (4, CELLS // 64)),  # cells at the north, east, south, west edge
        *((name, np.uint64, (CELLS // 64,)) for name in BITBOARDS),
    ]
)


class GardenFormat(LevelFormat):
    """Reads and writes gardens."""

    puzzle = "zen_garden"
    id = "ZenGarden-v0"
    dtype = GARDEN
    codec = CODEC
    switches = frozenset(SWITCHES)

    def read(self, board: Board) -> Record:
        """The record of a board, or a LevelError with the place of the fault."""
        self._check(board)
        rows = [row.text for row in board.rows]
        height, width = len(rows), len(rows[0])
        cells = "".join(rows)
        record = np.zeros((), GARDEN)
        record["width"], record["height"] = width, height
        for key, default in SWITCHES.items():
            record[key.replace("-", "_")] = board.switch(key, default)
        for name, characters in BITBOARDS.items():
            record[name] = _bits(character in characters for character in cells)
        record["area"] = sum(cells.count(character) for character in BITBOARDS["sand"])
        record["has_ornaments"] = "B" in cells
        record["has_leaves"] = any(leaf in cells for leaf in "yor")
        for face, ((row, column), _) in enumerate(faces_of(height, width)):
            record["doors"][face] = row * width + column
            record["thresholds"][face] = 16 * row + column
        record["row"] = (1 << width) - 1
        record["column"] = sum(1 << cell for cell in range(0, min(width * height, 64), width))
        places = range(width * height)
        record["edges"] = [
            _bits(cell < width for cell in places),
            _bits(cell % width == width - 1 for cell in places),
            _bits(cell >= width * (height - 1) for cell in places),
            _bits(cell % width == 0 for cell in places),
        ]
        return record[()]

    def _check(self, board: Board) -> None:
        width = len(board.rows[0].text)
        if len(board.rows) > LARGEST or width > LARGEST:
            raise board.error(
                f"This board is {width} wide and {len(board.rows)} high; the largest is "
                f"{LARGEST} by {LARGEST}.",
                board.rows[0].line,
            )
        for row in board.rows:
            for column, character in enumerate(row.text):
                if character not in ".#Byor":
                    raise board.misfit(
                        row,
                        column,
                        "is not part of a garden; use . sand, # rock, B ornament, y o r leaves.",
                    )
            if len(row.text) != width:
                raise board.error(
                    f"This row has {len(row.text)} cells, the first row has {width}.",
                    row.line,
                    min(len(row.text), width) + 1,
                )
        if not any(character in BITBOARDS["sand"] for row in board.rows for character in row.text):
            raise board.error("This board has no sand to rake.", board.rows[0].line)

    def write(self, record: Record) -> list[str]:
        """Switch lines that differ from the default, then the rows."""
        lines = []
        for key, default in SWITCHES.items():
            if bool(record[key.replace("-", "_")]) != default:
                lines.append(f"; {key}: {'off' if default else 'on'}")
        height, width = int(record["height"]), int(record["width"])
        cells = ["."] * (height * width)
        for name in list(BITBOARDS)[1:]:
            for cell in range(height * width):
                if int(record[name][cell >> 6]) >> (cell & 63) & 1:
                    cells[cell] = BITBOARDS[name]
        return lines + ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]

    def words(self, record: Record) -> int:
        """Bitboards of sand and, if there are any, ornaments; one more word if they are full."""
        cells = int(record["width"] * record["height"])
        bitboards = 2 if record["has_ornaments"] else 1
        own_word = cells % 64 > MONK_SHIFT or cells % 64 == 0
        return bitboards * ((cells + 63) // 64) + own_word

    def shape(self, record: Record) -> Shape:
        """One action for each face and three for the choices on sand."""
        height, width = int(record["height"]), int(record["width"])
        return Shape(2 * (width + height) + len(CHOICES), height, width)

    def fit(self, records: np.ndarray, shape: Shape) -> None:
        """The largest board determines the numbers of the choices on sand, and the planes' size."""
        records["entrances"] = shape.actions - len(CHOICES)
        records["stride"] = shape.width
        records["plane"] = shape.width * shape.height

    def is_text(self, text: str) -> bool:
        """A single row of a board."""
        return bool(text) and all(character in ".#Byor" for character in text)


def _bits(flags: Any) -> np.ndarray:
    board = sum(1 << cell for cell, flag in enumerate(flags) if flag)
    return np.frombuffer(board.to_bytes(CELLS // 8, "little"), dtype=np.uint64)


FORMAT = GardenFormat()

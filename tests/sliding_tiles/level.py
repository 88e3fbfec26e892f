"""A board is rows of digits (A to F from ten on) and a dot, such as 123/456/7.8."""

from __future__ import annotations

import numpy as np

from puzzle_envs.codec import Shape
from puzzle_envs.level import LevelFormat, Record, record_dtype
from puzzle_envs.text import Board
from tests.sliding_tiles.codec import CODEC

TILES = record_dtype(
    [
        ("side", np.int64),
        ("start", np.uint64),  # four bits per cell, row by row from the lowest bits; 0 is the gap
        ("goal", np.uint64),
        ("beside", np.int8, (16, 4)),  # neighbours north, east, south, west; -1 if none
    ]
)


class TilesFormat(LevelFormat):
    puzzle = "sliding_tiles"
    id = "SlidingTiles-v0"
    dtype = TILES
    codec = CODEC

    def read(self, board: Board) -> Record:
        rows = [part for row in board.rows for part in row.text.split("/")]
        cells = [int(character, 16) for row in rows for character in row.replace(".", "0")]
        side = len(rows)
        if side not in (3, 4) or sorted(cells) != list(range(side * side)):
            raise board.error("A board has 3 by 3 or 4 by 4 different tiles and one gap.")
        goal = [*range(1, side * side), 0]
        record = np.zeros((), TILES)
        record["side"], record["start"], record["goal"] = side, _packed(cells), _packed(goal)
        for cell in range(side * side):
            record["beside"][cell] = _beside(side, cell)
        return record[()]

    def write(self, record: Record) -> list[str]:
        side, word = int(record["side"]), int(record["start"])
        text = "".join(f"{word >> 4 * cell & 15:X}" for cell in range(side * side))
        text = text.replace("0", ".")
        return [text[row * side : (row + 1) * side] for row in range(side)]

    def words(self, record: Record) -> int:
        return 1

    def shape(self, record: Record) -> Shape:
        return Shape(4, int(record["side"]), int(record["side"]))

    def fit(self, records: np.ndarray, shape: Shape) -> None:
        if len(set(records["side"].tolist()) | {shape.width}) > 1:
            raise ValueError("All boards of a set have the same side.")

    def is_text(self, text: str) -> bool:
        return "/" in text and set(text) <= set("123456789ABCDEF./")


def _packed(cells: list[int]) -> int:
    return sum(tile << 4 * cell for cell, tile in enumerate(cells))


def _beside(side: int, cell: int) -> list[int]:
    row, column = divmod(cell, side)
    places = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
    return [
        row * side + column if 0 <= row < side and 0 <= column < side else -1
        for row, column in places
    ]


FORMAT = TilesFormat()

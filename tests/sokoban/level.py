"""Floors in the usual characters: # wall, $ box, . goal, @ player, * and + on a goal."""

from __future__ import annotations

import numpy as np

from puzzle_envs.codec import Shape
from puzzle_envs.level import LevelFormat, Record, record_dtype
from puzzle_envs.text import Board
from tests.sokoban.codec import CODEC

CELLS, MOST_BOXES = 128, 8
FLOOR = record_dtype(
    [
        ("height", np.int64),
        ("width", np.int64),
        ("boxes", np.int64),
        ("floor", np.uint64, (2,)),  # bits of cells, row by row
        ("goals", np.uint64, (2,)),
        ("start", np.uint64, (2,)),  # the boxes
        ("player", np.int64),
    ]
)
MARKS = {
    "#": "",
    " ": "floor",
    ".": "floor goals",
    "$": "floor start",
    "*": "floor goals start",
    "@": "floor player",
    "+": "floor goals player",
}


class SokobanFormat(LevelFormat):
    puzzle = "sokoban"
    id = "Sokoban-v0"
    dtype = FLOOR
    codec = CODEC

    def read(self, board: Board) -> Record:
        height, width = len(board.rows), max(len(row.text) for row in board.rows)
        if height * width > CELLS:
            raise board.error(f"A floor has at most {CELLS} cells.")
        found: dict[str, set[int]] = {name: set() for name in ("floor", "goals", "start", "player")}
        for number, row in enumerate(board.rows):
            for column, mark in enumerate(row.text):
                if mark not in MARKS:
                    raise board.misfit(row, column, f"is none of {' '.join(MARKS)}.")
                for name in MARKS[mark].split():
                    found[name].add(number * width + column)
        boxes = len(found["start"])
        if len(found["player"]) != 1 or not 1 <= boxes <= MOST_BOXES:
            raise board.error(f"A floor has one player and 1 to {MOST_BOXES} boxes.")
        if len(found["goals"]) != boxes:
            raise board.error("A floor has a goal for each box.")
        for cell in found["floor"]:
            if cell // width in (0, height - 1) or cell % width in (0, width - 1):
                raise board.error("All cells at the edge are walls.")
        record = np.zeros((), FLOOR)
        record["height"], record["width"], record["boxes"] = height, width, boxes
        record["player"] = next(iter(found["player"]))
        for name in ("floor", "goals", "start"):
            total = sum(1 << cell for cell in found[name])
            record[name] = total & 2**64 - 1, total >> 64
        return record[()]

    def write(self, record: Record) -> list[str]:
        height, width = int(record["height"]), int(record["width"])
        bits = {
            name: int(record[name][0]) | int(record[name][1]) << 64
            for name in ("floor", "goals", "start")
        } | {"player": 1 << int(record["player"])}
        marks = {names: mark for mark, names in MARKS.items()}
        text = "".join(
            marks[" ".join(name for name in bits if bits[name] >> cell & 1)]
            for cell in range(height * width)
        )
        return [text[row * width : (row + 1) * width] for row in range(height)]

    def words(self, record: Record) -> int:
        return 3

    def shape(self, record: Record) -> Shape:
        height, width = int(record["height"]), int(record["width"])
        return Shape(4 * height * width, height, width)

    def fit(self, records: np.ndarray, shape: Shape) -> None:
        sizes = {(int(one["height"]), int(one["width"])) for one in records}
        if sizes != {(shape.height, shape.width)}:
            raise ValueError("All floors of a set have the same size.")

    def is_text(self, text: str) -> bool:
        return "#" in text


FORMAT = SokobanFormat()

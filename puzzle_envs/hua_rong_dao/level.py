"""Levels of Hua Rong Dao, and the record used by the rules; layout.py has their text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_letters

import numpy as np

from puzzle_envs.codec import Shape
from puzzle_envs.common.arguments import flag
from puzzle_envs.hua_rong_dao.codec import CODEC
from puzzle_envs.hua_rong_dao.layout import (
    LARGEST,
    STANDARD,
    STANDARD_GOAL,
    STANDARD_HEIGHT,
    STANDARD_WIDTH,
    Layout,
    Piece,
    fault_in_line,
    layout_of,
    standard_text,
)
from puzzle_envs.level import Level, LevelFormat, Record, record_dtype
from puzzle_envs.text import Board

CELLS = LARGEST * LARGEST
SHAPES = 15
"""Maximum number of different shapes in the largest box, plus the goal piece."""
LAST_SHIFT = 55
"""Offset of the block that moved last in the last word of a state."""

METRICS = ("move", "straight", "step")
"""Definitions of a move: one block any path, one block straight, one block one cell."""

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


class BoxFormat(LevelFormat):
    """Reads and writes layouts; its metric decides what a move is."""

    puzzle = "hua_rong_dao"
    id = "HuaRongDao-v0"
    dtype = BOX
    codec = CODEC
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
        """The rule of the one-line notation that a string nearly follows."""
        return fault_in_line(text)[0]

    def read(self, board: Board) -> Record:
        """The record of a layout, or a LevelError with the cell at fault."""
        return self.pack(layout_of(board))

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
        """Five rows of the 4 by 5 box, or letters with their goal."""
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
        """Consecutive bitboards of all shapes; one more word if they leave no room."""
        bits = int(record["shapes"] * record["width"] * record["height"])
        own_word = bits % 64 > LAST_SHIFT or bits % 64 == 0
        return -(-bits // 64) + own_word

    def shape(self, record: Record) -> Shape:
        """Four actions for each cell of the box."""
        height, width = int(record["height"]), int(record["width"])
        return Shape(4 * width * height, height, width)

    def joint_shape(self, shapes: Sequence[Shape]) -> Shape:
        """Actions number the cells of the smallest box that fits all."""
        height = max(shape.height for shape in shapes)
        width = max(shape.width for shape in shapes)
        return Shape(4 * width * height, height, width)

    def fit(self, records: np.ndarray, shape: Shape) -> None:
        """Cells are numbered in the widest box; the metric is the format's."""
        records["stride"] = shape.width
        records["plane"] = shape.width * shape.height
        records["metric"] = METRICS.index(self.metric)


def _is_standard(record: Record) -> bool:
    """Whether the 20 characters can express it: their pieces, one 2x2, and the usual goal."""
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
    """The pieces of a level in their initial places, in reading order."""
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
    """Cells of a block in the upper left corner: all, and those that continue each way."""
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


FORMAT = BoxFormat()

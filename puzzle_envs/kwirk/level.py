"""Levels of Kwirk: text in and out, and the record used by the rules.

    ##########
    #   ^    #
    # 1a*OO %#
    #  a     #
    ##########

`#` wall, space floor, `O` hole, `%` the exit, `1` to `4` characters, a letter for each block (`a`
to `z` and `A` to `W`, without the `O`; all of its cells together are a rectangle), `*` the pivot of
a turnstile and `^` `>` backtick `<` its arms that lie up, right, down, left of it. A line
`HOLE_UNDER x y` after the rows: a hole lies under the block or the arm there, column and row
counted from 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from string import ascii_letters
from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.codec import Shape
from puzzle_envs.common.arguments import flag
from puzzle_envs.kwirk.codec import KEYS, PUSHES, STEPS, SWITCH
from puzzle_envs.level import LevelFormat, Record, record_dtype
from puzzle_envs.text import Board, Row

LARGEST = 32
"""The longest side of a board."""
CELLS = LARGEST * LARGEST
CHARACTERS, BLOCKS, TURNSTILES = 4, 48, 32
"""Limits; as many bytes as there are blocks fill whole words of a record."""

PLACE_BITS, PLACES = 10, 6
"""Bits of a cell in a state, and cells per word."""
PIECES = -(-(CHARACTERS + BLOCKS) // PLACES) * PLACES
"""Places in the words of the largest state."""
ACTIVE_SHIFT = PLACE_BITS * PLACES
"""Offset of the active character in the first word, above the cells."""
HOLES_WORD = (CHARACTERS + BLOCKS) // PLACES + 1
"""Words of cells and turnstiles in the largest state; filled holes follow."""
LONGEST = HOLES_WORD + CELLS // 64

LETTERS = ascii_letters.replace("O", "")[:BLOCKS]
ARMS = "^>`<"
HOLE_UNDER = "HOLE_UNDER"

_FIELDS: tuple[tuple[Any, ...], ...] = (
    ("width", np.int64),
    ("height", np.int64),
    ("stride", np.int64),  # the length of a row in actions and planes: the widest board's
    ("plane", np.int64),  # the size of a plane
    ("strides", np.int64),  # whether a whole move is a walk and a push (strides.py)
    ("words", np.int64),  # of a bitboard of this floor
    ("characters", np.int64),  # how many there are
    ("blocks", np.int64),
    ("turnstiles", np.int64),
    ("exit", np.int64),
    ("bits_word", np.int64),  # where turnstiles begin in a state; filled holes come after
    ("everyone", np.uint64),  # the bits of the characters' cells in the first word
    ("ways", np.int64, (4,)),  # from a cell to the next one up, right, down, left
    ("away", np.uint8, (CELLS,)),  # rows and columns from each cell to the exit; 0 off board
    ("ground", np.uint64, (CELLS // 64,)),  # every cell that is no wall
    ("solid", np.uint64, (CELLS // 64,)),  # walls, pivots, the exit: what stops blocks and arms
    ("holes", np.uint64, (CELLS // 64,)),  # those at the start
    ("hole_cells", np.uint16, (CELLS,)),  # the same in order: a hole's number is its bit
    ("widths", np.int64, (BLOCKS,)),  # of blocks, those of one size together
    ("heights", np.int64, (BLOCKS,)),
    ("bodies", np.uint64, (PIECES,)),  # by place: a block in the corner, if one word has all
    ("letters", np.uint8, (BLOCKS,)),
    ("pivots", np.int64, (TURNSTILES,)),
    ("arms", np.int64, (TURNSTILES,)),  # one bit each: up, right, down, left
    ("turns", np.int64, (TURNSTILES,)),  # quarter turns after which it looks the same, less 1
    ("start", np.uint64, (LONGEST,)),
)

FLOOR = record_dtype([*_FIELDS, ("keys", np.int64)])
FLOOR_BY_KEYS = record_dtype([*_FIELDS, ("keys", np.uint64)])
"""Whether actions are the game's keys, and moves its steps. Rules are selected by the type of a
level, so there are two types of equal size, one for each kind of actions."""


class Block(NamedTuple):
    """A block of a text, ordered by size."""

    width: int
    height: int
    row: int
    column: int
    letter: str


class FloorFormat(LevelFormat):
    """Reads and writes floors; `keys` determines actions and the unit of moves."""

    puzzle = "kwirk"
    remarks = frozenset({"solution"})
    optimum_keys = ("pushes", "steps")

    def __init__(self, *, keys: bool = False) -> None:
        """Create a format for play by pushes, or by the game's keys."""
        self.keys = flag("keys", keys)
        self.dtype = FLOOR_BY_KEYS if self.keys else FLOOR
        self.id = "KwirkSteps-v0" if keys else "Kwirk-v0"
        self.codec = KEYS if keys else PUSHES
        self.optimum_key = self.codec.counts[0]

    # --- reading ------------------------------------------------------------------------------

    def is_text(self, text: str) -> bool:
        """A floor never fits into one row."""
        return False

    def read(self, board: Board) -> Record:
        """The record of a floor, or a LevelError with the place of the fault."""
        return _Reader(board, keys=self.keys).record()

    # --- writing and measuring ----------------------------------------------------------------

    def write(self, record: Record) -> list[str]:
        """The rows, and a line for each hole under something."""
        width, height = int(record["width"]), int(record["height"])
        grid = [[" "] * width for _ in range(height)]
        holes = _cells(record["holes"])
        ground = set(_cells(record["ground"]))
        for cell in range(width * height):
            if cell not in ground:
                grid[cell // width][cell % width] = "#"
        for cell in holes:
            grid[cell // width][cell % width] = "O"
        exit_row, exit_column = divmod(int(record["exit"]), width)
        grid[exit_row][exit_column] = "%"
        under = []
        for row, column, character in _things(record):
            if grid[row][column] == "O":
                under.append((row, column))
            grid[row][column] = character
        rows = ["".join(row) for row in grid]
        return rows + [f"{HOLE_UNDER} {column} {row}" for row, column in sorted(under)]

    def words(self, record: Record) -> int:
        """Cells of characters and blocks, two bits per turnstile, one bit per hole."""
        bits = 2 * int(record["turnstiles"]) + len(_cells(record["holes"]))
        return int(record["bits_word"]) + (bits + 63) // 64

    def shape(self, record: Record) -> Shape:
        """Four pushes from each cell, and walks aside if there are several characters."""
        height, width = int(record["height"]), int(record["width"])
        return Shape(SWITCH + 1 if self.keys else _choices(record) * height * width, height, width)

    def joint_shape(self, shapes: Sequence[Shape]) -> Shape:
        """Actions for the largest board and the most characters."""
        actions, height, width = super().joint_shape(shapes)
        if not self.keys:
            choices = max(shape.actions // (shape.height * shape.width) for shape in shapes)
            actions = choices * height * width
        return Shape(actions, height, width)

    def fit(self, records: np.ndarray, shape: Shape) -> None:
        """The widest board determines the row length of actions and planes."""
        records["stride"] = shape.width
        records["plane"] = shape.width * shape.height


def _choices(record: Record) -> int:
    characters = int(record["characters"])
    return 4 + (characters if characters > 1 else 0)


def _cells(words: np.ndarray) -> list[int]:
    """The cells of a bitboard, in order."""
    bits = int.from_bytes(words.tobytes(), "little")
    cells = []
    while bits:
        cells.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return cells


def _words(cells: Iterable[int], count: int = CELLS // 64) -> np.ndarray:
    bits = sum(1 << cell for cell in set(cells))
    return np.frombuffer(bits.to_bytes(8 * count, "little"), np.uint64)


def place_of(index: int) -> tuple[int, int]:
    """The word and the bit offset of the cell of a character or, after those, of a block."""
    return index // PLACES, PLACE_BITS * (index % PLACES)


def _things(record: Record) -> Iterable[tuple[int, int, str]]:
    """Row, column and character of everything on a floor at the start."""
    width, characters = int(record["width"]), int(record["characters"])

    def placed(index: int) -> tuple[int, int]:
        word, shift = place_of(index)
        return divmod(int(record["start"][word]) >> shift & CELLS - 1, width)

    for index in range(characters):
        yield *placed(index), str(index + 1)
    for index in range(int(record["blocks"])):
        row, column = placed(characters + index)
        for down in range(int(record["heights"][index])):
            for right in range(int(record["widths"][index])):
                yield row + down, column + right, chr(record["letters"][index])
    for index in range(int(record["turnstiles"])):
        row, column = divmod(int(record["pivots"][index]), width)
        yield row, column, "*"
        for direction, (down, right) in enumerate(STEPS):
            if int(record["arms"][index]) >> direction & 1:
                yield row + down, column + right, ARMS[direction]


class _Reader:
    """Parses one text to a record."""

    def __init__(self, board: Board, *, keys: bool) -> None:
        self._board, self._keys = board, keys
        self._rows = [row for row in board.rows if not row.text.startswith(HOLE_UNDER)]
        self._under = [row for row in board.rows if row.text.startswith(HOLE_UNDER)]
        self._check_frame()
        self._width, self._height = len(self._rows[0].text), len(self._rows)
        self._at = {
            (row, column): character
            for row, line in enumerate(self._rows)
            for column, character in enumerate(line.text)
        }
        self._cells_of: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, character in self._at.items():
            self._cells_of[character].append(place)

    def _fault(self, message: str, row: int, column: int) -> Exception:
        return self._board.error(message, self._rows[row].line, column + 1)

    # --- checks -------------------------------------------------------------------------------

    def _check_frame(self) -> None:
        """The size, the characters used, and walls all around."""
        if not self._rows:
            raise self._board.error("There is no floor above this line.")
        width, height = len(self._rows[0].text), len(self._rows)
        if max(width, height) > LARGEST or min(width, height) < 3:
            raise self._fault(
                f"This floor is {width} wide and {height} high; sides are from 3 to {LARGEST}.",
                0,
                0,
            )
        for row, line in enumerate(self._rows):
            if len(line.text) != width:
                column = min(len(line.text), width)
                raise self._fault(
                    f"This row has {len(line.text)} cells, the first row has {width}.", row, column
                )
            for column, character in enumerate(line.text):
                self._check_cell(row, column, character, width, height)

    def _check_cell(self, row: int, column: int, character: str, width: int, height: int) -> None:
        if character not in "# O%1234*" + ARMS + LETTERS:
            raise self._board.misfit(
                self._rows[row],
                column,
                "is not part of a floor; use # wall, space, O hole, % exit, 1 to 4 characters, "
                "a to z and A to W (not O) blocks, * pivot, ^ > ` < arms.",
            )
        at_edge = row in (0, height - 1) or column in (0, width - 1)
        if at_edge and character != "#":
            raise self._fault("The floor is open here; walls must enclose it.", row, column)

    def _exit(self) -> tuple[int, int]:
        exits = self._cells_of["%"]
        if not exits:
            raise self._fault("There is no exit; draw it as %.", 0, 0)
        if len(exits) > 1:
            raise self._fault("This is a second exit; a floor has one.", *exits[1])
        return exits[0]

    def _characters(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for number in range(1, CHARACTERS + 1):
            places = self._cells_of[str(number)]
            if len(places) > 1:
                raise self._fault(f"Character {number} is here a second time.", *places[1])
            if places and len(found) < number - 1:
                raise self._fault(
                    f"Character {number} is here, but character {len(found) + 1} is missing.",
                    *places[0],
                )
            found += places
        if not found:
            raise self._fault("There is no character; draw the first as 1.", 0, 0)
        return found

    def _blocks(self) -> list[Block]:
        blocks = []
        for letter in LETTERS:
            cells = self._cells_of[letter]
            if not cells:
                continue
            top, left = min(cells)[0], min(column for _, column in cells)
            bottom, right = max(cells)[0], max(column for _, column in cells)
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    if self._at[row, column] != letter:
                        raise self._fault(
                            f"Block {letter} is not a solid rectangle: "
                            f"'{self._at[row, column]}' is inside it.",
                            row,
                            column,
                        )
            blocks.append(Block(right - left + 1, bottom - top + 1, top, left, letter))
        return sorted(blocks)

    def _turnstiles(self) -> list[tuple[int, int, int]]:
        """Row, column and arms of each."""
        arms: dict[tuple[int, int], int] = dict.fromkeys(self._cells_of["*"], 0)
        for direction, (down, right) in enumerate(STEPS):
            for row, column in self._cells_of[ARMS[direction]]:
                pivot = row - down, column - right
                if pivot not in arms:
                    raise self._fault(
                        f"The arm {ARMS[direction]} has no pivot; * belongs at row "
                        f"{pivot[0] + 1}, column {pivot[1] + 1} of the floor.",
                        row,
                        column,
                    )
                arms[pivot] |= 1 << direction
        for pivot, found in arms.items():
            if not found:
                raise self._fault("This pivot has no arm.", *pivot)
        if len(arms) > TURNSTILES:
            raise self._fault(
                f"This is one turnstile too many; there is room for {TURNSTILES}.",
                *list(arms)[TURNSTILES],
            )
        return [(*pivot, found) for pivot, found in arms.items()]

    def _holes(self) -> set[tuple[int, int]]:
        holes = set(self._cells_of["O"])
        for line in self._under:
            holes.add(self._hole_under(line))
        return holes

    def _hole_under(self, line: Row) -> tuple[int, int]:
        head, *places = line.words()
        if len(places) != 2 or head.text != HOLE_UNDER:
            raise self._board.error(f"This line must be '{HOLE_UNDER} column row'.", line.line)
        column, row = (
            self._board.number(
                place, 0, size - 1, f"A {name} of this floor must be a number from 0 to {size - 1}"
            )
            for name, place, size in zip(
                ("column", "row"), places, (self._width, self._height), strict=True
            )
        )
        lying = self._at.get((row, column), "")
        if not lying or lying not in ARMS + LETTERS:
            raise self._board.error(
                f"No block or arm is at column {column}, row {row} (counted from 0) to have a "
                "hole under it.",
                line.line,
            )
        return row, column

    # --- packing ------------------------------------------------------------------------------

    def _cell(self, row: int, column: int) -> int:
        return row * self._width + column

    def record(self) -> Record:
        exit_row, exit_column = self._exit()
        characters, blocks = self._characters(), self._blocks()
        turnstiles, holes = self._turnstiles(), self._holes()
        for block in blocks:
            self._check_ground(block, holes)
        record = np.zeros((), FLOOR_BY_KEYS if self._keys else FLOOR)
        record["width"], record["height"] = self._width, self._height
        record["keys"] = self._keys
        record["words"] = (self._width * self._height + 63) // 64
        record["characters"], record["blocks"] = len(characters), len(blocks)
        record["turnstiles"] = len(turnstiles)
        record["exit"] = self._cell(exit_row, exit_column)
        record["bits_word"] = (len(characters) + len(blocks) + PLACES - 1) // PLACES
        record["everyone"] = (1 << PLACE_BITS * len(characters)) - 1
        record["ways"] = (-self._width, 1, self._width, -1)
        ground = [place for place, found in self._at.items() if found != "#"]
        for row, column in ground:
            away = abs(row - exit_row) + abs(column - exit_column)
            record["away"][self._cell(row, column)] = away
        record["ground"] = self._bitboard(ground)
        pivots = [(row, column) for row, column, _ in turnstiles]
        record["solid"] = self._bitboard(
            [*(set(self._at) - set(ground)), *pivots, (exit_row, exit_column)]
        )
        record["holes"] = self._bitboard(holes)
        for number, hole in enumerate(sorted(holes)):
            record["hole_cells"][number] = self._cell(*hole)
        for number, block in enumerate(blocks):
            record["widths"][number], record["heights"][number] = block.width, block.height
            record["letters"][number] = ord(block.letter)
            row = (1 << block.width) - 1
            body = sum(row << self._cell(down, 0) for down in range(block.height))
            if record["words"] == 1:
                record["bodies"][len(characters) + number] = body
        for number, (row, column, arms) in enumerate(turnstiles):
            record["pivots"][number], record["arms"][number] = self._cell(row, column), arms
            record["turns"][number] = {0b1111: 0, 0b0101: 1, 0b1010: 1}.get(arms, 3)
        places = characters + [(block.row, block.column) for block in blocks]
        for index, place in enumerate(places):
            word, shift = place_of(index)
            record["start"][word] |= np.uint64(self._cell(*place) << shift)
        return record[()]

    def _check_ground(self, block: Block, holes: set[tuple[int, int]]) -> None:
        under = {
            (row, column)
            for row in range(block.row, block.row + block.height)
            for column in range(block.column, block.column + block.width)
        }
        if under <= holes:
            raise self._fault(
                f"Block {block.letter} lies only over holes, so it would fall.",
                block.row,
                block.column,
            )

    def _bitboard(self, places: Iterable[tuple[int, int]]) -> np.ndarray:
        return _words(self._cell(*place) for place in places)


FORMAT = FloorFormat()

"""The rules of Skyscraper in slow, plain Python: the twin that proves the fast kernels.

The numbers in the comments are those of the rules:

 1. The grid is n x n; a building has a height from 1 to n, and a cell may be empty.
 2. No height stands twice in a row or in a column.
 3. A clue at an end of a line says how many buildings are seen from there; no clue says nothing.
 4. A building is hidden by any before it that is as high or higher; an empty cell is not seen and
    hides nothing.
 5. An action writes one value into one cell: `(row * N + column) * N + (value - 1)`, N the size of
    the largest grid of the set.
 6. Not legal: to write beyond this grid or above its n, over a given, or the value that is there.
 7. With the mask "consistent" only values that stand nowhere else in the row and the column are
    legal, unless that leaves nothing: then it is as with the mask "writes". With the mask "empty"
    only those of them that go into empty cells, unless that leaves nothing: then it is as with
    the mask "consistent".
 8. Every write costs 1.
 9. Fitness: minus one for each cell that repeats a height already met in its row, and again in its
    column; minus one for each empty cell in either scan; minus one for each clue not met.
10. Solved at fitness 0. Nothing is legal any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import Literal

from tests.walks import as_planes

Cell = tuple[int, int]
Mask = Literal["writes", "consistent", "empty"]
Clues = tuple[int, ...]
Grid = tuple[tuple[int, ...], ...]

MASKS: tuple[Mask, ...] = ("writes", "consistent", "empty")

EMPTY = 0
CHARACTERS = ".123456789ABCDEFG"


def seen(line: Sequence[int]) -> int:
    """How many buildings are seen from the beginning of a line (rule 4)."""
    return sum(
        height != EMPTY and all(height > before for before in line[:position])
        for position, height in enumerate(line)
    )


@dataclass
class Twin:
    """One position of one grid.

    The clues are 0 where there is none, those of the top and the bottom from left to right, those
    of the left and the right from top to bottom. `largest` is the N that actions count with.
    """

    size: int
    largest: int
    mask: Mask
    top: Clues
    bottom: Clues
    left: Clues
    right: Clues
    givens: dict[Cell, int]
    values: dict[Cell, int]

    @classmethod
    def from_rows(
        cls, rows: Sequence[str], *, mask: Mask = "writes", largest: int | None = None
    ) -> Twin:
        """The starting position of a level.

        Args:
            rows: The rows of the level text, the clues around the grid, columns two characters
                apart; spaces at the end may be missing.
            mask: Which writes are legal: one of MASKS.
            largest: Size of the largest grid of the set, this grid's own by default.
        """
        size = len(rows) - 2
        largest = size if largest is None else largest
        table = [_numbers(line, size) for line in rows]
        givens = {
            (row, column): table[row + 1][column + 1]
            for row, column in cells(size)
            if table[row + 1][column + 1] != EMPTY
        }
        return cls(
            size=size,
            largest=largest,
            mask=mask,
            top=tuple(table[0][1:-1]),
            bottom=tuple(table[-1][1:-1]),
            left=tuple(line[0] for line in table[1:-1]),
            right=tuple(line[-1] for line in table[1:-1]),
            givens=givens,
            values=dict(givens),
        )

    def value(self, cell: Cell) -> int:
        """The height of the building in a cell, 0 where none stands."""
        return self.values.get(cell, EMPTY)

    def grid(self) -> Grid:
        """The heights, row by row."""
        return tuple(
            tuple(self.value((row, column)) for column in range(self.size))
            for row in range(self.size)
        )

    @property
    def clues(self) -> list[tuple[int, int]]:
        """Each clue there is, with the number of buildings that are seen from it now."""
        return [(clue, seen(line)) for clue, line in self._lines() if clue]

    @property
    def met(self) -> int:
        """How many clues are met (rule 3)."""
        return sum(clue == number for clue, number in self.clues)

    @property
    def fitness(self) -> int:
        """Rule 9: 0 when solved, less otherwise."""
        grid = self.grid()
        lines = [*grid, *zip(*grid, strict=True)]
        # In each line every empty cell counts, and every cell but the first of its height.
        faults: int = sum(
            height == EMPTY or height in line[:position]
            for line in lines
            for position, height in enumerate(line)
        )
        return -faults - (len(self.clues) - self.met)

    @property
    def solved(self) -> bool:
        """Rule 10, said in the words of the rules 1 to 3."""
        grid = self.grid()
        heights = set(range(1, self.size + 1))
        latin = all(set(line) == heights for line in (*grid, *zip(*grid, strict=True)))
        return latin and all(clue == number for clue, number in self.clues)

    @property
    def lost(self) -> bool:
        """Whether nothing can be written in an unsolved grid: all of it is given."""
        return not self.solved and not self.legal()

    def legal(self) -> list[int]:
        """The legal actions, in ascending order."""
        if self.solved:
            return []  # Rule 10.
        writes = [
            (cell, value)
            for cell in cells(self.size)
            for value in range(1, self.size + 1)
            if cell not in self.givens and value != self.value(cell)  # Rule 6.
        ]
        if self.mask != "writes":
            # Rule 7.
            writes = [write for write in writes if self._is_free(*write)] or writes
        if self.mask == "empty":
            writes = [
                (cell, value)
                for cell, value in writes
                if cell not in self.values and self._is_free(cell, value)
            ] or writes
        return sorted(self.action(cell, value) for cell, value in writes)

    def mask_of_actions(self) -> list[int]:
        """For every action, 1 if it is legal and 0 if not."""
        legal = set(self.legal())
        return [int(action in legal) for action in range(self.largest**3)]

    def action(self, cell: Cell, value: int) -> int:
        """The number of the action that writes a value into a cell (rule 5)."""
        return (cell[0] * self.largest + cell[1]) * self.largest + value - 1

    def act(self, action: int) -> int:
        """Take a legal action and return what it costs.

        Raises:
            ValueError: The action is illegal; the position is unchanged.
        """
        if action not in self.legal():
            raise ValueError(f"Action {action} is illegal here; choose one of {self.legal()}.")
        place, value = divmod(action, self.largest)
        self.values[divmod(place, self.largest)] = value + 1
        return 1  # Rule 8.

    def planes(self) -> list[list[list[int]]]:
        """The position as 2 + 5N planes of 0 and 1, N x N, with zeros beyond a smaller grid.

        The planes are grid, given, the heights 1 to N, and the clues 1 to N of the top, the
        bottom, the left and the right, on every cell of their line.
        """
        numbers = range(1, self.largest + 1)
        own = set(cells(self.size))
        layers = [own, set(self.givens)]
        layers += [{cell for cell in own if self.value(cell) == number} for number in numbers]
        for clues in (self.top, self.bottom):
            layers += [{cell for cell in own if clues[cell[1]] == number} for number in numbers]
        for clues in (self.left, self.right):
            layers += [{cell for cell in own if clues[cell[0]] == number} for number in numbers]
        return as_planes(layers, self.largest, self.largest)

    def rows(self) -> list[str]:
        """The position as text, written as `from_rows` reads it."""
        middle = [
            [first, *line, last]
            for first, line, last in zip(self.left, self.grid(), self.right, strict=True)
        ]
        lines = [
            [" ", *(CHARACTERS[clue] for clue in self.top)],
            *([CHARACTERS[number] for number in line] for line in middle),
            [" ", *(CHARACTERS[clue] for clue in self.bottom)],
        ]
        return [" ".join(line) for line in lines]

    def key(self) -> Grid:
        """The position as a value to hash and compare, equal for equal positions of one level."""
        return self.grid()

    def copy(self) -> Twin:
        """A position of its own, equal to this one."""
        return replace(self, givens=dict(self.givens), values=dict(self.values))

    def solutions(self) -> list[Grid]:
        """Every grid with these givens that solves the level, in order, whatever is written."""
        found = []
        for grid in latin_squares(self.size):
            filled = self.copy()
            filled.values = {(row, column): grid[row][column] for row, column in cells(self.size)}
            if filled.solved and all(
                filled.value(cell) == value for cell, value in self.givens.items()
            ):
                found.append(grid)
        return found

    def _is_free(self, cell: Cell, value: int) -> bool:
        """Whether a value stands nowhere else in the row and the column of a cell."""
        return all(
            self.value(other) != value
            for other in cells(self.size)
            if other != cell and (other[0] == cell[0] or other[1] == cell[1])
        )

    def _lines(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Each end of a line: its clue, and the heights as they stand from there."""
        rows = self.grid()
        columns = tuple(zip(*rows, strict=True))
        for lines, near, far in ((columns, self.top, self.bottom), (rows, self.left, self.right)):
            for line, first, last in zip(lines, near, far, strict=True):
                yield first, line
                yield last, line[::-1]


@cache
def cells(size: int) -> tuple[Cell, ...]:
    """The cells of a grid, row by row."""
    return tuple((row, column) for row in range(size) for column in range(size))


@cache
def latin_squares(size: int) -> tuple[Grid, ...]:
    """All fillings without a height twice in a row or a column, in order."""
    grids: list[Grid] = [()]
    for _ in range(size):
        grids = [
            (*grid, row)
            for grid in grids
            for row in permutations(range(1, size + 1))
            if all(row[column] != above[column] for above in grid for column in range(size))
        ]
    return tuple(grids)


def _numbers(line: str, size: int) -> list[int]:
    """The numbers of a row of text, one for each column, the clues included."""
    characters = line.ljust(2 * size + 3)[::2]
    return [EMPTY if one == " " else CHARACTERS.index(one) for one in characters]

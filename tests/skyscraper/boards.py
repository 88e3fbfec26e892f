"""Random levels and random play for hypothesis tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.skyscraper.twin import (
    CHARACTERS,
    EMPTY,
    MASKS,
    Clues,
    Grid,
    Mask,
    Twin,
    cells,
    latin_squares,
    seen,
)


@dataclass(frozen=True)
class Board:
    """The rows of a level text, a mask, and a square that the givens are taken from.

    The square solves the level only if no clue was drawn at random.
    """

    rows: tuple[str, ...]
    mask: Mask
    square: Grid

    @property
    def size(self) -> int:
        """Number of rows and columns."""
        return len(self.rows) - 2

    @property
    def text(self) -> str:
        """The level as a file holds it."""
        return "\n".join(self.rows) + "\n"

    def twin(self, largest: int | None = None) -> Twin:
        """The starting position; `largest` as in `Twin.from_rows`."""
        return Twin.from_rows(self.rows, mask=self.mask, largest=largest)


def masks() -> st.SearchStrategy[Mask]:
    """Every mask."""
    return st.sampled_from(MASKS)


@st.composite
def squares(draw: st.DrawFn, size: int) -> Grid:
    """Latin squares: every one of the small ones, and larger ones row by row."""
    if size <= 4:
        return draw(st.sampled_from(latin_squares(size)), label="square")
    heights = range(1, size + 1)
    orders = draw(
        st.lists(st.permutations(heights), min_size=size, max_size=size), label="orders to try"
    )
    rows: list[tuple[int, ...]] = []
    for order in orders:
        # Any Latin rectangle can be completed, so no row is ever without a filling.
        free = [[h for h in order if all(row[c] != h for row in rows)] for c in range(size)]
        rows.append(next(_fillings(free, ())))
    return tuple(rows)


@st.composite
def boards(draw: st.DrawFn, min_size: int = 3, max_size: int = 6, solvable: bool = False) -> Board:
    """Levels with all clues, some or none, and with none to all cells given.

    Args:
        draw: Supplied by hypothesis.
        min_size: Fewest rows.
        max_size: Most rows.
        solvable: Whether all clues are those of a square; if not, some may be any number.
    """
    size = draw(st.integers(min_size, max_size), label="size")
    square = draw(squares(size))
    columns = tuple(zip(*square, strict=True))
    kept_in_ten = draw(st.sampled_from((10, 7, 3, 0)), label="clues kept among ten")
    random_in_ten = 0 if solvable else draw(st.sampled_from((0, 1, 5)), label="random among ten")

    def clues(lines: Iterable[tuple[int, ...]]) -> Clues:
        return tuple(
            EMPTY
            if draw(st.integers(1, 10)) > kept_in_ten
            else draw(st.integers(1, size))
            if draw(st.integers(1, 10)) <= random_in_ten
            else seen(line)
            for line in lines
        )

    top, bottom = clues(columns), clues(line[::-1] for line in columns)
    left, right = clues(square), clues(line[::-1] for line in square)
    given_in_ten = draw(st.sampled_from((0, 2, 6, 9, 10)), label="givens among ten cells")
    given = {cell for cell in cells(size) if draw(st.integers(1, 10)) <= given_in_ten}
    middle = [
        [left[row], *(h if (row, c) in given else EMPTY for c, h in enumerate(line)), right[row]]
        for row, line in enumerate(square)
    ]
    rows = (
        " ".join([" ", *(CHARACTERS[clue] for clue in top)]),
        *(" ".join(CHARACTERS[number] for number in line) for line in middle),
        " ".join([" ", *(CHARACTERS[clue] for clue in bottom)]),
    )
    return Board(rows, draw(masks(), label="mask"), square)


def _fillings(free: list[list[int]], begun: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The rows without a height twice whose every height is free in its column."""
    if len(begun) == len(free):
        yield begun
        return
    for height in free[len(begun)]:
        if height not in begun:
            yield from _fillings(free, (*begun, height))

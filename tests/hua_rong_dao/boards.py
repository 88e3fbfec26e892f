"""Random boxes and random play for hypothesis tests."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.hua_rong_dao.twin import (
    DEFAULT_HEIGHT,
    DEFAULT_WIDTH,
    EMPTY,
    LETTERS,
    METRICS,
    PICTURES,
    Cell,
    Metric,
    Twin,
    rectangle,
)


@dataclass(frozen=True)
class Board:
    """The rows of a level text with its goal, None in the default box, and a metric."""

    rows: tuple[str, ...]
    metric: Metric
    goal: tuple[str, int, int] | None = None

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    def twin(self, stride: int | None = None) -> Twin:
        """The starting position; `stride` as in `Twin.from_rows`."""
        return Twin.from_rows(self.rows, metric=self.metric, goal=self.goal, stride=stride)


def metrics() -> st.SearchStrategy[Metric]:
    """Every metric."""
    return st.sampled_from(METRICS)


@st.composite
def default_boards(draw: st.DrawFn) -> Board:
    """Layouts of the default box with any blocks: one of 2x2, and at least one cell empty."""
    text: dict[Cell, str] = {}
    corners = rectangle(0, 0, DEFAULT_HEIGHT - 1, DEFAULT_WIDTH - 1)
    _draw(text, "B", *draw(st.sampled_from(corners), label="corner of the 2x2 block"))
    used = [kind for kind in "SVH" if draw(st.booleans(), label=f"uses {kind}")]
    palette = [EMPTY] + used * draw(st.sampled_from((3, 1, 8)), label="of each to an empty cell")
    for cell in rectangle(0, 0, DEFAULT_HEIGHT, DEFAULT_WIDTH):
        if cell not in text:
            kinds = [kind for kind in palette if _fits(text, kind, cell)]
            _draw(text, draw(st.sampled_from(kinds), label=f"at {cell}"), *cell)
    if EMPTY not in text.values():
        removable = [cell for cell, character in sorted(text.items()) if character in "SVH"]
        row, column = draw(st.sampled_from(removable), label="block taken out")
        height, width, _ = PICTURES[text[row, column]]
        text.update(dict.fromkeys(rectangle(row, column, height, width), EMPTY))
    return Board(_rows(text, DEFAULT_HEIGHT, DEFAULT_WIDTH), draw(metrics(), label="metric"))


@st.composite
def lettered_boards(
    draw: st.DrawFn, max_width: int = 8, max_height: int = 8, max_side: int = 4
) -> Board:
    """Boxes of any size, from nearly empty to full, with rectangles and any goal that fits.

    Args:
        draw: Supplied by hypothesis.
        max_width: Greatest number of columns.
        max_height: Greatest number of rows.
        max_side: Greatest width and height of a block.
    """
    width = draw(st.integers(1, max_width), label="width")
    height = draw(st.integers(1, max_height), label="height")
    sides = st.integers(1, draw(st.integers(1, max_side), label="longest side"))
    blocks_in_ten = draw(st.sampled_from((9, 7, 4, 10)), label="blocks among ten draws")
    first = draw(st.integers(0, len(LETTERS) - 1), label="first letter")
    letters = iter(LETTERS[first:] + LETTERS[:first])
    text: dict[Cell, str] = {}
    placed: dict[str, tuple[int, int]] = {}
    for row, column in rectangle(0, 0, height, width):
        if (row, column) in text:
            continue
        is_last = (row, column) == (height - 1, width - 1)
        wanted = (is_last and not placed) or draw(st.integers(1, 10)) <= blocks_in_ten
        letter = next(letters, None) if wanted else None
        if letter is None:  # Nothing wanted here, or no letter left.
            text[row, column] = EMPTY
            continue
        tall = min(draw(sides), height - row)
        wide = min(draw(sides), width - column)
        while any(cell in text for cell in rectangle(row, column, tall, wide)):
            wide -= 1  # Only cells to the right can be taken; the first is free.
        text.update(dict.fromkeys(rectangle(row, column, tall, wide), letter))
        placed[letter] = (tall, wide)
    goal = draw(st.sampled_from(sorted(placed)), label="goal block")
    tall, wide = placed[goal]
    targets = rectangle(0, 0, height - tall + 1, width - wide + 1)
    target = draw(st.sampled_from(targets), label="target")
    return Board(_rows(text, height, width), draw(metrics(), label="metric"), (goal, *target))


def boards() -> st.SearchStrategy[Board]:
    """Layouts of the default box and of other boxes alike."""
    return default_boards() | lettered_boards()


def _fits(text: dict[Cell, str], kind: str, cell: Cell) -> bool:
    """Whether a block of the default box, or an empty cell, has room there."""
    height, width, _ = PICTURES.get(kind, (1, 1, kind))
    box = rectangle(0, 0, DEFAULT_HEIGHT, DEFAULT_WIDTH)
    return all(other in box and other not in text for other in rectangle(*cell, height, width))


def _draw(text: dict[Cell, str], kind: str, row: int, column: int) -> None:
    height, width, picture = PICTURES.get(kind, (1, 1, kind))
    text.update(zip(rectangle(row, column, height, width), picture, strict=True))


def _rows(text: dict[Cell, str], height: int, width: int) -> tuple[str, ...]:
    return tuple("".join(text[row, column] for column in range(width)) for row in range(height))

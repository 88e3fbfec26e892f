"""Tables for terminals and pipes, in which nothing is truncated.

If a terminal is too narrow, prose and heads wrap at spaces; then values shared by rows become
headings; then the cells of a row are listed vertically. In a pipe, rows are never wrapped.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["Cell", "Column", "Layout", "Table", "console", "room", "say"]

GAP = "  "
PROSE = 20
"""Minimum width of a prose column, if its text is that long."""

Kind: TypeAlias = Literal["name", "figure", "prose"]


class Column(NamedTuple):
    """Head and kind of a column; names and figures are never wrapped."""

    head: str
    kind: Kind = "name"


class Cell(NamedTuple):
    """A text with an optional rich style."""

    text: str
    style: str = ""


def console() -> Console:
    """Standard output, without markup or wrapping by rich."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=True)


def room() -> int | None:
    """The terminal's width in columns; None if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def say(sentence: str, style: str = "") -> None:
    """Print a sentence, wrapped at spaces."""
    width = room()
    lines = [sentence] if width is None else _broken(sentence, width)
    console().print("\n".join(lines), style=style or None)


@dataclass(frozen=True)
class Table:
    """Rows with column heads."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    grouped: bool = False
    """Whether to group rows with equal first cells."""

    def text(self, width: int | None) -> Text:
        """The table for a width; None for no limit."""
        from rich.text import Text

        return Text("\n").join(Text.assemble(*line) for line in self._lines(width))

    def print(self) -> None:
        """Print the table in the available width."""
        console().print(self.text(room()))

    def _lines(self, width: int | None) -> Iterator[list[Cell]]:
        """The lines of the table, each made of cells."""
        if self.title:
            yield [Cell(self.title, "bold")]
        natural = [
            max((_cells(row[number].text) for row in self.rows), default=0)
            for number in range(len(self.columns))
        ]
        layout = Layout(self.columns, natural, width)
        if self.grouped and layout.widths is None:
            yield from self._under_headings(natural, width)
            return
        yield from layout.head()
        apart = any(layout.breaks(row) for row in self.rows)
        above: Sequence[Cell] | None = None
        for row in self.rows:
            again = self.grouped and above is not None and row[0].text == above[0].text
            if above is not None and (apart or (self.grouped and not again)):
                yield []
            quiet = again and width is not None and layout.widths is not None
            yield from layout.row([Cell(""), *row[1:]] if quiet else row)
            above = row

    def _under_headings(self, natural: Sequence[int], width: int | None) -> Iterator[list[Cell]]:
        layout = Layout(self.columns[1:], natural[1:], width)
        yield from layout.head()
        above = None
        for first, *rest in self.rows:
            if first.text != above:
                if above is not None:
                    yield []
                yield [first]
            above = first.text
            yield from layout.row(rest)


class Layout:
    """The layout of rows in a width."""

    def __init__(
        self, columns: Sequence[Column], natural: Sequence[int], width: int | None
    ) -> None:
        """Choose a width for each column.

        Args:
            columns: The heads and kinds.
            natural: The longest text of each column; longer ones in later rows are not truncated.
            width: The available width; None for no limit.
        """
        self.columns, self._room = columns, width
        self.widths = self._widths(natural)
        """Column widths; None if the cells have to be listed vertically."""

    def _widths(self, natural: Sequence[int]) -> list[int] | None:
        wanted = [
            max(most, _cells(column.head))
            for column, most in zip(self.columns, natural, strict=True)
        ]
        if self._room is None:
            return wanted
        least = [
            max(min(most, PROSE) if column.kind == "prose" else most, _longest(column.head))
            for column, most in zip(self.columns, natural, strict=True)
        ]
        spare = self._room - len(GAP) * (len(least) - 1) - sum(least)
        if spare < 0:
            return None
        need = [most - few for most, few in zip(wanted, least, strict=True)]
        share = min(1.0, spare / max(1, sum(need)))
        return [few + int(share * more) for few, more in zip(least, need, strict=True)]

    def head(self) -> Iterator[list[Cell]]:
        """The lines of the heads, with a rule below."""
        if self.widths is not None:
            heads = [Cell(column.head, "bold") for column in self.columns]
            yield from self.row(heads)
            yield [Cell("─" * (sum(self.widths) + len(GAP) * (len(self.widths) - 1)))]

    def breaks(self, row: Sequence[Cell]) -> bool:
        """Whether a row takes more than one line."""
        return self.widths is not None and len(list(self.row(row))) > 1

    def row(self, cells: Sequence[Cell]) -> Iterator[list[Cell]]:
        """The lines of a row."""
        if self.widths is None:
            yield from self._below(cells)
            return
        parts = [_broken(cell.text, width) for cell, width in zip(cells, self.widths, strict=True)]
        for number in range(max(map(len, parts))):
            line = []
            for column, cell, part, width in zip(
                self.columns, cells, parts, self.widths, strict=True
            ):
                text = part[number] if number < len(part) else ""
                blank = " " * (width - _cells(text))
                before, after = (blank, "") if column.kind == "figure" else ("", blank)
                line += [Cell(before), Cell(text, cell.style), Cell(after + GAP)]
            yield _without_end(line)

    def _below(self, cells: Sequence[Cell]) -> Iterator[list[Cell]]:
        """The first cell, with the others listed below it; prose gets its own lines."""
        yield [cells[0]]
        line: list[Cell] = []
        for column, cell in zip(self.columns[1:], cells[1:], strict=True):
            if not cell.text:
                continue
            item = Cell(f"{column.head}: {cell.text}", cell.style)
            more = [*line, Cell(", ") if line else Cell(GAP), item]
            if column.kind != "prose" and self._fits(more):
                line = more
                continue
            if line:
                yield line
            line = []
            for part in _broken(item.text, (self._room or 0) - len(GAP)):
                if line:
                    yield line
                line = [Cell(GAP), Cell(part, item.style)]
            if column.kind == "prose":
                yield line
                line = []
        if line:
            yield line

    def _fits(self, line: Iterable[Cell]) -> bool:
        return sum(_cells(cell.text) for cell in line) <= (self._room or 0)


def _cells(text: str) -> int:
    """Display width of a text; some characters take two columns."""
    from rich.cells import cell_len

    return cell_len(text)


def _longest(text: str) -> int:
    return max(map(_cells, text.split()), default=0)


def _broken(text: str, width: int) -> list[str]:
    """Wrap a text at spaces only; longer words are kept whole."""
    if _cells(text) <= width:
        return [text]
    return wrap(text, max(1, width), break_long_words=False, break_on_hyphens=False) or [""]


def _without_end(line: list[Cell]) -> list[Cell]:
    while line and not line[-1].text.strip():
        line.pop()
    return line

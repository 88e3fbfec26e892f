"""Tables for terminals and pipes, in which nothing is truncated.

If a terminal is too narrow, prose and heads wrap at spaces; then values shared by rows become
headings; then the cells of a row are listed vertically. In a pipe, rows are never wrapped.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from puzzle_agents.table import Cell, Column, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

GAP = "  "
PROSE = 20
"""Minimum width of a prose column, if its text is that long."""

STYLES = {"": "", "right": "green", "wrong": "bold red"}
"""Styles of the marks of cells."""


class Piece(NamedTuple):
    """Part of a line, with its style."""

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


def show(table: Table) -> None:
    """Print a table in the available width."""
    console().print(drawn(table, room()))


def drawn(table: Table, width: int | None) -> Text:
    """Draw a table for a width; None for no limit."""
    from rich.text import Text

    return Text("\n").join(Text.assemble(*line) for line in _lines(table, width))


def _lines(table: Table, width: int | None) -> Iterator[list[Piece]]:
    if table.title:
        yield [Piece(table.title, "bold")]
    natural = [
        max((_cells(row[number].text) for row in table.rows), default=0)
        for number in range(len(table.columns))
    ]
    layout = Layout(table.columns, natural, width)
    if table.grouped and layout.widths is None:
        yield from _under_headings(table, natural, width)
        return
    yield from layout.head()
    apart = any(layout.breaks(row) for row in table.rows)
    above: Sequence[Cell] | None = None
    for row in table.rows:
        again = table.grouped and above is not None and row[0].text == above[0].text
        if above is not None and (apart or (table.grouped and not again)):
            yield []
        quiet = again and width is not None and layout.widths is not None
        yield from layout.row([Cell(""), *row[1:]] if quiet else row)
        above = row


def _under_headings(
    table: Table, natural: Sequence[int], width: int | None
) -> Iterator[list[Piece]]:
    layout = Layout(table.columns[1:], natural[1:], width)
    yield from layout.head()
    above = None
    for first, *rest in table.rows:
        if first.text != above:
            if above is not None:
                yield []
            yield [_piece(first)]
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

    def head(self) -> Iterator[list[Piece]]:
        """The lines of the heads, with a rule below."""
        if self.widths is not None:
            yield from self._beside([Piece(column.head, "bold") for column in self.columns])
            yield [Piece("─" * (sum(self.widths) + len(GAP) * (len(self.widths) - 1)))]

    def breaks(self, row: Sequence[Cell]) -> bool:
        """Whether a row takes more than one line."""
        return self.widths is not None and len(list(self.row(row))) > 1

    def row(self, cells: Sequence[Cell]) -> Iterator[list[Piece]]:
        """The lines of a row."""
        pieces = [_piece(cell) for cell in cells]
        yield from self._below(pieces) if self.widths is None else self._beside(pieces)

    def _beside(self, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
        widths = self.widths or []
        parts = [_broken(piece.text, width) for piece, width in zip(pieces, widths, strict=True)]
        for number in range(max(map(len, parts))):
            line = []
            for column, piece, part, width in zip(self.columns, pieces, parts, widths, strict=True):
                text = part[number] if number < len(part) else ""
                blank = " " * (width - _cells(text))
                before, after = (blank, "") if column.kind == "figure" else ("", blank)
                line += [Piece(before), Piece(text, piece.style), Piece(after + GAP)]
            yield _without_end(line)

    def _below(self, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
        """The first cell, with the others listed below it; prose gets its own lines."""
        yield [pieces[0]]
        line: list[Piece] = []
        for column, piece in zip(self.columns[1:], pieces[1:], strict=True):
            if not piece.text:
                continue
            item = Piece(f"{column.head}: {piece.text}", piece.style)
            more = [*line, Piece(", ") if line else Piece(GAP), item]
            if column.kind != "prose" and self._fits(more):
                line = more
                continue
            if line:
                yield line
            line = []
            for part in _broken(item.text, (self._room or 0) - len(GAP)):
                if line:
                    yield line
                line = [Piece(GAP), Piece(part, item.style)]
            if column.kind == "prose":
                yield line
                line = []
        if line:
            yield line

    def _fits(self, line: Iterable[Piece]) -> bool:
        return sum(_cells(piece.text) for piece in line) <= (self._room or 0)


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


def _piece(cell: Cell) -> Piece:
    return Piece(cell.text, STYLES[cell.mark])


def _without_end(line: list[Piece]) -> list[Piece]:
    while line and not line[-1].text.strip():
        line.pop()
    return line

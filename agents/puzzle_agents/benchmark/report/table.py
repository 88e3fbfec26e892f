"""A table of a report: on the terminal, as Markdown, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape as html_escape
from typing import NamedTuple

from puzzle_agents.terminal import Cell as PrintedCell
from puzzle_agents.terminal import Column
from puzzle_agents.terminal import Table as Printed

__all__ = ["Cell", "Table", "bad", "marked"]


class Cell(NamedTuple):
    """What stands in a cell, and whether something is wrong with it."""

    text: str
    wrong: bool = False


def bad(text: str) -> Cell:
    """A cell with which something is wrong."""
    return Cell(text, wrong=True)


@dataclass(frozen=True)
class Table:
    """Cells in rows under heads; sections are rows that belong together."""

    title: str
    heads: Sequence[str]
    words: int = 1
    """So many columns at the left hold words, the others numbers."""
    rows: list[list[Cell]] = field(default_factory=list)
    remarks: Sequence[str] = ()
    """How the figures came about, for those who read the files."""

    def add(self, *cells: Cell | str) -> None:
        """Add a row."""
        assert len(cells) == len(self.heads), (self.title, cells)
        self.rows.append([Cell(cell) if isinstance(cell, str) else cell for cell in cells])

    def printed(self) -> Printed:
        """The table for a terminal; tables of nothing but words have sentences in them."""
        sentences = self.words == len(self.heads)
        columns = [
            Column(head, "figure" if number >= self.words else "prose" if sentences else "name")
            for number, head in enumerate(self.heads)
        ]
        rows = [
            [PrintedCell(cell.text, "bold red" if cell.wrong else "") for cell in row]
            for row in self.rows
        ]
        return Printed(self.title, columns, rows, grouped=not sentences)

    def markdown(self) -> str:
        """The table with its title and remarks; what is wrong is bold and has a mark."""
        ends = ["---" if number < self.words else "--:" for number in range(len(self.heads))]
        lines = [
            f"## {marked(self.title)}",
            "",
            _line([marked(head) for head in self.heads]),
            "|" + "|".join(ends) + "|",
        ]
        for row in self.rows:
            texts = [marked(cell.text) for cell in row]
            texts = [f"**✗ {t}**" if c.wrong else t for c, t in zip(row, texts, strict=True)]
            lines.append(_line(texts))
        lines.append("")
        lines += [f"* {marked(remark)}" for remark in self.remarks]
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """The same for a page."""
        parts = [f"<h2>{html_escape(self.title)}</h2>", '<div class="scroll"><table><thead><tr>']
        for number, head in enumerate(self.heads):
            parts.append(f'<th scope="col"{self._aligned(number)}>{html_escape(head)}</th>')
        parts.append("</tr></thead><tbody>")
        above = None
        for row in self.rows:
            parts.append('<tr class="first">' if row[0].text != above else "<tr>")
            above = row[0].text
            for number, cell in enumerate(row):
                inner = html_escape(cell.text)
                if cell.wrong:
                    inner = f'<strong class="wrong">✗ {inner}</strong>'
                parts.append(f"<td{self._aligned(number)}>{inner}</td>")
            parts.append("</tr>")
        parts.append("</tbody></table></div>")
        if self.remarks:
            items = "".join(f"<li>{html_escape(remark)}</li>" for remark in self.remarks)
            parts.append(f'<ul class="remarks">{items}</ul>')
        return "".join(parts)

    def _aligned(self, number: int) -> str:
        return "" if number < self.words else ' class="number"'


def _line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def marked(text: str) -> str:
    """A text that Markdown shows as it is."""
    for character in "\\`*_<>[]|":
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())

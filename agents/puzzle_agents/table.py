"""A table: what `terminal` prints, what Markdown files hold, what a report's page shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["Cell", "Column", "Table", "columns", "escaped"]

Kind: TypeAlias = Literal["name", "figure", "prose"]
Mark: TypeAlias = Literal["", "right", "wrong"]


class Column(NamedTuple):
    """The head of a column and what stands below it: names and figures are never broken."""

    head: str
    kind: Kind = "name"


def columns(heads: Sequence[str], names: int = 1) -> list[Column]:
    """Columns of names, as many as are told, and then of figures."""
    return [
        Column(head, "name" if number < names else "figure") for number, head in enumerate(heads)
    ]


class Cell(NamedTuple):
    """A text, and whether something is wrong with it or has been found to be right."""

    text: str
    mark: Mark = ""


@dataclass(frozen=True)
class Table:
    """Rows of cells under heads."""

    title: str
    columns: Sequence[Column]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    grouped: bool = False
    """Whether rows whose first cells are equal belong together."""
    remarks: Sequence[str] = ()
    """How the figures came about, for files and pages."""

    def add(self, *cells: Cell | str) -> None:
        """Add a row."""
        assert len(cells) == len(self.columns), (self.title, cells)
        self.rows.append([Cell(cell) if isinstance(cell, str) else cell for cell in cells])

    def markdown(self) -> str:
        """The table with its title and remarks; what is wrong is bold and has a cross."""
        lines = [
            f"## {escaped(self.title)}",
            "",
            _line(escaped(column.head) for column in self.columns),
            "|" + "|".join("--:" if c.kind == "figure" else "---" for c in self.columns) + "|",
        ]
        for row in self.rows:
            texts = [(escaped(text), mark) for text, mark in row]
            lines.append(_line(f"**✗ {t}**" if mark == "wrong" else t for t, mark in texts))
        lines.append("")
        lines += [f"* {escaped(remark)}" for remark in self.remarks]
        return "\n".join(lines) + "\n"


def _line(texts: Iterable[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def escaped(text: str) -> str:
    """A text that Markdown shows as it is."""
    for character in "\\`*_<>[]|":
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())

"""Tables for the terminal, Markdown files and report pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["name", "figure", "prose"]
Mark: TypeAlias = Literal["", "right", "wrong"]


class Column(NamedTuple):
    """Head and kind of a column; names and figures are never wrapped."""

    head: str
    kind: Kind = "name"


def columns(heads: Sequence[str], names: int = 1) -> list[Column]:
    """Create columns: first of names, then of figures."""
    return [
        Column(head, "name" if number < names else "figure") for number, head in enumerate(heads)
    ]


class Cell(NamedTuple):
    """A text, optionally marked as right or wrong."""

    text: str
    mark: Mark = ""


@dataclass(frozen=True)
class Table:
    """Rows of cells with column heads."""

    title: str
    columns: Sequence[Column]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    grouped: bool = False
    """Whether to group rows with equal first cells."""
    remarks: Sequence[str] = ()
    """Explanations of the figures, for files and pages."""

    def add(self, *cells: Cell | str) -> None:
        """Add a row."""
        assert len(cells) == len(self.columns), (self.title, cells)
        self.rows.append([Cell(cell) if isinstance(cell, str) else cell for cell in cells])

    def markdown(self) -> str:
        """The table as Markdown, with title and remarks; faults are bold, with a cross."""
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

    def as_data(self) -> dict[str, Any]:
        """What is shown, for a JSON file; `from_data` reads it."""
        return {
            "title": self.title,
            "heads": [column.head for column in self.columns],
            "kinds": [column.kind for column in self.columns],
            "rows": [[cell.text for cell in row] for row in self.rows],
            "wrong": [
                [line, place]
                for line, row in enumerate(self.rows)
                for place, cell in enumerate(row)
                if cell.mark == "wrong"
            ],
            "remarks": list(self.remarks),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Table:
        """A table as shown, from the data of a JSON file."""
        shown = [Column(*column) for column in zip(data["heads"], data["kinds"], strict=True)]
        wrong = {tuple(place) for place in data["wrong"]}
        rows: list[Sequence[Cell]] = [
            [
                Cell(text, "wrong" if (line, place) in wrong else "")
                for place, text in enumerate(row)
            ]
            for line, row in enumerate(data["rows"])
        ]
        return cls(data["title"], shown, rows, remarks=data["remarks"])


def _line(texts: Iterable[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def counted(number: int, noun: str) -> str:
    """A number and its noun, in the plural unless it is one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def escaped(text: str) -> str:
    """Escape a text for Markdown."""
    for character in "\\`*_<>[]|":
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())

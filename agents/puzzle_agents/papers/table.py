"""A table of a paper as data: its figures, ours beside them, and why they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

__all__ = ["Cell", "Claim", "Column", "Row", "Table", "Value", "written"]

Value: TypeAlias = int | float | str | None
"""A figure, a word in its place such as MEM, or nothing."""

NOTHING = "–"


class Claim(StrEnum):
    """What should hold between our figure and the paper's, wherever there are both."""

    NONE = "none"
    """They measure different things: other boards, other machines, chance."""
    EQUAL = "equal"
    AT_MOST = "at most"
    """Ours is the paper's or less."""


@dataclass(frozen=True)
class Column:
    """A figure that each row has."""

    name: str
    form: str = ""
    """How numbers are written, as in `format(number, form)`."""
    claim: Claim = Claim.NONE
    remark: str = ""
    """The key of the remark on cells whose two figures differ."""


@dataclass(frozen=True)
class Cell:
    """What the paper prints, and what we found."""

    paper: Value = None
    ours: Value = None
    remark: str = ""
    """The key of a remark on this cell. It explains the difference, so no claim is made."""

    @property
    def same(self) -> bool | None:
        """Whether both are equal; None where there are not both."""
        if self.paper is None or self.ours is None:
            return None
        return self.paper == self.ours

    def holds(self, claim: Claim) -> bool:
        """Whether the claim holds, or is not made: for want of a figure, or for a remark."""
        if claim is Claim.NONE or self.same is None or self.remark:
            return True
        if claim is Claim.AT_MOST and isinstance(self.ours, int | float):
            return not isinstance(self.paper, int | float) or self.ours <= self.paper
        return bool(self.same)


@dataclass(frozen=True)
class Row:
    """What is measured, and its figures."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """Rows of figures."""

    title: str
    label: str
    """What the rows are."""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Sentences by their keys."""

    def __post_init__(self) -> None:
        """Refuse a table whose parts do not fit."""
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(
                    f"{self.title}: row {row.label!r} has {len(row.cells)} cells, "
                    f"not {len(self.columns)}."
                )
            for cell in row.cells:
                if cell.remark and cell.remark not in self.remarks:
                    raise ValueError(f"{self.title}: there is no remark {cell.remark!r}.")
        for column in self.columns:
            if column.remark and column.remark not in self.remarks:
                raise ValueError(f"{self.title}: there is no remark {column.remark!r}.")

    # --- what holds ---------------------------------------------------------------------------

    @property
    def has_claims(self) -> bool:
        """Whether any of its figures should be the paper's."""
        return any(column.claim is not Claim.NONE for column in self.columns)

    def broken(self) -> list[str]:
        """The claims that do not hold, a sentence for each."""
        return [
            f"{self.title}, {row.label}, {column.name}: the paper has "
            f"{written(cell.paper, column.form)}, we have {written(cell.ours, column.form)}."
            for row in self.rows
            for column, cell in zip(self.columns, row.cells, strict=True)
            if not cell.holds(column.claim)
        ]

    # --- as text ------------------------------------------------------------------------------

    def sides(self, index: int) -> tuple[bool, bool]:
        """Whether a column has any figure of the paper, and any of ours."""
        cells = [row.cells[index] for row in self.rows]
        return any(cell.paper is not None for cell in cells), any(
            cell.ours is not None for cell in cells
        )

    def heads(self) -> list[str]:
        """The heads of all columns, that of the labels first."""
        heads = [self.label]
        for index, column in enumerate(self.columns):
            sides = self.sides(index)
            side = {(True, False): " (paper)", (False, True): " (ours)"}.get(sides, "")
            heads.append(column.name + side)
        return heads

    def text(self, row: Row, index: int) -> str:
        """A cell: the paper's figure / ours, and the key of what is to say of it."""
        column, cell = self.columns[index], row.cells[index]
        paper, ours = self.sides(index)
        figures = [
            written(figure, column.form)
            for figure, there in ((cell.paper, paper), (cell.ours, ours))
            if there
        ]
        key = self.remark(cell, column)
        if all(figure == NOTHING for figure in figures):
            figures = [NOTHING]
        return " / ".join(figures or [NOTHING]) + (f" [{key}]" if key else "")

    def remark(self, cell: Cell, column: Column) -> str:
        """The key of the remark on a cell: its own, or the column's where the figures differ."""
        return cell.remark or (column.remark if cell.same is False else "")

    def as_data(self) -> dict[str, Any]:
        """The table for a JSON file."""
        return {
            "title": self.title,
            "label": self.label,
            "columns": [
                {"name": column.name, "claim": column.claim.value} for column in self.columns
            ],
            "rows": [
                {
                    "label": row.label,
                    "cells": [
                        {
                            "paper": cell.paper,
                            "ours": cell.ours,
                            "same": cell.same,
                            "holds": cell.holds(column.claim),
                            "remark": self.remark(cell, column) or None,
                        }
                        for column, cell in zip(self.columns, row.cells, strict=True)
                    ],
                }
                for row in self.rows
            ],
            "remarks": dict(self.remarks),
        }


def written(value: Value, form: str = "") -> str:
    """A figure as text."""
    if value is None:
        return NOTHING
    return value if isinstance(value, str) else format(value, form)

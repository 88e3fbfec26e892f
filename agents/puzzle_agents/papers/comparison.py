"""A paper's table as data: its figures, ours next to them, and why they differ."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from puzzle_agents.table import Cell, Column, Table

Value: TypeAlias = int | float | str | None
"""A figure, a word such as MEM instead, or nothing."""

NOTHING = "–"


class Claim(StrEnum):
    """The relation that should hold between our figure and the paper's, where there are both."""

    NONE = "none"
    """None: boards, machines or random numbers differ."""
    EQUAL = "equal"
    AT_MOST = "at most"
    """Ours is the paper's or less."""


class Measure(NamedTuple):
    """A column of figures."""

    name: str
    form: str = ""
    """The format specification of numbers."""
    claim: Claim = Claim.NONE
    remark: str = ""
    """The key of the remark on pairs whose two figures differ."""

    def text(self, figure: Value) -> str:
        """A figure as text."""
        if figure is None:
            return NOTHING
        return figure if isinstance(figure, str) else format(figure, self.form)


class Pair(NamedTuple):
    """The paper's figure and ours."""

    paper: Value = None
    ours: Value = None
    remark: str = ""
    """The key of a remark on this pair. It explains the difference, so no claim is made."""

    @property
    def same(self) -> bool | None:
        """Whether both are equal; None if one is missing."""
        return None if self.paper is None or self.ours is None else self.paper == self.ours

    def holds(self, claim: Claim) -> bool:
        """Whether the claim holds, or is not made because a figure is missing or has a remark."""
        if claim is Claim.NONE or self.same is None or self.remark:
            return True
        if claim is Claim.AT_MOST and isinstance(self.ours, int | float):
            return not isinstance(self.paper, int | float) or self.ours <= self.paper
        return bool(self.same)


class Row(NamedTuple):
    """A row: what was run, and its figures."""

    label: str
    pairs: tuple[Pair, ...]

    @classmethod
    def of(cls, label: str, *figures: Pair | Value) -> Row:
        """A row; a figure that is not a pair is ours."""
        return cls(label, tuple(f if isinstance(f, Pair) else Pair(None, f) for f in figures))


@dataclass(frozen=True)
class Comparison:
    """Rows of pairs of figures."""

    title: str
    label: str
    """The head of the column of labels."""
    measures: tuple[Measure, ...]
    rows: tuple[Row, ...]
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Sentences by their keys."""

    def __post_init__(self) -> None:
        """Reject parts that do not fit."""
        used = {measure.remark for measure in self.measures}
        for label, pairs in self.rows:
            used |= {pair.remark for pair in pairs}
            if len(pairs) != len(self.measures):
                raise ValueError(
                    f"{self.title}: row {label!r} has {len(pairs)} cells, not {len(self.measures)}."
                )
        for key in sorted(used - {"", *self.remarks}):
            raise ValueError(f"{self.title}: there is no remark {key!r}.")

    @property
    def has_claims(self) -> bool:
        """Whether any of its figures should match the paper."""
        return any(measure.claim is not Claim.NONE for measure in self.measures)

    def broken(self) -> list[str]:
        """The claims that do not hold, a sentence for each."""
        return [
            f"{self.title}, {label}, {measure.name}: the paper has {measure.text(pair.paper)}, "
            f"we have {measure.text(pair.ours)}."
            for label, pairs in self.rows
            for measure, pair in zip(self.measures, pairs, strict=True)
            if not pair.holds(measure.claim)
        ]

    def table(self) -> Table:
        """The comparison with both figures in a cell, marked where they should be equal.

        A column in which only one side has figures says so in its head.
        """
        columns = [Column(self.label, "prose")]
        cells = [[Cell(row.label)] for row in self.rows]
        for index, measure in enumerate(self.measures):
            pairs = [row.pairs[index] for row in self.rows]
            paper, ours = (any(pair[side] is not None for pair in pairs) for side in (0, 1))
            only = "" if paper == ours else " (paper)" if paper else " (ours)"
            columns.append(Column(measure.name + only, "figure"))
            for row, pair in zip(cells, pairs, strict=True):
                figures = [measure.text(pair.paper)] * paper + [measure.text(pair.ours)] * ours
                text = " / ".join(figures) if {*figures} - {NOTHING} else NOTHING
                key = _remark_on(pair, measure)
                right = pair.same and measure.claim is not Claim.NONE
                wrong = not pair.holds(measure.claim)
                row.append(
                    Cell(
                        text + (f" [{key}]" if key else ""),
                        "right" if right else "wrong" if wrong else "",
                    )
                )
        remarks = [f"[{key}] {sentence}" for key, sentence in self.remarks.items()]
        return Table(self.title, columns, list(cells), remarks=remarks)

    def as_data(self) -> dict[str, Any]:
        """The comparison for a JSON file."""
        rows = [
            {
                "label": label,
                "cells": [
                    {
                        "paper": pair.paper, "ours": pair.ours, "same": pair.same,
                        "holds": pair.holds(measure.claim),
                        "remark": _remark_on(pair, measure) or None,
                    }
                    for measure, pair in zip(self.measures, pairs, strict=True)
                ],
            }
            for label, pairs in self.rows
        ]  # fmt: skip
        return {
            "title": self.title, "label": self.label,
            "columns": [{"name": one.name, "claim": one.claim.value} for one in self.measures],
            "rows": rows, "remarks": dict(self.remarks),
        }  # fmt: skip


def _remark_on(pair: Pair, measure: Measure) -> str:
    """The key of the remark on a pair: its own, or the measure's where the figures differ."""
    return pair.remark or (measure.remark if pair.same is False else "")


def of_statements(
    title: str,
    label: str,
    measure: Measure,
    statements: Iterable[tuple[str, Value, Value, str]],
    remarks: Mapping[str, str],
) -> Comparison:
    """One figure a row: what it is, the paper's, ours, the key of a remark."""
    rows = (Row(what, (Pair(paper, ours, key),)) for what, paper, ours, key in statements)
    return Comparison(title, label, (measure,), tuple(rows), remarks)


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the figures that are not None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


# --- printed figures --------------------------------------------------------------------------


def printed(package: str | None) -> list[dict[str, Any]]:
    """The rows of printed.csv in a package: figures, words, and None where a cell is empty."""
    assert package is not None
    text = files(package).joinpath("printed.csv").read_text(encoding="utf-8")
    return [
        {head: _figure(cell) for head, cell in row.items()}
        for row in csv.DictReader(text.splitlines())
    ]


def _figure(cell: str) -> Value:
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell or None

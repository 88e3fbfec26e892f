"""What the cells of a report's tables have in common."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from puzzle_agents.benchmark.report.scores import Measure
from puzzle_agents.benchmark.row import Row
from puzzle_agents.table import Cell, Table, columns

NONE = "–"


def bad(text: str) -> Cell:
    """A cell with a fault."""
    return Cell(text, "wrong")


def by_puzzle(title: str, heads: Sequence[str], *, names: int = 2, remarks: Sequence[str]) -> Table:
    """A table with rows grouped by puzzle; the first `names` columns are not figures."""
    return Table(title, columns(heads, names), grouped=True, remarks=remarks)


def median(measure: Measure, rows: Sequence[Row], *, counts: bool = True) -> str:
    """The median of a measure over rows; none if there are no rows or nothing is counted."""
    return figure(statistics.median(map(measure, rows))) if rows and counts else NONE


def count(value: float) -> str:
    """Format a number of levels, of which seeds make fractions."""
    return str(round(value)) if abs(value - round(value)) < 1e-9 else f"{value:.1f}"


def figure(value: float) -> str:
    """Format with three digits, two if small, or all for counts from 1,000."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.1 else f"{value:.2g}"

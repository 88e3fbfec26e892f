"""The Markdown and CSV files of a report."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

from puzzle_agents.benchmark.report.drawing import Plot
from puzzle_agents.benchmark.report.faults import Faults
from puzzle_agents.benchmark.report.page import verdict
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.report.scores import Score
from puzzle_agents.table import Table, escaped

BEGIN, END = "<!-- tables begin -->", "<!-- tables end -->"
"""Markers in a document around the tables of a report."""


def markdown(
    tables: Sequence[Table], plots: Sequence[Plot], faults: Faults, circumstances: Sequence[str]
) -> str:
    """The report as Markdown, with links to the plots next to it."""
    first, *others = circumstances
    parts = [f"# {escaped(first)}", "", *(f"{escaped(line)}  " for line in others), ""]
    parts += [f"**{escaped(verdict(faults))}**", ""]
    parts += [table.markdown() for table in tables]
    for plot in plots:
        parts += [f"## {escaped(plot.title)}", "", f"![{escaped(plot.title)}]({plot.name}.svg)", ""]
    return "\n".join(parts)


def around_tables(document: str, source: str) -> tuple[str, str]:
    """The parts of a document before and after its tables, markers included."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in rest or END in after:
        raise ValueError(
            f"Tables go between the lines {BEGIN} and {END}; each must occur once in {source}."
        )
    return before + begin, end + after


def answers_markdown(
    tables: Sequence[Table],
    faults: Faults,
    circumstances: Sequence[str],
    pictures: Sequence[str] = (),
) -> str:
    """Pictures and tables for a document, with the circumstances of the measurements."""
    lines = [*circumstances, verdict(faults)]
    parts = ["", *(f"{escaped(line)}  " for line in lines), "", *pictures]
    return "\n".join([*parts, *(table.markdown() for table in tables)])


def rows_csv(results: Results, faults: Faults) -> str:
    """Every row with all its fields, numbered as in the tables, and its faults."""
    lines: list[list[Any]] = []
    heads: list[str] = []
    for number, row in enumerate(results.rows):
        values = asdict(row)
        budget = values.pop("budget")
        values |= {f"budget_{name}": value for name, value in budget.items()}
        values["faults"] = " ".join(faults.get(number, []))
        heads = ["row", *values]
        lines.append([number + 1, *map(_written, values.values())])
    return _csv(heads, lines)


def scores_csv(scores: Iterable[Score]) -> str:
    """Every score, unrounded; empty cells are dashes or void in the tables."""
    names = [field.name for field in fields(Score)]
    return _csv(names, ([getattr(score, name) for name in names] for score in scores))


def _written(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _csv(heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(lines)
    return file.getvalue()

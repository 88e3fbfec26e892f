"""The files of a report besides its page: Markdown and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import Any

from puzzle_agents.benchmark.report.faults import Faults
from puzzle_agents.benchmark.report.page import verdict
from puzzle_agents.benchmark.report.plots import Plot
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.report.scores import Score
from puzzle_agents.table import Table, escaped

__all__ = [
    "answers_markdown",
    "around_tables",
    "markdown",
    "rows_csv",
    "scores_csv",
]

BEGIN, END = "<!-- tables begin -->", "<!-- tables end -->"
"""The marks between which a document of one's own holds tables of a report."""


def markdown(
    tables: Sequence[Table], plots: Sequence[Plot], faults: Faults, circumstances: Sequence[str]
) -> str:
    """The report as Markdown, with the plots that lie beside it."""
    first, *others = circumstances
    parts = [f"# {escaped(first)}", "", *(f"{escaped(line)}  " for line in others), ""]
    parts += [f"**{escaped(verdict(faults))}**", ""]
    parts += [table.markdown() for table in tables]
    for plot in plots:
        parts += [f"## {escaped(plot.title)}", "", f"![{escaped(plot.title)}]({plot.name}.svg)", ""]
    return "\n".join(parts)


def around_tables(document: str, source: str) -> tuple[str, str]:
    """What stands in a document before its tables and after them, with the marks."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in rest or END in after:
        raise ValueError(
            f"Tables go between a line {BEGIN} and a line {END}; write each once into {source}."
        )
    return before + begin, end + after


def answers_markdown(tables: Sequence[Table], faults: Faults, circumstances: Sequence[str]) -> str:
    """Tables for a document, with what figures have to come with."""
    lines = [*circumstances, verdict(faults)]
    parts = ["", *(f"{escaped(line)}  " for line in lines), "", *(t.markdown() for t in tables)]
    return "\n".join(parts)


def rows_csv(results: Results, faults: Faults) -> str:
    """Every row with every field, numbered as in the tables, and what is wrong with it."""
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
    """Every score, unrounded; an empty cell is what the tables show as a dash or void."""
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

"""The output of `bench` and `report`: the comparison of the agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from puzzle_agents.benchmark.report import Report


def show_report(report: Report) -> int:
    """Print the comparison of the agents and any faults; return the exit code."""
    from puzzle_agents.benchmark.report.page import verdict
    from puzzle_agents.terminal import say, show

    for table in report.tables[: 2 if report.faults else 1]:
        show(table)
        typer.echo()
    for path in report.files:
        if path.suffix in (".html", ".md", ".csv"):
            typer.echo(f"Written: {path}")
    if report.faults:
        say(verdict(report.faults), "bold red")
    return 1 if report.faults else 0

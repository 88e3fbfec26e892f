"""`puzzle-envs report`: tables, plots and a page of replays from benchmark results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from puzzle_agents.benchmark.report import Report

__all__ = ["EXAMPLES", "NAME", "run", "show_report"]

NAME = "report"

EXAMPLES = (
    "puzzle-envs report results/quick",
    "puzzle-envs report results/hard --output public",
    "puzzle-envs report results/standard --document docs/benchmark.md",
)


def run(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A results folder, with rows.jsonl.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Output folder.", show_default="FOLDER/report"
        ),
    ] = None,
    document: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.md",
            help="Also write the main tables into a document, between its lines "
            "<!-- tables begin --> and <!-- tables end -->.",
        ),
    ] = None,
) -> int:
    """Report on a benchmark, complete or not.

    Prints the comparison of the agents, and writes report.html (one file, with a replay of each
    solution), report.md, rows.csv, scores.csv and the plots as PNG and SVG.

    Exit code 1: a solution failed verification, or a claim, such as an optimum, is wrong.
    """
    from puzzle_agents.benchmark.report import make_report
    from puzzle_agents.benchmark.report.files import answers_markdown, around_tables
    from puzzle_agents.reading import text_of_file
    from puzzle_envs.common.files import write_whole

    around = None
    if document is not None:
        around = around_tables(text_of_file(document), str(document))
    report = make_report(folder, folder / "report" if output is None else output)
    if document is not None and around is not None:
        tables = answers_markdown(report.answers, report.faults, report.circumstances)
        write_whole(document, tables.join(around).encode())
    return show_report(report)


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

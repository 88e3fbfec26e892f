"""`puzzle-envs report`: tables, plots and a page of replays from benchmark results."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from puzzle_agents.cli.arguments import folder_option

NAME = "report"

EXAMPLES = (
    "puzzle-envs report results/quick",
    "puzzle-envs report results/hard --output public",
    "puzzle-envs report results/standard --document docs/benchmark.md --images docs/images",
    "puzzle-envs report results/hard-*-of-10 --output results/hard",
    "puzzle-envs report results/standard --publish docs/results/standard",
)


def run(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...",
            help="Results: a folder with rows.jsonl or rows.jsonl.xz, or those of all shards of a "
            "benchmark.",
        ),
    ],
    output: Annotated[
        Path | None,
        folder_option("Output folder; required for several folders.", "FOLDER/report"),
    ] = None,
    document: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.md",
            help="Also write the main tables into a document, between its lines "
            "<!-- tables begin --> and <!-- tables end -->.",
        ),
    ] = None,
    images: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Also write coverage by tier, levels solved and fixed targets there, light and "
            "dark; with --document they are shown in it.",
        ),
    ] = None,
    publish: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Also write the rows there as rows.jsonl.xz, which `report` reads."
        ),
    ] = None,
) -> int:
    """Report on a benchmark, finished or not, or on all of its shards together.

    Prints the comparison of the agents, and writes report.html (one file, with a replay of each
    solution), report.md, rows.csv, scores.csv, iohprofiler.zip (the runs for IOHanalyzer) and the
    plots as PNG and SVG.

    Exit code 1: a solution failed verification, or a claim, such as an optimum, is wrong.
    """
    from puzzle_agents.benchmark.report import make_images, make_report, publish_rows
    from puzzle_agents.benchmark.report.files import answers_markdown, around_tables
    from puzzle_agents.cli.comparison import show_report
    from puzzle_agents.reading import text_of_file
    from puzzle_envs.common.files import write_whole

    if output is None and len(folders) > 1:
        raise ValueError("A report on several folders needs --output FOLDER.")
    around = None
    if document is not None:
        around = around_tables(text_of_file(document), str(document))
    report = make_report(folders, folders[0] / "report" if output is None else output)
    pictures = [] if images is None else make_images(folders, images)
    if document is not None and around is not None:
        shown = [picture.markdown(document.parent) for picture in pictures]
        tables = answers_markdown(report.answers, report.faults, report.circumstances, shown)
        write_whole(document, tables.join(around).encode())
    code = show_report(report)
    for picture in pictures:
        typer.echo(f"Written: {picture.path}-light.png and -dark.png")
    if publish is not None:
        path = publish_rows(folders, publish)
        data = path.read_bytes()
        checksum = hashlib.sha256(data).hexdigest()
        typer.echo(f"Written: {path} ({len(data) / 1e6:.2f} MB, sha256 {checksum})")
    return code

"""`puzzle-envs reproduce`: a paper's tables next to ours."""

from __future__ import annotations

import time
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from puzzle_agents.cli.arguments import folder_option

NAME = "reproduce"

EXAMPLES = (
    "puzzle-envs reproduce zen-garden --quick",
    "puzzle-envs reproduce kwirk --workers 4 --output tables",
)


class Paper(StrEnum):
    """The papers, by their puzzle."""

    ZEN_GARDEN = "zen-garden"
    HUA_RONG_DAO = "hua-rong-dao"
    KWIRK = "kwirk"
    SKYSCRAPER = "skyscraper"

    @property
    def module(self) -> str:
        """The module with the paper's figures and our runs."""
        return f"puzzle_agents.papers.{self.value.replace('-', '_')}.tables"


def run(
    paper: Annotated[Paper, typer.Argument(help="The paper, by its puzzle.", show_default=False)],
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer runs and levels, at most two minutes.")
    ] = False,
    output: Annotated[Path, folder_option("Output folder.")] = Path("reproduced"),
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the first run.")] = 0,
    runs: Annotated[
        int | None,
        typer.Option(min=1, help="Runs of a genetic algorithm per level.", show_default="50"),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=4096, help="Number of parallel processes.", show_default="one per core"
        ),
    ] = None,
    levels: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            metavar="PATH",
            help="The paper's own levels, if you have them: for kwirk a folder with easy-1.txt to "
            "hard-10.txt, for hua-rong-dao a CSV file with a column 'code'.",
        ),
    ] = None,
) -> int:
    """Print a paper's tables with our figures next to its own, and write them to a folder.

    Writes PAPER.md and PAPER.json. Until all is done, finished runs are kept in PAPER.runs in the
    same folder: after an interruption, the same command resumes.

    Exit code 1: a figure expected to match the paper does not.
    """
    from puzzle_agents.cli.output import folder_for
    from puzzle_agents.machine import cores
    from puzzle_agents.papers.journal import Journal
    from puzzle_agents.papers.report import Report, circumstances
    from puzzle_agents.papers.runs import Workers
    from puzzle_agents.papers.settings import Settings
    from puzzle_agents.progress_bar import ProgressBar

    if levels is not None and paper not in (Paper.KWIRK, Paper.HUA_RONG_DAO):
        raise ValueError(f"The levels of the {paper} paper are unpublished; leave out --levels.")
    command = " ".join(
        [
            "puzzle-envs", NAME, paper.value, *(["--quick"] if quick else []), f"--seed {seed}",
            *([f"--runs {runs}"] if runs else []), *(["--levels ..."] if levels else []),
        ]
    )  # fmt: skip
    with folder_for(output) as folder:
        journal = Journal(folder / f"{paper.value}.runs")
        started = time.perf_counter()
        with ProgressBar() as bar, Workers(workers or cores(), journal) as pool:
            settings = Settings(quick, seed, runs, levels, bar.show)
            report: Report = import_module(paper.module).reproduce(settings, pool.outcomes)
        seconds = time.perf_counter() - started
        report.show()
        how = circumstances(command, seed, seconds, journal.resumed)
        for path in report.write(folder, how):
            typer.echo(f"Written: {path}")
        journal.end()
    return 1 if report.broken() else 0

"""`puzzle-envs bench`: agents on the levels of a suite, and a report on them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["EXAMPLES", "NAME", "run"]

NAME = "bench"

EXAMPLES = (
    "puzzle-envs list suites",
    "puzzle-envs bench quick",
    "puzzle-envs bench mine.toml --output results/mine --jobs 4",
    "RAY_ADDRESS=head:6379 puzzle-envs bench hard --engine ray",
)


class EngineName(StrEnum):
    """Where tasks are done."""

    LOCAL = "local"
    RAY = "ray"


def run(
    suite: Annotated[
        str,
        typer.Argument(
            metavar="SUITE",
            help="A name that `list suites` shows, or a file of your own, such as mine.toml.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Where the results are.",
            show_default="results/SUITE",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, max=4096, help="Runs side by side.", show_default="one for each core"),
    ] = None,
    engine: Annotated[
        EngineName,
        typer.Option(help="Processes of this machine, or the Ray cluster of RAY_ADDRESS."),
    ] = EngineName.LOCAL,
) -> int:
    """Let agents play the levels of a suite, each run in a process of its own and within limits.

    Every run is a line in FOLDER/rows.jsonl as soon as it ends. The same command goes on where it
    was stopped; at the end it prints how the agents compare and writes the report.

    Exit code 1: a solution was not verified, or a claim, such as that of an optimum, is wrong.
    """
    _check_possible(engine)

    from puzzle_agents.benchmark.bench import do_tasks
    from puzzle_agents.benchmark.busy import warning
    from puzzle_agents.benchmark.engines import ENGINES
    from puzzle_agents.benchmark.report import make_report
    from puzzle_agents.benchmark.suite import read_suite
    from puzzle_agents.cli.comparison import show_report
    from puzzle_agents.cli.output import folder_for
    from puzzle_agents.machine import cores

    chosen = read_suite(suite)
    jobs = jobs or cores()
    with folder_for(Path("results") / chosen.name if output is None else output) as folder:
        if doubt := warning(jobs):
            print(doubt, file=sys.stderr)
        if notice := _first_use():
            print(notice, file=sys.stderr)
        with _progress(chosen.name, len(chosen.tasks)) as watch:
            do_tasks(chosen.tasks, folder, ENGINES[engine], jobs, watch)
    return show_report(make_report(folder, folder / "report"))


def _check_possible(engine: EngineName) -> None:
    """Say what is missing before anything has run."""
    from importlib.util import find_spec

    if not hasattr(os, "fork"):
        raise ValueError("The benchmark limits its runs as only Linux and macOS can; use these.")
    needed = {"bench": ("jinja2", "joblib", "matplotlib"), "ray": ("ray",)}
    for extra in ("bench", "ray") if engine == EngineName.RAY else ("bench",):
        if missing := [package for package in needed[extra] if find_spec(package) is None]:
            raise ImportError(
                f"This needs {' and '.join(missing)}, which an extra brings: "
                f"pip install 'puzzle-envs[{extra}]'."
            )


def _first_use() -> str:
    """What is said where nothing is compiled yet: the processes of the runs say nothing."""
    from puzzle_envs.kernels.compiled import cache_folder

    folder = cache_folder()
    if folder is not None and any(folder.iterdir()):
        return ""
    kept = f", and kept in {folder}" if folder is not None else ""
    return f"puzzle-envs: what agents need is compiled before their first runs, off the clock{kept}"


@contextmanager
def _progress(name: str, runs: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr where that is a terminal, else a line now and then."""
    from puzzle_agents.progress_bar import ProgressBar

    with ProgressBar() as bar:
        told = -1

        def watch(done: int) -> None:
            nonlocal told
            bar.show(f"{name}, runs", done, runs)
            if not bar.is_shown and 10 * done // runs > told:
                told = 10 * done // runs
                print(f"{name}: {done} of {runs} runs", file=sys.stderr, flush=True)

        yield watch

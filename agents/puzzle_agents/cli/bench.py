"""`puzzle-envs bench`: run agents on the levels of a suite, and report the results."""

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
    """Where runs are executed."""

    LOCAL = "local"
    RAY = "ray"


def run(
    suite: Annotated[
        str,
        typer.Argument(
            metavar="SUITE",
            help="A name from `list suites`, or a file such as mine.toml.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Folder for the results.",
            show_default="results/SUITE",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, max=4096, help="Number of parallel runs.", show_default="one per core"),
    ] = None,
    engine: Annotated[
        EngineName,
        typer.Option(help="Processes on this machine, or the Ray cluster at RAY_ADDRESS."),
    ] = EngineName.LOCAL,
) -> int:
    """Run agents on the levels of a suite, each run in its own process and within limits.

    Each run is a line in FOLDER/rows.jsonl as soon as it ends. If interrupted, the same command
    resumes; at the end it prints the comparison of the agents and writes the report.

    Exit code 1: a solution failed verification, or a claim, such as an optimum, is wrong.
    """
    _check_possible(engine)

    from puzzle_agents.benchmark.bench import do_tasks
    from puzzle_agents.benchmark.busy import warning
    from puzzle_agents.benchmark.engines import ENGINES
    from puzzle_agents.benchmark.report import make_report
    from puzzle_agents.benchmark.suite import read_suite
    from puzzle_agents.cli.output import folder_for
    from puzzle_agents.cli.report import show_report
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
    """Check for missing requirements before anything runs."""
    from importlib.util import find_spec

    if not hasattr(os, "fork"):
        raise ValueError("The benchmark's resource limits need Linux or macOS.")
    needed = {"bench": ("jinja2", "joblib", "matplotlib"), "ray": ("ray",)}
    for extra in ("bench", "ray") if engine == EngineName.RAY else ("bench",):
        if missing := [package for package in needed[extra] if find_spec(package) is None]:
            raise ImportError(
                f"{' and '.join(missing)} not installed; use pip install 'puzzle-envs[{extra}]'."
            )


def _first_use() -> str:
    """The notice for an empty cache, since the processes of the runs print nothing."""
    from puzzle_envs.kernels.compiled import cache_folder

    folder = cache_folder()
    if folder is not None and any(folder.iterdir()):
        return ""
    kept = f" (cached in {folder})" if folder is not None else ""
    return f"puzzle-envs: agents are compiled before their first runs, off the clock{kept}"


@contextmanager
def _progress(name: str, runs: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr if it is a terminal, else an occasional line."""
    from puzzle_agents.cli.bars import Bars

    reported = -1
    with Bars() as bars:

        def watch(done: int) -> None:
            nonlocal reported
            bars.show(f"{name}, runs", done, runs)
            if not bars.visible and 10 * done // runs > reported:
                reported = 10 * done // runs
                print(f"{name}: {done} of {runs} runs", file=sys.stderr, flush=True)

        yield watch

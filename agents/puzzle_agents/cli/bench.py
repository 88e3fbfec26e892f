"""`puzzle-envs bench`: run agents on the levels of a suite, and report the results."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from puzzle_agents.cli.arguments import folder_option
from puzzle_agents.cli.engine import Engine, EngineName, Jobs, check_engine, check_installed

NAME = "bench"

EXAMPLES = (
    "puzzle-envs list suites",
    "puzzle-envs bench quick",
    "puzzle-envs bench mine.toml --output results/mine --jobs 4",
    "RAY_ADDRESS=head:6379 puzzle-envs bench hard --engine ray",
    "puzzle-envs bench hard --shard 3/10",
)


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
        folder_option("Folder for the results.", "results/SUITE, or results/SUITE-K-of-N"),
    ] = None,
    jobs: Jobs = None,
    engine: Engine = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="K/N",
            help="Only part K of N, in its own folder; `report` combines them.",
            show_default="all",
        ),
    ] = None,
) -> int:
    """Run agents on the levels of a suite, each run in its own process and within limits.

    Each run is a line in FOLDER/rows.jsonl as soon as it ends. If interrupted, the same command
    resumes; at the end it prints the comparison of the agents and writes the report.

    Exit code 1: a solution failed verification, or a claim, such as an optimum, is wrong.
    """
    _check_possible(engine)

    from puzzle_agents.benchmark.bench import do_tasks
    from puzzle_agents.benchmark.busy import warning
    from puzzle_agents.benchmark.report import make_report
    from puzzle_agents.benchmark.shard import shard_of
    from puzzle_agents.benchmark.suite import read_suite
    from puzzle_agents.cli.comparison import show_report
    from puzzle_agents.cli.output import folder_for
    from puzzle_agents.engines import ENGINES
    from puzzle_agents.machine import cores

    part = None if shard is None else shard_of(shard)
    chosen = read_suite(suite)
    name, tasks = chosen.name, chosen.tasks
    if part is not None:
        name, tasks = name + part.suffix, part.of(tasks)
    where = engine or EngineName.LOCAL
    jobs = jobs or cores()
    for sentence in chosen.left_out:
        print(sentence, file=sys.stderr)
    with folder_for(Path("results") / name if output is None else output) as folder:
        if where == EngineName.LOCAL and (doubt := warning(jobs)):
            print(doubt, file=sys.stderr)
        if notice := _first_use():
            print(notice, file=sys.stderr)
        with _progress(name, len(tasks)) as watch:
            do_tasks(tasks, folder, ENGINES[where], jobs, watch)
    return show_report(make_report([folder], folder / "report"))


def _check_possible(engine: EngineName | None) -> None:
    """Check for missing requirements before anything runs."""
    if not hasattr(os, "fork"):
        raise ValueError("The benchmark's resource limits need Linux or macOS.")
    check_installed("bench")
    check_engine(engine)


def _first_use() -> str:
    """The notice for an empty cache, since the processes of the runs print nothing."""
    from puzzle_envs.kernels.kept import cache_folder

    folder = cache_folder()
    if folder is not None and any(folder.iterdir()):
        return ""
    kept = f" (cached in {folder})" if folder is not None else ""
    return f"puzzle-envs: agents are compiled before their first runs, off the clock{kept}"


@contextmanager
def _progress(name: str, runs: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr if it is a terminal, else an occasional line."""
    from puzzle_agents.progress_bar import ProgressBar

    with ProgressBar() as bar:
        reported = -1

        def watch(done: int) -> None:
            nonlocal reported
            bar.show(f"{name}, runs", done, runs)
            if not bar.is_shown and 10 * done // runs > reported:
                reported = 10 * done // runs
                print(f"{name}: {done} of {runs} runs", file=sys.stderr, flush=True)

        yield watch

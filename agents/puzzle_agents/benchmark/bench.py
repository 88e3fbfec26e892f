"""A benchmark: the tasks of a suite done, their rows in a folder, gone on with where it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from puzzle_agents.benchmark.engines import Engine
from puzzle_agents.benchmark.row import ROWS, append_row, mend, read_rows
from puzzle_agents.benchmark.task import Task, in_order
from puzzle_agents.lock import held

__all__ = ["do_tasks"]


def do_tasks(
    tasks: Sequence[Task],
    folder: Path,
    engine: Engine,
    jobs: int,
    watch: Callable[[int], None],
) -> None:
    """Do the tasks whose rows are not in the folder yet.

    Args:
        tasks: All tasks of a suite.
        folder: Where the rows are; made if it is not there.
        engine: What runs them.
        jobs: How many side by side.
        watch: Is told how many are done, first those that were.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with held(folder, "benchmark"):
        done = _done(tasks, folder)
        watch(len(done))
        left = [task for task in tasks if task.key not in done]
        for number, row in enumerate(engine(in_order(left), jobs) if left else (), len(done) + 1):
            append_row(folder / ROWS, row)
            watch(number)


def _done(tasks: Sequence[Task], folder: Path) -> set[str]:
    """The keys of the rows that are there; all of them are this suite's."""
    path = folder / ROWS
    mend(path)
    rows = read_rows(path) if path.exists() else []
    keys = {task.key for task in tasks}
    for row in rows:
        if row.key not in keys:
            raise ValueError(
                f"{folder} holds results of another suite, or of another version of this one "
                f"('{row.suite}': {row.agent} on {row.level}); remove it, or name another folder "
                "with --output."
            )
    return {row.key for row in rows}

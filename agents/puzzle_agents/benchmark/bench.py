"""Benchmarks: the tasks of a suite, with resumable results in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from puzzle_agents.benchmark.row import ROWS, Row, append_row, mend, read_rows
from puzzle_agents.benchmark.task import Task, in_order
from puzzle_agents.benchmark.warm import attempt_warm
from puzzle_agents.engines.job import Engine
from puzzle_agents.environments import import_package, puzzle_of
from puzzle_agents.lock import held


@dataclass(frozen=True)
class TaskJob:
    """A task as a job of an engine, whose message is its row."""

    task: Task
    package: str
    """Whose import registers the environment."""
    cores: int = 1

    @property
    def name(self) -> str:
        """The agent and the level."""
        return f"'{self.task.agent}' on '{self.task.level}'"

    def run(self) -> Iterator[Row]:
        """Attempt the task."""
        import_package(self.package)
        yield attempt_warm(self.task, self.package)

    def after(self, row: Row) -> None:
        """A task has no rest."""


def do_tasks(
    tasks: Sequence[Task],
    folder: Path,
    engine: Engine,
    places: int,
    watch: Callable[[int], None],
) -> None:
    """Run the tasks whose rows are not in the folder yet.

    Args:
        tasks: All tasks of a suite, or of a shard of it.
        folder: The results folder, created if missing.
        engine: The engine to run them.
        places: Number of parallel tasks.
        watch: Receives the number of completed tasks, earlier ones included.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with held(folder, "benchmark"):
        done = _done(tasks, folder)
        watch(len(done))
        left = in_order([task for task in tasks if task.key not in done])
        packages = {env: puzzle_of(env).package for env in {task.env for task in left}}
        jobs = [TaskJob(task, packages[task.env]) for task in left]
        with closing(engine(jobs, places)) as rows:
            for number, row in enumerate(rows, len(done) + 1):
                append_row(folder / ROWS, row)
                watch(number)


def _done(tasks: Sequence[Task], folder: Path) -> set[str]:
    """The keys of the existing rows, which must belong to these tasks."""
    path = folder / ROWS
    mend(path)
    rows = read_rows(path) if path.exists() else []
    keys = {task.key for task in tasks}
    for row in rows:
        if row.key not in keys:
            raise ValueError(
                f"{folder} holds results of another suite, of another version of this one, or of "
                f"another shard ('{row.suite}': {row.agent} on {row.level}); remove it, or name "
                "another folder with --output."
            )
    return {row.key for row in rows}

"""A process that keeps agents warm: compiled, loaded, waiting for tasks.

`attempt_warm` runs a task in the single warm process of its caller. This is a new Python, not a
fork: it has one thread, so that each attempt can be a fork of it.
"""

from __future__ import annotations

import os
import signal
import tempfile
from multiprocessing.connection import Connection

from puzzle_agents.benchmark.attempt import attempt, lost, warm_up
from puzzle_agents.benchmark.row import Row
from puzzle_agents.benchmark.task import Task
from puzzle_agents.engines.process import start, to_parent
from puzzle_agents.environments import import_package
from puzzle_agents.machine import ONE_THREAD

PATIENCE = 1800.0
"""Seconds, in addition to four times the budget, after which a silent process is given up."""


class WarmProcess:
    """A process that warms up for a task before attempting it."""

    def __init__(self) -> None:
        """Start the process."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._process, self._connection = start(__name__, os.environ | ONE_THREAD, self._errors)

    def attempt(self, task: Task, package: str) -> Row:
        """Send a task and wait for its row; an EOFError means that the process died."""
        self._connection.send((task, package))
        if not self._connection.poll(PATIENCE + 4 * task.budget.seconds):
            self._process.kill()
        row: Row = self._connection.recv()
        return row

    def last_words(self) -> str:
        """How the process ended, and its last line of output."""
        self._connection.close()
        code = self._process.wait()
        with self._errors as errors:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").split("\n")
        words = next((line.strip() for line in reversed(lines) if line.strip()), "no output")
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        return f"The warm process ended {how}: {words}"


_kept: list[WarmProcess] = []
"""The warm process of this process, if any."""


def attempt_warm(task: Task, package: str) -> Row:
    """Run a task in a process that is warm for it.

    Args:
        task: What to run.
        package: Whose import registers its environment.
    """
    if not _kept:
        _kept.append(WarmProcess())
    try:
        return _kept[0].attempt(task, package)
    except (EOFError, OSError):
        return lost(task, _kept.pop().last_words())


def _serve(connection: Connection) -> None:
    """Process tasks until the other end closes."""
    while True:
        try:
            task, package = connection.recv()
        except EOFError:
            return
        import_package(package)
        connection.send(attempt(task, warm_up(task)))


if __name__ == "__main__":
    _serve(to_parent())

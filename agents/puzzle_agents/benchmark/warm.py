"""A process that keeps agents warm: compiled, loaded, waiting for one task after another.

`attempt_warm` runs a task in the one such process of the process that calls it. It is a new Python
and no fork, whatever runs side by side with it: so it has one thread, and each attempt can be a
fork of it.
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

__all__ = ["attempt_warm"]

PATIENCE = 1800.0
"""Seconds after which a process that says nothing is given up, beside four times the budget."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class WarmProcess:
    """One that warms up for a task before it attempts it."""

    def __init__(self) -> None:
        """Start it."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long)
        self._process, self._connection = start(__name__, os.environ | ONE_THREAD, self._errors)

    def attempt(self, task: Task) -> Row:
        """Hand over a task and wait for its row; an EOFError says that the process died."""
        self._connection.send(task)
        if not self._connection.poll(PATIENCE + 4 * task.budget.seconds):
            self._process.kill()
        row: Row = self._connection.recv()
        return row

    def last_words(self) -> str:
        """How it ended, and the last line that it wrote."""
        self._connection.close()
        code = self._process.wait()
        with self._errors as errors:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").split("\n")
        words = next((line.strip() for line in reversed(lines) if line.strip()), "no word")
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        return f"The process that keeps agents warm ended {how}: {words}"


_kept: list[WarmProcess] = []
"""The warm process of this process, if there is one."""


def attempt_warm(task: Task) -> Row:
    """Run a task in a process that is warm for it."""
    if not _kept:
        _kept.append(WarmProcess())
    try:
        return _kept[0].attempt(task)
    except (EOFError, OSError):
        return lost(task, _kept.pop().last_words())


def _serve(connection: Connection) -> None:
    """Do tasks until the other end closes."""
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        connection.send(attempt(task, warm_up(task)))


if __name__ == "__main__":
    _serve(to_parent())

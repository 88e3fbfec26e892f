"""The process that `local` starts: it does jobs, one after another, and tells what they tell."""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection
from typing import Any

from puzzle_agents.engines.job import Job, told_by
from puzzle_agents.engines.process import to_parent


def _serve(connection: Connection) -> None:
    """Do jobs until the other end closes."""
    while True:
        try:
            job: Job[Any] = connection.recv()
        except EOFError:
            return
        for told in told_by(job):
            connection.send(told)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # and so leave no temporary files
    _serve(to_parent())

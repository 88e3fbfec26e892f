"""The process started by `local`: runs jobs one after another and passes on their messages."""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection
from typing import Any

from puzzle_agents.engines.job import Job, outputs_of
from puzzle_agents.engines.process import to_parent


def _serve(connection: Connection) -> None:
    """Run jobs until the other end closes."""
    while True:
        try:
            job: Job[Any] = connection.recv()
        except EOFError:
            return
        for output in outputs_of(job):
            connection.send(output)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # cleans up temporary files
    _serve(to_parent())

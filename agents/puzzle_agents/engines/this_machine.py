"""Jobs in processes on this machine."""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Generator, Sequence
from multiprocessing.connection import wait
from typing import Any, TypeVar

from puzzle_agents.engines.job import Failure, Job
from puzzle_agents.engines.process import start

Output = TypeVar("Output")

PATIENCE = 10.0
"""Seconds for a process to clean up after being told to end."""


def local(jobs: Sequence[Job[Output]], places: int, /) -> Generator[Output]:
    """Run jobs in this many processes on this machine, which end with this one."""
    waiting = deque(jobs)
    workers = [_Worker() for _ in range(min(places, len(waiting)))]
    try:
        for worker in workers:
            worker.begin(waiting.popleft())
        busy = {worker.connection: worker for worker in workers}
        while busy:
            for ready in wait(busy):
                worker = busy[ready]  # type: ignore[index]
                output = worker.hear()
                if worker.job is None and waiting:
                    worker.begin(waiting.popleft())
                elif worker.job is None:
                    del busy[worker.connection]
                yield output
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.end()


class _Worker:
    """A process that runs one job after another."""

    def __init__(self) -> None:
        self.process, self.connection = start("puzzle_agents.engines.worker")
        self.job: Job[Any] | None = None
        """The rest of its current job."""

    def begin(self, job: Job[Any]) -> None:
        """Send it a job."""
        self.job = job
        try:
            self.connection.send(job)
        except OSError:
            raise self._ended() from None

    def hear(self) -> Any:
        """Receive the next message of its job."""
        assert self.job is not None
        try:
            output = self.connection.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        if isinstance(output, Failure):
            raise output.error()
        self.job = self.job.after(output)
        return output

    def _ended(self) -> ChildProcessError:
        name = "" if self.job is None else f" running {self.job.name}"
        return ChildProcessError(
            f"A worker process{name} was killed, perhaps for lack of memory; the same command "
            "resumes."
        )

    def end(self) -> None:
        """Wait for it to end, and kill it if necessary."""
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.connection.close()

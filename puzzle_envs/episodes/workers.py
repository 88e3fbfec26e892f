"""Worker threads that wait for steps: they spin in compiled code for a moment, and then sleep.

Waking a sleeping thread takes as long as half a step of a thousand episodes, so a worker spins for
a few tenths of a millisecond before it sleeps. Sleeping workers use no CPU, and none is woken
without a free core.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from puzzle_envs.common.arguments import whole
from puzzle_envs.episodes.sharing import Job, Shared, all_done, emptied, help_out, share_out
from puzzle_envs.kernels.atomics import COMPILED

WORTH_A_THREAD = 512
"""Minimum number of episodes per thread for which sharing pays."""

PATIENCE, PATIENCE_PER_EPISODE = 3_000, 2
"""Polls of a worker, some 40 nanoseconds each, before it sleeps: about the time that a simple rule
takes to choose actions."""
MEANWHILE = 5e-5
"""Seconds that the caller sleeps while waiting for the last portions: a slow worker may be waiting
for the core."""


def cores() -> int:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_for(wanted: object, episodes: int) -> int:
    """Number of threads for this many episodes, from a number or "auto"."""
    if isinstance(wanted, str) and wanted == "auto":
        wanted = max(1, min(cores(), episodes // WORTH_A_THREAD))
    threads = whole('threads, if it is not "auto",', wanted, 1)
    return min(threads, episodes) if COMPILED else 1


class Workers:
    """Shares the steps of a batch among the calling thread and workers."""

    def __init__(self, threads: int, episodes: int) -> None:
        """Threads are started by the first step."""
        self._threads, self._episodes = threads, episodes
        self._team: _Team | None = None
        self._end: Callable[[], object] | None = None

    def advance(self, job: Job) -> None:
        """One step of every episode."""
        if self._team is None or self._team.process != os.getpid():  # threads are not forked
            self._team = _Team(job, self._threads, self._episodes)
            self._end = weakref.finalize(self, self._team.end)  # at exit too
        self._team.advance(job)

    def close(self) -> None:
        """End the workers; another step starts new ones."""
        if self._end is not None:
            self._end()
        self._team = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_team": None, "_end": None}


class _Team:
    """The workers of one process."""

    def __init__(self, job: Job, threads: int, episodes: int) -> None:
        self.process = os.getpid()
        self._shared = Shared.among(threads, episodes)
        self._job, self._like = job, emptied(job)
        self._awake = threading.Condition()
        self._asleep, self._ended = 0, False
        self._patience = PATIENCE + PATIENCE_PER_EPISODE * episodes
        help_out(self._like, self._shared, 0, 0)  # compiled here, and not in each worker
        self._workers = [
            threading.Thread(target=self._serve, args=(number,), name="puzzle-envs", daemon=True)
            for number in range(1, threads)
        ]
        for worker in self._workers:
            worker.start()

    def advance(self, job: Job) -> None:
        if self._asleep:
            self._wake()
        self._job = job  # keeps its arrays alive while workers write to them
        try:
            done = share_out(job, self._shared)
            while not done:
                time.sleep(MEANWHILE)
                done = all_done(self._shared)
        except BaseException:  # Ctrl-C: wait until no worker uses the arrays
            while not all_done(self._shared):
                pass
            raise

    def _wake(self) -> None:
        """Wake at most one worker per core, except for this thread's core."""
        with self._awake:
            up = len(self._workers) - self._asleep
            self._awake.notify(max(0, cores() - 1 - up))

    def _serve(self, number: int) -> None:
        """Main loop of a worker."""
        while True:
            help_out(self._like, self._shared, number, self._patience)
            with self._awake:
                if self._ended:
                    return
                self._asleep += 1
                self._awake.wait()
                self._asleep -= 1

    def end(self) -> None:
        """End the workers, unless they belong to another process (after a fork)."""
        if self.process != os.getpid():
            return
        with self._awake:
            self._ended = True
            self._awake.notify_all()
        for worker in self._workers:
            if worker is not threading.current_thread():
                worker.join()

"""Threads that wait for steps in compiled code, for a moment, and then sleep.

Waking a sleeping thread takes as long as half a step of a thousand episodes, so a worker looks
out for the next step for a few tenths of a millisecond before it sleeps. While nobody steps no
worker runs; none is woken for whom there is no core.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from puzzle_envs.common.arguments import whole
from puzzle_envs.episodes.sharing import Job, Shared, all_done, help_out, share_out
from puzzle_envs.kernels.atomics import COMPILED

__all__ = ["Workers", "cores", "threads_for"]

WORTH_A_THREAD = 512
"""So many episodes keep a thread busy for longer than it takes to share them."""

PATIENCE, PATIENCE_PER_EPISODE = 3_000, 2
"""The looks of a worker, some 40 nanoseconds each, before it sleeps: for about as long as whoever
steps needs to choose actions by a simple rule."""
MEANWHILE = 5e-5
"""The seconds for which who waits for the last portions leaves the core to others: a worker that
is slow may be waiting for one."""


def cores() -> int:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_for(wanted: object, episodes: int) -> int:
    """How many threads to share so many episodes among: a number, or "auto"."""
    if isinstance(wanted, str) and wanted == "auto":
        wanted = max(1, min(cores(), episodes // WORTH_A_THREAD))
    threads = whole('threads, if it is not "auto",', wanted, 1)
    return min(threads, episodes) if COMPILED else 1


class Workers:
    """Shares the steps of so many episodes among threads, the caller's and workers."""

    def __init__(self, threads: int, episodes: int) -> None:
        """Start nothing yet: that is for the first step."""
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
        self._job, self._like = job, job.without_episodes()
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
        self._job = job  # whose arrays workers write to
        try:
            done = share_out(job, self._shared)
            while not done:
                time.sleep(MEANWHILE)
                done = all_done(self._shared)
        except BaseException:  # Ctrl-C: not before the arrays are left alone
            while not all_done(self._shared):
                pass
            raise

    def _wake(self) -> None:
        """Wake as many workers as there are cores for, this thread's left out."""
        with self._awake:
            up = len(self._workers) - self._asleep
            self._awake.notify(max(0, cores() - 1 - up))

    def _serve(self, number: int) -> None:
        """What a worker does all its life."""
        while True:
            help_out(self._like, self._shared, number, self._patience)
            with self._awake:
                if self._ended:
                    return
                self._asleep += 1
                self._awake.wait()
                self._asleep -= 1

    def end(self) -> None:
        """Let the workers go home; those of another process are none of ours."""
        if self.process != os.getpid():
            return
        with self._awake:
            self._ended = True
            self._awake.notify_all()
        for worker in self._workers:
            if worker is not threading.current_thread():
                worker.join()

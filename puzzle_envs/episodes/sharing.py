"""A step of many episodes shared among threads, compiled.

The episodes are split into portions. Each thread first works on its own range of portions, so that
what it writes stays in its core's cache, and then takes portions from other ranges. The calling
thread does whatever is left, so that a worker without a core delays nothing.

A range's word holds the number of the step in its high half and the next portion in its low half.
The thread that swaps the word for the next one owns that portion, and the job that it read is the
right one: no other job is stored until all portions are done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.episodes.bundles import End, Frame, Mode, Running
from puzzle_envs.episodes.stepping import SAME_STEP, advance_one, begin_again
from puzzle_envs.kernels.atomics import (
    ROOM,
    add_word,
    keep,
    kept,
    load_word,
    rest,
    store_word,
    swap_word,
)
from puzzle_envs.kernels.compiled import compiled, inlined, kernel, separate
from puzzle_envs.kernels.prefetch import prefetch, prefetch_to_write

PORTION, PORTIONS = 128, 4
"""Episodes of a portion; fewer if a thread would have fewer than this number of portions."""

APART = 16
"""The distance of two shared words, in words: each has two cache lines to itself."""
SPARED = 2
"""The last portions of a range are left to its own thread: taking them would move their data out of
that core's cache, and back for the next step."""
SOON = 300
"""Number of polls, some 30 nanoseconds each, before the caller helps, or gives up waiting."""
AHEAD, LINE = 6, 64
"""How many episodes ahead cache lines are prefetched, and the bytes of a line."""
DONE = 0
"""The index of the word that counts finished portions; the ranges' words follow."""
HALF, LOW_HALF = 32, (1 << 32) - 1


class Job(NamedTuple):
    """A step, as `advance_one` and `begin_again` take it."""

    running: Running
    actions: npt.NDArray[np.int64]
    frame: Frame
    end: End
    finals: Frame
    mode: Mode


def emptied(bundle: Any) -> Any:
    """A bundle of the same type without episodes, for kernels that need to know only the type."""
    if isinstance(bundle, np.ndarray):
        return np.empty((0,) * bundle.ndim, bundle.dtype)
    if isinstance(bundle, tuple):
        make: Any = type(bundle)
        return make(*map(emptied, bundle))
    return bundle


class Shared(NamedTuple):
    """Words and sizes that all threads share."""

    words: npt.NDArray[np.int64]
    room: npt.NDArray[np.int64]
    """Holds the job."""
    episodes: int
    threads: int
    portion: int
    """The episodes of a portion; the last one may have fewer."""
    portions: int

    @classmethod
    def among(cls, threads: int, episodes: int) -> Shared:
        """Shared memory without a job."""
        portion = max(1, min(PORTION, episodes // (PORTIONS * threads)))
        portions = -(-episodes // portion)
        words, room = np.zeros(APART * (threads + 1), np.int64), np.zeros(ROOM, np.int64)
        shared = cls(words, room, episodes, threads, portion, portions)
        shared.words[DONE] = portions
        for thread in range(threads):
            shared.words[APART * (thread + 1)] = portions * (thread + 1) // threads
        return shared


@inlined
def _word(thread: int) -> int:
    return APART * (thread + 1)


@inlined
def _first(shared: Shared, thread: int) -> int:
    """The first portion of a thread's range, and the end of the range before it."""
    return shared.portions * thread // shared.threads


@inlined
def _fetch(rows: Any, index: int) -> None:
    """Prefetch the cache lines of a row for writing."""
    for byte in range(index * rows.shape[1], (index + 1) * rows.shape[1], LINE):
        prefetch_to_write(rows, np.uint64(byte))


@separate
def _do(job: Job, first: int, last: int) -> None:
    """Step some episodes, and prefetch rows that another core may have read or written."""
    for index in range(first, last):
        prefetch(job.actions, np.uint64(index + 2 * AHEAD))
        prefetch_to_write(job.end.rewards, np.uint64(index + 2 * AHEAD))
        _fetch(job.frame.masks, index + AHEAD)
        _fetch(job.frame.planes, index + AHEAD)
        advance_one(job.running, job.actions, job.frame, job.end, job.mode, index)
    if job.mode.autoreset == SAME_STEP:
        begin_again(job.running, job.frame, job.finals, first, last)


@compiled
def _work(like: Job, shared: Shared, thread: int, spared: int) -> None:
    """Work on what is left of a thread's own range, then of the others' without their last ones."""
    for turn in range(shared.threads):
        owner = (thread + turn) % shared.threads
        end = _first(shared, owner + 1) - (spared if owner != thread else 0)
        done = 0
        while True:
            word = load_word(shared.words, _word(owner))
            portion = word & LOW_HALF
            if portion >= end:
                break
            job = kept(like, shared.room)
            if swap_word(shared.words, _word(owner), word, word + 1):
                first = portion * shared.portion
                _do(job, first, min(first + shared.portion, shared.episodes))
                done += 1
        add_word(shared.words, DONE, done)


@compiled
def _is_done(shared: Shared, looks: int) -> bool:
    for _ in range(looks):
        if load_word(shared.words, DONE) == shared.portions:
            return True
        rest()
    return False


@kernel
def share_out(job: Job, shared: Shared) -> bool:
    """Publish a job and work on it until no portion is left; return whether all of it is done."""
    keep(job, shared.room)
    store_word(shared.words, DONE, 0)
    step = (load_word(shared.words, _word(0)) >> HALF) + 1
    for thread in range(shared.threads):
        store_word(shared.words, _word(thread), (step << HALF) | _first(shared, thread))
    _work(job, shared, 0, SPARED)
    if not _is_done(shared, SOON):
        _work(job, shared, 0, 0)
    return _is_done(shared, SOON)


@kernel
def help_out(like: Job, shared: Shared, thread: int, patience: int) -> None:
    """Work on published jobs, until `patience` polls in a row found nothing new.

    A thread polls only its own range: otherwise it might take portions of others before its own.
    """
    idle, seen = 0, -1
    while idle < patience:
        rest()
        word = load_word(shared.words, _word(thread))
        idle += 1
        if word != seen:
            _work(like, shared, thread, SPARED)
            idle, seen = 0, word


@kernel
def all_done(shared: Shared) -> bool:
    """Whether the job is done, polling for a moment."""
    return _is_done(shared, SOON)

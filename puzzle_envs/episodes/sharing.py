"""A step of many episodes shared among threads, compiled: which thread does which of them.

Episodes are done some at a time. Each thread has a range of its own, so that what it writes stays
in its core's cache, and takes from the others' when it is through. The first thread, which asked
for the step, needs no other: it does whatever nobody has taken, so that a worker that sleeps, or
has no core to run on, costs nothing.

A range's word holds the number of the step in its high half and the next portion in its low half.
Who swaps it for the next one has that portion, and knows that the job he read belongs to it: no
other is written until all of its portions are done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

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
from puzzle_envs.kernels.compiled import compiled, inlined, kernel
from puzzle_envs.kernels.prefetch import prefetch, prefetch_to_write

__all__ = ["Job", "Shared", "all_done", "help_out", "share_out"]

PORTION, PORTIONS = 128, 4
"""So many episodes are a portion; or fewer, so that each thread has so many portions."""

APART = 16
"""The words from one shared word to the next: each has two lines of the cache to itself."""
SPARED = 2
"""The last portions of a range are left to whoever does the others: what is taken from him has to
come from his core's cache, and go back there for the next step."""
SOON = 300
"""The looks, some 30 nanoseconds each, after which nobody seems to be doing them, or is slow."""
AHEAD, LINE = 6, 64
"""How many episodes ahead the lines of the cache, of so many bytes, are asked for."""
DONE = 0
"""Where the portions that are done are counted; the ranges' words follow."""
HALF, LOW_HALF = 32, (1 << 32) - 1


class Job(NamedTuple):
    """A step, as `advance_one` and `begin_again` take it."""

    levels: np.ndarray
    templates: np.ndarray
    choices: int
    actions: npt.NDArray[np.int64]
    episodes: np.ndarray
    states: npt.NDArray[np.uint64]
    planes: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    outcomes: np.ndarray
    rewards: npt.NDArray[np.float64]
    ends: npt.NDArray[np.bool_]
    final_planes: npt.NDArray[np.int8]
    final_masks: npt.NDArray[np.int8]
    final_outcomes: np.ndarray
    autoreset: int
    rewarded: int
    limit: int

    def without_episodes(self) -> Job:
        """A job of the same type, for kernels that only have to know the type."""
        return Job._make(
            np.empty((0,) * part.ndim, part.dtype) if isinstance(part, np.ndarray) else part
            for part in self
        )


class Shared(NamedTuple):
    """What the threads share."""

    words: npt.NDArray[np.int64]
    room: npt.NDArray[np.int64]
    """For the job."""
    episodes: int
    threads: int
    portion: int
    """The episodes of a portion; the last one may have fewer."""
    portions: int

    @classmethod
    def among(cls, threads: int, episodes: int) -> Shared:
        """Nothing to do yet."""
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
    """The first portion of a thread's range, which is the end of the range before."""
    return shared.portions * thread // shared.threads


@inlined
def _fetch(rows: Any, index: int) -> None:
    """Ask for the lines of a row."""
    for byte in range(index * rows.shape[1], (index + 1) * rows.shape[1], LINE):
        prefetch_to_write(rows, np.uint64(byte))


@compiled
def _do(job: Job, first: int, last: int) -> None:
    """Step some episodes; what another core has read or written since is asked for ahead."""
    for index in range(first, last):
        prefetch(job.actions, np.uint64(index + 2 * AHEAD))
        prefetch_to_write(job.rewards, np.uint64(index + 2 * AHEAD))
        _fetch(job.masks, index + AHEAD)
        _fetch(job.planes, index + AHEAD)
        advance_one(
            job.levels, job.templates, job.choices, job.actions, job.episodes, job.states,
            job.planes, job.masks, job.outcomes, job.rewards, job.ends,
            job.autoreset, job.rewarded, job.limit, index,
        )  # fmt: skip
    if job.autoreset == SAME_STEP:
        begin_again(
            job.levels, job.templates, job.choices, job.episodes, job.states, job.planes, job.masks,
            job.outcomes, job.final_planes, job.final_masks, job.final_outcomes, first, last,
        )  # fmt: skip


@compiled
def _work(like: Job, shared: Shared, thread: int, spared: int) -> None:
    """Do what is left of one's own range, then of the others' but for their last few portions."""
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
    """Put a job up and work on it until nothing is left to take; whether all of it is done."""
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
    """Work on whatever is put up, until there was nothing new for so many looks.

    New is what changes one's own range: who looked at the others' would take from them before he
    begins with his own.
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
    """Whether the job is done, after some looks at most."""
    return _is_done(shared, SOON)

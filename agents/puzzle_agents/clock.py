"""The clock of an attempt."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """A stopwatch that starts when created."""

    def __init__(self, limit: float | None = None) -> None:
        """Start; `limit` is the time limit in seconds, None for none."""
        self._limit = limit
        self._began = time.perf_counter()
        self._paused = 0.0

    @property
    def seconds(self) -> float:
        """Seconds elapsed, without pauses."""
        return time.perf_counter() - self._began - self._paused

    def is_over(self, share: float = 1.0) -> bool:
        """Whether this share of the limit has elapsed."""
        return self._limit is not None and self.seconds > share * self._limit

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Exclude the block from the time."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._paused += time.perf_counter() - began

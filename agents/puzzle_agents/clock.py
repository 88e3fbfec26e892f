"""An agent's own time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Clock"]


class Clock:
    """Runs from when it is made, but for pauses."""

    def __init__(self, limit: float | None = None) -> None:
        """Begin; `limit` is how many seconds there are, None for no limit."""
        self._limit = limit
        self._began = time.perf_counter()
        self._paused = 0.0

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.perf_counter() - self._began - self._paused

    def is_over(self, share: float = 1.0) -> bool:
        """Whether this share of the time is spent."""
        return self._limit is not None and self.seconds > share * self._limit

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What happens meanwhile takes no time."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._paused += time.perf_counter() - began

"""A folder that one process writes to at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["LOCK", "held"]

LOCK = ".lock"
LONGEST = 200
"""Bytes of the file that are told to who comes second."""


@contextmanager
def held(folder: Path, what: str) -> Iterator[None]:
    """Keep others out of a folder; the system lets go of it when this process ends.

    Args:
        folder: Which is there.
        what: What writes to it, for who comes second, such as "benchmark".
    """
    if sys.platform == "win32":  # has no such locks
        yield
        return
    import fcntl

    with (folder / LOCK).open("a+b") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read(LONGEST).decode(errors="replace").strip() or what
            raise ValueError(
                f"Another {holder} writes to {folder}; wait until it ends, or name another folder."
            ) from None
        lock.truncate(0)
        lock.write(f"{what} (process {os.getpid()})".encode())
        lock.flush()
        yield

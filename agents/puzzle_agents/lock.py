"""Exclusive locks on folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = ".lock"
LONGEST = 200
"""Bytes of the lock file shown to other processes."""


@contextmanager
def held(folder: Path, what: str) -> Iterator[None]:
    """Lock a folder; the system releases it when this process ends.

    Args:
        folder: An existing folder.
        what: What writes to it, such as "benchmark", for messages of other processes.
    """
    if sys.platform == "win32":  # no such locks
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
                f"Another {holder} is writing to {folder}; wait for it, or name another folder."
            ) from None
        lock.truncate(0)
        lock.write(f"{what} (process {os.getpid()})".encode())
        lock.flush()
        yield

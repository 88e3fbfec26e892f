"""Atomic file writes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a temporary file that replaces `path` on success and is deleted on failure.

    An OSError of the system, such as for a full disk, names `path`.
    """
    part = path.with_name(f".{path.name[:50]}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with naming(path, instead_of=part):
            with part.open("xb") as file:
                yield file
            os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def naming(path: Path, *, instead_of: Path | None = None) -> Iterator[None]:
    """Add a file name to the system's errors: those of open files have none.

    Args:
        path: The file to name.
        instead_of: The temporary file that replaces it.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(instead_of)):
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    with whole_file(path) as file:
        file.write(data)

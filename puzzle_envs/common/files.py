"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

__all__ = ["naming", "whole_file", "write_whole"]


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of `path` when all is written, and vanishes when it is not.

    An OSError of the system, such as that of a full disk, names `path`.
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
    """Let the system's errors name a file: those of writing to one that is open name none.

    Args:
        path: The file that somebody asked for.
        instead_of: One in its place, which nobody knows of.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(instead_of)):
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that no reader ever meets half of it."""
    with whole_file(path) as file:
        file.write(data)

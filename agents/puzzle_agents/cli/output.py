"""Where subcommands write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["check_writable", "folder_for"]


def check_writable(path: Path, option: str, *, with_folders: bool = False) -> None:
    """Refuse a file that could not be written, before there is anything to write.

    Args:
        path: The file, which may be there.
        option: What named it.
        with_folders: Whether folders are made that are not there.
    """
    folder = path.parent
    while with_folders and not folder.exists():
        folder = folder.parent
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a file with {option}.")
    if path.exists() and not path.is_file():  # a device, which a file would take the place of
        raise ValueError(f"{path} is no file; name one with {option}.")
    if not folder.is_dir():
        raise ValueError(f"There is no folder {folder}; make it, or name another with {option}.")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{folder} cannot be written to; name another folder with {option}.")


@contextmanager
def folder_for(output: Path) -> Iterator[Path]:
    """A folder, made before anything is run; it goes again if that fails and leaves nothing."""
    new = [folder for folder in (output, *output.parents) if not folder.exists()]
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{output} cannot be made ({error.strerror}); name another.") from error
    try:
        if not os.access(output, os.W_OK):
            raise ValueError(f"{output} cannot be written to; name another folder with --output.")
        yield output
    except BaseException:
        for folder in new:
            with suppress(OSError):  # there is something in it
                folder.rmdir()
        raise

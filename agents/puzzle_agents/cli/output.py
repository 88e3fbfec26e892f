"""Checks of output files and folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def check_writable(path: Path, option: str, *, with_folders: bool = False) -> None:
    """Raise an error if a file cannot be written, before the work starts.

    Args:
        path: The file, which may exist.
        option: The option that named it.
        with_folders: Whether missing folders will be created.
    """
    folder = path.parent
    while with_folders and not folder.exists():
        folder = folder.parent
    if path.is_dir():
        raise ValueError(f"{path} is a folder; {option} takes a file.")
    if path.exists() and not path.is_file():  # such as a device, which must not be replaced
        raise ValueError(f"{path} is not a regular file; {option} takes a file.")
    if not folder.is_dir():
        raise ValueError(f"There is no folder {folder}; create it, or name another with {option}.")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{folder} is not writable; name another folder with {option}.")


def check_level_file(path: Path) -> None:
    """Raise an error if a level file cannot be written there."""
    check_writable(path, "--output")
    if path.suffix != ".txt":
        raise ValueError(f"A level file must end in .txt; write --output {path.stem}.txt.")


@contextmanager
def folder_for(output: Path) -> Iterator[Path]:
    """Create a folder for results; remove it again if the work fails and leaves it empty."""
    new = [folder for folder in (output, *output.parents) if not folder.exists()]
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"{output} cannot be created ({error.strerror}); name another folder."
        ) from error
    try:
        if not os.access(output, os.W_OK):
            raise ValueError(f"{output} is not writable; name another folder with --output.")
        yield output
    except BaseException:
        for folder in new:
            with suppress(OSError):  # not empty
                folder.rmdir()
        raise

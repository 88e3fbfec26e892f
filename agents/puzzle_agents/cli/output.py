"""Where subcommands print and write."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["check_writable", "console", "made_folder"]

WIDTH_OF_A_FILE = 160
"""Where the output is no terminal, tables take what they need up to this."""


def console() -> Console:
    """Standard output, for tables; square brackets are no markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else WIDTH_OF_A_FILE
    return Console(highlight=False, markup=False, width=width)


def check_writable(path: Path, option: str) -> None:
    """Refuse a file that could not be written, before there is anything to write."""
    folder = path.parent
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a file with {option}.")
    if not folder.is_dir():
        raise ValueError(f"There is no folder {folder}; make it, or name another with {option}.")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{folder} cannot be written to; name another folder with {option}.")


def made_folder(output: Path) -> Path:
    """The folder, made; found out before anything is run."""
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{output} cannot be made ({error.strerror}); name another.") from error
    if not os.access(output, os.W_OK):
        raise ValueError(f"{output} cannot be written to; name another folder with --output.")
    return output

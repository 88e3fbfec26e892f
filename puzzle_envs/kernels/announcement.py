"""Compilation progress on stderr.

One line per module and puzzle says what is compiled, and that it happens once. On a terminal a
temporary line shows the progress of each kernel.
"""

from __future__ import annotations

import sys
from pathlib import Path

BACK = "\r\x1b[K"
"""To the beginning of an empty line."""


class Announcement:
    """The lines printed so far, and the kernel being compiled."""

    def __init__(self) -> None:
        """Start without a kernel."""
        self._said: set[str] = set()
        self._kernel, self._done, self._parts = "", 0, 0

    def begin(self, module: str, kernel: str, title: str, parts: int, folder: Path | None) -> None:
        """Announce the compilation of a kernel.

        Args:
            module: Its module.
            kernel: Its name.
            title: The puzzle's title; empty for a kernel that serves all puzzles.
            parts: Number of its functions that are not compiled yet.
            folder: The cache folder; None if it cannot be cached.
        """
        subject = module.partition(".")[2] or module
        of = f" for {title}" if title else ""
        ending = (
            "every time; to cache it, set PUZZLE_ENVS_CACHE to a folder"
            if folder is None
            else f"once; cached in {folder}"
        )
        line = f"puzzle-envs: compiling {subject}{of}, {ending}"
        if line not in self._said:
            self._said.add(line)
            print(line, file=sys.stderr, flush=True)
        self._kernel, self._done, self._parts = kernel, 0, parts
        self._show()

    def advance(self, count: int = 1) -> None:
        """Count more compiled functions."""
        self._done += count
        self._show()

    def end(self) -> None:
        """Remove the progress line."""
        if self._kernel:
            self._print("")
        self._kernel = ""

    def _show(self) -> None:
        if not self._kernel:
            return
        if self._done < self._parts:
            self._print(f"  {self._kernel}: function {self._done + 1} of {self._parts}")
        else:
            self._print(f"  {self._kernel}: machine code")

    @staticmethod
    def _print(line: str) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            print(f"{BACK}{line}", end="", file=sys.stderr, flush=True)


announcement = Announcement()
"""The announcement of this process."""

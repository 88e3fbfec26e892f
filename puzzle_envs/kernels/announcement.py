"""What is being compiled, told on stderr.

A line for the kernels of a module and a puzzle says that it happens once. On a terminal another
one, which goes away again, says how far each kernel is.
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["Announcement", "announcement"]

BACK = "\r\x1b[K"
"""To the beginning of an empty line."""


class Announcement:
    """What has been said, and the kernel that is being compiled."""

    def __init__(self) -> None:
        """Nothing has been said yet."""
        self._said: set[str] = set()
        self._kernel, self._done, self._parts = "", 0, 0

    def begin(self, module: str, kernel: str, title: str, parts: int, folder: Path | None) -> None:
        """A kernel is compiled from now on.

        Args:
            module: Where it stands.
            kernel: Its name.
            title: What the puzzle is called; empty for a kernel that serves all.
            parts: Of how many functions it is made that are not compiled yet.
            folder: Where it is kept; None where it is not.
        """
        subject = module.partition(".")[2] or module
        of = f" for {title}" if title else ""
        ending = (
            "each time: set PUZZLE_ENVS_CACHE to a folder to keep it in"
            if folder is None
            else f"once: kept in {folder}"
        )
        line = f"puzzle-envs: compiling {subject}{of}, {ending}"
        if line not in self._said:
            self._said.add(line)
            print(line, file=sys.stderr, flush=True)
        self._kernel, self._done, self._parts = kernel, 0, parts
        self._show()

    def advance(self) -> None:
        """One more of its functions is compiled."""
        self._done += 1
        self._show()

    def end(self) -> None:
        """The kernel is done."""
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
"""That of this process."""

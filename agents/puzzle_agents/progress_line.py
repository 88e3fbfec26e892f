"""A status line on the terminal for running searches."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from puzzle_agents.progress import Progress

if TYPE_CHECKING:
    from rich.live import Live

PATIENCE = 1.0
"""Seconds before the line appears, so that short searches show none."""
PAUSE = 0.2
"""Seconds between updates."""


class ProgressLine:
    """Shows the progress of a search, on stderr where that is a terminal."""

    def __init__(self, name: str) -> None:
        """Set the agent's name."""
        self._name = name
        self._started = self._shown = time.perf_counter()
        self._line: Live | None = None
        self._possible = True

    def __enter__(self) -> ProgressLine:
        """Start; the line appears later."""
        return self

    def show(self, progress: Progress) -> None:
        """Update the line if it is due."""
        now = time.perf_counter()
        if not self._possible or now - self._started < PATIENCE or now - self._shown < PAUSE:
            return
        self._shown = now
        if self._line is None:
            self._begin()
        if self._line is not None:
            self._line.update(self.text(progress, now - self._started), refresh=True)

    def text(self, progress: Progress, seconds: float) -> str:
        """The text of the line."""
        rate, memory = progress.expanded / seconds / 1e6, f"{progress.bytes / 2**20:,.0f} MiB"
        if progress.best is not None:
            return (
                f"{self._name}: {progress.expanded:,} genomes, {rate:.2f} M evaluated/s, {memory}, "
                f"best score {progress.best:g}"
            )
        line = f"{self._name}: {progress.unique:,} states, {rate:.2f} M expanded/s, {memory}"
        return line if progress.bound is None else f"{line}, lower bound {progress.bound}"

    def _begin(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True)
        self._possible = console.is_terminal
        if self._possible:
            self._line = Live("", console=console, transient=True, auto_refresh=False)
            self._line.start()

    def __exit__(self, *_: object) -> None:
        """Remove the line."""
        if self._line is not None:
            self._line.stop()

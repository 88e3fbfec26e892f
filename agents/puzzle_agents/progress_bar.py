"""Progress of several tasks, as bars on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import TaskID


class ProgressBar:
    """A bar per task on stderr, if it is a terminal."""

    def __init__(self, *, shown: bool = True) -> None:
        """Create the display; with `shown` False, it never shows anything."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True)
        self.is_shown = shown and console.is_terminal
        self._bars = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TimeElapsedColumn(), TimeRemainingColumn(),
            console=console, transient=True, disable=not self.is_shown,
        )  # fmt: skip
        self._tasks: dict[str, TaskID] = {}

    def show(self, what: str, done: int, of: int, detail: str = "") -> None:
        """Update a task's bar."""
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=of)
        self._bars.update(self._tasks[what], completed=done, description=detail or what)

    def __enter__(self) -> ProgressBar:
        """Start the display."""
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the bars."""
        self._bars.stop()

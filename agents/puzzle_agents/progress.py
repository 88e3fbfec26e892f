"""How far a search has come: a line on a terminal, and what a watcher sees."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from rich.live import Live

__all__ = ["Look", "ProgressLine", "Sight", "Watcher"]

PATIENCE = 1.0
"""Seconds before the line appears: short searches show none."""
PAUSE = 0.2
"""Seconds between two updates."""


class Look(NamedTuple):
    """What a search tells of itself while it goes on."""

    expanded: int
    unique: int = 0
    bytes: int = 0
    bound: int | None = None
    """What the solution costs at least, as far as that is proved."""
    best: float | None = None
    """The best score so far, of an agent that evolves genomes instead of expanding states."""
    generated: int = 0
    """Transitions, as Result.generated counts them."""


class Sight(NamedTuple):
    """What a watcher sees of an agent at work, between two slices of its search."""

    look: Look
    state: Sequence[int] | None = None
    """The words of the state last expanded, of an agent that evolves genomes of what its best one
    leads to; None where the agent does not tell."""
    waiting: int | None = None
    """How many states wait to be expanded; None where nothing waits."""


Watcher: TypeAlias = Callable[[Sight], int]
"""Sees an agent before each slice, and says for how many expansions it may go on."""


class ProgressLine:
    """Shows looks at a search, on stderr where that is a terminal."""

    def __init__(self, name: str) -> None:
        """Say which agent it is about."""
        self._name = name
        self._started = self._shown = time.perf_counter()
        self._line: Live | None = None
        self._possible = True

    def __enter__(self) -> ProgressLine:
        """Show nothing yet."""
        return self

    def show(self, look: Look) -> None:
        """Update the line, if it is time to."""
        now = time.perf_counter()
        if not self._possible or now - self._started < PATIENCE or now - self._shown < PAUSE:
            return
        self._shown = now
        if self._line is None:
            self._begin()
        if self._line is not None:
            self._line.update(self.text(look, now - self._started), refresh=True)

    def text(self, look: Look, seconds: float) -> str:
        """The line itself."""
        rate, memory = look.expanded / seconds / 1e6, f"{look.bytes / 2**20:,.0f} MiB"
        if look.best is not None:
            return (
                f"{self._name}: {look.expanded:,} genomes, {rate:.2f} M evaluated/s, {memory}, "
                f"best score {look.best:g}"
            )
        line = f"{self._name}: {look.unique:,} states, {rate:.2f} M expanded/s, {memory}"
        return line if look.bound is None else f"{line}, at least {look.bound} moves"

    def _begin(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True)
        self._possible = console.is_terminal
        if self._possible:
            self._line = Live("", console=console, transient=True, auto_refresh=False)
            self._line.start()

    def __exit__(self, *_: object) -> None:
        """Take the line away."""
        if self._line is not None:
            self._line.stop()

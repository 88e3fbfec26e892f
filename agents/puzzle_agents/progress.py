"""What an agent reports while it searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

__all__ = ["Progress", "Snapshot", "Watcher"]


class Progress(NamedTuple):
    """Counters of a running search."""

    expanded: int
    unique: int = 0
    bytes: int = 0
    bound: int | None = None
    """Proved lower bound on the solution's cost."""
    best: float | None = None
    """Best score so far, of evolutionary agents."""
    generated: int = 0
    """Transitions, as in Result.generated."""


class Snapshot(NamedTuple):
    """What a watcher sees of an agent between two slices."""

    progress: Progress
    state: Sequence[int] | None = None
    """The state expanded last, or the one that the best genome leads to; None if not reported."""
    waiting: int | None = None
    """Size of the open list; None if there is none."""


Watcher: TypeAlias = Callable[[Snapshot], int]
"""Called before each slice; returns the number of expansions of the slice."""

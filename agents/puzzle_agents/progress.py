"""What an agent tells of itself while it works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

__all__ = ["Progress", "Snapshot", "Watcher"]


class Progress(NamedTuple):
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


class Snapshot(NamedTuple):
    """What a watcher sees of an agent at work, between two slices of its search."""

    progress: Progress
    state: Sequence[int] | None = None
    """The words of the state last expanded, of an agent that evolves genomes of what its best one
    leads to; None where the agent does not tell."""
    waiting: int | None = None
    """How many states wait to be expanded; None where nothing waits."""


Watcher: TypeAlias = Callable[[Snapshot], int]
"""Sees an agent before each slice, and says for how many expansions it may go on."""

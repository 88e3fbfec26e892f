"""Random play of the plain-Python twins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from hypothesis import strategies as st

__all__ = ["choices", "random_walk"]


class Twin(Protocol):
    """What the twins of all puzzles have."""

    def legal(self) -> Sequence[int]:
        """The legal actions."""

    def act(self, action: int) -> int:
        """Do one; its cost."""


@st.composite
def choices(draw: st.DrawFn, max_size: int = 60) -> list[int]:
    """Integers for `random_walk`; long walks are as frequent as short ones."""
    size = draw(st.integers(0, max_size), label="steps")
    return draw(st.lists(st.integers(0, 255), min_size=size, max_size=size))


def random_walk(twin: Twin, choices: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Play on, and after every action yield it with its cost.

    Each integer picks one of the legal actions, modulo their number. The walk ends with the
    integers, or when there is no legal action. Between two yields the caller may bring another
    implementation up to the same position and compare.
    """
    for choice in choices:
        legal = twin.legal()
        if not legal:
            return
        action = legal[choice % len(legal)]
        yield action, twin.act(action)

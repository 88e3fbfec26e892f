"""An episode as its picture sees it: what each puzzle brings to the tests of all pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.picture import Picture

Planes = NDArray[np.int8]


@dataclass(frozen=True)
class Episode:
    """Planes, and the actions that led to them."""

    actions: int
    """How many the environment has."""
    first: Planes
    steps: Sequence[tuple[int, Planes]]


@dataclass(frozen=True)
class Filmed:
    """A whole episode of one puzzle, and states that are not part of it."""

    make: Callable[[int], Picture]
    episode: Episode
    blank: tuple[tuple[int, ...], str]
    """The shape at 8 pixels a cell and the text of a picture of nothing."""
    ring: int
    """Cells around the board, both sides together."""
    frame: float
    """Pixels around it besides: at most so many cells, both sides together."""
    illegal: tuple[int, tuple[int, ...]]
    """After so many steps these actions are illegal."""
    jumps: tuple[int, Sequence[Planes]]
    """After so many steps no step leads to these planes."""
    large: Picture
    """A large board, after a step whose pictures were painted."""
    largest_pickle: int
    padded: Sequence[Episode] = ()
    """The same in environments of larger shapes, where padding is not shown."""

    def begun(self, episode: Episode | None = None) -> Picture:
        """The picture of the first state."""
        chosen = episode or self.episode
        picture = self.make(chosen.actions)
        picture.begin(chosen.first.copy())
        return picture

    def played(self, steps: int) -> Picture:
        """The picture after so many steps."""
        picture = self.begun()
        self.follow(picture, 0, steps)
        return picture

    def follow(self, picture: Picture, first: int, last: int) -> None:
        """Let a picture see the steps from one number up to another."""
        for action, planes in self.episode.steps[first:last]:
            picture.follow(action, planes.copy())

    @property
    def length(self) -> int:
        """How many steps there are."""
        return len(self.episode.steps)

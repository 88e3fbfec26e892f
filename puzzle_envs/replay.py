"""Replays: how a benchmark report draws the states of a puzzle.

A puzzle's module `replay` holds REPLAY. Its script is JavaScript: a function `draw(board, cells,
scene, before)` that returns a state as an element, and optionally `prepare(board, states, actions)`
that returns a scene for each state, for what states alone do not show. A state is a number per
cell, in which bit i is plane i. Available are the page's tools.js: `CELL`, `NORTH` to `WEST`,
`WAYS`, `canvas`, `add` and `has`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from puzzle_envs.rendering.picture import Planes

__all__ = ["Replay", "asset"]


def _all(planes: Planes) -> Planes:
    return planes


def _nothing(planes: Planes) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Replay:
    """The drawing code of a puzzle, and its data."""

    script: str
    style: str = ""
    """CSS for the classes of the script's elements."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """Constants of the script, such as plane numbers; values for JSON."""
    shown: Callable[[Planes], Planes] = _all
    """The planes that change, at most 52; by default all."""
    facts: Callable[[Planes], Mapping[str, Any]] = _nothing
    """Further data of a board, for JSON, from an episode's first planes."""

    def __post_init__(self) -> None:
        """Reject scripts that would close their element in the page."""
        for text in (self.script, self.style):
            if "</" in text:
                raise ValueError("'</' would end the script or style element; write '<\\/'.")
        for name in self.constants:
            if not re.fullmatch("[A-Z][A-Z0-9_]*", name):  # no JavaScript keyword is in capitals
                raise ValueError(
                    f"Names of constants must be in capitals, such as GAP, not '{name}'."
                )


def asset(package: str, name: str) -> str:
    """The text of a file in a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")

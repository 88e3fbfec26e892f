"""How a page draws the states of a puzzle, one after the other: in the report of a benchmark.

A puzzle's module `replay` holds REPLAY. Its script is JavaScript: a function `draw(board, cells,
scene, before)` that gives a state as an element, and if need be `prepare(board, states, actions)`
that gives for each state a scene, what states do not tell by themselves. A state is a number for
each cell, in which bit i is plane i. At hand is what drawings have in common, the page's tools.js:
`CELL`, `NORTH` to `WEST`, `WAYS`, `canvas`, `add` and `has`.
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
    """A drawing for pages, and what it is given."""

    script: str
    style: str = ""
    """CSS for the classes that the script gives its elements."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """Names that the script knows, such as those of planes, and their values for JSON."""
    shown: Callable[[Planes], Planes] = _all
    """Those of the planes that change, at most 52; by default all."""
    facts: Callable[[Planes], Mapping[str, Any]] = _nothing
    """What is said of a board besides, for JSON: of the first planes of an episode."""

    def __post_init__(self) -> None:
        """Refuse what would end the element of the page that it stands in."""
        for text in (self.script, self.style):
            if "</" in text:
                raise ValueError("'</' ends a script or a style in a page: write '<\\/'.")
        for name in self.constants:
            if not re.fullmatch(
                "[A-Z][A-Z0-9_]*", name
            ):  # no word of JavaScript has capitals alone
                raise ValueError(f"A constant is called in capitals such as GAP, not '{name}'.")


def asset(package: str, name: str) -> str:
    """The text of a file in a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")

"""Breadth-first search over whole moves of a Twin, for boards small enough for plain Python."""

from __future__ import annotations

from collections.abc import Iterator

from tests.walks import fewest_moves, layers_from
from tests.zen_garden.twin import Twin


def layers(start: Twin) -> Iterator[list[Twin]]:
    """The perimeter positions first reached after 0, 1, 2, ... moves, until there are none."""
    return layers_from(start, Twin.whole_moves, Twin.key)


def optimum(start: Twin) -> int | None:
    """The least number of moves that solves the board, None if nothing does."""
    return fewest_moves(layers(start))

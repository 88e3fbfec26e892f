"""Breadth-first search over whole moves of a Twin, for boards small enough for plain Python."""

from __future__ import annotations

from collections.abc import Iterator

from tests.zen_garden.twin import Twin


def layers(start: Twin) -> Iterator[list[Twin]]:
    """The perimeter positions first reached after 0, 1, 2, ... moves, until there are none."""
    seen = {start.key()}
    layer = [start]
    while layer:
        yield layer
        reached: list[Twin] = []
        for twin in layer:
            for _, after in twin.whole_moves():
                if after.key() not in seen:
                    seen.add(after.key())
                    reached.append(after)
        layer = reached


def optimum(start: Twin) -> int | None:
    """The least number of moves that solves the board, None if nothing does."""
    for moves, layer in enumerate(layers(start)):
        if any(twin.solved for twin in layer):
            return moves
    return None

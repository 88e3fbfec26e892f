"""Key combinations for Gymnasium."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["cell_keys", "codes", "way_keys"]

_ROWS, _COLUMNS = "qwertyuiop", "asdfghjkl;"
"""Keys for the rows and columns of a board, from the upper left cell."""
_ARROWS = dict(zip("↑→↓←", ("K_UP", "K_RIGHT", "K_DOWN", "K_LEFT"), strict=True))


def cell_keys(height: int, width: int) -> Iterator[tuple[str, int]]:
    """The keys of each reachable cell, with its index in reading order."""
    for row, upper in enumerate(_ROWS[:height]):
        for column, lower in enumerate(_COLUMNS[:width]):
            yield upper + lower, row * width + column


def way_keys(height: int, width: int) -> Iterator[tuple[str, int, int]]:
    """Keys of a cell and an arrow, with the cell and the direction, up, right, down, left."""
    for keys, cell in cell_keys(height, width):
        yield from ((keys + arrow, cell, way) for way, arrow in enumerate(_ARROWS))


def codes(keys: str) -> tuple[str | int, ...]:
    """Convert a string of characters to the key codes of `gymnasium.utils.play`."""
    import pygame

    return tuple(getattr(pygame, _ARROWS[key]) if key in _ARROWS else key for key in keys)

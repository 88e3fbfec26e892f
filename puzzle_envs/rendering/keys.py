"""Keys that are held together, and what Gymnasium calls them."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["cell_keys", "codes", "way_keys"]

_ROWS, _COLUMNS = "qwertyuiop", "asdfghjkl;"
"""Keys for the rows and the columns of a board, from the upper left cell on."""
_ARROWS = dict(zip("↑→↓←", ("K_UP", "K_RIGHT", "K_DOWN", "K_LEFT"), strict=True))


def cell_keys(height: int, width: int) -> Iterator[tuple[str, int]]:
    """The keys of each cell that has some, and its number, counted row by row."""
    for row, upper in enumerate(_ROWS[:height]):
        for column, lower in enumerate(_COLUMNS[:width]):
            yield upper + lower, row * width + column


def way_keys(height: int, width: int) -> Iterator[tuple[str, int, int]]:
    """The keys of a cell and an arrow, the cell's number and the direction: up, right and on."""
    for keys, cell in cell_keys(height, width):
        yield from ((keys + arrow, cell, way) for way, arrow in enumerate(_ARROWS))


def codes(keys: str) -> tuple[str | int, ...]:
    """The keys of a string, a character each, as `gymnasium.utils.play` takes them."""
    import pygame

    return tuple(getattr(pygame, _ARROWS[key]) if key in _ARROWS else key for key in keys)

"""Where the actions of a floor take place."""

from __future__ import annotations

from puzzle_envs.codec import Places, four_a_cell, whole_board

__all__ = ["places"]


def places(actions: int, height: int, width: int) -> Places:
    """Pushes from a cell in a direction, then for each character the cells to walk to; or keys."""
    cells = height * width
    if actions < 4 * cells:
        return whole_board(actions)
    asides = [(place % cells, 4 + place // cells) for place in range(actions - 4 * cells)]
    return [*four_a_cell(height, width), *asides]

"""Key combinations for Gymnasium."""

from __future__ import annotations

_ARROWS = dict(zip("↑→↓←", ("K_UP", "K_RIGHT", "K_DOWN", "K_LEFT"), strict=True))


def codes(keys: str) -> tuple[str | int, ...]:
    """Convert a string of characters to the key codes of `gymnasium.utils.play`."""
    import pygame

    return tuple(getattr(pygame, _ARROWS[key]) if key in _ARROWS else key for key in keys)

"""Keys that are held together, from characters to what Gymnasium calls them."""

from __future__ import annotations

_ARROWS = dict(zip("↑→↓←", ("K_UP", "K_RIGHT", "K_DOWN", "K_LEFT"), strict=True))


def codes(keys: str) -> tuple[str | int, ...]:
    """The keys of a string, a character each, as `gymnasium.utils.play` takes them."""
    import pygame

    return tuple(getattr(pygame, _ARROWS[key]) if key in _ARROWS else key for key in keys)

"""What the subcommands that open a window have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from puzzle_envs.rendering.style import Style

__all__ = ["style_of"]


def style_of(theme: str) -> Style:
    """The style of a theme by its name."""
    from puzzle_envs.rendering.style import DARK, LIGHT

    styles = {"light": LIGHT, "dark": DARK}
    if theme not in styles:
        raise ValueError(f"A theme is light or dark, not '{theme}'.")
    return styles[theme]

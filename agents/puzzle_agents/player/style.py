"""Colours, fonts and text of the windows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pygame

from puzzle_envs.rendering import theme
from puzzle_envs.rendering.theme import Theme

SAMPLES = 4
"""Supersampling factor of shapes."""
ELLIPSIS = "…"


@dataclass(frozen=True)
class Style:
    """Colours as `#rrggbb`."""

    page: str
    """Background."""
    panel: str
    """Background of panels."""
    raised: str
    """Buttons, idle and hovered."""
    hovered: str
    line: str
    text: str
    muted: str
    accent: str
    """Selection and progress."""
    on_accent: str
    """Text on the accent colour."""
    good: str
    warning: str


LIGHT = Style(
    page=theme.LIGHT.beside,
    panel="#fbf6ea",
    raised="#eee4cf",
    hovered="#e2d5b9",
    line="#cfc3aa",
    text="#2b2620",
    muted="#736855",
    accent="#1f6f64",
    on_accent="#ffffff",
    good="#1f6f64",
    warning="#a81229",
)
DARK = Style(
    page=theme.DARK.beside,
    panel="#22252b",
    raised="#32363e",
    hovered="#434852",
    line="#434852",
    text="#f2e8d2",
    muted="#a8a294",
    accent="#6fc3b2",
    on_accent="#10211e",
    good="#8fd6c6",
    warning="#ff9186",
)


def style_of(theme: Theme) -> Style:
    """The style that matches a theme of pictures."""
    return DARK if theme.name == "dark" else LIGHT


@lru_cache(maxsize=32)
def _font(size: int) -> pygame.Font:
    pygame.font.init()
    # Fonts do not outlive pygame.quit(), which Gymnasium's windows call when they are closed.
    pygame.register_quit(_font.cache_clear)
    return pygame.Font(None, size)


@lru_cache(maxsize=1024)
def _written(words: str, size: int, colour: str) -> pygame.Surface:
    # Letters of a small font stand on whole pixels, unevenly; those of a large one do not show it.
    large = _font(SAMPLES * size).render(words, True, colour)
    width, height = large.get_size()
    return pygame.transform.smoothscale(large, (-(-width // SAMPLES), -(-height // SAMPLES)))


@lru_cache(maxsize=4096)
def text_width(words: str, size: int) -> int:
    """Width of a text in pixels."""
    return -(-int(_font(SAMPLES * size).size(words)[0]) // SAMPLES)


def text(
    surface: pygame.Surface,
    words: str,
    place: tuple[float, float],
    size: int,
    colour: str,
    *,
    align: str = "left",
    room: float | None = None,
) -> None:
    """Write a line of text, anchored at the vertical middle of its left end, middle or right end.

    Args:
        surface: Where to draw.
        words: The text, truncated to fit into `room`.
        place: Coordinates of the anchor.
        size: Font size in pixels.
        colour: Text colour.
        align: "left", "middle" or "right".
        room: Maximum width in pixels.
    """
    if room is not None:
        words = _shortened(words, size, room)
    written = _written(words, size, colour)
    left = place[0] - written.get_width() * {"left": 0.0, "middle": 0.5, "right": 1.0}[align]
    surface.blit(written, (round(left), round(place[1] - written.get_height() / 2)))


def _shortened(words: str, size: int, room: float) -> str:
    if text_width(words, size) <= room:
        return words
    while words and text_width(words + ELLIPSIS, size) > room:
        words = words[:-1]
    return words.rstrip() + ELLIPSIS


def lines_of(words: str, size: int, room: float) -> list[str]:
    """Wrap a text to lines of a maximum width."""
    lines: list[str] = []
    for word in words.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


@lru_cache(maxsize=256)
def rounded(
    width: int, height: int, colour: str, radius: int, line: int = 0, opacity: int = 255
) -> pygame.Surface:
    """A rectangle with rounded corners, filled or outlined, with antialiased edges."""
    large = pygame.Surface((SAMPLES * width, SAMPLES * height), pygame.SRCALPHA)
    large.fill((*pygame.Color(colour)[:3], 0))
    pygame.draw.rect(
        large, colour, large.get_rect(), SAMPLES * line, border_radius=SAMPLES * radius
    )
    smooth = pygame.transform.smoothscale(large, (width, height))
    smooth.set_alpha(opacity)
    return smooth


@lru_cache(maxsize=64)
def arrow(cell: int, heading: int, colour: str, edge: str) -> pygame.Surface:
    """An arrow in a cell, pointing up, right, down or left, with an outline for contrast."""
    side = SAMPLES * cell
    large = pygame.Surface((side, side), pygame.SRCALPHA)
    large.fill((*pygame.Color(edge)[:3], 0))
    outline = [(0.5, 0.12), (0.86, 0.5), (0.64, 0.5), (0.64, 0.88)]
    outline += [(1 - x, y) for x, y in reversed(outline)]
    points = [(x * side, y * side) for x, y in outline]
    pygame.draw.polygon(large, colour, points)
    pygame.draw.lines(large, edge, True, points, max(1, side // 22))
    turned = pygame.transform.rotate(large, -90 * heading)
    return pygame.transform.smoothscale(turned, (cell, cell))

"""Window elements besides boards: buttons, counters, a bar, a chart, a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pygame

from puzzle_agents.player.style import Style, lines_of, rounded, text, text_width

Area = pygame.Rect


@dataclass
class Button:
    """A labelled button and its key."""

    label: str
    act: Callable[[], object]
    key: str = ""
    enabled: Callable[[], bool] = lambda: True
    chosen: Callable[[], bool] = lambda: False
    area: Area = field(default_factory=lambda: Area(0, 0, 0, 0))
    hovered: bool = False

    def draw(self, surface: pygame.Surface, style: Style, size: int) -> None:
        """Draw the button in its area."""
        enabled, chosen = self.enabled(), self.chosen()
        colour = style.hovered if self.hovered and enabled else style.raised
        colour = style.accent if chosen else colour
        surface.blit(rounded(*self.area.size, colour, size // 2), self.area)
        ink = style.text if enabled else style.line
        ink = style.on_accent if chosen else ink
        pad = size * 0.6
        if not self.key:
            text(surface, self.label, self.area.center, size, ink, align="middle")
            return
        middle = self.area.centery
        key_room = text_width(self.key, size) + pad
        if text_width(self.label, size) + key_room + 2 * pad > self.area.width:
            key_room = 0.0
        else:
            muted = style.on_accent if chosen else style.muted if enabled else style.line
            right = (self.area.right - pad, middle)
            text(surface, self.key, right, size, muted, align="right")
        room = self.area.width - 2 * pad - key_room
        text(surface, self.label, (self.area.left + pad, middle), size, ink, room=room)

    def click(self, x: float, y: float) -> bool:
        """Run its action if the position is on it; return whether it is."""
        inside = bool(self.area.collidepoint(x, y))
        if inside and self.enabled():
            self.act()
        return inside

    def hover(self, x: float, y: float) -> bool:
        """Update the hover state; return whether its look changes."""
        before, self.hovered = self.hovered, bool(self.area.collidepoint(x, y))
        return before != self.hovered


def grid(buttons: Sequence[Button], area: Area, columns: int, height: int, gap: int) -> int:
    """Lay buttons out in rows; return where the next row would start."""
    width = (area.width - (columns - 1) * gap) // columns
    for number, button in enumerate(buttons):
        row, column = divmod(number, columns)
        left, top = area.left + column * (width + gap), area.top + row * (height + gap)
        button.area = Area(left, top, width, height)
    rows = -(-len(buttons) // columns)
    return area.top + rows * (height + gap)


class Bar:
    """A slider for a position in a sequence of steps."""

    def __init__(self, move_to: Callable[[int], object]) -> None:
        """Set the callback for a new position."""
        self.area = Area(0, 0, 0, 0)
        self._move_to = move_to
        self._steps = 0
        self._held = False

    def draw(self, surface: pygame.Surface, style: Style, place: int, steps: int) -> None:
        """Draw the bar, with the knob at a step."""
        self._steps = steps
        thick = max(4, self.area.height // 5)
        line = Area(self.area.left, self.area.centery - thick // 2, self.area.width, thick)
        surface.blit(rounded(*line.size, style.line, thick // 2), line)
        share = place / steps if steps else 0.0
        done = Area(line.left, line.top, max(thick, round(share * line.width)), thick)
        surface.blit(rounded(*done.size, style.accent, thick // 2), done)
        side = max(12, round(0.7 * self.area.height))
        knob = Area(0, 0, side, side)
        knob.center = (line.left + round(share * line.width), line.centery)
        surface.blit(rounded(side, side, style.accent, side // 2), knob)

    def press(self, x: float, y: float) -> bool:
        """Grab the knob at a position; return whether the position is on the bar."""
        self._held = bool(self.area.inflate(16, 12).collidepoint(x, y))
        if self._held:
            self.drag(x)
        return self._held

    def drag(self, x: float) -> None:
        """Move the knob with the pointer, if it is held."""
        if self._held and self._steps:
            share = (x - self.area.left) / max(1, self.area.width)
            self._move_to(min(self._steps, max(0, round(share * self._steps))))

    def release(self) -> None:
        """Release the knob."""
        self._held = False


def panel(surface: pygame.Surface, area: Area, style: Style, radius: int) -> None:
    """Draw the background of a panel."""
    surface.blit(rounded(*area.size, style.panel, radius), area)
    surface.blit(rounded(*area.size, style.line, radius, 1), area)


def counter(
    surface: pygame.Surface,
    area: Area,
    style: Style,
    size: int,
    label: str,
    value: str,
    colour: str = "",
) -> None:
    """Draw a number below its label."""
    left = area.left
    text(surface, label, (left, area.top + size * 0.5), size, style.muted, room=area.width)
    large = round(1.6 * size)
    place = (left, area.top + size * 1.1 + large * 0.5)
    text(surface, value, place, large, colour or style.text, room=area.width)


def paragraph(
    surface: pygame.Surface, words: str, area: Area, size: int, colour: str, align: str = "left"
) -> int:
    """Write wrapped text from the top of an area; return where the next line would start."""
    step = round(1.35 * size)
    top = area.top
    for line in lines_of(words, size, area.width):
        left = {"left": area.left, "middle": area.centerx, "right": area.right}[align]
        text(surface, line, (left, top + step / 2), size, colour, align=align)
        top += step
    return top


def chart(
    surface: pygame.Surface,
    area: Area,
    style: Style,
    points: Sequence[tuple[float, float]],
) -> None:
    """Draw a curve through points, scaled to their range."""
    pygame.draw.line(surface, style.line, area.bottomleft, area.bottomright)
    if len(points) < 2:
        return
    right = max(x for x, _ in points) or 1
    heights = [y for _, y in points]
    least, span = min(heights), max(heights) - min(heights) or 1
    places = [
        (
            area.left + x / right * area.width,
            area.bottom - 2 - (y - least) / span * (area.height - 6),
        )
        for x, y in points
    ]
    below = [*places, (places[-1][0], area.bottom - 1), (places[0][0], area.bottom - 1)]
    shade = pygame.Color(style.panel).lerp(pygame.Color(style.accent), 0.25)
    pygame.draw.polygon(surface, shade, below)
    pygame.draw.aalines(surface, style.accent, False, places)

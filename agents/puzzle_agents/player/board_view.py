"""A puzzle's picture in a window: scaled to fit, animated, with marks drawn over it."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pygame

from puzzle_agents.player.screen import FRAME
from puzzle_agents.player.style import Style, arrow, rounded, text
from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.controls import Mark, Point
from puzzle_envs.rendering.picture import Picture, cell_that_fits

SLIDE = 0.2
"""Seconds per step."""
HURRY = 1
"""Number of queued steps beyond which playback speeds up."""
SHAKE = 0.35
SETTLED = 0.15
"""Seconds after the last resize before the picture is redrawn at the new size."""


@dataclass
class _Motion:
    """A step being animated."""

    picture: Picture
    seconds: float
    backwards: bool


class BoardView:
    """Shows a picture in a rectangle.

    Pictures are drawn at the size shown. During a resize, the last drawing is scaled, since tiles
    of a new size take a while.
    """

    def __init__(self, picture: Picture, rows: int, columns: int) -> None:
        """Create a view of a picture of a board of this many cells."""
        self._area = pygame.Rect(0, 0, 1, 1)
        self._cell = self._wanted_cell = 0
        self._resized = -math.inf
        self._queue: deque[_Motion] = deque()
        self._frames: Iterator[Pixels] | None = None
        self._frame: pygame.Surface | None = None
        self._shown, self._begun = 0, 0.0
        self._shaken = -math.inf
        self.show(picture, rows, columns)

    def show(self, picture: Picture, rows: int, columns: int) -> None:
        """Show a picture at once, without animation."""
        self._picture, self._rows, self._columns = picture, rows, columns
        self._queue.clear()
        self._frames, self._frame = None, None
        self._fit()

    def place(self, area: pygame.Rect) -> None:
        """Set the area to draw in."""
        if area == self._area:
            return
        is_first = self._cell == 0
        self._area = area
        self._fit()
        if is_first:
            self._cell = self._wanted_cell
        self._resized = time.perf_counter()

    def _fit(self) -> None:
        self._wanted_cell = cell_that_fits(self._picture, self._area.height, self._area.width)

    # --- motion -------------------------------------------------------------------------------

    def step(self, picture: Picture, *, backwards: bool = False, seconds: float = SLIDE) -> None:
        """Queue the animation of a picture's last step.

        Args:
            picture: The picture after the step; if backwards, the one before going back.
            backwards: Play the step in reverse.
            seconds: Duration of the animation.
        """
        self._queue.append(_Motion(picture, seconds, backwards))

    def rest(self, picture: Picture) -> None:
        """Set the picture shown once all steps have played."""
        self._picture = picture
        if not self.is_moving:
            self._frame = None

    def shake(self) -> None:
        """Shake the board: the action was illegal."""
        self._shaken = time.perf_counter()

    @property
    def is_moving(self) -> bool:
        """Whether steps are still being animated."""
        return self._frames is not None or bool(self._queue)

    def advance(self, now: float) -> float | None:
        """Advance the animation; return when to draw next.

        Returns:
            Seconds; 0 for as soon as possible, None for not before the next event.
        """
        if self._cell != self._wanted_cell:
            left = self._resized + SETTLED - now
            if left > 0:
                return left
            self._cell, self._frame = self._wanted_cell, None
            return 0.0
        if self.is_moving:
            self._advance(now)
            return 0.0
        return 0.0 if now - self._shaken < SHAKE else None

    def _advance(self, now: float) -> None:
        if self._frames is None:
            self._begin(self._queue[0], now)
        assert self._frames is not None
        # Drop late frames, so that a step keeps its duration.
        due = max(self._shown + 1, math.ceil((now - self._begun) / FRAME))
        frame = None
        while self._shown < due:
            following = next(self._frames, None)
            if following is None:
                self._queue.popleft()
                self._frames = None
                break
            frame, self._shown = following, self._shown + 1
        if frame is not None:
            self._frame = _surface_of(frame)
        elif not self._queue:
            self._frame = None

    def _begin(self, motion: _Motion, now: float) -> None:
        seconds = motion.seconds / (1 + max(0, len(self._queue) - HURRY))
        count = max(1, round(seconds / FRAME))
        frames = motion.picture.slide(self._cell, count)
        if motion.backwards:
            frames = iter([*frames][::-1])
        self._frames, self._shown, self._begun = frames, 0, now

    # --- drawing ------------------------------------------------------------------------------

    @property
    def drawn(self) -> pygame.Rect:
        """The picture's rectangle."""
        height, width = self._picture.size(self._wanted_cell)
        drawn = pygame.Rect(0, 0, width, height)
        drawn.center = self._area.center
        return drawn

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the picture."""
        if self._frame is None:
            self._frame = _surface_of(self._picture.paint(self._cell))
        frame, drawn = self._frame, self.drawn
        if frame.get_size() != drawn.size:
            frame = pygame.transform.smoothscale(frame, drawn.size)
        surface.blit(frame, drawn.move(self._lean(), 0))

    def _lean(self) -> int:
        """Horizontal offset while shaking."""
        gone = (time.perf_counter() - self._shaken) / SHAKE
        if not 0 <= gone < 1:
            return 0
        return round(0.12 * self._wanted_cell * (1 - gone) * math.sin(6 * math.pi * gone))

    def draw_mark(self, surface: pygame.Surface, mark: Mark, style: Style, *, hint: bool) -> None:
        """Draw a frame around cells; for a hint, an arrow or the value to write."""
        place = self._pixels_of(mark)
        cell = self._wanted_cell
        line = max(2, cell // 24)
        colour = style.warning if hint else style.accent
        radius = max(3, cell // 8)
        outer = place.inflate(line, line)
        for width, shade in ((2 * line, "#ffffff"), (line, colour)):
            surface.blit(rounded(*outer.size, shade, radius, width), outer)
        middle = pygame.Rect(0, 0, round(0.7 * cell), round(0.7 * cell))
        middle.center = place.center
        if mark.heading is not None:
            opacity = 235 if hint else 150
            sign = arrow(middle.width, mark.heading, colour, "#ffffff").copy()
            sign.set_alpha(opacity)
            surface.blit(sign, middle)
        if mark.label:
            surface.blit(rounded(*middle.size, colour, radius), middle)
            text(surface, mark.label, middle.center, round(0.6 * cell), "#ffffff", align="middle")

    def _pixels_of(self, mark: Mark) -> pygame.Rect:
        cell = self._wanted_cell
        left, top = self._corner
        return pygame.Rect(
            left + mark.column * cell, top + mark.row * cell, mark.width * cell, mark.height * cell
        )

    @property
    def _corner(self) -> tuple[int, int]:
        """The pixel position of the board's first cell; margins are equal on all sides."""
        drawn, cell = self.drawn, self._wanted_cell
        return (
            drawn.left + (drawn.width - self._columns * cell) // 2,
            drawn.top + (drawn.height - self._rows * cell) // 2,
        )

    def place_of(self, point: Point) -> tuple[float, float]:
        """Convert board coordinates to window coordinates."""
        left, top = self._corner
        return left + point.x * self._wanted_cell, top + point.y * self._wanted_cell

    def point_at(self, x: float, y: float) -> Point | None:
        """Convert window coordinates to board coordinates; None outside the picture."""
        if not self.drawn.collidepoint(x, y):
            return None
        left, top = self._corner
        return Point((x - left) / self._wanted_cell, (y - top) / self._wanted_cell)


def _surface_of(pixels: Pixels) -> pygame.Surface:
    height, width = pixels.shape[:2]
    return pygame.image.frombuffer(np.ascontiguousarray(pixels).data, (width, height), "RGB")

"""An interactive window: passes events to a view, and sleeps while nothing moves.

Importing this module imports pygame; only code that opens a window does so.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Protocol

import pygame

FRAME = 1 / 60
"""Seconds per frame while something moves."""
IDLE = 500
"""Milliseconds between checks for Ctrl-C while asleep."""
ROOM = 0.9
"""Share of the screen that a new window may take, in each direction."""
SESSION = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER")
"""With none of these set, Linux has no screen, and Wayland's library would print its own error."""
NO_SCREEN = "neither DISPLAY nor WAYLAND_DISPLAY is set"
UNSEEN = ("dummy", "offscreen")
"""SDL's fallback drivers without a screen, on which a window could not be seen or closed."""
SMALLEST = (480, 400)
"""Smaller windows make buttons overlap."""

SHIFTED = {"tab": "shift+tab", "z": "y", "left": "shift+left", "right": "shift+right"}
"""Keys that mean something else with Shift; Ctrl+Shift+Z is redo, as usual."""


class View(Protocol):
    """The content of a window, and its reactions to keys and the pointer.

    Coordinates are in pixels of the surface, from the upper left corner.
    """

    stale: bool
    """Whether it needs to be redrawn."""
    done: bool
    """Whether the window may close."""

    @property
    def title(self) -> str:
        """Text of the title bar."""

    def resize(self, width: int, height: int) -> None:
        """Lay out for this size in pixels."""

    def key(self, name: str) -> None:
        """Handle a key: a character, or a name such as `left`, `return`, `shift+tab`."""

    def press(self, x: float, y: float) -> None:
        """Handle a press of the pointer's button."""

    def move(self, x: float, y: float, *, held: bool) -> None:
        """Handle a move of the pointer."""

    def release(self, x: float, y: float) -> None:
        """Handle a release of the pointer's button."""

    def wheel(self, amount: int) -> None:
        """Handle the wheel; positive is away from the player."""

    def advance(self, now: float) -> float | None:
        """Advance to a time; return the seconds until the next call, None to wait for an event."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything."""


class Screen:
    """A window, open within the context."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Prepare a window of this size in pixels, or less if the screen is smaller."""
        self._size = size

    def __enter__(self) -> Screen:
        """Open the window."""
        try:
            if sys.platform == "linux" and not any(map(os.environ.get, SESSION)):
                raise pygame.error(NO_SCREEN)
            pygame.display.init()
            driver = pygame.display.get_driver()
            if driver in UNSEEN and os.environ.get("SDL_VIDEODRIVER") != driver:
                raise pygame.error(NO_SCREEN)
            if driver == "x11":
                # Pictures are drawn in memory; OpenGL would only be a detour.
                os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
            width, height = pygame.display.get_desktop_sizes()[0]
            room = (int(ROOM * width), int(ROOM * height))
            size = (min(self._size[0], room[0]), min(self._size[1], room[1]))
            self._window = pygame.Window("puzzle-envs", size, resizable=True, allow_high_dpi=True)
        except pygame.error as error:
            self.__exit__()
            raise OSError(f"There is no screen to open a window on ({error}).") from error
        self._window.minimum_size = SMALLEST
        pygame.key.set_repeat(300, 60)
        return self

    def __exit__(self, *_: object) -> None:
        """Close the window."""
        pygame.display.quit()

    @property
    def surface(self) -> pygame.Surface:
        """The surface to draw on; replaced when the window is resized."""
        return self._window.get_surface()

    def show(self, title: str) -> None:
        """Show what was drawn."""
        if self._window.title != title:
            self._window.title = title
        self._window.flip()

    def wake(self) -> None:
        """Wake `run`; callable from any thread."""
        with contextlib.suppress(pygame.error):
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))

    def wait(self, seconds: float | None) -> list[pygame.Event]:
        """Wait for the next events, at most this many seconds."""
        pause = IDLE if seconds is None else min(IDLE, max(1, round(1000 * seconds)))
        first = pygame.event.wait(pause)
        if first.type == pygame.NOEVENT:
            return []
        return [first, *pygame.event.get()]

    def tell(self, view: View, event: pygame.Event) -> bool:
        """Pass an event to a view; return whether the window stays open."""
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            return False
        if event.type == pygame.KEYDOWN:
            view.key(_name_of(event))
        elif event.type == pygame.MOUSEMOTION:
            view.move(*self._pixels(event.pos), held=bool(event.buttons[0]))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            view.press(*self._pixels(event.pos))
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            view.release(*self._pixels(event.pos))
        elif event.type == pygame.MOUSEWHEEL:
            view.wheel(event.y)
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
            view.stale = True
        return True

    def _pixels(self, place: tuple[int, int]) -> tuple[float, float]:
        """Convert a position from system points to pixels, which differ on high-density screens."""
        width, height = self.surface.get_size()
        points = self._window.size
        return place[0] * width / points[0], place[1] * height / points[1]


def run(screen: Screen, view: View) -> None:
    """Show a view until it is done or the player closes the window."""
    size, drawn = (0, 0), 0.0
    open_ = True
    while open_ and not view.done:
        if screen.surface.get_size() != size:
            size = screen.surface.get_size()
            view.resize(*size)
        pause = view.advance(time.perf_counter())
        since = time.perf_counter() - drawn
        if view.stale and since >= FRAME:
            view.stale = False
            view.draw(screen.surface)
            screen.show(view.title)
            drawn, since = time.perf_counter(), 0.0
        if view.stale:
            pause = FRAME - since
        elif pause is not None:
            pause = max(pause, FRAME - since)
        for event in screen.wait(pause):
            open_ = screen.tell(view, event) and open_


def _name_of(event: pygame.Event) -> str:
    """The name of a key: the character it types, else SDL's name."""
    name: str = pygame.key.name(event.key)
    if event.mod & pygame.KMOD_CTRL:
        name = {"z": "u"}.get(name, f"ctrl+{name}")
        return "y" if name == "u" and event.mod & pygame.KMOD_SHIFT else name
    if event.mod & pygame.KMOD_SHIFT and name in SHIFTED:
        return SHIFTED[name]
    if name == "enter":  # on the number pad
        return "return"
    written: str = event.unicode
    return written.lower() if written.isprintable() and written.strip() else name

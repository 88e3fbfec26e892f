"""A window that people play in: its events go to a view, and nothing is done while nothing moves.

Importing this imports pygame: only who opens a window does.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Protocol

import pygame

__all__ = ["FRAME", "Screen", "View", "run"]

FRAME = 1 / 60
"""Seconds from one picture to the next while something moves."""
IDLE = 500
"""Milliseconds after which a sleeping window looks whether Ctrl-C was pressed."""
ROOM = 0.9
"""The share of the screen that a new window may take, each way."""
UNSEEN = ("dummy", "offscreen")
"""What SDL takes where it finds no screen: nobody would see or close a window there."""
SMALLEST = (480, 400)
"""Below this, buttons would lie upon one another."""

SHIFTED = {"tab": "shift+tab", "z": "y", "left": "shift+left", "right": "shift+right"}
"""Keys that mean something else with Shift; with Ctrl+Shift z is redo, as elsewhere."""


class View(Protocol):
    """What a window shows, and what it does with keys and the pointer.

    Places are in pixels of the surface, from its upper left corner.
    """

    stale: bool
    """Whether it has to be drawn again."""
    done: bool
    """Whether the window may close."""

    @property
    def title(self) -> str:
        """What the window's title bar says."""

    def resize(self, width: int, height: int) -> None:
        """Make use of so many pixels."""

    def key(self, name: str) -> None:
        """A key was pressed: a character, or a name such as `left`, `return`, `shift+tab`."""

    def press(self, x: float, y: float) -> None:
        """The pointer's button went down."""

    def move(self, x: float, y: float, *, held: bool) -> None:
        """The pointer moved."""

    def release(self, x: float, y: float) -> None:
        """The button went up."""

    def wheel(self, amount: int) -> None:
        """The wheel was turned, away from the player if positive."""

    def advance(self, now: float) -> float | None:
        """Let time pass; say in how many seconds again, None: not until something happens."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything."""


class Screen:
    """A window on the screen, from entering to leaving the context."""

    def __init__(self, size: tuple[int, int]) -> None:
        """A window of so many pixels, or as many as the screen has room for."""
        self._size = size

    def __enter__(self) -> Screen:
        """Open it."""
        try:
            pygame.display.init()
            driver = pygame.display.get_driver()
            if driver in UNSEEN and os.environ.get("SDL_VIDEODRIVER") != driver:
                raise pygame.error("DISPLAY and WAYLAND_DISPLAY name none")
            if driver == "x11":
                # Pictures come from memory: taking them there through OpenGL is a detour.
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
        """Close it."""
        pygame.display.quit()

    @property
    def surface(self) -> pygame.Surface:
        """What is drawn on; another one after the window was resized."""
        return self._window.get_surface()

    def show(self, title: str) -> None:
        """Let the player see what was drawn."""
        if self._window.title != title:
            self._window.title = title
        self._window.flip()

    def wake(self) -> None:
        """Let `run` go on at once; any thread may call it."""
        with contextlib.suppress(pygame.error):
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))

    def wait(self, seconds: float | None) -> list[pygame.Event]:
        """The next events, or none after so many seconds."""
        pause = IDLE if seconds is None else min(IDLE, max(1, round(1000 * seconds)))
        first = pygame.event.wait(pause)
        if first.type == pygame.NOEVENT:
            return []
        return [first, *pygame.event.get()]

    def tell(self, view: View, event: pygame.Event) -> bool:
        """Hand an event to a view; return whether the window is to stay open."""
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
        """A place as the system counts it, which has points where dense screens have pixels."""
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
    """A key by what it writes, else by its name."""
    name: str = pygame.key.name(event.key)
    if event.mod & pygame.KMOD_CTRL:
        name = {"z": "u"}.get(name, f"ctrl+{name}")
        return "y" if name == "u" and event.mod & pygame.KMOD_SHIFT else name
    if event.mod & pygame.KMOD_SHIFT and name in SHIFTED:
        return SHIFTED[name]
    if name == "enter":  # of the number pad
        return "return"
    written: str = event.unicode
    return written.lower() if written.isprintable() and written.strip() else name

"""A window for pictures: it shows frames until it is closed."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.theme import DARK

# The share of the screen that a new window may take, each way.
_ROOM = 0.9

# The windows on the screen, by the number that SDL gives them: they share one queue of events.
_on_screen: WeakValueDictionary[int, Window] = WeakValueDictionary()


class Window:
    """A window on the screen that opens with the first frame.

    Closed by its user or by `close`, it stays closed: frames shown later are dropped. Keys and
    mouse buttons are left in pygame's queue for whoever wants them.
    """

    def __init__(
        self, title: str, frames_per_second: float = 60, beside: str = DARK.beside
    ) -> None:
        """A window that is not on the screen yet.

        Args:
            title: What its title bar says.
            frames_per_second: How fast `show` lets frames follow one another, at most.
            beside: The colour `#rrggbb` beside frames that do not fill it.
        """
        if not frames_per_second > 0:
            raise ValueError(
                f"A window cannot show {frames_per_second} frames a second; choose more than 0."
            )
        self._title = title
        self._frames_per_second = frames_per_second
        self._beside = beside
        self._window: Any = None
        # What it shows, and at which size; nothing where the screen has forgotten it.
        self._shown: tuple[NDArray[np.uint8], tuple[int, int]] | None = None
        self._clock: Any = None
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Whether it can show frames: neither its user nor the program has closed it."""
        return not self._closed

    def room(self, height: int, width: int) -> tuple[int, int] | None:
        """The height and the width that frames may have, in pixels of the screen.

        A window that is not on the screen yet opens at the given size, or as much of it as there
        is room for; on a screen of high density it has more pixels than that. One that is closed
        has no room.
        """
        if self._closed:
            return None
        if self._window is None:
            self._open(height, width)
        room_width, room_height = self._window.get_surface().get_size()
        return room_height, room_width

    def show(self, frame: NDArray[np.uint8]) -> None:
        """Show a frame (height, width, 3) of uint8, waiting for its turn.

        A frame that is too large is scaled down, one that fits several times is enlarged by a
        whole number: a frame of the size that `room` tells stays as it is.
        """
        if self._closed:
            return
        if self._window is None:
            self._open(*frame.shape[:2])
        _answer_events()
        # The events may have closed it.
        if self._window is not None:
            self._draw(frame)
            # This sleeps until the frame's time is over.
            self._clock.tick(self._frames_per_second)

    def close(self) -> None:
        """Take the window off the screen; doing so again changes nothing."""
        self._closed = True
        if self._window is None:
            return
        del _on_screen[self._window.id]
        self._window.destroy()
        self._window = self._clock = None
        if not _on_screen:
            _pygame().display.quit()

    def _open(self, height: int, width: int) -> None:
        pygame = _pygame()
        pygame.display.init()
        desktop_width, desktop_height = pygame.display.get_desktop_sizes()[0]
        room = min(1.0, _ROOM * desktop_width / width, _ROOM * desktop_height / height)
        size = _scaled(height, width, room)
        self._window = pygame.Window(self._title, size, resizable=True, allow_high_dpi=True)
        self._clock = pygame.time.Clock()
        _on_screen[self._window.id] = self

    def _draw(self, frame: NDArray[np.uint8]) -> None:
        pygame = _pygame()
        height, width = frame.shape[:2]
        picture = pygame.image.frombuffer(np.ascontiguousarray(frame), (width, height), "RGB")
        # The user may have resized the window: its surface is another one then.
        surface = self._window.get_surface()
        room_width, room_height = surface.get_size()
        if self._shown is not None:
            shown, size = self._shown
            if size == (room_width, room_height) and np.array_equal(shown, frame):
                return
        self._shown = frame.copy(), (room_width, room_height)
        scale = min(room_width / width, room_height / height)
        if scale < 1:
            picture = pygame.transform.smoothscale(picture, _scaled(height, width, scale))
        elif scale >= 2:
            # Whole multiples stay sharp to the pixel.
            picture = pygame.transform.scale(picture, _scaled(height, width, int(scale)))
        surface.fill(self._beside)
        surface.blit(picture, picture.get_rect(center=surface.get_rect().center))
        self._window.flip()


def _answer_events() -> None:
    """Close the windows whose users want them closed."""
    pygame = _pygame()
    for_others = (pygame.KEYDOWN, pygame.KEYUP, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
    for event in pygame.event.get(exclude=for_others):
        if event.type == pygame.WINDOWCLOSE and event.window is not None:
            closing = [_on_screen[event.window.id]] if event.window.id in _on_screen else []
        else:
            closing = list(_on_screen.values()) if event.type == pygame.QUIT else []
            if event.type == pygame.WINDOWEXPOSED:
                for window in _on_screen.values():
                    window._shown = None
        for window in closing:
            window.close()
        if not _on_screen:
            return


def _scaled(height: int, width: int, scale: float) -> tuple[int, int]:
    return max(1, round(width * scale)), max(1, round(height * scale))


def _pygame() -> Any:
    # pygame takes a while to load and opens devices: only who shows a window pays for that.
    try:
        import pygame
    except ImportError as error:
        raise ImportError(
            "Showing a window needs pygame, which is not installed; "
            'install it with pip install pygame-ce, or use render_mode="rgb_array".'
        ) from error
    return pygame

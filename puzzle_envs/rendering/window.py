"""A window that shows frames."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.theme import DARK

# Share of the screen that a new window may take, in each direction.
_ROOM = 0.9

# Open windows by SDL's id; they share one event queue.
_on_screen: WeakValueDictionary[int, Window] = WeakValueDictionary()


class Window:
    """A window that opens with the first frame.

    Once closed by the user or by `close`, it stays closed and drops further frames. Keys and mouse
    buttons stay in pygame's queue for the caller.
    """

    def __init__(
        self, title: str, frames_per_second: float = 60, beside: str = DARK.beside
    ) -> None:
        """Create a window, not yet open.

        Args:
            title: Text of the title bar.
            frames_per_second: Maximum rate at which `show` displays frames.
            beside: Background colour `#rrggbb` around frames that do not fill the window.
        """
        if not frames_per_second > 0:
            raise ValueError(
                f"A window cannot show {frames_per_second} frames per second; choose more than 0."
            )
        self._title = title
        self._frames_per_second = frames_per_second
        self._beside = beside
        self._window: Any = None
        # The frame shown and its size; None once the screen has lost it.
        self._shown: tuple[NDArray[np.uint8], tuple[int, int]] | None = None
        self._clock: Any = None
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Whether it can show frames: it has not been closed."""
        return not self._closed

    def room(self, height: int, width: int) -> tuple[int, int] | None:
        """The height and width available to frames, in pixels.

        A window not yet open opens at the given size, or smaller if the screen is; a high-density
        screen gives it more pixels. A closed window has no room.
        """
        if self._closed:
            return None
        if self._window is None:
            self._open(height, width)
        room_width, room_height = self._window.get_surface().get_size()
        return room_height, room_width

    def show(self, frame: NDArray[np.uint8]) -> None:
        """Show a frame (height, width, 3) of uint8 when it is due.

        Frames too large are scaled down; frames that fit several times are enlarged by an integer
        factor. A frame of the size of `room` is shown as it is.
        """
        if self._closed:
            return
        if self._window is None:
            self._open(*frame.shape[:2])
        _answer_events()
        # The events may have closed the window.
        if self._window is not None:
            self._draw(frame)
            # Sleep until the previous frame's time is over.
            self._clock.tick(self._frames_per_second)

    def close(self) -> None:
        """Close the window; idempotent."""
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
        # The user may have resized the window, which replaces its surface.
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
            # Integer factors keep pixels sharp.
            picture = pygame.transform.scale(picture, _scaled(height, width, int(scale)))
        surface.fill(self._beside)
        surface.blit(picture, picture.get_rect(center=surface.get_rect().center))
        self._window.flip()


def _answer_events() -> None:
    """Close the windows that their users want closed."""
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
    # pygame loads slowly and opens devices: import it only when a window is shown.
    try:
        import pygame
    except ImportError as error:
        raise ImportError(
            "Showing a window needs pygame, which is not installed; "
            'install it with pip install pygame-ce, or use render_mode="rgb_array".'
        ) from error
    return pygame

"""The window, on a screen that is not there."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from puzzle_agents.environments import make_env
from puzzle_envs.rendering.window import Window

FRAME = np.full((40, 60, 3), (200, 120, 40), np.uint8)


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


@pytest.fixture
def on_screen(monkeypatch: pytest.MonkeyPatch) -> list[pygame.Window]:
    """The windows that pygame opens, in their order."""
    opened: list[pygame.Window] = []
    original = pygame.Window

    def remember(*arguments: object, **options: object) -> pygame.Window:
        opened.append(original(*arguments, **options))  # type: ignore[arg-type]
        return opened[-1]

    monkeypatch.setattr(pygame, "Window", remember)
    return opened


def shown(window: pygame.Window) -> NDArray[np.uint8]:
    """What is in a window, (height, width, 3)."""
    pixels: NDArray[np.uint8] = pygame.surfarray.array3d(window.get_surface()).swapaxes(0, 1)
    return pixels


def test_opens_with_the_first_frame(on_screen: list[pygame.Window]) -> None:
    window = Window("A garden")
    assert window.is_open
    assert not on_screen
    window.show(FRAME)
    assert on_screen[0].title == "A garden"
    np.testing.assert_array_equal(shown(on_screen[0]), FRAME)
    assert not pygame.get_init(), "pygame.init() takes over sound and joysticks too"
    window.close()


def test_every_frame_is_shown(on_screen: list[pygame.Window]) -> None:
    window = Window("A garden", frames_per_second=1000)
    for level in range(0, 250, 50):
        window.show(FRAME // 250 + np.uint8(level))
        np.testing.assert_array_equal(shown(on_screen[0]), FRAME // 250 + level)
    # Frames need not be contiguous.
    window.show(FRAME[::-1, ::-1])
    np.testing.assert_array_equal(shown(on_screen[0]), FRAME)
    window.close()


def test_close_twice_and_show_afterwards(on_screen: list[pygame.Window]) -> None:
    window = Window("A garden")
    window.show(FRAME)
    window.close()
    window.close()
    window.show(FRAME)
    assert not window.is_open
    assert len(on_screen) == 1
    assert not pygame.display.get_init()


def test_close_before_it_opened(on_screen: list[pygame.Window]) -> None:
    window = Window("A garden")
    window.close()
    window.show(FRAME)
    assert not window.is_open
    assert not on_screen


def test_closed_by_its_user_it_stays_closed(on_screen: list[pygame.Window]) -> None:
    window, other = Window("A garden"), Window("Another garden")
    window.show(FRAME)
    other.show(FRAME)
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=on_screen[0]))
    other.show(FRAME)
    assert (window.is_open, other.is_open) == (False, True)
    window.show(FRAME)
    other.show(FRAME)
    assert len(on_screen) == 2
    other.close()
    assert not pygame.display.get_init()


def test_quitting_closes_all() -> None:
    windows = [Window("A garden"), Window("Another garden")]
    for window in windows:
        window.show(FRAME)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    windows[0].show(FRAME)
    assert not any(window.is_open for window in windows)


def test_keys_are_left_to_others() -> None:
    window = Window("A garden")
    window.show(FRAME)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE))
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(1, 1), rel=(0, 0), buttons=()))
    window.show(FRAME)
    assert [event.type for event in pygame.event.get(pump=False)] == [pygame.KEYDOWN]
    window.close()


def test_a_resized_window_keeps_the_proportions(on_screen: list[pygame.Window]) -> None:
    window = Window("A garden")
    window.show(FRAME)
    on_screen[0].size = (300, 80)
    window.show(FRAME)
    pixels = shown(on_screen[0])
    assert pixels.shape == (80, 300, 3)
    np.testing.assert_array_equal(pixels[:, 90:210], np.full((80, 120, 3), FRAME[0, 0]))
    assert (pixels[:, :90] != FRAME[0, 0]).all(axis=2).all()
    assert (pixels[:, 210:] != FRAME[0, 0]).all(axis=2).all()
    on_screen[0].size = (45, 45)
    window.show(FRAME)
    np.testing.assert_allclose(shown(on_screen[0])[10, 20], FRAME[0, 0], atol=8)
    window.close()


def test_a_picture_larger_than_the_screen_is_scaled_down(on_screen: list[pygame.Window]) -> None:
    pygame.display.init()
    width, height = pygame.display.get_desktop_sizes()[0]
    window = Window("A garden")
    window.show(np.zeros((height, 2 * width, 3), np.uint8))
    assert on_screen[0].size[0] < width
    assert on_screen[0].size[0] == pytest.approx(
        on_screen[0].size[1] * 2 * width / height, rel=0.01
    )
    window.close()


def test_frames_wait_for_their_turn() -> None:
    window = Window("A garden", frames_per_second=50)
    window.show(FRAME)
    start = time.perf_counter()
    for _ in range(5):
        window.show(FRAME)
    assert time.perf_counter() - start >= 0.08
    window.close()


def test_a_picture_is_drawn_at_the_size_of_the_window(on_screen: list[pygame.Window]) -> None:
    env = make_env("KwirkSteps-v0", None, "human", cell_pixels=8)
    picture = env._picture
    assert picture is not None
    np.testing.assert_array_equal(shown(on_screen[0]), picture.paint(8))
    height, width = picture.size(21)
    on_screen[0].size = (width + 6, height + 20)
    env.step(1)
    pixels = shown(on_screen[0])
    np.testing.assert_array_equal(pixels[10 : 10 + height, 3 : 3 + width], picture.paint(21))
    on_screen[0].size = picture.size(16)[::-1]
    env.render()
    np.testing.assert_array_equal(shown(on_screen[0]), picture.paint(16))
    env.close()


def test_the_room_of_a_window(on_screen: list[pygame.Window]) -> None:
    window = Window("A garden")
    assert window.room(40, 60) == (40, 60)
    on_screen[0].size = (100, 50)
    assert window.room(40, 60) == (50, 100)
    window.close()
    assert window.room(40, 60) is None
    assert len(on_screen) == 1


def test_what_is_shown_already_is_not_drawn_again(on_screen: list[pygame.Window]) -> None:
    window = Window("A garden", frames_per_second=1000)
    window.show(FRAME)
    window.show(FRAME)
    on_screen[0].get_surface().fill("black")
    window.show(FRAME.copy())
    assert not shown(on_screen[0]).any()
    # The screen has lost it.
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED, window=on_screen[0]))
    window.show(FRAME)
    np.testing.assert_array_equal(shown(on_screen[0]), FRAME)
    window.close()


def test_an_impossible_speed() -> None:
    with pytest.raises(ValueError, match="0 frames per second"):
        Window("A garden", frames_per_second=0)


def test_pygame_waits_for_the_first_frame() -> None:
    code = (
        "import sys; from puzzle_envs.rendering.window import Window; "
        "Window('A garden').close(); print('pygame' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_without_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match="pip install pygame-ce"):
        Window("A garden").show(FRAME)

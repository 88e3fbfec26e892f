"""Writing GIFs: what goes in comes out, small, and whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from puzzle_envs.rendering.gif import save_gif

pytest.importorskip("PIL")
from PIL import Image, ImageSequence

Pixels = NDArray[np.uint8]


def moving_square(count: int = 6) -> list[Pixels]:
    frames = []
    for number in range(count):
        frame = np.full((30, 50, 3), (220, 200, 150), np.uint8)
        frame[5:15, 5 * number : 5 * number + 10] = (180, 20, 40)
        frames.append(frame)
    return frames


def read(path: Path) -> tuple[list[Pixels], list[int]]:
    """The frames of a GIF, and how many milliseconds each is shown."""
    with Image.open(path) as image:
        frames, milliseconds = [], []
        for frame in ImageSequence.Iterator(image):
            frames.append(np.array(frame.convert("RGB")))
            milliseconds.append(int(frame.info["duration"]))
        return frames, milliseconds


def test_round_trip(tmp_path: Path) -> None:
    path = save_gif(tmp_path / "square.gif", iter(moving_square()), 20)
    assert path == tmp_path / "square.gif"
    frames, milliseconds = read(path)
    assert milliseconds == [50] * 6
    for frame, expected in zip(frames, moving_square(), strict=True):
        assert np.abs(frame.astype(int) - expected).max() <= 8


def test_plays_for_ever(tmp_path: Path) -> None:
    with Image.open(save_gif(tmp_path / "square.gif", moving_square(), 20)) as image:
        assert image.info["loop"] == 0


def test_long_plays_keep_time(tmp_path: Path) -> None:
    """Thirty frames per second are no whole number of hundredths of a second."""
    _, milliseconds = read(save_gif(tmp_path / "square.gif", moving_square(9), 30))
    assert set(milliseconds) == {30, 40}
    assert sum(milliseconds) == 300


def test_a_frame_that_stays_takes_its_time(tmp_path: Path) -> None:
    first, second, *_ = moving_square()
    path = save_gif(tmp_path / "square.gif", [first, first, first, second, second], 10)
    frames, milliseconds = read(path)
    assert len(frames) == 2
    assert milliseconds == [300, 200]


def test_frames_may_share_an_array(tmp_path: Path) -> None:
    def in_one_array() -> Iterator[Pixels]:
        array = np.empty_like(moving_square()[0])
        for frame in moving_square():
            array[:] = frame
            yield array

    apart = save_gif(tmp_path / "apart.gif", moving_square(), 10)
    together = save_gif(tmp_path / "together.gif", in_one_array(), 10)
    assert together.read_bytes() == apart.read_bytes()


def test_one_frame(tmp_path: Path) -> None:
    frames, _ = read(save_gif(tmp_path / "square.gif", moving_square(1), 10))
    assert len(frames) == 1


def test_still_ground_does_not_flicker(tmp_path: Path) -> None:
    """A pixel that does not change keeps its colour, whatever else is on the picture."""
    ground = np.random.default_rng(0).integers(0, 256, (40, 40, 3), np.uint8)
    frames = []
    for number in range(5):
        frames.append(ground.copy())
        frames[-1][:8, 8 * number : 8 * number + 8] = 50 * number
    written, _ = read(save_gif(tmp_path / "noise.gif", frames, 10))
    for frame in written[1:]:
        np.testing.assert_array_equal(frame[8:], written[0][8:])


def test_a_small_thing_keeps_its_colour(tmp_path: Path) -> None:
    """Among many shades of sand, a red leaf of few pixels."""
    frame = np.full((200, 200, 3), (220, 200, 150), np.uint8)
    frame += np.random.default_rng(0).integers(0, 30, frame.shape, np.uint8)
    frame[100:104, 100:104] = (181, 23, 43)
    written, _ = read(save_gif(tmp_path / "leaf.gif", [frame], 10))
    assert np.abs(written[0][102, 102].astype(int) - (181, 23, 43)).max() < 16
    assert np.abs(written[0].astype(int) - frame).mean() < 5


def test_what_stays_costs_nothing(tmp_path: Path) -> None:
    ground = np.random.default_rng(0).integers(0, 256, (100, 100, 3), np.uint8)
    frames = []
    for number in range(40):
        frames.append(ground.copy())
        frames[-1][10:14, 2 * number : 2 * number + 4] = 0
    alone = save_gif(tmp_path / "alone.gif", frames[:1], 10).stat().st_size
    assert save_gif(tmp_path / "all.gif", frames, 10).stat().st_size < 2 * alone


@pytest.mark.parametrize("speed", [0, -1, 51, float("nan")])
def test_an_impossible_speed(tmp_path: Path, speed: float) -> None:
    with pytest.raises(ValueError, match="frames per second"):
        save_gif(tmp_path / "square.gif", moving_square(), speed)


def test_no_frames(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no frames"):
        save_gif(tmp_path / "square.gif", [], 10)


def failing() -> Iterator[Pixels]:
    yield from moving_square(3)
    raise RuntimeError("the episode broke off")


def test_a_failure_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path = save_gif(tmp_path / "square.gif", moving_square(), 20)
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="broke off"):
        save_gif(path, failing(), 20)
    with pytest.raises(ValueError, match=r"Frame 1 is 10x20, .* 50x30"):
        save_gif(path, [moving_square()[0], np.zeros((20, 10, 3), np.uint8)], 20)
    with pytest.raises(ValueError, match=r"Frame 0 is an array .* of float64"):
        save_gif(path, [np.zeros((20, 10, 3))], 20)  # type: ignore[list-item]
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_while_writing_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_gif(tmp_path / "square.gif", moving_square(), 20)
    before = path.read_bytes()

    def break_off(self: Image.Image, file: object, **options: object) -> None:
        file.write(b"GIF89a")  # type: ignore[attr-defined]
        raise OSError("No space left on device")

    monkeypatch.setattr(Image.Image, "save", break_off)
    with pytest.raises(OSError, match="No space"):
        save_gif(path, moving_square(), 20)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_without_pillow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r'pip install "puzzle-envs\[bench\]"'):
        save_gif(tmp_path / "square.gif", moving_square(), 20)
    assert not list(tmp_path.iterdir())

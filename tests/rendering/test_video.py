"""Frames as an MP4 and as PNGs, and `RecordVideo` on every id."""

from __future__ import annotations

import itertools
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pygame
import pytest
from gymnasium.wrappers import RecordVideo
from numpy.typing import NDArray

from puzzle_agents.environments import ids
from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.mp4 import save_mp4
from puzzle_envs.rendering.png import save_pngs
from puzzle_envs.rendering.video import check_video, save_video

FFMPEG = pytest.importorskip("imageio_ffmpeg", reason="needs the video extra")


def frames(count: int, height: int = 41, width: int = 57) -> list[Pixels]:
    shades = np.linspace(20, 220, count)
    return [np.full((height, width, 3), shade, np.uint8) for shade in shades]


def breaking_off() -> Iterator[Pixels]:
    yield from frames(3)
    raise RuntimeError("no more")


def read_mp4(path: Path) -> tuple[float, NDArray[np.uint8]]:
    """Frames a second, and the frames (number, height, width, 3)."""
    # imageio-ffmpeg's own reader leaves its pipes open, which warns.
    raw = ["-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run([FFMPEG.get_ffmpeg_exe(), *raw], capture_output=True, check=True)
    told = re.search(r"rgb24.*?, (\d+)x(\d+).*?, ([\d.]+) fps", done.stderr.decode())
    assert told is not None
    width, height, frames_per_second = int(told[1]), int(told[2]), float(told[3])
    read = np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)
    return frames_per_second, read


def test_an_mp4_holds_every_frame(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    shown = frames(7)
    save_mp4(path, iter(shown), 12.5)
    frames_per_second, read = read_mp4(path)
    assert frames_per_second == 12.5
    assert read.shape == (7, 42, 58, 3), "an odd row and an odd column are there twice"
    for frame, kept in zip(shown, read, strict=True):
        np.testing.assert_allclose(kept[:41, :57], frame, atol=6)
    assert [file.name for file in tmp_path.iterdir()] == ["film.mp4"]


def test_pngs_are_numbered(tmp_path: Path) -> None:
    shown = frames(3)
    save_pngs(tmp_path / "film", iter(shown))
    files = sorted((tmp_path / "film").iterdir())
    assert [file.name for file in files] == ["00000.png", "00001.png", "00002.png"]
    for frame, file in zip(shown, files, strict=True):
        kept = pygame.surfarray.array3d(pygame.image.load(file)).swapaxes(0, 1)
        np.testing.assert_array_equal(kept, frame)


@pytest.mark.parametrize("name", ["film.gif", "film.mp4", "film"])
def test_what_breaks_off_leaves_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no more"):
        save_video(tmp_path / name, breaking_off(), 10)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="no frames"):
        save_video(tmp_path / name, iter(()), 10)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"film\.avi is not a supported output: give a GIF"):
        check_video(tmp_path / "film.avi", 10)
    with pytest.raises(ValueError, match="already exists; name a new folder"):
        check_video(tmp_path, 10)
    with pytest.raises(ValueError, match="0 frames per second"):
        check_video(tmp_path / "film.mp4", 0)
    with pytest.raises(ValueError, match="at most 50"):
        check_video(tmp_path / "film.gif", 60)
    with pytest.raises(ValueError, match="choose more than 0 and at most 240"):
        check_video(tmp_path / "film", math.inf)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ImportError, match=r'pip install "puzzle-envs\[video\]"'):
        check_video(tmp_path / "film.mp4", 10)


FAILING = """#!/bin/sh
echo 'ffmpeg version 7, --enable-all' >&2
for part; do :; done
echo "$part: No space left on device" >&2
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script takes ffmpeg's place")
@pytest.mark.parametrize("behaves", ["exit 1", "cat > /dev/null; exit 1", None])
def test_an_mp4_that_fails_gives_the_last_words_of_ffmpeg(
    behaves: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, or at the end; no command line of it, and no file that nobody named."""
    pytest.importorskip("imageio_ffmpeg", reason="needs the video extra")
    program, film = tmp_path / "ffmpeg", tmp_path / "films" / "film.mp4"
    film.parent.mkdir()
    if behaves is not None:
        program.write_text(FAILING + behaves, encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(program))
    frames = itertools.repeat(np.zeros((64, 64, 3), np.uint8), 100)
    with pytest.raises(ValueError, match="ffmpeg") as caught:
        save_video(film, frames, 10)
    said = f"{film} not written; ffmpeg: {film}: No space left on device."
    assert str(caught.value) == (
        said if behaves else f"ffmpeg cannot be started: {program}: No such file or directory."
    )
    assert not list(film.parent.iterdir())


@pytest.mark.parametrize("id", ids())
def test_record_video(id: str, tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="needs the video extra")
    env = gymnasium.make(id, render_mode="rgb_array", cell_pixels=8)
    assert env.metadata["render_fps"] == 30
    recorded = RecordVideo(env, str(tmp_path / "videos"))
    _, info = recorded.reset(seed=0)
    steps = 0
    over = False
    while steps < 5 and not over:
        _, _, over, _, info = recorded.step(int(np.flatnonzero(info["action_mask"])[0]))
        steps += 1
    recorded.close()  # type: ignore[no-untyped-call]
    (file,) = tmp_path.glob("videos/*.mp4")
    frames_per_second, read = read_mp4(file)
    assert frames_per_second == 30
    assert steps <= len(read) <= steps + 1, "moviepy may lose the last frame to rounding"

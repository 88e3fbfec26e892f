"""Writing pictures as an MP4, with the ffmpeg that imageio-ffmpeg brings."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import IO, Any

import numpy as np

from puzzle_envs.common.files import whole_file
from puzzle_envs.rendering.canvas import Pixels

# How much is lost, from 0 (nothing) to 51; edges of flat colours show no blocks.
_LOSS = 5


def require_ffmpeg() -> Any:
    """The package that brings ffmpeg; an ImportError says how to install it."""
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise ImportError(
            "Writing an MP4 needs imageio-ffmpeg, which is not installed; "
            'install it with pip install "puzzle-envs[video]".'
        ) from error
    return imageio_ffmpeg


def save_mp4(path: Path, frames: Iterable[Pixels], frames_per_second: float) -> None:
    """Write frames of one size as H.264, which plays anywhere; whole or not at all.

    A ValueError gives ffmpeg's last words, where it has not written the film.
    """
    try:
        program = require_ffmpeg().get_ffmpeg_exe()
    except RuntimeError:
        raise ValueError("No ffmpeg is found; let IMAGEIO_FFMPEG_EXE name one.") from None
    with whole_file(path) as file, tempfile.TemporaryFile() as said:
        process: subprocess.Popen[bytes] | None = None
        try:
            for frame in map(_even, frames):
                if process is None:
                    command = [program, *_arguments(frame, frames_per_second), file.name]
                    process = _started(command, said)
                assert process.stdin is not None
                process.stdin.write(frame.tobytes())
            if process is None:
                raise ValueError(f"There are no frames to write to {path}; give at least one.")
            process.communicate()
        except BrokenPipeError:  # it has ended, and said why
            assert process is not None
            process.wait()
        finally:
            if process is not None:
                _end(process)
        if process.returncode:
            raise ValueError(f"{path} is not written, ffmpeg says: {_last(said, file.name, path)}")


def _arguments(frame: Pixels, frames_per_second: float) -> list[str]:
    height, width, _ = frame.shape
    speed = str(Fraction(frames_per_second).limit_denominator())
    return [
        "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", speed, "-i", "-",
        "-an", "-vcodec", "libx264", "-pix_fmt", "yuv420p", "-crf", str(_LOSS),
        "-f", "mp4", "-movflags", "+faststart",
    ]  # fmt: skip


def _started(command: list[str], said: IO[bytes]) -> subprocess.Popen[bytes]:
    """Ffmpeg at work; Ctrl-C is not for it."""
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise ValueError(f"ffmpeg cannot be started: {command[0]}: {error.strerror}.") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let nothing of it be left, whether it has come to its end or not."""
    if process.poll() is None:
        process.kill()
        process.wait()
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()


def _last(said: IO[bytes], part: str, path: Path) -> str:
    """The last line of what was said, with the name that the film is to have."""
    said.seek(0)
    lines = [line.strip() for line in said.read().decode(errors="replace").splitlines()]
    words = next((line for line in reversed(lines) if line), "nothing")
    return f"{words.replace(part, str(path)).rstrip('.')}."


def _even(frame: Pixels) -> Pixels:
    """The frame with an even number of rows and columns: colours are kept for two by two pixels."""
    height, width = (side % 2 for side in frame.shape[:2])
    return np.pad(frame, ((0, height), (0, width), (0, 0)), mode="edge")

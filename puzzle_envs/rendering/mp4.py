"""Writing MP4 videos with the ffmpeg of imageio-ffmpeg."""

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

# Constant rate factor, from 0 (lossless) to 51; edges of flat colours show no blocks.
_LOSS = 5


def require_ffmpeg() -> Any:
    """Import the package that provides ffmpeg, or raise an ImportError with instructions."""
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise ImportError(
            "Writing an MP4 needs imageio-ffmpeg, which is not installed; "
            'install it with pip install "puzzle-envs[video]".'
        ) from error
    return imageio_ffmpeg


def save_mp4(path: Path, frames: Iterable[Pixels], frames_per_second: float) -> None:
    """Write frames of one size as H.264, completely or not at all.

    If ffmpeg fails, a ValueError quotes the last line of its output.
    """
    try:
        program = require_ffmpeg().get_ffmpeg_exe()
    except RuntimeError:
        raise ValueError("No ffmpeg was found; set IMAGEIO_FFMPEG_EXE to its path.") from None
    with whole_file(path) as file, tempfile.TemporaryFile() as errors:
        process: subprocess.Popen[bytes] | None = None
        try:
            for frame in map(_even, frames):
                if process is None:
                    command = [program, *_arguments(frame, frames_per_second), file.name]
                    process = _started(command, errors)
                assert process.stdin is not None
                process.stdin.write(frame.tobytes())
            if process is None:
                raise ValueError(f"There are no frames to write to {path}; give at least one.")
            process.communicate()
        except BrokenPipeError:  # it exited, and its output says why
            assert process is not None
            process.wait()
        finally:
            if process is not None:
                _end(process)
        if process.returncode:
            raise ValueError(f"{path} not written; ffmpeg: {_last(errors, file.name, path)}")


def _arguments(frame: Pixels, frames_per_second: float) -> list[str]:
    height, width, _ = frame.shape
    speed = str(Fraction(frames_per_second).limit_denominator())
    return [
        "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", speed, "-i", "-",
        "-an", "-vcodec", "libx264", "-pix_fmt", "yuv420p", "-crf", str(_LOSS),
        "-f", "mp4", "-movflags", "+faststart",
    ]  # fmt: skip


def _started(command: list[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start ffmpeg in its own session, unaffected by Ctrl-C."""
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise ValueError(f"ffmpeg cannot be started: {command[0]}: {error.strerror}.") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop the process and release its resources."""
    if process.poll() is None:
        process.kill()
        process.wait()
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()


def _last(errors: IO[bytes], part: str, path: Path) -> str:
    """The last line of the output, with the name of the final file."""
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode(errors="replace").splitlines()]
    words = next((line for line in reversed(lines) if line), "nothing")
    return f"{words.replace(part, str(path)).rstrip('.')}."


def _even(frame: Pixels) -> Pixels:
    """Pad a frame to even height and width: chroma is subsampled two by two."""
    height, width = (side % 2 for side in frame.shape[:2])
    return np.pad(frame, ((0, height), (0, width), (0, 0)), mode="edge")

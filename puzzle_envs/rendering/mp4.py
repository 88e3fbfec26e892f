"""Writing pictures as an MP4, with the ffmpeg that imageio-ffmpeg brings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from puzzle_envs.files import whole_file
from puzzle_envs.rendering.canvas import Pixels

# From 0 to 10; edges of flat colours show no blocks.
_QUALITY = 9


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
    """Write frames of one size as H.264, which plays anywhere; whole or not at all."""
    ffmpeg = require_ffmpeg()
    with whole_file(path) as file:
        writer: Any = None
        try:
            for frame in map(_even, frames):
                if writer is None:
                    writer = ffmpeg.write_frames(
                        file.name,
                        frame.shape[1::-1],
                        fps=frames_per_second,
                        codec="libx264",
                        quality=_QUALITY,
                        macro_block_size=2,
                        ffmpeg_log_level="error",
                        output_params=["-f", "mp4", "-movflags", "+faststart"],
                    )
                    writer.send(None)
                writer.send(frame)
        finally:
            if writer is not None:
                writer.close()
        if writer is None:
            raise ValueError(f"There are no frames to write to {path}; give at least one.")


def _even(frame: Pixels) -> Pixels:
    """The frame with an even number of rows and columns: colours are kept for two by two pixels."""
    height, width = (side % 2 for side in frame.shape[:2])
    return np.pad(frame, ((0, height), (0, width), (0, 0)), mode="edge")

"""Videos as GIF, MP4 or a folder of PNGs, chosen by the name of the output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from puzzle_envs.rendering.canvas import Pixels
from puzzle_envs.rendering.gif import check_speed, require_pillow, save_gif
from puzzle_envs.rendering.mp4 import require_ffmpeg, save_mp4
from puzzle_envs.rendering.png import check_new_folder, save_pngs

_FASTEST = 240


def check_video(path: Path, frames_per_second: float) -> None:
    """Reject what `save_video` could not write, before frames are drawn."""
    if not 0 < frames_per_second <= _FASTEST:
        raise ValueError(
            f"A video cannot play {frames_per_second} frames per second; "
            f"choose more than 0 and at most {_FASTEST}."
        )
    match path.suffix.lower():
        case ".gif":
            check_speed(frames_per_second)
            require_pillow()
        case ".mp4":
            require_ffmpeg()
        case "":
            check_new_folder(path)
        case _:
            raise ValueError(
                f"{path} is not a supported output: give a GIF (film.gif), an MP4 (film.mp4), or a "
                "new folder for PNGs (film)."
            )


def save_video(path: Path, frames: Iterable[Pixels], frames_per_second: float) -> None:
    """Write frames of one size completely or not at all; PNGs have no frame rate."""
    check_video(path, frames_per_second)
    if path.suffix.lower() == ".gif":
        save_gif(path, frames, frames_per_second)
    elif path.suffix:
        save_mp4(path, frames, frames_per_second)
    else:
        save_pngs(path, frames)

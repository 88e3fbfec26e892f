"""Writing animated GIFs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.common.files import whole_file

if TYPE_CHECKING:
    from PIL import Image

Pixels = NDArray[np.uint8]

# Viewers slow down faster animations.
_FASTEST = 50
# Number of pixels sampled to choose the palette.
_SAMPLE = 1 << 20


@dataclass
class _Change:
    """The part of a frame that differs from the previous one: its corner and pixels."""

    top: int
    left: int
    pixels: Pixels


def save_gif(path: str | Path, frames: Iterable[Pixels], frames_per_second: float) -> Path:
    """Write frames as a looping GIF; the file is written completely or not at all.

    Args:
        path: The file to write; an existing one is replaced.
        frames: Frames of one size, uint8 arrays (height, width, 3).
        frames_per_second: Frame rate, at most 50.

    Returns:
        The path of the file.

    Raises:
        ImportError: Pillow is not installed.
        ValueError: There are no frames, they differ in size, or the frame rate is unsupported.
    """
    check_speed(frames_per_second)
    require_pillow()
    path = Path(path)
    changes = list(_changes(frames))
    if not changes:
        raise ValueError(f"There are no frames to write to {path}; give at least one.")
    with whole_file(path) as file:
        _write(file, changes, frames_per_second)
    return path


def check_speed(frames_per_second: float) -> None:
    """Reject frame rates that a GIF cannot have."""
    if not 0 < frames_per_second <= _FASTEST:
        raise ValueError(
            f"A GIF cannot play {frames_per_second} frames per second; "
            f"choose more than 0 and at most {_FASTEST}."
        )


def require_pillow() -> None:
    """Raise an ImportError with instructions if Pillow is not installed."""
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "Writing a GIF needs Pillow, which is not installed; "
            'install it with pip install "puzzle-envs[bench]".'
        ) from error


def _write(file: IO[bytes], changes: Sequence[_Change], frames_per_second: float) -> None:
    palette = _palette(changes)
    first, *others = _indexed(changes, palette)
    # GIF times are in hundredths of a second: round the times, not the durations.
    moments = [round(100 * number / frames_per_second) for number in range(len(changes) + 1)]
    durations = [10 * (after - before) for before, after in itertools.pairwise(moments)]
    first.save(
        file,
        format="GIF",
        save_all=True,
        append_images=others,
        duration=durations,
        palette=palette.getpalette(),
        loop=0,
        optimize=True,
        disposal=1,
    )


def _palette(changes: Sequence[_Change]) -> Image.Image:
    """A palette image of all frames, with at most 255 colours: one is reserved for transparency."""
    from PIL import Image

    pixels = np.concatenate([change.pixels.reshape(-1, 3) for change in changes])
    pixels = pixels[:: -(-len(pixels) // _SAMPLE)]
    # Include every colour once more, so that small objects count.
    rare = np.unique(pixels & 0xFC, axis=0)
    pixels = np.concatenate([pixels, np.repeat(rare, 1 + len(pixels) // (2 * len(rare)), axis=0)])
    sample = Image.fromarray(pixels[None])
    chosen = sample.quantize(255, method=Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    colours = sorted({tuple(chosen[at : at + 3]) for at in range(0, len(chosen), 3)})
    palette = Image.new("P", (1, 1))
    palette.putpalette([level for colour in colours for level in colour])
    return palette


def _indexed(changes: Sequence[_Change], palette: Image.Image) -> Iterator[Image.Image]:
    """The frames as palette indices."""
    from PIL import Image

    frame = Image.new("P", changes[0].pixels.shape[1::-1])
    frame.putpalette(palette.getpalette() or [])
    for change in changes:
        frame = frame.copy()
        if change.pixels.size:
            part = Image.fromarray(change.pixels).quantize(
                palette=palette, dither=Image.Dither.NONE
            )
            frame.paste(part, (change.left, change.top))
        yield frame


def _changes(frames: Iterable[Pixels]) -> Iterator[_Change]:
    """The first frame complete, then only the changes, which saves memory."""
    before: Pixels | None = None
    for number, frame in enumerate(frames):
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
            raise ValueError(
                f"Frame {number} is an array {frame.shape} of {frame.dtype}; "
                "give arrays (height, width, 3) of uint8."
            )
        if before is None:
            yield _Change(0, 0, frame.copy())
        elif frame.shape != before.shape:
            raise ValueError(
                f"Frame {number} is {frame.shape[1]}x{frame.shape[0]}, the frames before it are "
                f"{before.shape[1]}x{before.shape[0]}; give frames of one size."
            )
        else:
            different = (frame != before).any(axis=2)
            rows = np.flatnonzero(different.any(axis=1))
            columns = np.flatnonzero(different.any(axis=0))
            if len(rows):
                top, left = int(rows[0]), int(columns[0])
                part = frame[top : rows[-1] + 1, left : columns[-1] + 1].copy()
                yield _Change(top, left, part)
            else:
                yield _Change(0, 0, frame[:0])
        # The caller may reuse the array for the next frame.
        before = frame.copy()

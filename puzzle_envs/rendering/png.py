"""Writing PNG images, and folders of them."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from puzzle_envs.common.files import write_whole
from puzzle_envs.rendering.canvas import Pixels


def save_png(path: Path, pixels: Pixels) -> None:
    """Write an array (height, width, 3) completely or not at all."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    height, width, _ = pixels.shape
    packed = io.BytesIO()
    surface = pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGB")
    pygame.image.save(surface, packed, path.name)
    write_whole(path, packed.getvalue())


def save_pngs(folder: Path, frames: Iterable[Pixels]) -> None:
    """Write frames to a new folder, from 00000.png; it appears once all are written."""
    check_new_folder(folder)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        number = -1
        for number, frame in enumerate(frames):
            save_png(part / f"{number:05}.png", frame)
        if number < 0:
            raise ValueError(f"There are no frames to write to {folder}; give at least one.")
        part.chmod(0o755)  # temporary folders are private to their owner
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def check_new_folder(folder: Path) -> None:
    """Reject an existing folder."""
    if folder.exists():
        raise ValueError(f"{folder} already exists; name a new folder.")

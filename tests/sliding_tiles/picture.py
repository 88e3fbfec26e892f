"""Grey tiles: a minimal picture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from puzzle_envs.rendering.theme import LIGHT, Theme


class Picture:
    def __init__(self, actions: int, theme: Theme = LIGHT) -> None:
        self._tiles = np.zeros((0, 0), np.uint8)

    def begin(self, planes: np.ndarray) -> None:
        self._tiles = planes.argmax(axis=0).astype(np.uint8)

    def follow(self, action: int, planes: np.ndarray) -> None:
        self.begin(planes)

    def paint(self, cell: int) -> np.ndarray:
        shades = np.kron(16 * self._tiles, np.ones((cell, cell), np.uint8))
        return np.repeat(shades[:, :, None], 3, axis=2)

    def size(self, cell: int) -> tuple[int, int]:
        height, width = self._tiles.shape
        return height * cell, width * cell

    def slide(self, cell: int, frames: int) -> Iterator[np.ndarray]:
        yield self.paint(cell)

    def text(self) -> str:
        return "\n".join("".join(f"{tile:X}" for tile in row) for row in self._tiles)

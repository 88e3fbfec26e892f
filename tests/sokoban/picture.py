"""Grey cells, darker with each plane: a minimal picture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from puzzle_envs.rendering.theme import LIGHT, Theme
from tests.sokoban.codec import BOX, FLOOR, GOAL

MARKS = {(0, 0, 0): "#", (1, 0, 0): " ", (1, 1, 0): ".", (1, 0, 1): "$", (1, 1, 1): "*"}


class Picture:
    def __init__(self, actions: int, theme: Theme = LIGHT) -> None:
        self._planes = np.zeros((4, 0, 0), np.int8)

    def begin(self, planes: np.ndarray) -> None:
        self._planes = planes.copy()

    def follow(self, action: int, planes: np.ndarray) -> None:
        self.begin(planes)

    def paint(self, cell: int) -> np.ndarray:
        shades = np.tensordot([60, 60, 60, 30], self._planes, 1).astype(np.uint8)
        return np.repeat(np.kron(shades, np.ones((cell, cell), np.uint8))[:, :, None], 3, axis=2)

    def size(self, cell: int) -> tuple[int, int]:
        height, width = self._planes.shape[1:]
        return height * cell, width * cell

    def slide(self, cell: int, frames: int) -> Iterator[np.ndarray]:
        yield self.paint(cell)

    def text(self) -> str:
        seen = self._planes[[FLOOR, GOAL, BOX]]
        return "\n".join(
            "".join(MARKS[tuple(seen[:, row, column].tolist())] for column in range(seen.shape[2]))
            for row in range(seen.shape[1])
        )

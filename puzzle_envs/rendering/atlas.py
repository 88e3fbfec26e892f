"""Tile atlases: every tile is drawn once, then copied."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.rendering.canvas import Pixels


class Atlas:
    """The tiles of one cell size, drawn on first use.

    A tile is identified by a code, an integer below `codes`; `draw(code)` returns its pixels as a
    uint8 array (cell, cell, 3).
    """

    def __init__(self, cell: int, codes: int, draw: Callable[[int], Pixels]) -> None:
        """Create an empty atlas."""
        self._cell = cell
        self._draw = draw
        self._lock = Lock()
        self._lines = np.arange(cell)[None, :, None]
        # First line of each tile in `_strips`; -1 if not yet drawn.
        self._first_line = np.full(codes, -1, np.int64)
        # An element is one line of a tile, so that a picture is a single gather of whole lines.
        self._strips = np.zeros(0, np.dtype((np.void, 3 * cell)))
        self._used = 0

    def picture(self, codes: NDArray[np.integer]) -> Pixels:
        """Assemble the tiles of a board in a new array (rows * cell, columns * cell, 3)."""
        first = self._first_line[codes]
        if first.min() < 0:
            self._add(np.unique(codes[first < 0]))
            first = self._first_line[codes]
        rows, columns = codes.shape
        lines = self._strips.take(first[:, None, :] + self._lines)
        pixels: Pixels = lines.view(np.uint8).reshape(rows * self._cell, columns * self._cell, 3)
        return pixels

    def _add(self, codes: NDArray[np.integer]) -> None:
        with self._lock:
            missing = [int(code) for code in codes if self._first_line[code] < 0]
            size = self._cell * len(missing)
            if self._used + size > len(self._strips):
                # Grow the strips before publishing the codes: another thread may be gathering.
                room = np.zeros(max(size, len(self._strips)), self._strips.dtype)
                self._strips = np.concatenate([self._strips, room])
            for code in missing:
                lines = np.ascontiguousarray(self._draw(code)).reshape(self._cell, -1)
                own = slice(self._used, self._used + self._cell)
                self._strips[own] = lines.view(self._strips.dtype)[:, 0]
                self._first_line[code] = self._used
                self._used += self._cell

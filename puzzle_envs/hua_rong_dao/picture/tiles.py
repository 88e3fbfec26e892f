"""The tiles of a box: codes of pieces of floor, blocks and frame."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.hua_rong_dao.codec import BLOCK as COVERED
from puzzle_envs.hua_rong_dao.codec import GOAL_PIECE, LAST
from puzzle_envs.hua_rong_dao.layout import LARGEST
from puzzle_envs.hua_rong_dao.picture import blocks, tray
from puzzle_envs.hua_rong_dao.picture.scene import Numbers, Scene
from puzzle_envs.rendering import noise
from puzzle_envs.rendering.atlas import Atlas
from puzzle_envs.rendering.board import SHADES, Rectangle, ringed, shaded_by
from puzzle_envs.rendering.canvas import Pixels, pixels_of
from puzzle_envs.rendering.theme import Theme

Codes = NDArray[np.integer]

# How many stretches there are along a side of the largest box: all lengths, all cells of them.
STRETCHES = LARGEST * (LARGEST + 1) // 2

# The code of a cell of floor: its place in the texture in the lowest bits, then which neighbours
# shade it, then 0 or which cell of the goal it is, counted from 1.
SHADED = noise.PLACES
GOAL = SHADED * SHADES
# The code of a cell of a block: which cell of it, across and down, then its look.
BLOCK = GOAL * (1 + STRETCHES * STRETCHES)
LOOK = STRETCHES * STRETCHES
# The code of a cell of the frame: its place, its side, whether it is lit, then 0 or which cell of
# the gate it is, counted from 1.
FRAME = BLOCK + LOOK * blocks.LOOKS
SIDE = noise.PLACES
LIT = SIDE * 8
GATE = LIT * 2
CODES = FRAME + GATE * (1 + STRETCHES)


@lru_cache(maxsize=8)
def atlas(cell: int, theme: Theme) -> Atlas:
    """The tile atlas of a cell size."""
    return Atlas(cell, CODES, lambda code: _draw(cell, theme, code))


def picture(cell: int, theme: Theme, scene: Scene) -> Pixels:
    """Draw a scene in its frame to a new array."""
    whole = atlas(cell, theme).picture(_codes(scene))
    cut = cell - frame_width(cell)
    return np.ascontiguousarray(whole[cut : whole.shape[0] - cut, cut : whole.shape[1] - cut])


def frame_width(cell: int) -> int:
    """Width of the frame in pixels."""
    return round(tray.FRAME * cell)


def corner(cell: int, row: float, column: float) -> tuple[int, int]:
    """The pixel of the upper left corner of a place in the box: its row and its column."""
    frame = frame_width(cell)
    return frame + round(row * cell), frame + round(column * cell)


def _codes(scene: Scene) -> Codes:
    """The tiles of a scene, and of the frame around it."""
    codes = _empty_board(scene.size, scene.goal).copy()
    around = np.ones(codes.shape, np.int32)
    box = around[1:-1, 1:-1]
    box[:] = scene.planes[COVERED]
    shaded = shaded_by(around)
    look = blocks.GOAL_PIECE * scene.planes[GOAL_PIECE] + blocks.LAST * scene.planes[LAST]
    block = (
        BLOCK
        + LOOK * look.astype(np.int32)
        + STRETCHES * _stretches(*scene.down)
        + _stretches(*scene.across)
    )
    inner = codes[1:-1, 1:-1]
    inner[:] = np.where(box, block, inner + SHADED * shaded)
    if scene.solved:
        codes[codes >= FRAME + GATE] += LIT
    return codes


@lru_cache(maxsize=64)
def _empty_board(size: tuple[int, int], goal: Rectangle | None) -> Codes:
    """The codes of a box without blocks and its frame."""
    codes: Codes = ringed(*size, FRAME, SIDE)
    if goal:
        down = _stretches(np.array(goal.height), np.arange(goal.height))
        across = _stretches(np.array(goal.width), np.arange(goal.width))
        on_goal = codes[1:-1, 1:-1][goal.cells]
        on_goal += GOAL * (1 + STRETCHES * down[:, None] + across)
        _put_gate(codes, goal, down, across)
    return codes


def _put_gate(codes: Codes, goal: Rectangle, down: Numbers, across: Numbers) -> None:
    """Add the gate to the frame where the goal touches it, on one side only."""
    rows, columns = (slice(cells.start + 1, cells.stop + 1) for cells in goal.cells)
    height, width = codes.shape[0] - 2, codes.shape[1] - 2
    if goal.row + goal.height == height:
        codes[-1, columns] += GATE * (1 + across)
    elif goal.column + goal.width == width:
        codes[rows, -1] += GATE * (1 + down)
    elif goal.row == 0:
        codes[0, columns] += GATE * (1 + across)
    elif goal.column == 0:
        codes[rows, 0] += GATE * (1 + down)


def _stretches(length: Numbers, number: Numbers) -> Numbers:
    """Which stretch of a line a cell is, by its number from 0 and the length of the line."""
    stretch: Numbers = length * (length - 1) // 2 + number
    return stretch


def _stretch(code: int) -> tray.Stretch:
    """The length and the number of a stretch."""
    length = 1
    while code >= length:
        code -= length
        length += 1
    return length, code


def _draw(cell: int, theme: Theme, code: int) -> Pixels:
    if code >= FRAME:
        code -= FRAME
        frame = tray.frame(
            cell,
            code % SIDE,
            code // SIDE % 8,
            _stretch(code // GATE - 1) if code >= GATE else None,
            lit=bool(code // LIT % 2),
        )
        return pixels_of(theme.around(frame))
    if code >= BLOCK:
        code -= BLOCK
        height, down = _stretch(code % LOOK // STRETCHES)
        width, across = _stretch(code % STRETCHES)
        pixels = blocks.block(cell, width, height, code // LOOK)
        return pixels[down * cell : (down + 1) * cell, across * cell : (across + 1) * cell]
    goal = code // GOAL - 1
    floor = tray.floor(
        cell,
        code % SHADED,
        code % GOAL // SHADED,
        (_stretch(goal // STRETCHES), _stretch(goal % STRETCHES)) if goal >= 0 else None,
    )
    return pixels_of(theme.ground(floor))

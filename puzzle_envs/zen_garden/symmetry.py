"""Mirror images and rotations of a garden, compiled: the representative of each class of states.

The findings hold the dark cells, the cells of each quarter of the board, the number of
symmetries, and for each of them the permutation of the quarters and a table: the cells that a
byte of a word adds to a word of the image.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import count_bits
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.level import Record, Words
from puzzle_envs.zen_garden.level import BITBOARDS
from puzzle_envs.zen_garden.motion import WIDE, board_words, monk_at
from puzzle_envs.zen_garden.rules import rules

DARK = 0
QUARTERS = WIDE
IMAGES = QUARTERS + 4 * WIDE
FIRST_IMAGE = IMAGES + 1


@compiled
def _count_quarters(level: Any, findings: Any, state: Any) -> Any:
    """Unraked cells in each quarter of the board, one byte each."""
    counts = 0
    for quarter in range(4):
        for word in range(board_words(level)):
            cells = findings[QUARTERS + WIDE * quarter + word]
            counts += count_bits(state[word] & cells) << (8 * quarter)
    return np.uint64(counts)


@compiled
def _image_counts(findings: Any, at: int, counts: Any) -> Any:
    """The same for an image."""
    moved = np.uint64(0)
    for quarter in range(4):
        count = (counts >> np.uint64(8 * quarter)) & np.uint64(255)
        moved |= count << findings[at + quarter]
    return moved


@compiled
def _image_word(level: Any, findings: Any, table: int, state: Any, first: int, word: int) -> Any:
    """A word of the image of a bitboard."""
    image = np.uint64(0)
    words, cells = board_words(level), level.width * level.height
    for part in range(words):
        bits = state[first + part]
        at = table + 2048 * (words * word + part)
        for _ in range((min(64, cells - 64 * part) + 7) >> 3):
            image |= findings[at + np.int64(bits & np.uint64(255))]
            bits >>= np.uint64(8)
            at += 256
    return image


@rules
def representative(level: Any, findings: Any, state: Any) -> None:
    """The image with the smallest quarter counts; ties are broken by the smallest words."""
    images = np.int64(findings[IMAGES])
    if images == 0 or monk_at(state) >= 0:
        return
    words = board_words(level)
    size = 2 * words if level.has_ornaments else words
    block = 4 + 2048 * words * words
    original, trial = scratch(8), scratch(8)
    for place in range(size):
        original[place] = state[place]
    counts = _count_quarters(level, findings, state)
    least = counts
    for image in range(images):
        at = FIRST_IMAGE + image * block
        other = _image_counts(findings, at, counts)
        if other > least:
            continue
        smaller = other < least
        place = 0
        while place < size:
            first = words if place >= words else 0
            trial[place] = _image_word(level, findings, at + 4, original, first, place - first)
            if not smaller and trial[place] != state[place]:
                if trial[place] > state[place]:
                    break
                smaller = True
            place += 1
        if smaller and place == size:
            least = other
            for place in range(size):
                state[place] = trial[place]


def _has(words: Any, cell: int) -> bool:
    return bool(int(words[cell >> 6]) >> (cell & 63) & 1)


def symmetries_of(record: Record) -> list[list[int]]:
    """The permutations of cells under rotations and reflections that preserve the level."""
    width, height = int(record["width"]), int(record["height"])
    cells = [(row, column) for row in range(height) for column in range(width)]
    kept = []
    for turned in (False, True) if width == height else (False,):
        for upside, mirrored in product((False, True), repeat=2):
            image = []
            for row, column in cells:
                row = height - 1 - row if upside else row
                column = width - 1 - column if mirrored else column
                image.append(column * width + row if turned else row * width + column)
            same = all(
                _has(record[name], cell) == _has(record[name], image[cell])
                for name in BITBOARDS
                for cell in range(len(cells))
            )
            if same and image != list(range(len(cells))):
                kept.append(image)
    return kept


def _quarter(cell: int, width: int, height: int) -> int | None:
    """The quarter of a cell, 0 to 3; None on a middle line."""
    row, column = divmod(cell, width)
    if 2 * row + 1 == height or 2 * column + 1 == width:
        return None
    return 2 * (2 * row > height - 1) + (2 * column > width - 1)


def findings_of(record: Record) -> Words:
    """What `representative` and the estimate look up about a level."""
    width, height = int(record["width"]), int(record["height"])
    words = (width * height + 63) >> 6
    symmetries = symmetries_of(record)
    findings = np.zeros(FIRST_IMAGE + len(symmetries) * (4 + 2048 * words * words), np.uint64)
    findings[IMAGES] = len(symmetries)
    quarters = [_quarter(cell, width, height) for cell in range(width * height)]
    for cell, quarter in enumerate(quarters):
        bit = np.uint64(1 << (cell & 63))
        if (cell // width + cell % width) % 2:
            findings[DARK + (cell >> 6)] |= bit
        if quarter is not None:
            findings[QUARTERS + WIDE * quarter + (cell >> 6)] |= bit
    blocks = findings[FIRST_IMAGE:].reshape(len(symmetries), 4 + 2048 * words * words)
    values = np.arange(256)
    for block, image in zip(blocks, symmetries, strict=True):
        table = block[4:].reshape(words, words, 8, 256)
        for cell, target in enumerate(image):
            here = (values >> (cell & 7) & 1).astype(np.uint64) << np.uint64(target & 63)
            table[target >> 6, cell >> 6, (cell & 63) >> 3] |= here
            quarter, goal = quarters[cell], quarters[target]
            if quarter is not None and goal is not None:
                block[quarter] = 8 * goal
    return findings

"""Bits written as bytes: what the vector stores write is what bit after bit would."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kernels.planes import erase, spread, spread_planes, spread_side_by_side

PLANES = 15


@kernel
def write_planes(words: Any, planes: Any, size: int) -> None:
    """Write words as planes."""
    spread_planes(words, planes, size)


@kernel
def write_bits(bits: Any, cells: Any, first: int, count: int) -> None:
    """Write one word."""
    spread(bits, cells, first, count)


@kernel
def write_side_by_side(words: Any, cells: Any, first: int, count: int) -> None:
    """Write four words."""
    spread_side_by_side(words[0], words[1], words[2], words[3], cells, first, count)


@kernel
def write_zeros(cells: Any) -> None:
    """Write zeros."""
    erase(cells)


def _bits(count: int, words: int) -> np.ndarray:
    return np.random.default_rng(count).integers(0, 2, (words, count), np.int8)


def _words(bits: np.ndarray) -> np.ndarray:
    weights = np.uint64(1) << np.arange(bits.shape[1], dtype=np.uint64)
    words: np.ndarray = (bits * weights).sum(axis=1, dtype=np.uint64)
    return words


def _marked(size: int) -> np.ndarray:
    return np.full(size, 7, np.int8)


@pytest.mark.parametrize("size", [1, 3, 9, 12, 25, 30, 42, 56, 63, 64])
def test_words_become_planes(size: int) -> None:
    bits = _bits(size, PLANES)
    padded = _marked(2 + PLANES * size)
    planes = padded[1:-1]
    write_planes(_words(bits), planes, size)
    np.testing.assert_array_equal(planes, bits.ravel())
    assert padded[0] == padded[-1] == 7


@pytest.mark.parametrize("count", [0, 1, 3, 4, 15, 16, 17, 31, 40, 63, 64])
def test_bits_become_bytes_and_nothing_else_is_written(count: int) -> None:
    bits, first = _bits(count, 4), 5
    cells = _marked(2 * first + count)
    write_bits(_words(bits)[0], cells, first, count)
    np.testing.assert_array_equal(cells[first:-first], bits[0])
    assert (np.delete(cells, range(first, first + count)) == 7).all()

    cells = _marked(2 * first + 4 * count)
    write_side_by_side(_words(bits), cells, first, count)
    np.testing.assert_array_equal(cells[first:-first], bits.T.ravel())
    assert (np.delete(cells, range(first, first + 4 * count)) == 7).all()

    write_zeros(cells)
    assert not cells.any()

"""Sets of cells as bits, compiled: cell c is bit c % 64 of word c // 64."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.compiled import compiled

__all__ = [
    "ONE",
    "add",
    "bit",
    "bits_from",
    "copy_words",
    "count_bits",
    "earlier",
    "has",
    "later",
    "number_of",
    "remove",
    "same_words",
]

ONE = np.uint64(1)
_SIX, _LOW_SIX = np.uint64(6), np.uint64(63)


@compiled
def bit(words: Any, cell: int) -> Any:
    """1 if the cell is in the set, else 0."""
    index = np.uint64(cell)
    return np.int64((words[index >> _SIX] >> (index & _LOW_SIX)) & ONE)


@compiled
def has(words: Any, cell: int) -> Any:
    """Whether the cell is in the set."""
    return bit(words, cell) != 0


@compiled
def add(words: Any, cell: int) -> None:
    """Put a cell into the set."""
    index = np.uint64(cell)
    words[index >> _SIX] |= ONE << (index & _LOW_SIX)


@compiled
def remove(words: Any, cell: int) -> None:
    """Take a cell out of the set."""
    index = np.uint64(cell)
    words[index >> _SIX] &= ~(ONE << (index & _LOW_SIX))


@compiled
def count_bits(bits: Any) -> int:
    """Number of bits set in a word; LLVM turns this loop into one instruction."""
    count = 0
    while bits != 0:
        bits &= bits - ONE
        count += 1
    return count


@compiled
def number_of(single: Any) -> int:
    """The index of the only bit set in a word."""
    return count_bits(single - ONE)


@compiled
def bits_from(words: Any, first: int) -> Any:
    """A word with the 64 bits from `first` on; bits beyond the last word are 0."""
    word, shift = first >> 6, np.uint64(first & 63)
    bits = words[word] >> shift
    if shift != 0 and word + 1 < words.size:
        bits |= words[word + 1] << (np.uint64(64) - shift)
    return bits


@compiled
def earlier(words: Any, word: int, shift: int) -> Any:
    """A word in which each cell has the bit of the cell `shift` places before it."""
    bits = words[word] << np.uint64(shift)
    if word > 0:
        bits |= words[word - 1] >> np.uint64(64 - shift)
    return bits


@compiled
def later(words: Any, word: int, last: int, shift: int) -> Any:
    """A word in which each cell has the bit of the cell `shift` places after it."""
    bits = words[word] >> np.uint64(shift)
    if word < last:
        bits |= words[word + 1] << np.uint64(64 - shift)
    return bits


@compiled
def same_words(one: Any, other: Any) -> bool:
    """Whether two states are equal."""
    for word in range(one.size):
        if one[word] != other[word]:
            return False
    return True


@compiled
def copy_words(source: Any, target: Any) -> None:
    """Copy a state."""
    for word in range(source.size):
        target[word] = source[word]

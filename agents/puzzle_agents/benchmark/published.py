"""Rows as a small file: the lines of rows.jsonl, packed with xz, unpacked within limits."""

from __future__ import annotations

import lzma
from pathlib import Path

from puzzle_agents.reading import bytes_of_file

PACKED = "rows.jsonl.xz"
"""The file of packed rows in a results folder."""
LARGEST_PACKED = 1 << 25
LARGEST = 1 << 28
"""Maximum sizes in bytes, of the file and of what is in it."""
MEMORY = 1 << 28
"""Maximum memory of unpacking."""


def packed(lines: bytes) -> bytes:
    """The content of a file of packed rows; equal lines make equal files."""
    return lzma.compress(lines, preset=9)


def unpacked(path: Path) -> bytes:
    """The lines in a file of packed rows; a ValueError says what is wrong with it."""
    data = bytes_of_file(path, LARGEST_PACKED)
    try:
        reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
        lines = reader.decompress(data, LARGEST + 1)
    except lzma.LZMAError as error:
        raise ValueError(f"It is not packed by xz, or damaged: {error}.") from None
    if len(lines) > LARGEST:
        raise ValueError(f"It holds more than {LARGEST >> 20} MiB.")
    if not reader.eof or reader.unused_data:
        raise ValueError("It is cut off, or something follows its end.")
    return lines

"""Keys: layouts of the 4 by 5 box as one number each; see whole_moves.py for their bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from puzzle_envs.hua_rong_dao.layout import Piece
from puzzle_envs.level import Record, Words

FIRST_BIT = {(1, 1): 0, (1, 2): 20, (2, 1): 40}
"""Offset of the bits of each kind of block; the 2x2's cell is above them."""
BIG = 60
CELLS = (1 << 20) - 1


class PieceSet(NamedTuple):
    """Number of vertical, horizontal and 1x1 pieces besides the 2x2."""

    upright: int
    flat: int
    small: int


def piece_sets() -> Iterator[PieceSet]:
    """The 203 piece sets that fit the box and leave at least two cells empty."""
    for upright in range(7):  # columns of five cells have no room for a seventh
        for flat in range(8 - upright):
            for small in range(15 - 2 * (upright + flat)):
                yield PieceSet(upright, flat, small)


def piece_set_of(key: int) -> PieceSet:
    """The piece set of a layout."""
    small, upright, flat = (
        (key >> FIRST_BIT[size] & CELLS).bit_count() for size in ((1, 1), (1, 2), (2, 1))
    )
    return PieceSet(upright, flat, small)


def key_of_pieces(pieces: Iterable[Piece]) -> int:
    """The key of a layout."""
    key = 0
    for piece in pieces:
        cell = 4 * piece.row + piece.column
        if (piece.width, piece.height) == (2, 2):
            key |= cell << BIG
        else:
            key |= 1 << FIRST_BIT[piece.width, piece.height] + cell
    return key


def pieces_of_key(key: int) -> list[Piece]:
    """The pieces of a layout, row by row."""
    pieces = [Piece(*divmod(key >> BIG, 4), 2, 2, goal=True)]
    for (width, height), first in FIRST_BIT.items():
        pieces += [
            Piece(*divmod(cell, 4), width, height) for cell in range(20) if key >> first + cell & 1
        ]
    return sorted(pieces)


def mirror_image(key: int) -> int:
    """The mirror image of a layout."""
    return key_of_pieces(
        piece._replace(column=4 - piece.column - piece.width) for piece in pieces_of_key(key)
    )


# --- keys and the states of environments ------------------------------------------------------


def has_key(record: Record) -> bool:
    """Whether this level is in the 4 by 5 box with its usual pieces and goal."""
    if (int(record["width"]), int(record["height"]), int(record["goal_cell"])) != (4, 5, 13):
        return False
    sizes = _sizes(record)
    goal = sizes.pop(int(record["goal_shape"]))
    return goal == (2, 2) and all(size in FIRST_BIT for size in sizes)


def key_of_state(record: Record, words: Iterable[int]) -> int:
    """The key of a state."""
    bits = sum(int(word) << 64 * place for place, word in enumerate(words))
    key = 0
    for shape, size in enumerate(_sizes(record)):
        corners = bits >> 20 * shape & CELLS
        if size == (2, 2):
            key |= corners.bit_length() - 1 << BIG
        else:
            key |= corners << FIRST_BIT[size]
    return key


def state_of_key(record: Record, key: int, words: int) -> Words:
    """The state with a layout, in this many words; no block moved last."""
    bits = 0
    for shape, size in enumerate(_sizes(record)):
        corners = 1 << (key >> BIG) if size == (2, 2) else key >> FIRST_BIT[size] & CELLS
        bits |= corners << 20 * shape
    return np.frombuffer(bits.to_bytes(8 * words, "little"), np.uint64).copy()


def _sizes(record: Record) -> list[tuple[int, int]]:
    return [
        (int(record["widths"][shape]), int(record["heights"][shape]))
        for shape in range(int(record["shapes"]))
    ]

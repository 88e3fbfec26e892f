"""The features of a policy: patches of cells around each cell that a move changes.

A tiling is a shape of patch and a way to use it: by default before and after the move together, and
independently of its position on the board. Names say otherwise: "square after", "cell in place".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["MARGIN", "TILINGS", "TRAITS", "Tilings", "keys_of"]

Offsets = Sequence[tuple[int, int]]

MARGIN = 2
"""The reach of the largest patch, in cells."""
AFTER, IN_PLACE = " after", " in place"


def _within(rows: int, columns: int, most: int = 2 * MARGIN) -> Offsets:
    """The offsets of a rectangle's cells, at most this many steps away."""
    around = product(range(-rows, rows + 1), range(-columns, columns + 1))
    return [(down, right) for down, right in around if abs(down) + abs(right) <= most]


SHAPES: Mapping[str, Offsets] = {
    "cell": _within(0, 0),
    "plus": _within(1, 1, 1),
    "square": _within(1, 1),
    "diamond": _within(2, 2, 2),
    "large": _within(2, 2),
    "row": _within(0, 2),
    "column": _within(2, 0),
}
TILINGS = tuple(
    f"{shape}{after}{place}"
    for place in ("", IN_PLACE)
    for after in ("", AFTER)
    for shape in SHAPES
)
"""The names of all tilings."""
TRAITS = "traits"
"""Stands for the features of a move that the puzzle defines (the verb `traits`)."""


def keys_of(names: Iterable[str]) -> npt.NDArray[np.uint64]:
    """A number for each name, the same on every machine: FNV-1a, scrambled."""
    return np.array([_scrambled(_hashed(name.encode())) for name in names], np.uint64)


WORD = 2**64 - 1


def _hashed(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & WORD
    return value


def _scrambled(value: int) -> int:
    """SplitMix64's scrambling, as `states.tables.mixed`."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & WORD
    value = (value ^ value >> 27) * 0x94D049BB133111EB & WORD
    return value ^ value >> 31


class Tilings(NamedTuple):
    """Tilings as kernels take them, for boards of one width.

    Patches are sums over cells. The sum of a shape that contains another one is that one's sum plus
    that of its ring, the additional cells.
    """

    steps: npt.NDArray[np.int64]
    """From a cell to the cells of its patches, ring after ring."""
    factors: npt.NDArray[np.uint64]
    """For each of these, an odd factor of the cell's code."""
    ends: npt.NDArray[np.int64]
    """Where the steps of each ring end."""
    inner: npt.NDArray[np.int64]
    """For each ring the number of the patch within it, counted from 1; 0 is the empty patch."""
    weights: npt.NDArray[np.uint64]
    """For each step up to the reach of the largest patch, and each patch, the factor of the cell
    there; 0 outside the patch. The step of no cell at all is in the middle."""
    patches: npt.NDArray[np.int64]
    """For each tiling the number of its patch."""
    salts: npt.NDArray[np.uint64]
    """A number for each tiling."""
    looks: npt.NDArray[np.bool_]
    """For each tiling, whether it uses the patch before the move too, and its position."""
    traits: bool
    """Whether to use traits of moves."""

    @classmethod
    def of(cls, names: Sequence[str], width: int) -> Tilings:
        """The tilings, possibly with traits, of these names, for boards of this width."""
        takes_traits = TRAITS in names
        names = [name for name in names if name != TRAITS]
        shapes = [name.removesuffix(IN_PLACE).removesuffix(AFTER) for name in names]
        used = sorted(set(shapes), key=lambda shape: (len(SHAPES[shape]), shape))
        inner = [_largest_within(shape, used[:number]) for number, shape in enumerate(used)]
        offsets = [
            [one for one in SHAPES[shape] if not within or one not in SHAPES[used[within - 1]]]
            for shape, within in zip(used, inner, strict=True)
        ]
        cells = [cell for ring in offsets for cell in ring]
        steps, factors = _steps(cells, width), _factors(cells)
        weights = np.zeros((2 * _reach(width) + 1, 1 + len(used)), np.uint64)
        for number, shape in enumerate(used, start=1):
            weights[_reach(width) + _steps(SHAPES[shape], width), number] = _factors(SHAPES[shape])
        return cls(
            steps,
            factors,
            np.cumsum([len(ring) for ring in offsets], dtype=np.int64),
            np.array(inner, np.int64),
            weights,
            np.array([used.index(shape) + 1 for shape in shapes], np.int64),
            keys_of(names),
            np.array(
                [(AFTER not in name, name.endswith(IN_PLACE)) for name in names], np.bool_
            ).reshape(-1, 2),
            takes_traits,
        )


def _reach(width: int) -> int:
    """The longest step of a patch."""
    return MARGIN * (width + 2 * MARGIN) + MARGIN


def _steps(cells: Offsets, width: int) -> npt.NDArray[np.int64]:
    """From a cell to those at these offsets, on a board of this width with its margin."""
    return np.array([down * (width + 2 * MARGIN) + right for down, right in cells], np.int64)


def _factors(cells: Offsets) -> npt.NDArray[np.uint64]:
    """For each of these offsets an odd number."""
    return keys_of(f"{down},{right}" for down, right in cells) | np.uint64(1)


def _largest_within(shape: str, smaller: Sequence[str]) -> int:
    """The number of the largest patch that a shape contains, counted from 1; 0 if there is none."""
    within = [
        number
        for number, other in enumerate(smaller, start=1)
        if set(SHAPES[other]) <= set(SHAPES[shape])
    ]
    return max(within, default=0)

"""Distances to the goal of all layouts of the 4 by 5 box, by piece set and metric.

A piece set has at most 964,656 layouts, so distances are computed completely by retrograde
breadth-first search from all solved layouts. A layout and its mirror image count as one. Tables are
computed on demand and, given a folder, stored there.
"""

from __future__ import annotations

import functools
import hashlib
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzle_envs.common.files import write_whole
from puzzle_envs.hua_rong_dao.keys import (
    PieceSet,
    has_key,
    key_of_pieces,
    mirror_image,
    piece_set_of,
)
from puzzle_envs.hua_rong_dao.level import METRICS, pieces_of
from puzzle_envs.hua_rong_dao.whole_moves import (
    GOAL,
    all_layouts,
    big_block,
    canonical,
    mirrored,
    whole_moves,
)
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Record, Words
from puzzle_envs.states.tables import find_key

__all__ = ["NEVER", "Oracle", "components", "known_optimum", "layouts", "symmetric"]

STEP = METRICS.index("step")

NEVER = 255
"""Distance of layouts that cannot reach the goal."""

MAGIC = b"puzzle-envs hua-rong-dao 1\n"

Keys = Words
Distances = npt.NDArray[np.uint8]


# --- kernels ----------------------------------------------------------------------------------


@kernel
def list_layouts(upright: int, flat: int, small: int, keys: Any, table: Any) -> int:
    """Write the layouts that are not larger than their mirror images."""
    count = all_layouts(upright, flat, small, keys, table)
    kept = 0
    for index in range(min(count, keys.size)):
        if canonical(keys[index]) == keys[index]:
            keys[kept] = keys[index]
            kept += 1
    return kept if count <= keys.size else -1


@kernel
def number_layouts(keys: Any, slots: Any) -> None:
    """Fill an empty hash table."""
    for index in range(keys.size):
        slots[find_key(keys[index], keys, slots)] = index + 1


@kernel
def measure(keys: Any, slots: Any, metric: int, distances: Any, queue: Any, reached: Any) -> int:
    """Write the distance of every solvable layout; return their number."""
    tail = 0
    for index in range(keys.size):
        distances[index] = NEVER
        if big_block(keys[index]) == GOAL:
            distances[index] = 0
            queue[tail] = index
            tail += 1
    head = 0
    while head < tail:
        here = queue[head]
        head += 1
        count = whole_moves(keys[here], metric, reached)
        for index in range(count):
            there = slots[find_key(canonical(reached[index]), keys, slots)] - 1
            if distances[there] == NEVER:
                distances[there] = distances[here] + 1
                queue[tail] = there
                tail += 1
    return tail


@kernel
def list_all(upright: int, flat: int, small: int, keys: Any, table: Any) -> int:
    """Write all layouts, including mirror images; return their number."""
    return all_layouts(upright, flat, small, keys, table)


@kernel
def flood(keys: Any, slots: Any, seen: Any, queue: Any, sizes: Any, reached: Any) -> int:
    """Write the sizes of the connected components; return their number."""
    parts = 0
    for first in range(keys.size):
        if seen[first]:
            continue
        seen[first] = True
        queue[0] = first
        head, tail = 0, 1
        while head < tail:
            count = whole_moves(keys[queue[head]], STEP, reached)
            head += 1
            for index in range(count):
                there = slots[find_key(reached[index], keys, slots)] - 1
                if not seen[there]:
                    seen[there] = True
                    queue[tail] = there
                    tail += 1
        sizes[parts] = tail
        parts += 1
    return parts


@kernel
def mark_symmetric(keys: Any, found: Any) -> None:
    """Write whether each layout is symmetric."""
    for index in range(keys.size):
        found[index] = mirrored(keys[index]) == keys[index]


@kernel
def list_moves(key: Any, metric: int, reached: Any) -> int:
    """List the whole moves of a layout, from Python."""
    return whole_moves(np.uint64(key), metric, reached)


# --- the oracle -------------------------------------------------------------------------------


@functools.cache
def layouts(pieces: PieceSet) -> Keys:
    """All layouts of a piece set up to mirror symmetry, sorted.

    They stay in memory: 120 MB for all piece sets.
    """
    keys = np.empty(1 << 20, np.uint64)
    count = list_layouts(*pieces, keys, np.empty((21, 4), np.uint64))
    return np.sort(keys[:count])


def symmetric(keys: Keys) -> npt.NDArray[np.bool_]:
    """Which layouts are symmetric."""
    found = np.empty(keys.size, np.bool_)
    mark_symmetric(keys, found)
    return found


@functools.lru_cache(maxsize=4)
def _table(pieces: PieceSet) -> npt.NDArray[np.int32]:
    keys = layouts(pieces)
    slots = np.zeros(1 << (2 * keys.size).bit_length(), np.int32)
    number_layouts(keys, slots)
    return slots


def known_optimum(record: Record, metric: str) -> tuple[int | None, bool | None]:
    """The optimum of a level and whether it is solvable; None, None in other boxes."""
    if not has_key(record):
        return None, None
    optimum = shared(metric).optimum(key_of_pieces(pieces_of(record)))
    return optimum, optimum is not None


@functools.cache
def shared(metric: str) -> Oracle:
    """The shared oracle of a metric, so that nothing is computed twice."""
    return Oracle(metric)


def components(pieces: PieceSet) -> tuple[int, int]:
    """Number of connected components of a piece set's layouts, and the size of the largest.

    Mirror images count as different layouts here.
    """
    keys = np.empty(1 << 20, np.uint64)
    keys = keys[: list_all(*pieces, keys, np.empty((21, 4), np.uint64))]
    slots = np.zeros(1 << (2 * keys.size).bit_length(), np.int32)
    number_layouts(keys, slots)
    sizes, queue = np.zeros(keys.size, np.int64), np.empty(keys.size, np.int32)
    seen = np.zeros(keys.size, np.bool_)
    count = flood(keys, slots, seen, queue, sizes, np.empty(128, np.uint64))
    return count, int(sizes.max(initial=0))


class Oracle:
    """Distances to the goal in the 4 by 5 box."""

    def __init__(self, metric: str = "move", folder: Path | None = None) -> None:
        """Create an oracle.

        Args:
            metric: The metric of moves: "move", "straight" or "step".
            folder: Folder for computed tables; None stores nothing.
        """
        if metric not in METRICS:
            raise ValueError(f"metric must be one of {', '.join(METRICS)}, not {metric!r}.")
        self.metric = metric
        self.folder = folder
        self._known: dict[PieceSet, Distances] = {}

    def distances(self, pieces: PieceSet) -> Distances:
        """The distance of each of `layouts(pieces)`; NEVER if unsolvable."""
        if pieces not in self._known:
            stored = self._read(pieces)
            self._known[pieces] = self._compute(pieces) if stored is None else stored
        return self._known[pieces]

    def _compute(self, pieces: PieceSet) -> Distances:
        keys = layouts(pieces)
        distances = np.empty(keys.size, np.uint8)
        measure(
            keys, _table(pieces), METRICS.index(self.metric), distances,
            np.empty(keys.size, np.int32), np.empty(128, np.uint64),
        )  # fmt: skip
        if self.folder is not None:
            self._write(pieces, distances)
        return distances

    def optimum(self, key: int) -> int | None:
        """The fewest moves from a layout to the goal; None if unsolvable."""
        distance = int(self._distance(key))
        return None if distance == NEVER else distance

    def _distance(self, key: int) -> Any:
        pieces = piece_set_of(key)
        one = min(key, int(mirror_image(key)))
        return self.distances(pieces)[np.searchsorted(layouts(pieces), np.uint64(one))]

    def best_moves(self, key: int) -> list[int]:
        """The layouts one move away that are one move nearer to the goal."""
        reached = np.empty(128, np.uint64)
        near = reached[: list_moves(np.uint64(key), METRICS.index(self.metric), reached)].tolist()
        here = self._distance(key)
        if here in (0, NEVER):
            return []
        return [there for there in near if self._distance(there) == here - 1]

    def sample(self, pieces: PieceSet, distance: int, random: np.random.Generator) -> int:
        """A random layout of these pieces at this distance."""
        fitting = np.flatnonzero(self.distances(pieces) == distance)
        if distance >= NEVER or fitting.size == 0:
            raise ValueError(f"No layout of {pieces} is {distance} moves ({self.metric}) away.")
        key = int(layouts(pieces)[fitting[random.integers(fitting.size)]])
        return int(mirror_image(key)) if random.integers(2) else key

    def hardest(self, pieces: PieceSet) -> tuple[int, int]:
        """The greatest distance of a piece set, and a layout at that distance."""
        distances = self.distances(pieces)
        solvable = np.where(distances == NEVER, 0, distances)
        index = int(solvable.argmax())
        return int(solvable[index]), int(layouts(pieces)[index])

    # --- on disk ------------------------------------------------------------------------------

    def _path(self, pieces: PieceSet) -> Path:
        assert self.folder is not None
        return self.folder / f"{self.metric}-{pieces.upright}-{pieces.flat}-{pieces.small}.bin"

    def _write(self, pieces: PieceSet, distances: Distances) -> None:
        """Write the table atomically."""
        path = self._path(pieces)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = zlib.compress(distances.tobytes(), 6)
        write_whole(path, MAGIC + hashlib.sha256(data).digest() + data)

    def _read(self, pieces: PieceSet) -> Distances | None:
        if self.folder is None or not self._path(pieces).is_file():
            return None
        content = self._path(pieces).read_bytes()
        head, data = content[: len(MAGIC) + 32], content[len(MAGIC) + 32 :]
        if head == MAGIC + hashlib.sha256(data).digest():
            distances = np.frombuffer(zlib.decompress(data), np.uint8)
            if distances.size == layouts(pieces).size:
                return distances
        warnings.warn(
            f"{self._path(pieces)} is damaged or not a table; recomputing it.",
            stacklevel=2,
        )
        return None

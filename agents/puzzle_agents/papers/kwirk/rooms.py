"""Rooms, and the connectors between them (4.3.1), of a floor in its current state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np

from puzzle_envs.kwirk.codec import STEPS
from puzzle_envs.kwirk.level import PLACE_BITS, place_of

Cells = frozenset[int]


class Kind(StrEnum):
    """What an obstacle is."""

    BLOCK = "block"
    TURNSTILE = "turnstile"
    HOLE = "hole"


@dataclass(frozen=True)
class Obstacle:
    """A block, the arms of a turnstile, or a connected set of holes."""

    kind: Kind
    number: int
    """Of a block its corner, of a turnstile its number, of a hole its first cell."""
    cells: Cells
    width: int = 1
    height: int = 1


def cells_of(board: np.ndarray) -> Cells:
    """The cells of a bitboard."""
    bits = int.from_bytes(np.ascontiguousarray(board).tobytes(), "little")
    return frozenset(cell for cell in range(64 * len(board)) if bits >> cell & 1)


@dataclass(frozen=True)
class Floor:
    """The global layer's view of a state: obstacles, characters and rooms."""

    record: np.void
    words: tuple[int, ...]
    """The state."""
    width: int = field(init=False)

    def __post_init__(self) -> None:
        """Look up the length of a row."""
        object.__setattr__(self, "width", int(self.record["width"]))

    def _place(self, index: int) -> int:
        word, shift = place_of(index)
        return self.words[word] >> shift & (1 << PLACE_BITS) - 1

    @property
    def exit(self) -> int:
        """The cell of the exit."""
        return int(self.record["exit"])

    @cached_property
    def characters(self) -> list[int]:
        """The cells of the characters who have not left."""
        places = [self._place(index) for index in range(int(self.record["characters"]))]
        return [place for place in places if place != 0]

    def manhattan(self, one: int, other: int) -> int:
        """The Manhattan distance between two cells."""
        rows = abs(one // self.width - other // self.width)
        return rows + abs(one % self.width - other % self.width)

    def neighbours(self, cell: int) -> list[int]:
        """The cells above, on the right, below, on the left."""
        return [cell + down * self.width + right for down, right in STEPS]

    # --- obstacles ----------------------------------------------------------------------------

    @cached_property
    def obstacles(self) -> list[Obstacle]:
        """All obstacles."""
        return [*self.blocks, *self.turnstiles, *self.holes]

    @cached_property
    def blocks(self) -> list[Obstacle]:
        """The blocks that are not gone."""
        found = []
        for block in range(int(self.record["blocks"])):
            corner = self._place(int(self.record["characters"]) + block)
            width = int(self.record["widths"][block])
            height = int(self.record["heights"][block])
            if corner != 0:
                cells = self.rectangle(corner, width, height)
                found.append(Obstacle(Kind.BLOCK, corner, cells, width, height))
        return found

    def rectangle(self, corner: int, width: int, height: int) -> Cells:
        """The cells of a block of this size with this corner."""
        return frozenset(
            corner + down * self.width + right for down in range(height) for right in range(width)
        )

    def arms(self, turnstile: int) -> list[int]:
        """The directions in which the arms of a turnstile lie."""
        word = int(self.record["bits_word"]) + turnstile // 32
        quarters = self.words[word] >> 2 * turnstile % 64 & 3
        bits = int(self.record["arms"][turnstile]) << quarters
        return [direction for direction in range(4) if (bits | bits >> 4) >> direction & 1]

    @cached_property
    def turnstiles(self) -> list[Obstacle]:
        """The turnstiles, without their pivots."""
        found = []
        for turnstile in range(int(self.record["turnstiles"])):
            around = self.neighbours(int(self.record["pivots"][turnstile]))
            cells = frozenset(around[direction] for direction in self.arms(turnstile))
            found.append(Obstacle(Kind.TURNSTILE, turnstile, cells))
        return found

    @cached_property
    def open_holes(self) -> Cells:
        """The cells of holes that are not filled, under obstacles too."""
        first = 2 * int(self.record["turnstiles"])
        bits = sum(
            word << 64 * index
            for index, word in enumerate(self.words[int(self.record["bits_word"]) :])
        )
        holes = sorted(cells_of(self.record["holes"]))
        return frozenset(
            hole for number, hole in enumerate(holes) if not bits >> first + number & 1
        )

    @cached_property
    def holes(self) -> list[Obstacle]:
        """The connected sets of holes, an obstacle each."""
        return [Obstacle(Kind.HOLE, min(cells), cells) for cells in self._parts(self.open_holes)]

    def _parts(self, cells: Cells) -> Iterator[Cells]:
        """The connected parts of some cells."""
        left = set(cells)
        for first in sorted(cells):
            if first not in left:
                continue
            left.remove(first)
            part, edge = {first}, [first]
            while edge:
                for cell in self.neighbours(edge.pop()):
                    if cell in left:
                        left.remove(cell)
                        part.add(cell)
                        edge.append(cell)
            yield frozenset(part)

    # --- rooms --------------------------------------------------------------------------------

    @cached_property
    def solid(self) -> Cells:
        """Walls, pivots and the exit: what stops every obstacle."""
        return cells_of(self.record["solid"])

    @cached_property
    def rooms(self) -> list[Cells]:
        """Sets of cells closed off by walls and obstacles; the exit is a cell of its room."""
        covered = {cell for obstacle in self.obstacles for cell in obstacle.cells}
        pivots = {int(pivot) for pivot in self.record["pivots"][: len(self.turnstiles)]}
        return list(self._parts(cells_of(self.record["ground"]) - covered - pivots))

    def room_of(self, cell: int) -> int:
        """The number of the room that a cell is in."""
        return next(number for number, room in enumerate(self.rooms) if cell in room)

    def rooms_around(self, obstacle: Obstacle) -> list[int]:
        """The rooms next to an obstacle."""
        around = {cell for own in obstacle.cells for cell in self.neighbours(own)}
        return [number for number, room in enumerate(self.rooms) if around & room]

    @cached_property
    def connectors(self) -> list[Obstacle]:
        """The obstacles next to more than one room."""
        return [obstacle for obstacle in self.obstacles if len(self.rooms_around(obstacle)) > 1]

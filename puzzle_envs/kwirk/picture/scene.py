"""The state of a level, as decoded from its planes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.kwirk.codec import (
    ARM,
    BLOCK,
    CHARACTER,
    EXIT,
    GOES_DOWN,
    GOES_RIGHT,
    PIVOT,
    STEPS,
)
from puzzle_envs.rendering.board import Rectangle
from puzzle_envs.rendering.picture import Planes

UP, RIGHT, DOWN, LEFT = range(4)

Place = tuple[int, int]
Mask = NDArray[np.bool_]
Board = NDArray[np.uint16]
"""For every cell, the bits of the planes other than characters."""


class Character(NamedTuple):
    """A character: its number, constant in an episode, and its place."""

    number: int
    place: Place


def beyond(place: Place, direction: int) -> Place:
    """The next cell in a direction, on the board or not."""
    down, right = STEPS[direction]
    return place[0] + down, place[1] + right


@dataclass(frozen=True, eq=False)
class Scene:
    """A board and its characters.

    Attributes:
        board: The content of each cell.
        characters: The characters left, the active one first, in switching order.
        heading: Direction of gaze of the active one; None towards the viewer.
    """

    board: Board
    characters: tuple[Character, ...]
    heading: int | None = None

    @classmethod
    def begun(cls, planes: Planes) -> Scene:
        """A scene with characters numbered from the active one."""
        places = places_of_characters(planes)
        return cls(board_of(planes), tuple(Character(*pair) for pair in enumerate(places, 1)))

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the board."""
        height, width = self.board.shape
        return height, width

    @property
    def solved(self) -> bool:
        """Whether all characters have left."""
        return not self.characters and bool(self.has(EXIT).any())

    def shows_the_same(self, other: Scene) -> bool:
        """Whether boards, characters and their order are equal."""
        return self.characters == other.characters and np.array_equal(self.board, other.board)

    def has(self, plane: int) -> Mask:
        """Mask of the cells of a plane."""
        return (self.board & (1 << plane)) > 0

    def holds(self, place: Place, plane: int) -> bool:
        """Whether a place is on the board and set in a plane."""
        height, width = self.board.shape
        row, column = place
        if not (0 <= row < height and 0 <= column < width):
            return False
        return bool(int(self.board[place]) >> plane & 1)

    def blocks(self) -> list[Rectangle]:
        """All blocks by their upper left cells, row by row."""
        from_above, from_the_left = np.zeros((2, *self.size), bool)
        from_above[1:] = self.has(GOES_DOWN)[:-1]
        from_the_left[:, 1:] = self.has(GOES_RIGHT)[:, :-1]
        corners = self.has(BLOCK) & ~from_above & ~from_the_left
        return [self.block((int(row), int(column))) for row, column in np.argwhere(corners)]

    def block(self, place: Place) -> Rectangle:
        """The block that covers a place."""
        row, column = place
        while self.holds((row - 1, column), GOES_DOWN):
            row -= 1
        while self.holds((row, column - 1), GOES_RIGHT):
            column -= 1
        height = width = 1
        while self.holds((row + height - 1, column), GOES_DOWN):
            height += 1
        while self.holds((row, column + width - 1), GOES_RIGHT):
            width += 1
        return Rectangle(row, column, height, width)

    def arms(self, pivot: Place) -> int:
        """Bits of the directions of a turnstile's arms."""
        return sum(self.holds(beyond(pivot, way), ARM + way) << way for way in range(len(STEPS)))

    def without_block(self, block: Rectangle) -> Scene:
        """The scene without a block."""
        board = self.board.copy()
        board[block.cells] &= ~np.uint16(1 << BLOCK | 1 << GOES_RIGHT | 1 << GOES_DOWN)
        return Scene(board, self.characters)

    def without_turnstile(self, pivot: Place) -> Scene:
        """The scene without a turnstile."""
        board = self.board.copy()
        arms = self.arms(pivot)
        board[pivot] &= ~np.uint16(1 << PIVOT)
        for way in range(len(STEPS)):
            if arms >> way & 1:
                board[beyond(pivot, way)] &= ~np.uint16(1 << (ARM + way))
        return Scene(board, self.characters)


def board_of(planes: Planes) -> Board:
    """The content of each cell, without characters."""
    bits = np.packbits(planes[:CHARACTER] > 0, axis=0, bitorder="little").astype(np.uint16)
    board: Board = bits[0] | bits[1] << np.uint16(8)
    return board


def places_of_characters(planes: Planes) -> list[Place]:
    """Where the characters stand, the active one first."""
    return [(int(row), int(column)) for _, row, column in np.argwhere(planes[CHARACTER:])]

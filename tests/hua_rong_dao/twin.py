"""The rules of Hua Rong Dao in slow, plain Python: the twin that proves the fast kernels.

The numbers in the comments are those of the rules:

 1. The box is a rectangle of cells with rectangular blocks in it; the rest of it is empty.
 2. A step moves one block by one cell, onto cells that are empty and inside the box.
 3. A step is the action `cell * 4 + direction`, cell that of the block's upper-left corner.
 4. Solved: the goal block covers the target area. Nothing is legal any more.
 5. Lost: not solved, and no block can move at all.
 6. In the metric "move" a step of the block that moved last is free, any other step costs 1.
 7. In "straight" it is free only if it goes on in the direction of that block's last step.
 8. In "step" every step costs 1.
 9. At the start no block has moved.
10. Blocks of one shape are interchangeable; the goal block is told from its equals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

from tests.walks import as_planes

Cell = tuple[int, int]
Metric = Literal["move", "straight", "step"]
Layout = frozenset[tuple[int, int, int, int, bool]]

METRICS: tuple[Metric, ...] = ("move", "straight", "step")

UP, RIGHT, DOWN, LEFT = range(4)
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

EMPTY = "."
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

# The default box: its size, how its blocks are drawn, and where the 2x2 block has to go.
DEFAULT_HEIGHT, DEFAULT_WIDTH = 5, 4
PICTURES = {"S": (1, 1, "S"), "V": (2, 1, "V^"), "H": (1, 2, "H<"), "B": (2, 2, "B***")}
DEFAULT_TARGET = (3, 1)


@cache
def rectangle(row: int, column: int, height: int, width: int) -> tuple[Cell, ...]:
    """The cells of a rectangle, row by row, from its upper-left one on."""
    return tuple(product(range(row, row + height), range(column, column + width)))


class Block(NamedTuple):
    """A block: the cell of its upper-left corner, its size, and the characters of its cells."""

    row: int
    column: int
    height: int
    width: int
    goal: bool
    picture: str

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells it covers, row by row."""
        return rectangle(self.row, self.column, self.height, self.width)

    def stepped(self, direction: int) -> Block:
        """The block one cell further in the direction, inside the box or not."""
        down, right = STEPS[direction]
        return Block(self.row + down, self.column + right, *self[2:])


@dataclass
class Twin:
    """One position in one box.

    `last` is the index in `blocks` of the block that moved last, `direction` that of its last
    step. `stride` is the number of columns that the numbering of the actions counts with.
    """

    height: int
    width: int
    stride: int
    metric: Metric
    target: Cell
    blocks: list[Block]
    last: int | None = None
    direction: int | None = None

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[str],
        *,
        metric: Metric = "move",
        goal: tuple[str, int, int] | None = None,
        stride: int | None = None,
    ) -> Twin:
        """The starting position of a box.

        Args:
            rows: The rows of the level text: without a goal the characters of the default box,
                with a goal a letter for each block.
            metric: What a move is: "move", "straight" or "step".
            goal: The letter of the goal block, and the row and column, counted from 0, that its
                upper-left cell has to reach.
            stride: Width of the widest box of the set, this box's own by default.
        """
        height, width = len(rows), len(rows[0])
        stride = width if stride is None else stride
        if goal is None:
            blocks, target = _default_blocks(rows), DEFAULT_TARGET
        else:
            blocks, target = _lettered_blocks(rows, goal[0]), (goal[1], goal[2])
        return cls(height, width, stride, metric, target, blocks)

    @property
    def goal_block(self) -> Block:
        """The block that has to reach the target."""
        return next(block for block in self.blocks if block.goal)

    @property
    def solved(self) -> bool:
        """Whether the goal block covers the target area (rule 4)."""
        return self.goal_block.cells[0] == self.target

    @property
    def lost(self) -> bool:
        """Whether no block can move at all in an unsolved position (rule 5)."""
        return not self.solved and not self.legal()

    def legal(self) -> list[int]:
        """The legal actions, in ascending order."""
        if self.solved:
            return []  # Rule 4.
        empty = self._empty()
        actions: list[int] = []
        for block in self.blocks:
            room = empty.union(block.cells)
            for direction in (UP, RIGHT, DOWN, LEFT):
                if room.issuperset(block.stepped(direction).cells):  # Rule 2.
                    actions.append(self._action(block, direction))
        return sorted(actions)

    def act(self, action: int) -> int:
        """Take a legal action and return what it costs.

        Raises:
            ValueError: The action is illegal; the position is unchanged.
        """
        if action not in self.legal():
            raise ValueError(f"Action {action} is illegal here; choose one of {self.legal()}.")
        corner, direction = divmod(action, 4)
        cell = divmod(corner, self.stride)
        index = next(i for i, block in enumerate(self.blocks) if block.cells[0] == cell)
        cost = self._cost(index, direction)
        self.blocks[index] = self.blocks[index].stepped(direction)
        self.last, self.direction = index, direction
        return cost

    def whole_moves(self) -> list[tuple[tuple[int, ...], Twin]]:
        """Every layout that one whole move of the metric reaches: the actions and the result.

        Each counts 1, and the actions cost just that unless the block is the one that moved last.
        """
        if self.solved:
            return []  # Rule 4.
        empty = self._empty()
        return [
            found
            for index, block in enumerate(self.blocks)
            for found in self._moves_of(index, empty.union(block.cells))
        ]

    def planes(self, height: int | None = None, width: int | None = None) -> list[list[list[int]]]:
        """The position as thirteen planes of 0 and 1, padded with 0 to the given size.

        The planes are box, blocks, goal block, target area; the cell above, right, below, left
        belongs to the same block; the block that moved last, and the same again if its last step
        went up, right, down, left.
        """
        height = self.height if height is None else height
        width = self.width if width is None else width
        target = self.goal_block._replace(row=self.target[0], column=self.target[1])
        last = set() if self.last is None else set(self.blocks[self.last].cells)
        layers = [set(rectangle(0, 0, self.height, self.width)), self._covered()]
        layers += [set(self.goal_block.cells), set(target.cells)]
        layers += [self._joined(direction) for direction in (UP, RIGHT, DOWN, LEFT)]
        layers += [last]
        layers += [last if self.direction == way else set() for way in (UP, RIGHT, DOWN, LEFT)]
        return as_planes(layers, height, width)

    def rows(self) -> list[str]:
        """The layout as text, in the characters it was read from."""
        text = [[EMPTY] * self.width for _ in range(self.height)]
        for block in self.blocks:
            for (row, column), character in zip(block.cells, block.picture, strict=True):
                text[row][column] = character
        return ["".join(line) for line in text]

    def layout_key(self) -> Layout:
        """The layout alone, without the block that moved last: where blocks of which shape are."""
        # Rule 10: without the pictures, blocks of one shape are interchangeable.
        return frozenset(block[:5] for block in self.blocks)

    def key(self) -> tuple[Layout, Cell | None, int | None]:
        """The position as a value to hash and compare, equal for equal positions in one box.

        It is the layout, the upper-left cell of the block that moved last, and its direction.
        """
        moved = None if self.last is None else self.blocks[self.last].cells[0]
        return self.layout_key(), moved, self.direction

    def copy(self) -> Twin:
        """A position of its own, equal to this one."""
        return self._after(self.blocks, self.last, self.direction)

    def _after(self, blocks: list[Block], last: int | None, direction: int | None) -> Twin:
        return replace(self, blocks=list(blocks), last=last, direction=direction)

    def _action(self, block: Block, direction: int) -> int:
        return (block.row * self.stride + block.column) * 4 + direction  # Rule 3.

    def _cost(self, index: int, direction: int) -> int:
        if self.metric == "move":
            return int(index != self.last)  # Rule 6.
        if self.metric == "straight":
            return int(index != self.last or direction != self.direction)  # Rule 7.
        return 1  # Rule 8.

    def _covered(self) -> set[Cell]:
        return {cell for block in self.blocks for cell in block.cells}

    def _empty(self) -> set[Cell]:
        return set(rectangle(0, 0, self.height, self.width)) - self._covered()

    def _joined(self, direction: int) -> set[Cell]:
        """The cells whose neighbour in the direction belongs to the same block."""
        return {
            cell
            for block in self.blocks
            for cell in set(block.cells) & set(block.stepped((direction + 2) % 4).cells)
        }

    def _moves_of(self, index: int, room: set[Cell]) -> Iterator[tuple[tuple[int, ...], Twin]]:
        """The whole moves of one block in its room, to each cell by as few steps as possible."""
        start = self.blocks[index]
        seen = {(start.row, start.column)}
        reached: list[tuple[tuple[int, ...], int | None, Block]] = [((), None, start)]
        for actions, heading, block in reached:  # Grows while it is walked: a queue.
            if block.goal and block.cells[0] == self.target:
                continue  # Rule 4.
            for direction in (UP, RIGHT, DOWN, LEFT):
                if not self._one_move(heading, direction):
                    continue
                beyond = block.stepped(direction)
                if (beyond.row, beyond.column) in seen or not room.issuperset(beyond.cells):
                    continue
                seen.add((beyond.row, beyond.column))
                further = (*actions, self._action(block, direction))
                reached.append((further, direction, beyond))
                blocks = [beyond if i == index else other for i, other in enumerate(self.blocks)]
                yield further, self._after(blocks, index, direction)

    def _one_move(self, heading: int | None, direction: int) -> bool:
        """Whether a step in the direction belongs to the move that came that way so far."""
        if heading is None or self.metric == "move":
            return True
        return self.metric == "straight" and direction == heading


def _default_blocks(rows: Sequence[str]) -> list[Block]:
    """The blocks drawn in the characters of the default box, row by row."""
    return [
        Block(*cell, *PICTURES[character][:2], character == "B", PICTURES[character][2])
        for cell, character in _text(rows).items()
        if character in PICTURES
    ]


def _lettered_blocks(rows: Sequence[str], goal: str) -> list[Block]:
    """The blocks of a box with a letter for each, row by row."""
    cells: dict[str, list[Cell]] = {}
    for cell, character in _text(rows).items():
        if character != EMPTY:
            cells.setdefault(character, []).append(cell)
    blocks: list[Block] = []
    for letter, covered in cells.items():
        (row, left), (last, right) = covered[0], covered[-1]
        size = (last - row + 1, right - left + 1)
        blocks.append(Block(row, left, *size, letter == goal, letter * len(covered)))
    return blocks


def _text(rows: Sequence[str]) -> dict[Cell, str]:
    return {
        (row, column): character
        for row, line in enumerate(rows)
        for column, character in enumerate(line)
    }

"""The rules of Kwirk in slow, plain Python: the twin that proves the fast kernels.

The numbers in the comments are those of the rules:

 1. One key press moves the active character one cell, or switches to the next one.
 2. These always stop him: a wall, a pivot, another character, an unfilled hole, and a block cell
    or an arm over an unfilled hole.
 3. Only characters enter the exit; it is solid for blocks and arms.
 4. A block is pushed whole, by one cell, onto floor or unfilled holes; nothing pushes another.
    The pusher steps into the cell it freed.
 5. A block that lies with all its cells over unfilled holes is gone, and they are floor.
 6. An arm pushed sideways turns its turnstile by 90 degrees, if every arm finds the diagonal cell
    that it sweeps and its new cell free, an arm of its own turnstile there aside. The mover's own
    cell does not count, and holes do not stop an arm.
 7. The mover steps into the pushed arm's old cell. If another arm swings into it, he is carried
    one cell further, unless that cell is an unfilled hole: then the whole move is illegal.
 8. Arms fill no holes.
 9. Inactive characters are walls to everything.
10. A character on the exit leaves, and the next one is active. Solved when all have left.
11. The order of switching is 1, 2, 3, 4, 1, without those who left.
12. In "steps" a completed move costs 1 and a switch 0; in "pushes" a push or a turn costs 1,
    leaving and walking aside 0. Nothing is legal in a solved position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.walks import least_cost

Cell = tuple[int, int]
Key = tuple[object, ...]
Encoding = Literal["pushes", "steps"]

ENCODINGS: tuple[Encoding, ...] = ("pushes", "steps")

UP, RIGHT, DOWN, LEFT = DIRECTIONS = range(4)
DELTAS = ((-1, 0), (0, 1), (1, 0), (0, -1))
SWITCH = 4
PLANES = 15

FLOOR, WALL, HOLE, EXIT, PIVOT = " #O%*"
ARMS = "^>`<"  # An arm that lies up, right, down, left of its pivot.
NUMBERS = "1234"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVW"  # Not O, a hole.
HOLE_UNDER = "HOLE_UNDER"


def neighbour(cell: Cell, direction: int) -> Cell:
    """The cell one step away."""
    row, column = cell
    down, right = DELTAS[direction]
    return row + down, column + right


class Block(NamedTuple):
    """A block: its letter, the cell of its upper-left corner, and its size."""

    letter: str
    row: int
    column: int
    height: int
    width: int

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells it covers, row by row."""
        rows = range(self.row, self.row + self.height)
        columns = range(self.column, self.column + self.width)
        return tuple(product(rows, columns))

    def stepped(self, direction: int) -> Block:
        """The block one cell further in the direction."""
        row, column = neighbour((self.row, self.column), direction)
        return self._replace(row=row, column=column)


class Turnstile(NamedTuple):
    """A turnstile: its pivot, and on which sides of it an arm lies."""

    pivot: Cell
    arms: frozenset[int]

    def turned(self, quarters: int) -> Turnstile:
        """The turnstile turned clockwise by as many quarters."""
        return self._replace(arms=frozenset((side + quarters) % 4 for side in self.arms))


class Character(NamedTuple):
    """A character who has not left: his number, from 1, and his cell."""

    number: int
    cell: Cell


class Frame(NamedTuple):
    """What the numbering of actions and the size of observations go by.

    These are the greatest height, the greatest width and the most characters in a set of levels.
    """

    height: int
    width: int
    characters: int

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.height * self.width

    def actions(self, encoding: Encoding) -> int:
        """How many actions there are, legal or not."""
        if encoding == "steps":
            return 5
        asides = self.characters if self.characters > 1 else 0
        return (4 + asides) * self.cells


class Outcome(NamedTuple):
    """What an action leads to, what it costs, and how many key presses it takes, switches aside."""

    twin: Twin
    cost: int
    steps: int


@dataclass(frozen=True)
class Twin:
    """One position in one level.

    The exit, the walls and the number of characters that the level began with never change.
    `holes` are the unfilled ones, also under blocks and arms. `characters` are those who have not
    left, in the order of switching (rule 11), the active one first.
    """

    height: int
    width: int
    frame: Frame
    walls: frozenset[Cell]
    exit: Cell
    beginners: int
    holes: frozenset[Cell]
    blocks: tuple[Block, ...]
    turnstiles: tuple[Turnstile, ...]
    characters: tuple[Character, ...]

    @classmethod
    def from_text(cls, text: str, frame: Frame | None = None) -> Twin:
        """The starting position of a level.

        Args:
            text: The board, then a line `HOLE_UNDER x y` for each hole under a block or an arm:
                x is its column, y its row, both counted from 0.
            frame: That of the set of levels, this level's own by default.
        """
        rows = [line for line in text.splitlines() if line and not line.startswith(HOLE_UNDER)]
        hidden = [line for line in text.splitlines() if line.startswith(HOLE_UNDER)]
        board = {
            (row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line)
        }
        characters = _characters(board)
        blocks, turnstiles = _blocks(board), _turnstiles(board)
        holes = {cell for cell, sign in board.items() if sign == HOLE}
        holes.update(_hole_under(line) for line in hidden)
        own = Frame(len(rows), len(rows[0]), len(characters))
        frame = own if frame is None else frame
        return cls(
            height=len(rows),
            width=len(rows[0]),
            frame=frame,
            walls=frozenset(cell for cell, sign in board.items() if sign == WALL),
            exit=next(cell for cell, sign in board.items() if sign == EXIT),
            beginners=len(characters),
            holes=frozenset(holes),
            blocks=blocks,
            turnstiles=turnstiles,
            characters=characters,
        )

    @property
    def solved(self) -> bool:
        """Whether all characters have left (rule 10)."""
        return not self.characters

    def lost(self, encoding: Encoding) -> bool:
        """Whether nothing is legal in an unsolved position."""
        return not self.solved and not self.legal(encoding)

    def legal(self, encoding: Encoding) -> list[int]:
        """The legal actions, in ascending order."""
        return [action for action, _ in self.outcomes(encoding)]

    def outcomes(self, encoding: Encoding) -> Iterator[tuple[int, Outcome]]:
        """The legal actions, in ascending order, each with its outcome."""
        for action in range(self.frame.actions(encoding)):
            outcome = self.act(action, encoding)
            if outcome is not None:
                yield action, outcome

    def act(self, action: int, encoding: Encoding) -> Outcome | None:
        """What an action leads to, None if it is illegal."""
        if self.solved:
            return None
        if encoding == "steps":
            return self._press(action)
        kind, cell = divmod(action, self.frame.cells)
        if kind >= 4:
            return self._walk_aside(kind - 3, divmod(cell, self.frame.width))
        cell, direction = divmod(action, 4)
        return self._push(divmod(cell, self.frame.width), direction)

    @property
    def fitness(self) -> float:
        """Minus the mean Manhattan distance to the exit; a character who has left counts 0."""
        row, column = self.exit
        away = [abs(r - row) + abs(c - column) for _, (r, c) in self.characters]
        return -sum(away) / self.beginners

    def planes(self) -> NDArray[np.int8]:
        """The position as planes of 0 and 1, in the size of the frame.

        The planes are ground, exit, unfilled hole; block, the same block goes on to the right,
        below; pivot, arm up, right, down, left of its pivot; the active character, the next, the
        third, the fourth.
        """
        layers: list[set[Cell]] = [set() for _ in range(PLANES)]
        layers[0] = set(product(range(self.height), range(self.width))) - self.walls
        layers[1] = {self.exit}
        layers[2] = set(self.holes)
        for block in self.blocks:
            cells = set(block.cells)
            layers[3] |= cells
            layers[4] |= {cell for cell in cells if neighbour(cell, RIGHT) in cells}
            layers[5] |= {cell for cell in cells if neighbour(cell, DOWN) in cells}
        for pivot, arms in self.turnstiles:
            layers[6].add(pivot)
            for side in arms:
                layers[7 + side].add(neighbour(pivot, side))
        for place, character in enumerate(self.characters):
            layers[11 + place].add(character.cell)
        planes = np.zeros((PLANES, self.frame.height, self.frame.width), np.int8)
        for plane, layer in zip(planes, layers, strict=True):
            for cell in layer:
                plane[cell] = 1
        return planes

    def key(self) -> Key:
        """The position as a value to hash and compare, equal for equal positions of one level.

        Blocks of one size are interchangeable, and of a turnstile only the sides with arms count.
        """
        blocks = tuple(sorted(block[1:] for block in self.blocks))
        return blocks, self.turnstiles, self.holes, self.characters

    def text(self) -> str:
        """The position as a level text; it does not say who is active."""
        board = dict.fromkeys(self.holes, HOLE) | dict.fromkeys(self.walls, WALL)
        board[self.exit] = EXIT
        for block in self.blocks:
            board |= dict.fromkeys(block.cells, block.letter)
        for pivot, arms in self.turnstiles:
            board[pivot] = PIVOT
            board |= {neighbour(pivot, side): ARMS[side] for side in arms}
        board |= {cell: str(number) for number, cell in self.characters}
        lines = [
            "".join(board.get((row, column), FLOOR) for column in range(self.width))
            for row in range(self.height)
        ]
        hidden = [cell for cell in sorted(self.holes) if board[cell] != HOLE]
        return "\n".join(lines + [f"{HOLE_UNDER} {column} {row}" for row, column in hidden])

    @cached_property
    def walks(self) -> tuple[dict[Cell, int], ...]:
        """The cells each character reaches, in the order of switching, and the steps to each.

        He pushes nothing and nobody else moves; his own cell is among them, in 0 steps.
        """
        return tuple(self._distances(character) for character in self.characters)

    @cached_property
    def _block_at(self) -> dict[Cell, int]:
        """The index of the block that covers a cell."""
        return {cell: index for index, block in enumerate(self.blocks) for cell in block.cells}

    @cached_property
    def _arm_at(self) -> dict[Cell, tuple[int, int]]:
        """The index of the turnstile with an arm on a cell, and the side of its pivot."""
        return {
            neighbour(pivot, side): (index, side)
            for index, (pivot, arms) in enumerate(self.turnstiles)
            for side in arms
        }

    @cached_property
    def _solid(self) -> frozenset[Cell]:
        """The cells that nothing ever leaves free: walls and pivots."""
        return self.walls.union(turnstile.pivot for turnstile in self.turnstiles)

    @cached_property
    def _inactive(self) -> frozenset[Cell]:
        """The cells of the characters who are not active."""
        return frozenset(character.cell for character in self.characters[1:])

    def _free(self, cell: Cell) -> bool:
        """Whether a block or an arm may come onto the cell: floor or hole with nothing on it."""
        # Rules 3, 4, 6, 9: the active character pushes from behind and is in nobody's way.
        return (
            cell != self.exit
            and cell not in self._solid
            and cell not in self._block_at
            and cell not in self._arm_at
            and cell not in self._inactive
        )

    def _distances(self, walker: Character) -> dict[Cell, int]:
        """The cells that a character reaches by walking alone, with the steps to each."""
        others = {other.cell for other in self.characters if other != walker}
        distances = {walker.cell: 0}
        queue = deque([walker.cell])
        while queue:
            cell = queue.popleft()
            for direction in DIRECTIONS:
                ahead = neighbour(cell, direction)
                stopped = ahead in self._solid or ahead in self.holes or ahead in others
                thing = ahead in self._block_at or ahead in self._arm_at or ahead == self.exit
                if not stopped and not thing and ahead not in distances:
                    distances[ahead] = distances[cell] + 1
                    queue.append(ahead)
        return distances

    def _press(self, key: int) -> Outcome | None:
        """One key press (rule 1)."""
        if key == SWITCH:
            if len(self.characters) == 1:
                return None
            return Outcome(self._with_active(1, self.characters[1].cell), 0, 0)
        after = self._stepped(key)
        return None if after is None else Outcome(after, 1, 1)

    def _push(self, cell: Cell, direction: int) -> Outcome | None:
        """A walk to the cell, and from there a push, a turn, or the step onto the exit.

        The active character does it or, where he cannot, the next one who can.
        """
        ahead = neighbour(cell, direction)
        leaves = ahead == self.exit
        if not (leaves or ahead in self._block_at or ahead in self._arm_at):
            return None
        for turn, walk in enumerate(self.walks):
            after = self._with_active(turn, cell)._stepped(direction) if cell in walk else None
            if after is not None:
                return Outcome(after, 0 if leaves else 1, walk[cell] + 1)
        return None

    def _walk_aside(self, number: int, cell: Cell) -> Outcome | None:
        """A walk of a character to the cell, in levels with more than one character."""
        if self.beginners == 1:
            return None
        for turn, character in enumerate(self.characters):
            if character.number == number and character.cell != cell and cell in self.walks[turn]:
                return Outcome(self._with_active(turn, cell), 0, self.walks[turn][cell])
        return None

    def _with_active(self, turn: int, cell: Cell) -> Twin:
        """The position with the character whose turn is so many switches away active, on a cell."""
        first, *others = self.characters[turn:] + self.characters[:turn]  # Rule 11.
        return replace(self, characters=(first._replace(cell=cell), *others))

    def _stepped(self, direction: int) -> Twin | None:
        """The position after a step of the active character, None if something stops him."""
        ahead = neighbour(self.characters[0].cell, direction)
        if ahead in self._solid or ahead in self._inactive or ahead in self.holes:
            return None  # Rule 2.
        if ahead == self.exit:
            return replace(self, characters=self.characters[1:])  # Rule 10.
        if ahead in self._block_at:
            return self._block_pushed(ahead, direction)
        if ahead in self._arm_at:
            return self._arm_pushed(ahead, direction)
        return self._with_active(0, ahead)

    def _block_pushed(self, cell: Cell, direction: int) -> Twin | None:
        index = self._block_at[cell]
        block = self.blocks[index]
        moved = block.stepped(direction)
        if not all(self._free(covered) for covered in set(moved.cells) - set(block.cells)):
            return None  # Rule 4.
        before, behind = self.blocks[:index], self.blocks[index + 1 :]
        after = self._with_active(0, cell)
        if self.holes.issuperset(moved.cells):  # Rule 5.
            return replace(after, blocks=before + behind, holes=self.holes.difference(moved.cells))
        return replace(after, blocks=(*before, moved, *behind))

    def _arm_pushed(self, cell: Cell, direction: int) -> Twin | None:
        index, pushed = self._arm_at[cell]
        turnstile = self.turnstiles[index]
        quarters = (direction - pushed) % 4
        if quarters not in (1, 3):
            return None  # Rule 6: head-on.
        for side in turnstile.arms:
            new_side = (side + quarters) % 4
            new_cell = neighbour(turnstile.pivot, new_side)
            swept = neighbour(new_cell, side)
            if not self._free(swept):
                return None
            if new_side not in turnstile.arms and not self._free(new_cell):
                return None
        turned = turnstile.turned(quarters)
        target = cell
        if pushed in turned.arms:  # Rule 7: another arm now lies where the pushed one lay.
            target = neighbour(cell, direction)
            if target in self.holes:
                return None
        turnstiles = (*self.turnstiles[:index], turned, *self.turnstiles[index + 1 :])
        return replace(self._with_active(0, target), turnstiles=turnstiles)


def min_steps(start: Twin) -> int | None:
    """The least number of steps that solves the level, None if nothing does."""
    return _least_cost(start, "steps")


def min_pushes(start: Twin) -> int | None:
    """The least number of pushes that solves the level, None if nothing does."""
    return _least_cost(start, "pushes")


def _least_cost(start: Twin, encoding: Encoding) -> int | None:
    def moves(twin: Twin) -> Iterator[tuple[int, Twin]]:
        return ((outcome.cost, outcome.twin) for _, outcome in twin.outcomes(encoding))

    return least_cost(start, moves, Twin.key)


def _characters(board: dict[Cell, str]) -> tuple[Character, ...]:
    found = sorted((sign, cell) for cell, sign in board.items() if sign in NUMBERS)
    return tuple(Character(int(sign), cell) for sign, cell in found)


def _blocks(board: dict[Cell, str]) -> tuple[Block, ...]:
    """The blocks in the order of their letters."""
    blocks: list[Block] = []
    for letter in LETTERS:
        cells = [cell for cell, sign in board.items() if sign == letter]
        if not cells:
            continue
        (row, left), (last, right) = cells[0], cells[-1]
        blocks.append(Block(letter, row, left, last - row + 1, right - left + 1))
    return tuple(blocks)


def _turnstiles(board: dict[Cell, str]) -> tuple[Turnstile, ...]:
    """The turnstiles, row by row."""
    arms: dict[Cell, set[int]] = {cell: set() for cell, sign in board.items() if sign == PIVOT}
    for cell, sign in board.items():
        if sign in ARMS:
            side = ARMS.index(sign)
            arms[neighbour(cell, (side + 2) % 4)].add(side)
    return tuple(Turnstile(pivot, frozenset(sides)) for pivot, sides in arms.items())


def _hole_under(line: str) -> Cell:
    """The cell that a line `HOLE_UNDER x y` names."""
    _, x, y = line.split(" ")
    return int(y), int(x)

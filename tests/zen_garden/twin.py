"""The rules of Zen Puzzle Garden in slow, plain Python: the twin that proves the fast kernels.

The numbers in the comments are those of the rules:

 1. The garden is a rectangle of sand ringed by a perimeter, where the monk walks freely.
 2. Faces are numbered 1..2W+2H, clockwise from the north face of the upper-left cell.
 3. He enters only unraked sand or a collectable leaf.
 4. On sand he slides on until he steps out, or stops in front of what blocks him.
 5. Stopped, he turns left or right, or pushes the ornament ahead; he never reverses.
 6. A push moves an ornament one cell; the monk stands, stopped, on the cell it left.
 7. A cell is raked for ever when he leaves it; a cell an ornament has left is plain sand.
 8. Leaves are collected on entry: all yellow, then all orange, then all red.
 9. No choice left on sand is a dead end: the game is lost.
10. Solved: all that is not under a rock or an ornament is raked, the monk on the perimeter.
11. A move is one excursion from perimeter to perimeter; nothing else costs anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.walks import as_planes

Cell = tuple[int, int]

SAND, ROCK, ORNAMENT, RAKED, MONK = ".", "#", "B", "x", "M"
LEAF_COLOURS = "yor"

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

# What the three actions on sand, C, C + 1 and C + 2, add to the heading.
AHEAD, LEFT, RIGHT = range(3)
TURNS = (0, -1, 1)


def neighbour(cell: Cell, heading: int) -> Cell:
    """The cell one step away in the direction of the heading, inside the garden or not."""
    row, column = cell
    down, right = STEPS[heading]
    return row + down, column + right


def entrances(height: int, width: int) -> list[tuple[Cell, int]]:
    """The cell each face opens on and the heading the monk enters with, in the order of rule 2."""
    north = [((0, column), SOUTH) for column in range(width)]
    east = [((row, width - 1), WEST) for row in range(height)]
    south = [((height - 1, column), NORTH) for column in reversed(range(width))]
    west = [((row, 0), EAST) for row in reversed(range(height))]
    return north + east + south + west


@dataclass
class Twin:
    """One position on one board.

    `unraked` holds every cell still to rake: leaf cells are in it, the monk's own cell is not.
    A cell that is in none of the collections and not under the monk is raked.
    """

    height: int
    width: int
    faces: int
    unraked: set[Cell]
    rocks: frozenset[Cell]
    ornaments: set[Cell]
    leaves: dict[Cell, str]
    monk: tuple[int, int, int] | None = None
    sideways_push: bool = True
    turning_out: bool = True
    push_onto_leaf: bool = False
    push_from_perimeter: bool = False

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[str],
        *,
        faces: int | None = None,
        sideways_push: bool = True,
        turning_out: bool = True,
        push_onto_leaf: bool = False,
        push_from_perimeter: bool = False,
    ) -> Twin:
        """The starting position of a board.

        Args:
            rows: The rows of the level text.
            faces: Number of faces of the largest board of the set, this board's own by default.
            sideways_push: Whether a turn may push the ornament beside the monk.
            turning_out: Whether a turn may lead onto the perimeter.
            push_onto_leaf: Whether an ornament may be pushed onto a leaf, which buries it.
            push_from_perimeter: Whether the monk may enter by pushing an ornament inward.
        """
        height, width = len(rows), len(rows[0])
        text = {
            (row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line)
        }
        return cls(
            height=height,
            width=width,
            faces=2 * width + 2 * height if faces is None else faces,
            unraked={cell for cell, character in text.items() if character not in ROCK + ORNAMENT},
            rocks=frozenset(cell for cell, character in text.items() if character == ROCK),
            ornaments={cell for cell, character in text.items() if character == ORNAMENT},
            leaves={
                cell: character for cell, character in text.items() if character in LEAF_COLOURS
            },
            sideways_push=sideways_push,
            turning_out=turning_out,
            push_onto_leaf=push_onto_leaf,
            push_from_perimeter=push_from_perimeter,
        )

    def legal(self) -> list[int]:
        """The legal actions, in ascending order."""
        if self.monk is None:
            return [
                face
                for face, (cell, heading) in enumerate(entrances(self.height, self.width))
                if self._may_enter(cell, heading)
            ]
        choices = [choice for choice in (AHEAD, LEFT, RIGHT) if self._may_choose(choice)]
        return [self.faces + choice for choice in choices]

    def act(self, action: int) -> int:
        """Take a legal action and return what it costs in moves.

        Raises:
            ValueError: The action is illegal; the position is unchanged.
        """
        if action not in self.legal():
            raise ValueError(f"Action {action} is illegal here; choose one of {self.legal()}.")
        if self.monk is None:
            cell, heading = entrances(self.height, self.width)[action]
            self._go(cell, heading)
            return 1  # Rule 11: the move is charged when the excursion begins.
        cell, heading = self._target(action - self.faces)
        self._go(cell, heading)
        return 0

    @property
    def solved(self) -> bool:
        """Whether everything is raked and the monk is on the perimeter (rule 10)."""
        return self.monk is None and not self.unraked

    @property
    def lost(self) -> bool:
        """Whether the game is over and not solved: a dead end (rule 9), or no way to enter."""
        return not self.solved and not self.legal()

    def planes(self, height: int | None = None, width: int | None = None) -> list[list[list[int]]]:
        """The position as eleven planes of 0 and 1, padded with 0 to the given size.

        The planes are garden, sand still to rake, rock, ornament, yellow leaf, orange leaf, red
        leaf, and the monk heading north, east, south, west.
        """
        height = self.height if height is None else height
        width = self.width if width is None else width
        garden = {(row, column) for row in range(self.height) for column in range(self.width)}
        layers: list[set[Cell]] = [garden, self.unraked, set(self.rocks), self.ornaments]
        for colour in LEAF_COLOURS:
            layers.append({cell for cell, leaf in self.leaves.items() if leaf == colour})
        for heading in (NORTH, EAST, SOUTH, WEST):
            layers.append({self.monk[:2]} if self.monk and self.monk[2] == heading else set())
        return as_planes(layers, height, width)

    def rows(self) -> list[str]:
        """The position as text: the level's characters, x for raked, M for the monk on sand."""
        return [
            "".join(self._character((row, column)) for column in range(self.width))
            for row in range(self.height)
        ]

    def key(self) -> tuple[str, int | None]:
        """The position as a value to hash and compare, equal for equal positions of one board."""
        return "\n".join(self.rows()), self.monk[2] if self.monk else None

    def copy(self) -> Twin:
        """A position of its own, equal to this one."""
        unraked, ornaments, leaves = set(self.unraked), set(self.ornaments), dict(self.leaves)
        return replace(self, unraked=unraked, ornaments=ornaments, leaves=leaves)

    def excursions(self) -> list[tuple[tuple[int, ...], Twin]]:
        """Every way to go on to the perimeter or to a dead end: the actions and the result.

        On sand these are the ways to complete the excursion under way. The action lists ascend.
        """
        found: list[tuple[tuple[int, ...], Twin]] = []
        for action in self.legal():
            after = self.copy()
            after.act(action)
            if after.monk is None or after.lost:
                found.append(((action,), after))
            else:
                found.extend(((action, *more), end) for more, end in after.excursions())
        return found

    def whole_moves(self) -> list[tuple[tuple[int, ...], Twin]]:
        """The excursions that reach the perimeter, dead ends left out."""
        return [(actions, end) for actions, end in self.excursions() if end.monk is None]

    def _inside(self, cell: Cell) -> bool:
        row, column = cell
        return 0 <= row < self.height and 0 <= column < self.width

    def _open(self, cell: Cell) -> bool:
        """Whether the monk may walk onto the cell: unraked sand, or a collectable leaf."""
        return cell in self.unraked and (cell not in self.leaves or self._collectable(cell))

    def _collectable(self, leaf: Cell) -> bool:
        # Rule 8: no leaf of an earlier colour is left anywhere in the garden.
        rank = LEAF_COLOURS.index(self.leaves[leaf])
        return all(LEAF_COLOURS.index(colour) >= rank for colour in self.leaves.values())

    def _pushable(self, cell: Cell, heading: int) -> bool:
        """Whether an ornament stands on the cell and the cell behind it takes it."""
        # Rule 6: that cell is unraked, in the garden, free of rock, ornament and (switch) leaf.
        behind = neighbour(cell, heading)
        takes_it = behind in self.unraked and (behind not in self.leaves or self.push_onto_leaf)
        return cell in self.ornaments and takes_it

    def _may_enter(self, cell: Cell, heading: int) -> bool:
        # Rule 3: nothing is pushed from the perimeter, unless the switch says so.
        return self._open(cell) or (self.push_from_perimeter and self._pushable(cell, heading))

    def _target(self, choice: int) -> tuple[Cell, int]:
        """The cell a choice on sand leads to, and the heading it gives the monk."""
        assert self.monk is not None
        row, column, heading = self.monk
        heading = (heading + TURNS[choice]) % 4
        return neighbour((row, column), heading), heading

    def _may_choose(self, choice: int) -> bool:
        cell, heading = self._target(choice)
        if choice == AHEAD:
            # Rule 5: he stopped because he is blocked ahead, so ahead he can only push.
            return self._pushable(cell, heading)
        if not self._inside(cell):
            return self.turning_out
        return self._open(cell) or (self.sideways_push and self._pushable(cell, heading))

    def _go(self, cell: Cell, heading: int) -> None:
        """Move the monk onto the cell, by a push if an ornament stands there, else by a slide."""
        if cell in self.ornaments:
            self._push(cell, heading)
        else:
            self._slide(cell, heading)

    def _push(self, cell: Cell, heading: int) -> None:
        behind = neighbour(cell, heading)
        self.ornaments.remove(cell)
        self.ornaments.add(behind)
        self.unraked.remove(behind)
        self.leaves.pop(behind, None)  # A leaf there is buried: gone for good.
        # Rules 6, 7: the cell it left is plain sand; he stands on it, so it is his to rake.
        self.monk = (*cell, heading)

    def _slide(self, cell: Cell, heading: int) -> None:
        # Rule 4: on and on, until the next cell is the perimeter or blocked.
        while self._open(cell):
            self.unraked.remove(cell)  # Rule 7: he will leave it, and it will be raked.
            self.leaves.pop(cell, None)  # Rule 8: collected on entry.
            self.monk = (*cell, heading)
            cell = neighbour(cell, heading)
        if not self._inside(cell):
            self.monk = None

    def _character(self, cell: Cell) -> str:
        if self.monk is not None and cell == self.monk[:2]:
            return MONK
        if cell in self.rocks:
            return ROCK
        if cell in self.ornaments:
            return ORNAMENT
        if cell in self.unraked:
            return self.leaves.get(cell, SAND)
        return RAKED

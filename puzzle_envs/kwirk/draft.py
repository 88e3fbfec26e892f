"""Drafts of floors: the places of all things, and random changes of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from puzzle_envs.kwirk.codec import STEPS as WAYS
from puzzle_envs.kwirk.level import ARMS, LETTERS
from puzzle_envs.kwirk.sides import Grid

__all__ = ["Cell", "Draft", "Elements", "changed", "draft_of", "random_floor"]

Cell = tuple[int, int]
Thing = TypeVar("Thing")


class Elements(NamedTuple):
    """Initial number of each element; changes add and remove holes and walls."""

    blocks: int
    turnstiles: int = 0
    holes: int = 0
    characters: int = 1


@dataclass(frozen=True)
class Draft:
    """A draft of a floor, in which things may overlap."""

    height: int
    width: int
    walls: frozenset[Cell]
    holes: frozenset[Cell]
    exit: Cell | None
    characters: tuple[Cell, ...]
    blocks: tuple[tuple[Cell, int, int], ...]
    """The upper left cell, the height and the width."""
    turnstiles: tuple[tuple[Cell, int], ...]
    """The pivot, and a bit for each arm."""

    def text(self) -> str | None:
        """The level text; None if things overlap each other or a wall."""
        grid = [["#"] * self.width for _ in range(self.height)]
        for row, column in self._inside():
            grid[row][column] = "O" if (row, column) in self.holes else " "
        for cell, character in self._things():
            row, column = cell
            if grid[row][column] != " ":
                return None
            grid[row][column] = character
        return "\n".join("".join(row) for row in grid) + "\n"

    def _inside(self) -> Iterator[Cell]:
        for cell in itertools.product(range(1, self.height - 1), range(1, self.width - 1)):
            if cell not in self.walls:
                yield cell

    def _things(self) -> Iterator[tuple[Cell, str]]:
        if self.exit is not None:
            yield self.exit, "%"
        for number, cell in enumerate(self.characters, start=1):
            yield cell, str(number)
        for letter, ((top, left), height, width) in zip(LETTERS, self.blocks, strict=False):
            for row, column in itertools.product(range(height), range(width)):
                yield (min(top + row, self.height - 1), min(left + column, self.width - 1)), letter
        for (row, column), arms in self.turnstiles:
            yield (row, column), "*"
            for direction, (down, right) in enumerate(WAYS):
                if arms >> direction & 1:
                    yield (row + down, column + right), ARMS[direction]


def draft_of(grid: Grid) -> Draft:
    """The draft of a floor without holes under other things."""
    signs = {
        (row, column): sign
        for row, line in enumerate(grid)
        for column, (sign, _) in enumerate(line)
    }
    height, width = len(grid), len(grid[0])

    def cells(wanted: str) -> list[Cell]:
        return [cell for cell, sign in signs.items() if sign == wanted]

    inside = set(itertools.product(range(1, height - 1), range(1, width - 1)))
    corners = [(found[0], found[-1]) for letter in LETTERS if (found := cells(letter))]
    return Draft(
        height,
        width,
        frozenset(inside & set(cells("#"))),
        frozenset(cells("O")),
        next(iter(cells("%")), None),
        tuple(cell for number in "1234" for cell in cells(number)),
        tuple(
            ((top, left), bottom - top + 1, right - left + 1)
            for (top, left), (bottom, right) in corners
        ),
        tuple(
            (
                (row, column),
                sum(
                    1 << direction
                    for direction, (down, right) in enumerate(WAYS)
                    if signs.get((row + down, column + right)) == ARMS[direction]
                ),
            )
            for row, column in cells("*")
        ),
    )


# --- chance -----------------------------------------------------------------------------------


def _cell(np_random: np.random.Generator, height: int, width: int) -> Cell:
    return int(np_random.integers(1, height - 1)), int(np_random.integers(1, width - 1))


def _block(np_random: np.random.Generator, height: int, width: int) -> tuple[Cell, int, int]:
    sides = np_random.choice(3, size=2, p=(0.55, 0.35, 0.1)) + 1
    return _cell(np_random, height, width), int(sides[0]), int(sides[1])


def _turnstile(np_random: np.random.Generator, height: int, width: int) -> tuple[Cell, int]:
    return _cell(np_random, height, width), int(np_random.integers(1, 16))


def random_floor(
    np_random: np.random.Generator, height: int, width: int, elements: Elements
) -> Draft:
    """A draft without overlaps; things for which no place is found are left out."""
    exit = _cell(np_random, height, width)
    draft = Draft(height, width, frozenset(), frozenset(), exit, (), (), ())
    draft = _furnished(np_random, draft, elements)
    for _ in range(height * width // 8):
        draft = _with_placed(
            draft, lambda now: replace(now, walls=now.walls | {_cell(np_random, height, width)})
        )
    return draft


def _furnished(np_random: np.random.Generator, draft: Draft, elements: Elements) -> Draft:
    """The draft with this many things added in free places."""
    height, width = draft.height, draft.width

    def cell() -> Cell:
        return _cell(np_random, height, width)

    for _ in range(elements.turnstiles):
        draft = _with_placed(
            draft,
            lambda now: replace(
                now, turnstiles=(*now.turnstiles, _turnstile(np_random, height, width))
            ),
        )
    for _ in range(elements.blocks):
        draft = _with_placed(
            draft,
            lambda now: replace(now, blocks=(*now.blocks, _block(np_random, height, width))),
        )
    for _ in range(elements.characters):
        draft = _with_placed(draft, lambda now: replace(now, characters=(*now.characters, cell())))
    for _ in range(elements.holes):
        draft = _with_placed(draft, lambda now: replace(now, holes=now.holes | {cell()}))
    return draft


def _with_placed(draft: Draft, more: Callable[[Draft], Draft]) -> Draft:
    """The draft with one thing added in a free place."""
    for _ in range(50):
        fuller = more(draft)
        if fuller.text() is not None:
            return fuller
    return draft


def changed(np_random: np.random.Generator, draft: Draft) -> Draft:
    """The draft with one thing moved or replaced."""
    height, width = draft.height, draft.width
    cell = _cell(np_random, height, width)
    kinds = ["walls", "walls"] + ["exit"] * (draft.exit is not None) + ["characters"]
    kinds += ["holes"] * bool(draft.holes) + ["blocks", "blocks"] * bool(draft.blocks)
    kinds += ["turnstiles"] * bool(draft.turnstiles)
    kind = kinds[np_random.integers(len(kinds))]
    if kind == "walls":
        return replace(draft, walls=draft.walls ^ {cell})
    if kind == "holes":
        return replace(draft, holes=draft.holes ^ {cell})
    if kind == "exit":
        return replace(draft, exit=cell)
    if kind == "characters":
        return replace(draft, characters=_with_one(np_random, draft.characters, cell))
    if kind == "blocks":
        block = _block(np_random, height, width)
        return replace(draft, blocks=_with_one(np_random, draft.blocks, block))
    turnstile = _turnstile(np_random, height, width)
    return replace(draft, turnstiles=_with_one(np_random, draft.turnstiles, turnstile))


def _with_one(
    np_random: np.random.Generator, things: tuple[Thing, ...], new: Thing
) -> tuple[Thing, ...]:
    """The things, one of them replaced by a new one."""
    index = int(np_random.integers(len(things)))
    return (*things[:index], new, *things[index + 1 :])

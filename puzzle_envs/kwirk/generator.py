"""Generator of floors: hill climbing from random floors towards long solutions.

Every floor is certified: breadth-first search has found its fewest pushes. A random floor is rarely
interesting, so a mutation is kept if the solution takes at least as many pushes as before. The same
seed gives the same floors.
"""

from __future__ import annotations

import contextlib
import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from puzzle_envs.generation import Generator, write_sets
from puzzle_envs.kwirk import PUZZLE, STEPS
from puzzle_envs.kwirk.codec import STEPS as WAYS
from puzzle_envs.kwirk.level import ARMS, FORMAT, LETTERS
from puzzle_envs.level import Level, LevelError, Record
from puzzle_envs.states.exploration import Exploration

__all__ = ["BINS", "GENERATOR", "Elements", "canonical", "from_all_sides", "generate"]

Cell = tuple[int, int]
Thing = TypeVar("Thing")
Grid = list[list[tuple[str, bool]]]
"""The characters of a floor, and whether a hole is under each."""

MOST_STATES = 4000
"""Limit of states of a certifying search: enough for floors with a dozen pieces."""

CHANGES = 400
"""Number of mutations before a new floor is started."""


class Elements(NamedTuple):
    """Initial numbers of elements; mutations add and remove holes and walls."""

    blocks: int
    turnstiles: int = 0
    holes: int = 0
    characters: int = 1


@dataclass(frozen=True)
class Draft:
    """A floor that may be invalid: objects may overlap."""

    height: int
    width: int
    walls: frozenset[Cell]
    holes: frozenset[Cell]
    exit: Cell
    characters: tuple[Cell, ...]
    blocks: tuple[tuple[Cell, int, int], ...]
    """Upper left cell, height and width."""
    turnstiles: tuple[tuple[Cell, int], ...]
    """Pivot, and bits of the arms."""

    def text(self) -> str | None:
        """The level text; None if objects overlap or are in a wall."""
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


# --- random floors ------------------------------------------------------------------------------


def _cell(np_random: np.random.Generator, height: int, width: int) -> Cell:
    return int(np_random.integers(1, height - 1)), int(np_random.integers(1, width - 1))


def _block(np_random: np.random.Generator, height: int, width: int) -> tuple[Cell, int, int]:
    sides = np_random.choice(3, size=2, p=(0.55, 0.35, 0.1)) + 1
    return _cell(np_random, height, width), int(sides[0]), int(sides[1])


def _turnstile(np_random: np.random.Generator, height: int, width: int) -> tuple[Cell, int]:
    return _cell(np_random, height, width), int(np_random.integers(1, 16))


def _random_floor(
    np_random: np.random.Generator, height: int, width: int, elements: Elements
) -> Draft:
    """A random floor without overlaps; elements that find no place are left out."""

    def cell() -> Cell:
        return _cell(np_random, height, width)

    draft = Draft(height, width, frozenset(), frozenset(), cell(), (), (), ())
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
    for _ in range(height * width // 8):
        draft = _with_placed(draft, lambda now: replace(now, walls=now.walls | {cell()}))
    return draft


def _with_placed(draft: Draft, more: Callable[[Draft], Draft]) -> Draft:
    """The floor with another object at a free place."""
    for _ in range(50):
        fuller = more(draft)
        if fuller.text() is not None:
            return fuller
    return draft


def _changed(np_random: np.random.Generator, draft: Draft) -> Draft:
    """The floor with one object moved or changed."""
    height, width = draft.height, draft.width
    cell = _cell(np_random, height, width)
    kinds = ["walls", "walls", "exit", "characters"]
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
    """The objects with one replaced by a new one."""
    index = int(np_random.integers(len(things)))
    return (*things[:index], new, *things[index + 1 :])


# --- certified floors -------------------------------------------------------------------------


def generate(
    np_random: np.random.Generator,
    height: int,
    width: int,
    elements: Elements,
    pushes: range,
    *,
    drafts: int = 200,
) -> Level:
    """A floor whose fewest pushes are in a range.

    Args:
        np_random: Random number generator.
        height: Rows, including the walls at the edge.
        width: Columns, including the walls at the edge.
        elements: The elements of the floor.
        pushes: The range of the fewest pushes.
        drafts: Number of random floors to start from before giving up.
    """
    if not (5 <= height <= 32 and 5 <= width <= 32):
        raise ValueError(f"Sides must be from 5 to 32, not {width} by {height}.")
    for _ in range(drafts):
        draft = _random_floor(np_random, height, width, elements)
        found = _pushes(draft)
        for _ in range(CHANGES):
            if found is not None and found in pushes:
                return _level(draft, found)
            other = _changed(np_random, draft)
            try_found = _pushes(other)
            if try_found is not None and (found is None or found <= try_found < pushes.stop):
                draft, found = other, try_found
            elif found is None and other.text() is not None:
                draft = other
    raise ValueError(
        f"No floor of {width} by {height} with {pushes} pushes was found; ask for fewer."
    )


def _pushes(draft: Draft) -> int | None:
    """The fewest pushes; None if invalid, unsolvable, or too large to search."""
    text = draft.text()
    if text is None:
        return None
    try:
        level = FORMAT.parse(text, "generated")[0]
    except LevelError:
        return None
    search = Exploration(PUZZLE, np.array([level.record]))
    search.run(MOST_STATES)
    return search.moves if search.solved else None


def _level(draft: Draft, pushes: int) -> Level:
    text = draft.text()
    assert text is not None
    level = FORMAT.parse(text, "generated")[0]
    checksum = zlib.crc32(text.encode())
    name = f"{draft.width}x{draft.height} {checksum:08x}"
    return replace(level, name=name, optimum=pushes, solvable=True)


def fewest_steps(level: Level) -> int | None:
    """The fewest steps, if a short search finds them."""
    search = Exploration(STEPS, np.array([STEPS.format.find(FORMAT.text(level))[0].record]))
    search.run(200_000)
    return search.moves if search.solved else None


def canonical(level: Level) -> tuple[str, ...]:
    """The canonical form of a floor under rotations, reflections and renaming."""
    return min(map(_plain, _sides(level)))


def from_all_sides(level: Level) -> list[Level]:
    """A floor with its rotations and reflections, which take equally many pushes."""
    return [
        replace(level, name=f"{level.name} side {number}", record=_record(grid))
        for number, grid in enumerate(_sides(level), start=1)
    ]


def _sides(level: Level) -> Iterator[Grid]:
    rows = [line for line in FORMAT.write(level.record) if not line.startswith("HOLE_UNDER")]
    holes = [line for line in FORMAT.write(level.record) if line.startswith("HOLE_UNDER")]
    marks = {(int(y), int(x)) for _, x, y in (line.split() for line in holes)}
    grid = [
        [(sign, (row, column) in marks) for column, sign in enumerate(line)]
        for row, line in enumerate(rows)
    ]
    for _ in range(4):
        grid = [list(line) for line in zip(*reversed(grid), strict=True)]
        grid = [[(_turned(sign), under) for sign, under in line] for line in grid]
        yield grid
        yield [[(_mirrored(sign), under) for sign, under in reversed(line)] for line in grid]


def _record(grid: Grid) -> Record:
    lines = ["".join(sign for sign, _ in line) for line in grid]
    lines += [
        f"HOLE_UNDER {column} {row}"
        for row, line in enumerate(grid)
        for column, (_, under) in enumerate(line)
        if under
    ]
    return FORMAT.parse("\n".join(lines), "a side of a floor")[0].record


def _turned(sign: str) -> str:
    """A character after a quarter turn clockwise."""
    return ARMS[(ARMS.index(sign) + 1) % 4] if sign in ARMS else sign


def _mirrored(sign: str) -> str:
    return {">": "<", "<": ">"}.get(sign, sign)


def _plain(grid: Grid) -> tuple[str, ...]:
    """Rename letters in reading order, and drop the characters' numbers."""
    letters: dict[str, str] = {}
    lines = []
    for line in grid:
        signs = []
        for sign, under in line:
            if sign.isalpha() and sign != "O":
                sign = letters.setdefault(sign, LETTERS[len(letters)])
            signs.append(("1" if sign.isdigit() else sign) + ("_" if under else ""))
        lines.append("".join(signs))
    return tuple(lines)


# --- training sets ------------------------------------------------------------------------------

SIDES = (8, 8)

BINS = {"1-3": range(1, 4), "4-6": range(4, 7), "7-9": range(7, 10)}
"""Bins of difficulty, by fewest pushes."""

SPLITS = {"train": 150, "validation": 30, "test": 200}
"""Number of floors per bin and split."""

SEED = 1989

HEAD = """; Generated floors of 8 by 8 with the fewest pushes and steps; no two are the same turned
; or mirrored. Written by python -m puzzle_envs.kwirk.generator"""


def draw(np_random: np.random.Generator, bin: str) -> Level:
    """A new floor of one of the BINS, distributed as in the splits."""
    pushes = BINS[bin]
    while True:
        elements = Elements(
            blocks=int(np_random.integers(2, 8)),
            turnstiles=int(np_random.integers(0, 4)),
            holes=int(np_random.integers(0, 5)),
        )
        # If these elements yield no such floor, others will.
        with contextlib.suppress(ValueError):
            return generate(np_random, *SIDES, elements, pushes, drafts=3)


def split_levels(bin: str) -> Iterator[tuple[str, Level]]:
    """The floors of one bin with their splits, all distinct."""
    np_random = np.random.default_rng((SEED, BINS[bin].start))
    deal: Iterable[str] = itertools.chain.from_iterable([name] * n for name, n in SPLITS.items())
    seen: set[tuple[str, ...]] = set()
    for split in deal:
        while (key := canonical(level := draw(np_random, bin))) in seen:
            continue
        seen.add(key)
        yield split, level


def _splits(bin: str) -> dict[str, list[Level]]:
    """The sets of one bin."""
    dealt: dict[str, list[Level]] = {f"{split}/{bin}": [] for split in SPLITS}
    for split, level in split_levels(bin):
        steps = fewest_steps(level)
        notes = {} if steps is None else {"steps": str(steps)}
        levels = dealt[f"{split}/{bin}"]
        levels.append(replace(level, name=str(len(levels) + 1), notes=notes))
    return dealt


GENERATOR = Generator(
    bins=tuple(BINS),
    draw=draw,
    canonical=canonical,
    parts={bin: partial(_splits, bin) for bin in BINS},
    head=lambda name: HEAD,
    from_all_sides=from_all_sides,
)

if __name__ == "__main__":
    write_sets(PUZZLE)

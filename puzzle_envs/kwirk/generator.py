"""Generator of floors: hill climbing from random floors towards long solutions.

Every small floor is certified: breadth-first search has found its fewest pushes. A random floor is
rarely interesting, so each change of a floor is kept if its solution takes at least as many
pushes as before. The same numbers give the same floors.
"""

from __future__ import annotations

import contextlib
import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from puzzle_envs.generation import (
    MEASURED,
    Generator,
    bundled_before,
    distinct,
    measured,
    write_sets,
)
from puzzle_envs.kwirk import PUZZLE, STEPS
from puzzle_envs.kwirk.draft import Draft, Elements, changed, random_floor
from puzzle_envs.kwirk.evolved import Evolved, evolve
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.planted import Room, plant
from puzzle_envs.kwirk.rooms import around_exit, can_be_entered, in_a_row
from puzzle_envs.kwirk.sides import canonical_form, grid_of, sides, text_of
from puzzle_envs.kwirk.undoing import Taste
from puzzle_envs.level import Level, LevelError
from puzzle_envs.states.exploration import Exploration

__all__ = ["BINS", "GENERATOR", "Elements", "canonical", "from_all_sides", "generate"]

MOST_STATES = 4000
"""Limit of states of a certifying search: enough for floors with a dozen pieces."""

CHANGES = 400
"""Number of mutations before a new floor is started."""


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
        draft = random_floor(np_random, height, width, elements)
        found = _pushes(draft)
        for _ in range(CHANGES):
            if found is not None and found in pushes:
                return _level(draft, found)
            other = changed(np_random, draft)
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
    return canonical_form(grid_of(level.record))


def from_all_sides(level: Level) -> list[Level]:
    """A floor with its rotations and reflections, which take equally many pushes."""
    return [
        replace(level, name=f"{level.name} side {number}", record=record)
        for number, grid in enumerate(sides(grid_of(level.record)), start=1)
        for record in [FORMAT.parse(text_of(grid), "a side of a floor")[0].record]
    ]


# --- small floors, with the fewest pushes and steps ----------------------------------------------

SIDES = (8, 8)

SMALL = {"1-3": range(1, 4), "4-6": range(4, 7), "7-9": range(7, 10)}
"""Difficulty: fewest pushes."""

SPLITS = {"train": 150, "validation": 30, "test": 200}
"""How many small floors of each bin a split has."""

SEED = 1989


def random_of(name: str) -> np.random.Generator:
    """The source of chance of a set, or of all of a bin."""
    return np.random.default_rng((SEED, *name.encode()))


def _draw_small(np_random: np.random.Generator, pushes: range) -> Level:
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
    """The small floors of one bin and the split of each, none the same as another."""
    np_random = np.random.default_rng((SEED, SMALL[bin].start))
    deal: Iterable[str] = itertools.chain.from_iterable([name] * n for name, n in SPLITS.items())
    seen: set[tuple[str, ...]] = set()
    for split in deal:
        while (key := canonical(level := _draw_small(np_random, SMALL[bin]))) in seen:
            continue
        seen.add(key)
        yield split, level


def _splits(bin: str) -> dict[str, list[Level]]:
    """The sets of small floors of one bin."""
    dealt: dict[str, list[Level]] = {f"{split}/{bin}": [] for split in SPLITS}
    for split, level in split_levels(bin):
        steps = fewest_steps(level)
        notes = {} if steps is None else {"steps": str(steps)}
        levels = dealt[f"{split}/{bin}"]
        levels.append(replace(level, name=str(len(levels) + 1), notes=notes))
    return dealt


# --- planted floors ----------------------------------------------------------------------------

SMALL_ROOM = Room(
    *SIDES, Taste(6, pulls=6, room=6, lifts=12), 1, pushes=30, shared=False, divided=5
)
"""Small floors that are drawn for training, and those of twins."""
TWINS = range(4, 10)
"""Pushes of floors that a change of one cell makes unsolvable."""
CELLS = list(itertools.product(*(range(1, side - 1) for side in SIDES)))
"""Those of a small floor without its edge."""
TWIN_STATES = range(50, 20_000)
"""How many states the one without a solution has."""


def draw_twins(np_random: np.random.Generator) -> tuple[Level, Level]:
    """A floor with a solution, and one that differs in a cell and has none."""
    while True:
        level = plant(np_random, SMALL_ROOM, TWINS)
        rows = FORMAT.write(level.record)
        for row, column in np_random.permutation(CELLS).tolist():
            if rows[row][column] not in "# O":
                continue
            for sign in "# O".replace(rows[row][column], ""):
                text = [*rows]
                text[row] = text[row][:column] + sign + text[row][column + 1 :]
                other = FORMAT.parse("\n".join(["; name: twin", *text]), "twin")[0]
                if _unsolvable(other):
                    return level, replace(other, solvable=False)


def _unsolvable(level: Level) -> bool:
    """Whether a search of the wanted length proves that there is no solution."""
    search = Exploration(PUZZLE, np.array([level.record], FORMAT.dtype))
    return (
        search.run(TWIN_STATES.stop)
        and search.exhausted
        and not search.solved
        and search.unique in TWIN_STATES
    )


def _draw_twin(np_random: np.random.Generator) -> Level:
    return draw_twins(np_random)[int(np_random.integers(2))]


# --- evolved floors ----------------------------------------------------------------------------


class Kind(NamedTuple):
    """What evolved floors are like."""

    room: Room
    rooms: int
    pushes: range
    """Of the best known solution."""
    in_a_row: bool = False
    """Rooms of one character; otherwise around one exit, with a character each."""
    gates: int = 0
    """Holes in the walls between rooms."""


def _room(side: int, blocks: int, pushes: int, changes: int, states: tuple[int, int]) -> Room:
    taste = Taste(blocks, pulls=12, room=6)
    return Room(side, side, taste, 1, pushes, changes, states)


KINDS = {
    "10-19": Kind(_room(8, 5, 40, 200, (600, 60)), 2, range(10, 20), in_a_row=True),
    "20-39": Kind(_room(9, 6, 40, 300, (2_000, 200)), 2, range(20, 40), in_a_row=True),
    "two-characters": Kind(_room(9, 6, 40, 300, (2_000, 400)), 2, range(1, 80), gates=2),
    "40-79": Kind(_room(10, 6, 50, 300, (3_000, 400)), 4, range(40, 80), gates=3),
    "four-characters": Kind(_room(10, 7, 50, 400, (3_000, 1_000)), 4, range(1, 80), gates=4),
}
"""By the pushes of the best known solution, or by the number of characters."""

STOCK = {"validation": 10, "test": 20}
"""From how many rooms those of all floors of a set are taken."""

QUICK = 30
"""Changes of a floor that is drawn for training."""


def _hard_room(np_random: np.random.Generator, kind: Kind) -> Evolved:
    """A room in which the searches have enough to do."""
    first, second = kind.room.states
    while True:
        evolved = evolve(np_random, kind.room)
        hard = evolved.states[0] == first and 2 * evolved.states[1] >= second
        if hard and (not kind.in_a_row or can_be_entered(evolved)):
            return evolved


def _assembled(
    np_random: np.random.Generator, kind: Kind, draw_room: Callable[[], Evolved]
) -> Level:
    """A floor of several rooms."""
    while True:
        parts = [draw_room() for _ in range(kind.rooms)]
        if sum(len(part.pushes) for part in parts) not in kind.pushes:
            continue
        if kind.in_a_row:
            level = in_a_row(kind.room, parts)
        else:
            level = around_exit(np_random, kind.room, parts, kind.gates)
        if level is not None:
            return level


def _draw_quickly(np_random: np.random.Generator, kind: Kind) -> Level:
    """A floor like those of the sets, of rooms that were changed less."""
    room = kind.room._replace(changes=QUICK)
    return _assembled(np_random, kind, lambda: evolve(np_random, room))


def _evolved_sets(bin: str) -> dict[str, list[Level]]:
    """The sets of a bin of evolved floors."""
    apart, sets = list(bundled_before(FORMAT, bin, BINS)), {}
    for split, count in MEASURED.items():
        name = f"{split}/{bin}"
        np_random = random_of(name)
        stock = [_hard_room(np_random, KINDS[bin]) for _ in range(STOCK[split])]
        draw_floor = partial(_draw_floor, np_random, KINDS[bin], stock)
        sets[name] = distinct(count, draw_floor, canonical, apart)
        apart += sets[name]
    return sets


def _draw_floor(
    np_random: np.random.Generator, kind: Kind, stock: Sequence[Evolved]
) -> tuple[Level]:
    def draw_room() -> Evolved:
        return stock[int(np_random.integers(len(stock)))]

    return (_assembled(np_random, kind, draw_room),)


# --- bins and sets -----------------------------------------------------------------------------

DRAWN: dict[str, Callable[[np.random.Generator], Level]] = {
    **{bin: partial(_draw_small, pushes=pushes) for bin, pushes in SMALL.items()},
    "7-9": partial(plant, room=SMALL_ROOM, pushes=SMALL["7-9"]),
    **{bin: partial(_draw_quickly, kind=kind) for bin, kind in KINDS.items()},
    "twins": _draw_twin,
}

BINS = tuple(DRAWN)
"""The kinds of floors, called as the files of their sets."""


def draw(np_random: np.random.Generator, bin: str) -> Level:
    """A new floor of one of the BINS, of the kind that the splits have."""
    return DRAWN[bin](np_random)


def _twin_sets() -> dict[str, list[Level]]:
    """Pairs of floors, one after the other."""
    apart = bundled_before(FORMAT, "twins", BINS)
    return measured("twins", random_of("twins"), draw_twins, canonical, apart)


HEADS = {
    "twins": "in pairs that differ in a cell, one with its fewest pushes and one proved unsolvable",
    **dict.fromkeys(SMALL, "of 8 by 8 with the fewest pushes and steps"),
}
"""What the floors of a bin are, if they are not planted."""


def _head(name: str) -> str:
    """What a set's file says at its top."""
    said = HEADS.get(name.partition("/")[2], "that a plan solves")
    return f"""; Generated floors {said}; no two are the same turned
; or mirrored. Written by python -m puzzle_envs.kwirk.generator"""


GENERATOR = Generator(
    bins=BINS,
    draw=draw,
    canonical=canonical,
    parts={
        **{bin: partial(_splits, bin) for bin in SMALL},
        **{bin: partial(_evolved_sets, bin) for bin in KINDS},
        "twins": _twin_sets,
    },
    head=_head,
    from_all_sides=from_all_sides,
)

if __name__ == "__main__":
    write_sets(PUZZLE)

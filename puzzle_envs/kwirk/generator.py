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
from puzzle_envs.kwirk.bridges import Bridge, draw_hard_room_with_bridge, draw_room_with_bridge
from puzzle_envs.kwirk.draft import Draft, Elements, changed, draft_of, random_floor
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


def varied(np_random: np.random.Generator, level: Level, pushes: range, changes: int) -> Level:
    """A floor after at least one change, each with the fewest pushes in a range."""
    draft, fewest = draft_of(grid_of(level.record)), 0
    while changes > 0 or not fewest:
        other = changed(np_random, draft)
        found = _pushes(other)
        if found is not None and found in pushes:
            draft, changes, fewest = other, changes - 1, found
    return _level(draft, fewest)


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
"""Number of small floors per bin and split."""

SEED = 1989


def random_of(name: str) -> np.random.Generator:
    """The random number generator of a set or a bin."""
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


VARIED = ("4-6", "7-9")
"""Bins whose random floors take long to find: new ones are changed training floors."""
MOST_CHANGES = 40


def _draw_varied(np_random: np.random.Generator, bin: str) -> Level:
    known = FORMAT.find_all(f"train/{bin}")
    level = known[int(np_random.integers(len(known)))]
    return varied(np_random, level, SMALL[bin], int(np_random.integers(1, MOST_CHANGES + 1)))


def split_levels(bin: str) -> Iterator[tuple[str, Level]]:
    """The small floors of one bin, distinct up to symmetry, and the split of each."""
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
"""The room of twins."""
TWINS = range(4, 10)
"""The optimum of the solvable floor of a pair."""
TWIN_STATES = range(50, 20_000)
"""The number of reachable states of the unsolvable floor of a pair."""
HARD_ROOM = Room(9, 9, Taste(6, pulls=12, room=6), 1, 40, 100, (1_500, 150))
"""The room of hard twins."""
HARD_TWINS = range(10, 40)
"""The optimum of the solvable floor of a pair of hard twins."""
PROVED = 20_000
"""Expansions to prove it."""

Pair = tuple[Level, Level]


def draw_twins(np_random: np.random.Generator) -> Pair:
    """A solvable floor, and an unsolvable one that differs in one cell."""
    while True:
        level = plant(np_random, SMALL_ROOM, TWINS)
        other = _twin_of(np_random, level)
        if other is not None:
            return level, other


def draw_hard_twins(np_random: np.random.Generator) -> Pair:
    """The same with an evolved floor."""
    while True:
        level = evolve(np_random, HARD_ROOM).level
        search = Exploration(PUZZLE, np.array([level.record]))
        search.run(PROVED)
        if not (search.solved and search.proves_optimum and search.moves in HARD_TWINS):
            continue
        other = _twin_of(np_random, level)
        if other is not None:
            plan = tuple(search.actions())
            return replace(level, optimum=search.moves, solvable=True, plan=plan), other


def _twin_of(np_random: np.random.Generator, level: Level) -> Level | None:
    """An unsolvable floor that differs in one cell; None if none was found."""
    rows = FORMAT.write(level.record)
    sides = int(level.record["height"]), int(level.record["width"])
    cells = list(itertools.product(*(range(1, side - 1) for side in sides)))
    for row, column in np_random.permutation(cells).tolist():
        if rows[row][column] not in "# O":
            continue
        for sign in "# O".replace(rows[row][column], ""):
            text = [*rows]
            text[row] = text[row][:column] + sign + text[row][column + 1 :]
            other = FORMAT.parse("\n".join(["; name: twin", *text]), "twin")[0]
            if _unsolvable(other):
                return replace(other, solvable=False)
    return None


def _unsolvable(level: Level) -> bool:
    """Whether a floor is proved unsolvable by a search of suitable length."""
    search = Exploration(PUZZLE, np.array([level.record], FORMAT.dtype))
    return (
        search.run(TWIN_STATES.stop)
        and search.exhausted
        and not search.solved
        and search.unique in TWIN_STATES
    )


PAIRS = {"twins": draw_twins, "hard-twins": draw_hard_twins}


def _draw_twin(np_random: np.random.Generator, bin: str) -> Level:
    return PAIRS[bin](np_random)[int(np_random.integers(2))]


# --- evolved floors ----------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of evolved floors."""

    room: Room
    rooms: int
    pushes: range
    """The range of pushes of the best known solution."""
    in_a_row: bool = False
    """Whether one character passes through all rooms; otherwise each has a character, and they
    share an exit."""
    gates: int = 0
    """Number of holes in the walls between rooms."""
    stock: tuple[int, int] = (10, 20)
    """Number of different rooms used in a set: for validation, and for test."""
    quick: int = 30
    """Number of mutations per room of training floors."""
    bridge: Bridge | None = None
    """The bridge to the exit of each room; rooms with bridges are not evolved."""


def _room(side: int, blocks: int, pushes: int, changes: int, states: tuple[int, int]) -> Room:
    taste = Taste(blocks, pulls=12, room=6)
    return Room(side, side, taste, 1, pushes, changes, states)


LARGE = Room(12, 12, Taste(9, pulls=25, room=6), 1, 120, 1_500, (20_000, 10_000))

UNTIL_NEXT = Taste(0, pulls=1_000, room=1, lifts=0)
"""Pulls between two blocks of a bridge, which lift no other block."""
BRIDGED = Room(14, 14, UNTIL_NEXT, 1, pushes=0)
BRIDGE = Bridge(6, pulls=15, long=0.2, holes=0.5, pierced=0.3, states=20_000)

KINDS = {
    "10-19": Kind(_room(8, 5, 40, 200, (600, 60)), 2, range(10, 20), in_a_row=True),
    "20-39": Kind(_room(9, 6, 40, 300, (2_000, 200)), 2, range(20, 40), in_a_row=True),
    "two-characters": Kind(_room(9, 6, 40, 300, (2_000, 400)), 2, range(1, 80), gates=2),
    "40-79": Kind(_room(10, 6, 50, 300, (3_000, 400)), 4, range(40, 80), gates=3),
    "four-characters": Kind(_room(10, 7, 50, 400, (3_000, 1_000)), 4, range(1, 80), gates=4),
    "80-399": Kind(LARGE, 4, range(80, 400), gates=4, stock=(5, 10), quick=300),
    "four-bridges": Kind(BRIDGED, 4, range(1, 1_000), gates=4, bridge=BRIDGE),
}
"""Named by the pushes of the best known solution, or by the number of characters."""


def _hard_room(np_random: np.random.Generator, kind: Kind) -> Evolved:
    """A room that is hard enough for the searches."""
    if kind.bridge is not None:
        return draw_hard_room_with_bridge(np_random, kind.room, kind.bridge)
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
    """A floor like those of the sets, from rooms with fewer mutations, or not searched."""
    room, bridge = kind.room._replace(changes=kind.quick), kind.bridge
    if bridge is not None:
        return _assembled(np_random, kind, lambda: draw_room_with_bridge(np_random, room, bridge))
    return _assembled(np_random, kind, lambda: evolve(np_random, room))


def _evolved_sets(bin: str) -> dict[str, list[Level]]:
    """The sets of a bin of evolved floors."""
    apart, sets = list(bundled_before(FORMAT, bin, BINS)), {}
    for (split, count), rooms in zip(MEASURED.items(), KINDS[bin].stock, strict=True):
        name = f"{split}/{bin}"
        np_random = random_of(name)
        stock = [_hard_room(np_random, KINDS[bin]) for _ in range(rooms)]
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
    **{bin: partial(_draw_varied, bin=bin) for bin in VARIED},
    **{bin: partial(_draw_quickly, kind=kind) for bin, kind in KINDS.items()},
    **{bin: partial(_draw_twin, bin=bin) for bin in PAIRS},
}

BINS = tuple(DRAWN)
"""The kinds of floors, named like the files of their sets."""


def draw(np_random: np.random.Generator, bin: str) -> Level:
    """A new floor of one of the BINS, like those of the splits."""
    return DRAWN[bin](np_random)


def _twin_sets(bin: str) -> dict[str, list[Level]]:
    """Pairs of floors, one after the other."""
    apart = bundled_before(FORMAT, bin, BINS)
    return measured(bin, random_of(bin), PAIRS[bin], canonical, apart)


PAIRED = "in pairs that differ in a cell, one with its fewest pushes and one proved unsolvable"

HEADS = {
    **dict.fromkeys(PAIRS, PAIRED),
    **dict.fromkeys(SMALL, "of 8 by 8 with the fewest pushes and steps"),
}
"""Descriptions of bins for file headers, if not planted."""


def _head(name: str) -> str:
    """The header of a set's file."""
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
        **{bin: partial(_twin_sets, bin) for bin in PAIRS},
    },
    head=_head,
    from_all_sides=from_all_sides,
)

if __name__ == "__main__":
    write_sets(PUZZLE)

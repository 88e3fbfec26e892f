"""Generator of floors: hill climbing from random floors towards long solutions.

Every small floor is certified: breadth-first search has found its fewest pushes. A random floor is
rarely interesting, so each change of a floor is kept if its solution takes at least as many
pushes as before. The same numbers give the same floors.
"""

from __future__ import annotations

import contextlib
import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from puzzle_envs.generation import Generator, bundled_before, measured, write_sets
from puzzle_envs.kwirk import PUZZLE, STEPS
from puzzle_envs.kwirk.draft import Draft, Elements, changed, divided_floor, random_floor
from puzzle_envs.kwirk.level import FORMAT
from puzzle_envs.kwirk.planted import (
    Climb,
    certificate,
    chained,
    climb,
    inside,
    rooms_of,
)
from puzzle_envs.kwirk.sides import canonical_form, grid_of, sides, text_of
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


class Plan(NamedTuple):
    """What planted floors are like."""

    height: int
    width: int
    climb: Climb
    """How a room is made."""
    rooms: tuple[int, int] = (1, 1)
    """How many rooms are made on their own, one below the other and one beside the other."""
    blocks: range = range(2, 6)
    """In each room, as are turnstiles and holes; what stands in the gaps comes on top."""
    characters: int = 1
    least: int = 0
    """The fewest pushes, where those that lead several characters to the exit may be too many."""


LARGE = {
    "10-19": Plan(10, 11, Climb(range(12, 20), changes=300, expansions=1_000)),
    "20-39": Plan(10, 20, Climb(range(10, 20), changes=300, expansions=1_000), rooms=(1, 2)),
    "40-79": Plan(18, 20, Climb(range(10, 20), changes=300, expansions=1_000), rooms=(2, 2)),
    "80-or-more": Plan(
        28, 28, Climb(range(9, 20), changes=300, expansions=1_000), rooms=(3, 3), blocks=range(1, 4)
    ),
    "two-characters": Plan(
        9, 10, Climb(range(8, 20), changes=200, expansions=1_000), characters=2, least=6
    ),
    "four-characters": Plan(
        10, 11, Climb(range(8, 20), changes=200, expansions=1_000), characters=4, least=6
    ),
}
"""By the pushes of the solution, or by the number of characters."""

DIVIDED = Plan(8, 8, Climb(range(7, 10), changes=300, expansions=1_000))
"""Floors of 7 to 9 pushes as they are drawn for training: divided into rooms from the start."""

TWINS = Plan(8, 8, Climb(range(4, 10), changes=150, expansions=1_000))
"""Floors that a change of one cell makes unsolvable."""
TWIN_STATES = range(50, 20_000)
"""How many states the one without a solution has."""


def _furnish(np_random: np.random.Generator, plan: Plan) -> Elements:
    return Elements(
        blocks=int(np_random.choice(plan.blocks)),
        turnstiles=int(np_random.integers(0, 3)),
        holes=int(np_random.integers(0, 4)),
        characters=plan.characters,
    )


def _draw_planted(np_random: np.random.Generator, plan: Plan) -> Level:
    if plan.rooms != (1, 1):
        rooms = list(rooms_of(plan.height, plan.width, *plan.rooms))
        furnish = partial(_furnish, np_random, plan)
        size = (plan.height, plan.width)
        return next(
            level
            for _ in itertools.count()
            if (level := chained(np_random, size, rooms, furnish, plan.climb)) is not None
        )
    while True:
        elements = _furnish(np_random, plan)
        draft = divided_floor(np_random, plan.height, plan.width, elements, None)
        if len(draft.characters) != plan.characters:
            continue
        planted = climb(np_random, draft, inside(plan.height, plan.width), plan.climb)
        level = planted and certificate(planted, 2 * plan.climb.expansions)
        if level and level.fewest is not None and level.fewest >= plan.least:
            return level


def _draw_twins(np_random: np.random.Generator) -> tuple[Level, Level]:
    """A floor with a solution, and one that differs in a cell and has none."""
    while True:
        level = _draw_planted(np_random, TWINS)
        rows = FORMAT.write(level.record)
        for row, column in np_random.permutation(inside(TWINS.height, TWINS.width)).tolist():
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
    return _draw_twins(np_random)[int(np_random.integers(2))]


# --- bins and sets -----------------------------------------------------------------------------

DRAWN: dict[str, Callable[[np.random.Generator], Level]] = {
    **{bin: partial(_draw_small, pushes=pushes) for bin, pushes in SMALL.items()},
    "7-9": partial(_draw_planted, plan=DIVIDED),
    **{bin: partial(_draw_planted, plan=plan) for bin, plan in LARGE.items()},
    "twins": _draw_twin,
}

BINS = tuple(DRAWN)
"""The kinds of floors, called as the files of their sets."""


def draw(np_random: np.random.Generator, bin: str) -> Level:
    """A new floor of one of the BINS, of the kind that the splits have."""
    return DRAWN[bin](np_random)


def _measured(bin: str) -> dict[str, list[Level]]:
    """The sets of a bin whose levels for training are drawn; twins stand one after the other."""

    def drawn(np_random: np.random.Generator) -> tuple[Level, ...]:
        return _draw_twins(np_random) if bin == "twins" else (draw(np_random, bin),)

    np_random = np.random.default_rng((SEED, *bin.encode()))
    return measured(bin, np_random, drawn, canonical, bundled_before(FORMAT, bin, BINS))


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
        **{bin: partial(_measured, bin) for bin in BINS if bin not in SMALL},
    },
    head=_head,
    from_all_sides=from_all_sides,
)

if __name__ == "__main__":
    write_sets(PUZZLE)

"""Generator of layouts at an exact distance, and in larger boxes; and of the bundled sets.

    python -m puzzle_envs.hua_rong_dao.generator levels/hua_rong_dao

writes the sets below that folder, the same ones each time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

import numpy as np

from puzzle_envs.generation import MEASURED, Generator, distinct, measured, write_sets
from puzzle_envs.hua_rong_dao import PUZZLE
from puzzle_envs.hua_rong_dao.keys import (
    PieceSet,
    has_key,
    key_of_state,
    mirror_image,
    piece_sets,
    pieces_of_key,
)
from puzzle_envs.hua_rong_dao.layout import STANDARD_GOAL, Layout, code_of_text, standard_text
from puzzle_envs.hua_rong_dao.level import BoxFormat, pieces_of
from puzzle_envs.hua_rong_dao.oracle import NEVER, Oracle, layouts, shared
from puzzle_envs.hua_rong_dao.planted import BOXES, plant
from puzzle_envs.hua_rong_dao.rooms import ROOMS, STOCK, Blocks, Stock
from puzzle_envs.level import Level, Record
from puzzle_envs.states.paths import beginning

__all__ = ["BINS", "GENERATOR", "canonical", "draw", "generate", "level_of_key"]

BINS = {
    "1-10": range(1, 11),
    "11-20": range(11, 21),
    "21-40": range(21, 41),
    "41-80": range(41, 81),
    "81-138": range(81, 139),
}
"""Bins of difficulty, by distance from the goal in moves."""

SPLITS = {"train": 400, "validation": 80, "test": 120}
"""Number of layouts per bin and split."""

LEAST_OF_TWINS = 15
"""The minimum optimum of the solvable layout of a pair."""

CANDIDATES = 560
"""Number of candidate layouts for each piece set and bin."""

SEED = 20100

TWINS = "twins"
"""The bin of pairs of a solvable and an unsolvable layout."""


def generate(
    np_random: np.random.Generator,
    distance: int | range,
    pieces: PieceSet | Sequence[PieceSet] | None = None,
    metric: str = "move",
) -> Level:
    """A random layout at this distance from the goal, which is its optimum.

    Args:
        np_random: Random number generator.
        distance: Moves to the goal, or a range of them.
        pieces: The piece sets to choose from; None for those that leave two cells empty.
        metric: The metric of moves.
    """
    choices = [pieces] if isinstance(pieces, PieceSet) else list(pieces or tight_piece_sets())
    wanted = range(distance, distance + 1) if isinstance(distance, int) else distance
    oracle = shared(metric)
    for index in np_random.permutation(len(choices)):
        distances = oracle.distances(choices[index])
        fitting = np.flatnonzero((distances >= wanted.start) & (distances < wanted.stop))
        if fitting.size and wanted.start < NEVER:
            key = int(layouts(choices[index])[fitting[np_random.integers(fitting.size)]])
            key = mirror_image(key) if np_random.integers(2) else key
            return level_of_key(key, oracle)
    raise ValueError(
        f"No layout of {choices} is {wanted.start} to {wanted.stop - 1} moves ({metric}) away."
    )


def draw(np_random: np.random.Generator, bin: str) -> Level:
    """A new layout of one of the bins, distributed as in the splits."""
    if bin in BOXES:
        return plant(PUZZLE, np_random, BOXES[bin])
    if bin == ROOMS:
        return Stock(PUZZLE, np_random, 1, set()).level(np_random)
    if bin == TWINS:
        return twins(np_random)[np_random.integers(2)]
    return generate(np_random, BINS[bin])


def canonical(level: Level) -> Hashable:
    """The canonical form of a layout and its mirror image.

    In larger boxes also under rotations.
    """
    if not has_key(level.record):
        return min(_views(level.record))
    key = key_of_state(level.record, beginning(PUZZLE, np.array([level.record])).tolist())
    return min(key, int(mirror_image(key)))


def _views(record: Record) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The size of a box, its blocks and its goal, in all symmetric views."""
    width, height = int(record["width"]), int(record["height"])
    pieces = [tuple(map(int, piece)) for piece in pieces_of(record)]
    (goal,) = (piece for piece in pieces if piece[-1])
    pieces.append((*divmod(int(record["goal_cell"]), width), *goal[2:4], 2))
    for turned in (False, True):
        for upside_down in (False, True):
            for mirrored in (False, True):
                seen = []
                for row, column, across, down, kind in pieces:
                    row = height - down - row if upside_down else row
                    column = width - across - column if mirrored else column
                    place = (column, row, down, across) if turned else (row, column, across, down)
                    seen.append((*place, kind))
                yield ((height, width) if turned else (width, height), *sorted(seen))


def twins(np_random: np.random.Generator) -> tuple[Level, Level]:
    """A solvable layout, and one that an additional 1x1 block makes unsolvable.

    The oracle has searched all reachable layouts, so unsolvability is proved.
    """
    oracle, choices = shared("move"), tight_piece_sets()
    while True:
        pieces = choices[np_random.integers(len(choices))]
        stuck = np.flatnonzero(oracle.distances(pieces) == NEVER)
        if not stuck.size or not pieces.small:
            continue
        key = int(layouts(pieces)[stuck[np_random.integers(stuck.size)]])
        small = [cell for cell in range(20) if key >> cell & 1]
        freed = key ^ 1 << small[np_random.integers(len(small))]
        optimum = oracle.optimum(freed)
        if optimum is not None and optimum >= LEAST_OF_TWINS:
            return level_of_key(freed, oracle), level_of_key(key, oracle)


def tight_piece_sets() -> list[PieceSet]:
    """The piece sets that leave two cells empty, like the classic ones."""
    return [one for one in piece_sets() if 2 * (one.upright + one.flat) + one.small == 14]


def level_of_key(key: int, oracle: Oracle, name: str | None = None, note: str = "") -> Level:
    """A layout as a level, with its optimum from the oracle."""
    pieces = pieces_of_key(key)
    format = BoxFormat(oracle.metric)
    record = format.fitted(format.pack(Layout(4, 5, pieces, divmod(STANDARD_GOAL, 4))))
    optimum = oracle.optimum(key)
    return Level(
        name or code_of_text(standard_text(pieces)),
        record,
        optimum,
        optimum is not None,
        notes={"note": note} if note else {},
        optimum_key=format.optimum_key,
    )


# --- the bundled sets -------------------------------------------------------------------------


def hardest() -> list[Level]:
    """The layout farthest from the goal, for each piece set with a solvable one."""
    oracle = shared("move")
    levels = []
    for pieces in piece_sets():
        distance, key = oracle.hardest(pieces)
        if distance > 0:
            name = f"{pieces.upright}-{pieces.flat}-{pieces.small}"
            note = (
                f"{pieces.upright} vertical, {pieces.flat} horizontal, {pieces.small} single: "
                "the hardest layout of these pieces"
            )
            levels.append(level_of_key(key, oracle, name, note))
    return levels


def random_of(bin: str) -> np.random.Generator:
    """The random number generator of the sets of a bin."""
    return np.random.default_rng((SEED, len(bin), *bin.encode()))


def ladder_levels(bin: str) -> dict[str, list[Level]]:
    """The levels of a planted box, or pairs of solvable and unsolvable ones, by set."""

    def drawn(np_random: np.random.Generator) -> tuple[Level, ...]:
        return twins(np_random) if bin == TWINS else (draw(np_random, bin),)

    return measured(bin, random_of(bin), drawn, canonical)


def room_levels() -> dict[str, list[Level]]:
    """The sets of boxes with two rooms, each with a stock of its own."""
    kept: list[Level] = []
    taken: set[Blocks] = set()
    sets: dict[str, list[Level]] = {}
    for (split, count), rooms in zip(MEASURED.items(), STOCK, strict=True):
        name = f"{split}/{ROOMS}"
        np_random = random_of(name)
        stock = Stock(PUZZLE, np_random, rooms, taken)
        draw_level = partial(_of_stock, np_random, stock)
        sets[name] = distinct(count, draw_level, canonical, kept)
        kept += sets[name]
    return sets


def _of_stock(np_random: np.random.Generator, stock: Stock) -> tuple[Level]:
    return (stock.level(np_random),)


def split_levels() -> dict[str, list[Level]]:
    """The layouts of each split and bin, distinct up to mirror symmetry."""
    oracle = shared("move")
    random = np.random.default_rng(SEED)
    keys: dict[str, list[int]] = {name: [] for name in BINS}
    for pieces in tight_piece_sets():
        distances = oracle.distances(pieces)
        for name, bounds in BINS.items():
            fitting = np.flatnonzero((distances >= bounds.start) & (distances < bounds.stop))
            chosen = random.permutation(fitting)[:CANDIDATES]
            keys[name] += layouts(pieces)[chosen].tolist()
    found: dict[str, list[Level]] = {}
    for name, candidates in keys.items():
        order = iter(random.permutation(len(candidates)).tolist())
        for split, count in SPLITS.items():
            found[f"{split}/{name}"] = [
                level_of_key(candidates[index], oracle, str(number))
                for number, index in zip(range(1, count + 1), order, strict=False)
            ]
    return found


HEADS = {
    TWINS: "; Pairs of a layout that can be solved and one that cannot, with one block more.",
    **dict.fromkeys(
        BOXES,
        "; Planted layouts, each with a plan and a proved lower bound.",
    ),
    ROOMS: "; Two rooms and a bolt; the optimum is the sum of what each room takes.",
}
"""File headers of sets, by bin."""

WRITTEN = "; Written by python -m puzzle_envs.hua_rong_dao.generator"


def _head(name: str) -> str:
    bin = name.rpartition("/")[2]
    return f"{HEADS[bin]}\n{WRITTEN}\n" if bin in HEADS else ""


GENERATOR = Generator(
    bins=(*BINS, *BOXES, ROOMS, TWINS),
    draw=draw,
    canonical=canonical,
    parts={
        "hardest": lambda: {"hardest": hardest()},
        "splits": split_levels,
        **{bin: partial(ladder_levels, bin) for bin in (*BOXES, TWINS)},
        ROOMS: room_levels,
    },
    head=_head,
)

if __name__ == "__main__":
    write_sets(PUZZLE)

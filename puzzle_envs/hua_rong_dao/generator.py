"""Generator of layouts at an exact distance from the goal, and of the bundled sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzle_envs.generation import Generator, write_sets
from puzzle_envs.hua_rong_dao import PUZZLE
from puzzle_envs.hua_rong_dao.keys import (
    PieceSet,
    key_of_state,
    mirror_image,
    piece_sets,
    pieces_of_key,
)
from puzzle_envs.hua_rong_dao.layout import STANDARD_GOAL, Layout, code_of_text, standard_text
from puzzle_envs.hua_rong_dao.level import BoxFormat
from puzzle_envs.hua_rong_dao.oracle import NEVER, Oracle, layouts
from puzzle_envs.level import Level
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

CANDIDATES = 560
"""Number of layouts of each piece set and bin they are chosen from."""

SEED = 20100


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
    oracle = Oracle(metric)
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
    """A new layout of one of the BINS, distributed as in the splits."""
    return generate(np_random, BINS[bin])


def canonical(level: Level) -> int:
    """The canonical form of a layout and its mirror image."""
    key = key_of_state(level.record, beginning(PUZZLE, np.array([level.record])).tolist())
    return min(key, int(mirror_image(key)))


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
    oracle = Oracle("move")
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


def split_levels() -> dict[str, list[Level]]:
    """The layouts of each split and bin, distinct up to mirror symmetry."""
    oracle = Oracle("move")
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


GENERATOR = Generator(
    bins=tuple(BINS),
    draw=draw,
    canonical=canonical,
    parts={"hardest": lambda: {"hardest": hardest()}, "splits": split_levels},
)

if __name__ == "__main__":
    write_sets(PUZZLE)

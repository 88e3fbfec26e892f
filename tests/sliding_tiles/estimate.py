"""Manhattan distance: a tile needs at least one step per row and column to its goal."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.level import Record, Words
from puzzle_envs.verbs import UNESTIMATED
from tests.sliding_tiles.rules import gap_of, rules, tile_at


@rules
def estimate(level: Any, findings: Any, state: Any) -> int:
    return manhattan(level, findings, state)


@compiled
def manhattan(level: Any, findings: Any, state: Any) -> int:
    total = np.uint64(0)
    for cell in range(level.side * level.side):
        total += findings[np.uint64(16) * tile_at(state[0], cell) + np.uint64(cell)]
    return np.int64(total)


@rules
def estimate_next(level: Any, findings: Any, state: Any, known: int, row: Any) -> int:
    """Only one tile has moved: from the new gap into the old one."""
    if known == UNESTIMATED:
        return manhattan(level, findings, row)
    to, out_of = np.uint64(gap_of(state[0])), np.uint64(gap_of(row[0]))
    tile = np.uint64(16) * tile_at(row[0], to)
    return known + np.int64(findings[tile + to]) - np.int64(findings[tile + out_of])


@rules
def goals(level: Any, rows: Any) -> int:
    if rows.shape[0] == 0:
        return -1
    rows[0, 0] = level.goal
    return 1


def distances(record: Record) -> Words:
    """The distance to its goal of every tile from every cell; the gap has none."""
    side = int(record["side"])
    table = np.zeros((16, 16), np.uint64)
    for tile in range(1, side * side):
        home = divmod(tile - 1, side)
        for cell in range(side * side):
            place = divmod(cell, side)
            table[tile, cell] = abs(home[0] - place[0]) + abs(home[1] - place[1])
    return table.ravel()


ESTIMATES = {"manhattan": distances}

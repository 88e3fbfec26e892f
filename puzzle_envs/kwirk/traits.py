"""Features of a push for learned policies: the path to the exit, and the size of the pushed block.

Patches show neither rooms nor the distance to the exit. A push may remove a hole from the cheapest
path to the exit, or put a block on it; it may use up a block that is needed elsewhere.
"""

from __future__ import annotations

from typing import Any

from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kwirk.path import holes_on_the_way
from puzzle_envs.kwirk.pieces import GONE, place
from puzzle_envs.kwirk.rules import rules

FARTHEST = 7
"""Larger changes count as this large."""
BASE = 64


@compiled
def _changed(before: int, after: int) -> int:
    """A change of a count, from 0 to 2 * FARTHEST."""
    return min(max(after - before, -FARTHEST), FARTHEST) + FARTHEST


@rules
def traits(level: Any, findings: Any, state: Any, row: Any, found: Any) -> int:
    """The holes on the path, and their change, with the size of the pushed block."""
    size, fell = 0, 0
    for block in range(level.blocks):
        corner = place(row, level.characters + block)
        if corner != place(state, level.characters + block):
            size, fell = level.widths[block] * 8 + level.heights[block], int(corner == GONE)
    left = holes_on_the_way(level, row)
    holes = _changed(holes_on_the_way(level, state), left)
    found[0] = holes * 2 + fell
    found[1] = BASE**4 + (holes * BASE + size) * 2 + fell
    found[2] = 2 * BASE**4 + (min(left, BASE - 1) * BASE + size) * 2 + fell
    return 3

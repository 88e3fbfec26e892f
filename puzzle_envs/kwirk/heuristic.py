"""Width search on floors: inadmissible heuristics, atoms, milestones and aims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.estimate import estimate
from puzzle_envs.kwirk.fill_plan import fills_left, room_to_plan
from puzzle_envs.kwirk.level import CELLS
from puzzle_envs.kwirk.path import holes_on_the_way
from puzzle_envs.kwirk.pieces import GONE, filled_holes, place, quarter
from puzzle_envs.kwirk.relaxation import TURNS, impossible_pushes
from puzzle_envs.kwirk.relaxed_plan import LONGEST_PLAN, relaxed_plan
from puzzle_envs.kwirk.rules import rules
from puzzle_envs.level import Record, Words
from puzzle_envs.puzzle import Findings
from puzzle_envs.verbs import NEVER

RELAXED, PATH = 2, 3
"""The first word of the findings; those of an estimate begin with 0 or 1."""


def _relaxed(record: Record) -> Words:
    return np.append(np.array([RELAXED], np.uint64), impossible_pushes(record))


def _path(record: Record) -> Words:
    return np.append(np.array([PATH], np.uint64), impossible_pushes(record))


HEURISTICS: Mapping[str, Findings] = {"relaxed": _relaxed, "path": _path}


@rules
def heuristic(level: Any, findings: Any, state: Any) -> int:
    """The length of a relaxed plan, or the number of holes on the cheapest path, or an estimate."""
    if findings[0] == RELAXED:
        return relaxed_plan(level, findings, state, scratch(LONGEST_PLAN))
    if findings[0] == PATH:
        return holes_on_the_way(level, state)
    return estimate(level, findings, state)


@rules
def milestones(level: Any, state: Any) -> int:
    """The number of blocks that are gone and of characters that have left."""
    out, fallen = 0, 0
    for character in range(level.characters):
        out += place(state, character) == GONE
    for block in range(level.blocks):
        fallen += place(state, level.characters + block) == GONE
    return 8 * fallen + out


@rules
def lasting(level: Any, state: Any) -> int:
    """Which holes are filled, which kinds of blocks are gone, how many characters have left."""
    total = np.uint64(milestones(level, state))
    for word in range(level.bits_word + (2 * level.turnstiles >> 6), state.size):
        total = _stirred(total, filled_holes(level, state, word))
    for block in range(level.blocks):
        if place(state, level.characters + block) == GONE:
            total = _stirred(total, np.uint64(64 * level.widths[block] + level.heights[block]))
    return np.int64(total >> ONE)


@rules
def outlook(level: Any, state: Any, room: Any) -> int:
    """The fills left for one character; for several, who help each other, holes on the path."""
    standing, cell = 0, GONE
    for character in range(level.characters):
        if place(state, character) != GONE:
            standing += 1
            cell = place(state, character)
    if standing != 1:
        return holes_on_the_way(level, state)
    return fills_left(level, state, cell, room)


@rules
def outlook_room(level: Any) -> int:
    """The working memory of a plan of fills."""
    return room_to_plan(level)


@compiled
def _stirred(total: Any, more: Any) -> Any:
    """A hash of a hash and a number."""
    total = (total ^ more) * np.uint64(0xD6E8FEB86659FD93)
    return total ^ total >> np.uint64(32)


@compiled
def _first_of_size(level: Any, block: int) -> bool:
    """Whether a block is the first of its size."""
    before = block - 1
    if block == 0 or level.widths[block] != level.widths[before]:
        return True
    return level.heights[block] != level.heights[before]


@rules
def atom_count(level: Any, planes: Any) -> int:
    """Four per turnstile, one per cell, and one per cell for each size of block."""
    kinds = 1
    for block in range(level.blocks):
        kinds += _first_of_size(level, block)
    return 4 * level.turnstiles + kinds * level.width * level.height


@rules
def atoms(level: Any, state: Any, planes: Any, found: Any) -> int:
    """Each turnstile's position, each character's room, and each block's size and place."""
    cells, count = level.width * level.height, 0
    for turnstile in range(level.turnstiles):
        found[count] = 4 * turnstile + quarter(level, state, turnstile)
        count += 1
    first = 4 * level.turnstiles
    for character in range(level.characters):
        if place(state, character) != GONE:
            found[count] = first + place(state, character)
            count += 1
    for block in range(level.blocks):
        if _first_of_size(level, block):
            first += cells
        if place(state, level.characters + block) != GONE:
            found[count] = first + place(state, level.characters + block)
            count += 1
    return count


@rules
def aims(level: Any, findings: Any, state: Any, found: Any) -> int:
    """The places to which a relaxed plan moves blocks and turnstiles."""
    actions = scratch(LONGEST_PLAN)
    length = relaxed_plan(level, findings, state, actions)
    if length >= NEVER:
        return -1
    count = 0
    for index in range(length):
        atom = _aim_of(level, np.int64(actions[index]))
        known = False
        for other in range(count):
            known |= found[other] == atom
        if not known and count < found.size:
            found[count] = atom
            count += 1
    return count


@compiled
def _aim_of(level: Any, operator: int) -> int:
    """The atom that an operator achieves; that of a place even where the block falls."""
    if operator >= TURNS:
        turn = operator - TURNS
        turnstile, position, sense = turn >> 5, turn >> 3 & 3, turn >> 2 & 1
        return 4 * turnstile + ((position + (3 if sense else 1)) & level.turns[turnstile])
    block, direction, corner = operator >> 12, operator >> 10 & 3, operator & (CELLS - 1)
    kinds = 0
    for before in range(block + 1):
        kinds += _first_of_size(level, before)
    first = 4 * level.turnstiles + kinds * level.width * level.height
    return first + corner + level.ways[direction]

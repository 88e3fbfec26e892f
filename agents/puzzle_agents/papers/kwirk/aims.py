"""The goal of a search, for the kernels: the exit, or one sub-goal (4.3.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import bit
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kwirk.level import CELLS
from puzzle_envs.kwirk.pieces import GONE, NOBODY, block_at, is_open_hole, place, turnstile_at
from puzzle_envs.level import record_dtype

EXIT, MOVE_BLOCK, ROTATE, FILL = range(4)
"""All characters reach the exit; a block is moved out of the way; a turnstile is rotated out of the
way; a block is pushed into a hole."""
NO_TARGET = -1

AIM = record_dtype(
    [
        ("kind", np.int64),
        ("stage", np.int64),  # searches of one stage share what they have opened
        ("turnstile", np.int64),  # the target of ROTATE
        ("goals", np.uint64, (CELLS // 64,)),  # goal-positions; of FILL the cells to be filled
    ]
)


def aim_record(
    kind: int, stage: int, goals: Iterable[int] = (), turnstile: int = NO_TARGET
) -> np.ndarray:
    """An aim as an array of one record."""
    aim = np.zeros(1, AIM)
    aim["kind"], aim["stage"], aim["turnstile"] = kind, stage, turnstile
    for goal in goals:
        aim["goals"][0, goal // 64] |= np.uint64(1 << goal % 64)
    return aim


@compiled
def reaches_aim(level: Any, aim: Any, state: Any, reached: Any) -> bool:
    """Whether a sub-goal is reached: a goal-position is reachable, or all its cells are filled."""
    if aim.kind == EXIT:
        return False
    if aim.kind == FILL:
        for cell in range(level.width * level.height):
            if bit(aim.goals, cell) and is_open_hole(level, state, cell):
                return False
        return True
    for character in range(level.characters):
        for word in range(level.words):
            if reached[character, word] & aim.goals[word] != 0:
                return True
    return False


@compiled
def pushes_target(level: Any, aim: Any, before: Any, tag: int, target: int) -> bool:
    """Whether a push, 4 * cell + direction, moves the sub-goal's obstacle.

    `target` is the corner of the target block.
    """
    cell = (tag >> 2) + level.ways[tag & 3]
    if aim.kind == ROTATE:
        lying = turnstile_at(level, before, cell)
        return lying != NOBODY and lying >> 2 == aim.turnstile
    if target == GONE:
        return False
    block = block_at(level, before, cell)
    return block != NOBODY and place(before, level.characters + block) == target


@compiled
def target_after(level: Any, before: Any, after: Any, tag: int, target: int) -> int:
    """The corner of the target block after a push; GONE if it fell."""
    way = level.ways[tag & 3]
    block = block_at(level, before, (tag >> 2) + way)
    for other in range(level.blocks):
        same = level.widths[other] == level.widths[block]
        same &= level.heights[other] == level.heights[block]
        if same and place(after, level.characters + other) == target + way:
            return target + way
    return GONE

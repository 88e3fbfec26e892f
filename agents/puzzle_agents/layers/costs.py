"""The cost functions (4.2.4, 4.3.2, 5.1), compiled: h(n), in parts of a predecessor."""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_agents.layers.subgoal_records import EXIT, FILL, MOVE_BLOCK
from puzzle_envs.bitboards import ONE, count_bits, number_of
from puzzle_envs.compiled import compiled
from puzzle_envs.kwirk.pieces import place

__all__ = ["EXIT_DISTANCE", "SCALE", "UNSEEN", "exit_distance", "subgoal_cost", "unseen_cost"]

SCALE = 1 << 10
"""What one predecessor counts in f(n) = g(n) + h(n)."""
UNSEEN, EXIT_DISTANCE = 0, 1
"""The simple solvers' cost functions."""


@compiled
def unseen_cost(level: Any, reach: Any, seen: Any, weight: int) -> int:
    """4.2.4: the lower, the more cells are reached that were not in the last predecessors."""
    new, cells = 0, 0
    for word in range(level.words):
        new += count_bits(reach[word] & ~seen[word])
        cells += count_bits(reach[word])
    if weight < 0:
        return -weight * SCALE // (1 + new)
    if weight >= 1000:
        return max(0, (weight-1000) - new) * SCALE
    return weight * SCALE * (cells - new) // max(1,cells)


@compiled
def exit_distance(level: Any, state: Any) -> int:
    """5.1: the characters' average Manhattan distance to the exit."""
    total = 0
    for character in range(level.characters):
        total += np.int64(level.away[place(state, character)])
    return total * SCALE // level.characters


@compiled
def _nearest(level: Any, cell: int, goals: Any) -> int:
    """The Manhattan distance from a cell to the nearest of some."""
    nearest = level.width + level.height
    for word in range(level.words):
        left = goals[word]
        while left != 0:
            single = left & (~left + ONE)
            left ^= single
            goal = 64 * word + number_of(single)
            rows = abs(cell // level.width - goal // level.width)
            nearest = min(nearest, rows + abs(cell % level.width - goal % level.width))
    return nearest


@compiled
def subgoal_cost(level: Any, aim: Any, pushed: int, is_target: bool, target: int) -> int:
    """4.3.2: what is left to do for a sub-goal after an obstacle was pushed at a cell.

    `target` is where the target block lies. The target is favoured most; of other obstacles those
    farther from a target block's goal-positions, nearer to a turnstile's room, nearer to the hole.
    """
    most = level.width + level.height
    if aim.kind == FILL:
        ahead = _nearest(level, target, aim.goals) * SCALE
        if is_target:
            return ahead
        return ahead + SCALE + SCALE * _nearest(level, pushed, aim.goals) // most
    if is_target:
        return 0
    away = _nearest(level, pushed, aim.goals)
    if aim.kind == MOVE_BLOCK:
        away = most - away
    return SCALE + SCALE * away // most

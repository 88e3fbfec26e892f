"""The cost functions' h(n) (4.2.4, 4.3.2, 5.1), compiled, in parts of a predecessor.

The paper prints a formula for `exit_distance` alone. Of the others it says what they favour, not by
how much: the weights are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_agents.papers.kwirk.aims import FILL, MOVE_BLOCK
from puzzle_envs.kernels.bitboards import ONE, count_bits, number_of
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kwirk.pieces import GONE, place
from puzzle_envs.kwirk.walking import lowest

SCALE = 1 << 10
"""What one predecessor counts in f(n) = g(n) + h(n)."""
UNSEEN_WEIGHT = 10 * SCALE
"""h(n) where no cell is newly reached: with 10 A* opens about as many states as the paper's."""


@compiled
def unseen_cost(level: Any, reach: Any, seen: Any) -> int:
    """4.2.4: the more cells are reached that were not in the last predecessors, the lower."""
    unseen = 0
    for word in range(level.words):
        unseen += count_bits(reach[word] & ~seen[word])
    return UNSEEN_WEIGHT // (1 + unseen)


@compiled
def exit_distance(level: Any, state: Any) -> int:
    """5.1: the average Manhattan distance between the characters and the exit."""
    total = 0
    for character in range(level.characters):
        total += np.int64(level.away[place(state, character)])
    return total * SCALE // level.characters


@compiled
def _manhattan(level: Any, one: int, other: int) -> int:
    rows = abs(one // level.width - other // level.width)
    return rows + abs(one % level.width - other % level.width)


@compiled
def _to_nearest(level: Any, cell: int, goals: Any) -> int:
    """The Manhattan distance to the nearest goal-position."""
    nearest = level.width + level.height
    for word in range(level.words):
        left = goals[word]
        while left != 0:
            single = left & (~left + ONE)
            left ^= single
            nearest = min(nearest, _manhattan(level, cell, 64 * word + number_of(single)))
    return nearest


@compiled
def subgoal_cost(level: Any, aim: Any, pushed: int, is_target: bool, target: int) -> int:
    """4.3.2: the heuristic of a sub-goal after an obstacle was pushed at a cell.

    A push of the target (a block whose corner is `target`, or the turnstile) costs nothing more.
    Any other costs one to two predecessors: the more, the nearer it is to the goal-positions of a
    block to be moved away, or the farther from a turnstile's room or from the hole. The distance of
    a block from its hole is added.
    """
    most, ahead = level.width + level.height, 0
    if aim.kind == FILL:
        distance = most if target == GONE else _manhattan(level, target, lowest(level, aim.goals))
        ahead = distance * SCALE
    if is_target:
        return ahead
    away = _to_nearest(level, pushed, aim.goals)
    if aim.kind == MOVE_BLOCK:
        away = most - away
    return ahead + SCALE + SCALE * away // most

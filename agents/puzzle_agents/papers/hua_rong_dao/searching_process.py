"""The searching process of the Hua Rong Dao paper (Table I, Figure 10), for the exact search.

The paper's program shows, for each number of moves, the sizes of CLOSE and OPEN when the first
state of that many moves has been closed and not yet expanded. It moves blocks cell by cell, so OPEN
holds the layouts one step away from the closed ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from puzzle_agents.exact.hua_rong_dao import LayoutSearch
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao.keys import has_key
from puzzle_envs.hua_rong_dao.level import METRICS
from puzzle_envs.hua_rong_dao.oracle import list_moves


class Queues(NamedTuple):
    """The sizes of the two queues when a number of moves is reached."""

    moves: int
    closed: int
    opened: int


def searching_process(env: PuzzleEnv) -> list[Queues]:
    """The sizes of CLOSE and OPEN after each layer, up to the layer of the solution.

    Args:
        env: A Hua Rong Dao environment in the box of 4 by 5, after a reset.
    """
    if env.puzzle.format.puzzle != "hua_rong_dao" or not has_key(env.record[0]):
        raise TypeError("The searching process is that of Hua Rong Dao in the box of 4 by 5.")
    search = LayoutSearch(env.record, env.get_state().words, 2**31, mirror=False)
    depths = search.depths()
    last = max(depths.values())
    closed = np.bincount(list(depths.values()), minlength=last + 1).cumsum()
    # A layout is in OPEN from when the first layout beside it is closed until it is closed itself.
    change = np.zeros(last + 2, np.int64)
    reached = np.empty(128, np.uint64)
    for key, depth in depths.items():
        count = list_moves(np.uint64(key), METRICS.index("step"), reached)
        first = min((depths.get(near, last) for near in reached[:count].tolist()), default=last)
        change[min(first, depth)] += 1
        change[depth] -= 1
    opened = change.cumsum()
    return [
        Queues(moves, int(closed[moves - 1]) + 1, int(opened[moves - 1]) - 1)
        for moves in range(1, last + 1)
    ]

"""A puzzle from outside the package needs nothing but its own folder."""

from __future__ import annotations

import numpy as np

from puzzle_envs.states.exploration import Exploration
from puzzle_envs.testing import check_puzzle
from tests.sliding_tiles import PUZZLE


def test_it_passes_every_check() -> None:
    check_puzzle("SlidingTiles-v0")
    check_puzzle("SlidingTiles-v0", levels=["123/456/7.8", "1.3/426/758", "123/4.6/758"])


def test_it_is_explored_whole() -> None:
    """Half of the 9! arrangements, at most 31 moves apart."""
    level = PUZZLE.format.find("123/456/78.")[0]
    search = Exploration(PUZZLE, np.array([level.record]))
    search.run(to_solution=False)
    assert search.unique == 181_440
    assert search.layers[:5] == [1, 2, 4, 8, 16]
    assert (len(search.layers) - 1, search.layers[-1]) == (31, 2)

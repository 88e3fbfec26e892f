"""What the compiled search is told of an aim: the whole puzzle, or one sub-goal (4.3.1)."""

from __future__ import annotations

import numpy as np

from puzzle_envs.kwirk.level import CELLS
from puzzle_envs.level import record_dtype

__all__ = ["AIM", "EXIT", "FILL", "MOVE_BLOCK", "ROTATE"]

EXIT, MOVE_BLOCK, ROTATE, FILL = range(4)
"""All characters reach the exit; a block moved out of the way; a turnstile rotated out of the way;
a block pushed into a hole."""

AIM = record_dtype(
    [
        ("kind", np.int64),
        ("stage", np.int64),  # states are told apart by it, and by where the target block is
        ("turnstile", np.int64),  # the target, -1 where there is none
        ("goals", np.uint64, (CELLS // 64,)),  # goal-positions; of a hole, the cells to fill
    ]
)

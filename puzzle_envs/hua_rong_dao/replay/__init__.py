"""How a box is drawn in a page."""

from __future__ import annotations

from puzzle_envs.hua_rong_dao.codec import BLOCK, GOAL, GOAL_PIECE, JOINED, LAST, WENT
from puzzle_envs.replay import Replay, asset

REPLAY = Replay(
    asset(__name__, "drawing.js"),
    constants={
        "BLOCK": BLOCK, "GOAL_PIECE": GOAL_PIECE, "GOAL": GOAL, "JOINED": JOINED, "LAST": LAST,
        "WENT": WENT,
    },
)  # fmt: skip

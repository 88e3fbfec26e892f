"""How a floor is drawn in a page, each character in its own colour."""

from __future__ import annotations

from puzzle_envs.kwirk import codec
from puzzle_envs.replay import Replay, asset

PLANES = (
    "GROUND", "EXIT", "HOLE", "BLOCK", "GOES_RIGHT", "GOES_DOWN", "PIVOT", "ARM", "CHARACTER"
)  # fmt: skip

REPLAY = Replay(
    asset(__name__, "drawing.js"), constants={name: getattr(codec, name) for name in PLANES}
)

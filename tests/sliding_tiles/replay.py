"""A square for each tile, in a page."""

from __future__ import annotations

from puzzle_envs.replay import Replay, asset

REPLAY = Replay(asset(__package__, "drawing.js"))

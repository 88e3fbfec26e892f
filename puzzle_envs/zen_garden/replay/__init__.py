"""How a garden is drawn in a page: the monk, and his trail through each cell."""

from __future__ import annotations

from typing import Any

from puzzle_envs.rendering.picture import Planes
from puzzle_envs.replay import Replay, asset
from puzzle_envs.zen_garden.codec import LEAVES, MONK, ORNAMENT, ROCK, SAND, TURNS, faces_of


def _faces(planes: Planes) -> dict[str, Any]:
    """For each face the cell of the path before it, and the heading inward."""
    height, width = planes.shape[1:]
    return {"faces": [[*face.before, face.heading] for face in faces_of(height, width)]}


REPLAY = Replay(
    asset(__name__, "drawing.js"),
    constants={
        "SAND": SAND, "ROCK": ROCK, "ORNAMENT": ORNAMENT, "LEAF": LEAVES, "MONK": MONK,
        "TURNS": TURNS,
    },
    facts=_faces,
)  # fmt: skip

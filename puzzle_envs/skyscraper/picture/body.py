"""Geometry of buildings in oblique view from the south."""

from __future__ import annotations

from dataclasses import dataclass

from puzzle_envs.rendering.canvas import Canvas
from puzzle_envs.rendering.shapes import Field, Point, box

# The footprint in its cell.
LEFT, RIGHT, BACK, FRONT = 0.175, 0.92, 0.42, 0.94
# Offset of the highest roof above the footprint and to its left.
RISE = 0.5
_LEAN = 0.10
# Start of the canvas of buildings, which reaches into the cell above.
ROOM_ABOVE = -0.25


@dataclass(frozen=True)
class Body:
    """The roof of a building, and its offset from the footprint.

    Attributes:
        left: The left edge of the roof.
        right: Its right edge.
        top: Its upper edge.
        bottom: Its lower edge.
        lean: Offset of the roof to the left of the footprint.
        rise: Offset above it.
        storey: Rise per storey.
        storey_lean: Lean per storey.
    """

    left: float
    right: float
    top: float
    bottom: float
    lean: float
    rise: float
    storey: float
    storey_lean: float

    @classmethod
    def of(cls, cell: int, size: int, floors: float) -> Body:
        """The body of a building, from the size of its grid and its number of storeys."""
        lean, rise = _LEAN * floors / size, RISE * floors / size

        def at(place: float) -> float:
            # Round to pixels for sharp edges; while rising, move smoothly instead.
            return round(place * cell) / cell if floors == int(floors) else place

        return cls(
            at(LEFT - lean),
            at(RIGHT - lean),
            at(BACK - rise),
            at(FRONT - rise),
            lean,
            rise,
            RISE / size,
            _LEAN / size,
        )

    @property
    def middle(self) -> Point:
        """Centre of the roof."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def roof(self, canvas: Canvas, inset: float = 0.0) -> Field:
        """Distance to the roof, optionally inset by its rim."""
        half = ((self.right - self.left) / 2 - inset, (self.bottom - self.top) / 2 - inset)
        return box(canvas.x, canvas.y, self.middle, half)

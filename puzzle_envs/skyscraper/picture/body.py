"""Where a building stands in its cell, and where it is seen: in oblique view, from the south."""

from __future__ import annotations

from dataclasses import dataclass

from puzzle_envs.rendering.canvas import Canvas
from puzzle_envs.rendering.shapes import Field, Point, box

# The ground it stands on.
LEFT, RIGHT, BACK, FRONT = 0.175, 0.92, 0.42, 0.94
# How far above that ground, and how far to the left of it, the highest roof is seen.
RISE = 0.5
_LEAN = 0.10
# Where the part of the plane begins in which buildings are drawn: it reaches into the cell above.
ROOM_ABOVE = -0.25


@dataclass(frozen=True)
class Body:
    """Where the roof of a building is seen, and how far from the ground below it.

    Attributes:
        left: The left edge of the roof.
        right: Its right edge.
        top: Its upper edge.
        bottom: Its lower edge.
        lean: How far to the left of the ground below it the roof is seen.
        rise: How far above it.
        storey: How much each storey adds to the rise.
        storey_lean: How much it adds to the lean.
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
        """That of a building of so many storeys in a grid of so many rows."""
        lean, rise = _LEAN * floors / size, RISE * floors / size

        def at(place: float) -> float:
            # On whole pixels edges are sharp; a building on its way is smooth instead.
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
        """The middle of the roof."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def roof(self, canvas: Canvas, inset: float = 0.0) -> Field:
        """Distance to the roof, or to what is left of it inside its rim."""
        half = ((self.right - self.left) / 2 - inset, (self.bottom - self.top) / 2 - inset)
        return box(canvas.x, canvas.y, self.middle, half)

"""Signed distances to simple shapes: negative inside, zero on the outline, positive outside.

All functions broadcast x and y, which may be a row and a column.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.floating[Any]]
Point = tuple[float, float]


def circle(x: Field, y: Field, centre: Point, radius: float) -> Field:
    """Distance to a circle."""
    distance: Field = np.hypot(x - centre[0], y - centre[1]) - np.float32(radius)
    return distance


def ellipse(x: Field, y: Field, centre: Point, radii: Point) -> Field:
    """Distance to an ellipse with upright axes, exact on the outline and close around it."""
    across, down = x - centre[0], y - centre[1]
    scaled = np.hypot(across / radii[0], down / radii[1])
    steepness = np.hypot(across / radii[0] ** 2, down / radii[1] ** 2)
    distance: Field = scaled * (scaled - 1) / np.maximum(steepness, np.float32(1e-6))
    return np.where(scaled < 1e-3, np.float32(-min(radii)), distance)


def box(x: Field, y: Field, centre: Point, half: Point, radius: float = 0.0) -> Field:
    """Distance to an upright rectangle of the given half sizes, its corners rounded."""
    across = np.abs(x - centre[0]) - np.float32(half[0] - radius)
    down = np.abs(y - centre[1]) - np.float32(half[1] - radius)
    outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    inside = np.minimum(np.maximum(across, down), 0)
    distance: Field = outside + inside - np.float32(radius)
    return distance


def capsule(
    x: Field, y: Field, start: Point, end: Point, radius: float, end_radius: float | None = None
) -> Field:
    """Distance to a thick line with round ends; its radius may change along the way."""
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    across, down = x - start[0], y - start[1]
    length = max(along_x**2 + along_y**2, 1e-12)
    share = np.clip((across * along_x + down * along_y) / length, 0, 1)
    width = radius + share * ((radius if end_radius is None else end_radius) - radius)
    distance: Field = np.hypot(across - share * along_x, down - share * along_y) - width
    return distance


def polygon(x: Field, y: Field, points: Sequence[Point]) -> Field:
    """Distance to a closed polygon, convex or not."""
    x, y = np.broadcast_arrays(x, y)
    nearest = np.full(x.shape, np.inf, np.float32)
    inside = np.zeros(x.shape, bool)
    for start, end in zip(points, [*points[1:], points[0]], strict=True):
        nearest = np.minimum(nearest, capsule(x, y, start, end, 0.0))
        crosses = (start[1] > y) != (end[1] > y)
        rise = end[1] - start[1] or 1e-12
        inside ^= crosses & (x < start[0] + (y - start[1]) * ((end[0] - start[0]) / rise))
    return np.where(inside, -nearest, nearest)


def smooth_union(first: Field, second: Field, softness: float) -> Field:
    """Distance to two shapes that flow into one another."""
    share = np.clip(0.5 + 0.5 * (second - first) / softness, 0, 1)
    distance: Field = second + (first - second) * share - softness * share * (1 - share)
    return distance

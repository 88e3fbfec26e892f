"""Numbers as shapes: digits of one line width, drawn like any other shape.

A digit is 1 high from the middle of its highest line to that of its lowest.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from puzzle_envs.rendering.shapes import Field, Point, box, capsule, circle

# How wide a digit is, between the middles of its outermost lines, and how far from the next.
_WIDTH = 0.54
_NARROW = 0.2
_GAP = 0.34


def number_width(value: int) -> float:
    """How wide a number is, between the middles of its outermost lines."""
    widths = [_width(digit) for digit in str(value)]
    return sum(widths) + _GAP * (len(widths) - 1)


def number(x: Field, y: Field, value: int) -> Field:
    """Distance to the centre lines of a number of height 1, around the origin."""
    distance: Field = np.full(np.broadcast(x, y).shape, np.inf, np.float32)
    left = -number_width(value) / 2
    for digit in str(value):
        width = _width(digit)
        distance = np.minimum(distance, _DIGITS[digit](x - (left + width / 2), y))
        left += width + _GAP
    return distance


def _width(digit: str) -> float:
    return _NARROW if digit == "1" else _WIDTH


def _line(x: Field, y: Field, *points: Point) -> Field:
    """Distance to a polyline."""
    distance: Field = np.minimum.reduce(
        [capsule(x, y, start, end, 0.0) for start, end in pairwise(points)]
    )
    return distance


def _arc(x: Field, y: Field, centre: Point, radius: float, start: float, turn: float) -> Field:
    """Distance to an arc, in degrees clockwise: 0 points right, 90 down."""
    middle = np.deg2rad(start + turn / 2)
    half = np.deg2rad(turn / 2)
    across, down = x - centre[0], y - centre[1]
    # Coordinates along and across the direction of the arc's midpoint.
    along = across * np.cos(middle) + down * np.sin(middle)
    beside = np.abs(down * np.cos(middle) - across * np.sin(middle))
    end = np.hypot(along - radius * np.cos(half), beside - radius * np.sin(half))
    on_arc = np.abs(np.arctan2(beside, along)) <= half
    distance: Field = np.where(on_arc, np.abs(np.hypot(along, beside) - radius), end)
    return distance


def _ring(x: Field, y: Field, centre: Point, radius: float) -> Field:
    return np.abs(circle(x, y, centre, radius))


def _zero(x: Field, y: Field) -> Field:
    return np.abs(box(x, y, (0, 0), (0.27, 0.5), 0.27))


def _one(x: Field, y: Field) -> Field:
    return _line(x, y, (-0.16, -0.32), (0.05, -0.5), (0.05, 0.5))


def _two(x: Field, y: Field) -> Field:
    bow = _arc(x, y, (0, -0.24), 0.26, 180, 215)
    return np.minimum(bow, _line(x, y, (0.213, -0.091), (-0.27, 0.5), (0.28, 0.5)))


def _three(x: Field, y: Field) -> Field:
    upper = _arc(x, y, (-0.01, -0.26), 0.24, 195, 255)
    lower = _arc(x, y, (-0.01, 0.24), 0.26, 270, 255)
    return np.minimum(upper, lower)


def _four(x: Field, y: Field) -> Field:
    return _line(x, y, (0.13, 0.5), (0.13, -0.5), (-0.29, 0.22), (0.3, 0.22))


def _five(x: Field, y: Field) -> Field:
    bow = _arc(x, y, (-0.03, 0.2), 0.3, 225, 270)
    stem = _line(x, y, (0.22, -0.5), (-0.2, -0.5), (-0.242, -0.012))
    return np.minimum(bow, stem)


def _six(x: Field, y: Field) -> Field:
    stem = _line(x, y, (0.1, -0.5), (-0.226, 0.09))
    return np.minimum(_ring(x, y, (0, 0.23), 0.27), stem)


def _seven(x: Field, y: Field) -> Field:
    return _line(x, y, (-0.27, -0.5), (0.27, -0.5), (-0.08, 0.5))


def _eight(x: Field, y: Field) -> Field:
    return np.minimum(_ring(x, y, (0, -0.27), 0.23), _ring(x, y, (0, 0.23), 0.27))


def _nine(x: Field, y: Field) -> Field:
    return _six(-x, -y)


_DIGITS = {
    str(digit): shape
    for digit, shape in enumerate(
        (_zero, _one, _two, _three, _four, _five, _six, _seven, _eight, _nine)
    )
}

"""Floors under rotations and reflections, and their canonical form."""

from __future__ import annotations

from collections.abc import Iterator

from puzzle_envs.kwirk.level import ARMS, FORMAT, HOLE_UNDER, LETTERS
from puzzle_envs.level import Record

__all__ = ["Grid", "canonical_form", "grid_of", "mirrored", "sides", "text_of", "turned"]

Grid = list[list[tuple[str, bool]]]
"""The characters of a floor, and whether a hole lies under each."""


def grid_of(record: Record) -> Grid:
    """A floor as a grid."""
    lines = FORMAT.write(record)
    rows = [line for line in lines if not line.startswith(HOLE_UNDER)]
    under = [line.split()[1:] for line in lines if line.startswith(HOLE_UNDER)]
    marks = {(int(row), int(column)) for column, row in under}
    return [
        [(sign, (row, column) in marks) for column, sign in enumerate(line)]
        for row, line in enumerate(rows)
    ]


def text_of(grid: Grid) -> str:
    """The text of a grid."""
    lines = ["".join(sign for sign, _ in line) for line in grid]
    lines += [
        f"{HOLE_UNDER} {column} {row}"
        for row, line in enumerate(grid)
        for column, (_, under) in enumerate(line)
        if under
    ]
    return "\n".join(lines) + "\n"


def turned(grid: Grid) -> Grid:
    """A grid after a quarter turn clockwise."""
    return [
        [(_turned(sign), under) for sign, under in line]
        for line in zip(*reversed(grid), strict=True)
    ]


def mirrored(grid: Grid) -> Grid:
    """A grid with left and right exchanged."""
    return [[(_mirrored(sign), under) for sign, under in reversed(line)] for line in grid]


def sides(grid: Grid) -> Iterator[Grid]:
    """A grid turned and mirrored in all eight ways."""
    for _ in range(4):
        grid = turned(grid)
        yield grid
        yield mirrored(grid)


def canonical_form(grid: Grid) -> tuple[str, ...]:
    """The canonical form of a floor under rotations, reflections and renaming."""
    return min(map(_plain, sides(grid)))


def _turned(sign: str) -> str:
    return ARMS[(ARMS.index(sign) + 1) % 4] if sign in ARMS else sign


def _mirrored(sign: str) -> str:
    return {">": "<", "<": ">"}.get(sign, sign)


def _plain(grid: Grid) -> tuple[str, ...]:
    """Rename letters in reading order, and drop the characters' numbers."""
    letters: dict[str, str] = {}
    lines = []
    for line in grid:
        signs = []
        for sign, under in line:
            if sign.isalpha() and sign != "O":
                sign = letters.setdefault(sign, LETTERS[len(letters)])
            signs.append(("1" if sign.isdigit() else sign) + ("_" if under else ""))
        lines.append("".join(signs))
    return tuple(lines)

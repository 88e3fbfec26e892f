"""A scene as text, in the format of a level."""

from __future__ import annotations

from itertools import cycle
from string import ascii_lowercase

import numpy as np

from puzzle_envs.kwirk.codec import ARM, EXIT, GROUND, HOLE, PIVOT
from puzzle_envs.kwirk.picture.scene import Scene

# Names of the blocks of the largest level.
_NAMES = ascii_lowercase + "ABCDEF"
_ARMS = "^>`<"


def text(scene: Scene) -> str:
    """The rows, cut off after one column and one row of wall on the right and below.

    A line above gives the active character, if it is not the first of those still there; a line
    below marks each hole under a block or an arm, column and row from 0.
    """
    characters = np.full(scene.size, "#")
    characters[scene.has(GROUND)] = " "
    for plane, character in ((HOLE, "O"), (EXIT, "%"), (PIVOT, "*")):
        characters[scene.has(plane)] = character
    for way, character in enumerate(_ARMS):
        characters[scene.has(ARM + way)] = character
    for name, block in zip(cycle(_NAMES), scene.blocks(), strict=False):
        characters[block.cells] = name
    for who in scene.characters:
        characters[who.place] = str(who.number)
    height, width = (1 + int(used.max(initial=0)) for used in np.nonzero(scene.has(GROUND)))
    lines = ["".join(row) for row in characters[: height + 1, : width + 1]]
    active = scene.characters[0].number if scene.characters else 0
    if active > min((who.number for who in scene.characters), default=0):
        lines.insert(0, f"; active: {active}")
    over = scene.has(HOLE) & (characters != "O")
    lines += [f"HOLE_UNDER {column} {row}" for row, column in np.argwhere(over)]
    return "\n".join(lines)

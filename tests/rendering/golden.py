"""Pictures as they should look, kept in the folder golden.

After a wanted change of looks, paint them anew, and look at them before they are committed:

    python -m tests.rendering.golden
"""

from __future__ import annotations

import copy
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from puzzle_envs.rendering.png import save_png
from puzzle_envs.rendering.theme import THEMES
from tests.hua_rong_dao import test_picture as hua_rong_dao
from tests.kwirk import test_picture as kwirk
from tests.skyscraper import test_picture as skyscraper
from tests.zen_garden import test_picture as zen_garden

FOLDER = Path(__file__).parent / "golden"
CELL = 16

PUZZLES: tuple[ModuleType, ...] = (zen_garden, hua_rong_dao, kwirk, skyscraper)
"""Their `golden_pictures` are the states that are kept."""


def paint_all() -> dict[str, NDArray[np.uint8]]:
    """Every state in every theme, by the name of its file."""
    painted = {}
    for puzzle in PUZZLES:
        folder = puzzle.__name__.split(".")[1]
        for state, picture in puzzle.golden_pictures().items():
            for name, theme in THEMES.items():
                shown: Any = copy.deepcopy(picture)
                shown._theme = theme
                painted[f"{folder}-{state}-{name}.png"] = shown.paint(CELL)
    return painted


def read(file: str) -> NDArray[np.uint8]:
    """A kept picture."""
    kept: NDArray[np.uint8] = pygame.surfarray.array3d(pygame.image.load(FOLDER / file))
    return kept.swapaxes(0, 1)


def main() -> None:
    """Write all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    for file, painted in paint_all().items():
        save_png(FOLDER / file, painted)
        print(FOLDER / file)


if __name__ == "__main__":
    main()

"""Pictures as they should look, kept in the folder golden; `python -m tests.rendering.golden` from
the root renews them. Look at what it writes before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from puzzle_agents.environments import make_env
from puzzle_envs.rendering.theme import THEMES

FOLDER = Path(__file__).parent / "golden"
CELL = 16

STATES = {
    # id, level, what is done on it: the actions are chosen so that most kinds of tiles are seen.
    "garden-begun": ("ZenGarden-v0", "mixed/4", 0),
    "garden-raked": ("ZenGarden-v0", "leaves/3", 7),
    "garden-ornaments": ("ZenGarden-v0", "ornaments/4", 5),
    "box-begun": ("HuaRongDao-v0", "classics/1", 0),
    "box-played": ("HuaRongDao-v0", "classics/5", 30),
    "floor-begun": ("Kwirk-v0", "two/2", 0),
    "floor-two": ("Kwirk-v0", "two/10", 6),
    "floor-by-keys": ("KwirkSteps-v0", "easy/9", 12),
    "grid-begun": ("Skyscraper-v0", "sparse/6x6-1", 4),
    "grid-wrong": ("Skyscraper-v0", "5x5/hard-1", 24),
}
"""For each name an id, a level, and how many random legal actions lead to the state."""


def pictures(name: str) -> dict[str, NDArray[np.uint8]]:
    """The state of this name in each theme, by file name."""
    id, level, steps = STATES[name]
    painted = {}
    for theme in THEMES:
        env = make_env(id, level, "rgb_array", theme=theme)
        env.cell_pixels = CELL
        chance = np.random.default_rng(1)
        _, info = env.reset()
        for _ in range(steps):
            legal = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(int(chance.choice(legal)))
            if over:
                break
        painted[f"{name}-{theme}.png"] = env.render()
    return painted


def read(file: str) -> NDArray[np.uint8]:
    """A kept picture."""
    return np.asarray(Image.open(FOLDER / file).convert("RGB"))


def main() -> None:
    """Write all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    for name in STATES:
        for file, painted in pictures(name).items():
            Image.fromarray(painted).save(FOLDER / file, optimize=True)
            print(FOLDER / file)


if __name__ == "__main__":
    main()

"""Draw every puzzle half solved, light above and dark below: docs/images/puzzles.png."""

import sys
from pathlib import Path

import numpy as np

from puzzle_agents import Budget, make
from puzzle_agents.environments import make_env
from puzzle_agents.film import film
from puzzle_envs.rendering.canvas import rgb
from puzzle_envs.rendering.png import save_png
from puzzle_envs.rendering.theme import THEMES

HEIGHT, GAP = 280, 12
LEVELS = {
    ("ZenGarden-v0", "mixed/4"): ("astar", 0.6),
    ("HuaRongDao-v0", "classics/1"): ("hua-rong-dao-bfs", 0.8),
    ("Kwirk-v0", "two/10"): ("astar", 0.5),
    ("Skyscraper-v0", "sparse/6x6-1"): ("skyscraper-exact", 0.7),
}

rows = []
for theme in THEMES.values():
    beside = np.round(255 * rgb(theme.beside)).astype(np.uint8)
    row = [np.tile(beside, (HEIGHT + 2 * GAP, GAP, 1))]
    for (id, level), (agent, share) in LEVELS.items():
        env = make_env(id, level, "rgb_array", theme=theme.name)
        env.cell_pixels = env.cell_pixels * HEIGHT // len(env.render())
        actions = make(agent, Budget(seconds=20)).solve(env).actions
        *_, picture = film(env, actions[: round(share * len(actions))], 1)
        column = np.tile(beside, (HEIGHT + 2 * GAP, picture.shape[1] + GAP, 1))
        top = (len(column) - len(picture)) // 2
        column[top : top + len(picture), :-GAP] = picture
        row.append(column)
    rows.append(np.concatenate(row, axis=1))
path = Path(sys.argv[1] if len(sys.argv) > 1 else "puzzles.png")
save_png(path, np.concatenate(rows))
print(f"Written: {path}")

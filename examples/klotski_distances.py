"""Ask the oracle of Hua Rong Dao for distances to the goal, and follow its advice."""

import gymnasium
import numpy as np

import puzzle_envs  # noqa: F401 (registers the environments)
from puzzle_agents import make
from puzzle_envs.hua_rong_dao.generator import generate
from puzzle_envs.hua_rong_dao.keys import PieceSet
from puzzle_envs.hua_rong_dao.oracle import Oracle

for metric in ("move", "straight", "step"):
    env = gymnasium.make("HuaRongDao-v0", level="1A9BF0C00", metric=metric)
    env.reset()
    result = make("hua-rong-dao-bfs").solve(env)
    hardest, _ = Oracle(metric).hardest(PieceSet(upright=4, flat=1, small=4))
    print(f"{metric}: {result.moves} from the standard layout, {hardest} from the hardest like it")

level = generate(np.random.default_rng(0), distance=10)
env = gymnasium.make("HuaRongDao-v0", level=level, render_mode="ansi")
_, info = env.reset()
print(f"a random layout {info['optimum']} moves away:\n{env.render()}")

"""Let two agents solve the same garden, and step the better plan through the environment."""

import gymnasium

import puzzle_envs  # noqa: F401 (registers the environments)
from puzzle_agents import Budget, make

env = gymnasium.make("ZenGarden-v0", level="rocks/1")
env.reset()
for name in ("random", "bfs"):
    result = make(name, budget=Budget(seconds=5)).solve(env)
    print(f"{name}: {result.status}, moves {result.moves}, proved {result.proved_optimal}")
for action in result.actions:
    observation, reward, terminated, truncated, info = env.step(action)
print(f"replayed: solved {info['solved']} in {info['moves']} moves")

"""Solve the same garden with several agents, and replay the last plan."""

import gymnasium

import puzzle_envs  # noqa: F401 (registers the environments)
from puzzle_agents import Budget, make

env = gymnasium.make("ZenGarden-v0", level="rocks/1")
env.reset()
for name in ("random", "greedy", "bfs", "astar"):
    result = make(name, budget=Budget(seconds=5)).solve(env)
    print(f"{name}: {result.moves} moves, {result.expanded} states expanded, {result.status}")
for action in result.actions:
    observation, reward, terminated, truncated, info = env.step(action)
print(f"replayed: solved {info['solved']} in {info['moves']} moves")

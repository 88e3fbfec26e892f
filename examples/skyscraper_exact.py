"""Solve a Skyscraper puzzle exactly, and check whether the solution is unique."""

import gymnasium
import numpy as np

import puzzle_envs  # noqa: F401 (registers the environments)
from puzzle_agents import make
from puzzle_envs.skyscraper.generator import generate

level = generate(np.random.default_rng(7), 6, grade="hard")
env = gymnasium.make("Skyscraper-v0", level=level, render_mode="ansi")
env.reset()
print(env.render())

solver = make("skyscraper-exact")
result = solver.solve(env)
print(f"{result.status} in {1000 * result.seconds:.1f} ms, one solution: {solver.is_unique(env)}")
for action in result.actions:
    env.step(action)
print(env.render())

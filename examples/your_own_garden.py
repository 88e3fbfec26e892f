"""Draw a garden as text, solve it, inspect a state and return to it."""

import gymnasium

import puzzle_envs  # noqa: F401 (registers the environments)
from puzzle_agents import BreadthFirst

GARDEN = """\
; name: the pond
......
..##..
.B..y.
......
"""

env = gymnasium.make("ZenGarden-v0", level=GARDEN, render_mode="ansi")
env.reset()
result = BreadthFirst().solve(env)
print(f"{result.status} in {result.moves} moves, {result.expanded} states expanded")
before = env.unwrapped.get_state()
env.step(result.actions[0])
print(env.render())
env.unwrapped.set_state(before)
print(env.render())

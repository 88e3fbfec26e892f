"""Find the fewest pushes of a floor of Kwirk, and play them with the original game's keys."""

import gymnasium

import puzzle_envs  # noqa: F401 (registers the environments)
from puzzle_agents import make
from puzzle_envs.kwirk.presses import key_presses

pushes = gymnasium.make("Kwirk-v0", level="two/1").unwrapped
pushes.reset()
result = make("bfs").solve(pushes)
print(f"{result.moves} pushes, proved fewest: {result.proved_optimal}")

keys = key_presses(pushes.record, pushes.get_state().words, result.actions)
steps = gymnasium.make("KwirkSteps-v0", level="two/1", render_mode="ansi")
steps.reset()
for number, key in enumerate(keys):
    _, _, solved, _, info = steps.step(key)
    if number == len(keys) // 2:
        print(steps.render())
print(f"{info['steps']} steps, {info['pushes']} pushes, solved: {solved}")

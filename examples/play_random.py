"""Play one episode with random legal actions and print every board."""

import gymnasium

import puzzle_envs  # noqa: F401 (registers the environments)

env = gymnasium.make("ZenGarden-v0", level="first-steps/3", render_mode="ansi")
observation, info = env.reset(seed=1)
print(env.render())
while not (info["solved"] or info["lost"]):
    action = env.action_space.sample(mask=info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    print(f"action {action}, reward {reward}, moves {info['moves']}\n{env.render()}")
print("solved" if info["solved"] else "lost")

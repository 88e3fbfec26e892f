"""Step a thousand gardens at once with random legal actions, and count the results."""

import gymnasium
import numpy as np

import puzzle_envs  # noqa: F401 (registers the environments)

venv = gymnasium.make_vec("ZenGarden-v0", num_envs=1000, levels="train/4x4")
observations, infos = venv.reset(seed=0)
print(f"observations {observations.shape}, masks {infos['action_mask'].shape}")
solved = lost = 0
for _ in range(200):
    observations, rewards, terminated, truncated, infos = venv.step(venv.sample_legal())
    solved += np.count_nonzero(infos["solved"])
    lost += np.count_nonzero(infos["lost"])
print(f"{solved} solved and {lost} lost in 200,000 steps")
venv.close()

"""sb3-contrib: MaskablePPO, which finds the masks of these environments automatically."""

import gymnasium as gym
import torch
from sb3_contrib import MaskablePPO
from share import report
from stable_baselines3.common.vec_env import VecMonitor

from puzzle_agents.learning.vec_env import to_sb3

TASK = {"levels": "first-steps", "max_episode_steps": 20, "observation": "planes"}

torch.set_num_threads(1)  # for so little work, more threads only wait for each other
venv = gym.make_vec("ZenGarden-v0", num_envs=32, reward="dense", autoreset_mode="SameStep", **TASK)
model = MaskablePPO("MlpPolicy", VecMonitor(to_sb3(venv)), n_steps=32, batch_size=256, seed=0)
model.learn(20_000)


def choose(observations, masks):
    """The most probable of the legal actions."""
    return model.predict(observations, action_masks=masks, deterministic=True)[0]


report(choose, "ZenGarden-v0", **TASK)

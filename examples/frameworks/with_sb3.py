"""Stable-Baselines3: PPO without masks, which first has to learn what is legal."""

import gymnasium as gym
import torch
from share import report
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

from puzzle_agents.learning.vec_env import to_sb3

TASK = {"levels": "first-steps/5", "max_episode_steps": 30, "observation": "flat"}

torch.set_num_threads(1)  # for so little work, more threads only wait for each other
venv = gym.make_vec("ZenGarden-v0", num_envs=32, reward="dense", autoreset_mode="SameStep", **TASK)
adapted = VecMonitor(to_sb3(venv))
model = PPO("MlpPolicy", adapted, n_steps=32, batch_size=256, learning_rate=1e-3, seed=0)
model.learn(25_000)


def choose(observations, masks):
    """Sample actions; some are illegal, and change nothing."""
    return model.predict(observations)[0]


report(choose, "ZenGarden-v0", **TASK)

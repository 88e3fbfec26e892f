"""Stable-Baselines3: PPO without masks, on floors of Kwirk with the game's five keys."""

import gymnasium as gym
import torch
from share import report
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

from puzzle_agents.learning.vec_env import to_sb3

TASK = {"levels": "train/1-3", "max_episode_steps": 40, "observation": "flat"}

torch.set_num_threads(1)  # on so little work, several wait for each other
venv = gym.make_vec(
    "KwirkSteps-v0", num_envs=64, reward="sparse", autoreset_mode="SameStep", **TASK
)
model = PPO("MlpPolicy", VecMonitor(to_sb3(venv)), n_steps=64, batch_size=512, n_epochs=4, seed=0)
model.learn(80_000)


def choose(observations, masks):
    """Sample actions; without masks some are illegal, and change nothing."""
    return model.predict(observations)[0]


report(choose, "KwirkSteps-v0", **TASK)

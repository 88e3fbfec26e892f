"""Train Stable-Baselines3 on a vector environment, using only the adapter of this package."""

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

import puzzle_envs  # noqa: F401 (registers the environments)
from puzzle_agents.learning.vec_env import to_sb3

layouts = gymnasium.make_vec(
    "HuaRongDao-v0",
    num_envs=32,
    levels="train/1-10",
    autoreset_mode="SameStep",
    max_episode_steps=50,
    reward="sparse",
)
model = MaskablePPO("MlpPolicy", VecMonitor(to_sb3(layouts)), n_steps=32, batch_size=256, seed=0)
model.learn(8_000)
lengths = [episode["l"] for episode in model.ep_info_buffer or []]
print(f"{model.num_timesteps} steps; the last {len(lengths)} episodes took {sum(lengths)} actions")

"""RLlib: PPO, with the masks in a Dict beside the observations."""

import gymnasium as gym
import torch
from ray import tune
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from share import Masked, report

TASK = {"levels": "first-steps", "max_episode_steps": 20, "observation": "flat"}


env = Masked(gym.make("ZenGarden-v0", reward="dense", **TASK))
tune.register_env("gardens", lambda config: env)
spec = RLModuleSpec(ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [128]})
config = (
    PPOConfig().environment("gardens").rl_module(rl_module_spec=spec).env_runners(num_env_runners=0)
)
config.training(train_batch_size_per_learner=1000, minibatch_size=250, num_epochs=6, lr=3e-3)
algorithm = config.debugging(seed=0).build_algo()
for _ in range(6):
    algorithm.train()


def choose(observations, masks):
    masks = torch.as_tensor(masks).float()
    seen = {"observations": torch.as_tensor(observations), "action_mask": masks}
    return algorithm.get_module().forward_inference({"obs": seen})["action_dist_inputs"].argmax(1)


report(choose, "ZenGarden-v0", **TASK)

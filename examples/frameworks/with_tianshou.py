"""Tianshou: PPO, with the masks in a Dict beside the observations."""

import gymnasium as gym
import torch
from share import Masked, report
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch.nn import Linear, Module, Sequential, Tanh

TASK = {"levels": "first-steps", "max_episode_steps": 20, "observation": "flat"}
torch.manual_seed(0)


def make():
    return Masked(gym.make("ZenGarden-v0", reward="dense", **TASK))


class Rating(Module):
    def __init__(self, outputs):
        super().__init__()
        inputs = make().observation_space["observations"].shape[0]
        self.rated = Sequential(Linear(inputs, 128), Tanh(), Linear(128, outputs))

    def forward(self, seen, state=None, info=None):
        rated = self.rated(torch.as_tensor(seen.observations))
        illegal = 1 - torch.as_tensor(seen.action_mask)
        return rated if rated.shape[1] == 1 else (rated - 1e9 * illegal, state)


actions = make().action_space
policy = DiscreteActorPolicy(actor=Rating(int(actions.n)), action_space=actions)
ppo = PPO(policy=policy, critic=Rating(1), optim=AdamOptimizerFactory(lr=3e-3), gamma=1.0)
collector = Collector(ppo, DummyVectorEnv([make] * 8), VectorReplayBuffer(4096, 8))
how = {"max_epochs": 1, "epoch_num_steps": 12_000, "collection_step_num_env_steps": 512}
how |= {"batch_size": 128, "update_step_num_repetitions": 4, "show_progress": False}
ppo.run_training(OnPolicyTrainerParams(training_collector=collector, **how))
seen = ("observations", "action_mask")
report(
    lambda *told: policy.actor(Batch(dict(zip(seen, told, strict=True))))[0].argmax(1),
    "ZenGarden-v0", **TASK,
)  # fmt: skip

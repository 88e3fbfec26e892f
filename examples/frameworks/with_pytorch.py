"""PyTorch alone: an actor-critic in one file, in the manner of CleanRL, with masks."""

import gymnasium as gym
import torch
from share import report
from torch.distributions import Categorical

TASK = {"levels": "first-steps", "max_episode_steps": 20, "observation": "flat"}

torch.manual_seed(0)
torch.set_num_threads(1)
venv = gym.make_vec("ZenGarden-v0", num_envs=128, reward="dense", **TASK)
inputs, actions = venv.single_observation_space.shape[0], int(venv.single_action_space.n)
layers = torch.nn.Linear(inputs, 128), torch.nn.Tanh(), torch.nn.Linear(128, actions + 1)
network = torch.nn.Sequential(*layers)
optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)


def policy(observations, masks):
    """The distribution over legal actions, and the value."""
    out = network(torch.as_tensor(observations))
    return Categorical(logits=out[:, 1:].masked_fill(torch.as_tensor(masks) == 0, -1e9)), out[:, 0]


observations, infos = venv.reset(seed=0)
for _ in range(1000):
    chosen, value = policy(observations, infos["action_mask"])
    action = chosen.sample()
    observations, reward, terminated, truncated, infos = venv.step(action.numpy())
    with torch.no_grad():
        after = policy(observations, infos["action_mask"])[1] * torch.as_tensor(~terminated)
    better = torch.as_tensor(reward).float() + after - value
    loss = -chosen.log_prob(action) * better.detach() + better**2 - 0.01 * chosen.entropy()
    optimizer.zero_grad()
    loss.mean().backward()
    optimizer.step()
report(lambda seen, masks: policy(seen, masks)[0].sample().numpy(), "ZenGarden-v0", **TASK)

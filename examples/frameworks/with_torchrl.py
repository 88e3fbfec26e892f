"""TorchRL: PPO, with the masks from the infos."""

import torch
from share import report
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.data import Binary, Composite
from torchrl.envs import GymEnv
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

TASK = {"levels": "first-steps", "max_episode_steps": 20, "observation": "flat"}
torch.manual_seed(0)
torch.set_num_threads(1)
env = GymEnv("ZenGarden-v0", reward="dense", categorical_action_encoding=True, **TASK)
inputs, actions = env.observation_spec["observation"].shape[0], env.action_spec.n
mask = Composite(action_mask=Binary(actions, dtype=torch.int8))
env = env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=mask))
rating = TensorDictModule(MLP(inputs, actions, num_cells=[128]), ["observation"], ["logits"])
drawn = {"distribution_class": lambda logits, mask: MaskedCategorical(logits=logits, mask=mask > 0)}
keys = {"logits": "logits", "mask": "action_mask"}
actor = ProbabilisticActor(rating, in_keys=keys, return_log_prob=True, **drawn)
loss = ClipPPOLoss(actor, ValueOperator(MLP(inputs, 1, num_cells=[128])))
optimizer = torch.optim.Adam(loss.parameters(), lr=3e-3)
for data in Collector(env, actor, frames_per_batch=512, total_frames=10_240):
    for _ in range(6):
        found = loss(data)
        optimizer.zero_grad()
        (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
        optimizer.step()


def choose(observations, masks):
    seen = TensorDict(observation=torch.as_tensor(observations), action_mask=torch.as_tensor(masks))
    return actor(seen)["action"].numpy()


report(choose, "ZenGarden-v0", **TASK)

"""Train a policy for about a minute, save it, and let it play an unseen garden."""

import tempfile
from pathlib import Path

import gymnasium

from puzzle_agents.learning.config import Config
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.training import train

config = Config(
    env="ZenGarden-v0",
    stages=("first-steps/1", "500 new 4x4"),  # the second begins once most of the first is solved
    validation=("validation/4x4",),
    steps=20_000,  # far too few for a good policy
    longest=40,
    envs=32,
    arguments={"n_steps": 32, "batch_size": 256},
)
with tempfile.TemporaryDirectory() as folder:
    model = train(config, Path(folder) / "run")
    agent = PolicyAgent(model=model, width=50)

env = gymnasium.make("ZenGarden-v0", level="test/4x4/1")
env.reset()
result = agent.solve(env)
print(f"{result.status}: {result.moves} moves, {result.expanded} actions in all samples")

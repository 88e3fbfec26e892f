"""Dataset aggregation: the policy plays, and learns in each state what the solution says.

Ross, Gordon and Bagnell (AISTATS 2011), for puzzles whose actions write numbers: the solution tells
for every empty cell which number is right, where a reward tells it for the written one only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from puzzle_agents.learning.teaching import TaughtVecEnv

IMPOSSIBLE = -1e9
"""The score of an illegal action: finite, since minus infinity would make gradients NaN."""


class DAgger(MaskablePPO):
    """Plays as MaskablePPO does, and learns from the solutions of the levels played."""

    def collect_rollouts(self, env: Any, *arguments: Any, **more: Any) -> bool:
        """Play, and note the solution of each state's level."""
        self._solutions = _taught(env).noted = []
        return super().collect_rollouts(env, *arguments, **more)

    def train(self) -> None:
        """Learn from the states of the rollout."""
        buffer, policy = self.rollout_buffer, self.policy
        states = buffer.observations.reshape(-1, *buffer.obs_shape)
        masks = np.asarray(buffer.action_masks).reshape(len(states), -1)
        right = np.stack(self._solutions).reshape(len(states), -1)
        columns = [torch.as_tensor(column) for column in (states, masks, right)]
        policy.set_training_mode(True)
        self._update_learning_rate(policy.optimizer)
        batch = self.batch_size or len(states)
        for _ in range(self.n_epochs):
            order = torch.randperm(len(states))
            for start in range(0, len(states), batch):
                chosen = order[start : start + batch]
                seen, legal, wanted = (column[chosen] for column in columns)
                scores = policy.action_net(policy.extract_features(seen))
                loss = loss_of(scores.float(), legal > 0, wanted)
                policy.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
                policy.optimizer.step()
        self._n_updates += self.n_epochs
        self.logger.record("train/loss", loss.item())


def loss_of(scores: torch.Tensor, legal: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """How unlikely a right action is, and how unlikely the right number is in each empty cell.

    Args:
        scores: (states, cells * numbers), the policy's logits.
        legal: The legal actions.
        right: (states, cells), the solution's numbers from 1.
    """
    scores = scores.masked_fill(~legal, IMPOSSIBLE).reshape(*right.shape, -1)
    places = torch.nn.functional.one_hot(right - 1, scores.shape[2]).bool()
    places &= legal.reshape(places.shape)
    likelihood = scores.flatten(1).log_softmax(1).reshape(scores.shape)
    any_right = likelihood.masked_fill(~places, IMPOSSIBLE).flatten(1).logsumexp(1)
    in_cells = scores.log_softmax(2)[places]
    return -any_right[places.flatten(1).any(1)].mean() - in_cells.mean()


def _taught(env: Any) -> TaughtVecEnv:
    """The environment below others that knows the solutions."""
    while not isinstance(env, TaughtVecEnv):
        env = env.venv
    return env

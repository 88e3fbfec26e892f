"""Dataset aggregation: the policy plays, and learns what is right in the states that it reaches.

Ross, Gordon and Bagnell (AISTATS 2011). Where actions write numbers, the solution tells for every
empty cell which one is right; elsewhere an agent shows how to go on (`teaching`).
"""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib import MaskablePPO

from puzzle_agents.learning.teaching import TeachingVecEnv


class DAgger(MaskablePPO):
    """Plays as MaskablePPO does, and learns from the lessons of its episodes."""

    def collect_rollouts(self, env: Any, *arguments: Any, **more: Any) -> bool:
        """Play, and note the lessons."""
        self._lessons = _teaching(env)
        self._lessons.begin_rollout()
        return super().collect_rollouts(env, *arguments, **more)

    def train(self) -> None:
        """Learn from the lessons of the rollout."""
        policy, lessons = self.policy, self._lessons.lessons(self.rollout_buffer)
        columns = [torch.as_tensor(column) for column in lessons]
        count = len(lessons.planes)
        if not count:  # the teacher failed in all states
            return
        policy.set_training_mode(True)
        self._update_learning_rate(policy.optimizer)
        batch = self.batch_size or count
        for _ in range(self.n_epochs):
            order = torch.randperm(count)
            for start in range(0, count, batch):
                chosen = order[start : start + batch]
                seen, legal, wanted = (column[chosen] for column in columns)
                scores = policy.action_net(policy.extract_features(seen))
                loss = self._lessons.loss(scores.float(), legal > 0, wanted)
                policy.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
                policy.optimizer.step()
        self._n_updates += self.n_epochs
        self.logger.record("train/loss", loss.item())


def _teaching(env: Any) -> TeachingVecEnv:
    """The environment below others that has the lessons."""
    while not isinstance(env, TeachingVecEnv):
        env = env.venv
    return env

"""Dataset aggregation: the policy plays, and learns what is right in the states that it reaches.

Ross, Gordon and Bagnell (AISTATS 2011). Where actions write numbers, the solution tells for every
empty cell which one is right (`solutions`); elsewhere an agent shows how to go on (`asking`).
"""

from __future__ import annotations

from collections import deque
from inspect import Parameter, signature
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from puzzle_agents.learning.teaching import Lessons, TeachingVecEnv

OWN = signature(MaskablePPO)
KEPT = Parameter("kept_rollouts", Parameter.KEYWORD_ONLY, default=1)


class DAgger(MaskablePPO):
    """Plays as MaskablePPO does, and learns from the lessons of its last rollouts."""

    __signature__ = OWN.replace(parameters=[*OWN.parameters.values(), KEPT])

    def __init__(self, *arguments: Any, kept_rollouts: int = 1, **more: Any) -> None:
        """Create the model; lessons are kept for this many rollouts."""
        self.kept_rollouts = kept_rollouts
        super().__init__(*arguments, **more)

    def learn(self, *arguments: Any, **more: Any) -> DAgger:
        """Train; lessons of an earlier call are forgotten, as a resumed run does not have them."""
        self._aggregated: deque[Lessons] = deque(maxlen=self.kept_rollouts)
        return super().learn(*arguments, **more)

    def collect_rollouts(self, env: Any, *arguments: Any, **more: Any) -> bool:
        """Play, and note the lessons."""
        self._teaching = _teaching(env)
        self._teaching.begin_rollout()
        return super().collect_rollouts(env, *arguments, **more)

    def train(self) -> None:
        """Learn from lessons kept: as many as the rollout brought, times the number of epochs."""
        new = self._teaching.lessons(self.rollout_buffer)
        if not len(new.planes):  # the teacher failed in all states
            return
        self._aggregated.append(new)
        policy = self.policy
        columns = [
            torch.as_tensor(np.concatenate(part)) for part in zip(*self._aggregated, strict=True)
        ]
        policy.set_training_mode(True)
        self._update_learning_rate(policy.optimizer)
        batch = self.batch_size or len(new.planes)
        order = drawn_from(len(columns[0]), self.n_epochs * len(new.planes))
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            seen, legal, wanted = (column[chosen] for column in columns)
            scores = policy.action_net(policy.extract_features(seen))
            loss = self._teaching.loss(scores.float(), legal > 0, wanted)
            policy.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
            policy.optimizer.step()
        self._n_updates += self.n_epochs
        self.logger.record("train/loss", loss.item())


def drawn_from(count: int, most: int) -> torch.Tensor:
    """Random orders of the first numbers, one after the other, this many numbers in all."""
    return torch.cat([torch.randperm(count) for _ in range(-(-most // count))])[:most]


def _teaching(env: Any) -> TeachingVecEnv:
    """The environment below others that has the lessons."""
    while not isinstance(env, TeachingVecEnv):
        env = env.venv
    return env

"""Behaviour cloning: a policy starts from the solutions of a teacher.

An action demonstrated counts as an action of the run's budget, and is learned from as often as one
that the algorithm takes itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch.nn import functional

from puzzle_agents.demonstrations import EXPANSIONS, Demonstration, Pairs, Teacher, pairs_of
from puzzle_agents.learning.config import DAGGER, TAUGHT, Config
from puzzle_agents.learning.levels import BLOCKS, PERIOD, Stage
from puzzle_envs.codec import Shape
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

AT_ONCE = 8_192
"""Actions per update: the size of a rollout of the presets."""
BATCH = 1024
"""Actions of a minibatch, if the algorithm has none."""


def teacher_of(config: Config) -> Teacher:
    """The teacher of a run."""
    assert config.teacher is not None
    expansions = config.teacher_expansions if config.algorithm == DAGGER else EXPANSIONS
    return Teacher.of(
        config.teacher, config.env, config.options, expansions=expansions, seed=config.seed
    )


def lessons(
    teacher: Teacher,
    puzzle: Puzzle,
    levels: Iterable[Level],
    config: Config,
    *,
    room: Shape,
    discount: float,
) -> Iterator[Pairs]:
    """The pairs of each update, up to the number that is wanted."""
    left = min(config.demonstrated, config.steps)
    shown = teacher.demonstrations(levels)
    reward = "sparse" if config.reward == TAUGHT else config.reward
    while left and (some := _some(shown, min(left, AT_ONCE))):
        pairs = pairs_of(puzzle, some, room=room, reward=reward, discount=discount).first(left)
        left -= len(pairs.actions)
        yield pairs


def levels_to_show(config: Config) -> Iterator[Level]:
    """The levels of all stages in random order, each once; without end if some are fresh."""
    puzzle, random = config.puzzle, np.random.default_rng(config.seed)
    stages = [Stage(puzzle, text, config.seed) for text in config.stages]
    seen: set[str] = set()
    for window in itertools.count():
        steps = window * BLOCKS * PERIOD
        levels = {level.name: level for stage in stages for level in stage.levels(steps)}
        new = [level for name, level in levels.items() if name not in seen]
        if not new:
            return
        seen |= levels.keys()
        yield from (new[number] for number in random.permutation(len(new)).tolist())


def _some(shown: Iterator[Demonstration], actions: int) -> list[Demonstration]:
    """The next demonstrations, of this many actions or slightly more."""
    found: list[Demonstration] = []
    count = 0
    for one in shown:
        if one.actions:
            found.append(one)
            count += len(one.actions)
        if count >= actions:
            break
    return found


def learn(model: Any, pairs: Pairs, random: np.random.Generator, *, valued: bool) -> None:
    """One update of an on-policy model of Stable-Baselines3.

    Args:
        model: The model.
        pairs: What was demonstrated.
        random: Of the order.
        valued: Whether the returns are those of the run's reward, for the value to learn from.
    """
    policy, count = model.policy, len(pairs.actions)
    batch = getattr(model, "batch_size", BATCH)
    takes_masks = isinstance(policy, MaskableActorCriticPolicy)
    policy.set_training_mode(True)
    columns = [torch.from_numpy(column) for column in pairs]
    for _ in range(getattr(model, "n_epochs", 1)):
        order = random.permutation(count)
        for start in range(0, count, batch):
            chosen = torch.from_numpy(order[start : start + batch])
            planes, masks, actions, returns = (column[chosen] for column in columns)
            masked = {"action_masks": masks} if takes_masks else {}
            values, likelihood, entropy = policy.evaluate_actions(planes, actions, **masked)
            loss = -likelihood.mean() - model.ent_coef * entropy.mean()
            if valued:
                loss = loss + model.vf_coef * functional.mse_loss(values.flatten(), returns)
            policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
            policy.optimizer.step()

"""Evaluation of policies by set: tiers used in training, and others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from puzzle_agents.demonstrations import EXPANSIONS, Teacher
from puzzle_agents.learning.evaluation import Evaluation, any_legal, evaluate
from puzzle_agents.learning.levels import unseen_levels
from puzzle_agents.learning.model_file import Model
from puzzle_agents.statistics import wilson
from puzzle_agents.table import Table, columns
from puzzle_envs.level import Level

HEADS = (
    "set", "trained on", "who", "greedily, %", "95 %", "in 1, %", "95 %", "in {samples}, %", "95 %",
    "moves / optimum",
)  # fmt: skip


class Tier(NamedTuple):
    """A policy's results on a set."""

    name: str
    trained: bool | None
    """Whether the policy was trained on levels of this bin; None: its card does not say."""
    greedily: Evaluation
    """One episode of the likeliest actions."""
    sampled: Evaluation


def tier_of(model: Model, name: str, *, samples: int = 10, seed: int = 0) -> Tier:
    """Play a set, or new levels, greedily once, and several times by sampling."""
    puzzle, longest = model.card.puzzle, model.card.longest(1000)
    levels = unseen_levels(puzzle, name)
    fitting = model.for_levels(levels)
    found = [
        evaluate(
            fitting.scores,
            puzzle,
            levels,
            room=fitting.card.room,
            sides=fitting.sides,
            samples=1 if greedily else samples,
            longest=longest,
            hottest=model.card.hottest,
            greedily=greedily,
            seed=seed,
        )
        for greedily in (True, False)
    ]
    return Tier(name, _was_trained_on(model, name), *found)


def _was_trained_on(model: Model, name: str) -> bool | None:
    """Whether a stage of its training had this bin."""
    stages = model.card.training.get("stages")
    if not stages:
        return None
    return re.split(r"[\s/]", name)[-1] in re.split(r"[\s+/]", " ".join(stages))


def table_of(
    models: Sequence[tuple[str, Model]],
    sets: Sequence[str],
    agents: Sequence[str] = (),
    *,
    samples: int = 10,
    expansions: int = EXPANSIONS,
    seed: int = 0,
) -> Table:
    """A row for each policy, for random play and for each agent, on each set.

    Args:
        models: The policies, with their names.
        sets: Sets of levels, or new ones (`levels.unseen_levels`).
        agents: Search agents to compare with.
        samples: Episodes on each level.
        expansions: Limit of a search.
        seed: Random seed.
    """
    heads = columns([head.format(samples=samples) for head in HEADS], names=3)
    limit = (
        f"Searches, under 'in 1', may take {expansions:,} expansions a level. " if agents else ""
    )
    remark = f"{limit}Intervals are Wilson's; moves are those of the best episode of each level."
    table = Table("Levels solved, by set", heads, grouped=True, remarks=[remark])
    for name in sets:
        for row in _rows(models, name, agents, samples, expansions, seed):
            table.add(*row)
    return table


def _rows(
    models: Sequence[tuple[str, Model]],
    name: str,
    agents: Sequence[str],
    samples: int,
    expansions: int,
    seed: int,
) -> Iterator[list[str]]:
    for label, model in models:
        tier = tier_of(model, name, samples=samples, seed=seed)
        figures = [
            *_share(tier.greedily, 1),
            *_share(tier.sampled, 1),
            *_share(tier.sampled, samples),
        ]
        trained = {True: "yes", False: "no", None: "?"}[tier.trained]
        yield [name, trained, label, *figures, f"{tier.sampled.over_optimum:.3f}"]
    card = models[0][1].card
    levels = unseen_levels(card.puzzle, name)
    play = evaluate(
        any_legal, card.puzzle, levels, samples=samples, longest=card.longest(1000), seed=seed
    )
    shares = [*_share(play, 1), *_share(play, samples)]
    yield [name, "", "random play", "", "", *shares, f"{play.over_optimum:.3f}"]
    for agent in agents:
        teacher = Teacher.of(agent, card.env, card.options, expansions=expansions, seed=seed)
        yield [name, "", agent, "", "", *_searched(teacher, levels)]


def _searched(teacher: Teacher, levels: Sequence[Level]) -> list[str]:
    """The share of levels that a search solves, and its moves relative to the optimum."""
    shown = list(teacher.demonstrations(levels))
    over = [one.moves / one.level.optimum for one in shown if one.level.optimum]
    low, high = wilson(len(shown), len(levels))
    share = [_percent(len(shown) / len(levels)), f"{_percent(low)} to {_percent(high)}"]
    return [*share, "", "", f"{np.mean(over):.3f}" if over else "nan"]


def _share(found: Evaluation, samples: int) -> list[str]:
    low, high = found.interval(samples)
    return [_percent(found.rate(samples)), f"{_percent(low)} to {_percent(high)}"]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"

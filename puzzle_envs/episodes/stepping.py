"""The loops over episodes, compiled once for every puzzle.

An environment is a batch of one episode, a vector environment a batch of many; both run these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.compiled import compiled, inlined, kernel, rare_kernel
from puzzle_envs.level import record_dtype
from puzzle_envs.states.tables import mixed
from puzzle_envs.verbs import (
    apply,
    canonical,
    effort,
    fitness,
    forfeit,
    legal,
    observe,
    scenery,
    solved,
    start,
    valid,
)

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2
"""What happens when an episode is over, as in gymnasium.vector.AutoresetMode."""

MOVES, SPARSE, DENSE = 0, 1, 2
"""The rewards."""

RESUME, KEEP, DRAW = -3, -2, -1
"""In the place of a level's number: go on from a state that was put there; leave the episode as it
is; draw a level."""

EPISODE = record_dtype(
    [
        ("level", np.int64),
        ("moves", np.int32),
        ("effort", np.int32),
        ("steps", np.int64),
        ("first_fitness", np.float64),
        ("fitness", np.float64),
        ("stream", np.uint64),  # what the levels of an episode's place are drawn from
        ("drawn", np.uint64),  # how many were
        ("illegal_moves", np.int32),
        ("over", np.bool_),
    ]
)
"""What is known of a running episode beside its state: 64 bytes, a line of the cache."""

OUTCOME = record_dtype(
    [
        ("reward", np.float64),
        ("fitness", np.float64),
        ("moves", np.int32),
        ("effort", np.int32),
        ("illegal_moves", np.int32),
        ("level", np.int64),
        ("terminated", np.bool_),
        ("truncated", np.bool_),
        ("solved", np.bool_),
        ("lost", np.bool_),
        ("illegal", np.bool_),
    ]
)
"""What a step tells beside the observation and the mask."""


@inlined
def _draw(episode: Any, levels: int) -> int:
    """The next level of this episode's own stream, whatever other episodes do."""
    episode.drawn += np.uint64(1)
    word = mixed(episode.stream + episode.drawn * np.uint64(0x9E3779B97F4A7C15))
    return np.int64((word >> np.uint64(32)) * np.uint64(levels) >> np.uint64(32))


@compiled
def _begin(levels: Any, choices: int, chosen: int, episode: Any, state: Any) -> None:
    episode.level = _draw(episode, choices) if chosen == DRAW else chosen
    episode.moves = 0
    episode.effort = 0
    episode.illegal_moves = 0
    episode.steps = 0
    episode.over = False
    start(levels[episode.level], state)
    episode.fitness = fitness(levels[episode.level], state)
    episode.first_fitness = episode.fitness


@inlined
def _show(level: Any, template: Any, state: Any, planes: Any, mask: Any) -> int:
    """Write observation and mask; return how many actions are legal."""
    for cell in range(planes.size):
        planes[cell] = template[cell]
    observe(level, state, planes)
    return legal(level, state, mask)


@inlined
def _fitness(level: Any, episode: Any, state: Any, is_lost: bool) -> float:
    """A lost game gives back what was gained."""
    return episode.first_fitness if is_lost else fitness(level, state)


@inlined
def _do_nothing(outcome: Any) -> None:
    """Say that nothing was earned and nothing has ended."""
    outcome.reward = 0.0
    outcome.terminated = False
    outcome.truncated = False


@inlined
def _look(level: Any, episode: Any, state: Any, legal_actions: int, outcome: Any) -> None:
    """Describe a state that no action has led to."""
    outcome.fitness = episode.fitness
    outcome.moves = episode.moves
    outcome.effort = episode.effort
    outcome.illegal_moves = episode.illegal_moves
    outcome.level = episode.level
    outcome.solved = solved(level, state)
    outcome.lost = not outcome.solved and legal_actions == 0
    outcome.illegal = False


@inlined
def _judge(
    level: Any,
    episode: Any,
    state: Any,
    cost: int,
    legal_actions: int,
    outcome: Any,
    rewarded: int,
    limit: int,
) -> None:
    """Describe what an action has led to."""
    episode.steps += 1
    episode.moves += max(cost, 0)
    episode.illegal_moves += cost < 0
    is_solved = solved(level, state)
    is_lost = not is_solved and legal_actions == 0
    before = episode.fitness
    episode.fitness = _fitness(level, episode, state, is_lost)
    if rewarded == MOVES:
        outcome.reward = -abs(cost) - (forfeit(level) if is_lost else 0)
    elif rewarded == SPARSE:
        outcome.reward = is_solved
    else:
        outcome.reward = episode.fitness - before
    outcome.fitness = episode.fitness
    outcome.moves = episode.moves
    outcome.effort = episode.effort
    outcome.illegal_moves = episode.illegal_moves
    outcome.level = episode.level
    outcome.solved = is_solved
    outcome.lost = is_lost
    outcome.illegal = cost < 0
    outcome.terminated = is_solved or is_lost
    outcome.truncated = limit > 0 and episode.steps >= limit
    episode.over = outcome.terminated or outcome.truncated


@rare_kernel
def paint_scenery(levels: Any, templates: Any) -> None:
    """Write the part of the observation that never changes, for each level."""
    for index in range(templates.shape[0]):
        scenery(levels[index], templates[index])


@kernel
def begin(
    levels: Any,
    templates: Any,
    choices: int,
    chosen: Any,
    episodes: Any,
    states: Any,
    planes: Any,
    masks: Any,
    outcomes: Any,
) -> None:
    """Start episodes anew: each with the level chosen for it, or one drawn from the first few."""
    for index in range(chosen.size):
        episode, state = episodes[index], states[index]
        if chosen[index] >= DRAW:
            _begin(levels, choices, chosen[index], episode, state)
        level, template = levels[episode.level], templates[episode.level]
        count = _show(level, template, state, planes[index], masks[index])
        if chosen[index] == RESUME:
            is_lost = count == 0 and not solved(level, state)
            episode.fitness = _fitness(level, episode, state, is_lost)
        _do_nothing(outcomes[index])
        _look(level, episode, state, count, outcomes[index])


@inlined
def advance_one(
    levels: Any,
    templates: Any,
    choices: int,
    actions: Any,
    episodes: Any,
    states: Any,
    planes: Any,
    masks: Any,
    outcomes: Any,
    rewards: Any,
    ends: Any,
    autoreset: int,
    rewarded: int,
    limit: int,
    index: int,
) -> None:
    """One step of an episode.

    Reward and end are also written as columns: every caller reads them, and if threads share the
    step, reading each cache line that another core wrote is slow.
    """
    episode, state, outcome = episodes[index], states[index], outcomes[index]
    stepping, cost = not episode.over, 0
    if stepping:
        beside = effort(levels[episode.level], state, actions[index])
        cost = apply(levels[episode.level], state, actions[index])
        episode.effort += beside if cost >= 0 else 0
    else:
        _do_nothing(outcome)
        if autoreset == NEXT_STEP:
            _begin(levels, choices, DRAW, episode, state)
    level, template = levels[episode.level], templates[episode.level]
    count = _show(level, template, state, planes[index], masks[index])
    if stepping:
        _judge(level, episode, state, cost, count, outcome, rewarded, limit)
    else:
        _look(level, episode, state, count, outcome)
    rewards[index] = outcome.reward
    ends[0, index] = outcome.terminated
    ends[1, index] = outcome.truncated


@kernel
def advance(
    levels: Any,
    templates: Any,
    choices: int,
    actions: Any,
    episodes: Any,
    states: Any,
    planes: Any,
    masks: Any,
    outcomes: Any,
    rewards: Any,
    ends: Any,
    autoreset: int,
    rewarded: int,
    limit: int,
) -> None:
    """One step of every episode."""
    for index in range(actions.size):
        advance_one(
            levels, templates, choices, actions, episodes, states, planes, masks, outcomes,
            rewards, ends, autoreset, rewarded, limit, index,
        )  # fmt: skip


@kernel
def begin_again(
    levels: Any,
    templates: Any,
    choices: int,
    episodes: Any,
    states: Any,
    planes: Any,
    masks: Any,
    outcomes: Any,
    final_planes: Any,
    final_masks: Any,
    final_outcomes: Any,
    first: int,
    last: int,
) -> None:
    """Begin anew what `advance` has ended (SAME_STEP), and keep how it ended.

    Reward and end stay those of the episode that is over.
    """
    for index in range(first, last):
        episode, state, outcome = episodes[index], states[index], outcomes[index]
        if not episode.over:
            continue
        final_outcomes[index] = outcome
        for cell in range(planes.shape[1]):
            final_planes[index, cell] = planes[index, cell]
        for action in range(masks.shape[1]):
            final_masks[index, action] = masks[index, action]
        _begin(levels, choices, DRAW, episode, state)
        level, template = levels[episode.level], templates[episode.level]
        count = _show(level, template, state, planes[index], masks[index])
        _look(level, episode, state, count, outcome)


@kernel
def first_outside(actions: Any, count: int) -> int:
    """The first episode whose action is not from 0 to count - 1; -1 where all are."""
    wrong = 0
    for index in range(actions.size):
        wrong |= np.int64(actions[index] < 0) | np.int64(actions[index] >= count)
    if wrong:
        for index in range(actions.size):
            if not 0 <= actions[index] < count:
                return index
    return -1


@kernel
def mark_legal(levels: Any, index: int, state: Any, mask: Any) -> None:
    """Write the legal actions of a state."""
    legal(levels[index], state, mask)


@rare_kernel
def is_valid(levels: Any, index: int, state: Any) -> bool:
    """Whether a state is one of this level's."""
    return valid(levels[index], state)


@kernel
def make_canonical(levels: Any, index: int, state: Any) -> None:
    """Put a state in the form that it shares with those that differ from it for nothing."""
    canonical(levels[index], state)


@kernel
def sample_legal(masks: Any, seed: int, actions: Any) -> int:
    """Write a uniformly random legal action for each mask (0 where none is); return a new seed."""
    word = np.uint64(seed)
    for index in range(actions.size):
        mask = masks[index]
        count = 0
        for action in range(mask.size):
            count += mask[action]
        word += np.uint64(0x9E3779B97F4A7C15)
        rank = np.int64((mixed(word) >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))
        actions[index] = 0
        for action in range(mask.size):
            if mask[action]:
                if rank == 0:
                    actions[index] = action
                    break
                rank -= 1
    return np.int64(word >> np.uint64(1))

"""The loops over episodes, compiled once for every puzzle.

An environment is a batch of one episode, a vector environment a batch of many.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.episodes.bundles import End, Frame, Mode, Running
from puzzle_envs.kernels.compiled import compiled, inlined, kernel, rare_kernel
from puzzle_envs.level import record_dtype
from puzzle_envs.states.tables import mixed
from puzzle_envs.verbs import (
    canonical,
    fitness,
    forfeit,
    legal,
    play,
    scenery,
    show,
    solved,
    start,
    valid,
)

NEXT_STEP, SAME_STEP, DISABLED, CHOSEN = 0, 1, 2, 3
"""What happens when an episode is over, as in gymnasium.vector.AutoresetMode; or with CHOSEN to
every episode, as `actions` says, which are then levels: one kernel for both compiles in half the
time of two."""

MOVES, SPARSE, DENSE = 0, 1, 2
"""The rewards."""

RESUME, KEEP, DRAW = -3, -2, -1
"""Instead of a level's number: continue from a state just set; leave the episode as it is; draw a
level."""

EPISODE = record_dtype(
    [
        ("level", np.int64),
        ("moves", np.int32),
        ("effort", np.int32),
        ("steps", np.int64),
        ("first_fitness", np.float64),
        ("fitness", np.float64),
        ("stream", np.uint64),  # the random stream of levels
        ("drawn", np.uint64),  # levels drawn from it
        ("illegal_moves", np.int32),
        ("over", np.bool_),
    ]
)
"""The data of a running episode besides its state: 64 bytes, a cache line."""

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
"""The results of a step besides the observation and the mask."""


@inlined
def _draw(episode: Any, levels: int) -> int:
    """The next level of this episode's own random stream."""
    episode.drawn += np.uint64(1)
    word = mixed(episode.stream + episode.drawn * np.uint64(0x9E3779B97F4A7C15))
    return np.int64((word >> np.uint64(32)) * np.uint64(levels) >> np.uint64(32))


@compiled
def _begin(running: Running, chosen: int, index: int) -> None:
    """Start an episode on the chosen level, or on a drawn one."""
    levels, episode, state = running.levels, running.episodes[index], running.states[index]
    episode.level = _draw(episode, running.choices) if chosen == DRAW else chosen
    episode.moves = 0
    episode.effort = 0
    episode.illegal_moves = 0
    episode.steps = 0
    episode.over = False
    start(levels[episode.level], state)
    episode.fitness = fitness(levels[episode.level], state)
    episode.first_fitness = episode.fitness


@inlined
def _show(running: Running, frame: Frame, index: int) -> int:
    """Write observation and mask; return how many actions are legal."""
    number, state = running.episodes[index].level, running.states[index]
    level, template = running.levels[number], running.templates[number]
    return show(level, template, state, frame.planes[index], frame.masks[index])


@inlined
def _fitness(level: Any, episode: Any, state: Any, is_lost: bool) -> float:
    """The fitness of a state; a lost episode falls back to its first fitness."""
    return episode.first_fitness if is_lost else fitness(level, state)


@inlined
def _do_nothing(outcome: Any) -> None:
    """Clear reward and ends."""
    outcome.reward = 0.0
    outcome.terminated = False
    outcome.truncated = False


@inlined
def _look(level: Any, episode: Any, state: Any, legal_actions: int, outcome: Any) -> None:
    """Write the outcome of an episode that did not step."""
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
    mode: Mode,
) -> None:
    """Write the outcome of an action."""
    episode.steps += 1
    episode.moves += max(cost, 0)
    episode.illegal_moves += cost < 0
    is_solved = solved(level, state)
    is_lost = not is_solved and legal_actions == 0
    before = episode.fitness
    episode.fitness = _fitness(level, episode, state, is_lost)
    if mode.rewarded == MOVES:
        outcome.reward = -abs(cost) - (forfeit(level) if is_lost else 0)
    elif mode.rewarded == SPARSE:
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
    outcome.truncated = mode.limit > 0 and episode.steps >= mode.limit
    episode.over = outcome.terminated or outcome.truncated


@rare_kernel
def paint_scenery(levels: Any, templates: Any) -> None:
    """Write the constant part of the observation of each level."""
    for index in range(templates.shape[0]):
        scenery(levels[index], templates[index])


@inlined
def advance_one(
    running: Running, actions: Any, frame: Frame, end: End, mode: Mode, index: int
) -> None:
    """One step of an episode, or its beginning.

    Reward and end are also written as columns: every caller reads them, and cache lines written by
    another core are slow to read.
    """
    episode, state = running.episodes[index], running.states[index]
    outcome = frame.outcomes[index]
    stepping, cost = not episode.over and mode.autoreset != CHOSEN, 0
    chosen = KEEP
    if stepping:
        cost, beside = play(running.levels[episode.level], state, actions[index])
        episode.effort += beside
    else:
        _do_nothing(outcome)
        if mode.autoreset == CHOSEN:
            chosen = actions[index]
        elif mode.autoreset == NEXT_STEP:
            chosen = DRAW
        if chosen >= DRAW:
            _begin(running, chosen, index)
    count = _show(running, frame, index)
    level = running.levels[episode.level]
    if stepping:
        _judge(level, episode, state, cost, count, outcome, mode)
    else:
        if chosen == RESUME:
            is_lost = count == 0 and not solved(level, state)
            episode.fitness = _fitness(level, episode, state, is_lost)
        _look(level, episode, state, count, outcome)
    end.rewards[index] = outcome.reward
    end.flags[0, index] = outcome.terminated
    end.flags[1, index] = outcome.truncated


@kernel
def advance(
    levels: Any,
    templates: Any,
    choices: int,
    episodes: Any,
    states: Any,
    actions: Any,
    planes: Any,
    masks: Any,
    outcomes: Any,
    rewards: Any,
    ends: Any,
    autoreset: int,
    rewarded: int,
    limit: int,
) -> None:
    """One step of every episode, or with CHOSEN its beginning.

    Its arguments are not bundled, because it is called at every step and numba takes a microsecond
    to unpack a bundle.
    """
    running = Running(levels, templates, choices, episodes, states)
    frame, end = Frame(planes, masks, outcomes), End(rewards, ends)
    mode = Mode(autoreset, rewarded, limit)
    for index in range(actions.size):
        advance_one(running, actions, frame, end, mode, index)


@kernel
def begin_again(running: Running, frame: Frame, finals: Frame, first: int, last: int) -> None:
    """Restart the episodes that ended at this step (SAME_STEP), and keep their last frame.

    Reward and end remain those of the episode that ended.
    """
    for index in range(first, last):
        episode, state = running.episodes[index], running.states[index]
        if not episode.over:
            continue
        finals.outcomes[index] = frame.outcomes[index]
        for cell in range(frame.planes.shape[1]):
            finals.planes[index, cell] = frame.planes[index, cell]
        for action in range(frame.masks.shape[1]):
            finals.masks[index, action] = frame.masks[index, action]
        _begin(running, DRAW, index)
        count = _show(running, frame, index)
        _look(running.levels[episode.level], episode, state, count, frame.outcomes[index])


@kernel
def first_outside(actions: Any, count: int) -> int:
    """The first episode whose action is not from 0 to count - 1; -1 if there is none."""
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
    """Change a state to its canonical form."""
    canonical(levels[index], state)


@kernel
def sample_legal(masks: Any, seed: int, actions: Any) -> int:
    """Write a uniformly random legal action for each mask (0 without one); return a new seed."""
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

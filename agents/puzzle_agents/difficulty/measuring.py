"""Measures how hard a level is, by the verbs of its puzzle and two plain searches.

docs/levels.md defines the figures.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

import numpy as np

from puzzle_agents.agent import Budget, Status
from puzzle_agents.difficulty.figures import Figures
from puzzle_agents.environments import make_env
from puzzle_agents.registry import make
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level, Words
from puzzle_envs.states.chance import any_legal, new_chance
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.paths import is_solved
from puzzle_envs.verbs import LevelRecord, Mask, apply, legal, solved, start

EPISODES = 10
"""Number of random episodes per level."""
MEMORY = 2**30
SLICE = 32
"""Expansions between two checks of the number of states."""


class Limits(NamedTuple):
    """The limits of measuring; what exceeds them is not counted."""

    expansions: int = 10_000
    """Expansions of each search."""
    transitions: int = 500_000
    """Transitions of each heuristic search, as in the suite `standard`."""
    states: int = 100_000
    """States of each breadth-first search."""
    actions: int = 1_000
    """Actions of a random episode."""
    proof: int = 500
    """Expansions of the search that proves a state dead."""
    proof_states: int = 10_000
    """States of that search."""


@kernel
def play(levels: LevelRecord, trail: Any, mask: Mask, chance: Any) -> int:
    """Play at random until the end, or until the trail of states is full; return the actions."""
    level = levels[0]
    start(level, trail[0])
    for number in range(1, len(trail)):
        choices = 0 if solved(level, trail[number - 1]) else legal(level, trail[number - 1], mask)
        if choices == 0:
            return number - 1
        copy_words(trail[number - 1], trail[number])
        apply(level, trail[number], any_legal(chance, mask, choices))
    return len(trail) - 1


def measure(id: str, level: Level, limits: Limits) -> Figures:
    """The figures of a level of an environment."""
    env = make_env(id, level)
    states, branching = _within_optimum(env, limits)
    episodes, fragility, irreversibility = (
        (None, None, None) if level.solvable is False else _played(env, limits)
    )
    return Figures(
        states=states,
        branching=branching,
        episodes=episodes,
        fragility=fragility,
        irreversibility=irreversibility,
        astar=_expansions("astar", env, limits),
        greedy=_expansions("greedy", env, limits),
    )


def _within_optimum(env: PuzzleEnv, limits: Limits) -> tuple[int | None, float]:
    """The number of states no farther than the nearest solution, and their mean branching."""
    search = Exploration(env.puzzle, env.record, max_bytes=MEMORY, pruned=False)
    over = _explore(search, limits)
    if over and search.solved:  # the rest of the layer
        over = _explore(search, limits, sum(search.layers[:-1]))
    branching = search.generated / max(search.expanded, 1)
    return search.unique if over else None, round(branching, 2)


def _explore(search: Exploration, limits: Limits, until: int | None = None) -> bool:
    """Expand states up to a number, or else to a solution; return whether the limits allow it."""
    while search.expanded < limits.expansions and search.unique < limits.states:
        if until is None:
            over = search.run(SLICE)
        else:
            search.run(min(SLICE, until - search.expanded), to_solution=False)
            over = search.expanded >= until
        if over or search.out_of_memory:
            return not search.out_of_memory
    return False


def _played(env: PuzzleEnv, limits: Limits) -> tuple[int | None, float, float | None]:
    """The first solved random episode, the share that ends in dead ends, and irreversibility."""
    words, mask = env.puzzle.format.words(env.level.record), np.zeros(env.action_space.n, np.int8)
    trail = np.zeros((limits.actions + 1, words), np.uint64)
    chance = new_chance(zlib.crc32(env.level.name.encode()))
    first, wasted = None, []
    for episode in range(1, EPISODES + 1):
        actions = play(env.record, trail, mask, chance)
        if is_solved(env.record, trail[actions]):
            first = first or episode
        elif _is_dead(env, trail[actions], limits):
            alive = _last_alive(env, trail[: actions + 1], limits)
            wasted.append(1 - alive / max(actions, 1))
    irreversibility = round(float(np.mean(wasted)), 4) if wasted else None
    return first, len(wasted) / EPISODES, irreversibility


def _last_alive(env: PuzzleEnv, trail: Words, limits: Limits) -> int:
    """The number of actions after which the level was last solvable, found by bisection."""
    alive, dead = 0, len(trail) - 1
    while dead - alive > 1:
        middle = (alive + dead) // 2
        if _is_dead(env, trail[middle], limits):
            dead = middle
        else:
            alive = middle
    return alive


def _is_dead(env: PuzzleEnv, state: Words, limits: Limits) -> bool:
    """Whether a state is proved to be a dead end."""
    if env.puzzle.reversible:
        return False
    search = Exploration(env.puzzle, env.record, state, MEMORY)
    _explore(search, limits._replace(expansions=limits.proof, states=limits.proof_states))
    return search.exhausted and not search.solved


def _expansions(agent: str, env: PuzzleEnv, limits: Limits) -> int | None:
    """The expansions in which an agent decides the level; None if the limit is reached."""
    budget = Budget(None, MEMORY, limits.expansions, limits.transitions)
    result = make(agent, budget=budget).solve(env)
    return result.expanded if result.status in (Status.SOLVED, Status.UNSOLVABLE) else None

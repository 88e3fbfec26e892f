"""Scripts of moves for Zen Puzzle Garden as the paper encodes them (section IV-D), compiled.

A script is a row of clauses. A clause is an entrance, counted from 0, and pairs of genes: how often
to push an ornament ahead, and which of two turns to take, 0 for the first and 1 for the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.states.chance import below, happens
from puzzle_envs.verbs import apply, fitness, solved
from puzzle_envs.zen_garden.motion import AHEAD, LEFT, RIGHT, choosing, go, lock_of, may_go, monk_at

SAND_SHARE = 200.0
"""What raking all the sand is worth, and what making no move is worth."""
FULL = 300.0
"""What a solution is worth."""


@compiled
def _walk(level: Any, state: Any, pairs: Any, actions: Any, done: int) -> int:
    """Walk from stop to stop, to the perimeter or a dead end; append the actions to the first ones.

    Where there is only one choice (rule 9) no pair is used up; after the last pair comes the first.
    Returns the number of actions.
    """
    at = 0
    monk = monk_at(state)
    while monk >= 0:
        lock = lock_of(level, state)
        ahead = level.has_ornaments and may_go(level, state, monk, AHEAD, lock)
        left = may_go(level, state, monk, LEFT, lock)
        right = may_go(level, state, monk, RIGHT, lock)
        if not (ahead or left or right):
            return done
        if ahead and (left or right):
            pushes = np.int64(pairs[at])
            while pushes > 0 and ahead:
                go(level, state, monk, AHEAD)
                actions[done] = choosing(level.entrances, AHEAD)
                done += 1
                pushes -= 1
                monk, lock = monk_at(state), lock_of(level, state)
                ahead = may_go(level, state, monk, AHEAD, lock)
            left = may_go(level, state, monk, LEFT, lock)
            right = may_go(level, state, monk, RIGHT, lock)
            second = pairs[at + 1] != 0
            at = at + 2 if at + 2 < pairs.size else 0
        elif left and right:
            second = pairs[at + 1] != 0
            at = at + 2 if at + 2 < pairs.size else 0
        else:
            second = False
        if left or right:
            choice = RIGHT if right and (second or not left) else LEFT
        elif ahead:
            choice = AHEAD
        else:
            return done
        go(level, state, monk, choice)
        actions[done] = choosing(level.entrances, choice)
        done += 1
        monk = monk_at(state)
    return done


@compiled
def _perform(level: Any, state: Any, script: Any, length: int, actions: Any) -> tuple[int, int]:
    """Play a script from a state; return the moves made and the number of actions.

    A clause whose entrance is closed is skipped. A monk who begins on sand finishes that walk by
    the pairs of the first clause, at no cost. After a dead end he is still on sand.
    """
    moves = done = 0
    for first in range(0, script.size, length):
        cost = 0
        if monk_at(state) < 0:
            cost = apply(level, state, script[first])
            if cost < 0:
                continue
            actions[done] = script[first]
            done += 1
        moves += cost
        done = _walk(level, state, script[first + 1 : first + length], actions, done)
        if monk_at(state) >= 0:
            break
    return moves, done


@kernel
def perform(levels: Any, state: Any, script: Any, length: int, actions: Any) -> int:
    """Play a script and write its actions; return how many, or -1 if it does not solve."""
    _, done = _perform(levels[0], state, script, length, actions)
    return done if solved(levels[0], state) else -1


@kernel
def score(
    levels: Any,
    start: Any,
    scripts: Any,
    length: int,
    state: Any,
    actions: Any,
    moves: Any,
    scores: Any,
) -> None:
    """Write each script's fitness, and the moves in which it solves the level or -1.

    A dead end is worth nothing. `state` and `actions` are scratch.
    """
    level = levels[0]
    clauses = scripts.shape[1] // length
    for index in range(scripts.shape[0]):
        copy_words(start, state)
        made, _ = _perform(level, state, scripts[index], length, actions)
        spared = (clauses - made) * (SAND_SHARE / clauses)
        moves[index], scores[index] = -1, 0.0
        if solved(level, state):
            moves[index], scores[index] = made, spared + FULL
        elif monk_at(state) < 0:
            scores[index] = spared + SAND_SHARE * fitness(level, state)


@kernel
def mutate_clauses(
    scripts: Any, counts: Any, length: int, rate: float, chance: Any, changed: Any
) -> None:
    """Replace each clause with this probability; note which scripts have changed."""
    for index in range(scripts.shape[0]):
        changed[index] = False
        for first in range(0, scripts.shape[1], length):
            if happens(chance, rate):
                changed[index] = True
                for gene in range(first, first + length):
                    scripts[index, gene] = below(chance, counts[gene])

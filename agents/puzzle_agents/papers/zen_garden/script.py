"""Scripts of moves for Zen Puzzle Garden as the paper encodes them (section IV-D), compiled.

A script is a row of clauses, a clause is an entrance and then pairs: how often to push an ornament
ahead, and which of the available turns to take. An entrance is counted from 0 here, the turns are
0 for the first and 1 for the second; pushes are counted from what the caller says.
"""

from __future__ import annotations

from typing import Any

from puzzle_agents.evolution.chance import below, happens
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.verbs import apply, fitness, solved
from puzzle_envs.zen_garden.rules import AHEAD, LEFT, RIGHT, choosing, go, lock_of, may_go, monk_at

__all__ = [
    "COMPONENT",
    "PRINTED",
    "SKIPPED",
    "ZERO",
    "mutate_clauses",
    "mutate_scripts",
    "perform",
    "score",
]

ZERO, COMPONENT, PRINTED, SKIPPED = range(4)
"""What becomes of a script that leads to a dead end: see `ZenGardenPaperGA`."""

SAND_SHARE = 200.0
"""What all sand raked is worth, and so are moves not made."""
FULL = 300.0
"""What a solution is worth."""


@compiled
def _walk(level: Any, state: Any, pairs: Any, least: int, actions: Any, done: int) -> int:
    """Go on, stop by stop, to the perimeter or a dead end; write the actions from number `done` on.

    A monk with one choice left takes it (rule 9) and no pair is used up. Returns their number.
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
            pushes = pairs[at] + least
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
def _perform(
    level: Any,
    state: Any,
    script: Any,
    length: int,
    least: int,
    dead_end: int,
    before: Any,
    actions: Any,
) -> tuple[int, int]:
    """Do what a script says from a state on; returns the moves made and the number of actions.

    A clause whose entrance is closed is skipped. A monk who begins on sand finishes that walk by
    the pairs of the first clause, at no cost. After a dead end he is on sand.
    """
    moves = done = 0
    for first in range(0, script.size, length):
        pairs = script[first + 1 : first + length]
        copy_words(state, before)
        begun = done
        cost = 0
        if monk_at(state) < 0:
            cost = apply(level, state, script[first])
            if cost < 0:
                continue
            actions[done] = script[first]
            done += 1
        done = _walk(level, state, pairs, least, actions, done)
        if monk_at(state) >= 0:
            if dead_end != SKIPPED:
                return moves + cost, done
            copy_words(before, state)
            done = begun
        else:
            moves += cost
    return moves, done


@kernel
def perform(
    levels: Any,
    state: Any,
    script: Any,
    length: int,
    least: int,
    dead_end: int,
    before: Any,
    actions: Any,
) -> int:
    """Do what a script says and write the actions; return how many, or -1 if it does not solve."""
    _, done = _perform(levels[0], state, script, length, least, dead_end, before, actions)
    return done if solved(levels[0], state) else -1


@kernel
def score(
    levels: Any,
    start: Any,
    scripts: Any,
    length: int,
    least: int,
    dead_end: int,
    states: Any,
    actions: Any,
    moves: Any,
    scores: Any,
) -> None:
    """Write the paper's fitness of each script, and in how many moves it solves the level or -1."""
    level = levels[0]
    state, before = states[0], states[1]
    clauses = scripts.shape[1] // length
    for index in range(scripts.shape[0]):
        copy_words(start, state)
        made, _ = _perform(level, state, scripts[index], length, least, dead_end, before, actions)
        spared = (clauses - made) * (SAND_SHARE / clauses)
        moves[index] = -1
        if solved(level, state):
            moves[index] = made
            scores[index] = spared + FULL
        elif monk_at(state) < 0 or dead_end == PRINTED:
            scores[index] = spared + SAND_SHARE * fitness(level, state)
        else:
            scores[index] = spared if dead_end == COMPONENT else 0.0


@kernel
def mutate_clauses(
    scripts: Any, counts: Any, block: int, rate: float, chance: Any, changed: Any
) -> None:
    """Draw each block of numbers anew with this probability; note which scripts had any."""
    for index in range(scripts.shape[0]):
        changed[index] = False
        for first in range(0, scripts.shape[1], block):
            if happens(chance, rate):
                changed[index] = True
                for gene in range(first, first + block):
                    scripts[index, gene] = below(chance, counts[gene])


@kernel
def mutate_scripts(
    scripts: Any, counts: Any, block: int, rate: float, chance: Any, changed: Any
) -> None:
    """Draw one block of a script anew, in so many scripts; note which."""
    for index in range(scripts.shape[0]):
        changed[index] = happens(chance, rate)
        if changed[index]:
            first = block * below(chance, scripts.shape[1] // block)
            for gene in range(first, first + block):
                scripts[index, gene] = below(chance, counts[gene])

"""Plans: the states that actions lead through, in macro-moves and without loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.search.search import Problem
from puzzle_envs.kernels.bitboards import copy_words, same_words
from puzzle_envs.kernels.compiled import rare_kernel
from puzzle_envs.level import Words
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.paths import moves_through
from puzzle_envs.verbs import State, apply, canonical, solved, successors

NO_MACRO_MOVE, TOO_SHORT = -1, -2
FIRST_ROWS = 1 << 10
Actions = npt.NDArray[np.int64]


class Plan(NamedTuple):
    """A solution in macro-moves, without loops."""

    states: Words
    """The first state, and the canonical one after each move."""
    costs: Actions
    """The cost of reaching each."""
    actions: Actions
    ends: Actions
    """The end of each move among the actions."""

    @property
    def cost(self) -> int:
        """Its cost."""
        return int(self.costs[-1])


@rare_kernel
def group(
    instance: Instance, scratch: Scratch, play: State, trial: State, actions: Actions, states: Words
) -> int:
    """Write the state after each macro-move of the actions; return how many moves there are.

    A move includes the following actions that cost nothing. `play` is the first state; it is
    modified.
    """
    level, form = instance.levels[0], scratch.state
    done, moves = 0, 0
    while done < actions.size:
        found = successors(level, states[moves], scratch.rows, scratch.costs)
        if found < 0:
            return TOO_SHORT
        copy_words(play, trial)
        end, spent, least = done, 0, -1
        for index in range(done, actions.size):
            spent += apply(level, trial, actions[index])
            if least >= 0 and spent > least:
                break
            copy_words(trial, form)
            canonical(level, form)
            for row in range(found):
                if same_words(scratch.rows[row], form) and scratch.costs[row] <= spent:
                    end, least = index + 1, spent
                    copy_words(form, states[moves + 1])
                    break
        if end == done:
            return NO_MACRO_MOVE
        for index in range(done, end):
            apply(level, play, actions[index])
        done, moves = end, moves + 1
    return moves


@rare_kernel
def drop(
    levels: Any, state: State, trial: State, actions: Actions, place: int, kept: Actions
) -> int:
    """Write the actions from `place` + 1 on that are legal without the one at `place`.

    `state` is the one before it. Returns how many solve the level, or -1 if they do not.
    """
    count = 0
    copy_words(state, trial)
    for index in range(place + 1, actions.size):
        if solved(levels[0], trial):
            break
        if apply(levels[0], trial, actions[index]) >= 0:
            kept[count] = actions[index]
            count += 1
    return count if solved(levels[0], trial) else -1


@rare_kernel
def advance(levels: Any, state: State, action: int) -> int:
    """Apply an action."""
    return apply(levels[0], state, action)


def without(problem: Problem, actions: Actions, state: Words, place: int) -> Actions | None:
    """A cheaper plan without the action at a place, if the others then solve the level.

    Args:
        problem: The level.
        actions: The plan.
        state: The state before the action; it becomes the one after it if the action is needed.
        place: The action's place in the plan.
    """
    kept = np.empty_like(actions)
    count = drop(problem.record, state, np.empty_like(state), actions, place, kept)
    if count >= 0:
        shorter = np.concatenate([actions[:place], kept[:count]])
        if problem.cost(shorter) < problem.cost(actions):
            return shorter
    advance(problem.record, state, actions[place])
    return None


def plan_of(problem: Problem, given: Actions) -> Plan | None:
    """A solution as a plan; None if its actions do not form macro-moves."""
    states = np.empty((len(given) + 1, problem.start.size), np.uint64)
    rows, moves = FIRST_ROWS, TOO_SHORT
    while moves == TOO_SHORT:
        states[0] = problem.start
        scratch, trial = Scratch.of(problem.start.size, rows), np.empty_like(problem.start)
        moves = group(problem.instance, scratch, problem.start.copy(), trial, given, states)
        rows *= 2
    return None if moves < 0 else plan_through(problem, list(states[1 : moves + 1]))


def plan_through(problem: Problem, path: Sequence[Words]) -> Plan:
    """The plan through canonical states, excluding the first, with loops removed."""
    states = _without_loops([problem.start, *path])
    moves, _ = moves_through(problem.instance._replace(merged=False), problem.start, states[1:])
    state, costs = problem.start.copy(), [0]
    ends: list[int] = []
    for move in moves:
        costs.append(costs[-1] + sum(advance(problem.record, state, action) for action in move))
        ends.append((ends[-1] if ends else 0) + len(move))
    actions = [action for move in moves for action in move]
    return Plan(np.array(states), *(np.array(row, np.int64) for row in (costs, actions, ends)))


def _without_loops(states: Sequence[Words]) -> list[Words]:
    last = {state.tobytes(): place for place, state in enumerate(states)}
    kept, place = [], 0
    while place < len(states):
        place = last[states[place].tobytes()]
        kept.append(states[place])
        place += 1
    return kept

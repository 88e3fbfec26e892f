"""Plans for Zen Puzzle Garden that waste no clause, compiled.

A plan is a row of clauses; a clause is nine numbers from 0 to 255: a face, and a choice for each of
eight stops (who stops more often begins again with the first). The face is the first one from there
on, clockwise, by which a move is possible. So every clause is a move, whatever came before it.

A move is possible if it ends on the perimeter of a garden that is not proved lost. A walk that ends
otherwise is taken back to the last stop at which there was another choice, and the plan is
rewritten to say what was done.

Choices are not equally likely: most who can push an ornament ahead should, and few who can step out
sideways.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzle_agents.evolution.chance import below, happens
from puzzle_envs.bitboards import copy_words
from puzzle_envs.compiled import compiled, kernel
from puzzle_envs.verbs import NEVER, apply, estimate, fitness, hopeless, solved
from puzzle_envs.zen_garden.rules import AHEAD, _go, _lock, _may, _monk, _room, _turned

__all__ = [
    "CLAUSE",
    "COLUMNS",
    "FULL",
    "MOVE",
    "VALUES",
    "carry_out",
    "least_moves",
    "play",
    "vary",
]

STOPS = 8
CLAUSE = 1 + STOPS
"""Numbers of a clause."""
VALUES = 256

PUSH, TURN, STEP_OUT = 6, 2, 1
"""How likely the choices are, in proportion."""

FULL, MOVE, SAND_SHARE = 300.0, 10.0, 200.0
"""What a solution is worth, a move costs, and all sand is worth."""

MOST_BACK = 64
"""How often a walk is taken back before another face is tried."""

COLUMNS = 6
"""What is noted of a stop: actions before it, the choice made, those left, three likelihoods."""
DONE, MADE, LEFT_OVER, WEIGHTS = range(4)

REFUSED, REFUSABLE = 0, 1
"""Of a tally: moves that the estimate refused, and how many it may."""
ALL = 2**62


@compiled
def _note_choices(level: Any, state: Any, monk: int, stop: Any) -> int:
    """Write how likely each choice is; returns how many there are."""
    lock = _lock(level, state)
    row, column = monk >> 6, (monk >> 2) & 15
    count = 0
    for choice in range(3):
        weight = 0
        if _may(level, state, monk, choice, lock):
            count += 1
            room, _ = _room(level, row, column, _turned(monk & 3, choice))
            weight = PUSH if choice == AHEAD else TURN if room > 0 else STEP_OUT
        stop[WEIGHTS + choice] = weight
    return count


@compiled
def _chosen(stop: Any, number: int) -> int:
    """The choice that a number from 0 to 255 stands for."""
    total = stop[WEIGHTS] + stop[WEIGHTS + 1] + stop[WEIGHTS + 2]
    wanted = (number * total) >> 8
    choice = 0
    while wanted >= stop[WEIGHTS + choice]:
        wanted -= stop[WEIGHTS + choice]
        choice += 1
    return choice


@compiled
def _number_for(stop: Any, choice: int) -> int:
    """A number that stands for a choice."""
    total = stop[WEIGHTS] + stop[WEIGHTS + 1] + stop[WEIGHTS + 2]
    before = 0
    for other in range(choice):
        before += stop[WEIGHTS + other]
    return (VALUES * before + VALUES * stop[WEIGHTS + choice] // 2) // total


@compiled
def _another(stop: Any) -> int:
    """The next choice after the one that was made."""
    choice = stop[MADE]
    while True:
        choice = choice + 1 if choice < 2 else 0
        if stop[WEIGHTS + choice] > 0:
            return choice


@compiled
def _walk(
    level: Any,
    findings: Any,
    state: Any,
    clause: Any,
    saved: Any,
    stops: Any,
    actions: Any,
    done: int,
    tally: Any,
) -> int:
    """Go on to the perimeter; write the actions from number `done` on and return their number.

    -1: no way was found. What the estimate refuses is added to `tally`.
    """
    depth = back = 0
    while True:
        monk = _monk(state)
        if monk >= 0:
            count = _note_choices(level, state, monk, stops[depth])
        else:
            if not hopeless(level, state):
                if estimate(level, findings, state) < NEVER:
                    break
                if tally[REFUSED] == tally[REFUSABLE]:
                    return -1
                tally[REFUSED] += 1
            count = 0
        if count == 0:
            back += 1
            while depth > 0 and stops[depth - 1, LEFT_OVER] == 0:
                depth -= 1
            if depth == 0 or back > MOST_BACK:
                return -1
            copy_words(saved[depth - 1], state)
            monk = _monk(state)
            done = stops[depth - 1, DONE]
            choice = _another(stops[depth - 1])
            stops[depth - 1, LEFT_OVER] -= 1
            stops[depth - 1, MADE] = choice
        else:
            choice = _chosen(stops[depth], clause[1 + depth % STOPS])
            if count > 1:
                copy_words(state, saved[depth])
                stops[depth, DONE] = done
                stops[depth, LEFT_OVER] = count - 1
                stops[depth, MADE] = choice
                depth += 1
        _go(level, state, monk, choice)
        actions[done] = level.entrances + choice
        done += 1
    if back > 0:
        for stop in range(min(depth, STOPS)):
            clause[1 + stop] = _number_for(stops[stop], stops[stop, MADE])
    return done


@compiled
def _move(
    level: Any,
    findings: Any,
    state: Any,
    clause: Any,
    before: Any,
    saved: Any,
    stops: Any,
    actions: Any,
    done: int,
    tally: Any,
) -> int:
    """Make the move of a clause; returns the number of actions, -1 where none is possible."""
    outside = _monk(state) < 0
    faces = 2 * (level.width + level.height) if outside else 1
    face = (clause[0] * faces) >> 8
    copy_words(state, before)
    for turn in range(faces):
        if not outside or apply(level, state, face) >= 0:
            actions[done] = face
            begun = done + 1 if outside else done
            written = _walk(level, findings, state, clause, saved, stops, actions, begun, tally)
            if written >= 0:
                if turn > 0:
                    clause[0] = (VALUES * face + VALUES // 2) // faces
                return written
            copy_words(before, state)
            if tally[REFUSED] == tally[REFUSABLE]:
                return -1
        face = face + 1 if face + 1 < faces else 0
    return -1


@kernel
def least_moves(levels: Any, findings: Any, state: Any) -> int:
    """The estimate, a lower bound on the moves of any solution from here."""
    return estimate(levels[0], findings, state)


@kernel
def carry_out(
    levels: Any,
    findings: Any,
    state: Any,
    plan: Any,
    before: Any,
    saved: Any,
    stops: Any,
    actions: Any,
    tally: Any,
) -> int:
    """Make the moves of a plan until the level is solved; return the actions, or -1."""
    level = levels[0]
    tally[REFUSED], tally[REFUSABLE] = 0, ALL
    done = 0
    for first in range(0, plan.size, CLAUSE):
        if solved(level, state):
            break
        clause = plan[first : first + CLAUSE]
        done = _move(level, findings, state, clause, before, saved, stops, actions, done, tally)
        if done < 0:
            return -1
    return done if solved(level, state) else -1


@kernel
def play(
    levels: Any,
    findings: Any,
    start: Any,
    plans: Any,
    scores: Any,
    standings: Any,
    ends: Any,
    most: int,
    record: Any,
    states: Any,
    saved: Any,
    stops: Any,
    actions: Any,
    tally: Any,
) -> int:
    """Play plans as far as so many evaluations allow, write back what was played, and score it.

    `record` holds the moves of the shortest solution and the number of the plan that it is; only
    shorter ones are looked for. So a solution stands among other plans as if it had not made its
    last move. `ends` are the states in which plans end. Returns the evaluations: a plan is one,
    and so is each move that the estimate refused.
    """
    level = levels[0]
    state, before = states[0], states[1]
    evaluations = 0
    for index in range(plans.shape[0]):
        if evaluations >= most:
            break
        plan = plans[index]
        copy_words(start, state)
        tally[REFUSED], tally[REFUSABLE] = 0, most - evaluations - 1
        moves = 0
        raked = previous = fitness(level, state)
        for first in range(0, plan.size, CLAUSE):
            cost = np.int64(_monk(state) < 0)
            if moves + cost >= record[0] or solved(level, state):
                break
            clause = plan[first : first + CLAUSE]
            if _move(level, findings, state, clause, before, saved, stops, actions, 0, tally) < 0:
                break
            moves += cost
            previous = raked
            raked = fitness(level, state)
        evaluations += 1 + tally[REFUSED]
        copy_words(state, ends[index])
        if solved(level, state):
            record[0], record[1] = moves, index
            scores[index] = FULL - MOVE * moves
            standings[index] = previous
        else:
            scores[index] = SAND_SHARE * raked - FULL
            standings[index] = raked
    return evaluations


@kernel
def vary(plans: Any, clauses: int, shifted: float, inserted: float, chance: Any) -> None:
    """Change each plan once, within so many clauses.

    With these probabilities a clause goes to another place, or a new one is put in and pushes
    those after it back; else a new one takes the place of another.
    """
    for index in range(plans.shape[0]):
        plan = plans[index]
        place, other = below(chance, clauses), below(chance, clauses)
        if happens(chance, shifted):
            step = 1 if other > place else -1
            while place != other:
                for gene in range(CLAUSE):
                    here, there = CLAUSE * place + gene, CLAUSE * (place + step) + gene
                    plan[here], plan[there] = plan[there], plan[here]
                place += step
            continue
        if happens(chance, inserted):
            for gene in range(CLAUSE * clauses - 1, CLAUSE * (place + 1) - 1, -1):
                plan[gene] = plan[gene - CLAUSE]
        for gene in range(CLAUSE * place, CLAUSE * (place + 1)):
            plan[gene] = below(chance, VALUES)

"""Plans for Zen Puzzle Garden in which every clause is a move, compiled.

A plan is a row of clauses; a clause is nine numbers from 0 to 255: a face, and a choice for each of
eight stops (further stops reuse them from the first). The face used is the first from there on,
clockwise, by which a move is possible. So every clause is a move, whatever precedes it.

A move is possible if it ends on the perimeter of a garden that may still be solved in fewer moves
than the best solution (branch and bound). The lower bound of a garden is its estimate, raised where
no move from it was possible; bounds are memoised. A walk that ends on sand without a choice, in a
hopeless garden, or in one whose memoised bound is too high backtracks to the last stop with an
untried choice, and the plan is rewritten to match. A walk that ends in a new garden whose estimate
is too high ends the plan, which is scored without it.

So a plan is scored once, and never ends twice in an exhausted garden.

Choices are weighted: pushing an ornament ahead should be likely, stepping out sideways unlikely.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE, copy_words
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import Words
from puzzle_envs.states.chance import below, happens
from puzzle_envs.states.tables import mixed
from puzzle_envs.verbs import (
    Findings,
    LevelRecord,
    Rows,
    State,
    apply,
    estimate,
    fitness,
    hopeless,
    solved,
)
from puzzle_envs.zen_garden.motion import (
    AHEAD,
    choosing,
    go,
    lock_of,
    may_go,
    monk_at,
    room_ahead,
    turned,
)

STOPS = 8
CLAUSE = 1 + STOPS
"""Numbers per clause."""
VALUES = 256

PUSH, TURN, STEP_OUT = 12, 4, 1
"""Relative weights of the choices."""

FULL, MOVE, SAND_SHARE = 300.0, 10.0, 200.0
"""Score of a solution, penalty of a move, and score of all sand."""

A_MOVE, MOST_MISSED = 0.2, 20
"""Penalty per move of a plan that is not a solution, as a share of the sand, and the most moves
that count."""

MOST_BACK = 1000
"""Maximum number of backtracks before the next face is tried."""

COLUMNS = 6
"""Columns of a stop: actions before it, choice made, choices left, three weights."""
DONE, MADE, LEFT_OVER, WEIGHTS = range(4)

NONE, UNCLEAR, REFUSED = -1, -2, -3
"""Why a move is not made."""

KEY, BOUND = 0, 1
"""Columns of the bounds table; a key is never 0."""
PLACES = 8
"""Slots probed for a garden."""
ODD = np.uint64(0x9E3779B97F4A7C15)

SHORTEST, PLAN, ACTIONS, PROVED = range(4)
"""Columns of the record."""


@compiled
def _note_choices(level: Any, state: Any, monk: int, stop: Any) -> int:
    """Write the weights of the choices; return their number."""
    lock = lock_of(level, state)
    row, column = monk >> 6, (monk >> 2) & 15
    count = 0
    for choice in range(3):
        weight = 0
        if may_go(level, state, monk, choice, lock):
            count += 1
            room, _ = room_ahead(level, row, column, turned(monk & 3, choice))
            weight = PUSH if choice == AHEAD else TURN if room > 0 else STEP_OUT
        stop[WEIGHTS + choice] = weight
    return count


@compiled
def _chosen(stop: Any, number: int) -> int:
    """The choice that a gene from 0 to 255 encodes."""
    total = stop[WEIGHTS] + stop[WEIGHTS + 1] + stop[WEIGHTS + 2]
    wanted = (number * total) >> 8
    choice = 0
    while wanted >= stop[WEIGHTS + choice]:
        wanted -= stop[WEIGHTS + choice]
        choice += 1
    return choice


@compiled
def _number_for(stop: Any, choice: int) -> int:
    """A gene that encodes a choice."""
    total = stop[WEIGHTS] + stop[WEIGHTS + 1] + stop[WEIGHTS + 2]
    before = 0
    for other in range(choice):
        before += stop[WEIGHTS + other]
    return (VALUES * before + VALUES * stop[WEIGHTS + choice] // 2) // total


@compiled
def _another(stop: Any) -> int:
    """The next untried choice."""
    choice = stop[MADE]
    while True:
        choice = choice + 1 if choice < 2 else 0
        if stop[WEIGHTS + choice] > 0:
            return choice


class Known(NamedTuple):
    """What is known of gardens."""

    findings: Findings
    memory: Words
    """Key and lower bound of each garden met."""


class Trail(NamedTuple):
    """The walk of a plan so far, and its backtracking stack."""

    state: State
    before: State
    """The garden before the current move."""
    saved: Rows
    """The gardens at stops with untried choices."""
    stops: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]


class Pool(NamedTuple):
    """Plans and their results; parents first, then children."""

    plans: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.float64]
    standings: npt.NDArray[np.float64]
    """Scores by which plans are ranked."""
    ends: Rows
    """Final gardens."""
    lengths: npt.NDArray[np.int64]
    """Number of moves; -1 for a solution, whose rank is that before its last move."""


class Best(NamedTuple):
    """The shortest solution."""

    record: npt.NDArray[np.int64]
    """Its moves, the number of its plan, its actions, and the lower bound from the start."""
    solution: npt.NDArray[np.int64]


@compiled
def _slot_of(state: Any, memory: Any) -> tuple[int, Any]:
    """The slot of a garden's bound, existing or free, and its key.

    If all slots probed are taken, the last is evicted.
    """
    key = ONE
    for word in range(state.size):
        key = mixed(key + state[word]) + ODD
    key |= ONE
    last = memory.shape[0] - 1
    slot = np.int64(key >> np.uint64(20)) & last
    for _ in range(PLACES - 1):
        if memory[slot, KEY] == key or memory[slot, KEY] == 0:
            break
        slot = (slot + 1) & last
    return slot, key


@compiled
def _knows(state: Any, memory: Any) -> bool:
    """Whether the garden was met before."""
    slot, key = _slot_of(state, memory)
    return bool(memory[slot, KEY] == key)


@compiled
def _bound(level: LevelRecord, known: Known, state: State) -> int:
    """Lower bound on the moves left: the estimate, or the memoised bound."""
    memory = known.memory
    slot, key = _slot_of(state, memory)
    if memory[slot, KEY] != key:
        memory[slot, KEY] = key
        memory[slot, BOUND] = np.uint64(estimate(level, known.findings, state))
    return np.int64(memory[slot, BOUND])


@compiled
def _learn(state: Any, memory: Any, bound: int) -> None:
    """Raise the bound of a garden above its estimate."""
    slot, key = _slot_of(state, memory)
    if memory[slot, KEY] == key:
        memory[slot, BOUND] = max(memory[slot, BOUND], np.uint64(bound))


@compiled
def _walk(level: LevelRecord, known: Known, clause: Any, trail: Trail, done: int, left: int) -> int:
    """Walk to a garden that may still be solved in the moves left.

    Writes the actions from index `done` and returns their number, or NONE: there is no walk;
    UNCLEAR: too many backtracks; REFUSED: the walk reached a new garden whose estimate is too high.
    """
    state, saved, stops = trail.state, trail.saved, trail.stops
    depth = back = 0
    while True:
        monk = monk_at(state)
        if monk >= 0:
            count = _note_choices(level, state, monk, stops[depth])
        else:
            if not hopeless(level, state):
                new = not _knows(state, known.memory)
                if _bound(level, known, state) <= left:
                    break
                if new:
                    return REFUSED
            count = 0
        if count == 0:
            back += 1
            while depth > 0 and stops[depth - 1, LEFT_OVER] == 0:
                depth -= 1
            if depth == 0:
                return NONE
            if back > MOST_BACK:
                return UNCLEAR
            copy_words(saved[depth - 1], state)
            monk = monk_at(state)
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
        go(level, state, monk, choice)
        trail.actions[done] = choosing(level.entrances, choice)
        done += 1
    if back > 0:
        for stop in range(min(depth, STOPS)):
            clause[1 + stop] = _number_for(stops[stop], stops[stop, MADE])
    return done


@compiled
def _move(level: LevelRecord, known: Known, clause: Any, trail: Trail, done: int, left: int) -> int:
    """Make the move of a clause; return the number of actions, negative if none is made."""
    state, before = trail.state, trail.before
    outside = monk_at(state) < 0
    faces = 2 * (level.width + level.height) if outside else 1
    face = (clause[0] * faces) >> 8
    copy_words(state, before)
    result = NONE
    for turn in range(faces):
        if not outside or apply(level, state, face) >= 0:
            trail.actions[done] = face
            begun = done + 1 if outside else done
            written = _walk(level, known, clause, trail, begun, left)
            if written >= 0:
                if turn > 0:
                    clause[0] = (VALUES * face + VALUES // 2) // faces
                return written
            copy_words(before, state)
            if written == REFUSED:
                return REFUSED
            result = min(result, written)
        face = face + 1 if face + 1 < faces else 0
    if result == NONE and outside:
        _learn(before, known.memory, left + 2)
    return result


@kernel
def play(
    levels: np.ndarray,
    known: Known,
    start: State,
    pool: Pool,
    fresh: int,
    best: Best,
    trail: Trail,
) -> int:
    """Play the last `fresh` plans, write back what was played, score and rank them.

    Only shorter solutions than the best are searched for. Returns the number of plans played.
    """
    level, state, record = levels[0], trail.state, best.record
    plans, lengths = pool.plans, pool.lengths
    first_fresh = plans.shape[0] - fresh
    for index in range(first_fresh, plans.shape[0]):
        plan = plans[index]
        copy_words(start, state)
        moves = done = 0
        raked = previous = fitness(level, state)
        for first in range(0, plan.size, CLAUSE):
            cost = np.int64(monk_at(state) < 0)
            left = record[SHORTEST] - 1 - moves - cost
            if left < 0 or solved(level, state):
                break
            clause = plan[first : first + CLAUSE]
            written = _move(level, known, clause, trail, done, left)
            if written < 0:
                break
            done = written
            moves += cost
            previous = raked
            raked = fitness(level, state)
        copy_words(state, pool.ends[index])
        if solved(level, state):
            record[SHORTEST], record[PLAN], record[ACTIONS] = moves, index, done
            for step in range(done):
                best.solution[step] = trail.actions[step]
            pool.scores[index] = FULL - MOVE * moves
            lengths[index] = -1
            pool.standings[index] = previous
        else:
            pool.scores[index] = SAND_SHARE * raked - FULL
            lengths[index] = moves
    record[PROVED] = _bound(level, known, start)
    for index in range(plans.shape[0]):
        if lengths[index] >= 0:
            copy_words(pool.ends[index], state)
            least = min(_bound(level, known, state), MOST_MISSED)
            pool.standings[index] = fitness(level, state) - A_MOVE * (lengths[index] + least)
    return fresh


@kernel
def vary(plans: Any, clauses: int, shifted: float, inserted: float, chance: Any) -> None:
    """Mutate each plan once, within this many clauses.

    With these probabilities a clause is moved, or a new one inserted; otherwise a clause is
    replaced.
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

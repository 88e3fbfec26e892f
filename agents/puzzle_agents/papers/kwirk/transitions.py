"""The paper's state-transitions (4.1.2, 4.1.3), compiled: pushes, combo-pushes, who moves aside.

States here are those of the rules, with every character on the cell where the tasks have left him.
The canonical form is what the paper compares (4.1.1): obstacles and sets of reachable cells, not
which characters are in them, nor where.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import add, bit, copy_words, same_words
from puzzle_envs.kernels.compiled import compiled, kernel, separate
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.motion import ILLEGAL, judge
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOBODY,
    block_at,
    character_at,
    open_holes,
    place,
    put,
    things,
)
from puzzle_envs.kwirk.walking import BOARD, clear, lowest, room_of, touches_exit
from puzzle_envs.kwirk.whole_moves import free_of_things, list_pushes, settle
from puzzle_envs.verbs import Costs, Rows

TAG, TASKS, VIA, KEPT, ACTOR, VOLUNTEERS = range(6)
"""The fields of a step: 4 * cell + direction; the tasks since the state that was opened; the row
that it continues, -1 for that state; whether it is a transition, or only part of one; who pushed;
who moved aside though he was not in the way, a bit for each."""
STEP_FIELDS = 6


class Transitions(NamedTuple):
    """Buffers that `list_transitions` writes, a row for each step."""

    rows: Rows
    """The results."""
    tags: Costs
    steps: npt.NDArray[np.int64]
    keys: Rows
    """The canonical forms of the results."""
    reached: npt.NDArray[np.uint64]
    """The cells that each character reaches."""
    all_leave: npt.NDArray[np.bool_]
    """Whether all characters reach the exit."""

    @classmethod
    def of(cls, words: int, reached: tuple[int, int], count: int) -> Transitions:
        """Room for this many, of states of this many words."""
        return cls(
            np.empty((count, words), np.uint64),
            np.empty(count, np.int64),
            np.empty((count, STEP_FIELDS), np.int64),
            np.empty((count, words), np.uint64),
            np.empty((count, *reached), np.uint64),
            np.empty(count, np.bool_),
        )


# --- states -----------------------------------------------------------------------------------


@separate
def settle_reached(level: Any, state: Any, key: Any, reached: Any) -> bool:
    """Write the canonical form and each character's reachable cells; whether all reach the exit.

    `reached` has a row of words for each character, empty for one who has left.
    """
    free = scratch(BOARD)
    free_of_things(level, state, free)
    all_leave = True
    for character in range(level.characters):
        cell = place(state, character)
        if cell == GONE:
            clear(level, reached[character])
            continue
        room_of(level, free, cell, reached[character])
        if not touches_exit(level, reached[character]):
            all_leave = False
    copy_words(state, key)
    if level.characters > 1:
        settle(level, key)
    elif place(state, 0) != GONE:
        put(key, 0, lowest(level, reached[0]))
    return all_leave


# --- who pushes, who is in the way ------------------------------------------------------------


@compiled
def _first_in_room(level: Any, state: Any, cell: int) -> int:
    """The first character who reaches a cell."""
    free, room = scratch(BOARD), scratch(BOARD)
    free_of_things(level, state, free)
    room_of(level, free, cell, room)
    for character in range(level.characters):
        if place(state, character) != GONE and bit(room, place(state, character)):
            return character
    return NOBODY


@compiled
def _in_the_way(level: Any, state: Any, row: Any, tag: int, landing: int, there: int) -> bool:
    """Whether a character standing `there` must move aside before a push that results in `row`."""
    cell, direction = tag >> 2, tag & 3
    if there == cell or there == landing:
        return True
    after = scratch(BOARD)
    free_of_things(level, row, after)
    if not bit(after, there):
        return True
    blocked, holes = scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    add(blocked, there)
    return judge(level, state, blocked, holes, cell, direction) == ILLEGAL


@compiled
def _let_the_nearest_push(level: Any, state: Any, row: Any, tag: int, pusher: int) -> int:
    """Of several characters that reach the cell, one standing on it pushes; return its number."""
    nearest = character_at(level, state, tag >> 2)
    if nearest == NOBODY or nearest == pusher:
        return pusher
    landing, waiting, own = place(row, pusher), place(row, nearest), place(state, pusher)
    put(row, nearest, landing)
    put(row, pusher, waiting)
    after, room = scratch(BOARD), scratch(BOARD)
    free_of_things(level, row, after)
    room_of(level, after, waiting, room)
    stays = bit(room, own) and character_at(level, row, own) == NOBODY
    if stays and not _in_the_way(level, state, row, tag, landing, own):
        put(row, pusher, own)
    return nearest


# --- steps ------------------------------------------------------------------------------------


@compiled
def _note_step(level: Any, state: Any, row: Any, tag: int, step: Any) -> None:
    """Determine who pushed and who moved aside in the step from a state to a row."""
    if level.characters == 1:
        step[TAG], step[TASKS], step[ACTOR], step[VOLUNTEERS] = tag, 1, 0, 0
        return
    pusher = _let_the_nearest_push(level, state, row, tag, _first_in_room(level, state, tag >> 2))
    landing, volunteers, asides = place(row, pusher), 0, 0
    for other in range(level.characters):
        there = place(state, other)
        if other != pusher and there != GONE and place(row, other) != there:
            asides += 1
            if not _in_the_way(level, state, row, tag, landing, there):
                volunteers |= 1 << other
    step[TAG], step[TASKS], step[ACTOR], step[VOLUNTEERS] = tag, 1 + asides, pusher, volunteers


@separate
def list_transitions(level: Any, state: Any, moves: Transitions, only_blocking: bool) -> int:
    """Write the results of all transitions and the steps they are made of; return how many rows.

    Of transitions to the same canonical form, the first with the fewest tasks is kept. Returns -1
    if there is no room.

    Args:
        level: The floor.
        state: The state.
        moves: The output.
        only_blocking: Move only characters aside that are in the way of the push or will push in a
            combo.
    """
    found, source, sources, rounds = 0, -1, 0, 0
    while source < sources:
        found = _list_pushes_after(level, state, moves, source, found, only_blocking)
        if found < 0:
            return -1
        source += 1
        if source == sources and rounds < 2 and level.characters > 1:
            sources, rounds = found, rounds + 1  # to double, then to triple combo-pushes
    for index in range(found):
        moves.all_leave[index] = settle_reached(
            level, moves.rows[index], moves.keys[index], moves.reached[index]
        )
    _keep_one_of_equals(moves.steps, moves.keys, found)
    return found


@compiled
def _list_pushes_after(
    level: Any, state: Any, moves: Transitions, source: int, found: int, only_blocking: bool
) -> int:
    """Append the pushes from the state, or those that make a combo of a row; return the count."""
    rows, tags, steps = moves.rows, moves.tags, moves.steps
    here = rows[source] if source >= 0 else state
    before = rows[steps[source, VIA]] if source >= 0 and steps[source, VIA] >= 0 else state
    block, tag = NOBODY, 0
    if source >= 0:
        tag = steps[source, TAG]
        block = _pushed_block(level, before, here, tag)
        if block == NOBODY:
            return found
    more = list_pushes(level, here, rows[found:], tags[found:])
    if more < 0:
        return -1
    kept = found
    for row in range(found, found + more):
        if source >= 0:
            cell, direction = tags[row] >> 2, tags[row] & 3
            perpendicular = (direction ^ tag) & 1 != 0
            if not perpendicular or block_at(level, here, cell + level.ways[direction]) != block:
                continue
            who = _waited_there(level, before, here, cell)
            if who == NOBODY or who == steps[source, ACTOR]:
                continue
            if only_blocking and steps[source, VOLUNTEERS] & ~(1 << who) != 0:
                continue
            copy_words(rows[row], rows[kept])
        _note_step(level, here, rows[kept], tags[row], steps[kept])
        steps[kept, TASKS] += steps[source, TASKS] if source >= 0 else 0
        steps[kept, VIA] = source
        steps[kept, KEPT] = steps[kept, VOLUNTEERS] == 0 or not only_blocking
        kept += 1
    return kept


@compiled
def _pushed_block(level: Any, before: Any, after: Any, tag: int) -> int:
    """The block that a step has pushed and that is still there, as it is numbered after it."""
    pushed = (tag >> 2) + level.ways[tag & 3]
    if block_at(level, before, pushed) == NOBODY:
        return NOBODY
    return block_at(level, after, pushed + level.ways[tag & 3])


@compiled
def _keep_one_of_equals(steps: Any, keys: Any, found: int) -> None:
    for index in range(found):
        for earlier in range(index):
            if not (steps[index, KEPT] and steps[earlier, KEPT]):
                continue
            if same_words(keys[index], keys[earlier]):
                worse = index if steps[index, TASKS] >= steps[earlier, TASKS] else earlier
                steps[worse, KEPT] = 0


@compiled
def _waited_there(level: Any, before: Any, middle: Any, cell: int) -> int:
    """The only character who reaches a cell, if he moved aside to it; else NOBODY."""
    free, room = scratch(BOARD), scratch(BOARD)
    free_of_things(level, middle, free)
    room_of(level, free, cell, room)
    who = NOBODY
    for character in range(level.characters):
        if place(middle, character) == GONE or not bit(room, place(middle, character)):
            continue
        if who != NOBODY or bit(room, place(before, character)):
            return NOBODY
        who = character
    return who


@kernel
def find_transition(
    levels: Any, state: Any, target: Any, moves: Transitions, only_blocking: bool
) -> int:
    """The row of the transition to a canonical form, or -1.

    `moves` is written as `list_transitions` does it, and has room enough.
    """
    found = list_transitions(levels[0], state, moves, only_blocking)
    for index in range(found):
        if moves.steps[index, KEPT] and same_words(moves.keys[index], target):
            return index
    return -1

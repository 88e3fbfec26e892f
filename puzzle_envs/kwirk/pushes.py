"""Actions of the paper's encoding: pushes from a cell, and walks aside."""

from __future__ import annotations

from typing import Any

from puzzle_envs import codec
from puzzle_envs.kernels.bitboards import bit
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk import codec as floors
from puzzle_envs.kwirk.motion import ILLEGAL, LEAVE, WALK, add_characters, judge, step
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOBODY,
    active,
    after,
    open_holes,
    place,
    put,
    set_active,
    spot,
    things,
)
from puzzle_envs.kwirk.walking import BOARD, distance, room_of, walkable

at_cell, cell_and_way = compiled(codec.at_cell), compiled(codec.cell_and_way)
is_push, aside_of = compiled(floors.is_push), compiled(floors.aside_of)
aside_to = compiled(floors.aside_to)


@compiled
def push_action(level: Any, cell: int, direction: int) -> int:
    """The action of a push or of leaving."""
    return at_cell(spot(level, cell), direction)


@compiled
def aside_action(level: Any, who: int, cell: int) -> int:
    """The action of walking aside."""
    return aside_to(level.plane, who, spot(level, cell))


@compiled
def reach_of(
    level: Any, state: Any, things_there: Any, holes: Any, who: int, blocked: Any, reach: Any
) -> None:
    """Write the obstacles of a character, and the cells it can reach."""
    free = scratch(BOARD)
    for word in range(level.words):
        blocked[word] = things_there[word]
    add_characters(level, state, blocked, who)
    walkable(level, blocked, holes, free)
    room_of(level, free, place(state, who), reach)


@compiled
def pusher_from(level: Any, state: Any, cell: int, direction: int) -> tuple[int, int]:
    """The first character, from the active one on, that can push or leave from a cell; and how."""
    who, kind, _ = _pusher(level, state, cell, direction, scratch(BOARD))
    return who, kind


@compiled
def _pusher(level: Any, state: Any, cell: int, direction: int, holes: Any) -> tuple[int, int, int]:
    """As `pusher_from`, with the number of steps including the last; also writes `holes`."""
    blocked, free = scratch(BOARD), scratch(BOARD)
    open_holes(level, state, holes)
    for turn in range(level.characters):
        who = after(level, active(state), turn)
        if place(state, who) == GONE:
            continue
        things(level, state, blocked)
        add_characters(level, state, blocked, who)
        kind = judge(level, state, blocked, holes, cell, direction)
        if kind <= WALK:
            continue
        walkable(level, blocked, holes, free)
        steps = distance(level, free, place(state, who), cell) if bit(free, cell) else -1
        if steps >= 0:
            return who, kind, steps + 1
    return NOBODY, ILLEGAL, 0


@compiled
def push(level: Any, state: Any, cell: int, direction: int) -> tuple[int, int]:
    """Push or leave from a cell; return the cost, -1 if no character can, and the steps."""
    holes = scratch(BOARD)
    who, kind, steps = _pusher(level, state, cell, direction, holes)
    if who == NOBODY:
        return -1, 0
    set_active(state, who)
    step(level, state, holes, who, cell, direction, kind)
    return 0 if kind == LEAVE else 1, steps


@compiled
def _walk_of(level: Any, state: Any, who: int, cell: int) -> int:
    """Steps of a character to a cell around obstacles; -1 if there is no way."""
    blocked, holes, free = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    add_characters(level, state, blocked, who)
    walkable(level, blocked, holes, free)
    return distance(level, free, place(state, who), cell) if bit(free, cell) else -1


@compiled
def write_walk(level: Any, state: Any, who: int, cell: int, keys: Any, done: int) -> int:
    """Append a shortest walk of a character to a cell; return the new number of keys."""
    blocked, holes, free = scratch(BOARD), scratch(BOARD), scratch(BOARD)
    things(level, state, blocked)
    open_holes(level, state, holes)
    add_characters(level, state, blocked, who)
    walkable(level, blocked, holes, free)
    here = place(state, who)
    left = distance(level, free, here, cell)
    while left > 0:
        direction = 0
        while distance(level, free, cell, here + level.ways[direction]) != left - 1:
            direction += 1
        here += level.ways[direction]
        keys[done] = direction
        done += 1
        left -= 1
    return done


@compiled
def aside(level: Any, state: Any, who: int, cell: int) -> tuple[int, int]:
    """Walk a character to a cell: return 0, or -1 if impossible, and the steps."""
    if level.characters == 1 or place(state, who) == GONE:
        return -1, 0
    steps = _walk_of(level, state, who, cell)
    if steps < 1:
        return -1, 0
    put(state, who, cell)
    set_active(state, who)
    return 0, steps

"""Undoing pushes on a floor, at random or as in a given plan.

The character starts before the exit of a floor without holes and walks backwards: it pulls blocks,
turns turnstiles back, and lifts blocks out of the floor, which leaves holes there. The undone
pushes in reverse order are a plan for the resulting floor. Holes that close a passage are
preferred.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.bitboards import ONE
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.kwirk.pieces import arms_after
from puzzle_envs.states.tables import mixed

__all__ = ["ARM", "BLOCK", "EXIT", "FREE", "PERSON", "PIVOT", "WALL", "Taste", "Yard"]
__all__ += ["leads_out", "undo_pushes"]

FREE, WALL, EXIT, PIVOT, PERSON, ARM, BLOCK = 0, 1, 2, 3, 4, 16, 64
"""What is on a cell: an arm of a turnstile or a block with its number added."""

Numbers = npt.NDArray[np.int64]


class Yard(NamedTuple):
    """A floor on which pushes are undone; by cells, which are counted row by row."""

    width: int
    cover: Numbers
    """What is on each cell."""
    holes: Numbers
    """1 for each cell with a hole."""
    blocks: Numbers
    """The corner, height and width of each block; the height of blocks not placed yet is 0."""
    turnstiles: Numbers
    """The pivot of each turnstile, and a bit for each arm."""
    person: Numbers
    """The cell of the character."""
    reached: Numbers
    """1 for each cell that the character reaches."""
    queue: Numbers
    """The same cells, sorted by distance."""


class Taste(NamedTuple):
    """How pushes are undone: numbers, and weights by which one is drawn."""

    blocks: int
    """Maximum number of blocks."""
    pulls: int
    """Number of pulls and turns before the next block is lifted."""
    room: int
    """Minimum number of cells within reach after a block is lifted."""
    lifts: int = 6
    """How many of 64 pushes lift a block before its turn."""
    closing: int = 40
    """The weight of a hole that closes a passage."""
    open: int = 2
    """The weight of any other hole."""
    pull: int = 4
    """The weight of pulling another block."""
    same: int = 16
    """The weight of pulling the same block in another direction."""
    straight: int = 60
    """The weight of pulling the same block on."""
    turn: int = 8


class Undone(NamedTuple):
    """A push that can be undone: a row of a plan, and its weight."""

    cell: int
    """The cell of the pusher after the push."""
    back: int
    """The cell of the pusher before the push."""
    direction: int
    kind: int
    """A block by its number; with LIFTED added, one that fell; or with TURNED added, twice the
    number of a turnstile, plus one if it turned clockwise."""
    corner: int
    """The corner of a block after the push, or the cell of the arm that was pushed."""
    height: int
    width: int
    weight: int


LIFTED, TURNED = 1000, 2000
NOTHING = Undone(0, 0, 0, 0, 0, 0, 0, 0)
COLUMNS = 7
"""Columns of a plan: all fields of Undone except the weight."""
LEFT = 3 / 8
"""The share of the reachable cells that must stay reachable after a block is lifted."""
IDLE = 30
"""Number of failures in a row after which undoing ends."""


@compiled
def _way(yard: Yard, direction: int) -> int:
    if direction & 1:
        return 1 if direction == 1 else -1
    return yard.width if direction == 2 else -yard.width


@compiled
def _walkable(yard: Yard, cell: int) -> bool:
    return bool(yard.cover[cell] == FREE and yard.holes[cell] == 0)


@compiled
def _flood(yard: Yard) -> int:
    """Write the cells that the character reaches; return their number."""
    yard.reached[:] = 0
    yard.queue[0], yard.reached[yard.person[0]] = yard.person[0], 1
    head, tail = 0, 1
    while head < tail:
        for direction in range(4):
            near = yard.queue[head] + _way(yard, direction)
            if yard.reached[near] == 0 and _walkable(yard, near):
                yard.queue[tail], yard.reached[near] = near, 1
                tail += 1
        head += 1
    return tail


@compiled
def _is_free(yard: Yard, cell: int) -> bool:
    """Whether a cell is free for blocks and arms; the character's own cell counts."""
    return bool(yard.cover[cell] == FREE or yard.cover[cell] == PERSON)


@compiled
def _has_room(yard: Yard, block: Any, own: int) -> bool:
    """Whether a block, drawn as `own`, overlaps nothing else."""
    corner, height, width = block
    for down in range(height):
        for cell in range(corner + down * yard.width, corner + down * yard.width + width):
            if yard.cover[cell] != own and not _is_free(yard, cell):
                return False
    return True


@compiled
def _is_floor(yard: Yard, block: Any) -> bool:
    """Whether a rectangle is inside the floor, empty and without holes."""
    corner, height, width = block
    if corner < 0 or corner + (height - 1) * yard.width + width > yard.cover.size:
        return False
    for down in range(height):
        for cell in range(corner + down * yard.width, corner + down * yard.width + width):
            if not _walkable(yard, cell):
                return False
    return True


@compiled
def _closes(yard: Yard, block: Any, direction: int) -> bool:
    """Whether a rectangle closes a passage: neither side can be passed."""
    corner, height, width = block
    if direction & 1:
        for cell in range(corner, corner + width):
            if not (
                _walkable(yard, cell - yard.width) or _walkable(yard, cell + height * yard.width)
            ):
                return True
        return False
    for cell in range(corner, corner + height * yard.width, yard.width):
        if not (_walkable(yard, cell - 1) or _walkable(yard, cell + width)):
            return True
    return False


@compiled
def _lifted(yard: Yard, cell: int, direction: int, block: Any, taste: Taste) -> Undone:
    """A block lifted out of the floor before the character."""
    number = 0
    while number < yard.blocks.shape[0] and yard.blocks[number, 1] > 0:
        number += 1
    corner, height, width = block
    way = _way(yard, direction)
    if number == yard.blocks.shape[0] or not _is_floor(yard, block):
        return NOTHING
    if not _has_room(yard, (corner - way, height, width), FREE):
        return NOTHING
    weight = taste.closing if _closes(yard, block, direction) else taste.open
    return Undone(cell, cell - way, direction, LIFTED + number, corner, height, width, weight)


@compiled
def _drawn_block(yard: Yard, cell: int, direction: int, drawn: Any) -> tuple[int, int, int]:
    """A rectangle of random size before the character."""
    digits = np.int64(drawn & np.uint64(0xFFFF))
    long = 1 + (digits % 8 == 0)
    wide = 1 + (digits // 8 % 8 > 3) + (digits // 8 % 8 == 7)
    aside = digits // 64 % wide
    corner = cell + _way(yard, direction)
    if direction & 1:
        return corner - aside * yard.width - (long - 1) * (direction == 3), wide, long
    return corner - aside - (long - 1) * yard.width * (direction == 0), long, wide


@compiled
def _pulled(yard: Yard, cell: int, direction: int, last: Undone, taste: Taste) -> Undone:
    """The block before the character, pulled."""
    way = _way(yard, direction)
    own = yard.cover[cell + way]
    number = own - BLOCK
    corner, height, width = yard.blocks[number, 0], yard.blocks[number, 1], yard.blocks[number, 2]
    if not _has_room(yard, (corner - way, height, width), own):
        return NOTHING
    weight = taste.pull
    if last.weight > 0 and last.kind < TURNED and last.kind % LIFTED == number:
        weight = taste.straight if last.direction == direction else taste.same
    return Undone(cell, cell - way, direction, number, corner, height, width, weight)


@compiled
def _turned(yard: Yard, kind: int, arm: int, taste: Taste) -> Undone:
    """A turnstile turned back, if the character is where pushing its arm brought him."""
    turnstile, turn = (kind - TURNED) >> 1, 1 if kind & 1 else -1
    pivot, after = yard.turnstiles[turnstile, 0], yard.turnstiles[turnstile, 1]
    before = arms_after(after, -turn)
    if before >> arm & 1 == 0:
        return NOTHING
    direction = (arm + turn) & 3
    target = pivot + _way(yard, arm)
    back = target - _way(yard, direction)
    end = target + _way(yard, direction) if after >> arm & 1 else target
    if yard.reached[end] == 0 or yard.holes[target] != 0 or yard.holes[back] != 0:
        return NOTHING
    if not _is_free(yard, back):
        return NOTHING
    swept = before if turn > 0 else after
    for side in range(4):
        cell = pivot + _way(yard, side)
        if swept >> side & 1 and not _is_free(yard, cell + _way(yard, (side + 1) & 3)):
            return NOTHING
        own = yard.cover[cell] == ARM + turnstile
        if before >> side & 1 and not (own or _is_free(yard, cell)):
            return NOTHING
    return Undone(end, back, direction, kind, arm, 0, 0, taste.turn)


# --- one after the other ----------------------------------------------------------------------


@compiled
def _spread(board: Any, row: int, block: Any, sign: int) -> None:
    corner, height, width = block
    for down in range(height):
        for right in range(width):
            board[corner + down * row + right] = sign


@compiled
def _cover_arms(yard: Yard, turnstile: int, sign: int) -> None:
    for arm in range(4):
        if yard.turnstiles[turnstile, 1] >> arm & 1:
            yard.cover[yard.turnstiles[turnstile, 0] + _way(yard, arm)] = sign


@compiled
def _undo(yard: Yard, push: Undone) -> None:
    """Change the floor to what it was before a push."""
    yard.cover[yard.person[0]] = FREE
    if push.kind >= TURNED:
        turnstile, turn = (push.kind - TURNED) >> 1, 1 if push.kind & 1 else -1
        _cover_arms(yard, turnstile, FREE)
        yard.turnstiles[turnstile, 1] = arms_after(yard.turnstiles[turnstile, 1], -turn)
        _cover_arms(yard, turnstile, ARM + turnstile)
    else:
        number, block = push.kind % LIFTED, (push.corner, push.height, push.width)
        if push.kind >= LIFTED:
            _spread(yard.holes, yard.width, block, 1)
            yard.blocks[number, 1], yard.blocks[number, 2] = push.height, push.width
        else:
            _spread(yard.cover, yard.width, block, FREE)
        corner = push.corner - _way(yard, push.direction)
        yard.blocks[number, 0] = corner
        _spread(yard.cover, yard.width, (corner, push.height, push.width), BLOCK + number)
    yard.person[0] = push.back
    yard.cover[push.back] = PERSON


@compiled
def _keeps_room(yard: Yard, push: Undone, taste: Taste) -> bool:
    """Whether enough cells stay within reach if the block of a push is lifted."""
    if push.kind < LIFTED or push.kind >= TURNED:
        return True
    before, stood = _flood(yard), yard.person[0]
    block = (push.corner, push.height, push.width)
    _spread(yard.holes, yard.width, block, 1)
    yard.person[0] = push.back
    reached = _flood(yard)
    yard.person[0] = stood
    _spread(yard.holes, yard.width, block, 0)
    return reached >= max(taste.room, LEFT * before)


@compiled
def _may_stand(yard: Yard, cell: int, direction: int) -> bool:
    """Whether the character can step back from a cell within reach."""
    back = cell - _way(yard, direction)
    return _walkable(yard, back) or back == yard.person[0]


@compiled
def _chosen(yard: Yard, last: Undone, taste: Taste, lifts: bool, seed: Any) -> Undone:
    """A random one of the pushes that can be undone, by weight."""
    drawn, total, chosen = seed, 0, NOTHING
    for index in range(_flood(yard)):
        cell = yard.queue[index]
        for direction in range(4):
            front = cell + _way(yard, direction)
            if not _may_stand(yard, cell, direction):
                continue
            drawn = mixed(drawn + ONE)
            if yard.cover[front] >= BLOCK:
                push = _pulled(yard, cell, direction, last, taste)
            elif lifts and _walkable(yard, front):
                block = _drawn_block(yard, cell, direction, drawn)
                push = _lifted(yard, cell, direction, block, taste)
            else:
                continue
            total += push.weight
            if push.weight > 0 and np.int64(mixed(drawn) >> np.uint64(8)) % total < push.weight:
                chosen = push
    for turn in range(8 * yard.turnstiles.shape[0]):
        push = _turned(yard, TURNED + (turn >> 2), turn & 3, taste)
        drawn = mixed(drawn + ONE)
        total += push.weight
        if push.weight > 0 and np.int64(drawn >> np.uint64(8)) % total < push.weight:
            chosen = push
    return chosen


@compiled
def _again(yard: Yard, row: Any, taste: Taste) -> Undone:
    """The push of a row of a plan, if it can be undone here too."""
    cell, direction, kind, corner = row[0], row[2], row[3], row[4]
    _flood(yard)
    if kind >= TURNED:
        return _turned(yard, kind, corner, taste)
    if yard.reached[cell] == 0 or not _may_stand(yard, cell, direction):
        return NOTHING
    if kind >= LIFTED:
        return _lifted(yard, cell, direction, (corner, row[5], row[6]), taste)
    if yard.cover[cell + _way(yard, direction)] < BLOCK:
        return NOTHING
    return _pulled(yard, cell, direction, NOTHING, taste)


@compiled
def _write(row: Any, push: Undone) -> None:
    row[0], row[1], row[2], row[3] = push.cell, push.back, push.direction, push.kind
    row[4], row[5], row[6] = push.corner, push.height, push.width


@kernel
def undo_pushes(yard: Yard, plan: Numbers, given: int, taste: Taste, seed: Any) -> int:
    """Undo the first rows of a plan that can be, then others, while the plan has rows.

    Returns how many were undone; the plan then holds these, the last push first.
    """
    done = 0
    for number in range(given):
        push = _again(yard, plan[number], taste)
        if push.weight > 0 and _keeps_room(yard, push, taste):
            _undo(yard, push)
            _write(plan[done], push)
            done += 1
    drawn, last, since, idle = seed, NOTHING, 0, 0
    while done < plan.shape[0] and idle < IDLE:
        drawn = mixed(drawn + ONE)
        lifts = since >= taste.pulls or int(drawn >> np.uint64(32)) % 64 < taste.lifts
        push = _chosen(yard, last, taste, lifts, drawn)
        is_lifted = LIFTED <= push.kind < TURNED
        too_many = since >= taste.pulls and not is_lifted
        if push.weight == 0 or too_many or not _keeps_room(yard, push, taste):
            last, idle = NOTHING, idle + 1
            continue
        _undo(yard, push)
        _write(plan[done], push)
        last, done, idle = push, done + 1, 0
        since = 0 if is_lifted else since + 1
    return done


@kernel
def leads_out(yard: Yard) -> bool:
    """Whether the character reaches the exit without a push."""
    for index in range(_flood(yard)):
        for direction in range(4):
            if yard.cover[yard.queue[index] + _way(yard, direction)] == EXIT:
                return True
    return False

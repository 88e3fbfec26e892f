"""A plan of fills: which blocks fill which holes, so that the character can leave.

It begins with the holes on the character's cheapest path out, in the game of each block (fills.py).
Each hole is assigned to an unused block, and the holes that this block's own path needs are added.
A hole for which no block is left costs as much as several fills. The number of fills is the
heuristic. It is not a lower bound, since paths are chosen one after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, add, bit, number_of
from puzzle_envs.kernels.compiled import compiled, inlined
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.kwirk.fills import (
    FILLERS,
    NOT_YET,
    Fills,
    block_of,
    corner_of_fall,
    find_fills,
    has_room,
    is_floor,
    layer_of,
    pusher_cell,
    side_length,
)
from puzzle_envs.kwirk.level import BLOCKS
from puzzle_envs.kwirk.pieces import (
    GONE,
    NOBODY,
    add_block,
    open_holes,
    over_holes_alone,
    place,
)
from puzzle_envs.kwirk.walking import BOARD, clear
from puzzle_envs.verbs import NEVER

UNFILLED = 3
"""The cost of a hole for which no block is left."""
SPAN = 256
"""Maximum number of different costs in the queue, a power of two."""
FAR = 250
"""Upper bound, exclusive, on the cost of a path."""
SHUT = 2**20
"""The cost if there is no path."""
POSITIONS = 4
"""Positions of a block at a cell: one for each direction of its next push."""
PUT = 4
"""Maximum entries of a cell or a position in the queue: one for each neighbour."""
BESIDE = 4
"""Additional entries: the first, which stands for none, and the first positions."""
ITEM = np.uint64(32)
LOW = np.uint64(2**32 - 1)


class Waiting(NamedTuple):
    """A bucket queue: items by cost."""

    heads: Any
    """The last entry of each cost."""
    entries: Any
    """An item in the high half, the previous entry of its cost in the low half."""
    counts: Any
    """The number of entries made, the number in the queue, and the lowest cost."""


class Walk(NamedTuple):
    """The character's cheapest paths."""

    weights: Any
    """The cost of entering each cell; SHUT if it cannot be entered."""
    costs: Any
    """The cost of the cheapest path to each cell."""
    befores: Any
    """The previous cell on that path."""
    waiting: Waiting


class Route(NamedTuple):
    """The cheapest paths of a block, by its place and the direction of the next push."""

    costs: Any
    stands: Any
    """The cell of the character."""
    befores: Any
    """One plus the previous position; 0 for the first."""
    waiting: Waiting


class Errand(NamedTuple):
    """A path to search for."""

    block: int
    corner: int
    """Where the block is."""
    cell: int
    """Where the character is."""
    layer: int
    target: int
    """The place where the block should fall; GONE if the character should leave."""


@inlined
def _empty(waiting: Waiting) -> None:
    for cost in range(SPAN):
        waiting.heads[cost] = np.uint64(0)
    waiting.counts[0] = ONE
    waiting.counts[1] = waiting.counts[2] = np.uint64(0)


@inlined
def _put(waiting: Waiting, cost: int, item: int) -> None:
    entry = waiting.counts[0]
    if entry == waiting.entries.size:
        return
    before = waiting.heads[cost & (SPAN - 1)]
    waiting.entries[entry] = np.uint64(item) << ITEM | before
    waiting.heads[cost & (SPAN - 1)] = entry
    waiting.counts[0] += ONE
    waiting.counts[1] += ONE


@inlined
def _take(waiting: Waiting) -> int:
    """Remove an item of lowest cost, which becomes the third count; the queue must not be empty."""
    cost = waiting.counts[2]
    while waiting.heads[cost & np.uint64(SPAN - 1)] == 0:
        cost += ONE
    waiting.counts[2] = cost
    entry = waiting.entries[waiting.heads[cost & np.uint64(SPAN - 1)]]
    waiting.heads[cost & np.uint64(SPAN - 1)] = entry & LOW
    waiting.counts[1] -= ONE
    return np.int64(entry >> ITEM)


@compiled
def _weigh(level: Any, fills: Fills, needed: Any, block: int, layer: int, weights: Any) -> None:
    """Write the cost of each cell: 1 + layer for a hole not yet needed, otherwise 0 or SHUT."""
    for cell in range(level.width * level.height):
        weight = 0
        if not bit(level.ground, cell) or bit(level.solid, cell):
            weight = SHUT
        elif bit(fills.open, cell):
            if not is_floor(fills, cell, block, layer):
                weight = SHUT
            elif not bit(needed, cell):
                weight = 1 + layer_of(fills.fillers[FILLERS * cell])
        weights[cell] = np.uint64(weight)


@compiled
def _walk(level: Any, block: int, corner: int, start: int, most: int, walk: Walk) -> None:
    """Write the character's cheapest paths from a cell around a block (GONE if there is none)."""
    covered, waiting = scratch(BOARD), walk.waiting
    clear(level, covered)
    if corner != GONE:
        add_block(level, block, corner, covered)
    for cell in range(level.width * level.height):
        walk.costs[cell] = np.uint64(SHUT)
    _empty(waiting)
    walk.costs[start], walk.befores[start] = np.uint64(0), np.uint64(start)
    _put(waiting, 0, start)
    while waiting.counts[1] > 0:
        cell = _take(waiting)
        cost = np.int64(waiting.counts[2])
        if cost > most:
            return
        if np.int64(walk.costs[cell]) != cost:
            continue
        for direction in range(4):
            near = cell + level.ways[direction]
            weight = 0 if near == level.exit else np.int64(walk.weights[near])
            if weight == SHUT or bit(covered, near):
                continue
            if cost + weight >= np.int64(walk.costs[near]):
                continue
            walk.costs[near], walk.befores[near] = np.uint64(cost + weight), np.uint64(cell)
            if near != level.exit:
                _put(waiting, cost + weight, near)


@inlined
def _reach(route: Route, position: int, cost: int, stand: int, before: int) -> None:
    """Record a path to a position if it is cheaper."""
    if cost < np.int64(route.costs[position]):
        route.costs[position], route.stands[position] = np.uint64(cost), np.uint64(stand)
        route.befores[position] = np.uint64(before)
        _put(route.waiting, cost, position)


@compiled
def _sides(
    level: Any, errand: Errand, corner: int, cost: int, before: int, walk: Walk, route: Route
) -> None:
    """Let the character walk to each side of a block from which he can push it."""
    for direction in range(4):
        if not has_room(level, errand.block, corner, direction):
            continue
        least, stand = SHUT, 0
        for index in range(side_length(level, errand.block, direction)):
            cell = pusher_cell(level, errand.block, corner, direction, index)
            there = np.int64(walk.costs[cell] + walk.weights[cell + level.ways[direction]])
            if there < least:
                least, stand = there, cell
        if least < SHUT:
            spent = cost + np.int64(walk.costs[stand])
            if spent < FAR:
                _reach(route, 4 * corner + direction, spent, stand, before)


@compiled
def _support(level: Any, fills: Fills, block: int, corner: int, weights: Any) -> int:
    """The cheapest hole to fill to support a block; -1 if none is needed, GONE if none exists."""
    if not over_holes_alone(level, block, corner, fills.open):
        return -1
    best = GONE
    for _ in range(level.heights[block]):
        for cell in range(corner, corner + level.widths[block]):
            if weights[cell] < SHUT and (best == GONE or weights[cell] < weights[best]):
                best = cell
        corner += level.width
    return best


@compiled
def _find_way(
    level: Any, fills: Fills, errand: Errand, bound: int, walk: Walk, route: Route
) -> tuple[int, int]:
    """The cost of the cheapest path below a bound, and one plus its last position.

    SHUT if there is none; 0 instead of a position if the character walks out without a push.
    """
    block, target, waiting = errand.block, errand.target, route.waiting
    for position in range(4 * level.width * level.height):
        route.costs[position] = np.uint64(SHUT)
    _empty(waiting)
    _walk(level, block, errand.corner, errand.cell, bound, walk)
    least, last = SHUT, 0
    if target == GONE:
        least = np.int64(walk.costs[level.exit])
    _sides(level, errand, errand.corner, 0, 0, walk, route)
    while waiting.counts[1] > 0:
        position = _take(waiting)
        cost = np.int64(waiting.counts[2])
        if cost >= min(least, bound):
            break
        if np.int64(route.costs[position]) != cost:
            continue
        corner, direction = position >> 2, position & 3
        stand = np.int64(route.stands[position]) + level.ways[direction]
        cost += np.int64(walk.weights[stand])
        ahead = corner + level.ways[direction]
        if ahead == target and cost < least:
            least, last = cost, position + 1
        support = _support(level, fills, block, ahead, walk.weights)
        if support == GONE or cost >= bound:
            continue
        if support > 0:
            cost += np.int64(walk.weights[support])
        _walk(level, block, ahead, stand, bound - cost, walk)
        if target == GONE and cost + np.int64(walk.costs[level.exit]) < least:
            least, last = cost + np.int64(walk.costs[level.exit]), position + 1
        _sides(level, errand, ahead, cost, position + 1, walk, route)
    return (least, last) if least < bound else (SHUT, 0)


@inlined
def _need(fills: Fills, cell: int, needed: Any) -> None:
    if bit(fills.open, cell):
        add(needed, cell)


@compiled
def _mark_walk(level: Any, fills: Fills, end: int, walk: Walk, needed: Any) -> None:
    """Mark the holes on the character's path to a cell as needed."""
    if walk.costs[end] == SHUT:
        return
    while np.int64(walk.befores[end]) != end:
        if end != level.exit:
            _need(fills, end, needed)
        end = np.int64(walk.befores[end])


@compiled
def _mark_way(
    level: Any, fills: Fills, errand: Errand, last: int, walk: Walk, route: Route, needed: Any
) -> None:
    """Mark the holes on the path of an errand as needed, from its end back."""
    block, target, end = errand.block, errand.target, level.exit
    while last > 0:
        position = last - 1
        corner, direction = position >> 2, position & 3
        stand = np.int64(route.stands[position]) + level.ways[direction]
        ahead = corner + level.ways[direction]
        if ahead != target or target == GONE:
            support = _support(level, fills, block, ahead, walk.weights)
            if support > 0:
                _need(fills, support, needed)
            _walk(level, block, ahead, stand, FAR, walk)
            _mark_walk(level, fills, end, walk, needed)
        _need(fills, stand, needed)
        target, end = GONE, np.int64(route.stands[position])
        last = np.int64(route.befores[position])
    _walk(level, block, errand.corner, errand.cell, FAR, walk)
    _mark_walk(level, fills, end, walk, needed)


@compiled
def _latest(level: Any, fills: Fills, needed: Any, done: Any) -> int:
    """A needed hole without a block whose layer is the highest; GONE if there is none."""
    best, latest = GONE, -1
    for word in range(level.words):
        left = needed[word] & ~done[word]
        while left != 0:
            single = left & (~left + ONE)
            left ^= single
            cell = 64 * word + number_of(single)
            layer = layer_of(fills.fillers[FILLERS * cell])
            if layer > latest:
                best, latest = cell, layer
    return best


@compiled
def _of_use(level: Any, known: Any, needed: Any, done: Any) -> int:
    """The number of needed holes that a filler fills, minus the number of other cells it covers."""
    block, corner, count = block_of(known), corner_of_fall(known), 0
    for _ in range(level.heights[block]):
        for cell in range(corner, corner + level.widths[block]):
            count += bit(needed, cell) != 0 and not bit(done, cell)
        corner += level.width
    return 2 * count - np.int64(level.widths[block] * level.heights[block])


@compiled
def room_to_plan(level: Any) -> int:
    """The words of working memory for `fills_left`: too many for the stacks of some threads."""
    planning = 3 + PUT + POSITIONS * (3 + PUT)
    return level.width * level.height * (1 + FILLERS + max(planning, level.words)) + 2 * BESIDE


@compiled
def fills_left(level: Any, state: Any, cell: int, room: Any) -> int:
    """The number of fills in a plan by which the only character leaves; NEVER if it cannot.

    `room` is working memory.
    """
    cells = level.width * level.height
    rest = room[(1 + FILLERS) * cells :]
    fills = Fills(scratch(BOARD), room, room[cells:], scratch(BLOCKS), rest)
    open_holes(level, state, fills.open)
    if not find_fills(level, state, cell, fills):
        return NEVER
    needed, done = scratch(BOARD), scratch(BOARD)
    clear(level, needed)
    clear(level, done)
    walked, pushed = 3 * cells, (3 + PUT) * cells + BESIDE
    walk = Walk(
        rest,
        rest[cells:],
        rest[2 * cells :],
        Waiting(scratch(SPAN), rest[walked : walked + PUT * cells + BESIDE], scratch(3)),
    )
    route = Route(
        rest[pushed:],
        rest[pushed + POSITIONS * cells :],
        rest[pushed + 2 * POSITIONS * cells :],
        Waiting(scratch(SPAN), rest[pushed + 3 * POSITIONS * cells :], scratch(3)),
    )
    _need_ways_out(level, state, cell, fills, walk, route, needed)
    return _assign(level, state, cell, fills, walk, route, (needed, done))


@compiled
def _need_ways_out(
    level: Any, state: Any, cell: int, fills: Fills, walk: Walk, route: Route, needed: Any
) -> None:
    """Mark the holes on a path out in the game of each block as needed, the latest game first."""
    latest = 0
    for block in range(level.blocks):
        if fills.out[block] < NOT_YET:
            latest = max(latest, np.int64(fills.out[block]))
    for layer in range(latest, -1, -1):
        for block in range(level.blocks):
            corner = place(state, level.characters + block)
            if corner != GONE and np.int64(fills.out[block]) == layer:
                errand = Errand(block, corner, cell, layer, GONE)
                _weigh(level, fills, needed, block, layer, walk.weights)
                cost, last = _find_way(level, fills, errand, FAR, walk, route)
                if cost < SHUT:
                    _mark_way(level, fills, errand, last, walk, route, needed)
                else:  # only its own fall lets the character out
                    _weigh(level, fills, needed, NOBODY, layer + 1, walk.weights)
                    _walk(level, block, GONE, cell, FAR, walk)
                    _mark_walk(level, fills, level.exit, walk, needed)


@compiled
def _assign(
    level: Any, state: Any, start: int, fills: Fills, walk: Walk, route: Route, boards: Any
) -> int:
    """Assign a block to each needed hole; return the total cost."""
    needed, done = boards
    busy, total = np.uint64(0), 0
    cell = _latest(level, fills, needed, done)
    while cell != GONE:
        best, least = np.int64(-1), SHUT
        for index in range(np.int64(fills.counts[cell])):
            known = fills.fillers[FILLERS * cell + index]
            block = block_of(known)
            if busy >> np.uint64(block) & ONE != 0:
                continue
            errand = Errand(
                block,
                place(state, level.characters + block),
                start,
                layer_of(known),
                corner_of_fall(known),
            )
            _weigh(level, fills, needed, block, errand.layer, walk.weights)
            use = _of_use(level, known, needed, done)
            bound = min(FAR, (least + use) // 4 + 1)
            cost, _ = _find_way(level, fills, errand, bound, walk, route)
            cost = 4 * cost - use
            if cost < least:
                best, least = index, cost
        if best < 0:
            total += UNFILLED
            add(done, cell)
        else:
            total += 1
            known = fills.fillers[FILLERS * cell + best]
            block, target = block_of(known), corner_of_fall(known)
            busy |= ONE << np.uint64(block)
            errand = Errand(
                block, place(state, level.characters + block), start, layer_of(known), target
            )
            _weigh(level, fills, needed, block, errand.layer, walk.weights)
            _, last = _find_way(level, fills, errand, FAR, walk, route)
            _mark_way(level, fills, errand, last, walk, route, needed)
            add_block(level, block, target, done)
        cell = _latest(level, fills, needed, done)
    return total

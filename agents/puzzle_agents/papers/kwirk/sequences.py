"""Sequences of sub-goals (4.3.1): from a character's room to the exit's, connector by connector.

Sequences are planned on the initial floor and generated lazily: there may be more of them than can
ever be tried.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from puzzle_agents.papers.kwirk.aims import EXIT, FILL, MOVE_BLOCK, NO_TARGET, ROTATE
from puzzle_agents.papers.kwirk.rooms import Cells, Floor, Kind, Obstacle


@dataclass(frozen=True)
class SubGoal:
    """A task of the local layer: get one obstacle out of the way, or push a block into a hole."""

    kind: int
    goals: Cells = frozenset()
    """The goal-positions; of a hole the cells that the block is to fill."""
    block: int = 0
    """The corner of the target block at the start."""
    turnstile: int = NO_TARGET


REACH_EXIT = SubGoal(EXIT)
"""The last sub-goal of every sequence: all characters reach the exit."""

Sequence = tuple[SubGoal, ...]
MOST_WAYS = 1_000_000
"""The most paths in the queue of a breadth-first search."""
Part = Callable[[], Iterator[Sequence]]
Filling = tuple[tuple[Obstacle, Cells], ...]
"""Blocks for a hole, in order, each with the cells that it fills."""


class SubGoals:
    """The global layer of one floor."""

    def __init__(
        self,
        floor: Floor,
        *,
        only_holes: bool = False,
        spent: Callable[[], bool] = lambda: False,
    ) -> None:
        """Plan on a floor.

        Args:
            floor: The current floor.
            only_holes: Give no sub-goals to blocks and turnstiles (5.2).
            spent: Whether the time is over; then a TimeoutError is raised.
        """
        self._floor, self._only_holes, self._spent = floor, only_holes, spent

    def sequences(self) -> Iterator[Sequence]:
        """All different sequences, those through fewer connectors first."""
        floor = self._floor
        start, found = floor.room_of(floor.characters[0]), set()
        for sequence in self._between(start, {floor.room_of(floor.exit)}, frozenset(), frozenset()):
            if sequence not in found:
                found.add(sequence)
                yield sequence

    # --- from room to room --------------------------------------------------------------------

    def _between(
        self,
        start: int,
        ends: set[int],
        avoided: frozenset[Obstacle],
        reserved: frozenset[Obstacle],
    ) -> Iterator[Sequence]:
        """Sequences from a room to one of others.

        Args:
            start: The room to begin in.
            ends: The rooms to come to.
            avoided: Obstacles that the sequence deals with elsewhere.
            reserved: Blocks already assigned to a hole.
        """
        for path in self._paths(start, ends, avoided):
            yield from _joined(
                [partial(self._through, *connection, avoided, reserved) for connection in path]
            )

    def _paths(
        self, start: int, ends: set[int], avoided: frozenset[Obstacle]
    ) -> Iterator[list[tuple[Obstacle, int, int]]]:
        """Simple paths in breadth-first order: no room and no connector comes twice."""
        waiting: deque[tuple[int, list[tuple[Obstacle, int, int]]]] = deque([(start, [])])
        while waiting:
            self._check_clock()
            if len(waiting) > MOST_WAYS:
                raise MemoryError("There are too many ways from room to room.")
            room, path = waiting.popleft()
            if room in ends:
                yield path
                continue
            visited = {start, *(there for _, _, there in path)}
            avoided_here = avoided | {connector for connector, _, _ in path}
            for connector in self._floor.connectors:
                around = self._floor.rooms_around(connector)
                if room not in around or connector in avoided_here:
                    continue
                for there in around:
                    if there not in visited:
                        waiting.append((there, [*path, (connector, room, there)]))

    def _through(
        self,
        obstacle: Obstacle,
        here: int,
        there: int,
        avoided: frozenset[Obstacle],
        reserved: frozenset[Obstacle],
    ) -> Iterator[Sequence]:
        """The sub-goals for one connector."""
        if obstacle.kind == Kind.HOLE:
            yield from self._over_hole(obstacle, here, there, avoided, reserved)
        elif self._only_holes:
            yield ()
        elif obstacle.kind == Kind.BLOCK:
            yield (SubGoal(MOVE_BLOCK, self._floor.rooms[there], obstacle.number),)
        else:
            yield self._past_turnstile(obstacle, self._floor.rooms[there], frozenset())

    # --- turnstiles ---------------------------------------------------------------------------

    def _past_turnstile(
        self, turnstile: Obstacle, goals: Cells, before: frozenset[Obstacle]
    ) -> Sequence:
        """Rotate it, after removing what blocks each possible sense of rotation."""
        own = SubGoal(ROTATE, goals, turnstile=turnstile.number)
        sequence: Sequence = ()
        swept = [self._swept(turnstile, sense) for sense in (1, -1)]
        free = [cells for cells in swept if not cells & self._floor.solid]
        for obstacle in [*self._floor.blocks, *self._floor.turnstiles]:
            stops = [obstacle.cells & cells for cells in free]
            if obstacle == turnstile or obstacle in before or not stops or not all(stops):
                continue
            in_the_way = frozenset().union(*stops)
            if obstacle.kind == Kind.BLOCK:
                sequence += (SubGoal(MOVE_BLOCK, in_the_way, obstacle.number),)
            else:
                sequence += self._past_turnstile(obstacle, in_the_way, before | {turnstile})
        return (*sequence, own)

    def _swept(self, turnstile: Obstacle, sense: int) -> Cells:
        """The cells that have to be free for a quarter turn, clockwise for sense 1."""
        pivot = int(self._floor.record["pivots"][turnstile.number])
        around = self._floor.neighbours(pivot)
        cells = set()
        for direction in self._floor.arms(turnstile.number):
            ahead = around[(direction + sense) % 4]
            cells |= {ahead, around[direction] + ahead - pivot}
        return frozenset(cells - turnstile.cells)

    # --- holes --------------------------------------------------------------------------------

    def _over_hole(
        self,
        hole: Obstacle,
        here: int,
        there: int,
        avoided: frozenset[Obstacle],
        reserved: frozenset[Obstacle],
    ) -> Iterator[Sequence]:
        """For each filling: reach each block in turn, and push it into the hole."""
        for filling in self._fillings(hole, here, there, reserved):
            kept = reserved | {block for block, _ in filling}
            parts: list[Part] = []
            for block, cells in filling:
                parts.append(partial(self._to_block, here, block, avoided | {hole}, kept))
                into = (SubGoal(FILL, cells, block.number),)
                parts.append(partial(iter, [into]))
            yield from _joined(parts)

    def _to_block(
        self,
        here: int,
        block: Obstacle,
        avoided: frozenset[Obstacle],
        reserved: frozenset[Obstacle],
    ) -> Iterator[Sequence]:
        """From the room at the hole to one next to the block, by the shortest path.

        The paper's few sequences (hard-3, average-5) speak for that one alone.
        """
        ends = set(self._floor.rooms_around(block))
        return islice(self._between(here, ends, avoided, reserved), 1)

    def _fillings(
        self, hole: Obstacle, here: int, there: int, reserved: frozenset[Obstacle]
    ) -> Iterator[Filling]:
        """Ways to fill a hole from one room to another, those with fewer blocks first."""
        blocks = [block for block in self._floor.blocks if block not in reserved]
        needed = self._blocks_needed(hole, there, blocks)
        for most in range(1, min(len(blocks), len(hole.cells)) + 1):
            yield from self._fillings_of(most, self._floor.rooms[here], blocks, (), needed)

    def _blocks_needed(
        self, hole: Obstacle, there: int, blocks: list[Obstacle]
    ) -> dict[Cells, int]:
        """For each placement of a block in a hole, a lower bound on the blocks still needed."""
        places = {
            self._floor.rectangle(corner, block.width, block.height)
            for block in blocks
            for corner in hole.cells
        }
        left = {place for place in places if place <= hole.cells}
        edges, needed = {self._floor.rooms[there]}, dict[Cells, int]()
        for more in range(len(left)):
            edges = {place for place in left if any(self._touch(place, edge) for edge in edges)}
            needed |= dict.fromkeys(sorted(edges, key=min), more)
            left -= edges
        return needed

    def _fillings_of(
        self,
        most: int,
        edge: Cells,
        blocks: list[Obstacle],
        filling: Filling,
        needed: dict[Cells, int],
    ) -> Iterator[Filling]:
        """Extend a filling by backtracking until it has all its blocks and reaches the other room.

        The first block touches the room, each further one the block before it.
        """
        filled = {cell for _, cells in filling for cell in cells}
        used = {block for block, _ in filling}
        left = most - len(filling) - 1
        self._check_clock()
        for block in blocks:
            if block in used:
                continue
            for cells, more in needed.items():
                fits = cells == self._floor.rectangle(min(cells), block.width, block.height)
                if not fits or cells & filled or not self._touch(cells, edge):
                    continue
                if left == 0 and more == 0:
                    yield (*filling, (block, cells))
                elif 0 < more <= left:
                    longer = (*filling, (block, cells))
                    yield from self._fillings_of(most, cells, blocks, longer, needed)

    def _check_clock(self) -> None:
        if self._spent():
            raise TimeoutError("The time was over before the next sequence was found.")

    def _touch(self, one: Cells, other: Cells) -> bool:
        return any(neighbour in other for cell in one for neighbour in self._floor.neighbours(cell))


def _joined(parts: list[Part]) -> Iterator[Sequence]:
    """The product of the parts, each choice concatenated; parts are generated again when needed."""
    if not parts:
        yield ()
        return
    for first in parts[0]():
        for rest in _joined(parts[1:]):
            yield first + rest

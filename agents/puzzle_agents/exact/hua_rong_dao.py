"""Exact solver for Hua Rong Dao: breadth-first search over whole moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.progress import Progress, Snapshot
from puzzle_agents.search.breadth_first import BreadthFirst
from puzzle_envs.common.arguments import flag
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao.hints import free_layouts, steps_to
from puzzle_envs.hua_rong_dao.keys import has_key, key_of_state, mirror_image, state_of_key
from puzzle_envs.hua_rong_dao.oracle import list_moves
from puzzle_envs.hua_rong_dao.whole_moves import GOAL, big_block, canonical, whole_moves
from puzzle_envs.kernels.compiled import compiled, kernel
from puzzle_envs.level import record_dtype
from puzzle_envs.states.tables import find_key

FIRST_ROOM = 1 << 15
"""Initial capacity in layouts: enough for the standard piece set and its mirror image."""

TALLY = record_dtype([(name, np.int64) for name in ("expanded", "generated", "unique", "solution")])

GOING_ON, SOLVED, EXHAUSTED, NO_ROOM = range(4)


@compiled
def _insert(key: Any, parent: int, keys: Any, parents: Any, slots: Any, progress: Any) -> None:
    slot = find_key(key, keys, slots)
    if slots[slot] == 0:
        number = progress.unique
        keys[number], parents[number] = key, parent
        progress.unique += 1
        slots[slot] = progress.unique
        if progress.solution < 0 and big_block(key) == GOAL:
            progress.solution = number


@kernel
def take_in(key: Any, parent: int, keys: Any, parents: Any, slots: Any, tally: Any) -> None:
    """Insert a layout unless already present."""
    _insert(np.uint64(key), parent, keys, parents, slots, tally[0])


@kernel
def refill(keys: Any, slots: Any, count: int) -> None:
    """Rebuild an empty hash table of layout numbers."""
    for number in range(count):
        slots[find_key(keys[number], keys, slots)] = number + 1


@kernel
def expand(
    metric: int,
    mirror: bool,
    keys: Any,
    parents: Any,
    slots: Any,
    reached: Any,
    tally: Any,
    expansions: int,
) -> int:
    """Expand layouts first in, first out; return why it stopped."""
    progress = tally[0]
    for _ in range(expansions):
        here = progress.expanded
        if here == progress.unique:
            return EXHAUSTED
        if progress.unique + reached.size > keys.size:
            return NO_ROOM
        count = whole_moves(keys[here], metric, reached)
        progress.expanded += 1
        progress.generated += count
        for index in range(count):
            key = canonical(reached[index]) if mirror else reached[index]
            _insert(key, here, keys, parents, slots, progress)
        if progress.solution >= 0:
            return SOLVED
    return GOING_ON


class HuaRongDaoBFS(Agent):
    """Breadth-first search on layouts whose edges are whole moves of the metric.

    Complete and optimal in the environment's metric. A layout and its mirror image are one state,
    since the box, the goal and the moves are symmetric. Boxes other than 4 by 5 are searched with
    the general rules, without mirror symmetry and more slowly.
    """

    name: ClassVar[str] = "hua-rong-dao-bfs"
    only: ClassVar[str] = "Hua Rong Dao"

    def __init__(self, budget: Budget | None = None, *, mirror: bool = True) -> None:
        """Create a solver.

        Args:
            budget: Limits of each attempt.
            mirror: Treat mirror images as one state.
        """
        super().__init__(budget)
        self.mirror = flag("mirror", mirror)

    def _plan(self, env: PuzzleEnv) -> Result:
        if not has_key(env.record[0]):
            general = BreadthFirst(self.budget)
            general.clock, general.watcher = self.clock, self.watcher
            return general._plan(env)
        search = LayoutSearch(env.record, env.get_state().words, self.budget.bytes, self.mirror)
        status = self._in_slices(search.run, search.progress, search.snapshot)
        solved = status == Status.SOLVED
        return Result(
            status,
            actions=search.actions() if solved else [],
            moves=search.moves if solved else None,
            proved_optimal=solved,
            expanded=search.expanded,
            generated=search.generated,
            unique=search.unique,
            peak_bytes=search.bytes,
        )


class LayoutSearch:
    """The tables of one search in the 4 by 5 box."""

    def __init__(
        self, record: np.ndarray, words: Sequence[int], max_bytes: int, mirror: bool = True
    ) -> None:
        """Start from a state of a level.

        Args:
            record: The level, as an array of one record.
            words: The state.
            max_bytes: Memory limit.
            mirror: Treat mirror images as one state.
        """
        self._record, self._mirror, self._max_bytes = record, mirror, max_bytes
        self._metric = int(record["metric"][0])
        self._words = words
        self._keys = np.empty(FIRST_ROOM, np.uint64)
        self._parents = np.empty(FIRST_ROOM, np.int32)
        self._slots = np.zeros(2 * FIRST_ROOM, np.int32)
        self._reached = np.empty(128, np.uint64)
        self._tally = np.zeros(1, TALLY)
        self._tally["solution"] = -1
        self._start = key_of_state(record[0], words)
        self._take_in(self._start, -1)
        self._free_keys = free_layouts(record, words)
        for key in self._free_keys:
            self._take_in(key, 0)
        self._free = self.unique

    def _take_in(self, key: int, parent: int) -> None:
        key = self._canonical(key)
        take_in(np.uint64(key), parent, self._keys, self._parents, self._slots, self._tally)

    @property
    def expanded(self) -> int:
        """Layouts expanded."""
        return int(self._tally["expanded"][0])

    @property
    def generated(self) -> int:
        """Moves generated."""
        return int(self._tally["generated"][0])

    @property
    def unique(self) -> int:
        """Distinct layouts found."""
        return int(self._tally["unique"][0])

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return self._keys.nbytes + self._parents.nbytes + self._slots.nbytes

    def progress(self) -> Progress:
        """Progress of the search."""
        return Progress(self.expanded, self.unique, self.bytes, generated=self.generated)

    def snapshot(self) -> Snapshot:
        """The layout expanded last, and the size of the queue."""
        words = None
        if self.expanded:
            key = int(self._keys[self.expanded - 1])
            words = state_of_key(self._record[0], key, len(self._words)).tolist()
        return Snapshot(self.progress(), words, self.unique - self.expanded)

    def run(self, expansions: int) -> Status | None:
        """Search for this many expansions; return a status once the search is over."""
        if self._tally["solution"][0] >= 0:
            return Status.SOLVED
        reason = expand(
            self._metric, self._mirror, self._keys, self._parents, self._slots, self._reached,
            self._tally, expansions,
        )  # fmt: skip
        if reason == NO_ROOM:
            return self._grow()
        return {SOLVED: Status.SOLVED, EXHAUSTED: Status.UNSOLVABLE}.get(reason)

    def _grow(self) -> Status | None:
        if 3 * self.bytes > self._max_bytes:
            return Status.OUT_OF_MEMORY
        room = 2 * self._keys.size
        self._keys, self._parents = np.resize(self._keys, room), np.resize(self._parents, room)
        self._slots = np.zeros(2 * room, np.int32)
        refill(self._keys, self._slots, self.unique)
        return None

    def depths(self) -> dict[int, int]:
        """The depth of each layout, down to that of the nearest solution."""
        while self.run(FIRST_ROOM) is None:
            pass
        depths = {int(self._keys[0]): 0}
        for number in range(1, self.unique):
            parent = int(self._keys[self._parents[number]])
            depths[int(self._keys[number])] = depths[parent] + 1
        return depths

    # --- the solution -------------------------------------------------------------------------

    @property
    def moves(self) -> int:
        """The cost of the solution."""
        path = self._path()
        return len(path) - 1 - (len(path) > 1 and path[1] < self._free)

    def layouts(self) -> list[int]:
        """The keys of the layouts on the solution path, not mirrored."""
        keys = [self._start]
        for number in self._path()[1:]:
            wanted = int(self._keys[number])
            free = number < self._free
            near = self._free_keys if free else self._keys_near(keys[-1])
            keys.append(next(key for key in near if self._canonical(key) == wanted))
        return keys

    def _keys_near(self, key: int) -> list[int]:
        count = list_moves(np.uint64(key), self._metric, self._reached)
        return self._reached[:count].tolist()  # type: ignore[no-any-return]

    def _canonical(self, key: int) -> int:
        return min(key, mirror_image(key)) if self._mirror else key

    def actions(self) -> list[int]:
        """The solution as actions of the level's environment."""
        actions: list[int] = []
        words = self._words
        for key in self.layouts()[1:]:
            actions += steps_to(self._record, words, key)
            words = state_of_key(self._record[0], key, len(words)).tolist()
        return actions

    def _path(self) -> list[int]:
        """Indices of the layouts from the first to the solved one."""
        number, path = int(self._tally["solution"][0]), []
        while number >= 0:
            path.append(number)
            number = int(self._parents[number])
        return path[::-1]

"""The A* of the Zen Puzzle Garden paper (section IV-C), with its count of board evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.progress import Progress
from puzzle_envs.common.arguments import flag
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Words, record_dtype
from puzzle_envs.states.bundles import Instance
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.states.paths import actions_through, is_solved
from puzzle_envs.verbs import apply, solved
from puzzle_envs.zen_garden.level import MONK_SHIFT
from puzzle_envs.zen_garden.motion import CHOICES, choosing

MORE, DEPTH_DONE, NO_ROOM = range(3)
"""Why the kernel returned."""

SHIFT = np.uint64(MONK_SHIFT)
FIRST_ROOM = 1 << 10
"""Solutions that there is room for at first."""
STEPS = 64
"""Actions tried for each expansion that a slice allows, so that narrow trees end slices too."""

COUNTS = ("top", "evaluated", "perimeter", "expanded", "found")
TALLY = record_dtype([(name, np.int64) for name in COUNTS])
"""top: of the stack, -1 when the depth is done. evaluated: nodes. perimeter: those of this depth
that are no dead ends. expanded: nodes above this depth. found: paths that solve the level.
"""


class Walk(NamedTuple):
    """The path to the node whose actions are being tried."""

    stack: Words
    """States from the first on."""
    moves: npt.NDArray[np.int64]
    """The moves made up to each of them."""
    actions: npt.NDArray[np.int64]
    """The action to be tried next on each."""
    lively: npt.NDArray[np.bool_]
    """Whether one of its actions was legal."""


@kernel
def enumerate_depth(
    levels: Any, walk: Walk, kept: Any, tally: Any, depth: int, steps: int, expansions: int
) -> int:
    """Continue depth-first down to a depth; count its nodes, keep the paths that solve the level.

    Args:
        levels: The level.
        walk: The path so far.
        kept: Solutions: the states at the end of each of their moves.
        tally: The counters.
        depth: The moves of the nodes to be counted.
        steps: Return after this many actions tried.
        expansions: Return after this many expansions.
    """
    stack, moves, actions, lively = walk.stack, walk.moves, walk.actions, walk.lively
    level = levels[0]
    progress = tally[0]
    words = stack.shape[1]
    until = progress.expanded + expansions
    for _ in range(steps):
        top = progress.top
        if top < 0:
            return DEPTH_DONE
        if progress.found == kept.shape[0]:
            return NO_ROOM
        if progress.expanded == until:
            return MORE
        inside = stack[top, words - 1] >> SHIFT != 0
        action = actions[top]
        faces = 2 * (level.width + level.height)
        if action == (choosing(level.entrances, CHOICES) if inside else faces):
            if inside and not lively[top] and moves[top] == depth:
                progress.evaluated += 1  # a dead end is a node too (IV-A), and a leaf
            progress.top = top - 1
            continue
        actions[top] = action + 1
        child = stack[top + 1]
        copy_words(stack[top], child)
        cost = apply(level, child, action)
        if cost < 0:
            continue
        lively[top] = True
        made = moves[top] + cost
        outside = child[words - 1] >> SHIFT == 0
        if outside and made == depth:
            progress.evaluated += 1
            progress.perimeter += 1
            if solved(level, child):
                end = 0
                for index in range(1, top + 2):
                    if stack[index, words - 1] >> SHIFT == 0:
                        copy_words(stack[index], kept[progress.found, end])
                        end += 1
                progress.found += 1
            continue
        if outside and made == depth - 1:
            progress.expanded += 1
        moves[top + 1] = made
        actions[top + 1] = 0 if outside else level.entrances
        lively[top + 1] = False
        progress.top = top + 1
    return MORE


class Solutions:
    """The different solutions, each a list of actions that is worked out when it is asked for.

    Two are the same when they go through the same boards, move by move.
    """

    def __init__(self, record: np.ndarray, start: Words, boards: Words) -> None:
        """Keep the states at the ends of moves: solution, move, words."""
        self._record, self._start, self._boards = record, start, boards

    def __len__(self) -> int:
        return len(self._boards)

    def __iter__(self) -> Iterator[list[int]]:
        level = Instance.plain(self._record)
        return (actions_through(level, self._start, boards) for boards in self._boards)


class ZenGardenPaperAStar(Agent):
    """The paper's A*: g = moves made, h = AreaFitness, no detection of duplicates.

    A node is a whole move with all its choices; it is evaluated when it is created, and
    `Result.evaluated` counts that, the first board included. Once a solution is found, nodes with
    more moves are not created, so that all solutions with the fewest moves are found: they are in
    `solutions`, and the first found is the result.

    The search is iterative deepening, without a queue, and evaluates the same nodes. AreaFitness is
    less than 1 once a cell is raked and never less than 0, so f lies in [g, g + 1), and the queue
    yields every node of g moves before any of g + 1. The paper's A* therefore evaluates exactly the
    nodes with at most as many moves as the optimum, and so does this. What the paper kept on 100 GB
    of disk is enumerated again for each depth.

    With `duplicates=True` duplicates are detected, unlike in the paper: `evaluated` then counts
    distinct boards, dead ends are not nodes, and `solutions` holds one.

    Complete and optimal. For solving, any other search is faster.
    """

    name: ClassVar[str] = "zen-astar-paper"
    only: ClassVar[str] = "Zen Puzzle Garden"

    def __init__(self, budget: Budget | None = None, *, duplicates: bool = False) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            duplicates: Whether to detect duplicates, which merges equal boards.
        """
        super().__init__(budget)
        self.duplicates = flag("duplicates", duplicates)
        self.solutions: Solutions | list[list[int]] = []
        """The different optimal solutions of the last attempt."""
        self.found = 0
        """Number of paths to them."""
        self.finished = False
        """Whether the last attempt found all of them before its budget ended."""

    def _plan(self, env: PuzzleEnv) -> Result:
        self.solutions, self.found, self.finished = [], 0, False
        return self._merging(env) if self.duplicates else self._by_depth(env)

    def _by_depth(self, env: PuzzleEnv) -> Result:
        start = np.array(env.get_state().words, np.uint64)
        search = _DepthByDepth(env.record, start, self.budget.bytes)
        status = self._in_slices(search.run, search.progress)
        self.finished = status in (Status.SOLVED, Status.UNSOLVABLE)
        self.solutions, self.found = search.solutions(), search.found
        actions: list[int] = []
        if search.first is not None:
            status = Status.SOLVED  # the first solution found is optimal, finished or not
            actions = actions_through(Instance.plain(env.record), start, search.first)
        return Result(
            status,
            actions=actions,
            moves=None if search.first is None else search.optimum,
            proved_optimal=search.first is not None,
            expanded=search.expanded,
            generated=search.evaluated,
            evaluated=search.evaluated,
            bound=search.optimum,
            peak_bytes=search.peak_bytes,
        )

    def _merging(self, env: PuzzleEnv) -> Result:
        start = np.array(env.get_state().words, np.uint64)
        search = Exploration(env.puzzle, env.record, start, self.budget.bytes, pruned=False)
        layer_end = search.unique

        def run(expansions: int) -> Status | None:
            nonlocal layer_end
            if search.expanded == layer_end:
                if search.solved or search.unique == layer_end:
                    return Status.SOLVED if search.solved else Status.UNSOLVABLE
                layer_end = search.unique
            search.run(min(expansions, layer_end - search.expanded), to_solution=False)
            return Status.OUT_OF_MEMORY if search.out_of_memory else None

        def progress() -> Progress:
            return Progress(
                search.expanded, search.unique, search.bytes, generated=search.generated
            )

        status = self._in_slices(run, progress)
        self.finished = status in (Status.SOLVED, Status.UNSOLVABLE)
        if search.solved:
            self.solutions, self.found, status = [search.actions()], 1, Status.SOLVED
        return Result(
            status,
            actions=search.actions() if search.solved else [],
            moves=search.moves if search.solved else None,
            proved_optimal=search.solved and search.proves_optimum,
            expanded=search.expanded,
            generated=search.generated,
            unique=search.unique,
            evaluated=search.unique,
            peak_bytes=search.bytes,
        )


class _DepthByDepth:
    """All nodes of 0, 1, 2 ... moves, each depth enumerated from the first board."""

    def __init__(self, record: np.ndarray, start: Words, max_bytes: int) -> None:
        self._record, self._start, self._max_bytes = record, start, max_bytes
        # Every action on sand but stepping out takes a cell of sand away for ever.
        room = 2 * int(record["area"][0]) + 3
        self._walk = Walk(
            np.empty((room, start.size), np.uint64),
            np.zeros(room, np.int64),
            np.zeros(room, np.int64),
            np.zeros(room, np.bool_),
        )
        self._tally = np.zeros(1, TALLY)
        self._outside = bool(start[-1] >> SHIFT == 0)
        self._merged = 0
        self.first: Words | None = None
        self.peak_bytes = 0
        self._begin_depth(0)

    def _begin_depth(self, depth: int) -> None:
        self.optimum = depth
        """The moves of the solutions, or the fewest that there may still be."""
        self._tally["top"] = self._tally["perimeter"] = 0
        self._walk.moves[0], self._walk.lively[0] = 0, False
        self._walk.actions[0] = 0 if self._outside else int(self._record["entrances"][0])
        self._walk.stack[0] = self._start
        ends = depth + (0 if self._outside else 1)
        self._kept = np.zeros((FIRST_ROOM, ends, self._start.size), np.uint64)
        if self._outside and depth == 0:  # the first board is the one node of no moves
            self._tally["top"] = -1
            self._tally["evaluated"] = self._tally["perimeter"] = 1
            self._tally["found"] = int(is_solved(self._record, self._start))
        elif self._outside and depth == 1:
            self._tally["expanded"] = 1

    @property
    def evaluated(self) -> int:
        """Nodes evaluated so far."""
        return int(self._tally["evaluated"][0])

    @property
    def expanded(self) -> int:
        """Nodes expanded so far, each counted once."""
        return int(self._tally["expanded"][0])

    @property
    def found(self) -> int:
        """Paths that solve it, those through the same boards by other choices among them."""
        return self._merged + int(self._tally["found"][0])

    @property
    def bytes(self) -> int:
        """The memory taken by the stack and the solutions."""
        return self._walk.stack.nbytes + 17 * len(self._walk.moves) + self._kept.nbytes

    def progress(self) -> Progress:
        """The progress of the search."""
        return Progress(
            self.expanded, self.evaluated, self.bytes, self.optimum, generated=self.evaluated
        )

    def run(self, expansions: int) -> Status | None:
        """Continue for this many expansions; return the status if that ends the search."""
        self.peak_bytes = max(self.peak_bytes, self.bytes)
        reason = enumerate_depth(
            self._record, self._walk, self._kept, self._tally, self.optimum, STEPS * expansions,
            expansions,
        )  # fmt: skip
        if self.first is None and self._tally["found"][0]:
            self.first = self._kept[0].copy()
        if reason == NO_ROOM:
            return self._make_room()
        return self._end_depth() if reason == DEPTH_DONE else None

    def _end_depth(self) -> Status | None:
        if self.first is not None:
            return Status.SOLVED
        if not self._tally["perimeter"][0]:
            return Status.UNSOLVABLE
        self._begin_depth(self.optimum + 1)
        return None

    # --- solutions ----------------------------------------------------------------------------

    def _make_room(self) -> Status | None:
        kept = len(self._kept)
        self._merge()
        different = int(self._tally["found"][0])
        if 2 * different > kept:
            if self._walk.stack.nbytes + 3 * self._kept.nbytes > self._max_bytes:
                return Status.OUT_OF_MEMORY
            self._kept = np.resize(self._kept, (2 * kept, *self._kept.shape[1:]))
        return None

    def _merge(self) -> None:
        """Keep one of the solutions through the same boards."""
        different = self._different()
        self._merged += int(self._tally["found"][0]) - len(different)
        self._kept[: len(different)] = different
        self._tally["found"] = len(different)

    def _different(self) -> Words:
        found = self._kept[: int(self._tally["found"][0])]
        if len(found) == 0 or found.shape[1] == 0:
            return found[:1]
        flat = np.unique(found.reshape(len(found), -1), axis=0)
        return flat.reshape(-1, *found.shape[1:])

    def solutions(self) -> Solutions:
        """The different solutions found so far."""
        return Solutions(self._record, self._start, self._different())

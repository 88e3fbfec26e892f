"""The procedure for Hua Rong Dao as its paper prints it, which is not optimal."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from puzzle_agents.agent import Agent, Result, Status, WrongPuzzleError
from puzzle_agents.progress import Progress
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao.keys import has_key, key_of_state
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.verbs import apply, legal, solved

Key = tuple[int, ...]


@kernel
def list_steps(levels: Any, state: Any, mask: Any, rows: Any, costs: Any, ends: Any) -> int:
    """Write the successor by each legal action, its cost, and whether it is an exit state."""
    legal(levels[0], state, mask)
    found = 0
    for action in range(mask.size):
        if mask[action]:
            copy_words(state, rows[found])
            costs[found] = apply(levels[0], rows[found], action)
            ends[found] = solved(levels[0], rows[found])
            mask[found] = action
            found += 1
    return found


class PaperBFS(Agent):
    """The paper's Figure 5 with the pruning of its section III-C, to the letter.

    A successor is one step of one block; a step of the block that moved last is free; OPEN is
    ordered by moves, first in first out among equals; a state whose layout is in OPEN or CLOSE is
    dropped, whichever block moved last. That may drop the better of two paths to a layout: it
    solves the standard layout in 84 moves instead of 81.

    Complete, not optimal: it never claims a proof of its moves.
    """

    name: ClassVar[str] = "hua-rong-dao-bfs-paper"
    only: ClassVar[str] = "Hua Rong Dao"

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject other boxes and metrics than the paper's, too."""
        super().check(puzzle, level)
        if puzzle.format.facts["metric"] != "move" or not has_key(level.record):
            raise WrongPuzzleError(
                f'{self.name} solves Hua Rong Dao in the box of 4 by 5 with metric="move" only.'
            )

    def _plan(self, env: PuzzleEnv) -> Result:
        search = _PaperSearch(env, self.budget.bytes)
        return search.result(self._in_slices(search.run, search.progress))


class _PaperSearch:
    """OPEN and CLOSE as one list for each number of moves: CLOSE lies before the state checked."""

    def __init__(self, env: PuzzleEnv, max_bytes: int) -> None:
        self._record, self._max_bytes = env.record, max_bytes
        words = env.get_state().words
        self._mask = np.empty(env.action_space.n, np.int8)
        self._rows = np.empty((env.action_space.n, len(words)), np.uint64)
        self._costs = np.empty(env.action_space.n, np.int64)
        self._ends = np.empty(env.action_space.n, np.bool_)
        self._patterns = {self._pattern(words)}
        # A state, the number of the state it came from, and the action that led here.
        self._states: list[tuple[Key, int, int]] = [(words, -1, -1)]
        self._by_moves: list[list[int]] = [[0]]
        self._moves = self._next = self._closed = self._generated = 0
        self._exit: int | None = None
        """The number of the exit state; its moves are `_moves`."""
        if self._pattern(words) >> 60 == int(self._record["goal_cell"][0]):
            self._exit = 0

    def _pattern(self, words: Key) -> int:
        """The layout alone, without the block that moved last."""
        return key_of_state(self._record[0], words)

    def progress(self) -> Progress:
        """The progress of the search; a state is a tuple of a tuple of integers."""
        count = len(self._states)
        return Progress(self._closed, count, 400 * count, generated=self._generated)

    def run(self, expansions: int) -> Status | None:
        """Check this many states; return the status if that ends the search."""
        for _ in range(expansions):
            while self._exit is None and self._next == len(self._by_moves[self._moves]):
                if self._moves + 1 == len(self._by_moves):
                    return Status.UNSOLVABLE
                self._moves, self._next = self._moves + 1, 0
            if self._exit is None:
                self._check(self._by_moves[self._moves][self._next])
            if self._exit is not None:
                return Status.SOLVED
            if self.progress().bytes > self._max_bytes:
                return Status.OUT_OF_MEMORY
        return None

    def _check(self, number: int) -> None:
        """Generate the steps from a state, up to an exit state."""
        self._next += 1
        self._closed += 1
        state = np.array(self._states[number][0], np.uint64)
        count = list_steps(self._record, state, self._mask, self._rows, self._costs, self._ends)
        self._generated += count
        for index in range(count):
            words = tuple(self._rows[index].tolist())
            moves = self._moves + int(self._costs[index])
            pattern = self._pattern(words)
            if pattern in self._patterns and not self._ends[index]:
                continue
            self._patterns.add(pattern)
            self._states.append((words, number, int(self._mask[index])))
            if self._ends[index]:
                self._exit, self._moves = len(self._states) - 1, moves
                return
            if moves == len(self._by_moves):
                self._by_moves.append([])
            self._by_moves[moves].append(len(self._states) - 1)

    def result(self, status: Status) -> Result:
        """The result with a status."""
        actions: list[int] = []
        number = self._exit or 0
        while number > 0:
            _, number, action = self._states[number]
            actions.append(action)
        return Result(
            status, actions[::-1], None if self._exit is None else self._moves,
            expanded=self._closed, generated=self._generated, unique=len(self._patterns),
            peak_bytes=self.progress().bytes,
        )  # fmt: skip

"""The procedure for Hua Rong Dao as its paper prints it, kept to show where it goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
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

__all__ = ["PaperBFS"]

Words = tuple[int, ...]


@kernel
def list_steps(levels: Any, state: Any, mask: Any, rows: Any, costs: Any, ends: Any) -> int:
    """Write what each legal action leads to, what it costs, and whether that is an exit state."""
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

    States are one step of one block apart; a step of the block that moved last is free; OPEN is
    in the order of the moves, and first in first out among equals; a state whose layout is in
    OPEN or CLOSE is dropped, whichever block moved last. That loses the better of two ways to a
    layout now and then: it solves the standard layout in 84 moves, and 81 are enough.

    Complete, not optimal: it never claims a proof of its moves.
    """

    name: ClassVar[str] = "hua-rong-dao-bfs-paper"
    only: ClassVar[str] = "Hua Rong Dao"

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Refuse other boxes and metrics than the paper's, too."""
        super().check(puzzle, level)
        if puzzle.format.facts["metric"] != "move" or not has_key(level.record):
            raise WrongPuzzleError(
                f'{self.name} solves Hua Rong Dao in the box of 4 by 5 with metric="move" only.'
            )

    def _plan(self, env: PuzzleEnv) -> Result:
        search = _PaperSearch(env)
        for _ in search.checks():
            if self.budget.left(Progress(search.closed, generated=search.generated)) <= 0:
                return search.result(Status.GAVE_UP)
            if self.clock.is_over():
                return search.result(Status.OUT_OF_TIME)
            if search.bytes > self.budget.bytes:
                return search.result(Status.OUT_OF_MEMORY)
        return search.result(Status.UNSOLVABLE if search.exit is None else Status.SOLVED)


class _PaperSearch:
    """OPEN and CLOSE in one list for each number of moves: CLOSE lies behind the state checked."""

    def __init__(self, env: PuzzleEnv) -> None:
        self._record = env.record
        words = env.get_state().words
        self._mask = np.empty(env.action_space.n, np.int8)
        self._rows = np.empty((env.action_space.n, len(words)), np.uint64)
        self._costs = np.empty(env.action_space.n, np.int64)
        self._ends = np.empty(env.action_space.n, np.bool_)
        self._patterns = {self._pattern(words)}
        # A state, the number of the state it came from, and the action that led here.
        self._states: list[tuple[Words, int, int]] = [(words, -1, -1)]
        self._by_moves: list[list[int]] = [[0]]
        self.closed = 0
        self.generated = 0
        self.exit: tuple[int, int] | None = None
        """The number of the exit state and its moves."""
        if self._pattern(words) >> 60 == int(self._record["goal_cell"][0]):
            self.exit = (0, 0)

    def _pattern(self, words: Words) -> int:
        """The layout alone, without the block that moved last."""
        return key_of_state(self._record[0], words)

    @property
    def bytes(self) -> int:
        """About what the lists take: a state is a tuple of a tuple of integers."""
        return 400 * len(self._states)

    def checks(self) -> Iterator[None]:
        """Check state after state, until an exit state is generated or OPEN is empty."""
        if self.exit is not None:
            return
        for moves, numbers in enumerate(self._by_moves):  # both lists grow while they are walked
            for number in numbers:
                yield
                self.closed += 1
                if self._check(number, moves):
                    return

    def _check(self, number: int, moves: int) -> bool:
        state = np.array(self._states[number][0], np.uint64)
        count = list_steps(self._record, state, self._mask, self._rows, self._costs, self._ends)
        self.generated += count
        for index in range(count):
            words = tuple(self._rows[index].tolist())
            cost = moves + int(self._costs[index])
            pattern = self._pattern(words)
            if pattern in self._patterns and not self._ends[index]:
                continue
            self._patterns.add(pattern)
            self._states.append((words, number, int(self._mask[index])))
            if self._ends[index]:
                self.exit = (len(self._states) - 1, cost)
                return True
            if cost == len(self._by_moves):
                self._by_moves.append([])
            self._by_moves[cost].append(len(self._states) - 1)
        return False

    def result(self, status: Status) -> Result:
        """What came of it."""
        actions: list[int] = []
        number, moves = self.exit or (-1, None)
        while number > 0:
            _, number, action = self._states[number]
            actions.append(action)
        actions.reverse()
        return Result(
            status, actions, moves, expanded=self.closed, generated=self.generated,
            unique=len(self._patterns), peak_bytes=self.bytes,
        )  # fmt: skip

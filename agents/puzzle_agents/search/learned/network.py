"""PHS* with the probabilities of a policy network, for comparison with the tables (studies.py).

A network rates actions. The probability of a macro-move is that of its actions, one after the
other, among the macro-moves of the state.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Budget, Result, Status
from puzzle_agents.learning.model_file import Model
from puzzle_agents.learning.models import pretrained_for
from puzzle_agents.learning.policy_agent import board_of, in_own_actions
from puzzle_agents.search.learned.agents import EPSILON
from puzzle_agents.search.learned.levin import left_from
from puzzle_agents.search.search import Problem, Search, Searcher
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.episodes.batch import Batch, State
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import rare_kernel
from puzzle_envs.level import Words
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.nodes import FIRST_ROWS
from puzzle_envs.states.paths import is_solved, unfold_move
from puzzle_envs.verbs import NEVER, Rows, apply, representative, successors

__all__ = ["NetworkPHS"]

BOARDS = 64
"""Number of boards that the network rates at once."""
Actions = tuple[int, ...]


@rare_kernel
def branch(instance: Instance, scratch: Scratch, images: Rows, lefts: Any) -> int:
    """Write the successors of a state, what represents them, and their heuristics."""
    level = instance.levels[0]
    found = successors(level, scratch.state, scratch.rows, scratch.costs)
    for index in range(found):
        copy_words(scratch.rows[index], images[index])
        if instance.merged:
            representative(level, instance.findings, images[index])
        lefts[index] = left_from(level, instance.findings, images[index])
    return found


@rare_kernel
def act(levels: Any, state: Any, action: int) -> None:
    """Apply an action to a state."""
    apply(levels[0], state, action)


@dataclass
class Rating:
    """A network's ratings of sequences of actions on a level."""

    board: Batch
    model: Model

    def of(self, state: Words, plans: Sequence[Actions]) -> npt.NDArray[np.float64]:
        """The logarithm of each sequence's probability, from the same state on."""
        logs = np.zeros(len(plans))
        states: dict[Actions, Words] = {(): state}
        for depth in range(max(map(len, plans))):
            scores = self._scores(states)
            further: dict[Actions, Words] = {}
            for index, plan in enumerate(plans):
                if len(plan) <= depth:
                    continue
                before, action = plan[:depth], plan[depth]
                logs[index] += scores[before][action]
                if len(plan) > depth + 1 and plan[: depth + 1] not in further:
                    after = states[before].copy()
                    act(self.board.record(0), after, action)
                    further[plan[: depth + 1]] = after
            states = further
        return logs

    def _scores(self, states: dict[Actions, Words]) -> dict[Actions, npt.NDArray[np.float64]]:
        """The log probabilities of all actions in each state."""
        found: dict[Actions, npt.NDArray[np.float64]] = {}
        keys = list(states)
        for first in range(0, len(keys), BOARDS):
            some = keys[first : first + BOARDS]
            frame = self.board.restore_all(
                {
                    index: State(0, tuple(states[key].tolist()), 0, 0)
                    for index, key in enumerate(some)
                }
            )
            count = len(some)
            found |= zip(
                some, self.model.scores(frame.planes[:count], frame.masks[:count]), strict=True
            )
        return found


class Node(NamedTuple):
    """A state of the search."""

    state: Words
    parent: int
    cost: int
    left: int
    log: float
    """The logarithm of the probability of its path."""

    @property
    def key(self) -> float:
        """As of `orders.PHS`."""
        spent = max(self.cost, 1)
        return float(np.log(spent + self.left) - self.log * (1 + self.left / spent))


class NetworkSearch(Search):
    """One search; states that are reached again at a lower cost get a new parent."""

    def __init__(self, problem: Problem, rating: Rating) -> None:
        """Open the first state."""
        super().__init__(problem)
        self._rating = rating
        self._nodes = [Node(problem.start.copy(), 0, 0, 0, 0.0)]
        self._numbers = {problem.start.tobytes(): 0}
        self._open = [(0.0, 0)]
        self._size(FIRST_ROWS)

    def _size(self, rows: int) -> None:
        words = self.problem.start.size
        self._scratch = Scratch.of(words, rows)
        self._images, self._trial = np.empty((2, rows, words), np.uint64)
        self._lefts, self._actions = np.empty((2, rows), np.int64)

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        for _ in range(expansions):
            if self.solved:
                return Status.SOLVED
            if not self._open:
                return Status.UNSOLVABLE
            self._expand(heapq.heappop(self._open)[1])
            self.tally["expanded"] += 1
        return None

    def _expand(self, parent: int) -> None:
        node = self._nodes[parent]
        found = self._branch(node.state)
        chosen = {
            self._images[index].tobytes(): index
            for index in reversed(range(found))
            if self._lefts[index] < NEVER
        }
        if not chosen:
            return
        plans = [self._plan_to(node.state, index) for index in chosen.values()]
        logs = self._rating.of(node.state, plans)
        shares = np.exp(logs - logs.max())
        shares = (1 - EPSILON) * shares / shares.sum() + EPSILON / len(plans)
        for (key, index), share in zip(chosen.items(), shares.tolist(), strict=True):
            self._reach(key, parent, index, node.log + np.log(share))
        self.tally["generated"] += found

    def _branch(self, state: Words) -> int:
        """Write a state's successors; return their number."""
        found = -1
        while found < 0:
            self._scratch.state[:] = state
            found = branch(self.problem.instance, self._scratch, self._images, self._lefts)
            if found < 0:
                self._size(2 * len(self._lefts))
        return found

    def _plan_to(self, state: Words, index: int) -> Actions:
        """The actions of a macro-move."""
        record, target = self.problem.record, self._scratch.rows[index]
        written = unfold_move(record, state.copy(), target, self._trial, self._actions)
        return tuple(self._actions[:written].tolist())

    def _reach(self, key: bytes, parent: int, index: int, log: float) -> None:
        """Open a new state, or give a known one a cheaper path."""
        cost = self._nodes[parent].cost + int(self._scratch.costs[index])
        number = self._numbers.get(key)
        if number is not None:
            if cost < self._nodes[number].cost:
                self._nodes[number] = self._nodes[number]._replace(parent=parent, cost=cost)
            return
        number = self._numbers[key] = len(self._nodes)
        node = Node(self._images[index].copy(), parent, cost, int(self._lefts[index]), log)
        self._nodes.append(node)
        heapq.heappush(self._open, (node.key, number))
        self.tally["unique"] += 1
        self.tally["evaluated"] += 1
        if not self.solved and is_solved(self.problem.record, node.state):
            self.tally["solution"] = number

    @property
    def bytes(self) -> int:
        """Memory of the states, without Python's own."""
        return 2 * len(self._nodes) * self.problem.start.nbytes

    def path(self) -> list[Words]:
        """The stored states along the solution."""
        number, states = self.count("solution"), list[Words]()
        while number > 0:
            states.append(self._nodes[number].state)
            number = self._nodes[number].parent
        return states[::-1]


class NetworkPHS(Searcher):
    """PHS*, as `phs`, with the probabilities of the pretrained network that fits the level.

    Complete within the budget; not optimal. It takes milliseconds for each expansion.
    """

    name: ClassVar[str] = "network-phs"

    def __init__(self, budget: Budget | None = None, *, heuristic: str | None = None) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            heuristic: The puzzle's heuristic or estimate to use; None for the default estimate.
        """
        super().__init__(budget)
        self.heuristic = heuristic

    def _findings(self, env: PuzzleEnv, record: np.ndarray) -> Words:
        name = next(iter(env.puzzle.estimates)) if self.heuristic is None else self.heuristic
        return env.puzzle.heuristic_findings(record[0], name)

    def _plan(self, env: PuzzleEnv) -> Result:
        model = pretrained_for(env.puzzle, env.level)
        board = board_of(env, model, BOARDS)
        problem = replace(self._problem(env), record=env.puzzle.planned(board.record(0)))
        result = self._run(NetworkSearch(problem, Rating(board, model)))
        return replace(result, actions=in_own_actions(env, model, result.actions))

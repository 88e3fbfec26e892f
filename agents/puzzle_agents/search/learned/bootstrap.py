"""Bootstrapping: search levels with the policy, learn from the solutions, search again.

Each pass searches all levels, in random order, each within the same budget of expansions. The
policy learns from a solution as soon as it is found, and from all of the pass again at its end. A
pass that solves few more levels than the one before doubles the budget. If there is a teacher, an
agent of any kind, its solutions are the first pass, and later passes search the levels it failed
or, in rounds, all levels again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_agents.agent import Status
from puzzle_agents.demonstrations import Teacher
from puzzle_agents.search.learned.following import path_of
from puzzle_agents.search.learned.levin import LevinSearch, canonical_form, guided, left_from
from puzzle_agents.search.learned.model import Model
from puzzle_agents.search.learned.orders import LEVIN, PHS, Order
from puzzle_agents.search.learned.policy import Guide, Table, look, score, share
from puzzle_agents.search.search import Problem
from puzzle_envs.kernels.bitboards import copy_words, same_words
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.level import Level, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.states.paths import beginning
from puzzle_envs.verbs import NEVER, Rows, State, representative, successors

__all__ = ["Bootstrap", "Pass", "Settings", "Sought", "problem_of", "sought"]

TINY = 1e-8
"""Added to sums of squares, so that none is zero."""
FLAT = 1e-3
"""Moves whose probability is nearly right are not learned from, which halves the time."""
NO_ROOM_FOR_ROWS, NO_ROOM_FOR_CONTEXTS = -1, -2
MEMORY = 2**29
"""Memory of each search in bytes."""


@kernel
def learn(
    instance: Instance,
    path: Rows,
    scratch: Scratch,
    guide: Guide,
    sums: Table,
    rate: float,
    first: int,
    seen: State,
) -> int:
    """Raise the probability of the moves along a path, from a state on: a step of AdaGrad each.

    `sums` are those of squared gradients, `seen` is the first state in canonical form. Returns
    the number of states on the path, or why it stopped, as `first - 10 * state`.
    """
    level, moves, table = instance.levels[0], guide.moves, guide.table
    state, rows, costs = scratch.state, scratch.rows, scratch.costs
    room = rows.shape[0] - 1
    image = rows[room]
    for step in range(first, path.shape[0] - 1):
        for word in range(state.size):
            state[word] = path[step, word]
        found = successors(level, state, rows, costs)
        if found < 0 or found > room:
            return NO_ROOM_FOR_ROWS - 10 * step
        before = seen if step == 0 else state
        look(level, before, guide)
        end = 0
        for index in range(found):
            copy_words(rows[index], image)
            if instance.merged:
                representative(level, instance.findings, image)
            is_again = False
            for other in range(index):
                is_again = is_again or same_words(rows[other], image)
            if is_again or left_from(level, instance.findings, image) >= NEVER:
                moves.scores[index], moves.ends[index] = -np.inf, end
            else:
                end = score(instance, before, rows[index], guide, end, index)
                if end < 0:
                    return NO_ROOM_FOR_CONTEXTS - 10 * step
            copy_words(image, rows[index])
        share(guide, found)
        right = 0.0
        for index in range(found):
            if same_words(rows[index], path[step + 1]):
                right += moves.scores[index]
        begun = 0
        for index in range(found):
            slope = moves.scores[index]
            if slope > 0 and same_words(rows[index], path[step + 1]):
                slope -= slope / right
            if abs(slope) < FLAT:
                begun = moves.ends[index]
            for position in range(begun, moves.ends[index]):
                context = moves.contexts[position]
                sums[context] += slope * slope
                table[context] -= rate * slope / np.sqrt(sums[context] + TINY)
            begun = moves.ends[index]
    return path.shape[0]


class Settings(NamedTuple):
    """The settings of learning."""

    algorithm: str = "phs"
    """The search: phs or levin."""
    budget: int = 500
    """Expansions of each level in the first pass."""
    gain: float = 0.15
    """A smaller gain, as a share of the levels solved before, doubles the budget."""
    epochs: int = 2
    """How many more times a pass's solutions are learned from at its end."""
    rate: float = 0.1
    epsilon: float = 0.005
    views: int = 0
    """Number of random symmetric views of its board in which a solution is learned from; 0 for
    the usual view."""
    more: float = 0.0
    """How long to search on for shorter solutions, as a multiple of the expansions so far."""
    rounds: int = 0
    """Number of passes after a teacher's, each over all levels; 0: over those that it failed, until
    all are solved."""


class Sought(NamedTuple):
    """The result of a search."""

    path: npt.NDArray[np.uint64] | None
    """The states of the solution, including the first; None if not solved."""
    cost: int
    expanded: int
    unsolvable: bool = False
    """Proved."""


class Pass(NamedTuple):
    """The result of one pass."""

    levels: int
    solved: int
    unsolvable: int
    """Levels proved to have no solution."""
    expanded: int
    budget: int


def problem_of(puzzle: Puzzle, level: Level, heuristic: str | None = None) -> Problem:
    """A level as a problem for searches."""
    puzzle.load_rules()
    record = puzzle.planned(np.array([puzzle.format.fitted(level.record)], puzzle.format.dtype))
    start = beginning(puzzle, record)
    name = next(iter(puzzle.estimates)) if heuristic is None else heuristic
    findings = puzzle.heuristic_findings(record[0], name)
    return Problem(puzzle, record, start, findings, True, 0, MEMORY)


def sought(
    problem: Problem, model: Model, settings: Settings, budget: int, more: float = 0.0
) -> Sought:
    """Search a level within a budget, then for `more` times as long for shorter plans."""
    order = Order(PHS if settings.algorithm == "phs" else LEVIN)
    search = LevinSearch(problem, model, settings.epsilon, order)
    status: Status | None = None
    while status is None and search.count("expanded") < budget:
        status = search.run(budget - search.count("expanded"))
    if search.solved:
        search.shorten(int(more * search.count("expanded")))
    expanded = search.count("expanded")
    if not search.solved:
        return Sought(None, 0, expanded, status == Status.UNSOLVABLE)
    path = np.array([problem.start, *search.path()], np.uint64)
    return Sought(path, search.cost, expanded)


@dataclass
class Bootstrap:
    """A policy in training."""

    problems: Sequence[Problem]
    tilings: Sequence[str]
    settings: Settings
    seed: int
    table: Table
    sums: Table
    """The sum of each entry's squared gradients."""
    budget: int
    passes: list[Pass] = field(default_factory=list)
    taught: list[int] = field(default_factory=list)
    """The numbers of the levels that a teacher solved."""

    @property
    def model(self) -> Model:
        """The policy as it is now."""
        return Model(self.table, self.tilings)

    @property
    def is_over(self) -> bool:
        """Whether all rounds are done or, without rounds, the last pass left no level open."""
        if self.settings.rounds:
            return len(self.passes) - bool(self.taught) >= self.settings.rounds
        last = self.passes[-1] if self.passes else None
        return last is not None and last.solved + last.unsolvable == last.levels

    @property
    def open_ones(self) -> list[int]:
        """The numbers of the levels that the next pass searches."""
        known = () if self.settings.rounds else self.taught
        return sorted(set(range(len(self.problems))) - set(known))

    def steps(self) -> Iterator[int]:
        """Go through one pass, level by level; yield how many are done."""
        chance = np.random.default_rng((self.seed, len(self.passes)))
        open_ones = self.open_ones
        solutions: dict[int, Words] = {}
        expanded = unsolvable = 0
        for done, number in enumerate(chance.permutation(open_ones).tolist(), start=1):
            problem = self.problems[number]
            found = sought(problem, self.model, self.settings, self.budget, self.settings.more)
            expanded += found.expanded
            unsolvable += found.unsolvable
            if found.path is not None:
                solutions[number] = found.path
                self._learn(problem, found.path, chance)
            yield done
        self._repeat(solutions, chance)
        self._end_pass(Pass(len(open_ones), len(solutions), unsolvable, expanded, self.budget))

    def lessons(self, teacher: Teacher, levels: Sequence[Level]) -> Iterator[int]:
        """Learn from a teacher's solutions of all levels; yield how many are done."""
        chance = np.random.default_rng((self.seed, len(self.passes)))
        solutions: dict[int, Words] = {}
        for done, number in enumerate(chance.permutation(len(levels)).tolist(), start=1):
            for shown in teacher.demonstrations([levels[number]]):
                path = path_of(self.problems[number], shown.actions)
                if path is not None:
                    solutions[number] = path
                    self._learn(self.problems[number], path, chance)
            yield done
        self._repeat(solutions, chance)
        self.taught = sorted(solutions)
        self.passes.append(
            Pass(len(levels), len(solutions), 0, teacher.costs["expanded"], self.budget)
        )

    def _repeat(self, solutions: dict[int, Words], chance: np.random.Generator) -> None:
        """Learn from all solutions of a pass again."""
        for _ in range(self.settings.epochs):
            for number in chance.permutation(sorted(solutions)).tolist():
                self._learn(self.problems[number], solutions[number], chance)

    def _end_pass(self, this: Pass) -> None:
        is_first = len(self.passes) == (1 if self.taught else 0)
        before = 0 if is_first else self.passes[-1].solved
        if this.solved < (1 + self.settings.gain) * before or this.solved == 0:
            self.budget *= 2
        self.passes.append(this)

    def _learn(self, problem: Problem, path: Words, chance: np.random.Generator) -> None:
        """Learn from a solution, in one view of the board after the other."""
        seen = canonical_form(problem)
        instance, guide = guided(problem, self.model, 0.0)
        scratch = Scratch.of(path.shape[1], len(guide.moves.scores))
        shape = problem.puzzle.format.shape(instance.levels[0])
        views = [0]
        if self.settings.views > 0:
            count = len(problem.puzzle.codec.views(shape))
            views = chance.permutation(count)[: self.settings.views].tolist()
        for view in views:
            guide, step = guide._replace(board=guide.board.viewed(problem.puzzle, shape, view)), 0
            while step < len(path):
                reached = learn(
                    instance, path, scratch, guide, self.sums, self.settings.rate, step, seen
                )
                if reached >= 0:
                    break
                step, reason = divmod(-reached, 10)
                rows, contexts = len(guide.moves.scores), len(guide.moves.contexts)
                if -reason == NO_ROOM_FOR_ROWS:
                    guide = guide.with_room(2 * rows, contexts)
                    scratch = Scratch.of(path.shape[1], 2 * rows)
                else:
                    guide = guide.with_room(rows, 2 * contexts)

"""Several searches in turn, on one budget, and what is left of it for a shorter solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import gymnasium

from puzzle_agents.agent import Budget, Result, Status
from puzzle_agents.registry import PORTFOLIOS, Member, class_of, entry_of, make
from puzzle_agents.search.improve import improved, known_bound, warm_up_improvement
from puzzle_agents.search.search import Problem, Search, SearchAgent, Searcher
from puzzle_envs.common.arguments import flag, shown, text, whole, whole_or_none
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level, Words
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.nodes import COUNTERS

SUMMED = [name for name, _ in COUNTERS if name not in ("until_last_jump", "solution")]


@dataclass(frozen=True)
class PortfolioResult(Result):
    """The result of an attempt, and the members that ran."""

    solved_by: str = ""
    """The member that found the solution or proof; empty if there is none."""
    ran: Mapping[str, int] = field(default_factory=dict)
    """States expanded by each member, and by what then improved the solution."""


FIRST_PART = 16
"""Expansions of the first part of a search's first turn, before its branching is known."""


class Arm:
    """A member's search, and how far its turn goes.

    A turn has parts: searches count expansions, so the transitions left are divided by the mean
    branching so far. Parts end at the same states whatever the slices of the clock are.
    """

    def __init__(self, member: Member, search: Search) -> None:
        """Begin its first turn."""
        self.member, self.search = member, search
        self.status: Status | None = None
        self._turn_end = member.turn
        """In transitions."""
        self._part_end = FIRST_PART
        """In expansions."""

    def run(self, expansions: int, most: int) -> bool:
        """Continue for this many expansions; whether its turn is over.

        Args:
            expansions: Expansions before it returns; the turn may end earlier.
            most: Expansions left of the budget.
        """
        search = self.search
        before = search.count("expanded")
        search.limit = before + most
        try:
            self.status = search.run(min(expansions, self._part_end - before))
        except MemoryError:
            self.status = Status.OUT_OF_MEMORY
        expanded, generated = search.count("expanded"), search.count("generated")
        if expanded < self._part_end:
            return False
        over = generated >= self._turn_end
        if over:
            self._turn_end = generated + self.member.turn
        left = (self._turn_end - generated) * expanded // max(1, generated)
        self._part_end = expanded + min(max(1, left), FIRST_PART + expanded)
        return over


class PortfolioSearch(Search):
    """Searches that take turns until one ends with a solution or a proof."""

    def __init__(self, problem: Problem, arms: Sequence[Arm], jobs: int) -> None:
        """Begin with the turn of the first.

        Args:
            problem: That of the first; each has its own.
            arms: The searches.
            jobs: Number of searches that run in parallel.
        """
        super().__init__(problem)
        self._arms, self._jobs = list(arms), jobs
        self._all = tuple(arms)
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None
        self.ended: Arm | None = None

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        side_by_side = self._arms[: min(self._jobs, expansions)]
        share = max(1, expansions // len(side_by_side))
        most = max(1, (self.limit - self.count("expanded")) // len(side_by_side))
        run_all = map if self._pool is None else self._pool.map
        over = list(run_all(lambda arm: arm.run(share, most), side_by_side))
        self._count()
        final = (Status.SOLVED, Status.UNSOLVABLE)
        self.ended = next((arm for arm in side_by_side if arm.status in final), None)
        if self.ended is not None:
            return self.ended.status
        for arm, turn_is_over in zip(side_by_side, over, strict=True):
            if arm.status is not None:
                self._arms.remove(arm)
            elif turn_is_over:  # another turn, after all others
                self._arms.remove(arm)
                self._arms.append(arm)
        return None if self._arms else side_by_side[-1].status

    def _count(self) -> None:
        for name in SUMMED:
            self.tally[name] = sum(arm.search.count(name) for arm in self._all)

    @property
    def bytes(self) -> int:
        """Memory of all tables."""
        return sum(arm.search.bytes for arm in self._all)

    def path(self) -> Sequence[Words]:
        """The states kept by the member that ended."""
        return [] if self.ended is None else self.ended.search.path()

    @property
    def bound(self) -> int | None:
        """The highest lower bound that any member proved."""
        return max((bound for arm in self._all if (bound := arm.search.bound)), default=None)

    @property
    def current(self) -> Words | None:
        """The state last expanded by the member whose turn it is."""
        return self._arms[0].search.current if self._arms else None

    @property
    def waiting(self) -> int:
        """Number of open states of all members."""
        return sum(arm.search.waiting for arm in self._all)

    def result(self, status: Status) -> PortfolioResult:
        """The result of the member that ended, with the counters of all."""
        ran = {arm.member.title: arm.search.count("expanded") for arm in self._all}
        if self._pool is not None:
            self._pool.shutdown()
        if self.ended is None:
            own = super().result(status)
            return PortfolioResult(**vars(own), ran=ran)
        own = self.ended.search.result(status)
        counted = {name: self.count(name) for name in SUMMED}
        own = replace(own, **counted, peak_bytes=self.bytes)
        return PortfolioResult(**vars(own), solved_by=self.ended.member.title, ran=ran)


class Portfolio(Searcher):
    """Runs several searches in turn until one finds a solution or a proof, and improves a solution.

    Each member keeps its own states in an equal share of the memory, and resumes in its next turn.
    Turns are counted in transitions, not in time. What is left of the budget goes into shorter
    solutions, as in `improve`. The result names the member that ended, what improved its solution,
    and the states that each expanded.

    Complete if a member is: it finds a solution or proves that there is none, if the budget
    lasts. With `improve` also optimal, within the budget.

    Use it if you do not know which search fits.
    """

    name: ClassVar[str] = "portfolio"

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        agents: str | None = None,
        jobs: int = 1,
        improve: bool = True,
        symmetry: bool = True,
        seed: int | None = 0,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            agents: Comma-separated names of searches; by default the puzzle's list in the registry.
            jobs: Number of searches that run in parallel, one per core.
            improve: Spend what is left of the budget on a shorter solution; otherwise end with the
                first.
            symmetry: Treat mirror images and rotations as one state, where the level allows it.
            seed: Random seed of the improvement and of randomised members; None draws one from the
                system.
        """
        super().__init__(budget, symmetry=symmetry)
        self.agents = None if agents is None else text("agents", agents)
        self.jobs = whole("jobs", jobs, 1, 64)
        self.improve = flag("improve", improve)
        self.seed = whole_or_none("seed", seed, 0)

    def warm_up(self, env: gymnasium.Env[Any, Any]) -> None:
        """Also compile the improvement, which follows only on a solution."""
        super().warm_up(env)
        if self.improve:
            with suppress(Exception):
                problem = self._problem(self._puzzle_env(env))
                warm_up_improvement(replace(problem, merged=False))

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject what any member rejects."""
        super().check(puzzle, level)
        for _, agent in self._team(puzzle):
            agent.check(puzzle, level)

    def _members(self, puzzle: Puzzle) -> Sequence[Member]:
        if self.agents is None:
            return PORTFOLIOS.get(puzzle.title, PORTFOLIOS[""])
        return [Member(name.strip()) for name in self.agents.split(",")]

    def _team(self, puzzle: Puzzle) -> list[tuple[Member, SearchAgent]]:
        """The members, and an agent for each with its share of the memory."""
        members = self._members(puzzle)
        budget = replace(self.budget, memory=max(2**20, self.budget.bytes // len(members)))
        team = []
        for member in members:
            made = class_of(member.agent)
            if not issubclass(made, SearchAgent):
                raise ValueError(
                    "A portfolio is made of searches that can take turns, not of "
                    f"{shown(member.agent)}."
                )
            chance = {"seed": self.seed} if entry_of(member.agent).seeded else {}
            arguments = {"symmetry": self.symmetry, **chance, **member.arguments}
            agent = make(member.agent, budget=budget, **arguments)
            assert isinstance(agent, SearchAgent)
            team.append((member, agent))
        return team

    def _plan(self, env: PuzzleEnv) -> Result:
        try:
            found = self._first(env)
        except MemoryError:
            return Result(Status.OUT_OF_MEMORY)
        return self._improved(env, found) if self.improve else found

    def _first(self, env: PuzzleEnv) -> PortfolioResult:
        """The members' result, whose tables are then no longer there."""
        arms = [Arm(member, agent.begin(env)) for member, agent in self._team(env.puzzle)]
        result = self._run(PortfolioSearch(arms[0].search.problem, arms, self.jobs))
        assert isinstance(result, PortfolioResult)
        return result

    def _improved(self, env: PuzzleEnv, found: PortfolioResult) -> Result:
        if not found.solved or found.proved_optimal:
            return found
        try:
            problem = self._problem(env)
        except MemoryError:
            return found
        result = improved(self, problem, found, self.seed, known_bound(env))
        ran = {**found.ran, "improve": result.expanded - found.expanded}
        return replace(result, ran=ran)

"""Shortening plans: from any solution a cheaper one, and a lower bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

import gymnasium
import numpy as np

from puzzle_agents.agent import Budget, Result, Status, is_at_start
from puzzle_agents.episode import moves_of
from puzzle_agents.search.best_first import BestFirst, Order
from puzzle_agents.search.neighbourhood import Neighbourhood
from puzzle_agents.search.plan import Actions, Plan, plan_of, plan_through, without
from puzzle_agents.search.search import Problem, Search, Searcher
from puzzle_envs.common.arguments import whole_or_none
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Words
from puzzle_envs.states.chance import new_chance
from puzzle_envs.states.nodes import COUNTERS

FIRST_TURN = 2000
"""Expansions of A* before the first neighbourhood."""
FIRST_MOST = 10_000
"""States of the first neighbourhoods."""
MOST_LEFT_OUT = 1000
"""Maximum number of actions of a plan that are tried for leaving out."""
AT_ONCE = 1 << 17
"""Actions between two checks of the clock."""
TRIES = 3
"""Neighbourhoods without a cheaper plan before their size doubles."""
WARMING = 100
"""Expansions of each search in a warm-up."""
SUMMED = [name for name, _ in COUNTERS if name not in ("until_last_jump", "solution")]
A_STAR, NEIGHBOURHOOD, DROPPED = "A*", "neighbourhoods", "actions left out"
"""What made a plan cheaper."""


class Improvement(Search):
    """First leaves out actions one by one, then explores neighbourhoods and runs A* in turn.

    A* searches only for cheaper plans and raises the bound; a proof of optimality ends everything.
    """

    def __init__(
        self,
        problem: Problem,
        actions: Sequence[int],
        seed: int | None = 0,
        least: int = 0,
        note: Callable[[int, int], None] | None = None,
    ) -> None:
        """Begin with a solution.

        Args:
            problem: The level.
            actions: The solution.
            seed: Random seed; None draws one from the system.
            least: A known lower bound.
            note: Called with the cost of each cheaper plan and the successors generated so far.
        """
        super().__init__(problem)
        self._note = note
        share = problem.max_bytes // 4
        self._given = self._best = np.array(actions, np.int64)
        self._before, self._place = problem.start.copy(), 0
        self._cost, self._least = problem.cost(actions), least
        self._grouped: Plan | None = None
        self._around: Neighbourhood | None = Neighbourhood(
            replace(problem, max_bytes=share), new_chance(seed)
        )
        self._begun = self._explores = False
        self._most, self._tries, self._taken = FIRST_MOST, 0, 0
        self._exact: BestFirst | None = BestFirst(
            replace(problem, max_bytes=problem.max_bytes - share), Order(1, 1)
        )
        self._exact.beat(self._cost)
        self._turn = FIRST_TURN
        self._tried = np.zeros_like(self.tally)
        self._proved = 0
        self.by = ""
        """The method that found the cheapest plan; empty if it is the given one."""
        self.tally["solution"] = 0

    def run(self, expansions: int) -> Status | None:
        """Continue, as Search.run."""
        if self._cost <= self.bound:
            return Status.SOLVED
        if not self._begun and self._place < min(len(self._best), MOST_LEFT_OUT):
            self._leave_out(expansions)
        elif not self._begun:
            self._begin()
        elif self._exact is not None and self._turn > 0:
            self._search_exactly(self._exact, min(expansions, self._turn))
        elif self._around is not None:
            self._explore(self._around, expansions)
        elif self._exact is None:
            return Status.OUT_OF_MEMORY
        else:
            self._turn = FIRST_TURN
        self._count()
        return None

    # --- the three ways -----------------------------------------------------------------------

    def _leave_out(self, expansions: int) -> None:
        for _ in range(min(expansions, max(1, AT_ONCE // len(self._best)))):
            if self._place == len(self._best):
                break
            shorter = without(self.problem, self._best, self._before, self._place)
            self._tried["expanded"] += 1
            if shorter is None:
                self._place += 1
            else:
                self._take(shorter, self.problem.cost(shorter), DROPPED)

    def _begin(self) -> None:
        """Find the macro-moves of the plan, or of the given one, to explore around."""
        self._begun = True
        self._grouped = plan_of(self.problem, self._best) or plan_of(self.problem, self._given)
        if self._grouped is None:
            self._around = None
        elif self._grouped.cost < self._cost:
            self._take(self._grouped.actions, self._grouped.cost, DROPPED)

    def _search_exactly(self, exact: BestFirst, expansions: int) -> None:
        before = exact.count("expanded")
        exact.limit = before + self.limit - self.count("expanded")
        status = exact.run(expansions)
        self._turn -= exact.count("expanded") - before
        self._proved = max(self._proved, exact.bound)
        if status is None:
            return
        if status == Status.SOLVED and exact.count("cost") < self._cost:
            actions = np.array(exact.result(Status.SOLVED).actions, np.int64)
            self._take(actions, exact.count("cost"), A_STAR)
        if status in (Status.SOLVED, Status.UNSOLVABLE):
            self._proved = self._cost
        else:
            self._end(exact)
            self._exact = None

    def _explore(self, around: Neighbourhood, expansions: int) -> None:
        assert self._grouped is not None
        if not self._explores:
            self._explores = around.begin(self._grouped, self._most)
            self._taken = around.expanded
        ended: bool | None = None
        if self._explores:
            limit = around.expanded + self.limit - self.count("expanded")
            ended = around.run(expansions, limit)
            if ended is False:
                return
            self._end_neighbourhood(around)
        if ended is None:  # the memory has no room for larger ones
            if self._exact is None or not self._explores:
                self._end(around)
                self._around = None
            self._most, self._tries = FIRST_MOST, 0
        self._explores = False

    def _end_neighbourhood(self, around: Neighbourhood) -> None:
        self._turn = around.expanded - self._taken
        self._grouped = plan_through(self.problem, around.path())
        self._tries += 1
        if self._grouped.cost < self._cost:
            self._take(self._grouped.actions, self._grouped.cost, NEIGHBOURHOOD)
            self._tries = 0
        elif self._tries == TRIES:
            self._most, self._tries = 2 * self._most, 0

    def result(self, status: Status) -> Result:
        """The cheapest plan, including one in a neighbourhood that the budget cut short."""
        if self._explores and self._around is not None:
            self._explores = False
            self._end_neighbourhood(self._around)
        return super().result(status)

    def _take(self, actions: Actions, cost: int, by: str) -> None:
        self._best, self._cost, self.by = actions, cost, by
        if self._exact is not None:
            self._exact.beat(cost)
        self._count()
        if self._note is not None:
            self._note(cost, self.count("generated"))

    # --- what was found -----------------------------------------------------------------------

    def _end(self, search: BestFirst | Neighbourhood) -> None:
        """Add up the counters of a finished search."""
        for name in SUMMED:
            self._tried[name] += search.tally[name]

    def _count(self) -> None:
        searches = [search for search in (self._exact, self._around) if search is not None]
        for name in SUMMED:
            counts = (int(search.tally[name][0]) for search in searches)
            self.tally[name] = int(self._tried[name][0]) + sum(counts)

    def _plan(self) -> tuple[list[int], int]:
        return self._best.tolist(), self._cost

    def path(self) -> Sequence[Words]:
        """The states of the plan, excluding the first."""
        return [] if self._grouped is None else list(self._grouped.states[1:])

    @property
    def bytes(self) -> int:
        """Memory of both searches."""
        return sum(search.bytes for search in (self._exact, self._around) if search is not None)

    @property
    def bound(self) -> int:
        """The lower bound: proved by A*, or known."""
        return max(self._proved, self._least)

    @property
    def proves_optimum(self) -> bool:
        """Whether A* has proved the plan optimal."""
        return self._proved >= self._cost

    @property
    def current(self) -> Words | None:
        """The state before the action left out last, or the one expanded last."""
        if self._explores and self._around is not None:
            return self._around.state
        seen = None if self._exact is None else self._exact.current
        return self._before.copy() if seen is None else seen

    @property
    def waiting(self) -> int:
        """Size of the open list of A*."""
        return 0 if self._exact is None else self._exact.waiting


Found = TypeVar("Found", bound=Result)


def improved(
    agent: Searcher, problem: Problem, found: Found, seed: int | None = 0, least: int = 0
) -> Found:
    """An agent's result, improved with the rest of its budget.

    Args:
        agent: The agent.
        problem: The level, with the findings of a heuristic that is admissible.
        found: A result with a solution.
        seed: Random seed; None draws one from the system.
        least: A known lower bound.
    """

    def note(cost: int, generated: int) -> None:
        agent.note(cost, found.generated + generated)

    note(found.moves or 0, 0)
    try:
        search = Improvement(problem, found.actions, seed, least, note)
        last = agent._run(search, found)
    except MemoryError:  # no room for its tables
        return found
    return replace(
        found,
        actions=last.actions,
        moves=last.moves,
        proved_optimal=last.proved_optimal,
        bound=max(found.bound or 0, last.bound or 0),
        found_moves=found.moves,
        improved_by=search.by,
        peak_bytes=max(found.peak_bytes, last.peak_bytes),
        **{name: getattr(found, name) + getattr(last, name) for name in SUMMED},
    )


def warm_up_improvement(problem: Problem) -> None:
    """Compile what an improvement needs, on some path, as there may be no solution yet."""
    exact = BestFirst(problem, Order(1, 1))
    exact.run(WARMING)
    plan = plan_through(problem, exact.path_to(exact.registered - 1))
    without(problem, plan.actions, problem.start.copy(), 0)
    plan_of(problem, plan.actions)
    around = Neighbourhood(problem, new_chance(0))
    if around.begin(plan, WARMING):
        around.run(WARMING, WARMING)


# --- of any solution ------------------------------------------------------------------------------


class Improver(Searcher):
    """Takes a solution of one level, and spends its budget on a shorter one."""

    name: ClassVar[str] = "improve"

    def __init__(
        self,
        actions: Sequence[int],
        budget: Budget | None = None,
        *,
        seed: int | None = 0,
        estimate: str | None = None,
        symmetry: bool = True,
    ) -> None:
        """Create an agent; the arguments are those of `improve`."""
        super().__init__(budget, estimate=estimate, symmetry=symmetry)
        self.actions, self.seed = actions, whole_or_none("seed", seed, 0)

    def _plan(self, env: PuzzleEnv) -> Result:
        found = Result(Status.SOLVED, list(self.actions), moves_of(env, self.actions))
        try:
            problem = self._problem(env)
        except MemoryError:
            return found
        return improved(self, problem, found, self.seed, known_bound(env))


def known_bound(env: PuzzleEnv) -> int:
    """The lower bound stated by the level, if the environment is at its start; else 0."""
    return env.level.least if is_at_start(env) else 0


def improve(
    env: gymnasium.Env[Any, Any],
    actions: Sequence[int],
    budget: Budget | None = None,
    *,
    seed: int | None = 0,
    estimate: str | None = None,
    symmetry: bool = True,
) -> Result:
    """Shorten a solution; the result is never longer.

    Unnecessary actions are removed first. Then neighbourhoods of the plan, which grow when they
    contain nothing shorter, take turns with A*, which searches for shorter plans and raises a lower
    bound. It ends when the optimum is proved, when the level's stated bound is reached, or when the
    budget is spent.

    Args:
        env: An environment of puzzle_envs, wrapped or not, after a reset.
        actions: Actions that solve it from its present state.
        budget: Limits; by default those of `Budget()`.
        seed: Random seed; None draws one from the system.
        estimate: The puzzle's heuristic to use; None for its default.
        symmetry: Let A* treat mirror images and rotations as one state.

    Returns:
        The result. `found_moves` are the moves of the given solution, `improved_by` says what
        shortened it, and `bound` is the lower bound.

    Raises:
        ValueError: The actions are illegal or do not solve the environment.
    """
    agent = Improver(actions, budget, seed=seed, estimate=estimate, symmetry=symmetry)
    return agent.solve(env)

"""The paper's multi-layer solvers (4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Literal

from puzzle_agents.agent import Budget, Status
from puzzle_agents.papers.kwirk.aims import FILL, aim_record
from puzzle_agents.papers.kwirk.opening import Order
from puzzle_agents.papers.kwirk.rooms import Floor
from puzzle_agents.papers.kwirk.sequences import REACH_EXIT, Sequence, SubGoal, SubGoals
from puzzle_agents.papers.kwirk.simple import GuidedSolver
from puzzle_agents.papers.kwirk.solver import Solving
from puzzle_agents.papers.kwirk.state_space import StateSearch, StateSpace
from puzzle_envs.common.arguments import flag, one_of, whole

STATES_PER_CELL = 20
"""States opened per cell between the character and the goal-position; the paper has such a bound,
but no figure (4.3.2)."""
FILL_FACTOR = 3
"""4.3.2: factor of the bound where a block is to be pushed into a hole."""


class _Stage:
    """One sub-goal of a sequence, with a search from each start-state (4.3.1, Figure 4)."""

    def __init__(self, space: StateSpace, number: int, subgoal: SubGoal) -> None:
        self._space, self.subgoal = space, subgoal
        self._aim = aim_record(subgoal.kind, number, subgoal.goals, subgoal.turnstile)
        self.searches: list[StateSearch] = []

    @property
    def exhausted(self) -> bool:
        """Whether the searches from all start-states so far are exhausted."""
        return all(search.exhausted for search in self.searches)

    def begin_at(self, start: int) -> bool:
        """Add a start-state; return False if this stage has it already."""
        search = StateSearch(self._space, self._aim, start, self.subgoal.block)
        if search.root >= 0:
            self.searches.append(search)
        return search.root >= 0

    def newest(self, most_misses: int) -> StateSearch | None:
        """The newest search, unless it is exhausted or has failed this many times."""
        if not self.searches or self.searches[-1].exhausted:
            return None
        return self.searches[-1] if self.searches[-1].misses < most_misses else None

    def oldest(self) -> StateSearch | None:
        """The search to retry: the first of those that have failed least often."""
        left = [search for search in self.searches if not search.exhausted]
        return min(left, key=lambda search: search.misses, default=None)


class _Attempt:
    """One sequence of sub-goals, and how far it has been solved."""

    def __init__(self, solving: LayersSolving, sequence: Sequence) -> None:
        self.solving, self.space = solving, solving.space
        self.stages = [
            _Stage(self.space, solving.next_stage(), subgoal) for subgoal in (*sequence, REACH_EXIT)
        ]
        self.stages[0].begin_at(-1 if self.space.count("registered") == 0 else 0)
        self.deepest = 0

    @property
    def exhausted(self) -> bool:
        """Whether the searches of all stages are exhausted."""
        return all(stage.exhausted for stage in self.stages)

    def visit(self) -> int | None:
        """Solve sub-goal after sub-goal until one fails; return a solved row, if one is found."""
        while self.space.left > 0:
            found = self._goal_of(self.deepest)
            if found is None:
                while self.deepest > 0 and self.stages[self.deepest].exhausted:
                    self.deepest -= 1
                return None
            if self.space.is_solved(found):
                return found
            if self.stages[self.deepest + 1].begin_at(found):
                self.deepest += 1
        return None

    def _goal_of(self, number: int) -> int | None:
        """A new goal-state of a stage: from its newest start-state, a new one, or an old one."""
        stage = self.stages[number]
        chosen = stage.newest(self.solving.start_tries)
        if chosen is None and number > 0:
            start = self._goal_of(number - 1)
            if start is not None:
                if self.space.is_solved(start):
                    return start
                if stage.begin_at(start):
                    chosen = stage.newest(self.solving.start_tries)
        chosen = chosen or stage.oldest()
        if chosen is None:
            return None
        return chosen.run(self.solving.states_allowed(stage.subgoal, chosen.root))


class LayersSolving(Solving):
    """One run: new sequences while there are any, then the old ones in turn."""

    def __init__(
        self,
        space: StateSpace,
        floor: Floor,
        sequences: Iterator[Sequence],
        sequence_tries: int,
        start_tries: int,
    ) -> None:
        super().__init__(space)
        self.start_tries, self._sequence_tries = start_tries, sequence_tries
        self._floor, self._new = floor, sequences
        self._all_found = False
        self._attempts: list[_Attempt] = []
        self._next = 0
        self._tries_left = 0
        self._stages = 0
        self._exit_alone = False

    def next_stage(self) -> int:
        """A number for a new stage."""
        self._stages += 1
        return self._stages - 1

    def states_allowed(self, subgoal: SubGoal, root: int) -> int:
        """The bound on the states of a try: it grows with the distance to the goal (4.3.2)."""
        here, goals = self.space.acted_at(root), subgoal.goals or {self._floor.exit}
        distance = 1 + min(self._floor.manhattan(here, goal) for goal in goals)
        return STATES_PER_CELL * distance * (FILL_FACTOR if subgoal.kind == FILL else 1)

    def run(self, states: int) -> Status | None:
        """Try sequences until this many states are opened."""
        end = self.space.count("opened") + states
        while self.space.count("opened") < end and self.space.left > 0:
            try:
                attempt = self._choose()
            except TimeoutError:
                return Status.OUT_OF_TIME
            if attempt is None:
                return Status.UNSOLVABLE
            self.solution = attempt.visit()
            if self.solution is not None:
                return Status.SOLVED
        return None

    def _choose(self) -> _Attempt | None:
        """The sequence to try: the same one, a new one, or the next that is not exhausted."""
        if self._attempts and self._tries_left > 0 and not self._attempts[-1].exhausted:
            self._tries_left -= 1
            return self._attempts[-1]
        self._tries_left = 0
        if not self._all_found:
            sequence = next(self._new, None)
            if sequence is not None:
                return self._take_up(sequence)
            self._all_found = True
        for _ in range(len(self._attempts)):
            attempt = self._attempts[self._next % len(self._attempts)]
            self._next += 1
            if not attempt.exhausted:
                return attempt
        return self._last_resort()

    def _take_up(self, sequence: Sequence) -> _Attempt:
        self._attempts.append(_Attempt(self, sequence))
        self.sequences += 1
        self._tries_left = self._sequence_tries - 1
        return self._attempts[-1]

    def _last_resort(self) -> _Attempt | None:
        """The sequence without sub-goals, if there is no other or if deadlocks were pruned.

        The paper says nothing of this case. The search for the exit is complete: it proves a floor
        unsolvable.
        """
        stages = (stage for attempt in self._attempts for stage in attempt.stages)
        pruned = any(search.deadlocks for stage in stages for search in stage.searches)
        if self._exit_alone or (self._attempts and not pruned):
            return None
        self._exit_alone = True
        return self._take_up(())


class MultiLayerSolver(GuidedSolver):
    """A global layer plans sequences of sub-goals, a local layer searches for one at a time."""

    # Planning sequences takes minutes on floors of many rooms.
    warming_seconds: ClassVar[float] = 5.0

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        subgoals: Literal["all", "holes"] = "all",
        deadlocks: bool = True,
        sequence_tries: int = 1,
        start_tries: int = 1,
        **guidance: Any,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            subgoals: Sub-goals for "all" connectors, or only for "holes" (5.2).
            deadlocks: Whether to detect deadlocks (4.3.2, 5.3).
            sequence_tries: Number of tries of a sequence before a new one (5.4).
            start_tries: Number of tries of a sub-goal from the same start-state (5.4).
            guidance: The arguments of the simple A*, for the search for the exit after the last
                sub-goal.
        """
        super().__init__(budget, **guidance)
        one_of("subgoals", subgoals, ("all", "holes"))
        self.subgoals, self.deadlocks = subgoals, flag("deadlocks", deadlocks)
        self.sequence_tries = whole("sequence_tries", sequence_tries, 1)
        self.start_tries = whole("start_tries", start_tries, 1)

    def _begin(self, space: StateSpace, spent: Callable[[], bool]) -> LayersSolving:
        floor = Floor(space.record[0], tuple(map(int, space.start)))
        subgoals = SubGoals(floor, only_holes=self.subgoals == "holes", spent=spent)
        return LayersSolving(
            space, floor, subgoals.sequences(), self.sequence_tries, self.start_tries
        )

    def _order(self) -> Order:
        return super()._order()._replace(deadlocks=self.deadlocks)


class LayersAStar(MultiLayerSolver):
    """The paper's multi-layer solver with A* as its local layer (4.3).

    Complete for a single character, not optimal.

    Use it to reproduce the paper.
    """

    name: ClassVar[str] = "kwirk-layers-astar"
    order: ClassVar[Order] = Order()


class LayersFringe(MultiLayerSolver):
    """The paper's multi-layer solver with Fringe search as its local layer (4.3).

    Complete for a single character, not optimal.

    Use it to reproduce the paper.
    """

    name: ClassVar[str] = "kwirk-layers-fringe"
    order: ClassVar[Order] = Order(linked=True)

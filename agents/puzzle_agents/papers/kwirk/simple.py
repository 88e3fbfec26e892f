"""The paper's simple solvers (4.2): breadth-first, depth-first, A* and Fringe search."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from puzzle_agents.agent import Budget, Status
from puzzle_agents.papers.kwirk.aims import EXIT, aim_record
from puzzle_agents.papers.kwirk.opening import EXIT_DISTANCE, NOTHING, UNSEEN, Order
from puzzle_agents.papers.kwirk.solver import PaperSolver, Solving
from puzzle_agents.papers.kwirk.state_space import StateSearch, StateSpace
from puzzle_envs.common.arguments import one_of, whole

HEURISTICS = {"unseen": UNSEEN, "exit-distance": EXIT_DISTANCE}


class _SimpleSolving(Solving):
    """One search for the exit."""

    def __init__(self, space: StateSpace) -> None:
        super().__init__(space)
        self._search = StateSearch(space, aim_record(EXIT, 0))

    def run(self, states: int) -> Status | None:
        self.solution = self._search.run(states)
        if self.solution is not None:
            return Status.SOLVED
        return Status.UNSOLVABLE if self._search.exhausted else None


class SimpleSolver(PaperSolver):
    """One search for the exit, without sub-goals."""

    def _begin(self, space: StateSpace, spent: Callable[[], bool]) -> Solving:
        return _SimpleSolving(space)


class SimpleBFS(SimpleSolver):
    """Breadth-first search over the paper's state-transitions (4.2.1).

    Complete for a single character. Optimal in transitions, which for a single character are
    pushes, the paper's m. For several, m (`tasks`) counts what transitions are made of: pushes, and
    characters moved aside.

    Use it to reproduce the paper; `bfs` searches the same floors faster, and proves its optimum for
    several characters too.
    """

    name: ClassVar[str] = "kwirk-bfs-paper"
    order: ClassVar[Order] = Order(NOTHING)

    def _proves_optimum(self, space: StateSpace) -> bool:
        return space.characters == 1


class SimpleDFS(SimpleSolver):
    """Depth-first search over the paper's state-transitions (4.2.1), a state's first child first.

    Complete for a single character, not optimal: its solutions are many times longer than
    necessary.
    """

    name: ClassVar[str] = "kwirk-dfs-paper"
    order: ClassVar[Order] = Order(NOTHING, depth_first=True)


class GuidedSolver(PaperSolver):
    """A solver with a cost function f(n) = g(n) + h(n), g(n) the number of predecessors (4.2.4)."""

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        heuristic: Literal["unseen", "exit-distance"] = "unseen",
        window: int = 10,
    ) -> None:
        """Create an agent.

        Args:
            budget: Limits of each attempt.
            heuristic: "unseen": lower for more cells that the acting character reaches, but did
                not reach in the last predecessors (4.2.4). "exit-distance": the characters'
                average Manhattan distance to the exit (5.1).
            window: Number of predecessors to compare with (x of the paper).
        """
        super().__init__(budget)
        one_of("heuristic", heuristic, HEURISTICS)
        self.heuristic, self.window = heuristic, whole("window", window, 1, 2**31 - 1)

    def _order(self) -> Order:
        return super()._order()._replace(heuristic=HEURISTICS[self.heuristic], window=self.window)


class SimpleAStar(GuidedSolver, SimpleSolver):
    """A* with the paper's cost functions (4.2.2, 4.2.4).

    Complete for a single character, not optimal: neither cost function is admissible.

    Use it to reproduce the paper; `astar` has an admissible heuristic.
    """

    name: ClassVar[str] = "kwirk-astar-paper"
    order: ClassVar[Order] = Order()


class SimpleFringe(GuidedSolver, SimpleSolver):
    """Fringe search with the paper's cost functions (4.2.3, 4.2.4).

    By the pseudo-code of Björnsson et al.: one doubly linked list; states above the threshold stay
    in it, children are inserted behind their parent in their order.

    Complete for a single character, not optimal.
    """

    name: ClassVar[str] = "kwirk-fringe-paper"
    order: ClassVar[Order] = Order(linked=True)
